/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a suite is followed on standard error: one live line on a terminal, a plain line for each run
 * elsewhere.
 */
#pragma once

#include "engine/ov-suite.h"

G_BEGIN_DECLS

typedef struct _OvCliProgress OvCliProgress;

/** Connects to the suite's signals (the suite is borrowed and must live longer).  `quiet`: says
 *  nothing but what fails. */
OvCliProgress *ov_cli_progress_new (OvSuite *suite, gboolean quiet);
/** Clears the live line. */
void ov_cli_progress_free (OvCliProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvCliProgress, ov_cli_progress_free)

G_END_DECLS
