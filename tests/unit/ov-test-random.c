// SPDX-License-Identifier: GPL-3.0-or-later
/* Random numbers against published values, and the text of scratch files. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"

static void
test_known_values (void)
{
  /* The generator's published first outputs from the state 1, 2, 3, 4. */
  static const guint64 expected[] = {
    11520,
    0,
    1509978240,
    G_GUINT64_CONSTANT (1215971899390074240),
    G_GUINT64_CONSTANT (1216172134540287360),
    G_GUINT64_CONSTANT (607988272756665600),
    G_GUINT64_CONSTANT (16172922978634559625),
    G_GUINT64_CONSTANT (8476171486693032832),
    G_GUINT64_CONSTANT (10595114339597558777),
    G_GUINT64_CONSTANT (2904607092377533576),
  };
  /* splitmix64's from the seed 0. */
  static const guint64 state[] = {
    G_GUINT64_CONSTANT (0xe220a8397b1dcdaf),
    G_GUINT64_CONSTANT (0x6e789e6aa1b965f4),
    G_GUINT64_CONSTANT (0x06c45d188009454f),
    G_GUINT64_CONSTANT (0xf88bb8a8724c81ec),
  };
  OvRandom random = { { 1, 2, 3, 4 } };

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (ov_random_next (&random), ==, expected[i]);
  ov_random_init (&random, 0);
  g_assert_cmpmem (random.s, sizeof random.s, state, sizeof state);
}

static void
test_below_and_unit (void)
{
  enum
  {
    SIDES = 7,
    THROWS = 70000
  };
  guint seen[SIDES] = { 0 };
  double chi = 0, sum = 0;
  OvRandom random;

  ov_random_init (&random, 3);
  for (int i = 0; i < THROWS; i++)
    {
      guint64 side = ov_random_below (&random, SIDES);

      g_assert_cmpuint (side, <, SIDES);
      seen[side]++;
    }
  for (int i = 0; i < SIDES; i++)
    chi += pow ((double)seen[i] - THROWS / SIDES, 2) / (THROWS / SIDES);
  /* The 99.9 % point of chi-square with 6 degrees of freedom; the seed is fixed. */
  g_assert_cmpfloat (chi, <, 22.46);
  g_assert_cmpuint (ov_random_below (&random, 1), ==, 0);
  /* Above 2^63 a plain modulus would favour the lower part: the mean shows it. */
  for (int i = 0; i < THROWS; i++)
    {
      guint64 limit = G_GUINT64_CONSTANT (3) << 62;
      guint64 value = ov_random_below (&random, limit);

      g_assert_cmpuint (value, <, limit);
      sum += (double)value / (double)limit;
    }
  g_assert_cmpfloat (fabs (sum / THROWS - 0.5), <, 0.005);
  sum = 0;
  for (int i = 0; i < THROWS; i++)
    {
      double unit = ov_random_unit (&random);

      g_assert_cmpfloat (unit, >=, 0);
      g_assert_cmpfloat (unit, <, 1);
      sum += unit;
    }
  g_assert_cmpfloat (fabs (sum / THROWS - 0.5), <, 0.005);
}

static char *
make_text (guint64 offset, gsize bytes, guint64 seed, char letter, double density)
{
  char *text = g_malloc (bytes + 1);

  text[bytes] = '#';
  ov_text_fill (text, offset, bytes, seed, letter, density);
  g_assert_cmpint (text[bytes], ==, '#');
  return text;
}

static const struct
{
  char letter;
  double density;
} texts[] = {
  { 'A', 0.02 }, { 'A', 0 },   { 'A', 1 },    { 'e', 0.1 },  { ' ', 0.5 },
  { '`', 0.03 }, { '~', 0.9 }, { '_', 0.51 }, { 'Z', 1e-5 }, { '0', 0.9999999 },
};

static void
test_form (void)
{
  const gsize bytes = 300 * OV_TEXT_PAGE;

  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autofree char *text = make_text (0, bytes, 1, texts[t].letter, texts[t].density);
      gsize line = 0, newlines = 0;

      for (gsize i = 0; i < bytes; i++)
        {
          line++;
          if (text[i] == '\n')
            {
              newlines++;
              line = 0;
            }
          else
            g_assert_true (text[i] >= 0x20 && text[i] <= 0x7e);
          if (texts[t].density < 1)
            g_assert_cmpuint (line, <, OV_TEXT_LINE);
        }
      if (texts[t].density < 1)
        {
          /* The last line ends too, and lines are not all short. */
          g_assert_cmpint (text[bytes - 1], ==, '\n');
          g_assert_cmpuint (newlines, <, bytes / 50);
        }
      else
        g_assert_cmpuint (newlines, ==, 0);
    }
}

static void
test_density (void)
{
  const gsize bytes = 1000 * OV_TEXT_PAGE;

  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      double density = texts[t].density;
      g_autofree char *text = make_text (0, bytes, 9, texts[t].letter, density);
      guint64 letters = ov_count_plain (text, bytes, texts[t].letter);
      guint64 others = bytes - ov_count_plain (text, bytes, '\n');
      double wanted = density * (double)others;

      /* Each page rounds up or down at random, which over 1000 pages has a standard deviation of
       * at most 16. */
      g_assert_cmpfloat (fabs ((double)letters - wanted), <, 80);
      if (density == 0)
        g_assert_cmpuint (letters, ==, 0);
      if (density == 1)
        g_assert_cmpuint (letters, ==, bytes);
    }
}

/* Letters are as likely at each place of a page, but for its newlines. */
static void
test_places (void)
{
  enum
  {
    PAGES = 4000,
    PARTS = 16
  };
  g_autofree char *text = make_text (0, PAGES * OV_TEXT_PAGE, 5, 'A', 0.02);
  double chi = 0, expected = 0;
  guint seen[PARTS] = { 0 };

  for (gsize i = 0; i < PAGES * OV_TEXT_PAGE; i++)
    if (text[i] == 'A')
      {
        seen[i % OV_TEXT_PAGE / (OV_TEXT_PAGE / PARTS)]++;
        expected += 1.0 / PARTS;
      }
  for (int i = 0; i < PARTS; i++)
    chi += pow (seen[i] - expected, 2) / expected;
  /* The 99.9 % point with 15 degrees of freedom. */
  g_assert_cmpfloat (chi, <, 37.7);
}

static void
test_pieces (void)
{
  const gsize bytes = 5 * OV_TEXT_PAGE + 123;
  const guint64 offset = 3 * OV_TEXT_PAGE - 77;
  OvRandom random;

  ov_random_init (&random, 4);
  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autofree char *whole = make_text (offset, bytes, 6, texts[t].letter, texts[t].density);

      for (int round = 0; round < 50; round++)
        {
          gsize from = ov_random_below (&random, bytes);
          gsize length = ov_random_below (&random, bytes - from + 1);
          g_autofree char *piece
              = make_text (offset + from, length, 6, texts[t].letter, texts[t].density);

          g_assert_cmpmem (piece, length, whole + from, length);
        }
    }
}

static void
test_count (void)
{
  OvRandom random;

  ov_random_init (&random, 7);
  for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
    for (int round = 0; round < 20; round++)
      {
        guint64 offset = ov_random_below (&random, 10 * OV_TEXT_PAGE);
        gsize bytes = ov_random_below (&random, 40 * OV_TEXT_PAGE);
        guint64 seed = ov_random_next (&random);
        g_autofree char *text = make_text (offset, bytes, seed, texts[t].letter, texts[t].density);

        g_assert_cmpuint (ov_text_count (offset, bytes, seed, texts[t].letter, texts[t].density),
                          ==, ov_count_plain (text, bytes, texts[t].letter));
      }
}

static void
test_far_offset (void)
{
  const guint64 offset = (G_GUINT64_CONSTANT (1) << 62) + 17;
  g_autofree char *text = make_text (offset, 10000, 8, 'A', 0.02);
  g_autofree char *near = make_text (17, 10000, 8, 'A', 0.02);

  g_assert_cmpuint (ov_text_count (offset, 10000, 8, 'A', 0.02), ==,
                    ov_count_plain (text, 10000, 'A'));
  g_assert_cmpint (memcmp (text, near, 10000), !=, 0);
}

static void
test_seeds_and_pages_differ (void)
{
  g_autofree char *text = make_text (0, 64 * OV_TEXT_PAGE, 1, 'A', 0.02);
  g_autofree char *other = make_text (0, 64 * OV_TEXT_PAGE, 2, 'A', 0.02);

  /* No page comes twice, also not under the next seed: a disk that stores equal blocks once gains
   * nothing. */
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      {
        const char *page = text + i * OV_TEXT_PAGE;

        g_assert_cmpint (memcmp (page, other + j * OV_TEXT_PAGE, OV_TEXT_PAGE), !=, 0);
        if (i != j)
          g_assert_cmpint (memcmp (page, text + j * OV_TEXT_PAGE, OV_TEXT_PAGE), !=, 0);
      }
}

static void
test_same_everywhere (void)
{
  g_autofree char *text = make_text (1000, 100000, 42, 'A', 0.02);

  /* Results of two machines are compared by what they counted: this text is part of the format. */
  g_assert_cmphex (ov_crc32c (0, text, 100000), ==, 0x3c8cc931);
}

static void
test_incompressible (void)
{
  const gsize bytes = 1024 * 1024;
  g_autofree char *text = make_text (0, bytes, 1, 'A', 0.02);
  g_autofree char *out = g_malloc (2 * bytes);
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
  gsize read, written;

  g_assert_cmpint (g_converter_convert (G_CONVERTER (compressor), text, bytes, out, 2 * bytes,
                                        G_CONVERTER_INPUT_AT_END, &read, &written, NULL),
                   ==, G_CONVERTER_FINISHED);
  g_assert_cmpuint (read, ==, bytes);
  g_test_message ("compressed to %.1f %%", 100.0 * (double)written / (double)bytes);
  g_assert_cmpfloat ((double)written / (double)bytes, >, 0.60);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random/known-values", test_known_values);
  g_test_add_func ("/random/below-and-unit", test_below_and_unit);
  g_test_add_func ("/random/text/form", test_form);
  g_test_add_func ("/random/text/density", test_density);
  g_test_add_func ("/random/text/places", test_places);
  g_test_add_func ("/random/text/pieces", test_pieces);
  g_test_add_func ("/random/text/count", test_count);
  g_test_add_func ("/random/text/far-offset", test_far_offset);
  g_test_add_func ("/random/text/seeds-and-pages-differ", test_seeds_and_pages_differ);
  g_test_add_func ("/random/text/same-everywhere", test_same_everywhere);
  g_test_add_func ("/random/text/incompressible", test_incompressible);
  return g_test_run ();
}
