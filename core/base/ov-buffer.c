// SPDX-License-Identifier: GPL-3.0-or-later
/* Buffers on huge pages, and what the kernel says about them. */
#include "config.h"

#include "base/ov-buffer.h"
#include "base/ov-buffer-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static gsize
small_page (void)
{
  return (gsize)sysconf (_SC_PAGESIZE);
}

/* `bytes` rounded up to whole huge pages; 0 if that or the guards would not fit. */
static gsize
rounded_size (gsize bytes)
{
  if (bytes == 0 || bytes > G_MAXSIZE / 2 - 2 * OV_BUFFER_ALIGNMENT)
    return 0;
  return (bytes + OV_BUFFER_ALIGNMENT - 1) & ~(OV_BUFFER_ALIGNMENT - 1);
}

/* Touches each page, for a kernel that has no MADV_POPULATE_WRITE. */
static void
touch_pages (char *start, gsize size)
{
  for (gsize i = 0; i < size; i += small_page ())
    ((volatile char *)start)[i] = 0;
}

/* The guards keep the mapping from being merged with a neighbour: its line is about it alone. */
gsize
ov_buffer_read_page_size (const void *start, gsize size)
{
  char line[512];
  gboolean inside = FALSE;
  gsize result = small_page ();
  FILE *file = fopen ("/proc/self/smaps", "re");

  if (file == NULL)
    return result;
  while (fgets (line, sizeof line, file) != NULL)
    {
      gsize first, last, kib;

      if (sscanf (line, "%zx-%zx ", &first, &last) == 2)
        {
          if (inside)
            break;
          inside = first == (gsize)start && last == first + size;
        }
      else if (inside && sscanf (line, "AnonHugePages: %zu kB", &kib) == 1)
        {
          if (kib * 1024 == size)
            result = OV_BUFFER_ALIGNMENT;
          break;
        }
    }
  fclose (file);
  return result;
}

/* Maps `size` bytes aligned to a huge page, readable and writable, with a guard page on each side;
 * NULL with errno. */
static char *
map_guarded (gsize size)
{
  gsize guard = small_page ();
  gsize whole = size + OV_BUFFER_ALIGNMENT + 2 * guard;
  char *base = mmap (NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char *start, *end;

  if (base == MAP_FAILED)
    return NULL;
  start = (char *)(((gsize)base + guard + OV_BUFFER_ALIGNMENT - 1) & ~(OV_BUFFER_ALIGNMENT - 1));
  end = start + size;
  if (start - guard > base)
    munmap (base, (gsize)(start - guard - base));
  if (base + whole > end + guard)
    munmap (end + guard, (gsize)(base + whole - end - guard));
  if (mprotect (start, size, PROT_READ | PROT_WRITE) != 0)
    {
      int saved = errno;

      munmap (start - guard, size + 2 * guard);
      errno = saved;
      return NULL;
    }
  return start;
}

void *
ov_buffer_alloc (gsize bytes, gsize *page_size)
{
  gsize size = rounded_size (bytes);
  char *start;

  if (size == 0)
    {
      errno = bytes == 0 ? EINVAL : ENOMEM;
      return NULL;
    }
  start = map_guarded (size);
  if (start == NULL)
    return NULL;
  /* Refused where huge pages are switched off: the buffer is then on ordinary pages, and said so.
   */
  (void)madvise (start, size, MADV_HUGEPAGE);
  if (madvise (start, size, MADV_POPULATE_WRITE) != 0)
    {
      if (errno != EINVAL)
        {
          int saved = errno == EFAULT ? ENOMEM : errno;

          ov_buffer_free (start, bytes);
          errno = saved;
          return NULL;
        }
      touch_pages (start, size);
    }
  if (page_size != NULL)
    *page_size = ov_buffer_read_page_size (start, size);
  return start;
}

void
ov_buffer_free (void *buffer, gsize bytes)
{
  gsize guard = small_page ();

  if (buffer != NULL)
    munmap ((char *)buffer - guard, rounded_size (bytes) + 2 * guard);
}
