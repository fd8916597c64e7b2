// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Faults in read(2), pread(2) and preadv2(2): see ov-test-inject.h.
 *
 * Large file support is switched off for this file alone, so that pread and pread64 are two names,
 * and preadv2 too: both are defined.
 */
#undef _FILE_OFFSET_BITS
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "ov-test-inject.h"

#define EXPORTED __attribute__ ((visibility ("default")))

static atomic_int active; /* OvTestFault */
static atomic_uint calls;
static atomic_uint faults;
static gsize smallest;
static dev_t device;
static ino_t inode;

void
ov_test_inject (OvTestFault fault, const char *path, gsize least)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  device = info.st_dev;
  inode = info.st_ino;
  smallest = least;
  atomic_store (&calls, 0);
  atomic_store (&faults, 0);
  atomic_store (&active, (int)fault);
}

guint
ov_test_inject_end (void)
{
  atomic_store (&active, OV_TEST_FAULT_NONE);
  return atomic_load (&faults);
}

/* What happens to this call: 0, or the errno it fails with. `limit` is lowered where it is to
 * return less than it moved. */
static int
interfere (int fd, size_t bytes, ssize_t *limit)
{
  OvTestFault fault = (OvTestFault)atomic_load (&active);
  struct stat info;
  guint n;
  int error = 0;

  if (fault == OV_TEST_FAULT_NONE || fault >= OV_TEST_FAULT_WOULD_WAIT || fstat (fd, &info) < 0
      || info.st_dev != device || info.st_ino != inode)
    return 0;
  n = atomic_fetch_add (&calls, 1);
  if (fault == OV_TEST_FAULT_SHORT && n % 2 == 0 && bytes >= smallest)
    {
      *limit = (ssize_t)(bytes / 3);
      atomic_fetch_add (&faults, 1);
    }
  else if (fault == OV_TEST_FAULT_INTERRUPTED)
    error = n % 2 == 0 ? EINTR : 0;
  else if (fault == OV_TEST_FAULT_AGAIN)
    error = n % 4 == 0 ? EAGAIN : 0;
  else if (fault == OV_TEST_FAULT_ALWAYS_AGAIN)
    error = EAGAIN;
  else if (fault == OV_TEST_FAULT_IO)
    error = n >= 4 ? EIO : 0;
  if (error != 0)
    atomic_fetch_add (&faults, 1);
  return error;
}

EXPORTED ssize_t
read (int fd, void *buffer, size_t bytes)
{
  ssize_t limit = SSIZE_MAX, n;
  int error = interfere (fd, bytes, &limit);

  if (error != 0)
    {
      errno = error;
      return -1;
    }
  n = syscall (SYS_read, fd, buffer, bytes);
  if (n > limit)
    {
      lseek (fd, limit - n, SEEK_CUR);
      n = limit;
    }
  return n;
}

static ssize_t
read_from (int fd, void *buffer, size_t bytes, off64_t offset)
{
  ssize_t limit = SSIZE_MAX, n;
  int error = interfere (fd, bytes, &limit);

  if (error != 0)
    {
      errno = error;
      return -1;
    }
  n = syscall (SYS_pread64, fd, buffer, bytes, offset);
  return MIN (n, limit);
}

EXPORTED ssize_t
pread (int fd, void *buffer, size_t bytes, off_t offset)
{
  return read_from (fd, buffer, bytes, offset);
}

EXPORTED ssize_t
pread64 (int fd, void *buffer, size_t bytes, off64_t offset)
{
  return read_from (fd, buffer, bytes, offset);
}

/* What happens to a call that must not wait. */
static int
refuse_to_wait (int fd, int flags)
{
  OvTestFault fault = (OvTestFault)atomic_load (&active);
  struct stat info;
  guint n;
  int error = 0;

  if (fault < OV_TEST_FAULT_WOULD_WAIT || (flags & RWF_NOWAIT) == 0 || fstat (fd, &info) < 0
      || info.st_dev != device || info.st_ino != inode)
    return 0;
  n = atomic_fetch_add (&calls, 1);
  if (fault == OV_TEST_FAULT_NO_NOWAIT)
    error = EOPNOTSUPP;
  else if (fault == OV_TEST_FAULT_ALWAYS_WOULD_WAIT || n % 2 == 0)
    error = EAGAIN;
  if (error != 0)
    atomic_fetch_add (&faults, 1);
  return error;
}

static ssize_t
read_vector (int fd, const struct iovec *vector, int n, off64_t offset, int flags)
{
  ssize_t limit = SSIZE_MAX, got;
  int error = refuse_to_wait (fd, flags);

  if (error == 0)
    error = interfere (fd, vector[0].iov_len, &limit);
  if (error != 0)
    {
      errno = error;
      return -1;
    }
  got = syscall (SYS_preadv2, fd, vector, n, (long)offset, 0L, flags);
  return MIN (got, limit);
}

EXPORTED ssize_t
preadv2 (int fd, const struct iovec *vector, int n, off_t offset, int flags)
{
  return read_vector (fd, vector, n, offset, flags);
}

EXPORTED ssize_t
preadv64v2 (int fd, const struct iovec *vector, int n, off64_t offset, int flags)
{
  return read_vector (fd, vector, n, offset, flags);
}
