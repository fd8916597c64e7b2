/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's own answer (STATX_DIOALIGN, Linux 6.1) is taken where there is one; the offsets of
 * its two fields in struct statx are kernel ABI, and older C libraries do not name them.
 */
#include "config.h"

#include "worker/ov-direct.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#define MASK_DIOALIGN       0x2000u
#define OFFSET_MEM_ALIGN    152
#define OFFSET_OFFSET_ALIGN 156
#define MAGIC_TMPFS         0x01021994
#define MAGIC_RAMFS         0x858458f6
#define LARGEST_ALIGN       65536

int
ov_open_regular (const char *path, int flags, struct stat *st)
{
  int fd = open (path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  int error;

  if (fd < 0)
    {
      error = errno;
      if (stat (path, st) == 0 && !S_ISREG (st->st_mode))
        return -ENXIO;
      return -error;
    }
  if (fstat (fd, st) != 0)
    error = errno;
  else if (!S_ISREG (st->st_mode))
    error = ENXIO;
  else
    {
      /* O_NONBLOCK was for the opening only; and who may leave the time of access alone does. */
      const int now = fcntl (fd, F_GETFL) & ~O_NONBLOCK;

      if ((now & O_ACCMODE) != O_RDONLY || fcntl (fd, F_SETFL, now | O_NOATIME) != 0)
        fcntl (fd, F_SETFL, now);
      return fd;
    }
  close (fd);
  return -error;
}

/** Smallest alignment with which a direct read is taken, or 0. */
static guint32
try_aligns (int fd)
{
  guint32 found = 0;
  void *memory = NULL;

  if (posix_memalign (&memory, LARGEST_ALIGN, LARGEST_ALIGN) != 0)
    return 0;
  for (guint32 align = 512; align <= LARGEST_ALIGN && found == 0; align *= 2)
    if (pread (fd, memory, align, 0) >= 0)
      found = align;
    else if (errno != EINVAL)
      break;
  free (memory);
  return found;
}

guint32
ov_direct_align (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct statx facts;
  guint32 align = 0;
  int direct;

  memset (&facts, 0, sizeof facts);
  if (statx (fd, "", AT_EMPTY_PATH, MASK_DIOALIGN, &facts) == 0
      && (facts.stx_mask & MASK_DIOALIGN) != 0)
    {
      guint32 memory_align, offset_align;

      memcpy (&memory_align, (const char *)&facts + OFFSET_MEM_ALIGN, sizeof memory_align);
      memcpy (&offset_align, (const char *)&facts + OFFSET_OFFSET_ALIGN, sizeof offset_align);
      return memory_align == 0 || offset_align == 0 ? 0 : MAX (memory_align, offset_align);
    }
  direct = open (path, O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (direct < 0)
    return 0;
  align = try_aligns (direct);
  close (direct);
  return align;
}

gboolean
ov_is_memory_fs (int fd)
{
  struct statfs fs;

  return fstatfs (fd, &fs) == 0
         && ((guint32)fs.f_type == MAGIC_TMPFS || (guint32)fs.f_type == MAGIC_RAMFS);
}

const char *
ov_file_kind (mode_t mode)
{
  if (S_ISDIR (mode))
    return _ ("a folder");
  if (S_ISFIFO (mode))
    return _ ("a FIFO");
  if (S_ISCHR (mode))
    return _ ("a character device");
  if (S_ISBLK (mode))
    return _ ("a block device");
  if (S_ISSOCK (mode))
    return _ ("a socket");
  return _ ("no regular file");
}
