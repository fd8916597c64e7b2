/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table on a terminal: columns as wide as what stands in them.
 */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OvCliGrid OvCliGrid;

/** `titles` is NULL-terminated, copied.  A title that begins with '>' (not printed) makes a column
 *  aligned to the right. */
OvCliGrid *ov_cli_grid_new (const char *const *titles);
void ov_cli_grid_free (OvCliGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvCliGrid, ov_cli_grid_free)
/** Takes the texts of `cells`, one for each column; NULL is an empty one. */
void ov_cli_grid_add (OvCliGrid *grid, char **cells);
void ov_cli_grid_print (const OvCliGrid *grid, FILE *to);

G_END_DECLS
