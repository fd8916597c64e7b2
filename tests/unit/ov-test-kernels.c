// SPDX-License-Identifier: GPL-3.0-or-later
/* Every form of the kernels that this processor can run, against the plain one. */
#include "config.h"

#include <string.h>

#include "base/ov-buffer.h"
#include "base/ov-kernels-private.h"
#include "base/ov-kernels.h"
#include "base/ov-random.h"

/* Counts in the most obvious way. */
static guint64
count_simply (const char *p, gsize bytes, char letter)
{
  guint64 count = 0;

  while (bytes-- > 0)
    if (*p++ == letter)
      count++;
  return count;
}

static void
check_all (const char *p, gsize bytes, char letter)
{
  guint64 expected = count_simply (p, bytes, letter);

  g_assert_cmpuint (ov_count_plain (p, bytes, letter), ==, expected);
  g_assert_cmpuint (ov_count_fast (p, bytes, letter), ==, expected);
  for (int level = 0; level < OV_COUNT_N_LEVELS; level++)
    if (ov_count_fast_has_level ((OvCountLevel)level))
      g_assert_cmpuint (ov_count_fast_level ((OvCountLevel)level, p, bytes, letter), ==, expected);
}

static void
test_levels (void)
{
  gboolean chosen_found = FALSE;
  int widest = -1;

  g_assert_true (ov_count_fast_has_level (OV_COUNT_PORTABLE));
  for (int level = 0; level < OV_COUNT_N_LEVELS; level++)
    {
      const char *name = ov_count_fast_level_name ((OvCountLevel)level);

      if (!ov_count_fast_has_level ((OvCountLevel)level))
        {
          g_test_message ("not on this processor: %s", name);
          continue;
        }
      widest = level;
      chosen_found = chosen_found || g_str_equal (name, ov_count_fast_name ());
    }
  g_assert_true (chosen_found);
  g_assert_cmpstr (ov_count_fast_name (), ==, ov_count_fast_level_name ((OvCountLevel)widest));
#if defined(__x86_64__)
  g_assert_true (ov_count_fast_has_level (OV_COUNT_SSE2));
  g_assert_false (ov_count_fast_has_level (OV_COUNT_NEON));
#elif defined(__aarch64__)
  g_assert_true (ov_count_fast_has_level (OV_COUNT_NEON));
#endif
}

/* All alignments and lengths, each ending right before memory that must not be touched. */
static void
test_alignments (void)
{
  const gsize size = OV_BUFFER_ALIGNMENT;
  char *buffer = ov_buffer_alloc (size, NULL);
  OvRandom random;

  g_assert_nonnull (buffer);
  ov_random_init (&random, 1);
  for (gsize i = size - 1000; i < size; i++)
    buffer[i] = (char)ov_random_below (&random, 4);
  for (gsize behind = 0; behind < 64; behind++)
    for (gsize length = 0; length <= 300; length++)
      check_all (buffer + size - behind - length, length, 1);
  ov_buffer_free (buffer, size);
}

/* And beginning right after such memory. */
static void
test_begin (void)
{
  const gsize size = OV_BUFFER_ALIGNMENT;
  char *buffer = ov_buffer_alloc (size, NULL);
  OvRandom random;

  g_assert_nonnull (buffer);
  ov_random_init (&random, 2);
  for (gsize i = 0; i < 400; i++)
    buffer[i] = (char)ov_random_below (&random, 3);
  for (gsize ahead = 0; ahead < 64; ahead++)
    for (gsize length = 0; length <= 300; length++)
      check_all (buffer + ahead, length, 2);
  ov_buffer_free (buffer, size);
}

static void
test_large (void)
{
  const gsize size = 300 * 1000 + 17;
  g_autofree char *buffer = g_malloc (size);
  OvRandom random;

  ov_random_init (&random, 3);
  for (gsize i = 0; i < size; i++)
    buffer[i] = (char)ov_random_next (&random);
  /* Each value a byte can have, those with the top bit above all. */
  for (int letter = -128; letter < 128; letter += 3)
    check_all (buffer + 5, size - 5, (char)letter);
  check_all (NULL, 0, 'A');
}

/* Where one stream becomes four, and their last vectors meet. */
static void
test_streams (void)
{
  const gsize border = 1 << 16, size = border + 1024;
  g_autofree char *buffer = g_malloc (size);
  OvRandom random;

  ov_random_init (&random, 4);
  for (gsize i = 0; i < size; i++)
    buffer[i] = (char)ov_random_below (&random, 3);
  for (gsize bytes = border - 300; bytes <= border + 600; bytes++)
    check_all (buffer + bytes % 64, bytes, 1);
}

/* Where every byte matches, 8-bit counters would overflow first. */
static void
test_saturated (void)
{
  const gsize size = 255 * 128 * 3 + 1;
  static const char letters[] = { 0, 1, 'A', 127, -128, -1 };
  g_autofree char *buffer = g_malloc (size);

  for (gsize i = 0; i < sizeof letters; i++)
    {
      memset (buffer, letters[i], size);
      for (gsize length = 255 * 8 - 2; length <= size; length += length < 300 * 128 ? 61 : 5003)
        check_all (buffer, length, letters[i]);
      check_all (buffer, size, letters[i]);
      check_all (buffer, size, (char)(letters[i] ^ 1));
      check_all (buffer, size, (char)(letters[i] ^ 0x80));
    }
}

static void
check_crc (const void *data, gsize bytes, guint32 expected)
{
  g_assert_cmphex (ov_crc32c (0, data, bytes), ==, expected);
  g_assert_cmphex (ov_crc32c_table (0, data, bytes), ==, expected);
}

static void
test_crc_known (void)
{
  guint8 data[32];

  g_test_message ("crc32c by %s", ov_crc32c_name ());
  check_crc ("123456789", 9, 0xe3069283);
  check_crc (NULL, 0, 0);
  /* RFC 3720, appendix B.4. */
  memset (data, 0, sizeof data);
  check_crc (data, sizeof data, 0x8a9136aa);
  memset (data, 0xff, sizeof data);
  check_crc (data, sizeof data, 0x62a8ab43);
  for (guint i = 0; i < sizeof data; i++)
    data[i] = (guint8)i;
  check_crc (data, sizeof data, 0x46dd794e);
  for (guint i = 0; i < sizeof data; i++)
    data[i] = (guint8)(31 - i);
  check_crc (data, sizeof data, 0x113fdb5c);
}

static void
test_crc_pieces (void)
{
  guint8 data[400];
  OvRandom random;

  ov_random_init (&random, 4);
  for (guint i = 0; i < sizeof data; i++)
    data[i] = (guint8)ov_random_next (&random);
  for (guint start = 0; start < 9; start++)
    for (guint length = 0; length + start < 100; length++)
      g_assert_cmphex (ov_crc32c (0, data + start, length), ==,
                       ov_crc32c_table (0, data + start, length));
  for (guint cut = 0; cut <= sizeof data; cut++)
    {
      guint32 whole = ov_crc32c (0, data, sizeof data);

      g_assert_cmphex (ov_crc32c (ov_crc32c (0, data, cut), data + cut, sizeof data - cut), ==,
                       whole);
      g_assert_cmphex (
          ov_crc32c_table (ov_crc32c_table (0, data, cut), data + cut, sizeof data - cut), ==,
          whole);
    }
  /* One flipped bit shows. */
  for (guint bit = 0; bit < 8; bit++)
    {
      guint32 whole = ov_crc32c (0, data, sizeof data);

      data[100] ^= (guint8)(1u << bit);
      g_assert_cmphex (ov_crc32c (0, data, sizeof data), !=, whole);
      data[100] ^= (guint8)(1u << bit);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/count/levels", test_levels);
  g_test_add_func ("/kernels/count/alignments", test_alignments);
  g_test_add_func ("/kernels/count/begin", test_begin);
  g_test_add_func ("/kernels/count/large", test_large);
  g_test_add_func ("/kernels/count/streams", test_streams);
  g_test_add_func ("/kernels/count/saturated", test_saturated);
  g_test_add_func ("/kernels/crc32c/known", test_crc_known);
  g_test_add_func ("/kernels/crc32c/pieces", test_crc_pieces);
  return g_test_run ();
}
