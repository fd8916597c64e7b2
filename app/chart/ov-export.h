// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes a chart to a PNG, SVG or PDF file.
 *
 * The file appears under its name only when it is whole; a failure leaves what was there before and
 * nothing else. Same chart, same size, same theme: same bytes (PDF: where SOURCE_DATE_EPOCH is
 * set).
 */
#pragma once

#include <gio/gio.h>

#include "chart/ov-picture.h"

G_BEGIN_DECLS

/** `width` and `height` are pixels (SVG: user units; PDF: 1/96 inch); 0 takes the chart's natural
 * size. `scale` multiplies the pixels of a PNG, not what is on the picture, and is 1 for the
 * vector formats. Errors are of G_IO_ERROR and name the path and the system's reason. */
gboolean ov_chart_export (OvDrawable *chart, const char *path, OvExportFormat format, double width,
                          double height, double scale, const OvTheme *theme, GError **error);

G_END_DECLS
