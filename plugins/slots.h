/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slots.h: the buffers of a strategy that keeps several requests in flight.
 *
 * A slot is a buffer and the request that fills it.  Each slot goes round and round:
 *
 *     free -- slots_next() --> in flight -- slots_arrived() --> full -- slots_consume() --> free
 *
 * The strategy hands the request to the system and learns, in its own way, that it came back; all
 * the rest is here: which part of the file is next, which buffer may be used, the remainder of a
 * short read, errors, stopping.
 *
 * What always holds:
 *  - Bytes are consumed in the order of the positions for a `count` job (a checksum wants them so),
 *    in the order of their arrival for a `blocks` job.
 *  - Once the run is stopped or a request failed, slots_next() gives nothing more; what is in
 *    flight must still come back through slots_arrived() before slots_active() turns false.
 *  - Only run's own thread comes here.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "overlap-strategy.h"

/** A buffer, and the request that is to fill it (or, after a short read, the rest of it). */
typedef struct Slot
{
  void *memory;    /**< read to here, */
  uint64_t bytes;  /**< so many bytes, */
  uint64_t offset; /**< from here in the file */
  uint32_t index;  /**< number of the slot, from 0 */

  uint32_t tries;  /* how often in a row the system said EAGAIN */
  uint8_t *buffer; /* the whole buffer, */
  uint64_t wanted; /* how much of it is to be filled, */
  uint64_t here;   /* and how much of that has come */
  bool full;
} Slot;

typedef struct Slots
{
  const OvHost *host;
  const OvTask *task;
  uint32_t n;         /**< slots */
  uint32_t in_flight; /**< slots whose request is with the system */
  uint32_t batch;     /**< the most slots that are consumed before new requests are made */
  uint32_t make;      /**< the most requests that are made at a time */
  uint32_t wait_for;  /**< how many requests to wait for when there is nothing to consume */
  int error;          /**< why the run ends early: -errno; or 0 */
  Slot *slot;         /**< all of them */

  Slot **free;  /* a stack: the buffer used last is still in the processor's cache */
  Slot **again; /* a stack: short reads, whose remainder is to be asked for */
  Slot **queue; /* a ring: slots in the order in which they are to be consumed */
  uint32_t n_free, n_again, n_queue, head;
  uint64_t left; /* requests not made yet: bytes of a `count` job, blocks of a `blocks` job */
  OvPositions positions;
} Slots;

/* Small requests are made in batches of so many bytes: fewer system calls, while the device never
 * waits long for its next request. */
#define SLOTS_BATCH_BYTES   ((uint64_t)64 * 1024)
#define SLOTS_LARGEST_BLOCK ((uint64_t)1 << 30)

static inline uint64_t
slots_least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline void
slots_free (Slots *slots)
{
  free (slots->slot);
  slots->slot = NULL;
}

/** Makes the slots of `task`, with their buffers; `batch` is how many requests the user wants to be
 *  made at a time, 0 leaves it to us.  For `prepare`.  Returns 0 or -errno, explained. */
static inline int
slots_init (Slots *slots, const OvHost *host, const OvTask *task, uint64_t batch)
{
  uint64_t block = task->block, stride, useful;
  uint8_t *buffers;
  uint32_t n;

  if (block == 0 || block > SLOTS_LARGEST_BLOCK || task->depth == 0)
    {
      host->explain (host, UINT64_MAX, OV_TR ("Blocks of this size cannot be read."));
      return -EINVAL;
    }
  *slots = (Slots){ .host = host, .task = task };
  ov_positions_init (&slots->positions, task);
  slots->left = task->job == OV_JOB_BLOCKS ? task->requests : task->length;
  if (task->job == OV_JOB_BLOCKS && slots->left > 0 && slots->positions.blocks == 0)
    {
      host->explain (host, UINT64_MAX, OV_TR ("The file is smaller than one block."));
      return -EINVAL;
    }

  /* No more buffers than there are requests. */
  useful = task->job == OV_JOB_BLOCKS ? slots->left : (slots->left + block - 1) / block;
  slots->n = n = (uint32_t)slots_least (task->depth, useful > 0 ? useful : 1);
  if (batch == 0)
    {
      /* In file order, and where a device fills them, half of the buffers must go on being filled
       * meanwhile. */
      slots->batch = (uint32_t)slots_least (
          SLOTS_BATCH_BYTES / block, task->job == OV_JOB_BLOCKS && task->align <= 1 ? n : n / 2);
      slots->make = n;
      slots->wait_for = 1;
    }
  else
    slots->batch = slots->make = slots->wait_for = (uint32_t)slots_least (batch, n);
  if (slots->batch == 0)
    slots->batch = 1;

  stride = ov_round_up (block, block < 4096 ? 512 : 4096);
  buffers = host->buffer (host, n * stride);
  slots->slot = calloc (n, sizeof (Slot) + 3 * sizeof (Slot *));
  if (buffers == NULL || slots->slot == NULL)
    {
      slots_free (slots);
      host->explain (host, UINT64_MAX, OV_TR ("There is not enough memory for the buffers."));
      return -ENOMEM;
    }
  slots->free = (Slot **)(slots->slot + n);
  slots->again = slots->free + n;
  slots->queue = slots->again + n;
  for (uint32_t i = 0; i < n; i++)
    {
      slots->slot[i].index = i;
      slots->slot[i].buffer = buffers + i * stride;
      slots->free[n - 1 - i] = &slots->slot[i];
    }
  slots->n_free = n;
  return 0;
}

/** Ends the run with `error`, a negative errno that is explained with `text` (or NULL). */
static inline void
slots_fail (Slots *slots, int error, uint64_t offset, const char *text)
{
  if (slots->error != 0)
    return; /* the first error counts */
  slots->error = error;
  if (error != -ECANCELED && text != NULL)
    slots->host->explain (slots->host, offset, text);
}

/** Opens the file of the task.  Returns its descriptor; or -1, and then the run has failed. */
static inline int
slots_open (Slots *slots)
{
  const OvTask *task = slots->task;
  int fd = open (task->path, task->flags);

  if (fd < 0)
    slots_fail (slots, -errno, UINT64_MAX, NULL);
  else if (task->order == OV_ORDER_RANDOM)
    posix_fadvise (fd, 0, 0, POSIX_FADV_RANDOM); /* no reading ahead of what nobody wants */
  return fd;
}

/** True once nothing more is to be asked for: the run was stopped, or a request failed. */
static inline bool
slots_ending (Slots *slots)
{
  if (slots->error == 0 && ov_stopped (slots->host))
    slots->error = -ECANCELED;
  return slots->error != 0;
}

/** True while there is something to do: requests to make, to wait for, or to consume. */
static inline bool
slots_active (Slots *slots)
{
  return slots->in_flight > 0
         || ((slots->left > 0 || slots->n_again + slots->n_queue > 0) && !slots_ending (slots));
}

static inline void
slots_enqueue (Slots *slots, Slot *slot)
{
  uint32_t at = slots->head + slots->n_queue++;

  slots->queue[at < slots->n ? at : at - slots->n] = slot;
}

/** The next request, which the caller now hands to the system; NULL: there is none now. */
static inline Slot *
slots_next (Slots *slots)
{
  const OvTask *task = slots->task;
  Slot *slot;

  if (slots_ending (slots))
    return NULL;
  if (slots->n_again > 0)
    slot = slots->again[--slots->n_again];
  else if (slots->left == 0 || slots->n_free == 0)
    return NULL;
  else
    {
      slot = slots->free[--slots->n_free];
      slot->memory = slot->buffer;
      slot->here = 0;
      slot->tries = 0;
      if (task->job == OV_JOB_BLOCKS)
        {
          slot->offset = ov_position (&slots->positions);
          slot->wanted = task->block;
          slots->left--;
        }
      else
        {
          slot->offset = ov_piece (&slots->positions, &slot->wanted);
          slots->left -= slot->wanted;
          slots_enqueue (slots, slot);
        }
      /* With O_DIRECT the end of the file is asked for in whole sectors too. */
      slot->bytes = ov_round_up (slot->wanted, task->align);
    }
  slots->in_flight++;
  ov_submitted (slots->host, slot->index, slot->offset, slot->bytes);
  return slot;
}

/** The call that handed the request of `slot` to the system has returned. */
static inline void
slots_handed (const Slots *slots, const Slot *slot)
{
  ov_handed (slots->host, slot->index);
}

/* A request that failed, was cancelled, or brought less than it should. */
static inline void
slots_arrived_odd (Slots *slots, Slot *slot, int64_t result)
{
  uint64_t here, align = slots->task->align > 1 ? slots->task->align : 1;
  int error;

  if (slots_ending (slots))
    {
      if (result == -ECANCELED || result == -EINTR)
        ov_cancelled (slots->host);
      return;
    }
  if (result < 0)
    {
      error = ov_retry (slots->host, result, &slot->tries);
      if (error == 0)
        slots->again[slots->n_again++] = slot;
      else
        slots_fail (slots, error, slot->offset, OV_TR ("This part of the file cannot be read."));
      return;
    }

  here = slot->here + (uint64_t)result;
  here -= here % align;
  if (here <= slot->here) /* nothing new: somebody cut the file off */
    {
      slots_fail (slots, -ENODATA, slot->offset,
                  OV_TR ("The file ends before the end of the range."));
      return;
    }
  ov_short_io (slots->host);
  slot->offset += here - slot->here;
  slot->here = here;
  slot->memory = slot->buffer + here;
  slot->bytes = ov_round_up (slot->wanted - here, align);
  slot->tries = 0;
  slots->again[slots->n_again++] = slot;
}

/** The request of `slot` came back with `result`: bytes, or -errno.  `stamp` is the moment when it
 *  did, from OvHost::stamp; 0: just now. */
static inline void
slots_arrived (Slots *slots, Slot *slot, int64_t result, uint64_t stamp)
{
  slots->in_flight--;
  ov_completed_at (slots->host, slot->index, result, stamp);
  if (result < (int64_t)(slot->wanted - slot->here))
    {
      slots_arrived_odd (slots, slot, result);
      return;
    }
  slot->full = true;
  if (slots->task->job == OV_JOB_BLOCKS)
    slots_enqueue (slots, slot);
}

/** True if there are bytes to work on. */
static inline bool
slots_ready (const Slots *slots)
{
  return slots->n_queue > 0 && slots->queue[slots->head]->full;
}

/** How many requests to wait for now; 0: there is other work. */
static inline uint32_t
slots_to_wait_for (Slots *slots)
{
  if (slots_ending (slots))
    return slots->in_flight > 0;
  if (slots_ready (slots) || slots->n_again > 0 || (slots->left > 0 && slots->n_free > 0))
    return 0;
  return (uint32_t)slots_least (slots->wait_for, slots->in_flight);
}

/** Does the work on what is there, but at most on one batch. */
static inline void
slots_consume (Slots *slots)
{
  for (uint32_t i = 0; i < slots->batch && slots_ready (slots) && !slots_ending (slots); i++)
    {
      Slot *slot = slots->queue[slots->head];

      slots->head = slots->head + 1 < slots->n ? slots->head + 1 : 0;
      slots->n_queue--;
      ov_consume (slots->host, slot->index, slot->buffer, slot->wanted);
      slot->full = false;
      slots->free[slots->n_free++] = slot;
    }
}

/** Tells the processor that we only look at memory until it changes. */
static inline void
slots_relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
