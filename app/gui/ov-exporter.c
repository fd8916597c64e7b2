// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A chart is drawn into a private temporary file on this machine, which takes milliseconds, and
 * copied from there. The text of a result is made in a thread, unless the result still grows.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "report/ov-lanes.h"
#include "report/ov-report.h"
#include "report/ov-trace.h"

#include "gui/ov-exporter.h"

#include "gui/ov-background.h"

/* The way to look at a run that an item is the chart of. */
static OvRunDetailWay
way_of (OvExportItem item)
{
  switch (item)
    {
    case OV_EXPORT_LATENCY:
      return OV_RUN_DETAIL_LATENCY;
    case OV_EXPORT_HEAT:
      return OV_RUN_DETAIL_HEAT;
    default:
      return OV_RUN_DETAIL_LANES;
    }
}

gboolean
ov_exporter_has (OvRunModel *model, OvExportItem item)
{
  const OvResult *result = ov_run_model_get_result (model);

  if (item == OV_EXPORT_LANES || item == OV_EXPORT_LATENCY || item == OV_EXPORT_HEAT)
    return ov_run_detail_has (ov_run_model_get_detail (model), way_of (item));
  if (item != OV_EXPORT_TRACE)
    return item == OV_EXPORT_RESULT_CHART || result != NULL;
  for (guint i = 0; result != NULL && i < result->runs->len; i++)
    if (ov_lanes_has_log (g_ptr_array_index (result->runs, i)))
      return TRUE;
  return FALSE;
}

gboolean
ov_exporter_is_chart (OvExportItem item)
{
  return item != OV_EXPORT_RUNS && item != OV_EXPORT_RESULT && item != OV_EXPORT_TRACE
         && item != OV_EXPORT_PARTS_CSV && item != OV_EXPORT_PARTS_JSON;
}

const char *
ov_exporter_suffix (const OvExportRequest *request)
{
  if (request->item == OV_EXPORT_RUNS || request->item == OV_EXPORT_PARTS_CSV)
    return "csv";
  if (!ov_exporter_is_chart (request->item))
    return "json";
  switch (request->format)
    {
    case OV_EXPORT_SVG:
      return "svg";
    case OV_EXPORT_PDF:
      return "pdf";
    case OV_EXPORT_PNG:
    case OV_EXPORT_BY_SUFFIX:
    default:
      return "png";
    }
}

char *
ov_exporter_name (OvRunModel *model, const OvExportRequest *request)
{
  static const char *const words[] = { "elapsed",  "recording", "runs",    "result",
                                       "requests", "trace",     "latency", "latency-over-time" };

  g_autofree char *stem = ov_experiment_file_stem (ov_run_model_get_experiment (model));

  return g_strdup_printf ("%s-%s.%s", stem, words[request->item], ov_exporter_suffix (request));
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_task_return_pointer (task, g_file_get_path (G_FILE (source)), g_free);
  else
    {
      g_autofree char *path = g_file_get_path (G_FILE (source));

      g_prefix_error (&error, _ ("Cannot write %s: "), path);
      g_task_return_error (task, error);
    }
}

/* Writes `bytes` to the task's path. */
static void
write_bytes (GTask *task, GBytes *bytes)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_task_get_task_data (task));

  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                       on_written, task);
}

/* On paper nothing else says what this is and where the figures are from; on the screen it would
 * only take room. NULL takes title and note away again. */
static void
label_time_chart (OvTimeChart *chart, const char *title, const char *note)
{
  ov_time_chart_set_title (chart, title);
  ov_time_chart_set_note (chart, note);
}

/* Draws it into a file of its own and reads that. */
static GBytes *
draw_drawable (OvDrawable *drawable, const OvExportRequest *request, GError **error)
{
  g_autofree char *path = NULL;
  char *data = NULL;
  gsize length = 0;
  gboolean good;
  int fd = g_file_open_tmp ("overlap-XXXXXX", &path, error);

  if (fd < 0)
    return NULL;
  close (fd);
  good = ov_chart_export (drawable, path, request->format, 0, 0, request->scale, request->theme,
                          error)
         && g_file_get_contents (path, &data, &length, error);
  g_unlink (path);
  return good ? g_bytes_new_take (data, length) : NULL;
}

static void
set_detail_note (OvRunDetail *detail, OvRunDetailWay way, const char *note)
{
  if (way == OV_RUN_DETAIL_LANES)
    ov_lane_chart_set_note (ov_run_detail_get_lanes (detail), note);
  else if (way == OV_RUN_DETAIL_LATENCY)
    ov_chart_set_note (ov_latency_get_chart (ov_run_detail_get_latency (detail)), note);
  else
    ov_heat_chart_set_note (ov_run_detail_get_heat (detail), note);
}

static GBytes *
draw_detail (OvRunModel *model, const OvExportRequest *request, const char *note, GError **error)
{
  OvRunDetail *detail = ov_run_model_get_detail (model);
  OvRunDetailWay way = way_of (request->item);
  GBytes *bytes;

  set_detail_note (detail, way, note);
  bytes = draw_drawable (ov_run_detail_get_chart (detail, way), request, error);
  set_detail_note (detail, way, NULL);
  return bytes;
}

static GBytes *
draw (OvRunModel *model, const OvExportRequest *request, GError **error)
{
  OvTimeChart *time_chart = ov_run_model_get_time_chart (model);
  OvChart *chart = ov_run_model_get_chart (model);
  const OvResult *result = ov_run_model_get_result (model);
  const char *experiment = ov_report_tr (ov_run_model_get_experiment (model)->title);
  const OvResultTexts *texts = ov_run_model_get_texts (model);
  g_autofree char *note = texts != NULL    ? g_strdup (texts->note)
                          : result != NULL ? ov_report_note (result)
                                           : NULL;
  g_autofree char *title = g_strdup (ov_chart_get_title (chart));
  g_autofree char *whole_title = g_strdup_printf ("%s: %s", experiment, title);
  g_autofree char *caption = NULL;
  GBytes *bytes;

  if (request->item != OV_EXPORT_RESULT_CHART && request->item != OV_EXPORT_TIME_CHART)
    return draw_detail (model, request, note, error);
  if (request->item == OV_EXPORT_TIME_CHART)
    {
      label_time_chart (time_chart, experiment, note);
      bytes = draw_drawable (OV_DRAWABLE (time_chart), request, error);
      label_time_chart (time_chart, NULL, NULL);
      return bytes;
    }
  ov_chart_set_title (chart, whole_title);
  caption = ov_run_model_describe_caption (model);
  ov_chart_set_note (chart, caption);
  bytes = draw_drawable (OV_DRAWABLE (chart), request, error);
  ov_chart_set_title (chart, title);
  ov_chart_set_note (chart, NULL);
  return bytes;
}

typedef struct
{
  OvResult *result;
  OvExportItem item;
} Text;

static void
text_free (gpointer data)
{
  Text *text = data;

  ov_result_unref (text->result);
  g_free (text);
}

static GBytes *
make_text (const Text *text)
{
  char *content;

  if (text->item == OV_EXPORT_RUNS)
    content = ov_result_to_csv (text->result);
  else if (text->item == OV_EXPORT_TRACE)
    content = ov_trace_to_text (text->result, NULL, NULL); /* there is a log: see has() */
  else
    content = ov_result_to_text (text->result, TRUE);

  return g_bytes_new_take (content, strlen (content));
}

static void
text_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, make_text (data), (GDestroyNotify)g_bytes_unref);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), NULL);

  write_bytes (data, bytes);
}

static void
write_text (GTask *task, OvRunModel *model, OvExportItem item)
{
  Text *text = g_new0 (Text, 1);

  text->result = ov_result_ref (ov_run_model_get_result (model));
  text->item = item;
  if (ov_run_model_is_running (model))
    {
      g_autoptr (GBytes) bytes = make_text (text);

      text_free (text);
      write_bytes (task, bytes);
    }
  else
    {
      g_autoptr (GTask) maker = g_task_new (NULL, NULL, on_text, task);

      g_task_set_task_data (maker, text, text_free);
      ov_background_run (maker, text_thread);
    }
}

void
ov_exporter_write_async (OvRunModel *model, const OvExportRequest *request, const char *path,
                         GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (model, NULL, callback, data);
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  g_task_set_task_data (task, g_strdup (path), g_free);
  if (!ov_exporter_has (model, request->item))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                               _ ("There is no result yet: run the experiment first."));
      g_object_unref (task);
      return;
    }
  if (!ov_exporter_is_chart (request->item))
    {
      write_text (task, model, request->item);
      return;
    }
  bytes = draw (model, request, &error);
  if (bytes != NULL)
    write_bytes (task, bytes);
  else
    {
      g_task_return_error (task, error);
      g_object_unref (task);
    }
}

/* ---- What is no model's --------------------------------------------------------------------- */

OvExportParts *
ov_export_parts_new (OvDrawable *chart, const char *name, const char *csv, const char *json)
{
  OvExportParts *parts = g_new0 (OvExportParts, 1);

  parts->chart = g_object_ref (chart);
  parts->name = g_strdup (name);
  parts->csv = g_strdup (csv);
  parts->json = g_strdup (json);
  return parts;
}

void
ov_export_parts_free (OvExportParts *parts)
{
  if (parts == NULL)
    return;
  g_object_unref (parts->chart);
  g_free (parts->name);
  g_free (parts->csv);
  g_free (parts->json);
  g_free (parts);
}

char *
ov_exporter_parts_name (const OvExportParts *parts, const OvExportRequest *request)
{
  return g_strdup_printf ("%s.%s", parts->name, ov_exporter_suffix (request));
}

void
ov_exporter_write_parts_async (const OvExportParts *parts, const OvExportRequest *request,
                               const char *path, GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (NULL, NULL, callback, data);
  const char *text = request->item == OV_EXPORT_PARTS_CSV ? parts->csv : parts->json;
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  g_task_set_task_data (task, g_strdup (path), g_free);
  bytes = ov_exporter_is_chart (request->item)
              ? draw_drawable (parts->chart, request, &error)
              : g_bytes_new (text != NULL ? text : "", text != NULL ? strlen (text) : 0);
  if (bytes != NULL)
    write_bytes (task, bytes);
  else
    {
      g_task_return_error (task, error);
      g_object_unref (task);
    }
}

char *
ov_exporter_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
