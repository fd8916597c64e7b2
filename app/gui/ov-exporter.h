// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes what a Run view shows into a file: a chart as a picture, the runs as CSV, the result or
 * the requests' trace as JSON. The target may be slow or dead: it is written by GIO's threads,
 * never by the window's.
 */
#pragma once

#include "chart/ov-export.h"

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

typedef enum
{
  OV_EXPORT_RESULT_CHART,
  OV_EXPORT_TIME_CHART,
  OV_EXPORT_RUNS,   /* CSV */
  OV_EXPORT_RESULT, /* JSON */
  OV_EXPORT_LANES,
  OV_EXPORT_TRACE, /* Trace Event JSON of all runs with a log */
  OV_EXPORT_LATENCY,
  OV_EXPORT_HEAT,
  OV_EXPORT_PARTS_CHART, /* of OvExportParts, in this order */
  OV_EXPORT_PARTS_CSV,
  OV_EXPORT_PARTS_JSON,
} OvExportItem;

#define OV_EXPORT_N_ITEMS 8

/** What is exported of a comparison, which no model holds. */
typedef struct
{
  OvDrawable *chart;
  char *name; /* of files, without suffix */
  char *csv;
  char *json; /* or NULL */
} OvExportParts;

/** Copies the texts and refers to the chart. The caller owns it. */
OvExportParts *ov_export_parts_new (OvDrawable *chart, const char *name, const char *csv,
                                    const char *json);
void ov_export_parts_free (OvExportParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvExportParts, ov_export_parts_free)

typedef struct
{
  OvExportItem item;
  OvExportFormat format; /* of a chart */
  double scale;          /* of a PNG */
  const OvTheme *theme;  /* of a chart */
} OvExportRequest;

/** Whether the model has what is asked for. */
gboolean ov_exporter_has (OvRunModel *model, OvExportItem item);
/** Whether it is a picture, with format, colours and size. */
gboolean ov_exporter_is_chart (OvExportItem item);
/** "png", "svg", "pdf", "csv", "json". */
const char *ov_exporter_suffix (const OvExportRequest *request);
/** A name for the file, such as "ID-elapsed.png". The caller owns it. */
char *ov_exporter_name (OvRunModel *model, const OvExportRequest *request);
/** Writes the file, in place of one of that name. Errors name the path and the system's reason. */
void ov_exporter_write_async (OvRunModel *model, const OvExportRequest *request, const char *path,
                              GAsyncReadyCallback callback, gpointer data);
/** The same for what is no model's. */
char *ov_exporter_parts_name (const OvExportParts *parts, const OvExportRequest *request);
void ov_exporter_write_parts_async (const OvExportParts *parts, const OvExportRequest *request,
                                    const char *path, GAsyncReadyCallback callback, gpointer data);
/** The path that was written, which the caller owns; or NULL and `error`. */
char *ov_exporter_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
