// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Export: files that other programs open, and failures that leave nothing.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "chart/ov-chart.h"
#include "chart/ov-export.h"
#include "chart/ov-time-chart.h"

typedef struct
{
  char *folder;
  OvDrawable *chart;
} Fixture;

static const char title[] = "Time to <count> & more “Ä”";

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  OvChart *chart = ov_chart_new ();
  guint s = ov_chart_add_series (chart, OV_CHART_LINE, "uring.wait", -1);

  f->folder = g_dir_make_tmp ("ov-chart-XXXXXX", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 5; i++)
    ov_chart_set_value (chart, s, i, i * i);
  ov_chart_set_title (chart, title);
  ov_chart_set_note (chart, "a control \x01 character");
  f->chart = OV_DRAWABLE (chart);
}

static guint
count_files (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  GDir *dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_dir_close (dir);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_object_unref (f->chart);
}

static char *export(Fixture *f, const char *name)
{
  char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ov_chart_export (f->chart, path, OV_EXPORT_BY_SUFFIX, 400, 300, 1,
                                  ov_theme_get (OV_THEME_PRINT, 1), &error));
  g_assert_no_error (error);
  return path;
}

/* Runs a program; NULL where it is not installed. The caller owns what it wrote. */
static char *
run (const char *program, const char *a, const char *b, const char *c)
{
  g_autofree char *found = g_find_program_in_path (program);
  const char *argv[] = { program, a, b, c, NULL };
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  if (found == NULL)
    return NULL;
  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out,
                               NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_no_error (error);
  return out;
}

static void
test_png (Fixture *f, gconstpointer data)
{
  g_autofree char *path = export(f, "a.PNG");
  g_autofree char *large = g_build_filename (f->folder, "b.png", NULL);
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 400);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 300);
  cairo_surface_destroy (surface);
  g_assert_true (ov_chart_export (f->chart, large, OV_EXPORT_PNG, 400, 300, 2.5,
                                  ov_theme_get (OV_THEME_DARK, 1), &error));
  surface = cairo_image_surface_create_from_png (large);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 1000);
  cairo_surface_destroy (surface);
  /* The natural size. */
  g_assert_true (ov_chart_export (f->chart, large, OV_EXPORT_PNG, 0, 0, 1,
                                  ov_theme_get (OV_THEME_DARK, 1), &error));
  surface = cairo_image_surface_create_from_png (large);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 720);
  cairo_surface_destroy (surface);
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  GPtrArray *found = data;
  const char *element = g_markup_parse_context_get_element (context);

  if (strcmp (element, "title") == 0 || strcmp (element, "desc") == 0)
    g_ptr_array_add (found, g_strndup (text, length));
}

static void
test_svg (Fixture *f, gconstpointer data)
{
  g_autofree char *path = export(f, "a.svg");
  g_autofree char *text = NULL;
  g_autofree char *lint = NULL;
  g_autofree char *png = g_build_filename (f->folder, "a.png", NULL);
  g_autofree char *converted = NULL;
  g_autofree char *described = ov_drawable_describe (f->chart);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  GMarkupParser parser = { NULL, NULL, on_text, NULL, NULL };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, found, NULL);
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_parse (context, text, (gssize)length, &error));
  g_assert_no_error (error);
  g_markup_parse_context_free (context);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (found, 0), ==, title);
  /* Control characters are not allowed in XML: a blank stands for them. */
  g_strdelimit (described, "\x01", ' ');
  g_assert_cmpstr (g_ptr_array_index (found, 1), ==, described);
  g_assert_nonnull (strstr (text, "role=\"img\""));
  lint = run ("xmllint", "--noout", path, NULL);
  if (lint == NULL)
    g_test_message ("xmllint is not installed");
  converted = run ("rsvg-convert", "--output", png, path);
  if (converted != NULL)
    {
      cairo_surface_t *surface = cairo_image_surface_create_from_png (png);

      g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 400);
      g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 300);
      cairo_surface_destroy (surface);
    }
  else
    g_test_message ("rsvg-convert is not installed");
}

static void
test_pdf (Fixture *f, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autofree char *info = NULL;
  g_autofree char *bytes = NULL;

  path = export(f, "a.pdf");
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, "%PDF-"));
  text = run ("pdftotext", path, "-", NULL);
  if (text == NULL)
    {
      g_test_skip ("pdftotext is not installed");
      return;
    }
  g_assert_nonnull (strstr (text, title));
  g_assert_nonnull (strstr (text, "uring.wait"));
  info = run ("pdfinfo", "-isodates", path, NULL);
  g_assert_nonnull (strstr (info, title));
  g_assert_nonnull (strstr (info, "2001-09-09T01:46:40"));
  g_assert_nonnull (strstr (info, "Pages:           1"));
  g_assert_nonnull (strstr (info, "300 x 225 pts"));
}

/* The same chart twice, with other drawing between: the same bytes. */
static void
test_deterministic (Fixture *f, gconstpointer data)
{
  static const char *const suffixes[] = { "png", "svg", "pdf" };

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name1 = g_strconcat ("1.", suffixes[i], NULL);
      g_autofree char *name2 = g_strconcat ("2.", suffixes[i], NULL);
      g_autofree char *first = export(f, name1);
      g_autofree char *second = NULL;
      g_autofree char *a = NULL;
      g_autofree char *b = NULL;
      gsize a_length, b_length;

      g_free (export(f, "between.svg"));
      second = export(f, name2);
      g_assert_true (g_file_get_contents (first, &a, &a_length, NULL));
      g_assert_true (g_file_get_contents (second, &b, &b_length, NULL));
      g_assert_cmpmem (a, a_length, b, b_length);
    }
}

static void
assert_fails (Fixture *f, const char *path, OvExportFormat format, double width, double scale,
              GIOErrorEnum code, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ov_chart_export (f->chart, path, format, width, 300, scale,
                                   ov_theme_get (OV_THEME_PRINT, 1), &error));
  g_assert_error (error, G_IO_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, path));
  if (says != NULL)
    g_assert_nonnull (strstr (error->message, says));
}

static void
test_failures (Fixture *f, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (f->folder, "none", "a.png", NULL);
  g_autofree char *odd = g_build_filename (f->folder, "a.gif", NULL);
  g_autofree char *good = g_build_filename (f->folder, "a.png", NULL);
  g_autofree char *below = g_build_filename (f->folder, "file", "a.svg", NULL);
  g_autofree char *file = g_build_filename (f->folder, "file", NULL);

  assert_fails (f, missing, OV_EXPORT_BY_SUFFIX, 400, 1, G_IO_ERROR_NOT_FOUND, g_strerror (ENOENT));
  assert_fails (f, odd, OV_EXPORT_BY_SUFFIX, 400, 1, G_IO_ERROR_NOT_SUPPORTED, ".svg");
  assert_fails (f, f->folder, OV_EXPORT_PNG, 400, 1, G_IO_ERROR_IS_DIRECTORY, NULL);
  assert_fails (f, "/dev/null", OV_EXPORT_PNG, 400, 1, G_IO_ERROR_NOT_REGULAR_FILE, NULL);
  assert_fails (f, good, OV_EXPORT_PNG, 40000, 1, G_IO_ERROR_INVALID_ARGUMENT, "40000");
  assert_fails (f, good, OV_EXPORT_PNG, 400, 1000, G_IO_ERROR_INVALID_ARGUMENT, NULL);
  assert_fails (f, good, OV_EXPORT_PNG, NAN, 1, G_IO_ERROR_INVALID_ARGUMENT, NULL);
  assert_fails (f, good, OV_EXPORT_PNG, 400, -1, G_IO_ERROR_INVALID_ARGUMENT, NULL);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  assert_fails (f, below, OV_EXPORT_BY_SUFFIX, 400, 1, G_IO_ERROR_NOT_DIRECTORY, NULL);
  g_assert_cmpuint (count_files (f->folder), ==, 1);
}

/* The file system gives up in the middle: what was there stays, and nothing lies beside it. */
static void
test_no_space (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "a.png", NULL);
  g_autofree char *text = NULL;
  struct rlimit old;
  struct rlimit limit;
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  struct sigaction previous;

  g_assert_true (g_file_set_contents (path, "before", 6, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  sigaction (SIGXFSZ, &ignore, &previous);
  limit = old;
  limit.rlim_cur = 1000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  assert_fails (f, path, OV_EXPORT_PNG, 400, 1, g_io_error_from_errno (EFBIG), g_strerror (EFBIG));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  sigaction (SIGXFSZ, &previous, NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "before");
  g_assert_cmpuint (count_files (f->folder), ==, 1);
}

static void
test_unwritable (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "a.png", NULL);
  gboolean root = geteuid () == 0;

  g_assert_cmpint (g_chmod (f->folder, 0555), ==, 0);
  /* The rights do not count for root: be nobody for a moment. */
  if (root)
    g_assert_cmpint (seteuid (65534), ==, 0);
  assert_fails (f, path, OV_EXPORT_PNG, 400, 1, G_IO_ERROR_PERMISSION_DENIED, g_strerror (EACCES));
  if (root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (g_chmod (f->folder, 0755), ==, 0);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
}

static void
test_replace (Fixture *f, gconstpointer data)
{
  g_autofree char *path = export(f, "a.svg");
  g_autofree char *link = g_build_filename (f->folder, "link.svg", NULL);
  g_autofree char *again = NULL;
  g_autofree char *fresh = NULL;
  GStatBuf st;
  mode_t mask = umask (022);

  umask (mask);
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink ("a.svg", link), ==, 0);
  again = export(f, "link.svg");
  /* Through the link, with the rights that the file had. */
  g_assert_cmpint (g_lstat (link, &st), ==, 0);
  g_assert_true (S_ISLNK (st.st_mode));
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0640);
  fresh = export(f, "new.svg");
  g_assert_cmpint (g_stat (fresh, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0666 & ~mask);
}

static void
test_time_chart (Fixture *f, gconstpointer data)
{
  static const char *const suffixes[] = { "png", "svg", "pdf" };
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);
  OvTimeChart *chart = ov_time_chart_new ();

  g_object_unref (f->chart);
  f->chart = OV_DRAWABLE (chart);
  ov_time_chart_set_title (chart, title);
  ov_time_chart_add_panel (chart, "Throughput", NULL, axis, 1);
  ov_time_chart_add_trace (chart, 0, OV_TRACE_LINE, "a", -1);
  for (guint i = 0; i < 100000; i++)
    ov_time_chart_append (chart, 0, 0, i * G_GINT64_CONSTANT (1000000), i % 977);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strconcat ("t.", suffixes[i], NULL);
      g_autofree char *path = export(f, name);
      GStatBuf st;

      g_assert_cmpint (g_stat (path, &st), ==, 0);
      g_assert_cmpint (st.st_size, >, 2000);
      /* A hundred thousand samples do not make a large file. */
      g_assert_cmpint (st.st_size, <, 400000);
    }
}

static void
test_suffix (void)
{
  g_assert_cmpint (ov_export_format_from_path ("/a.b/c.png"), ==, OV_EXPORT_PNG);
  g_assert_cmpint (ov_export_format_from_path ("x.SvG"), ==, OV_EXPORT_SVG);
  g_assert_cmpint (ov_export_format_from_path ("x.pdf"), ==, OV_EXPORT_PDF);
  g_assert_cmpint (ov_export_format_from_path ("/a.pdf/x"), ==, OV_EXPORT_BY_SUFFIX);
  g_assert_cmpint (ov_export_format_from_path ("pdf"), ==, OV_EXPORT_BY_SUFFIX);
}

/* ---- Drawn now, encoded later --------------------------------------------------------------- */

static gpointer
encode_thread (gpointer picture)
{
  g_autoptr (GError) error = NULL;
  GByteArray *bytes = ov_picture_encode (picture, &error);

  g_assert_no_error (error);
  return bytes;
}

/* What is encoded in another thread is what was drawn, whatever became of the chart, and the same
 * as when all was done at once. */
static void
test_snapshot (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "a.png", "a.svg", "a.pdf" };
  OvPicture *pictures[G_N_ELEMENTS (names)];
  char *contents[G_N_ELEMENTS (names)];
  gsize lengths[G_N_ELEMENTS (names)];
  g_autoptr (GError) error = NULL;

  g_assert_true (g_setenv ("SOURCE_DATE_EPOCH", "1000000000", TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = export(f, names[i]);

      g_assert_true (g_file_get_contents (path, &contents[i], &lengths[i], NULL));
      pictures[i] = ov_picture_new (f->chart, path, OV_EXPORT_BY_SUFFIX, 400, 300, 1,
                                    ov_theme_get (OV_THEME_PRINT, 1), &error);
      g_assert_no_error (error);
    }
  ov_chart_set_title (OV_CHART (f->chart), "Another title");
  ov_chart_clear (OV_CHART (f->chart));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GThread *thread = g_thread_new ("encode", encode_thread, pictures[i]);
      g_autoptr (GByteArray) bytes = g_thread_join (thread);

      ov_picture_free (pictures[i]);
      g_assert_cmpmem (bytes->data, bytes->len, contents[i], lengths[i]);
      g_free (contents[i]);
    }
  g_unsetenv ("SOURCE_DATE_EPOCH");
}

/* The way by a recording loses nothing of a PNG. */
static void
test_same_pixels (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "scaled.png", NULL);
  cairo_surface_t *drawn = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 600);
  cairo_t *cr = cairo_create (drawn);
  cairo_surface_t *read;
  g_autoptr (GError) error = NULL;

  cairo_scale (cr, 2, 2);
  ov_drawable_draw (f->chart, cr, 400, 300, ov_theme_get (OV_THEME_LIGHT, 1));
  cairo_destroy (cr);
  cairo_surface_flush (drawn);
  g_assert_true (ov_chart_export (f->chart, path, OV_EXPORT_PNG, 400, 300, 2,
                                  ov_theme_get (OV_THEME_LIGHT, 1), &error));
  read = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_image_surface_get_format (read), ==, CAIRO_FORMAT_RGB24);
  for (int y = 0; y < 600; y++)
    for (int x = 0; x < 800; x++)
      {
        const guint32 *a
            = (const guint32 *)(gpointer)(cairo_image_surface_get_data (drawn)
                                          + y * cairo_image_surface_get_stride (drawn));
        const guint32 *b = (const guint32 *)(gpointer)(cairo_image_surface_get_data (read)
                                                       + y * cairo_image_surface_get_stride (read));

        g_assert_cmphex (a[x] & 0xffffff, ==, b[x] & 0xffffff);
      }
  cairo_surface_destroy (drawn);
  cairo_surface_destroy (read);
}

#define ADD(name, func) g_test_add ("/chart/export/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_setenv ("SOURCE_DATE_EPOCH", "1000000000", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("png", test_png);
  ADD ("svg", test_svg);
  ADD ("pdf", test_pdf);
  ADD ("deterministic", test_deterministic);
  ADD ("failures", test_failures);
  ADD ("no-space", test_no_space);
  ADD ("unwritable", test_unwritable);
  ADD ("replace", test_replace);
  ADD ("time-chart", test_time_chart);
  ADD ("snapshot", test_snapshot);
  ADD ("same-pixels", test_same_pixels);
  g_test_add_func ("/chart/export/suffix", test_suffix);
  return g_test_run ();
}
