/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posix.whole-file: all of it into memory with one read(2), then count.
 *
 * The fewest calls and the most memory.  Nothing overlaps: the counting begins when the last byte
 * has come.  Today most of the time goes into the buffer itself, for the kernel must find, clear
 * and map every page of it; huge pages make that cheaper.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define ONE_READ                                                                                   \
  ((uint64_t)0x7fff0000)              /* the kernel moves no more than 2 GiB less a page a call    \
                                       */
#define PIECE     ((uint64_t)1 << 20) /* counted between two looks at the stop flag */
#define ALIGNMENT ((uint64_t)2 << 20) /* of a huge page */

OV_EMBED_SOURCE (whole_file_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
} WholeFile;

/* The number that `path` begins with; UINT64_MAX if there is none ("max" means no limit). */
static uint64_t
read_limit (const char *path)
{
  unsigned long long limit;
  FILE *file = fopen (path, "re");
  int got = 0;

  if (file != NULL)
    {
      got = fscanf (file, "%llu", &limit);
      fclose (file);
    }
  return got == 1 ? limit : UINT64_MAX;
}

/* The smallest memory limit on the way from `group` up to the root of its tree. */
static uint64_t
smallest_limit (const char *tree, char *group, const char *name)
{
  uint64_t smallest = UINT64_MAX;
  char path[1024];

  for (;;)
    {
      char *slash = strrchr (group, '/');
      uint64_t limit;

      snprintf (path, sizeof path, "%s%s/%s", tree, group, name);
      limit = read_limit (path);
      if (limit < smallest)
        smallest = limit;
      if (slash == NULL)
        return smallest;
      *slash = '\0';
    }
}

/* What the control groups that we are in allow, in bytes. */
static uint64_t
group_limit (void)
{
  uint64_t limit = UINT64_MAX;
  char line[512], *old;
  FILE *file = fopen ("/proc/self/cgroup", "re");

  while (file != NULL && limit == UINT64_MAX && fgets (line, sizeof line, file) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      old = strstr (line, ":memory:");
      if (strncmp (line, "0::", 3) == 0)
        limit = smallest_limit ("/sys/fs/cgroup", line + strlen ("0::"), "memory.max");
      else if (old != NULL)
        limit = smallest_limit ("/sys/fs/cgroup/memory", old + strlen (":memory:"),
                                "memory.limit_in_bytes");
    }
  if (file != NULL)
    fclose (file);
  return limit;
}

/* What the machine can give without swapping, in bytes. */
static uint64_t
available_memory (void)
{
  unsigned long long kilobytes = 0;
  char line[128];
  FILE *file = fopen ("/proc/meminfo", "re");
  int got = 0;

  while (file != NULL && got != 1 && fgets (line, sizeof line, file) != NULL)
    got = sscanf (line, "MemAvailable: %llu", &kilobytes);
  if (file != NULL)
    fclose (file);
  return got == 1 ? kilobytes * 1024 : UINT64_MAX;
}

/* Refuses what would drive the machine into swapping, or this process into being killed. */
static int
check_memory (const OvHost *host, uint64_t need)
{
  uint64_t available = available_memory (), limit = group_limit ();
  char text[256], allowed[64] = "no limit";

  if (need <= available && need <= limit)
    return 0;
  if (limit < (uint64_t)1 << 62)
    snprintf (allowed, sizeof allowed, "%llu M", (unsigned long long)(limit >> 20));
  snprintf (text, sizeof text,
            "The whole file needs %llu M of memory; the machine has %llu M available, and the "
            "control group's limit is: %s.",
            (unsigned long long)(need >> 20), (unsigned long long)(available >> 20), allowed);
  host->explain (host, UINT64_MAX, text);
  return -ENOMEM;
}

static void
whole_file_release (void *state)
{
  free (state);
}

static int
whole_file_prepare (const OvHost *host, const OvTask *task, void **state)
{
  int result = check_memory (host, ov_round_up (task->length, ALIGNMENT));
  WholeFile *self;

  if (result < 0)
    return result;
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (WholeFile){ host, task };
  *state = self;
  return 0;
}

/* One read, as much of `left` as it takes.  Returns how many bytes of the range came, or -errno. */
static int64_t
read_once (WholeFile *self, int fd, char *buffer, uint64_t position, uint64_t left)
{
  const OvHost *host = self->host;
  uint64_t useful = left < ONE_READ ? left : ONE_READ;
  uint64_t want = ov_round_up (useful, self->task->align); /* the tail of a direct read */
  int64_t n;

  ov_submitted (host, 0, position, want);
  n = pread (fd, buffer, want, (off_t)position);
  if (n < 0)
    n = -errno;
  ov_completed (host, 0, n);
  if (n < 0)
    return n;
  if ((uint64_t)n >= useful)
    return (int64_t)useful;
  if (n > 0)
    ov_short_io (host);
  n -= n % self->task->align; /* a direct read must not go on from an odd place */
  if (n == 0)
    {
      host->explain (host, position, OV_TR ("The file ends before the end of the range."));
      return -ENODATA;
    }
  return n;
}

/* Fills the buffer with the range. */
static int
read_all (WholeFile *self, int fd, char *buffer)
{
  const OvTask *task = self->task;
  uint64_t done = 0;
  uint32_t tries = 0;

  while (done < task->length)
    {
      int64_t n = -ECANCELED;

      if (!ov_stopped (self->host))
        n = read_once (self, fd, buffer + done, task->offset + done, task->length - done);
      if (n < 0)
        {
          int error = ov_retry (self->host, n, &tries);

          if (error < 0)
            return error;
          continue;
        }
      tries = 0;
      done += (uint64_t)n;
    }
  return 0;
}

/* Counts the whole buffer, in pieces so that a stop is seen. */
static int
consume_all (WholeFile *self, const char *buffer)
{
  uint64_t length = self->task->length;

  for (uint64_t done = 0; done < length; done += PIECE)
    {
      if (ov_stopped (self->host))
        return -ECANCELED;
      ov_consume (self->host, 0, buffer + done, length - done < PIECE ? length - done : PIECE);
    }
  return 0;
}

/* Allocating and freeing belong to this way of reading, and so to its time. */
static int
whole_file_run (void *state)
{
  WholeFile *self = state;
  const OvTask *task = self->task;
  uint64_t size = ov_round_up (task->length, ALIGNMENT);
  char *buffer;
  int fd, result;

  fd = open (task->path, task->flags);
  if (fd < 0)
    return -errno;
  buffer = aligned_alloc (ALIGNMENT, size > 0 ? size : ALIGNMENT);
  if (buffer == NULL)
    {
      close (fd);
      return -ENOMEM;
    }
  if (task->options[0] != 0 && madvise (buffer, size, MADV_HUGEPAGE) < 0)
    self->host->effective (self->host, "huge-pages", "refused by the kernel");
  result = read_all (self, fd, buffer);
  close (fd);
  if (result == 0)
    result = consume_all (self, buffer);
  free (buffer);
  return result;
}

static const OvOption option_huge_pages = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "huge-pages",
  .title = OV_TR ("Huge pages"),
  .help = OV_TR ("Ask the kernel to put the buffer on huge pages, of which it has to find, clear "
                 "and map far fewer."),
  .minimum = 0,
  .maximum = 1,
  .standard = 0,
};

static const OvOption *const whole_file_options[] = { &option_huge_pages, NULL };

const OvStrategy posix_whole_file = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "posix.whole-file",
  .title = OV_TR ("read(), the whole file at once"),
  .summary = OV_TR ("Reads everything with one call, then counts: the fewest calls, but as much "
                    "memory as the file is long, and every page of it has to be made first."),
  .family = "posix",
  .article = "1.4",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_DIRECT,
  .options = whole_file_options,
  .prepare = whole_file_prepare,
  .run = whole_file_run,
  .release = whole_file_release,
  .source = whole_file_source,
  .source_end = whole_file_source_end,
};
