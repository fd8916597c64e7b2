/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OvHost that a strategy holds is the first member of the context, so a callback finds its
 * context by a cast.  Requests are kept by slot; a slot is used by one request at a time.
 */
#include "worker/ov-host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

#include "base/ov-buffer.h"
#include "base/ov-kernels.h"
#include "worker/ov-privilege.h"

#define MAX_SLOTS 256

typedef struct
{
  guint64 submit;          /**< stamp */
  OvRequestRecord *record; /**< or NULL */
} Slot;

/** OV_WORK_SLOW: how many times each byte is counted, and bytes between two looks at the flag. */
#define SLOW_PASSES 250
#define SLOW_PIECE  ((size_t)16384)

typedef struct
{
  void *memory;
  gsize bytes;
} Buffer;

struct _OvHostContext
{
  OvHost host;
  OvShared *shared;
  OvShared *own; /**< the private place of a probe, or NULL */
  gsize own_bytes;
  guint64 scale; /**< ns for a stamp's unit, 32.32 */
  OvRequestLog *log;
  guint work;
  char letter;
  guint32 crc;
  GChecksum *sha;
  GArray *buffers;
  OvBetween between;
  gpointer between_data;
  Slot slots[MAX_SLOTS];
};

static OvHostContext *
from_host (const OvHost *host)
{
  return (OvHostContext *)host;
}

static void
work_none (const OvHost *host, const void *data, size_t bytes)
{
}

static void
work_plain (const OvHost *host, const void *data, size_t bytes)
{
  ov_live_add (&host->live->count, ov_count_plain (data, bytes, from_host (host)->letter));
}

static void
work_fast (const OvHost *host, const void *data, size_t bytes)
{
  ov_live_add (&host->live->count, ov_count_fast (data, bytes, from_host (host)->letter));
}

/** Counts every piece SLOW_PASSES times.  The plain loop counts about 1.8 GB a second today; the
 *  PowerMac 7100/66 of the article took some 140 ms for 1000K. */
static void
work_slow (const OvHost *host, const void *data, size_t bytes)
{
  for (size_t at = 0; at < bytes; at += SLOW_PIECE)
    {
      const size_t n = MIN (SLOW_PIECE, bytes - at);
      guint64 found = 0;

      /* A stopped run counts for nothing, and its Stop must not wait for all the passes. */
      if (__atomic_load_n (host->stop, __ATOMIC_RELAXED) != 0)
        return;
      for (guint pass = 0; pass < SLOW_PASSES; pass++)
        found += ov_count_plain ((const char *)data + at, n, from_host (host)->letter);
      ov_live_add (&host->live->count, found / SLOW_PASSES);
    }
}

static void
work_crc32c (const OvHost *host, const void *data, size_t bytes)
{
  OvHostContext *self = from_host (host);

  self->crc = ov_crc32c (self->crc, data, bytes);
}

static void
work_sha256 (const OvHost *host, const void *data, size_t bytes)
{
  g_checksum_update (from_host (host)->sha, data, (gssize)bytes);
}

static void
timed_submit (const OvHost *host, uint32_t slot, uint64_t offset, uint64_t bytes)
{
  OvHostContext *self = from_host (host);
  Slot *at;

  if (G_UNLIKELY (slot >= MAX_SLOTS))
    {
      self->shared->sequence_lost++;
      return;
    }
  at = &self->slots[slot];
  at->record = NULL;
  if (self->log != NULL && host->timing == OV_TIMING_TIMELINE)
    at->record = ov_request_log_next_alone (self->log);
  at->submit = ov_stamp ();
  if (at->record != NULL)
    {
      at->record->slot = slot;
      at->record->offset = offset;
      at->record->submit = at->submit;
    }
}

static void
timed_handed (const OvHost *host, uint32_t slot)
{
  OvHostContext *self = from_host (host);
  const guint64 stamp = ov_stamp ();
  Slot *at;

  if (G_UNLIKELY (slot >= MAX_SLOTS))
    return;
  at = &self->slots[slot];
  if (stamp >= at->submit)
    ov_histogram_add (&self->shared->submit_latency,
                      (guint64)(((unsigned __int128)(stamp - at->submit) * self->scale) >> 32));
  if (at->record != NULL && at->record->handed == 0)
    at->record->handed = stamp;
}

static void
timed_complete (const OvHost *host, uint32_t slot, int64_t result, uint64_t stamp)
{
  OvHostContext *self = from_host (host);
  Slot *at;

  if (G_UNLIKELY (slot >= MAX_SLOTS))
    return;
  at = &self->slots[slot];
  if (stamp == 0)
    stamp = ov_stamp ();
  if (result >= 0 && stamp >= at->submit)
    ov_histogram_add (&self->shared->latency,
                      (guint64)(((unsigned __int128)(stamp - at->submit) * self->scale) >> 32));
  if (at->record != NULL)
    {
      at->record->result = result;
      at->record->complete = stamp;
    }
}

static void
timed_consume (const OvHost *host, uint32_t slot, bool begin)
{
  OvHostContext *self = from_host (host);
  OvRequestRecord *record = slot < MAX_SLOTS ? self->slots[slot].record : NULL;

  /* Without work there is no span to draw, and two stamps are saved. */
  if (record == NULL || self->work == OV_WORK_NONE)
    return;
  if (!begin)
    record->consume_end = ov_stamp ();
  else if (record->consume_start == 0)
    record->consume_start = ov_stamp ();
}

static uint64_t
host_stamp (const OvHost *host)
{
  return ov_stamp ();
}

void
ov_host_context_add_effective (OvHostContext *self, const char *key, const char *value)
{
  char *text = self->shared->effective;
  const gsize size = sizeof self->shared->effective;
  gsize used = strlen (text);
  g_autofree char *entry = g_strdup_printf ("%s=%s", key, value);
  g_auto (GStrv) known = g_strsplit (text, "; ", -1);

  if (g_strv_contains ((const char *const *)known, entry))
    return;
  g_snprintf (text + used, size - used, "%s%s", used > 0 ? "; " : "", entry);
}

static void *
host_buffer (const OvHost *host, size_t bytes)
{
  OvHostContext *self = from_host (host);
  Buffer buffer = { NULL, bytes };
  gsize page_size = 0;

  buffer.memory = ov_buffer_alloc (bytes, &page_size);
  if (buffer.memory == NULL)
    return NULL;
  g_array_append_val (self->buffers, buffer);
  ov_host_context_add_effective (self, "buffer-pages",
                                 page_size >= OV_BUFFER_ALIGNMENT ? "2M" : "4K");
  return buffer.memory;
}

static int
host_wait (const OvHost *host, int fd, int timeout_ms)
{
  struct pollfd fds[2] = { { host->wake_fd, POLLIN, 0 }, { fd, POLLIN, 0 } };
  int n;

  if (ov_stopped (host))
    return -ECANCELED;
  n = poll (fds, fd >= 0 ? 2 : 1, timeout_ms);
  if (n < 0)
    return errno == EINTR ? 0 : -errno;
  if (ov_stopped (host) || (fds[0].revents & POLLIN) != 0)
    return -ECANCELED;
  return n > 0 && fd >= 0 ? 1 : 0;
}

static void
host_effective (const OvHost *host, const char *key, const char *value)
{
  ov_host_context_add_effective (from_host (host), key, value);
}

static void
host_second_part (const OvHost *host)
{
  const OvHostContext *self = from_host (host);
  OvShared *shared = self->shared;

  ov_process_counters_end (&shared->middle);
  shared->middle_ns = ov_clock_now_ns ();
  if (self->between == NULL)
    return;
  self->between (self->between_data);
  ov_process_counters_begin (&shared->resume);
  shared->resume_ns = ov_clock_now_ns ();
}

void
ov_host_context_set_between (OvHostContext *context, OvBetween between, gpointer data)
{
  context->between = between;
  context->between_data = data;
}

/** How long after it was due an event came. */
static void
host_lateness (const OvHost *host, uint64_t ns)
{
  ov_histogram_add (&from_host (host)->shared->latency, ns);
}

static int
host_device (const OvHost *host, const char *path, int flags)
{
  const int fd
      = ov_privilege_is_entered () ? ov_privilege_device (path) : open (path, flags | O_CLOEXEC);

  return fd >= 0 ? fd : -errno;
}

static void
host_explain (const OvHost *host, uint64_t offset, const char *text)
{
  OvHostContext *self = from_host (host);

  self->shared->error_offset = offset;
  ov_shared_fail (self->shared, 0, "%s", text);
}

static void (*work_function (guint work)) (const OvHost *, const void *, size_t)
{
  switch (work)
    {
    case OV_WORK_PLAIN:
      return work_plain;
    case OV_WORK_FAST:
      return work_fast;
    case OV_WORK_SLOW:
      return work_slow;
    case OV_WORK_CRC32C:
      return work_crc32c;
    case OV_WORK_SHA256:
      return work_sha256;
    default:
      return work_none;
    }
}

static void
clear_buffers (OvHostContext *self)
{
  for (guint i = 0; i < self->buffers->len; i++)
    {
      Buffer *buffer = &g_array_index (self->buffers, Buffer, i);

      ov_buffer_free (buffer->memory, buffer->bytes);
    }
  g_array_set_size (self->buffers, 0);
}

OvHostContext *
ov_host_context_new (OvShared *shared, const OvTask *task, int wake_fd)
{
  OvHostContext *self = g_new0 (OvHostContext, 1);
  OvHost *host = &self->host;
  void *log;

  if (shared == NULL)
    {
      self->own = shared = ov_shared_new (0, &self->own_bytes);
      if (shared == NULL)
        g_error ("No memory for a host table");
    }
  self->shared = shared;
  self->scale = G_GUINT64_CONSTANT (1) << 32;
  self->buffers = g_array_new (FALSE, FALSE, sizeof (Buffer));
  self->sha = g_checksum_new (G_CHECKSUM_SHA256);
  self->work = task != NULL ? task->work : OV_WORK_NONE;
  self->letter = task != NULL ? (char)task->letter : 'e';
  log = ov_shared_log (shared);
  if (log != NULL)
    {
      const gsize capacity = (shared->log_bytes - ov_request_log_bytes (0))
                             / (ov_request_log_bytes (1) - ov_request_log_bytes (0));

      self->log = ov_request_log_init (log, capacity);
    }

  host->size = sizeof *host;
  host->abi = OV_STRATEGY_ABI;
  host->stop = &shared->stop;
  host->wake_fd = wake_fd;
  host->timing = OV_TIMING_COUNTERS;
  host->live = &shared->live;
  host->timed_submit = timed_submit;
  host->timed_complete = timed_complete;
  host->timed_consume = timed_consume;
  host->timed_handed = timed_handed;
  host->work = work_function (self->work);
  host->stamp = host_stamp;
  host->buffer = host_buffer;
  host->wait = host_wait;
  host->effective = host_effective;
  host->explain = host_explain;
  host->second_part = host_second_part;
  host->stamp_scale = self->scale;
  host->lateness = host_lateness;
  host->device = host_device;
  ov_histogram_init (&shared->latency);
  ov_histogram_init (&shared->submit_latency);
  return self;
}

void
ov_host_context_free (OvHostContext *self)
{
  clear_buffers (self);
  g_array_unref (self->buffers);
  g_checksum_free (self->sha);
  ov_shared_free (self->own, self->own_bytes);
  g_free (self);
}

const OvHost *
ov_host_context_get_host (OvHostContext *self)
{
  return &self->host;
}

void
ov_host_context_set_timing (OvHostContext *self, guint timing)
{
  self->host.timing = timing;
}

void
ov_host_context_set_scale (OvHostContext *self, guint64 ns_per_stamp_q32)
{
  self->scale = ns_per_stamp_q32;
  self->host.stamp_scale = ns_per_stamp_q32;
}

void
ov_host_context_reset (OvHostContext *self)
{
  OvShared *shared = self->shared;

  clear_buffers (self);
  memset (&shared->live, 0, sizeof shared->live);
  ov_histogram_init (&shared->latency);
  ov_histogram_init (&shared->submit_latency);
  if (self->log != NULL)
    ov_request_log_reset (self->log);
  memset (self->slots, 0, sizeof self->slots);
  self->crc = 0;
  g_checksum_reset (self->sha);
  shared->cause[0] = shared->effective[0] = shared->check[0] = '\0';
  shared->error_offset = G_MAXUINT64;
}

void
ov_host_context_finish_check (OvHostContext *self)
{
  char *check = self->shared->check;
  const gsize size = sizeof self->shared->check;

  switch (self->work)
    {
    case OV_WORK_PLAIN:
    case OV_WORK_FAST:
    case OV_WORK_SLOW:
      g_snprintf (check, size, "count=%" G_GUINT64_FORMAT, self->shared->live.count);
      break;
    case OV_WORK_CRC32C:
      g_snprintf (check, size, "crc32c=%08x", self->crc);
      break;
    case OV_WORK_SHA256:
      g_snprintf (check, size, "sha256=%s", g_checksum_get_string (self->sha));
      break;
    default:
      check[0] = '\0';
    }
}
