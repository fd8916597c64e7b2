/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stdio.fscanf: formatted input.
 *
 * The format "%4095[^\n]%n%*1[\n]%n" takes a line apart: up to 4095 characters that are no newline,
 * how many they were, the newline if there is one, how many characters that makes in all.  The
 * library interprets the format anew for each call and takes the input a character at a time, so
 * this is the most comfortable way to read and the slowest.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define BATCH ((uint64_t)16384) /* characters between two reports */

OV_EMBED_SOURCE (fscanf_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* for the stream; NULL: the library makes its own */
} Fscanf;

static void
fscanf_release (void *state)
{
  free (state);
}

static int
fscanf_prepare (const OvHost *host, const OvTask *task, void **state)
{
  size_t size = (size_t)task->options[0];
  Fscanf *self;

  if (task->work > OV_WORK_FAST)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("Fields can be counted here, but not put into a checksum."));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Fscanf){ host, task, size > 0 ? host->buffer (host, size) : NULL };
  if (size > 0 && self->buffer == NULL)
    {
      fscanf_release (self);
      return -ENOMEM;
    }
  if (task->work == OV_WORK_FAST)
    host->effective (host, "work", "plain");
  *state = self;
  return 0;
}

/* Reads the next field, a line or a part of one.  Returns how many characters of the stream it
 * took, its newline counted, or 0 at the stream's end.  The lengths come from %n because a field
 * may hold characters of value 0. */
static int
scan_field (FILE *file, char field[4096], int *length)
{
  int all = 0;

  *length = 0;
  switch (fscanf (file, "%4095[^\n]%n%*1[\n]%n", field, length, &all))
    {
    case EOF:
      return 0;
    case 0: /* an empty line: nothing stood before its newline */
      return fscanf (file, "%*1[\n]%n", &all) == EOF ? 0 : all;
    default:
      return all > 0 ? all : *length; /* without a newline: a long line's part, or the end */
    }
}

/* Counts a character at a time; the empty assembly keeps the compiler from using vectors, which
 * would be another kind of work. */
static uint64_t
count_letters (const char *field, uint64_t length, int letter)
{
  uint64_t count = 0;

  for (uint64_t i = 0; i < length; i++)
    {
      count += (unsigned char)field[i] == letter;
      __asm__("" : "+r"(count));
    }
  return count;
}

/* What the end of the stream means when it comes too early.  Returns 0 to go on, or -errno. */
static int
check_end (Fscanf *self, FILE *file, int error, uint64_t position, uint32_t *tries)
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
scan_range (Fscanf *self, FILE *file)
{
  uint64_t position = self->task->offset, end = position + self->task->length;
  int letter = self->task->work == OV_WORK_NONE ? EOF : (int)self->task->letter;
  uint64_t bytes = 0, count = 0;
  uint32_t tries = 0;
  int result = 0;
  char field[4096];

  if (fseeko (file, (off_t)position, SEEK_SET) < 0)
    result = -errno;
  if (ov_stopped (self->host))
    result = -ECANCELED;
  while (position < end && result == 0)
    {
      int length, taken;
      uint64_t left = end - position;

      errno = 0;
      taken = scan_field (file, field, &length);
      if (taken == 0)
        {
          result = check_end (self, file, errno, position, &tries);
          continue;
        }
      tries = 0;
      count += count_letters (field, (uint64_t)length < left ? (uint64_t)length : left, letter);
      count += letter == '\n' && taken > length && (uint64_t)taken <= left;
      bytes += (uint64_t)taken < left ? (uint64_t)taken : left;
      position += (uint64_t)taken < left ? (uint64_t)taken : left;
      if (bytes < BATCH)
        continue;
      ov_counted (self->host, bytes, count);
      bytes = count = 0;
      if (ov_stopped (self->host))
        result = -ECANCELED;
    }
  ov_counted (self->host, bytes, count);
  return result;
}

static int
fscanf_run (void *state)
{
  Fscanf *self = state;
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
  result = scan_range (self, file);
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

static const OvOption *const fscanf_options[] = { &option_buffer, NULL };

const OvStrategy stdio_fscanf = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "stdio.fscanf",
  .title = OV_TR ("fscanf(), formatted input"),
  .summary = OV_TR ("Describes the input by a format and lets the C library take it apart, a "
                    "character at a time: the most comfortable way, and the slowest."),
  .family = "stdio",
  .article = "1.2",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BY_CHARACTER,
  .options = fscanf_options,
  .prepare = fscanf_prepare,
  .run = fscanf_run,
  .release = fscanf_release,
  .source = fscanf_source,
  .source_end = fscanf_source_end,
};
