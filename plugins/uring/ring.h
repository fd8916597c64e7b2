/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ring.h: what the io_uring strategies have in common.
 *
 * A ring is two queues in memory that the program shares with the kernel: requests go in at one
 * (ring_read(), handed over by ring_submit()), completions come out at the other (ring_reap()).
 * The strategies differ only in how they learn that there is a completion.
 *
 * What always holds: the ring belongs to the thread that made it, from birth to death.
 */
#pragma once

#include <liburing.h>

#include "../slots.h"

/** How the strategy waits, which decides how the ring is set up. */
typedef enum RingKind
{
  RING_SLEEPS, /**< in the kernel: completions may be left there until we come for them */
  RING_LOOKS,  /**< at the completion queue: the kernel must say that it has something */
  RING_POLLED  /**< at the completion queue, while a thread of the kernel takes the requests */
} RingKind;

/** What a ring is made with. */
typedef struct RingSetup
{
  RingKind kind;
  uint64_t batch; /**< requests that are made at a time; 0: as slots_init() says */
  bool buffers;   /**< the buffers are to be registered */
  bool file;      /**< the file is to be registered */
} RingSetup;

/** Numbers of requests that are not for a slot. */
enum
{
  RING_WAKE = 1 << 30, /**< waits until the run is stopped */
  RING_CANCEL          /**< cancels the others */
};

typedef struct Ring
{
  Slots slots;
  struct io_uring ring;
  int fd;             /* the file */
  int target;         /* how requests name the file: fd, or 0 where it is registered */
  bool fixed_buffers; /* the buffers are registered */
  bool fixed_file;    /* the file is registered, or can be */
  bool refused;       /* the kernel takes no more requests */
  bool cancelled;
  uint32_t tries;         /* how often in a row it was too busy */
  int event_fd, epoll_fd; /* of uring.eventloop; else -1 */
} Ring;

/** Options, by their places in OvTask::options. */
enum
{
  RING_OPTION_BUFFERS,
  RING_OPTION_FILE,
  RING_OPTION_BATCH,
  RING_OPTION_YIELD /**< of uring.spin only */
};

extern const OvOption ring_option_buffers, ring_option_file, ring_option_batch;

#define RING_OPTIONS &ring_option_buffers, &ring_option_file, &ring_option_batch

int ring_probe (const OvHost *host, char *why, size_t why_size);
int ring_probe_polled (const OvHost *host, char *why, size_t why_size);
int ring_prepare (const RingSetup *setup, const OvHost *host, const OvTask *task, Ring **ring);
void ring_release (void *state);

int ring_open (Ring *self);
int ring_close (Ring *self);
void ring_watch_stop (Ring *self);
void ring_submit (Ring *self, uint32_t wait_for);
void ring_cancel (Ring *self);

/** ring_prepare() with what the options above say. */
static inline int
ring_prepare_as_told (RingKind kind, const OvHost *host, const OvTask *task, Ring **ring)
{
  RingSetup setup
      = { kind, (uint64_t)task->options[RING_OPTION_BATCH], task->options[RING_OPTION_BUFFERS] != 0,
          task->options[RING_OPTION_FILE] != 0 };

  return ring_prepare (&setup, host, task, ring);
}

/** Puts the request of `slot` into the queue.  It has room: it is as long as there are slots. */
static inline void
ring_read (Ring *self, const Slot *slot)
{
  struct io_uring_sqe *sqe = io_uring_get_sqe (&self->ring);

  if (self->fixed_buffers)
    io_uring_prep_read_fixed (sqe, self->target, slot->memory, (unsigned)slot->bytes, slot->offset,
                              (int)slot->index);
  else
    io_uring_prep_read (sqe, self->target, slot->memory, (unsigned)slot->bytes, slot->offset);
  if (self->fixed_file)
    io_uring_sqe_set_flags (sqe, IOSQE_FIXED_FILE);
  io_uring_sqe_set_data64 (sqe, slot->index);
}

/** Takes all completions that are in the queue; false: there was none. */
static inline bool
ring_reap (Ring *self)
{
  struct io_uring_cqe *cqe;
  unsigned head, n = 0;

  io_uring_for_each_cqe (&self->ring, head, cqe)
  {
    n++;
    if (cqe->user_data < self->slots.n)
      slots_arrived (&self->slots, &self->slots.slot[cqe->user_data], cqe->res, 0);
  }
  io_uring_cq_advance (&self->ring, n);
  return n > 0;
}

/** Makes as many requests as there are free buffers (or as the user wants at a time). */
static inline void
ring_fill (Ring *self)
{
  Slot *slot;

  for (uint32_t i = 0; i < self->slots.make && (slot = slots_next (&self->slots)) != NULL; i++)
    ring_read (self, slot);
}
