/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread sleeps until the time that ov_service_next() computed from arrivals alone: that it
 * wakes late, or is slow in copying, is not carried over to the next request.
 */
#include "config.h"

#include "slowdisk/ov-device.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/ov-clock.h"

#define MOST_SLOTS 1024

struct _OvDevice
{
  OvSlowdiskShared *shared;
  OvRequestLog *log;
  OvService service;
  guint32 generation;
  GThread *thread;

  GMutex lock;
  GCond changed;            /* something was queued, or the end has come */
  GQueue waiting;           /* of OvDeviceRequest */
  guint8 slots[MOST_SLOTS]; /* 1: taken by a request that is here */
  gboolean ending;
};

/** Lowest free slot, taken; the last one is shared by all beyond. */
static guint32
take_slot (OvDevice *self)
{
  guint32 slot = 0;

  while (slot < MOST_SLOTS - 1 && self->slots[slot] != 0)
    slot++;
  self->slots[slot] = 1;
  return slot;
}

void
ov_device_push (OvDevice *self, OvDeviceRequest *request)
{
  request->arrival_ns = ov_clock_now_ns ();
  g_mutex_lock (&self->lock);
  request->slot = take_slot (self);
  g_queue_push_tail (&self->waiting, request);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

/** The next request, or NULL at the end. */
static OvDeviceRequest *
pop (OvDevice *self)
{
  OvDeviceRequest *request;

  g_mutex_lock (&self->lock);
  while (!self->ending && g_queue_is_empty (&self->waiting))
    g_cond_wait (&self->changed, &self->lock);
  request = g_queue_pop_head (&self->waiting);
  g_mutex_unlock (&self->lock);
  return request;
}

/** Sleeps until `end_ns`, or until the end of all. */
static void
sleep_until (OvDevice *self, gint64 end_ns)
{
  g_mutex_lock (&self->lock);
  while (!self->ending && ov_clock_now_ns () < end_ns)
    g_cond_wait_until (&self->changed, &self->lock, (end_ns + 999) / 1000);
  g_mutex_unlock (&self->lock);
}

static void
note (OvDevice *self, const OvDeviceRequest *request, gint64 begin_ns, gint64 end_ns, gssize result)
{
  OvRequestRecord *record = ov_request_log_next_alone (self->log);

  if (record == NULL)
    return;
  record->submit = (guint64)request->arrival_ns;
  record->consume_start = (guint64)begin_ns;
  record->consume_end = (guint64)end_ns;
  record->complete = (guint64)end_ns;
  record->offset = request->offset;
  record->result = result;
  record->slot = request->slot;
}

static void
look_for_generation (OvDevice *self)
{
  const guint32 generation = __atomic_load_n (&self->shared->generation, __ATOMIC_ACQUIRE);

  if (generation == self->generation)
    return;
  self->generation = generation;
  ov_service_init (&self->service, &self->service.disk);
  __atomic_store_n (&self->shared->requests, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&self->shared->bytes, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&self->shared->busy_ns, 0, __ATOMIC_RELAXED);
}

static gssize
serve_in_time (OvDevice *self, OvDeviceRequest *request)
{
  const OvServed served
      = ov_service_next (&self->service, request->arrival_ns, request->position, request->bytes);
  const gssize result = request->transfer (request);
  OvSlowdiskShared *shared = self->shared;

  sleep_until (self, served.end_ns);
  note (self, request, served.begin_ns, ov_clock_now_ns (), result);
  __atomic_store_n (&shared->requests, shared->requests + 1, __ATOMIC_RELAXED);
  __atomic_store_n (&shared->bytes, shared->bytes + (guint64)MAX (result, 0), __ATOMIC_RELAXED);
  __atomic_store_n (&shared->busy_ns, shared->busy_ns + served.end_ns - served.begin_ns,
                    __ATOMIC_RELAXED);
  return result;
}

static gpointer
serve (gpointer data)
{
  OvDevice *self = data;
  OvDeviceRequest *request;

  /* Timers of this thread end at their time and not up to 50 µs later. */
  prctl (PR_SET_TIMERSLACK, 1UL);
  while ((request = pop (self)) != NULL)
    {
      const guint32 slot = request->slot;
      gssize result;

      look_for_generation (self);
      if (self->ending)
        result = -EIO;
      else if (request->is_cancelled (request))
        result = -EINTR;
      else if (__atomic_load_n (&self->shared->timed, __ATOMIC_ACQUIRE) != 0)
        result = serve_in_time (self, request);
      else
        result = request->transfer (request);
      g_mutex_lock (&self->lock);
      self->slots[slot] = 0;
      g_mutex_unlock (&self->lock);
      request->answer (request, result);
    }
  return NULL;
}

OvDevice *
ov_device_new (const OvDisk *disk, OvSlowdiskShared *shared)
{
  OvDevice *self = g_new0 (OvDevice, 1);
  gsize bytes;

  self->shared = shared;
  self->log
      = ov_request_log_init (ov_slowdisk_shared_log (shared, &bytes), OV_SLOWDISK_LOG_CAPACITY);
  ov_service_init (&self->service, disk);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->waiting);
  self->thread = g_thread_new ("device", serve, self);
  return self;
}

void
ov_device_free (OvDevice *self)
{
  g_mutex_lock (&self->lock);
  self->ending = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
