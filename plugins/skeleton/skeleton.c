/* SPDX-License-Identifier: MIT
 *
 * skeleton.c: a complete strategy to copy and change.  It counts a letter with read(2).
 *
 *   cc -O2 -fPIC -shared -o ~/.local/share/overlap/plugins/mine.so mine.c
 *
 * builds a copy of it named mine.c; with overlap-strategy.h somewhere else than in the compiler's
 * own folders, add -I FOLDER.  Overlap finds the module at its next start.  Give the copy an id of
 * its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (skeleton_source); /* this file, to be shown in the window */

/* What one run needs.  It lives here and never in globals: two runs may follow each other. */
typedef struct
{
  const OvHost *host; /* what Overlap offers; valid until skeleton_release() */
  const OvTask *task; /* what is to be done; as long */
  char *buffer;
} Skeleton;

/* Frees what skeleton_prepare() made.  The buffer is the host's. */
static void
skeleton_release (void *state)
{
  free (state);
}

/* Before the clock starts: memory, threads, rings; everything that is set up only once. */
static int
skeleton_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Skeleton *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  *self = (Skeleton){ host, task, host->buffer (host, task->block) };
  if (self->buffer == NULL)
    {
      skeleton_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* Reads the range of the task, block by block, and hands the bytes to the task's work. */
static int
skeleton_read (Skeleton *self, int fd)
{
  const OvHost *host = self->host;
  uint64_t position = self->task->offset, end = position + self->task->length;
  uint32_t tries = 0;
  int error;

  while (position < end)
    {
      uint64_t want = end - position < self->task->block ? end - position : self->task->block;
      int64_t n;

      if (ov_stopped (host)) /* before each request: has somebody pressed Stop? */
        return -ECANCELED;
      ov_submitted (host, 0, position, want); /* in buffer 0, for there is only one */
      n = read (fd, self->buffer, want);
      if (n < 0)
        n = -errno;
      ov_completed (host, 0, n);
      if (n < 0)
        {
          error = ov_retry (host, n, &tries);
          if (error < 0)
            return error;
          continue; /* only interrupted: once more */
        }
      tries = 0;
      if (n == 0) /* somebody cut the file off: an error, not a loop without end */
        {
          host->explain (host, position, OV_TR ("The file ends before the end of the range."));
          return -ENODATA;
        }
      if ((uint64_t)n < want) /* the rest comes with the next request */
        ov_short_io (host);
      ov_consume (host, 0, self->buffer, (size_t)n);
      position += (uint64_t)n;
    }
  return 0;
}

/* The part that is measured.  Returns 0, -ECANCELED when stopped, or another negative errno. */
static int
skeleton_run (void *state)
{
  Skeleton *self = state;
  int fd = open (self->task->path, self->task->flags), result;

  if (fd < 0)
    return -errno;
  result = lseek (fd, (off_t)self->task->offset, SEEK_SET) < 0 ? -errno : skeleton_read (self, fd);
  close (fd);
  return result;
}

/* What Overlap knows of the strategy: its texts, the jobs it can do, the controls that it heeds. */
static const OvStrategy skeleton = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "skeleton.read", /* FAMILY.NAME */
  .title = OV_TR ("Skeleton"),
  .summary = OV_TR ("A template to copy: reads one block after the other with read()."),
  .family = "skeleton",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BLOCK,
  .prepare = skeleton_prepare,
  .run = skeleton_run,
  .release = skeleton_release,
  .source = skeleton_source,
  .source_end = skeleton_source_end,
};

OV_STRATEGIES (&skeleton);
