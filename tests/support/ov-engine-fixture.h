/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of the engine: workers that break, and the proof that nothing is left of them and that
 * the main loop went on meanwhile.
 */
#pragma once

#include "engine/ov-launcher.h"

/** Call it first. */
void ov_fixture_init (void);
/** A launcher for tests/support/fake-worker in that mode; with `prefix` the fake is the prefix.
 *  The engine's times of waiting become what suits the mode. */
OvLauncher *ov_fixture_launcher (const char *mode, gboolean prefix);

/** A child that is the test's own and does not count. */
void ov_fixture_ignore_child (int pid);
/** Notes what is open and begins to measure the main loop. */
void ov_fixture_begin (void);
/** Ends parked workers, runs the main loop until all children are gone; asserts that no process
 * (grandchildren of the fake worker too), no descriptor is left and that the loop never stood for a
 * second (without the time that it waited for a processor).  Prints the longest time that it stood.
 */
void ov_fixture_end (void);
/** Runs the main loop until `*flag`, at most `seconds` (then the test fails). */
void ov_fixture_wait (const gboolean *flag, guint seconds);
/** Processes of the fake worker that were started since ov_fixture_begin(). */
guint ov_fixture_count_processes (void);
/** SIGKILL to all of them. */
void ov_fixture_kill_all (void);
/** Runs the main loop until no child is left, at most `seconds` (then the test fails). */
void ov_fixture_wait_for_children (guint seconds);
/** Runs the main loop for a while. */
void ov_fixture_run (guint ms);
