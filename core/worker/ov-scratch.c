/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only files that this program created are ever written: O_TMPFILE, or else O_EXCL and unlinked at
 * once.
 */
#include "config.h"

#include "worker/ov-scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"
#include "base/ov-units.h"

#define CHUNK ((gsize)1 << 20)

static int
check_space (const char *folder, guint64 size, OvShared *shared)
{
  g_autofree char *need = NULL, *have = NULL;
  struct statvfs fs;
  guint64 available;

  if (statvfs (folder, &fs) != 0)
    return ov_shared_fail (shared, -errno, _ ("%s cannot be looked at"), folder);
  available = (guint64)fs.f_bavail * fs.f_frsize;
  if (size <= available)
    return 0;
  need = ov_bytes_format_si ((double)size);
  have = ov_bytes_format_si ((double)available);
  return ov_shared_fail (shared, -ENOSPC, _ ("The scratch file needs %s, and %s has %s free"), need,
                         folder, have);
}

static int
create (const char *folder, OvShared *shared)
{
  g_autofree char *name = NULL;
  struct stat st;
  int fd;

  if (stat (folder, &st) != 0)
    return ov_shared_fail (shared, -errno, _ ("%s cannot be used"), folder);
  if (!S_ISDIR (st.st_mode))
    return ov_shared_fail (shared, -ENOTDIR, _ ("%s cannot hold a scratch file"), folder);
  fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
    return ov_shared_fail (shared, -errno, _ ("No file can be made in %s"), folder);
  name = g_build_filename (folder, ".overlap-XXXXXX", NULL);
  fd = mkostemp (name, O_CLOEXEC);
  if (fd < 0)
    return ov_shared_fail (shared, -errno, _ ("No file can be made in %s"), folder);
  unlink (name);
  return fd;
}

static int
write_all (int fd, const char *data, gsize bytes)
{
  while (bytes > 0)
    {
      ssize_t n = write (fd, data, bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? -errno : -EIO;
      data += n;
      bytes -= (gsize)n;
    }
  return 0;
}

static int
fill (int fd, const OvScratchOrder *order, OvShared *shared)
{
  g_autofree char *buffer = g_malloc (CHUNK);
  int result = 0;

  shared->phase_total = (gint64)order->size;
  /* Space is taken at once where the file system can; EOPNOTSUPP says nothing else. */
  if (order->size > 0 && fallocate (fd, 0, 0, (off_t)order->size) != 0
      && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT))
    return ov_shared_fail (shared, -errno, _ ("The scratch file in %s cannot be made so large"),
                           order->folder);
  for (guint64 at = 0; at < order->size && result == 0; at += CHUNK)
    {
      const gsize n = (gsize)MIN (CHUNK, order->size - at);

      if (ov_shared_stopped (shared))
        return -ECANCELED;
      ov_text_fill (buffer, at, n, order->seed, order->letter, order->density);
      shared->file_count += ov_count_fast (buffer, n, order->letter);
      result = write_all (fd, buffer, n);
      shared->phase_done = (gint64)(at + n);
    }
  if (result == 0 && fdatasync (fd) != 0)
    result = -errno;
  if (result != 0)
    return ov_shared_fail (shared, result, _ ("The scratch file in %s cannot be written"),
                           order->folder);
  return 0;
}

void
ov_scratch_child (const OvScratchOrder *order, OvShared *shared)
{
  int result, fd = -1;

  signal (SIGXFSZ, SIG_IGN);
  ov_shared_enter (shared, OV_PHASE_LAYOUT);
  result = fd = create (order->folder, shared);
  if (result >= 0)
    result = check_space (order->folder, order->size, shared);
  if (result == 0 && !order->empty)
    result = fill (fd, order, shared);
  shared->error = result;
  if (result == 0)
    {
      shared->holder_fd = fd;
      shared->file_size = order->empty ? 0 : order->size;
      __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
      for (;;)
        pause ();
    }
  if (fd >= 0)
    close (fd);
  shared->done_ns = ov_clock_now_ns ();
  __atomic_store_n (&shared->finished, 1, __ATOMIC_RELEASE);
}
