/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a run as a part of something larger, so that a fault names the place in the whole.
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-run.h"

G_BEGIN_DECLS

/** Fills a new run from the reader's object; faults stay in the reader. */
void ov_run_read (OvJsonReader *reader, OvRun *run);

G_END_DECLS
