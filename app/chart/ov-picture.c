// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPicture: what was drawn waits in a recording, or in the surface of a vector format, which
 * cairo writes when it is finished. Nothing of the chart is needed then.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-picture.h"

#define MAX_PIXELS 30000 /* on a side: cairo's own limit is 32767 */

struct _OvPicture
{
  OvExportFormat format;
  char *path; /* for messages */
  char *title;
  char *description;
  cairo_surface_t *surface;
  GByteArray *bytes; /* what the surface of a vector format has written */
  int pixels_x;      /* of a PNG */
  int pixels_y;
};

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
insert_svg_texts (GByteArray *bytes, const OvPicture *picture)
{
  g_autofree char *title = xml_text (picture->title);
  g_autofree char *desc = xml_text (picture->description);
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
set_pdf_texts (cairo_surface_t *surface, const OvPicture *picture)
{
  g_autofree char *date = document_date ();

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, picture->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, picture->description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Overlap " OV_VERSION);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
}

void
ov_picture_free (OvPicture *self)
{
  if (self == NULL)
    return;
  cairo_surface_destroy (self->surface);
  g_clear_pointer (&self->bytes, g_byte_array_unref);
  g_free (self->path);
  g_free (self->title);
  g_free (self->description);
  g_free (self);
}

static double
make_surface (OvPicture *self, double width, double height, double scale)
{
  cairo_rectangle_t all = { 0 };

  switch (self->format)
    {
    case OV_EXPORT_SVG:
      self->surface
          = cairo_svg_surface_create_for_stream (append_bytes, self->bytes, width, height);
      cairo_svg_surface_set_document_unit (self->surface, CAIRO_SVG_UNIT_PX);
      return 1;
    case OV_EXPORT_PDF:
      scale = 72.0 / 96.0;
      self->surface = cairo_pdf_surface_create_for_stream (append_bytes, self->bytes, width * scale,
                                                           height * scale);
      set_pdf_texts (self->surface, self);
      return scale;
    case OV_EXPORT_PNG:
    default:
      self->pixels_x = (int)ceil (width * scale);
      self->pixels_y = (int)ceil (height * scale);
      all.width = self->pixels_x;
      all.height = self->pixels_y;
      self->surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, &all);
      return scale;
    }
}

OvPicture *
ov_picture_new (OvDrawable *chart, const char *path, OvExportFormat format, double width,
                double height, double scale, const OvTheme *theme, GError **error)
{
  g_autofree char *name = NULL;
  OvPicture *self;
  double natural_w;
  double natural_h;
  cairo_t *cr;

  g_return_val_if_fail (OV_IS_DRAWABLE (chart) && path != NULL && theme != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  name = g_filename_display_name (path);
  if (format == OV_EXPORT_BY_SUFFIX)
    format = ov_export_format_from_path (path);
  if (format == OV_EXPORT_BY_SUFFIX)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("Could not write “%s”: the name ends neither in .png nor in .svg or .pdf"),
                   name);
      return NULL;
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
      return NULL;
    }
  self = g_new0 (OvPicture, 1);
  self->format = format;
  self->path = g_strdup (path);
  self->bytes = g_byte_array_new ();
  self->title = g_strdup (ov_drawable_get_title (chart));
  if (format != OV_EXPORT_PNG)
    self->description = ov_drawable_describe (chart);
  scale = make_surface (self, width, height, scale);
  cr = cairo_create (self->surface);
  cairo_scale (cr, scale, scale);
  ov_drawable_draw (chart, cr, width, height, theme);
  cairo_destroy (cr);
  return self;
}

static cairo_status_t
encode_png (OvPicture *self)
{
  cairo_surface_t *image
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, self->pixels_x, self->pixels_y);
  cairo_t *cr = cairo_create (image);
  cairo_status_t status;

  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  cairo_paint (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (image, append_bytes, self->bytes);
  cairo_surface_destroy (image);
  return status;
}

GByteArray *
ov_picture_encode (OvPicture *self, GError **error)
{
  cairo_status_t status;

  g_return_val_if_fail (self != NULL && self->bytes != NULL, NULL);

  status = cairo_surface_status (self->surface);
  if (status == CAIRO_STATUS_SUCCESS && self->format == OV_EXPORT_PNG)
    status = encode_png (self);
  cairo_surface_finish (self->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (self->surface);
  if (!check_status (status, self->path, error))
    return NULL;
  if (self->format == OV_EXPORT_SVG)
    {
      number_svg_surfaces (self->bytes);
      insert_svg_texts (self->bytes, self);
    }
  return g_steal_pointer (&self->bytes);
}
