// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Seeded random numbers (xoshiro256**) and the text that scratch files hold.
 *
 * The same seed gives the same numbers and the same text on every machine. Not for secrets.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* State of one generator; a value, owned by whoever declares it. */
typedef struct
{
  guint64 s[4];
} OvRandom;

void ov_random_init (OvRandom *random, guint64 seed);

/* 64 random bits. Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021. */
static inline guint64
ov_random_next (OvRandom *random)
{
  guint64 *s = random->s;
  guint64 product = s[1] * 5;
  guint64 result = ((product << 7) | (product >> 57)) * 9;
  guint64 t = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* Uniform in [0, limit), without bias. `limit` must not be 0. */
guint64 ov_random_below (OvRandom *random, guint64 limit);

/* Uniform in [0, 1), a multiple of 2^-53. */
double ov_random_unit (OvRandom *random);

/*
 * Writes the bytes [offset, offset + bytes) of an endless row of random bytes, which no file system
 * can compress or find twice.  They depend on the seed alone: made in whatever pieces, they are the
 * same.  Made by pages of OV_TEXT_PAGE bytes; a piece that does not begin or end on a page makes
 * that page whole and throws the rest away.
 */
void ov_random_fill (void *buffer, guint64 offset, gsize bytes, guint64 seed);

/* The unit in which text is made. */
#define OV_TEXT_PAGE 4096

/* A line is at most so long, its '\n' included. */
#define OV_TEXT_LINE 80

/*
 * Writes the bytes [offset, offset + bytes) of an endless text into `buffer`. The text depends on
 * seed, letter and density alone: made in whatever pieces, its bytes are the same.
 *
 * It is printable ASCII in lines of at most OV_TEXT_LINE bytes, each ended by '\n'; no line crosses
 * a page of OV_TEXT_PAGE bytes. Of the other bytes, a part `density` is `letter`, at random places:
 * each page holds the nearest whole number to density × its n bytes that are no newline, rounded up
 * or down at random so that the expectation is exact. 0: the letter never occurs. 1: nothing but
 * the letter, no newline either. The rest is drawn evenly from 64 characters and compresses to
 * three quarters at best.
 *
 * `letter` must be printable ASCII (0x20 to 0x7e), `density` in [0, 1], offset + bytes below 2^63.
 * A piece that does not begin or end on a page makes that page whole and throws the rest away.
 */
void ov_text_fill (void *buffer, guint64 offset, gsize bytes, guint64 seed, char letter,
                   double density);

/* How often `letter` occurs in the bytes [offset, offset + bytes) of that text. Whole pages are not
 * made for it: the count of a page is drawn before its content. */
guint64 ov_text_count (guint64 offset, guint64 bytes, guint64 seed, char letter, double density);

G_END_DECLS
