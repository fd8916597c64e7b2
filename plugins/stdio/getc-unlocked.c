/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stdio.getc-unlocked: a character at a time, without the lock.
 *
 * getc_unlocked(3) is getc() for a stream that only one thread uses.  The compiler puts it into the
 * loop itself: a comparison and a byte from the library's buffer, and a call only when the buffer
 * is empty.  The difference to getc() is the price of calling and locking.  What the library asks
 * the kernel for is its own affair, so no requests are shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define BATCH ((uint64_t)16384) /* characters between two looks at the stop flag */

OV_EMBED_SOURCE (getc_unlocked_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* for the stream; NULL: the library makes its own */
} GetcUnlocked;

static void
getc_unlocked_release (void *state)
{
  free (state);
}

static int
getc_unlocked_prepare (const OvHost *host, const OvTask *task, void **state)
{
  size_t size = (size_t)task->options[0];
  GetcUnlocked *self;

  if (task->work > OV_WORK_FAST)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("A character at a time can be counted, but not put into a checksum."));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (GetcUnlocked){ host, task, size > 0 ? host->buffer (host, size) : NULL };
  if (size > 0 && self->buffer == NULL)
    {
      getc_unlocked_release (self);
      return -ENOMEM;
    }
  if (task->work == OV_WORK_FAST)
    host->effective (host, "work", "plain");
  *state = self;
  return 0;
}

/* What the end of the stream means when it comes too early.  Returns 0 to go on, or -errno. */
static int
check_end (GetcUnlocked *self, FILE *file, int error, uint64_t position, uint32_t *tries)
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
count_range (GetcUnlocked *self, FILE *file)
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
      for (n = 0; n < batch && (c = getc_unlocked (file)) != EOF; n++)
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
getc_unlocked_run (void *state)
{
  GetcUnlocked *self = state;
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
    setvbuf (file, self->buffer, _IOFBF, (size_t)self->task->options[0]);
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

static const OvOption *const getc_unlocked_options[] = { &option_buffer, NULL };

const OvStrategy stdio_getc_unlocked = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "stdio.getc-unlocked",
  .title = OV_TR ("getc_unlocked(), no lock"),
  .summary = OV_TR ("Takes each character straight out of the C library's buffer, without a lock: "
                    "the cheapest way to read by characters, for a stream with one user."),
  .family = "stdio",
  .article = "1.1",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BY_CHARACTER,
  .options = getc_unlocked_options,
  .prepare = getc_unlocked_prepare,
  .run = getc_unlocked_run,
  .release = getc_unlocked_release,
  .source = getc_unlocked_source,
  .source_end = getc_unlocked_source_end,
};
