// SPDX-License-Identifier: GPL-3.0-or-later
/* Sizes, rates, times and counts as text, in the C locale and in one with a decimal comma. */
#include "config.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "base/ov-random.h"
#include "base/ov-units.h"

#define KIB G_GUINT64_CONSTANT (1024)

static const struct
{
  const char *text;
  guint64 bytes;
} good_sizes[] = {
  { "0", 0 },
  { "4096", 4096 },
  { "0004096", 4096 },
  { "1000K", 1000 * KIB },
  { "1000k", 1000 * KIB },
  { "64M", 64 * KIB *KIB },
  { "64MiB", 64 * KIB *KIB },
  { "64mib", 64 * KIB *KIB },
  { "64 MiB", 64 * KIB *KIB },
  { " 64M ", 64 * KIB *KIB },
  { "8MB", 8000000 },
  { "8mb", 8000000 },
  { "5KB", 5000 },
  { "5kB", 5000 },
  { "12B", 12 },
  { "1.5G", 1610612736 },
  { "1.50000000000000000000000000000G", 1610612736 },
  { "0.5K", 512 },
  { "0.0009765625K", 1 },
  { "1.0", 1 },
  { "0.001kB", 1 },
  { "3T", 3 * KIB *KIB *KIB *KIB },
  { "2TB", G_GUINT64_CONSTANT (2000000000000) },
  { "1P", KIB *KIB *KIB *KIB *KIB },
  { "1PB", G_GUINT64_CONSTANT (1000000000000000) },
  /* 2^-50 of 2^50, in all its decimals. */
  { "0.00000000000000088817841970012523233890533447265625P", 1 },
  { "9223372036854775807", G_GUINT64_CONSTANT (9223372036854775807) },
  { "9007199254740991K", G_GUINT64_CONSTANT (9007199254740991) * 1024 },
};

static const char *const bad_sizes[] = {
  "",
  " ",
  "K",
  ".",
  ".5K",
  "5.",
  "5.K",
  "5X",
  "5KK",
  "5K5",
  "5 K 5",
  "5Ki",
  "5Bi",
  "-1",
  "+1",
  "1.3",
  "1.3K",
  "0.0001K",
  "1,5G",
  "1e3",
  "0x10",
  "inf",
  "nan",
  "9223372036854775808",
  "18446744073709551616",
  "99999999999999999999999999",
  "9007199254740992K",
  "8192P",
  "9223372036854775807.5",
};

static void
test_size_parse (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (good_sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 bytes = 77;

      g_test_message ("“%s”", good_sizes[i].text);
      g_assert_true (ov_size_parse (good_sizes[i].text, &bytes, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (bytes, ==, good_sizes[i].bytes);
    }
}

static void
test_size_refuse (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *quoted = g_strdup_printf ("“%s”", bad_sizes[i]);
      guint64 bytes = 77;

      g_test_message ("“%s”", bad_sizes[i]);
      g_assert_false (ov_size_parse (bad_sizes[i], &bytes, &error));
      g_assert_error (error, OV_ERROR, OV_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, quoted));
      g_assert_cmpuint (bytes, ==, 77);
    }
}

static void
test_size_refuse_odd_text (void)
{
  g_autoptr (GError) invalid = NULL, endless = NULL;
  g_autofree char *long_text = g_strnfill (5000, '9');
  guint64 bytes;

  /* What a user pastes ends in a message, which must be text and fit on a line. */
  g_assert_false (ov_size_parse ("64\xff\xfeM", &bytes, &invalid));
  g_assert_error (invalid, OV_ERROR, OV_ERROR_INVALID);
  g_assert_true (g_utf8_validate (invalid->message, -1, NULL));
  g_assert_false (ov_size_parse (long_text, &bytes, &endless));
  g_assert_error (endless, OV_ERROR, OV_ERROR_INVALID);
  g_assert_cmpint (g_utf8_strlen (endless->message, -1), <, 300);
}

static void
test_size_format (void)
{
  static const struct
  {
    guint64 bytes;
    const char *text;
  } rows[] = {
    { 0, "0" },
    { 1, "1" },
    { 513, "513" },
    { 1000, "1000" },
    { 1023, "1023" },
    { 1024, "1K" },
    { 1025, "1025" },
    { 1536, "1536" },
    { 1536 * 1024, "1.5M" },
    { 1000 * 1024, "1000K" },
    { 1024 * 1024, "1M" },
    { 64 * 1024 * 1024, "64M" },
    { 1610612736, "1.5G" },
    { 8000000, "8000000" },
    { G_GUINT64_CONSTANT (1) << 40, "1T" },
    { G_GUINT64_CONSTANT (1) << 62, "4194304T" },
    { G_MAXUINT64, "18446744073709551615" },
  };
  OvRandom random;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ov_size_format (rows[i].bytes);

      g_assert_cmpstr (text, ==, rows[i].text);
    }
  /* Whatever comes out is read back as the same number. */
  ov_random_init (&random, 1);
  for (int i = 0; i < 20000; i++)
    {
      guint64 bytes = ov_random_next (&random) >> (1 + ov_random_below (&random, 63));
      guint64 back;
      g_autofree char *text = NULL;

      bytes &= ~((G_GUINT64_CONSTANT (1) << ov_random_below (&random, 45)) - 1);
      text = ov_size_format (bytes);
      g_assert_true (ov_size_parse (text, &back, NULL));
      g_assert_cmpuint (back, ==, bytes);
    }
}

typedef char *(*FormatFunc) (double value);

static void
check_format (FormatFunc format, double value, const char *expected)
{
  g_autofree char *text = format (value);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_bytes_and_rate (void)
{
  check_format (ov_bytes_format_si, 0, "0 B");
  check_format (ov_bytes_format_si, 513, "513 B");
  check_format (ov_bytes_format_si, 999, "999 B");
  check_format (ov_bytes_format_si, 1000, "1.00 kB");
  check_format (ov_bytes_format_si, 9994, "9.99 kB");
  check_format (ov_bytes_format_si, 9996, "10.0 kB");
  check_format (ov_bytes_format_si, 99960, "100 kB");
  check_format (ov_bytes_format_si, 999499, "999 kB");
  check_format (ov_bytes_format_si, 999501, "1.00 MB");
  check_format (ov_bytes_format_si, 21.9e6, "21.9 MB");
  check_format (ov_bytes_format_si, 3.2e9, "3.20 GB");
  check_format (ov_bytes_format_si, 5e15, "5.00 PB");
  check_format (ov_bytes_format_si, 5e21, "5000 EB");
  check_format (ov_bytes_format_si, -1, "n/a");
  check_format (ov_bytes_format_si, NAN, "n/a");
  check_format (ov_bytes_format_si, INFINITY, "n/a");

  check_format (ov_rate_format, 1.24e9, "1.24 GB/s");
  check_format (ov_rate_format, 0, "0 B/s");
  check_format (ov_rate_format, 0.25, "0.250 B/s");
  check_format (ov_rate_format, 4.29496729601e9, "4.29 GB/s");
  check_format (ov_rate_format, -0.5, "n/a");
  check_format (ov_rate_format, NAN, "n/a");
  check_format (ov_rate_format, INFINITY, "n/a");
  check_format (ov_rate_format, -INFINITY, "n/a");
}

static void
test_duration (void)
{
  check_format (ov_duration_format, 0, "0 s");
  check_format (ov_duration_format, 5e-9, "5 ns");
  check_format (ov_duration_format, 999e-9, "999 ns");
  check_format (ov_duration_format, 999.7e-9, "1.00 µs");
  check_format (ov_duration_format, 12.34e-6, "12.3 µs");
  check_format (ov_duration_format, 0.001234, "1.23 ms");
  check_format (ov_duration_format, 0.9996, "1.00 s");
  check_format (ov_duration_format, 1.5, "1.50 s");
  check_format (ov_duration_format, 59.94, "59.9 s");
  check_format (ov_duration_format, 59.96, "1 min 00 s");
  check_format (ov_duration_format, 119.6, "2 min 00 s");
  check_format (ov_duration_format, 125, "2 min 05 s");
  check_format (ov_duration_format, 3599.4, "59 min 59 s");
  check_format (ov_duration_format, 3599.6, "1 h 00 min");
  check_format (ov_duration_format, 3720, "1 h 02 min");
  check_format (ov_duration_format, 48 * 3600 - 1, "2 d 00 h");
  check_format (ov_duration_format, 51 * 3600, "2 d 03 h");
  check_format (ov_duration_format, -0.001234, "-1.23 ms");
  check_format (ov_duration_format, -125, "-2 min 05 s");
  /* An estimate of a million years is none. */
  check_format (ov_duration_format, 1e14, "n/a");
  check_format (ov_duration_format, NAN, "n/a");
  check_format (ov_duration_format, -INFINITY, "n/a");
}

static void
test_count (void)
{
  static const struct
  {
    guint64 count;
    const char *text;
  } rows[] = {
    { 0, "0" },
    { 999, "999" },
    { 1000, "1\u2009000" },
    { 123456, "123\u2009456" },
    { 1234567, "1\u2009234\u2009567" },
    { G_MAXUINT64, "18\u2009446\u2009744\u2009073\u2009709\u2009551\u2009615" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ov_count_format (rows[i].count);

      g_assert_cmpstr (text, ==, rows[i].text);
    }
}

static void
test_json_double (void)
{
  static const double awkward[]
      = { DBL_MIN,   DBL_MAX, DBL_EPSILON,        5e-324, 2.2250738585072011e-308,
          0.1 + 0.2, 1 / 3.0, 9007199254740993.0, -1e-10 };
  OvRandom random;

  check_format (ov_double_format_json, 0, "0");
  check_format (ov_double_format_json, 1, "1");
  check_format (ov_double_format_json, 0.1, "0.1");
  check_format (ov_double_format_json, -2.5, "-2.5");
  check_format (ov_double_format_json, 0.1 + 0.2, "0.30000000000000004");
  check_format (ov_double_format_json, 1e300, "1e+300");
  check_format (ov_double_format_json, 5e-324, "5e-324");
  check_format (ov_double_format_json, NAN, "null");
  check_format (ov_double_format_json, INFINITY, "null");
  check_format (ov_double_format_json, -INFINITY, "null");
  for (gsize i = 0; i < G_N_ELEMENTS (awkward); i++)
    {
      g_autofree char *text = ov_double_format_json (awkward[i]);

      g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, awkward[i]);
    }
  ov_random_init (&random, 2);
  for (int i = 0; i < 20000; i++)
    {
      guint64 bits = ov_random_next (&random);
      double value;
      g_autofree char *text = NULL;

      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        continue;
      text = ov_double_format_json (value);
      g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, value);
      g_assert_null (strchr (text, ','));
    }
}

/* A locale with a decimal comma, made in a folder of our own. */
static gboolean
enter_comma_locale (const char *folder)
{
  g_autofree char *command
      = g_strdup_printf ("localedef --no-archive -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
  g_autoptr (GError) error = NULL;

  if (!g_spawn_command_line_sync (command, NULL, NULL, NULL, &error))
    {
      g_test_message ("%s", error->message);
      return FALSE;
    }
  g_setenv ("LOCPATH", folder, TRUE);
  return setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        remove_folder (path);
      else
        g_unlink (path);
    }
  g_rmdir (folder);
}

static void
test_comma_locale (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ov-test-units-XXXXXX", NULL);

  if (!enter_comma_locale (folder))
    g_test_skip ("localedef cannot make a German locale here");
  else
    {
      guint64 bytes;

      g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
      /* Files and options know no locale. */
      check_format (ov_double_format_json, 0.25, "0.25");
      g_assert_true (ov_size_parse ("1.5G", &bytes, NULL));
      g_assert_cmpuint (bytes, ==, 1610612736);
      g_assert_false (ov_size_parse ("1,5G", &bytes, NULL));
      {
        g_autofree char *text = ov_size_format (1610612736);

        g_assert_cmpstr (text, ==, "1.5G");
      }
      /* People do. */
      check_format (ov_rate_format, 1.24e9, "1,24 GB/s");
      check_format (ov_duration_format, 0.001234, "1,23 ms");
      setlocale (LC_ALL, "C.UTF-8");
    }
  g_unsetenv ("LOCPATH");
  remove_folder (folder);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/units/size/parse", test_size_parse);
  g_test_add_func ("/units/size/refuse", test_size_refuse);
  g_test_add_func ("/units/size/refuse-odd-text", test_size_refuse_odd_text);
  g_test_add_func ("/units/size/format", test_size_format);
  g_test_add_func ("/units/bytes-and-rate", test_bytes_and_rate);
  g_test_add_func ("/units/duration", test_duration);
  g_test_add_func ("/units/count", test_count);
  g_test_add_func ("/units/json-double", test_json_double);
  g_test_add_func ("/units/comma-locale", test_comma_locale);
  return g_test_run ();
}
