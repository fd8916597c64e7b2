/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posted.h: what the POSIX AIO strategies have in common.
 *
 * aio_read() posts a request and returns at once; the C library reads on a thread of its own.  The
 * strategies differ only in how they learn that a request is done:
 *
 *   aio.spin      they look again and again           aio.callback  a thread is started and tells
 *   aio.wait      they sleep until one is done        aio.signal    a signal interrupts and tells
 *
 * What always holds: a request is believed to be done only when aio_error() says so.
 */
#pragma once

#include <aio.h>
#include <signal.h>
#include <sys/types.h>

#include "../slots.h"

/** How often a sleeper looks for itself: for Stop, or for a notice that was lost. */
#define POSTED_LOOK_NS 10000000 /* 10 ms */

/** What is told about the request of one slot, by another thread or by a signal handler. */
typedef struct Notice
{
  struct Posted *posted;
  uint64_t stamp; /* when the request was done */
  uint32_t told;  /* atomic: it is said to be done */
} Notice;

typedef struct Posted
{
  Slots slots;
  int fd;
  struct aiocb *request; /* one for each slot, */
  Notice *notice;        /* and one of these too */
  Slot **flying;         /* slots whose request is under way, the oldest first */
  uint32_t n_flying;
  bool cancelled;

  struct sigevent how; /* how the C library is to tell that a request is done */
  uint64_t expected;   /* notices: one for each request posted; */
  uint64_t received;   /* atomic: those that have come, */
  uint64_t seen;       /* and those that run's thread knows of */
  int event_fd;        /* aio.callback: readable when there is news; else -1 */
  pid_t thread;        /* aio.signal: the thread that is to be interrupted */
} Posted;

int posted_prepare (const OvHost *host, const OvTask *task, void **state);
void posted_release (void *state);

bool posted_settle (Posted *self, int limit_ms);
int posted_open (Posted *self);
int posted_close (Posted *self);
void posted_fill (Posted *self);
void posted_take_finished (Posted *self);
void posted_take_told (Posted *self);

/** Notes that a request is done.  For any thread and for signal handlers. */
static inline void
notice_tell (Notice *notice)
{
  const OvHost *host = notice->posted->slots.host;

  notice->stamp = host->stamp (host);
  __atomic_store_n (&notice->told, 1, __ATOMIC_RELEASE);
}

/** The last thing that whoever tells may do here: after it all may be gone. */
static inline void
notice_end (Notice *notice)
{
  __atomic_fetch_add (&notice->posted->received, 1, __ATOMIC_RELEASE);
}

/** The request to wait for: the oldest one; of small requests the last of the oldest batch, which
 *  saves a wake-up for each of the others, while the rest keeps the library's thread busy. */
static inline const struct aiocb *
posted_awaited (const Posted *self)
{
  uint64_t n = slots_least (self->slots.batch, (self->n_flying + 1) / 2);

  return &self->request[self->flying[n - 1]->index];
}

/** True if there are notices that run's thread does not know of. */
static inline bool
posted_has_news (const Posted *self)
{
  return __atomic_load_n (&self->received, __ATOMIC_ACQUIRE) != self->seen;
}
