/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of strategies and targets: asks a worker, without ever loading a module or opening
 * a target here.
 */
#pragma once

#include "engine/ov-launcher.h"
#include "model/ov-machine.h"
#include "model/ov-strategy-info.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *strategies; /**< of OvStrategyInfo, sorted by id */
  GPtrArray *faults;     /**< of OvModuleFault */
  OvMachine *machine;
} OvCatalog;

void ov_catalog_free (OvCatalog *catalog);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvCatalog, ov_catalog_free)

/** Starts a worker, asks `describe`, ends it (behind a prefix it is kept for a while, and taken if
 * it is there: ov_connection_park()).  A worker that is silent for 10 s is ended and the error is
 * OV_ERROR_WORKER. */
void ov_catalog_load_async (const OvLauncher *launcher, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer data);
OvCatalog *ov_catalog_load_finish (GAsyncResult *result, GError **error);

/** Looks at a target (folder or file) in a worker, where a dead mount hangs a child and not us:
 *  OV_ERROR_WORKER "… does not answer" after 5 s. */
void ov_preflight_async (const OvLauncher *launcher, const char *target, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data);
OvTargetInfo *ov_preflight_finish (GAsyncResult *result, GError **error);

G_END_DECLS
