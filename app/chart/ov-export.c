// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes a chart to a file: first all bytes into memory, then into a file beside the wanted one,
 * then renamed. Each step has one way out, which removes that file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "chart/ov-export.h"

#define MAX_PIXELS 30000 /* on a side: cairo's own limit is 32767 */

OvExportFormat
ov_export_format_from_path (const char *path)
{
  const char *dot;

  g_return_val_if_fail (path != NULL, OV_EXPORT_BY_SUFFIX);

  dot = strrchr (path, '.');
  if (dot == NULL)
    return OV_EXPORT_BY_SUFFIX;
  if (g_ascii_strcasecmp (dot, ".png") == 0)
    return OV_EXPORT_PNG;
  if (g_ascii_strcasecmp (dot, ".svg") == 0)
    return OV_EXPORT_SVG;
  if (g_ascii_strcasecmp (dot, ".pdf") == 0)
    return OV_EXPORT_PDF;
  return OV_EXPORT_BY_SUFFIX;
}

static void
set_errno_error (GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Could not write “%s”: %s"),
               name, g_strerror (code));
}

static gboolean
check_status (cairo_status_t status, const char *path, GError **error)
{
  g_autofree char *name = NULL;

  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR,
               status == CAIRO_STATUS_NO_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_FAILED,
               _ ("Could not draw “%s”: %s"), name, cairo_status_to_string (status));
  return FALSE;
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* XML 1.0 has no way to write most control characters. */
static char *
xml_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (char *p = valid; *p != '\0'; p++)
    if ((guchar)*p < 0x20 && *p != '\n' && *p != '\t')
      *p = ' ';
  return g_markup_escape_text (valid, -1);
}

static gboolean
number_surface (const GMatchInfo *match, GString *out, gpointer data)
{
  GHashTable *numbers = data;
  g_autofree char *mark = g_match_info_fetch (match, 1);
  char *number = g_match_info_fetch (match, 2);
  gpointer found = g_hash_table_lookup (numbers, number);

  if (found == NULL)
    {
      found = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, number, found);
    }
  else
    g_free (number);
  g_string_append_printf (out, "%ssurface%u", mark, GPOINTER_TO_UINT (found));
  return FALSE;
}

/* cairo counts its surfaces through the whole life of the program and writes the number into the
 * file. Counted anew, the same picture is the same file. */
static void
number_svg_surfaces (GByteArray *bytes)
{
  g_autoptr (GRegex) regex = g_regex_new ("([\"#])surface([0-9]+)", G_REGEX_RAW, 0, NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *out = NULL;

  out = g_regex_replace_eval (regex, (char *)bytes->data, bytes->len, 0, 0, number_surface, numbers,
                              NULL);
  g_return_if_fail (out != NULL);
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (guint8 *)out, (guint)strlen (out));
}

/* Puts title and description where a screen reader looks for them: first in the root element. */
static void
insert_svg_texts (GByteArray *bytes, OvDrawable *chart)
{
  g_autofree char *description = ov_drawable_describe (chart);
  g_autofree char *title = xml_text (ov_drawable_get_title (chart));
  g_autofree char *desc = xml_text (description);
  g_autofree char *texts = NULL;
  const char *root;
  const char *end = NULL;
  GByteArray *out;
  static const char attributes[] = " role=\"img\" aria-labelledby=\"ov-title ov-desc\"";

  root = g_strstr_len ((char *)bytes->data, bytes->len, "<svg");
  if (root != NULL)
    end = memchr (root, '>', bytes->len - (gsize)(root - (char *)bytes->data));
  g_return_if_fail (end != NULL);

  texts = g_strdup_printf (">\n<title id=\"ov-title\">%s</title>\n<desc id=\"ov-desc\">%s</desc>",
                           title, desc);
  out = g_byte_array_sized_new (bytes->len + (guint)strlen (texts) + sizeof attributes);
  g_byte_array_append (out, bytes->data, (guint)(end - (char *)bytes->data));
  g_byte_array_append (out, (guint8 *)attributes, sizeof attributes - 1);
  g_byte_array_append (out, (guint8 *)texts, (guint)strlen (texts));
  g_byte_array_append (out, (guint8 *)end + 1, bytes->len - (guint)(end + 1 - (char *)bytes->data));
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, out->data, out->len);
  g_byte_array_unref (out);
}

/* Date of the document: what reproducible builds ask for, else now. The caller owns the text. */
static char *
document_date (void)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  g_autoptr (GDateTime) date = NULL;
  gint64 seconds;

  if (epoch != NULL && g_ascii_string_to_signed (epoch, 10, 0, G_MAXINT64 / 2, &seconds, NULL))
    date = g_date_time_new_from_unix_utc (seconds);
  if (date == NULL)
    date = g_date_time_new_now_utc ();
  return g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
}

static void
set_pdf_texts (cairo_surface_t *surface, OvDrawable *chart)
{
  g_autofree char *date = document_date ();
  g_autofree char *description = ov_drawable_describe (chart);

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, ov_drawable_get_title (chart));
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Overlap " OV_VERSION);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
}

static GByteArray *
render (OvDrawable *chart, const char *path, OvExportFormat format, double width, double height,
        double scale, const OvTheme *theme, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  switch (format)
    {
    case OV_EXPORT_SVG:
      surface = cairo_svg_surface_create_for_stream (append_bytes, bytes, width, height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      scale = 1;
      break;
    case OV_EXPORT_PDF:
      scale = 72.0 / 96.0;
      surface = cairo_pdf_surface_create_for_stream (append_bytes, bytes, width * scale,
                                                     height * scale);
      set_pdf_texts (surface, chart);
      break;
    case OV_EXPORT_PNG:
    default:
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)ceil (width * scale),
                                            (int)ceil (height * scale));
      break;
    }
  cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  ov_drawable_draw (chart, cr, width, height, theme);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == OV_EXPORT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (!check_status (status, path, error))
    return NULL;
  if (format == OV_EXPORT_SVG)
    {
      number_svg_surfaces (bytes);
      insert_svg_texts (bytes, chart);
    }
  return g_steal_pointer (&bytes);
}

static int
write_all (int fd, const GByteArray *bytes)
{
  gsize done = 0;

  while (done < bytes->len)
    {
      gssize n = write (fd, bytes->data + done, bytes->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      done += (gsize)n;
    }
  return fsync (fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/* The file that a link leads to is replaced, not the link. What is no file stays what it is. */
static char *
resolve_target (const char *path, mode_t *mode, gboolean *exists, GError **error)
{
  struct stat st;
  char *real;

  *exists = FALSE;
  if (stat (path, &st) != 0)
    return g_strdup (path);
  if (!S_ISREG (st.st_mode))
    {
      g_autofree char *name = g_filename_display_name (path);

      if (S_ISDIR (st.st_mode))
        set_errno_error (error, path, EISDIR);
      else
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                     _ ("Could not write “%s”: it is not a regular file"), name);
      return NULL;
    }
  *exists = TRUE;
  *mode = st.st_mode & 0777;
  real = realpath (path, NULL);
  if (real == NULL)
    {
      set_errno_error (error, path, errno);
      return NULL;
    }
  path = g_strdup (real);
  free (real);
  return (char *)path;
}

static gboolean
write_file (const char *path, const GByteArray *bytes, GError **error)
{
  mode_t mode = 0;
  gboolean exists;
  g_autofree char *target = resolve_target (path, &mode, &exists, error);
  g_autofree char *folder = NULL;
  g_autofree char *beside = NULL;
  int fd;
  int code;

  if (target == NULL)
    return FALSE;
  folder = g_path_get_dirname (target);
  beside = g_build_filename (folder, ".overlap-XXXXXX", NULL);
  fd = g_mkstemp_full (beside, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      set_errno_error (error, path, errno);
      return FALSE;
    }
  code = write_all (fd, bytes);
  if (code == 0 && exists && fchmod (fd, mode) != 0)
    code = errno;
  /* Some file systems tell of a full disk only now. */
  if (close (fd) != 0 && code == 0 && errno != EINTR)
    code = errno;
  if (code == 0 && g_rename (beside, target) != 0)
    code = errno;
  if (code == 0)
    return TRUE;
  (void)g_unlink (beside);
  set_errno_error (error, path, code);
  return FALSE;
}

gboolean
ov_chart_export (OvDrawable *chart, const char *path, OvExportFormat format, double width,
                 double height, double scale, const OvTheme *theme, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  double natural_w;
  double natural_h;
  g_autofree char *name = NULL;

  g_return_val_if_fail (OV_IS_DRAWABLE (chart) && path != NULL && theme != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  name = g_filename_display_name (path);
  if (format == OV_EXPORT_BY_SUFFIX)
    format = ov_export_format_from_path (path);
  if (format == OV_EXPORT_BY_SUFFIX)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("Could not write “%s”: the name ends neither in .png nor in .svg or .pdf"),
                   name);
      return FALSE;
    }
  ov_drawable_get_natural_size (chart, &natural_w, &natural_h);
  if (width == 0)
    width = natural_w;
  if (height == 0)
    height = natural_h;
  if (!(width >= 1 && height >= 1 && scale > 0) || !(width * MAX (1, scale) <= MAX_PIXELS)
      || !(height * MAX (1, scale) <= MAX_PIXELS))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("Could not write “%s”: a picture of %g × %g pixels is not possible (1 to %d "
                      "on each side)"),
                   name, width * scale, height * scale, MAX_PIXELS);
      return FALSE;
    }
  bytes = render (chart, path, format, width, height, scale, theme, error);
  return bytes != NULL && write_file (path, bytes, error);
}
