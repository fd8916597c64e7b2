/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmap.scan: the file as memory.
 *
 * No call reads anything: the file is mapped, and the first touch of each page makes the kernel
 * fetch it (a page fault, for up to 16 pages at once).  Here a request is the touching of one
 * piece, so that the faults can be seen apart from the counting.  A job of blocks copies each of
 * them into a buffer, as any use of read() would, so that the same bytes are moved.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "overlap-strategy.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#endif

#define LARGEST_PIECE ((uint64_t)1 << 20) /* between two looks at the stop flag */

OV_EMBED_SOURCE (scan_source);

enum
{
  OPTION_POPULATE,
  OPTION_HUGE_PAGES
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *copy; /* one piece, for a job of blocks; else NULL */
  uint64_t piece;
  uint64_t page;
  bool populate;
  char *map;       /* the mapping, which begins on a page */
  uint64_t origin; /* where in the file it begins */
} Scan;

static void
scan_release (void *state)
{
  free (state);
}

/* Says what is wrong with the task, or returns NULL. */
static const char *
find_fault (const OvTask *task)
{
  if ((task->flags & O_DIRECT) != 0)
    return OV_TR ("A mapped file always goes through the page cache.");
  if (task->job == OV_JOB_BLOCKS && task->requests > 0 && task->length < task->block)
    return OV_TR ("The file is smaller than one block.");
  return NULL;
}

static int
scan_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const char *fault = find_fault (task);
  Scan *self;

  if (fault != NULL)
    {
      host->explain (host, UINT64_MAX, fault);
      return -EINVAL;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  self->piece = task->block < LARGEST_PIECE ? task->block : LARGEST_PIECE;
  self->page = (uint64_t)sysconf (_SC_PAGESIZE);
  self->populate = task->options[OPTION_POPULATE] != 0;
  if (task->job == OV_JOB_BLOCKS)
    {
      self->copy = host->buffer (host, self->piece);
      if (self->copy == NULL)
        {
          scan_release (self);
          return -ENOMEM;
        }
    }
  if (task->block > LARGEST_PIECE)
    host->effective (host, "block", "1M");
  *state = self;
  return 0;
}

/* Reads one byte of each page, which is all it takes to have it fetched. */
static void
touch (const volatile char *data, uint64_t bytes, uint64_t page)
{
  for (uint64_t i = 0; i < bytes; i += page)
    (void)data[i];
  (void)data[bytes - 1];
}

/* Has the kernel fetch and map the pages of a piece with one call.  Returns 0 or -errno. */
static int
populate (Scan *self, char *data, uint64_t bytes)
{
  uintptr_t start = (uintptr_t)data / self->page * self->page;

  if (madvise ((void *)start, (uintptr_t)data + bytes - start, MADV_POPULATE_READ) == 0)
    return 0;
  if (errno != EINVAL)
    return errno == EFAULT ? -ENODATA : -errno; /* EFAULT: beyond the end of the file */
  self->populate = false;
  self->host->effective (self->host, "populate", "no: Linux 5.14 is the first that can");
  touch (data, bytes, self->page);
  return 0;
}

/* Brings the piece at `position` into memory.  Returns where it lies, or NULL with the error. */
static const char *
fetch (Scan *self, uint64_t position, uint64_t bytes, int *error)
{
  char *data = self->map + (position - self->origin);

  *error = 0;
  ov_submitted (self->host, 0, position, bytes);
  if (self->copy != NULL)
    memcpy (self->copy, data, bytes);
  else if (self->populate)
    *error = populate (self, data, bytes);
  else
    touch (data, bytes, self->page);
  ov_completed (self->host, 0, *error < 0 ? *error : (int64_t)bytes);
  if (*error < 0)
    return NULL;
  return self->copy != NULL ? self->copy : data;
}

/* Fetches and consumes the bytes from `position` to `end`, piece by piece. */
static int
scan_range (Scan *self, uint64_t position, uint64_t end)
{
  uint32_t tries = 0;

  while (position < end)
    {
      uint64_t bytes = end - position < self->piece ? end - position : self->piece;
      const char *data;
      int error;

      if (ov_stopped (self->host))
        return -ECANCELED;
      data = fetch (self, position, bytes, &error);
      if (data == NULL)
        {
          error = ov_retry (self->host, error, &tries);
          if (error == -ENODATA)
            self->host->explain (self->host, position,
                                 OV_TR ("The file ends before the end of the range."));
          if (error < 0)
            return error;
          continue;
        }
      tries = 0;
      ov_consume (self->host, 0, data, bytes);
      position += bytes;
    }
  return 0;
}

/* `requests` blocks wherever ov_position() says. */
static int
scan_blocks (Scan *self)
{
  OvPositions positions;
  int result = 0;

  ov_positions_init (&positions, self->task);
  for (uint64_t i = 0; i < self->task->requests && result == 0; i++)
    {
      uint64_t position = ov_position (&positions);

      result = scan_range (self, position, position + self->task->block);
    }
  return result;
}

/* The whole range, piece by piece, wherever ov_piece() says. */
static int
scan_pieces (Scan *self)
{
  OvPositions positions;
  uint64_t bytes, left = self->task->length;
  int result = 0;

  ov_positions_init (&positions, self->task);
  for (; left > 0 && result == 0; left -= bytes)
    {
      uint64_t position = ov_piece (&positions, &bytes);

      result = scan_range (self, position, position + bytes);
    }
  return result;
}

static int
scan_file (Scan *self, int fd)
{
  const OvTask *task = self->task;
  uint64_t end = task->offset + task->length;
  const char *advice = task->order == OV_ORDER_RANDOM       ? "random"
                       : task->order == OV_ORDER_SEQUENTIAL ? "sequential"
                                                            : "none";
  struct stat info;
  int result;

  if (fstat (fd, &info) < 0)
    return -errno;
  if ((uint64_t)info.st_size < end) /* touching a page beyond the end would be a bus error */
    {
      self->host->explain (self->host, (uint64_t)info.st_size,
                           OV_TR ("The file ends before the end of the range."));
      return -ENODATA;
    }
  if (task->length == 0) /* nothing to map is no error */
    return 0;
  self->origin = task->offset / self->page * self->page;
  self->map = mmap (NULL, end - self->origin, PROT_READ, MAP_SHARED, fd, (off_t)self->origin);
  /* A FUSE file system that bypasses the page cache refuses shared maps; read only, both are one.
   */
  if (self->map == MAP_FAILED && errno == ENODEV)
    self->map = mmap (NULL, end - self->origin, PROT_READ, MAP_PRIVATE, fd, (off_t)self->origin);
  if (self->map == MAP_FAILED)
    return -errno;
  if (task->order == OV_ORDER_RANDOM || task->order == OV_ORDER_SEQUENTIAL)
    madvise (self->map, end - self->origin,
             task->order == OV_ORDER_RANDOM ? MADV_RANDOM : MADV_SEQUENTIAL);
  self->host->effective (self->host, "advice", advice);
  if (task->options[OPTION_HUGE_PAGES] != 0
      && madvise (self->map, end - self->origin, MADV_HUGEPAGE) < 0)
    self->host->effective (self->host, "huge-pages", "refused by the kernel");
  result = task->job == OV_JOB_BLOCKS ? scan_blocks (self) : scan_pieces (self);
  munmap (self->map, end - self->origin);
  return result;
}

static int
scan_run (void *state)
{
  Scan *self = state;
  int fd = open (self->task->path, self->task->flags), result;

  if (fd < 0)
    return -errno;
  result = scan_file (self, fd);
  close (fd);
  return result;
}

static const OvOption option_populate = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "populate",
  .title = OV_TR ("Map each piece with one call"),
  .help = OV_TR ("Call madvise() with MADV_POPULATE_READ for each piece, instead of one page fault "
                 "for every 16 pages or so."),
  .minimum = 0,
  .maximum = 1,
  .standard = 0,
};

static const OvOption option_huge_pages = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "huge-pages",
  .title = OV_TR ("Huge pages"),
  .help = OV_TR ("Advise the kernel to map huge pages; few file systems have them for a file."),
  .minimum = 0,
  .maximum = 1,
  .standard = 0,
};

static const OvOption *const scan_options[] = { &option_populate, &option_huge_pages, NULL };

static const OvStrategy scan = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "mmap.scan",
  .title = OV_TR ("Mapped file"),
  .summary = OV_TR ("Uses the file as memory: counting copies nothing and calls nothing, a page "
                    "fault fetches what is missing; blocks are copied out, to move the same bytes "
                    "as read() does."),
  .family = "mmap",
  .article = "1.4",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_POSITIONS,
  .options = scan_options,
  .prepare = scan_prepare,
  .run = scan_run,
  .release = scan_release,
  .source = scan_source,
  .source_end = scan_source_end,
};

OV_STRATEGIES (&scan);
