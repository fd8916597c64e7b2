/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nicks as NULL-terminated tables, for readers that name what is allowed.
 */
#pragma once

#include "model/ov-types.h"

G_BEGIN_DECLS

extern const char *const ov_state_nicks[];
extern const char *const ov_condition_nicks[];
extern const char *const ov_durability_nicks[];
extern const char *const ov_phase_nicks[];
extern const char *const ov_job_nicks[]; /* entry n is the flag 1 << n */
extern const char *const ov_work_nicks[];
extern const char *const ov_timing_nicks[];
extern const char *const ov_order_nicks[];
extern const char *const ov_access_nicks[];
extern const char *const ov_neighbour_nicks[];
extern const char *const ov_figure_nicks[];
extern const char *const ov_part_nicks[];

/** Place of `nick` (may be NULL) in a NULL-terminated table, or -1. */
int ov_nick_index (const char *const *nicks, const char *nick);

G_END_DECLS
