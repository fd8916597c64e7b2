// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Request logs in the Trace Event format (JSON), which Perfetto, chrome://tracing and others open.
 *
 * A run is a process of the trace, a buffer a thread of it, whoever uses the bytes one more. Every
 * request is a complete event (ph "X") on its buffer's thread, with the call that submits it nested
 * inside; events of one thread never overlap otherwise, as the format demands. Times (ts, dur) are
 * microseconds with three decimals, so that no nanosecond is lost, since the experiment's start.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** The trace of one run, or of all runs with a log (run NULL). NULL, and `error` of
 * OV_ERROR_INVALID with the reason, where there is no log. The caller owns the text. */
char *ov_trace_to_text (const OvResult *result, const OvRun *run, GError **error);

G_END_DECLS
