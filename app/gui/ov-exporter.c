// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A chart is drawn here, which takes as long as on the screen, and encoded in a thread; the text of
 * a result is made in one, of the runs that have ended by now. GIO writes both.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

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

static gboolean
is_of_detail (OvExportItem item)
{
  return item == OV_EXPORT_LANES || item == OV_EXPORT_LATENCY || item == OV_EXPORT_HEAT;
}

gboolean
ov_exporter_has (OvRunModel *model, OvExportItem item)
{
  const OvResult *result = ov_run_model_get_result (model);
  OvRunDetail *detail = ov_run_model_get_detail (model);

  if (is_of_detail (item))
    return ov_run_detail_has (detail, way_of (item))
           || ov_run_detail_is_making (detail, way_of (item));
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

static OvPicture *
draw_drawable (OvDrawable *drawable, const OvExportRequest *request, const char *path,
               GError **error)
{
  return ov_picture_new (drawable, path, request->format, 0, 0, request->scale, request->theme,
                         error);
}

static void
encode_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GByteArray *bytes = ov_picture_encode (data, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, g_byte_array_free_to_bytes (bytes), (GDestroyNotify)g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
on_made (GObject *source, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);

  if (bytes != NULL)
    {
      write_bytes (task, bytes);
      return;
    }
  g_task_return_error (task, error);
  g_object_unref (task);
}

/* Writes what `func` makes of `data` in a thread; takes both. */
static void
make_and_write (GTask *task, GTaskThreadFunc func, gpointer data, GDestroyNotify free_func)
{
  g_autoptr (GTask) maker = g_task_new (NULL, NULL, on_made, task);

  g_task_set_task_data (maker, data, free_func);
  ov_background_run (maker, func);
}

static void
picture_free (gpointer picture)
{
  ov_picture_free (picture);
}

/* Takes the picture; or NULL, and the error. */
static void
write_picture (GTask *task, OvPicture *picture, GError *error)
{
  if (picture != NULL)
    {
      make_and_write (task, encode_thread, picture, picture_free);
      return;
    }
  g_task_return_error (task, error);
  g_object_unref (task);
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

static OvPicture *
draw_detail (OvRunModel *model, const OvExportRequest *request, const char *path, const char *note,
             GError **error)
{
  OvRunDetail *detail = ov_run_model_get_detail (model);
  OvRunDetailWay way = way_of (request->item);
  OvPicture *picture;

  set_detail_note (detail, way, note);
  picture = draw_drawable (ov_run_detail_get_chart (detail, way), request, path, error);
  set_detail_note (detail, way, NULL);
  return picture;
}

static OvPicture *
draw (OvRunModel *model, const OvExportRequest *request, const char *path, GError **error)
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
  OvPicture *picture;

  if (request->item != OV_EXPORT_RESULT_CHART && request->item != OV_EXPORT_TIME_CHART)
    return draw_detail (model, request, path, note, error);
  if (request->item == OV_EXPORT_TIME_CHART)
    {
      label_time_chart (time_chart, experiment, note);
      picture = draw_drawable (OV_DRAWABLE (time_chart), request, path, error);
      label_time_chart (time_chart, NULL, NULL);
      return picture;
    }
  ov_chart_set_title (chart, whole_title);
  caption = ov_run_model_describe_caption (model);
  ov_chart_set_note (chart, caption);
  picture = draw_drawable (OV_DRAWABLE (chart), request, path, error);
  ov_chart_set_title (chart, title);
  ov_chart_set_note (chart, NULL);
  return picture;
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

/* What there is of a result that still grows; runs that have ended change no more. */
static OvResult *
snapshot (const OvResult *result)
{
  OvResult *copy = ov_result_new (result->experiment);

  copy->machine = result->machine != NULL ? ov_machine_copy (result->machine) : NULL;
  for (guint i = 0; i < result->targets->len; i++)
    g_ptr_array_add (copy->targets, ov_target_info_copy (result->targets->pdata[i]));
  for (guint i = 0; i < result->runs->len; i++)
    g_ptr_array_add (copy->runs, ov_run_ref (result->runs->pdata[i]));
  copy->date = result->date;
  copy->preset = g_strdup (result->preset);
  copy->x = result->x;
  copy->self_cost = result->self_cost != NULL ? ov_self_cost_copy (result->self_cost) : NULL;
  copy->partial = result->partial;
  return copy;
}

static void
write_text (GTask *task, OvRunModel *model, OvExportItem item)
{
  OvResult *result = ov_run_model_get_result (model);
  Text *text = g_new0 (Text, 1);

  text->result = ov_run_model_is_running (model) ? snapshot (result) : ov_result_ref (result);
  text->item = item;
  make_and_write (task, text_thread, text, text_free);
}

static void
write_item (GTask *task, const OvExportRequest *request)
{
  OvRunModel *model = g_task_get_source_object (task);
  GError *error = NULL;

  if (!ov_exporter_has (model, request->item))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                               _ ("There is no result yet: run the experiment first."));
      g_object_unref (task);
    }
  else if (ov_exporter_is_chart (request->item))
    {
      OvPicture *picture = draw (model, request, g_task_get_task_data (task), &error);

      write_picture (task, picture, error);
    }
  else
    write_text (task, model, request->item);
}

/* ---- A chart that is being made ------------------------------------------------------------- */

typedef struct
{
  GTask *task;
  OvExportRequest request;
} Waiting;

/* Has it made, if it is not. */
static gboolean
is_being_made (OvRunModel *model, OvExportItem item)
{
  OvRunDetail *detail = ov_run_model_get_detail (model);

  return is_of_detail (item) && !ov_run_detail_has (detail, way_of (item))
         && ov_run_detail_is_making (detail, way_of (item));
}

static void
on_detail_changed (OvRunDetail *detail, Waiting *waiting)
{
  const OvExportRequest request = waiting->request;
  GTask *task = waiting->task;

  if (is_being_made (g_task_get_source_object (task), request.item))
    return;
  g_signal_handlers_disconnect_by_data (detail, waiting);
  write_item (task, &request);
}

static void
waiting_free (gpointer waiting, GClosure *closure)
{
  g_free (waiting);
}

void
ov_exporter_write_async (OvRunModel *model, const OvExportRequest *request, const char *path,
                         GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (model, NULL, callback, data);
  Waiting *waiting;

  g_task_set_task_data (task, g_strdup (path), g_free);
  if (!is_being_made (model, request->item))
    {
      write_item (task, request);
      return;
    }
  waiting = g_new (Waiting, 1);
  *waiting = (Waiting){ task, *request };
  g_signal_connect_data (ov_run_model_get_detail (model), "changed", G_CALLBACK (on_detail_changed),
                         waiting, waiting_free, 0);
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
  GError *error = NULL;

  g_task_set_task_data (task, g_strdup (path), g_free);
  if (ov_exporter_is_chart (request->item))
    {
      OvPicture *picture = draw_drawable (parts->chart, request, path, &error);

      write_picture (task, picture, error);
    }
  else
    {
      g_autoptr (GBytes) bytes
          = g_bytes_new (text != NULL ? text : "", text != NULL ? strlen (text) : 0);

      write_bytes (task, bytes);
    }
}

char *
ov_exporter_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
