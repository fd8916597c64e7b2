// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Faults in completions, and in handing requests over: what POSIX AIO, libaio and io_uring say, for
 * the modules that a test loads.
 *
 * The test's executable defines the functions by which a strategy learns of completions and exports
 * them, so that they stand before the libraries' own. They call the real ones; while faults are
 * switched on they change the results, or the order, of what came back. A request always was really
 * made: a shortened one's bytes are all there, but the strategy must not use them. A call that
 * fails to hand requests over does nothing else.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  OV_TEST_COMPLETION_NONE,
  OV_TEST_COMPLETION_SHORT,       /* every third one brought less: a multiple of `unit` bytes */
  OV_TEST_COMPLETION_INTERRUPTED, /* every third one failed with EINTR */
  OV_TEST_COMPLETION_AGAIN,       /* every tenth one failed with EAGAIN */
  OV_TEST_COMPLETION_ALWAYS_AGAIN,
  OV_TEST_COMPLETION_IO,       /* the fifth one failed with EIO */
  OV_TEST_COMPLETION_REVERSED, /* of those that came together, the last is seen first */
  OV_TEST_SUBMISSION_AGAIN,    /* every other call that hands requests over fails with EAGAIN */
  OV_TEST_SUBMISSION_REFUSED   /* the third call and all later ones fail with ENXIO */
} OvTestCompletion;

/* Switches `fault` on for requests of at least `unit` bytes. */
void ov_test_completions (OvTestCompletion fault, gsize unit);

/* Switches faults off. Returns how many there were (reversed: groups of two and more). */
guint ov_test_completions_end (void);

/* Makes io_setup() fail with `error` (an errno) from now on; 0: no more. */
void ov_test_fail_io_setup (int error);

/* Makes rings with a polling thread fail with `error` (an errno) from now on; 0: no more. */
void ov_test_refuse_poller (int error);

/* The most threads that this process had when POSIX AIO brought something back, since the last
 * ov_test_completions(). */
guint ov_test_completions_threads (void);

G_END_DECLS
