/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stdio.getc: one call of the C library for each character.
 *
 * The library reads a block into its own buffer and deals it out, a character a call.  Each call
 * also locks the stream, in case another thread uses it too; the library leaves that out until the
 * process has had a second thread.  What it asks the kernel for is the library's own affair, so no
 * requests are shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define BATCH ((uint64_t)16384) /* characters between two looks at the stop flag */

OV_EMBED_SOURCE (getc_source);

enum
{
  OPTION_BUFFER,
  OPTION_LOCKING
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* for the stream; NULL: the library makes its own */
} Getc;

static void
getc_release (void *state)
{
  free (state);
}

static void *
do_nothing (void *data)
{
  return data;
}

/* From its first second thread on, a process locks its streams, even when that thread is gone. */
static int
enable_locking (void)
{
  pthread_t thread;
  int error = pthread_create (&thread, NULL, do_nothing, NULL);

  return error != 0 ? -error : -pthread_join (thread, NULL);
}

static int
getc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  size_t size = (size_t)task->options[OPTION_BUFFER];
  int result = 0;
  Getc *self;

  if (task->work > OV_WORK_FAST)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("A character at a time can be counted, but not put into a checksum."));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Getc){ host, task, size > 0 ? host->buffer (host, size) : NULL };
  if (size > 0 && self->buffer == NULL)
    result = -ENOMEM;
  else if (task->options[OPTION_LOCKING] != 0)
    result = enable_locking ();
  if (result < 0)
    {
      getc_release (self);
      return result;
    }
  if (task->work == OV_WORK_FAST)
    host->effective (host, "work", "plain");
  *state = self;
  return 0;
}

/* What the end of the stream means when it comes too early.  Returns 0 to go on, or -errno. */
static int
check_end (Getc *self, FILE *file, int error, uint64_t position, uint32_t *tries)
{
  if (!ferror (file))
    {
      self->host->explain (self->host, position,
                           OV_TR ("The file ends before the end of the range."));
      return -ENODATA;
    }
  clearerr (file);
  return ov_retry (self->host, -error, tries);
}

static int
count_range (Getc *self, FILE *file)
{
  uint64_t position = self->task->offset, end = position + self->task->length;
  int letter = self->task->work == OV_WORK_NONE ? EOF : (int)self->task->letter;
  uint32_t tries = 0;

  if (fseeko (file, (off_t)position, SEEK_SET) < 0)
    return -errno;
  while (position < end)
    {
      uint64_t batch = end - position < BATCH ? end - position : BATCH, n, count = 0;
      int c, error;

      if (ov_stopped (self->host))
        return -ECANCELED;
      for (n = 0; n < batch && (c = getc (file)) != EOF; n++)
        count += c == letter;
      error = errno;
      ov_counted (self->host, n, count);
      position += n;
      if (n > 0)
        tries = 0;
      if (n < batch)
        {
          error = check_end (self, file, error, position, &tries);
          if (error < 0)
            return error;
        }
    }
  return 0;
}

static int
getc_run (void *state)
{
  Getc *self = state;
  int fd = open (self->task->path, self->task->flags), result;
  FILE *file;

  if (fd < 0)
    return -errno;
  file = fdopen (fd, "r");
  if (file == NULL)
    {
      result = -errno;
      close (fd);
      return result;
    }
  if (self->buffer != NULL)
    setvbuf (file, self->buffer, _IOFBF, (size_t)self->task->options[OPTION_BUFFER]);
  self->host->effective (self->host, "locking", __libc_single_threaded ? "no" : "yes");
  result = count_range (self, file);
  fclose (file);
  return result;
}

static const OvOption option_buffer = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_SIZE,
  .name = "buffer",
  .title = OV_TR ("Stream buffer"),
  .help = OV_TR ("Size given to setvbuf(); 0 leaves the C library its own (usually 4K)."),
  .minimum = 0,
  .maximum = (int64_t)64 << 20,
  .standard = 0,
};

static const OvOption option_locking = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "locking",
  .title = OV_TR ("Lock the stream"),
  .help = OV_TR ("Start and end a second thread first, since only then does the C library lock the "
                 "stream for each character, as it does in most programs."),
  .minimum = 0,
  .maximum = 1,
  .standard = 0,
};

static const OvOption *const getc_options[] = { &option_buffer, &option_locking, NULL };

const OvStrategy stdio_getc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "stdio.getc",
  .title = OV_TR ("getc(), a character a call"),
  .summary = OV_TR ("Calls the C library for every character; the library reads 4K at a time, so "
                    "it is not the disk that is slow but the call, and its lock where there are "
                    "threads."),
  .family = "stdio",
  .article = "1.1",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BY_CHARACTER,
  .options = getc_options,
  .prepare = getc_prepare,
  .run = getc_run,
  .release = getc_release,
  .source = getc_source,
  .source_end = getc_source_end,
};
