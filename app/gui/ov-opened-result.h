// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvOpenedResult: a stored result with all that the window shows of it: cells, charts, texts. It is
 * read and made in a thread, since of a hundred thousand runs that takes seconds; what is left to
 * do for the window does not depend on how many runs there are.
 */
#pragma once

#include <gio/gio.h>

#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"

#include "gui/ov-forecast.h"
#include "gui/ov-result-texts.h"
#include "gui/ov-results-index.h"

G_BEGIN_DECLS

/** Whoever takes a part sets it to NULL. */
typedef struct
{
  OvResult *result;
  OvResultsIndex *index; /**< with all cells */
  OvResultChart *chart;
  OvTimeline *timeline; /**< without title and note */
  OvResultTexts *texts;
  OvForecast *forecast;
  OvRun *run; /**< what is looked at closely first, or NULL */
} OvOpenedResult;

/** Makes it of a result that does not change any more. NULL only where `cancellable` (may be NULL)
 * was cancelled meanwhile. Any thread. */
OvOpenedResult *ov_opened_result_new (OvResult *result, GCancellable *cancellable);
/** Where it still has its result, that is freed in a thread. */
void ov_opened_result_free (OvOpenedResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvOpenedResult, ov_opened_result_free)

/** Reads the file and makes it. */
void ov_opened_result_load_async (const char *path, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer data);
/** The caller owns it. Errors: as ov_result_load(), G_IO_ERROR_CANCELLED. */
OvOpenedResult *ov_opened_result_load_finish (GAsyncResult *result, GError **error);

/** Reads the file for a forecast alone. */
void ov_opened_result_forecast_async (const char *path, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer data);
OvForecast *ov_opened_result_forecast_finish (GAsyncResult *result, GError **error);

/** Gives a reference back, where nobody waits for it: the runs of a large result take a tenth of a
 * second to free. */
void ov_opened_result_drop (OvResult *result);

G_END_DECLS
