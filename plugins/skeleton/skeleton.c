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

/* What one run needs.  It lives here and never in globals: one run may follow another. */
typedef struct
{
  const OvHost *host; /* what Overlap offers; valid until skeleton_release() */
  const OvTask *task; /* what is to be done; as long */
  char *buffer;       /* for one block */
} Skeleton;

/* Before the clock starts: memory, threads, rings; everything that is set up only once. */
static int
skeleton_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Skeleton *self = malloc (sizeof *self);
  char *buffer = host->buffer (host, task->block); /* the host frees it */

  if (self == NULL || buffer == NULL)
    {
      free (self); /* whoever fails cleans up: skeleton_release() is not called then */
      return -ENOMEM;
    }
  *self = (Skeleton){ host, task, buffer };
  *state = self;
  return 0;
}

/* The part that is measured: reads the range of the task, block by block, and hands the bytes to
 * the task's work.  Returns 0, -ECANCELED when stopped, or another negative errno. */
static int
skeleton_run (void *state)
{
  Skeleton *self = state;
  const OvHost *host = self->host;
  const OvTask *task = self->task;
  uint64_t position = task->offset, end = position + task->length;
  uint32_t tries = 0;
  int fd = open (task->path, task->flags);
  int error = fd < 0 || lseek (fd, (off_t)position, SEEK_SET) < 0 ? -errno : 0;

  while (position < end && error == 0)
    {
      uint64_t want = end - position < task->block ? end - position : task->block;
      int64_t n;

      if (ov_stopped (host)) /* before each request: has somebody pressed Stop? */
        {
          error = -ECANCELED;
          break;
        }
      ov_submitted (host, 0, position, want); /* into buffer 0, for there is only one */
      n = read (fd, self->buffer, want);
      if (n < 0)
        n = -errno;
      ov_completed (host, 0, n);
      if (n > 0) /* fewer than wanted are no error: the next request asks for the rest */
        {
          if ((uint64_t)n < want)
            ov_short_io (host);
          ov_consume (host, 0, self->buffer, (size_t)n);
          position += (uint64_t)n;
          tries = 0;
        }
      else if (n < 0)
        error = ov_retry (host, n, &tries); /* 0 if it was only interrupted */
      else
        {
          host->explain (host, position, OV_TR ("The file ends before the end of the range."));
          error = -ENODATA; /* somebody cut it off: no loop without end */
        }
    }
  if (fd >= 0)
    close (fd);
  return error;
}

/* Frees what skeleton_prepare() made, also after an error or a stop. */
static void
skeleton_release (void *state)
{
  free (state);
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
