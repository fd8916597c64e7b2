// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What every picture and table of a result agrees on: which look a variant has, how a value of the
 * x axis is written, what stands under an exported chart. The window and the command line both
 * use it.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** A text of a file in the user's language: gettext(), but "" stays "" and NULL becomes it.
 * Borrowed. */
const char *ov_report_tr (const char *text);

/** The style (ov_theme_get_style) of the line called `label`: the place of its variant in the
 * experiment, so that it is the same in every chart and table. Lines of one variant that differ on
 * a second axis ("posix.read, 64K") share the colour and differ in dash and marker. A line of no
 * variant gets a style from its name. */
int ov_report_style (const OvExperiment *experiment, const char *label);

/** The same on a target that is not the first one: the colour of the variant, and a dash and marker
 * of the target's own. NULL: the first one. */
int ov_report_target_style (const OvExperiment *experiment, const char *label, const char *target);

/** "500 Hz", "1 kHz". The caller owns the text. */
char *ov_report_format_hertz (double hertz);

/** "5000K", "64K", "8", "1 000 000", "1 kHz": a value of the x axis. The caller owns the text. */
char *ov_report_format_x (OvAxisParameter parameter, double x);

/** "Elapsed time", …: the title of a chart of this figure. Not to be freed. */
const char *ov_report_figure_title (OvFigure figure);
/** The same for a chart of an experiment, whose times may be by block. */
const char *ov_report_chart_title (const OvExperiment *experiment, OvFigure figure);

/** "file size", "block size", "depth". Not to be freed. */
const char *ov_report_x_title (OvAxisParameter parameter);

/** What is done with each byte, in words: enum OvWork. Not to be freed. */
const char *ov_report_work_label (guint work);

/** The values of x that the runs of a result have, ascending, of double. The caller owns it. */
GArray *ov_report_xs (const OvResult *result);

/** "ext4 on nvme0n1p2", "tmpfs, memory", or NULL where nothing is known. The caller owns it. */
char *ov_report_device (const OvTargetInfo *target);

/** What is known of the target at `path`, or NULL. Borrowed. */
const OvTargetInfo *ov_report_find_target (const OvResult *result, const char *path);

/** "/home/me (ext4 on vda)": a target where there are several. The caller owns the text. */
char *ov_report_target_name (const OvResult *result, const char *path);

/** Machine, target, condition and date in one line, for below a chart. The caller owns the text. */
char *ov_report_note (const OvResult *result);

/** What recording its requests costs on the machine of the result, as it was measured there, in a
 *  sentence; or that it was not measured.  The caller owns the text. */
char *ov_report_self_cost (const OvResult *result);
/** The same, but NULL where it was not measured. */
char *ov_report_measured_cost (const OvResult *result);

/** What the done runs among `runs` (of OvRun) really used, each thing once, numbers that differ as
 * a range: "buffer-pages=2M; device-busy=95–97%".  The caller owns the text; NULL where nothing is
 *  told. */
char *ov_report_effective (const GPtrArray *runs);

G_END_DECLS
