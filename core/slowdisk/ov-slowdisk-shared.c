/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A new memory file is zero, which is a state that means something: whichever side maps it first.
 */
#include "config.h"

#include "slowdisk/ov-slowdisk-shared.h"

#include <sys/mman.h>
#include <unistd.h>

gsize
ov_slowdisk_shared_bytes (void)
{
  return OV_SLOWDISK_LOG_OFFSET + ov_request_log_bytes (OV_SLOWDISK_LOG_CAPACITY);
}

void *
ov_slowdisk_shared_log (OvSlowdiskShared *shared, gsize *bytes)
{
  *bytes = ov_request_log_bytes (OV_SLOWDISK_LOG_CAPACITY);
  return (char *)shared + OV_SLOWDISK_LOG_OFFSET;
}

OvSlowdiskShared *
ov_slowdisk_shared_map (int fd)
{
  const gsize bytes = ov_slowdisk_shared_bytes ();
  void *memory;

  if (ftruncate (fd, (off_t)bytes) != 0)
    return NULL;
  memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void
ov_slowdisk_shared_unmap (OvSlowdiskShared *shared)
{
  if (shared != NULL)
    munmap (shared, ov_slowdisk_shared_bytes ());
}
