// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Faults in read(2), pread(2) and preadv2(2), for the modules that a test loads.
 *
 * The test's executable defines the functions itself and exports them, so that they stand
 * before the C library's for every module. They do the real system call; for one file, while
 * faults are switched on, they shorten it or fail first. The C library's own calls (stdio) and
 * requests that go by io_uring or libaio do not come here.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  OV_TEST_FAULT_NONE,
  OV_TEST_FAULT_SHORT,       /* every second call gives a third of what was asked for */
  OV_TEST_FAULT_INTERRUPTED, /* every second call fails with EINTR */
  OV_TEST_FAULT_AGAIN,       /* every fourth call fails with EAGAIN */
  OV_TEST_FAULT_ALWAYS_AGAIN,
  OV_TEST_FAULT_IO, /* the fifth call and all later ones fail with EIO */
  /* Of preadv2() that must not wait: every second call, or every call, says that it would have to;
   * or the file system does not know the flag. */
  OV_TEST_FAULT_WOULD_WAIT,
  OV_TEST_FAULT_ALWAYS_WOULD_WAIT,
  OV_TEST_FAULT_NO_NOWAIT
} OvTestFault;

/* Switches `fault` on for the file at `path`. Calls for less than `least` bytes are not shortened.
 */
void ov_test_inject (OvTestFault fault, const char *path, gsize least);

/* Switches faults off. Returns how many there were. */
guint ov_test_inject_end (void);

G_END_DECLS
