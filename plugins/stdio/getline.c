/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stdio.getline: a line a call.
 *
 * getline(3) looks for the line's end and copies the line into memory that it enlarges as needed:
 * the C library's lock and call are paid once for each line, not for each character.  A line has no
 * upper limit, and memory has: so the stream reads through a function of ours (fopencookie), which
 * sees each block that the library asks for and refuses to go on with a line of more than 64 MiB.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define LONGEST_LINE ((uint64_t)64 << 20)
#define BATCH        ((uint64_t)16384) /* characters between two reports */

OV_EMBED_SOURCE (getline_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* for the stream */
  int fd;
  uint64_t position; /* where the stream reads next */
  uint64_t line;     /* where the line begins that is being put together */
  int error;         /* why the stream ended, where it was not the range's end */
} Getline;

static void
getline_release (void *state)
{
  free (state);
}

static int
getline_prepare (const OvHost *host, const OvTask *task, void **state)
{
  size_t size = (size_t)task->options[0];
  Getline *self;

  if (task->work > OV_WORK_FAST)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("Lines can be counted here, but not put into a checksum."));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Getline){ host, task, host->buffer (host, size > 0 ? size : BUFSIZ), -1 };
  if (self->buffer == NULL)
    {
      getline_release (self);
      return -ENOMEM;
    }
  if (task->work == OV_WORK_FAST)
    host->effective (host, "work", "plain");
  *state = self;
  return 0;
}

/* Says why the stream cannot go on.  Returns `error`. */
static int
explain (Getline *self, uint64_t position, int error, const char *text)
{
  self->host->explain (self->host, position, text);
  return error;
}

/* Reads up to `size` bytes of the range.  Returns their number, 0 at the end, or -errno. */
static int64_t
read_once (Getline *self, char *buffer, uint64_t size)
{
  const OvHost *host = self->host;
  uint64_t left = self->task->offset + self->task->length - self->position;
  uint64_t want = left < size ? left : size;
  int64_t n;

  if (want == 0)
    return 0;
  if (self->position - self->line > LONGEST_LINE)
    return explain (self, self->line, -EOVERFLOW, OV_TR ("A line is longer than 64M."));
  ov_submitted (host, 0, self->position, want);
  n = read (self->fd, buffer, want);
  if (n < 0)
    n = -errno;
  ov_completed (host, 0, n);
  if (n == 0)
    return explain (self, self->position, -ENODATA,
                    OV_TR ("The file ends before the end of the range."));
  if (n > 0 && (uint64_t)n < want)
    ov_short_io (host);
  return n;
}

/* The library calls this whenever the stream's buffer is empty. */
static ssize_t
feed (void *cookie, char *buffer, size_t size)
{
  Getline *self = cookie;
  uint32_t tries = 0;
  int64_t n;

  do
    {
      n = ov_stopped (self->host) ? -ECANCELED : read_once (self, buffer, size);
      if (n >= 0)
        {
          self->position += (uint64_t)n;
          return n;
        }
      self->error = ov_retry (self->host, n, &tries);
    }
  while (self->error == 0);
  errno = -self->error;
  return -1;
}

/* Counts a character at a time; the empty assembly keeps the compiler from using vectors, which
 * would be another kind of work. */
static uint64_t
count_letters (const char *line, size_t length, int letter)
{
  uint64_t count = 0;

  for (size_t i = 0; i < length; i++)
    {
      count += (unsigned char)line[i] == letter;
      __asm__("" : "+r"(count));
    }
  return count;
}

static int
count_lines (Getline *self, FILE *stream)
{
  int letter = self->task->work == OV_WORK_NONE ? EOF : (int)self->task->letter;
  uint64_t bytes = 0, count = 0;
  char *line = NULL;
  size_t room = 0;
  ssize_t n;

  while ((n = getline (&line, &room, stream)) >= 0)
    {
      if (self->error == 0 && (uint64_t)n > LONGEST_LINE)
        self->error = explain (self, self->line, -EOVERFLOW, OV_TR ("A line is longer than 64M."));
      if (self->error < 0)
        break;
      bytes += (uint64_t)n;
      count += count_letters (line, (size_t)n, letter);
      self->line += (uint64_t)n;
      if (bytes < BATCH)
        continue;
      ov_counted (self->host, bytes, count);
      bytes = count = 0;
      if (ov_stopped (self->host))
        self->error = -ECANCELED;
    }
  if (n < 0 && self->error == 0 && !feof (stream)) /* no memory for the line */
    self->error = -errno;
  ov_counted (self->host, bytes, count);
  free (line);
  return self->error;
}

/* A stream over the range, with a buffer of the size that fopen() would choose or the option's. */
static FILE *
open_stream (Getline *self)
{
  cookie_io_functions_t functions = { .read = feed };
  FILE *stream = fopencookie (self, "r", functions);
  size_t size = (size_t)self->task->options[0];
  struct stat info;

  if (size == 0)
    {
      size = BUFSIZ;
      if (fstat (self->fd, &info) == 0 && info.st_blksize > 0 && info.st_blksize < BUFSIZ)
        size = (size_t)info.st_blksize;
    }
  if (stream != NULL)
    setvbuf (stream, self->buffer, _IOFBF, size);
  return stream;
}

static int
getline_run (void *state)
{
  Getline *self = state;
  int result = -ENOMEM;
  FILE *stream;

  self->position = self->line = self->task->offset;
  self->fd = open (self->task->path, self->task->flags);
  if (self->fd < 0)
    return -errno;
  stream = open_stream (self);
  if (stream != NULL)
    {
      if (lseek (self->fd, (off_t)self->position, SEEK_SET) < 0)
        result = -errno;
      else
        result = count_lines (self, stream);
      fclose (stream);
    }
  close (self->fd);
  return result;
}

static const OvOption option_buffer = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_SIZE,
  .name = "buffer",
  .title = OV_TR ("Stream buffer"),
  .help = OV_TR ("Size given to setvbuf(); 0 takes what fopen() would (usually 4K)."),
  .minimum = 0,
  .maximum = (int64_t)64 << 20,
  .standard = 0,
};

static const OvOption *const getline_options[] = { &option_buffer, NULL };

const OvStrategy stdio_getline = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "stdio.getline",
  .title = OV_TR ("getline(), a line a call"),
  .summary = OV_TR ("Lets the C library find each line's end and copy the line: one call and one "
                    "lock for a line instead of a character, and one more copy of every byte."),
  .family = "stdio",
  .article = "1.2",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BY_CHARACTER | OV_CAP_LINES,
  .options = getline_options,
  .prepare = getline_prepare,
  .run = getline_run,
  .release = getline_release,
  .source = getline_source,
  .source_end = getline_source_end,
};
