// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Random numbers, and the text of scratch files page by page.
 *
 * A page is a function of (seed, page number, letter, density). Its draws come in this order: the
 * lengths of its lines, the rounding of the letter's count, the filling, the letter's places.
 * ov_text_count() stops after the second.
 */
#include "config.h"

#include "base/ov-random.h"

#include <string.h>

/* The filling: 64 characters from ' ' to '_', the letter among them replaced by '`'. */
#define FILL_FIRST 0x20
#define FILL_SPARE 0x60

#define LINE_SHORTEST 41
#define EIGHT(byte)   (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static guint64
splitmix (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void
ov_random_init (OvRandom *random, guint64 seed)
{
  /* splitmix64 never gives four zeroes in a row, the one state that xoshiro must not have. */
  for (int i = 0; i < 4; i++)
    random->s[i] = splitmix (&seed);
}

guint64
ov_random_below (OvRandom *random, guint64 limit)
{
  guint64 reject, x;

  g_return_val_if_fail (limit > 0, 0);
  /* 2^64 mod limit values at the bottom would come once too often. */
  reject = (0 - limit) % limit;
  do
    x = ov_random_next (random);
  while (x < reject);
  return x % limit;
}

double
ov_random_unit (OvRandom *random)
{
  return (double)(ov_random_next (random) >> 11) * 0x1p-53;
}

static void
random_page (char *out, guint64 number, guint64 seed)
{
  guint64 mixed = seed;
  OvRandom random;

  mixed = splitmix (&mixed) + number;
  ov_random_init (&random, mixed);
  for (guint i = 0; i < OV_TEXT_PAGE; i += 8)
    {
      guint64 word = GUINT64_TO_LE (ov_random_next (&random));

      memcpy (out + i, &word, 8);
    }
}

void
ov_random_fill (void *buffer, guint64 offset, gsize bytes, guint64 seed)
{
  char *out = buffer;

  while (bytes > 0)
    {
      guint within = (guint)(offset % OV_TEXT_PAGE);
      gsize part = MIN (bytes, OV_TEXT_PAGE - within);

      if (part == OV_TEXT_PAGE)
        random_page (out, offset / OV_TEXT_PAGE, seed);
      else
        {
          char whole[OV_TEXT_PAGE];

          random_page (whole, offset / OV_TEXT_PAGE, seed);
          memcpy (out, whole + within, part);
        }
      out += part;
      offset += part;
      bytes -= part;
    }
}

typedef struct
{
  OvRandom random;
  guint8 line[OV_TEXT_PAGE / LINE_SHORTEST + 2]; /* length of each line, '\n' included */
  guint n_lines;
  guint n_others;  /* bytes that are no newline */
  guint n_letters; /* of them */
} TextPage;

/* Draws everything about a page but its content. 0 < density < 1 or exactly 0. */
static void
plan_page (TextPage *page, guint64 number, guint64 seed, double density)
{
  guint64 mixed = seed;
  guint left = OV_TEXT_PAGE;
  guint64 wanted;

  /* The seed is mixed before the number comes in: (1, 2) and (2, 1) are different pages. */
  mixed = splitmix (&mixed) + number;
  ov_random_init (&page->random, mixed);
  page->n_lines = 0;
  while (left > OV_TEXT_LINE)
    {
      guint64 bits = ov_random_next (&page->random);

      /* Each 16 bits give a length of 41 to 80, evenly to within 40 / 2^16. */
      for (int i = 0; i < 4 && left > OV_TEXT_LINE; i++, bits >>= 16)
        {
          guint span = OV_TEXT_LINE - LINE_SHORTEST + 1;
          guint length = LINE_SHORTEST + (((guint)bits & 0xffff) * span >> 16);

          page->line[page->n_lines++] = (guint8)length;
          left -= length;
        }
    }
  if (left > 0)
    page->line[page->n_lines++] = (guint8)left;
  page->n_others = OV_TEXT_PAGE - page->n_lines;
  /* In whole 2^-52: a double's product may round differently on another machine. */
  wanted = (guint64)(density * 0x1p52) * page->n_others;
  page->n_letters = (guint)(wanted >> 52);
  page->n_letters += (ov_random_next (&page->random) >> 12) < (wanted << 12 >> 12);
}

static void
put_newlines (const TextPage *page, char *out)
{
  guint at = 0;

  for (guint i = 0; i < page->n_lines; i++)
    {
      at += page->line[i];
      out[at - 1] = '\n';
    }
}

static void
put_filling (OvRandom *random, char *out, char letter)
{
  for (guint i = 0; i < OV_TEXT_PAGE; i += 8)
    {
      guint64 eight = (ov_random_next (random) & EIGHT (0x3f)) + EIGHT (FILL_FIRST);

      eight = GUINT64_TO_LE (eight);
      memcpy (out + i, &eight, 8);
    }
  for (guint i = 0; i < OV_TEXT_PAGE; i++)
    out[i] = out[i] == letter ? FILL_SPARE : out[i];
}

/* Takes `count` bytes at random places where `out` has neither a newline nor the byte of `from`
 * yet, and copies them from `from`. At most half of the places may be taken, so that a draw hits
 * soon. Without a branch on the draw, which no processor could foretell. */
static void
scatter (OvRandom *random, char *out, const char *from, guint count)
{
  while (count > 0)
    {
      guint64 bits = ov_random_next (random);

      for (int i = 0; i < 5; i++, bits >>= 12)
        {
          guint at = (guint)bits & (OV_TEXT_PAGE - 1);
          char old = out[at], new = from[at];
          guint hit = (guint)(old != new) & (guint)(old != '\n') & (guint)(count > 0);

          out[at] = (char)(old ^ ((old ^ new) & -(int)hit));
          count -= hit;
        }
    }
}

static void
make_page (char *out, guint64 number, guint64 seed, char letter, double density)
{
  TextPage page;
  char other[OV_TEXT_PAGE];

  plan_page (&page, number, seed, density);
  if (page.n_letters <= page.n_others / 2)
    {
      put_filling (&page.random, out, letter);
      memset (other, letter, sizeof other);
      put_newlines (&page, out);
      scatter (&page.random, out, other, page.n_letters);
    }
  else
    {
      memset (out, letter, OV_TEXT_PAGE);
      put_filling (&page.random, other, letter);
      put_newlines (&page, out);
      scatter (&page.random, out, other, page.n_others - page.n_letters);
    }
}

static gboolean
is_text_request (guint64 offset, guint64 bytes, char letter, double density)
{
  return letter >= 0x20 && letter <= 0x7e && density >= 0 && density <= 1 && offset <= G_MAXINT64
         && bytes <= (guint64)G_MAXINT64 - offset;
}

void
ov_text_fill (void *buffer, guint64 offset, gsize bytes, guint64 seed, char letter, double density)
{
  char *out = buffer;

  g_return_if_fail (is_text_request (offset, bytes, letter, density));
  if (density >= 1)
    {
      memset (out, letter, bytes);
      return;
    }
  while (bytes > 0)
    {
      guint within = (guint)(offset % OV_TEXT_PAGE);
      gsize part = MIN (bytes, OV_TEXT_PAGE - within);

      if (part == OV_TEXT_PAGE)
        make_page (out, offset / OV_TEXT_PAGE, seed, letter, density);
      else
        {
          char whole[OV_TEXT_PAGE];

          make_page (whole, offset / OV_TEXT_PAGE, seed, letter, density);
          memcpy (out, whole + within, part);
        }
      out += part;
      offset += part;
      bytes -= part;
    }
}

guint64
ov_text_count (guint64 offset, guint64 bytes, guint64 seed, char letter, double density)
{
  guint64 count = 0;

  g_return_val_if_fail (is_text_request (offset, bytes, letter, density), 0);
  if (density >= 1)
    return bytes;
  if (density <= 0)
    return 0;
  while (bytes > 0)
    {
      guint within = (guint)(offset % OV_TEXT_PAGE);
      guint part = (guint)MIN (bytes, OV_TEXT_PAGE - within);

      if (part == OV_TEXT_PAGE)
        {
          TextPage page;

          plan_page (&page, offset / OV_TEXT_PAGE, seed, density);
          count += page.n_letters;
        }
      else
        {
          char whole[OV_TEXT_PAGE];

          make_page (whole, offset / OV_TEXT_PAGE, seed, letter, density);
          for (guint i = within; i < within + part; i++)
            count += whole[i] == letter;
        }
      offset += part;
      bytes -= part;
    }
  return count;
}
