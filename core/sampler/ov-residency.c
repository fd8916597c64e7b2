/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By mincore(2) on a mapping that is made for it in windows of 1 GiB and never touched.
 */
#include "sampler/ov-residency.h"

#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW ((guint64)1 << 30)

/** mincore answers truly only to the owner or to one who may write. */
static gboolean
may_know (int fd)
{
  g_autofree char *self = NULL;
  struct stat st;

  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    return FALSE;
  if (st.st_uid == geteuid () || geteuid () == 0)
    return TRUE;
  self = g_strdup_printf ("/proc/self/fd/%d", fd);
  return access (self, W_OK) == 0;
}

double
ov_residency (int fd, guint64 offset, guint64 bytes)
{
  const guint64 page = (guint64)sysconf (_SC_PAGESIZE);
  const guint64 end = offset + bytes;
  guint64 resident = 0, total = 0;
  g_autofree unsigned char *pages = NULL;

  if (bytes == 0 || !may_know (fd))
    return NAN;
  pages = g_try_malloc (WINDOW / page);
  if (pages == NULL)
    return NAN;
  for (guint64 at = offset / page * page; at < end; at += WINDOW)
    {
      const guint64 length = MIN (WINDOW, end - at);
      const guint64 n = (length + page - 1) / page;
      void *map = mmap (NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)at);
      gboolean known;

      if (map == MAP_FAILED)
        return NAN;
      known = mincore (map, length, pages) == 0;
      munmap (map, length);
      if (!known)
        return NAN;
      for (guint64 i = 0; i < n; i++)
        resident += pages[i] & 1;
      total += n;
    }
  return (double)resident / (double)total;
}

int
ov_residency_drop (int fd, guint64 offset, guint64 bytes)
{
  /* posix_fadvise returns the error and leaves errno alone. */
  return -posix_fadvise (fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}
