/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Content at offset o of the range is ov_random_fill() at o modulo the period.  In memory it lies
 * once, and behind the period its beginning again, so that one call's bytes are in one piece.
 */
#include "config.h"

#include "worker/ov-write-job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-buffer.h"
#include "base/ov-kernels.h"
#include "base/ov-random.h"
#include "base/ov-units.h"
#include "sampler/ov-residency.h"

#define CHUNK  ((gsize)1 << 20)
#define PERIOD ((guint64)64 << 20)
/** Pieces that are dropped from the page cache between two looks at the abort flag. */
#define DROP_PIECE ((guint64)64 << 20)
#define DROP_TRIES 3
/** Up to this part of the file may be left in the cache for it to count as dropped. */
#define DROPPED 0.01

struct _OvWriteJob
{
  int fd;
  gboolean memory_fs;
  const OvRunSpec *spec;
  OvShared *shared;
  char *content;
  gsize content_bytes;
  guint64 period;
};

OvWriteJob *
ov_write_job_new (int fd, gboolean memory_fs, const OvRunSpec *spec, OvShared *shared)
{
  OvWriteJob *job = g_new0 (OvWriteJob, 1);

  job->fd = fd;
  job->memory_fs = memory_fs;
  job->spec = spec;
  job->shared = shared;
  return job;
}

void
ov_write_job_free (OvWriteJob *job)
{
  ov_buffer_free (job->content, job->content_bytes);
  g_free (job);
}

/* ---- Content ------------------------------------------------------------------------------ */

/** Bytes that the kernel says can be had without swapping, or G_MAXUINT64. */
static guint64
memory_available (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return G_MAXUINT64;
  line = strstr (text, "MemAvailable:");
  return line != NULL ? g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024
                      : G_MAXUINT64;
}

static int
fail_memory (OvWriteJob *job, guint64 bytes, guint64 available)
{
  g_autofree char *need = ov_bytes_format_si ((double)bytes);
  g_autofree char *have = ov_bytes_format_si ((double)available);

  if (available == G_MAXUINT64)
    return ov_shared_fail (job->shared, -ENOMEM, _ ("What is to be written needs %s of memory"),
                           need);
  return ov_shared_fail (job->shared, -ENOMEM,
                         _ ("What is to be written needs %s of memory, and %s are available"), need,
                         have);
}

int
ov_write_job_make_content (OvWriteJob *job, OvTask *task)
{
  const guint64 length = job->spec->size;
  const guint64 available = memory_available ();
  guint64 bytes = length;

  job->period = MIN (MAX (length, 1), PERIOD);
  if (length > PERIOD)
    bytes = PERIOD + MIN (length - PERIOD, MAX (job->spec->block, CHUNK));
  bytes = MAX (bytes, 1);
  if (bytes > available)
    return fail_memory (job, bytes, available);
  job->content_bytes = (gsize)bytes;
  job->content = ov_buffer_alloc (job->content_bytes, NULL);
  if (job->content == NULL)
    return fail_memory (job, bytes, G_MAXUINT64);
  job->shared->phase_total = (gint64)bytes;
  for (guint64 at = 0; at < bytes; at += CHUNK)
    {
      const gsize n = (gsize)MIN (CHUNK, bytes - at);

      if (ov_shared_stopped (job->shared))
        return -ECANCELED;
      /* The period is a multiple of CHUNK wherever the bytes reach beyond it. */
      ov_random_fill (job->content + at, at % job->period, n, job->spec->seed);
      job->shared->phase_done = (gint64)(at + n);
    }
  task->content = job->content;
  task->content_period = job->period;
  return 0;
}

/* ---- Restoring ---------------------------------------------------------------------------- */

/** Truncates the file through a description of its own, which is closed again: ext4 writes a file
 *  that was truncated to nothing out when it is closed next, and that close would be the
 *  strategy's, inside of what is measured.  A new file, which ours stands for, has no such debt. */
static int
make_empty (int fd)
{
  char path[32];
  int own, result = 0;

  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  own = open (path, O_RDWR | O_CLOEXEC);
  if (own < 0)
    return -errno;
  if (ftruncate (own, 0) != 0 || fdatasync (own) != 0)
    result = -errno;
  if (close (own) != 0 && result == 0)
    result = -errno;
  return result;
}

int
ov_write_job_restore (OvWriteJob *job)
{
  const int result = make_empty (job->fd);

  if (ov_shared_stopped (job->shared))
    return -ECANCELED;
  if (result != 0)
    return ov_shared_fail (job->shared, result, _ ("The scratch file in %s cannot be made empty"),
                           job->spec->target);
  return 0;
}

void
ov_write_job_give_back (OvWriteJob *job)
{
  if (ftruncate (job->fd, 0) != 0)
    g_debug ("A scratch file keeps its space: %s", g_strerror (errno));
}

/* ---- Stable storage ----------------------------------------------------------------------- */

int
ov_write_job_sync (OvWriteJob *job, gboolean apart)
{
  gint64 begin;

  if (apart && job->memory_fs)
    return 0;
  if (apart && job->spec->durability == OV_DURABILITY_FDATASYNC)
    {
      job->shared->synced_ns = 0;
      return 0;
    }
  if (apart && ov_shared_stopped (job->shared))
    return -ECANCELED;
  begin = ov_clock_now_ns ();
  /* The descriptor was open before the first byte was written: it is told of write-back errors. */
  if (fdatasync (job->fd) != 0)
    return ov_shared_fail (job->shared, -errno,
                           _ ("What was written did not reach stable storage"));
  if (apart)
    job->shared->synced_ns = ov_clock_now_ns () - begin + job->shared->between_ns;
  return 0;
}

/* ---- Reading back ------------------------------------------------------------------------- */

/** Drops the file from the page cache.  Where it will be read from then: "device", "memory",
 *  "page-cache" where the kernel kept it, "unknown" where it does not tell; NULL when stopped. */
static const char *
drop_from_cache (OvWriteJob *job)
{
  const OvRunSpec *spec = job->spec;
  double left = 1;

  if (job->memory_fs)
    return "memory";
  for (guint i = 0; i < DROP_TRIES && left > DROPPED; i++)
    {
      fdatasync (job->fd);
      for (guint64 at = 0; at < spec->size; at += DROP_PIECE)
        {
          if (ov_shared_stopped (job->shared))
            return NULL;
          ov_residency_drop (job->fd, spec->offset + at, MIN (DROP_PIECE, spec->size - at));
        }
      left = ov_residency (job->fd, spec->offset, spec->size);
    }
  if (spec->size > 0 && !(left >= 0))
    return "unknown";
  return left > DROPPED ? "page-cache" : "device";
}

void
ov_write_job_cool_down (OvWriteJob *job, OvHostContext *context)
{
  const gint64 begin = ov_clock_now_ns ();
  const char *source;

  if (!job->memory_fs && fdatasync (job->fd) == 0)
    job->shared->between_ns = ov_clock_now_ns () - begin;
  source = drop_from_cache (job);
  if (source != NULL)
    ov_host_context_add_effective (context, "read-part", source);
}

static int
read_all (int fd, char *data, gsize bytes, guint64 offset)
{
  while (bytes > 0)
    {
      ssize_t n = pread (fd, data, bytes, (off_t)offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? -errno : -EIO;
      data += n;
      bytes -= (gsize)n;
      offset += (guint64)n;
    }
  return 0;
}

static gsize
first_difference (const char *a, const char *b, gsize n)
{
  gsize i = 0;

  while (i < n && a[i] == b[i])
    i++;
  return i;
}

/** Compares [at, at + n) of the range with what the generator gives, made anew: a strategy may have
 *  damaged its content. */
static int
compare (OvWriteJob *job, guint64 at, gsize n, char *wanted, char *found, guint32 *crc)
{
  const guint64 offset = job->spec->offset + at;
  int result = read_all (job->fd, found, n, offset);

  if (result != 0)
    {
      job->shared->error_offset = offset;
      return ov_shared_fail (job->shared, result, _ ("What was written cannot be read back"));
    }
  ov_random_fill (wanted, at % job->period, n, job->spec->seed);
  *crc = ov_crc32c (*crc, found, n);
  if (memcmp (wanted, found, n) == 0)
    return 0;
  job->shared->error_offset = offset + first_difference (wanted, found, n);
  return ov_shared_fail (job->shared, -EPROTO,
                         _ ("The file holds something else than was to be written, from byte "
                            "%" PRIu64 " on"),
                         job->shared->error_offset);
}

static int
read_back (OvWriteJob *job, OvHostContext *context)
{
  g_autofree char *wanted = g_malloc (CHUNK);
  g_autofree char *found = g_malloc (CHUNK);
  const guint64 length = job->spec->size;
  const char *source = drop_from_cache (job);
  guint32 crc = 0;
  int result = source != NULL ? 0 : -ECANCELED;

  job->shared->phase_total = (gint64)length;
  for (guint64 at = 0; at < length && result == 0; at += CHUNK)
    {
      const gsize n = (gsize)MIN (CHUNK, length - at);

      if (ov_shared_stopped (job->shared))
        return -ECANCELED;
      result = compare (job, at, n, wanted, found, &crc);
      job->shared->phase_done = (gint64)(at + n);
    }
  if (result != 0)
    return result;
  ov_host_context_add_effective (context, "read-back", source);
  g_snprintf (job->shared->check, sizeof job->shared->check, "crc32c=%08x", crc);
  return 0;
}

int
ov_write_job_verify (OvWriteJob *job, OvHostContext *context)
{
  const guint64 wanted = job->spec->offset + job->spec->size;
  struct stat st;

  if (job->memory_fs)
    ov_host_context_add_effective (context, "storage", "memory");
  if (fstat (job->fd, &st) != 0)
    return ov_shared_fail (job->shared, -errno, _ ("The scratch file cannot be looked at"));
  if ((guint64)st.st_size != wanted)
    return ov_shared_fail (job->shared, -EPROTO,
                           _ ("The file is %" PRIu64 " bytes long instead of %" PRIu64),
                           (guint64)st.st_size, wanted);
  if (job->spec->verify)
    return read_back (job, context);
  g_snprintf (job->shared->check, sizeof job->shared->check, "length=%" PRIu64, wanted);
  return 0;
}
