// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPicture: a chart as it was at one moment, on its way into a PNG, SVG or PDF file. Drawing it
 * takes as long as on the screen and needs the chart; encoding it takes many times as long and does
 * not, so that another thread may do it.
 */
#pragma once

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

typedef enum
{
  OV_EXPORT_BY_SUFFIX, /* .png, .svg, .pdf, in small or capital letters */
  OV_EXPORT_PNG,
  OV_EXPORT_SVG,
  OV_EXPORT_PDF,
} OvExportFormat;

/** The format that a name's suffix tells, OV_EXPORT_BY_SUFFIX where it tells none. */
OvExportFormat ov_export_format_from_path (const char *path);

typedef struct _OvPicture OvPicture;

/** Draws the chart. `path` is only named in messages, and tells the format where that is
 * OV_EXPORT_BY_SUFFIX. `width` and `height` are pixels (SVG: user units; PDF: 1/96 inch); 0 takes
 * the chart's natural size. `scale` multiplies the pixels of a PNG, not what is on the picture, and
 * is 1 for the vector formats. The caller owns the picture. Errors: G_IO_ERROR, for a size or a
 * suffix that is not possible. */
OvPicture *ov_picture_new (OvDrawable *chart, const char *path, OvExportFormat format, double width,
                           double height, double scale, const OvTheme *theme, GError **error);
/** The file's bytes, which the caller owns; once, in any thread. Errors: G_IO_ERROR, where cairo
 * has no memory for it. */
GByteArray *ov_picture_encode (OvPicture *self, GError **error);
void ov_picture_free (OvPicture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvPicture, ov_picture_free)

G_END_DECLS
