// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A part of a test in a process of its own: where limits, ids or filters are set that must not
 * stay.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls `function` in a child, which writes to `fd` what it found and returns, or ends with
 * ov_test_child_cannot(). Returns what it wrote, freed with g_free(); NULL, with the test marked as
 * skipped, where the child could not be set up. Any other end of the child fails the test. */
char *ov_test_in_child (void (*function) (gconstpointer data, int fd), gconstpointer data);

/* In the child: what it needs cannot be set up here. */
void ov_test_child_cannot (void) G_GNUC_NORETURN;

/* In the child: has the system call `call` fail with `error` from now on; only where its argument
 * number `argument` has that value, unless `argument` is -1. (The lower halves of arguments are
 * compared, on a little-endian machine.) */
void ov_test_forbid (guint call, int argument, guint value, guint error);

G_END_DECLS
