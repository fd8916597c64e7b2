// SPDX-License-Identifier: GPL-3.0-or-later
/* Sizes, rates, times and counts as text, and sizes from text. */
#include "config.h"

#include "base/ov-units.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"

#define SIZE_LIMIT (G_GUINT64_CONSTANT (1) << 63)

/* A unit is `factor` multiplied `power` times, so that decimal fractions can be scaled exactly. */
typedef struct
{
  const char *name;
  guint factor;
  guint power;
} SizeUnit;

static const SizeUnit size_units[] = {
  { "", 10, 0 },    { "B", 10, 0 },   { "K", 2, 10 },   { "KiB", 2, 10 }, { "KB", 10, 3 },
  { "M", 2, 20 },   { "MiB", 2, 20 }, { "MB", 10, 6 },  { "G", 2, 30 },   { "GiB", 2, 30 },
  { "GB", 10, 9 },  { "T", 2, 40 },   { "TiB", 2, 40 }, { "TB", 10, 12 }, { "P", 2, 50 },
  { "PiB", 2, 50 }, { "PB", 10, 15 },
};

static const SizeUnit *
find_size_unit (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (size_units); i++)
    if (g_ascii_strcasecmp (name, size_units[i].name) == 0)
      return &size_units[i];
  return NULL;
}

/* The text for a message: valid, and not longer than a line. */
static char *
quote_for_message (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (g_utf8_strlen (valid, -1) > 60)
    {
      g_autofree char *head = g_utf8_substring (valid, 0, 59);

      return g_strconcat (head, "…", NULL);
    }
  return g_steal_pointer (&valid);
}

typedef enum
{
  SIZE_OK,
  SIZE_NO_NUMBER,
  SIZE_TOO_LARGE,
  SIZE_NOT_WHOLE,
} SizeProblem;

/* Multiplies whole + 0.fraction by the unit. `fraction` holds decimal digits as text and is
 * overwritten; nothing is rounded, however many there are. */
static SizeProblem
scale_exactly (guint64 *whole, char *fraction, const SizeUnit *unit)
{
  gsize n_digits = strlen (fraction);

  for (guint step = 0; step < unit->power; step++)
    {
      guint carry = 0;

      for (gsize i = n_digits; i-- > 0;)
        {
          guint product = (guint)(fraction[i] - '0') * unit->factor + carry;

          fraction[i] = (char)('0' + product % 10);
          carry = product / 10;
        }
      if (*whole > (SIZE_LIMIT - 1 - carry) / unit->factor)
        return SIZE_TOO_LARGE;
      *whole = *whole * unit->factor + carry;
    }
  return strspn (fraction, "0") == n_digits ? SIZE_OK : SIZE_NOT_WHOLE;
}

static SizeProblem
parse_size (const char *text, guint64 *out)
{
  g_autofree char *copy = g_strstrip (g_strdup (text));
  g_autofree char *fraction = NULL;
  const char *p = copy;
  const SizeUnit *unit;
  gsize n_whole = strspn (p, "0123456789"), n_fraction = 0;
  guint64 whole = 0;

  for (gsize i = 0; i < n_whole; i++)
    {
      guint digit = (guint)(p[i] - '0');

      if (whole > (SIZE_LIMIT - 1 - digit) / 10)
        return SIZE_TOO_LARGE;
      whole = whole * 10 + digit;
    }
  p += n_whole;
  if (*p == '.')
    {
      n_fraction = strspn (++p, "0123456789");
      if (n_fraction == 0)
        return SIZE_NO_NUMBER;
    }
  if (n_whole == 0)
    return SIZE_NO_NUMBER;
  fraction = g_strndup (p, n_fraction);
  p += n_fraction;
  unit = find_size_unit (p + strspn (p, " "));
  if (unit == NULL)
    return SIZE_NO_NUMBER;
  *out = whole;
  return scale_exactly (out, fraction, unit);
}

gboolean
ov_size_parse (const char *text, guint64 *out, GError **error)
{
  guint64 size = 0;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (text != NULL && out != NULL, FALSE);
  switch (parse_size (text, &size))
    {
    case SIZE_OK:
      *out = size;
      return TRUE;
    case SIZE_TOO_LARGE:
      shown = quote_for_message (text);
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("“%s” is too large a size: it must be below 2^63 bytes (8192P)"), shown);
      return FALSE;
    case SIZE_NOT_WHOLE:
      shown = quote_for_message (text);
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("“%s” is not a whole number of bytes; allowed are for instance 4096, 64K or "
                      "1.5M"),
                   shown);
      return FALSE;
    case SIZE_NO_NUMBER:
    default:
      shown = quote_for_message (text);
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("“%s” is not a size; allowed are bytes (4096), powers of 1024 with K, M, G, "
                      "T, P (64K, 1.5M, 2GiB) and powers of 1000 with kB, MB, GB, TB, PB (8MB)"),
                   shown);
      return FALSE;
    }
}

/* `bytes` in units of 2^shift with at most three decimals, or NULL if that is not exact. */
static char *
format_binary (guint64 bytes, guint shift, char unit)
{
  guint64 whole = bytes >> shift;
  guint64 rest = bytes & ((G_GUINT64_CONSTANT (1) << shift) - 1);
  guint64 power = 1;

  if (whole == 0)
    return NULL;
  if (rest == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT "%c", whole, unit);
  for (int decimals = 1; decimals <= 3; decimals++)
    {
      power *= 10;
      if (((rest * power) & ((G_GUINT64_CONSTANT (1) << shift) - 1)) == 0)
        return g_strdup_printf ("%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT "%c", whole, decimals,
                                (rest * power) >> shift, unit);
    }
  return NULL;
}

char *
ov_size_format (guint64 bytes)
{
  static const char units[] = "KMGT";
  char *best = g_strdup_printf ("%" G_GUINT64_FORMAT, bytes);

  for (guint i = 0; i < G_N_ELEMENTS (units) - 1; i++)
    {
      char *text = format_binary (bytes, 10 * (i + 1), units[i]);

      /* A fraction must earn its point: 1.5G, but 1536 and 8000000 as they are. */
      if (text != NULL && strlen (text) < strlen (best))
        {
          g_free (best);
          best = g_steal_pointer (&text);
        }
      g_free (text);
    }
  return best;
}

/* The number of decimals that makes three significant figures of a value in [0, 1000), and never
 * more than three. */
static int
decimals_for (double value)
{
  return value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* Three significant figures and one of `n` units, each 1000 times the one before. The first unit is
 * given without decimals if the value is whole. The units are translated here. */
static char *
format_scaled (double value, const char *const *units, guint n)
{
  guint i = 0;
  int decimals;

  /* 999.5 would be rounded to 1000: that is the next unit's 1.00. */
  while (i + 1 < n && value >= 999.5)
    {
      value /= 1000;
      i++;
    }
  decimals = i == 0 && fabs (value - round (value)) < 1e-6 ? 0 : decimals_for (value);
  return g_strdup_printf ("%.*f %s", decimals, value, _ (units[i]));
}

char *
ov_bytes_format_si (double bytes)
{
  static const char *const units[]
      = { N_ ("B"), N_ ("kB"), N_ ("MB"), N_ ("GB"), N_ ("TB"), N_ ("PB"), N_ ("EB") };

  if (!isfinite (bytes) || bytes < 0)
    return g_strdup (_ ("n/a"));
  return format_scaled (bytes, units, G_N_ELEMENTS (units));
}

char *
ov_rate_format (double bytes_per_second)
{
  static const char *const units[] = { N_ ("B/s"),  N_ ("kB/s"), N_ ("MB/s"), N_ ("GB/s"),
                                       N_ ("TB/s"), N_ ("PB/s"), N_ ("EB/s") };

  if (!isfinite (bytes_per_second) || bytes_per_second < 0)
    return g_strdup (_ ("n/a"));
  return format_scaled (bytes_per_second, units, G_N_ELEMENTS (units));
}

/* From a minute on: two units, the smaller in whole numbers, rounded before they are taken apart so
 * that no "1 min 60 s" comes out. */
static char *
format_long_duration (double seconds, const char *sign)
{
  guint64 whole;

  if (seconds < 3600 - 0.5)
    {
      whole = (guint64)round (seconds);
      /* Translators: minutes and seconds; the first %s is a minus sign or nothing. */
      return g_strdup_printf (_ ("%s%u min %02u s"), sign, (guint)(whole / 60),
                              (guint)(whole % 60));
    }
  if (seconds < 48 * 3600 - 30)
    {
      whole = (guint64)round (seconds / 60);
      /* Translators: hours and minutes; the first %s is a minus sign or nothing. */
      return g_strdup_printf (_ ("%s%u h %02u min"), sign, (guint)(whole / 60),
                              (guint)(whole % 60));
    }
  whole = (guint64)round (seconds / 3600);
  /* Translators: days and hours; the first %s is a minus sign or nothing. */
  return g_strdup_printf (_ ("%s%u d %02u h"), sign, (guint)(whole / 24), (guint)(whole % 24));
}

char *
ov_duration_format (double seconds)
{
  static const char *const units[] = { N_ ("ns"), N_ ("µs"), N_ ("ms"), N_ ("s") };
  double magnitude = fabs (seconds);
  const char *sign = seconds < 0 ? "-" : "";
  g_autofree char *text = NULL;

  if (!isfinite (seconds) || magnitude >= 10000.0 * 86400)
    return g_strdup (_ ("n/a"));
  if (magnitude >= 59.95)
    return format_long_duration (magnitude, sign);
  /* Zero has no natural unit; "0 ns" would claim a precision. */
  if (magnitude == 0)
    return g_strdup_printf ("0 %s", _ (units[3]));
  text = format_scaled (magnitude * 1e9, units, G_N_ELEMENTS (units));
  return g_strconcat (sign, text, NULL);
}

char *
ov_count_format (guint64 count)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  gsize n = strlen (digits);
  GString *grouped = g_string_sized_new (n * 2);

  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append (grouped, "\u2009");
      g_string_append_c (grouped, digits[i]);
    }
  return g_string_free (grouped, FALSE);
}

char *
ov_double_format_json (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  /* Up to 15 digits survive the way into a double and back, so if a shorter text exists, printing
   * 15 digits finds it. That does not hold for the smallest numbers, which have fewer bits. */
  int digits = fabs (value) < DBL_MIN ? 1 : DBL_DIG;

  if (!isfinite (value))
    return g_strdup ("null");
  do
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, value);
    }
  while (digits++ < 17 && g_ascii_strtod (text, NULL) != value);
  return g_strdup (text);
}
