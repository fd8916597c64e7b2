// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultStore: the folder of stored results, and the list of them, newest first.
 *
 * Files are read and written in threads of GLib's pool: a slow home folder never stops the window.
 * What is taken out of the folder by others goes from the list.
 * A deleted result is renamed to a hidden name first, so that deleting can be taken back; what is
 * left of those is removed when the store is made and when it goes.
 */
#pragma once

#include "gui/ov-library-item.h"

G_BEGIN_DECLS

#define OV_TYPE_RESULT_STORE (ov_result_store_get_type ())
/** Signal "error" (const GError *error): a file that could not be read; the others are there. */
G_DECLARE_FINAL_TYPE (OvResultStore, ov_result_store, OV, RESULT_STORE, GObject)

/** The store in $XDG_DATA_HOME/overlap/results. */
OvResultStore *ov_result_store_new (void);
/** The results, of OvLibraryItem, newest first. Borrowed. */
GListModel *ov_result_store_get_items (OvResultStore *self);
/** Reads the folder; items appear later. */
void ov_result_store_scan (OvResultStore *self);

/** Stores a result that does not change any more. */
void ov_result_store_save_async (OvResultStore *self, OvResult *result,
                                 GAsyncReadyCallback callback, gpointer data);
/** The new item, borrowed from the list, or NULL and `error`. */
OvLibraryItem *ov_result_store_save_finish (OvResultStore *self, GAsyncResult *result,
                                            GError **error);

/** Takes a result out of the list and hides its file. */
gboolean ov_result_store_remove (OvResultStore *self, OvLibraryItem *item, GError **error);
/** Takes the last removal of `item` back. */
gboolean ov_result_store_restore (OvResultStore *self, OvLibraryItem *item, GError **error);
/** Deletes the hidden files for good. */
void ov_result_store_purge (OvResultStore *self);

G_END_DECLS
