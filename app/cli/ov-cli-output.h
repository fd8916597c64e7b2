/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command line gives of a result: the table, JSON, CSV and charts.
 */
#pragma once

#include <stdio.h>

#include "chart/ov-table.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** Whether these outputs can be written (NULL: not wanted; files may be "-"), to be asked before
 *  what takes long.  FALSE after a complaint about each that cannot. */
gboolean ov_cli_can_write (const char *json, const char *csv, const char *profile_csv,
                           const char *charts);

/** The table: a row for each variant and value of the axis.  FALSE after a complaint. */
gboolean ov_cli_print_table (const OvResult *result, FILE *to);

/** Writes to `path`, or to standard output where it is "-".  FALSE after a complaint. */
gboolean ov_cli_write_json (const OvResult *result, const char *path, gboolean with_logs);
gboolean ov_cli_write_profile_csv (const OvResult *result, const char *path);
gboolean ov_cli_write_csv (const OvResult *result, const char *path);

/** Writes every chart as SVG and PNG into the folder, which is made if need be, and names the files
 *  on `to`.  FALSE after a complaint. */
gboolean ov_cli_write_charts (const OvResult *result, const char *folder, FILE *to);

/** A table as the window shows it, behind an empty line; the first column stands at the left. */
void ov_cli_print_data (const OvTable *table, FILE *to);

G_END_DECLS
