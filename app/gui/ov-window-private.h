// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWindow's own: what ov-window.c (views and models), ov-window-run.c (Run and Stop) and
 * ov-window-actions.c (actions) share.
 */
#pragma once

#include "gui/ov-banner.h"
#include "gui/ov-compare-view.h"
#include "gui/ov-learn-view.h"
#include "gui/ov-results-view.h"
#include "gui/ov-run-view.h"
#include "gui/ov-sidebar.h"
#include "gui/ov-window.h"

G_BEGIN_DECLS

struct _OvWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwLeaflet *leaflet;
  OvSidebar *sidebar;
  AdwHeaderBar *sidebar_header;
  GtkWidget *content;
  GtkWidget *back;
  GtkButton *run_button;
  AdwButtonContent *run_content;
  GtkLabel *progress;
  AdwViewSwitcherTitle *title;
  GtkWidget *export; /* the menu has it too */
  GtkMenuButton *menu;
  GMenuModel *main_menu;
  OvBanner *banner;
  gboolean catalog_failed; /* the banner says so */
  AdwViewStack *stack;
  AdwViewSwitcherBar *switcher_bar;
  AdwBin *learn_page;
  AdwBin *run_page;
  AdwBin *compare_page;
  AdwBin *results_page;
  OvLearnView *learn; /* each is NULL until it is shown first */
  OvRunView *run;
  OvCompareView *compare;
  OvResultsView *results;

  OvLibrary *library;
  OvLauncher *launcher;
  GPtrArray *strategies; /* of OvStrategyInfo, or NULL */
  GPtrArray *faults;     /* of OvModuleFault, or NULL */

  GHashTable *models; /* char* key of the item -> OvRunModel */
  OvRunModel *model;  /* that is shown, or NULL */
  OvRunModel *running;
  GCancellable *asking; /* while the user is asked for privilege, else NULL */
  guint progress_id;
  guint force_id;
  guint fold_id;
  guint inhibit_cookie;
  gint64 ended_us; /* when the last run ended, monotonic */
  guint n_saving;  /* results that are being written */
  gboolean closing;
  gboolean cramped;      /* the progress of the run has no room beside the button */
  gboolean automatic;    /* driven by a script: nothing is kept for the next start */
  GCancellable *loading; /* of the result that is to be shown next, or NULL */
  GCancellable *gone;    /* cancelled with the window */
};

/** Adds the actions; once. */
void ov_window_add_actions (OvWindow *self);
/** Switches them on and off as the state allows. */
void ov_window_update_actions (OvWindow *self);
/** Shows what the state is: button, progress, actions. */
void ov_window_update (OvWindow *self);
/** Starts what is shown, after the question for privilege where that is needed. */
void ov_window_run (OvWindow *self);
/** First call: stop; second: force. */
void ov_window_stop (OvWindow *self);
void ov_window_add_toast (OvWindow *self, const char *text);
/** Shows a stored result. */
void ov_window_open_result (OvWindow *self, const char *path);
/** Calls off what was to be shown next: something else is. */
void ov_window_stop_loading (OvWindow *self);
/** Keeps a model under the key of its item until the window goes. */
void ov_window_adopt_model (OvWindow *self, const char *key, OvRunModel *model);
void ov_window_show_model (OvWindow *self, OvRunModel *model);
/** Takes a result out of the list, and offers to take that back. */
void ov_window_remove_result (OvWindow *self, OvLibraryItem *item);

G_END_DECLS
