/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plugin modules: finding, loading, checking.  Loading happens in a child only; a module that
 * crashes there harms nothing.
 */
#pragma once

#include "model/ov-strategy-info.h"

G_BEGIN_DECLS

/** Paths of all modules (*.so): OVERLAP_PLUGIN_DIR or else the installed folder, then
 *  $XDG_DATA_HOME/overlap/plugins, then the folders of OVERLAP_PLUGIN_PATH.  Sorted by name within
 *  a folder.  A privileged session (ov-privilege.h) finds installed ones only, that are root's own.
 *  Transfer full. */
GPtrArray *ov_module_find_all (void);

/** A loaded module.  It stays loaded until the process ends. */
typedef struct
{
  GPtrArray *strategies; /**< of OvStrategy, copies of the descriptors cut or filled to our size */
} OvModule;

/** Loads and checks.  OV_ERROR_INVALID with a sentence about what is wrong with it. */
OvModule *ov_module_load (const char *path, GError **error);
void ov_module_free (OvModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvModule, ov_module_free)

/** The descriptor called `id` in the module at `path`; where that is NULL, in the module named
 * after its family, then in all others.  OV_ERROR_NOT_FOUND.  The module it comes from stays
 * loaded. */
const OvStrategy *ov_module_find_strategy (const char *id, const char *path, GError **error);

/** The descriptor as data; runs its probe.  Transfer full. */
OvStrategyInfo *ov_module_describe (const OvStrategy *strategy, const char *path);

G_END_DECLS
