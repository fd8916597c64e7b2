/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stream.h: a small stdio of our own, so that what is compared is how fwrite() writes, and not one
 * C library with another.
 *
 * A stream is a descriptor and a buffer.  A strategy is a function that takes what the caller gave
 * to one fwrite() and decides what goes through the buffer and what goes to the system from the
 * caller's memory; everything else is here: opening, one write(2) with its short writes and errors,
 * flushing, closing, and the caller who has the whole content in memory and gives it away in pieces
 * of one size.
 *
 * What always holds: `used` bytes lie in the buffer, they belong to `position` in the file, and
 * used < room between two calls, for a full buffer is flushed at once.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "overlap-strategy.h"

typedef struct Stream
{
  const OvHost *host;
  const OvTask *task;
  int fd;
  char *buffer;
  size_t room;       /**< bytes of the buffer */
  size_t used;       /**< bytes that wait in it */
  uint64_t position; /**< where in the file they belong */
} Stream;

/** One fwrite(): takes `bytes` bytes at `data`.  Returns 0 or -errno. */
typedef int (*StreamPut) (Stream *self, const char *data, size_t bytes);

/** Options, by their places in OvTask::options. */
enum
{
  STREAM_OPTION_BUFFER,
  STREAM_OPTION_START,
  STREAM_OPTION_OWN /**< the first of a strategy's own */
};

extern const OvOption stream_option_buffer, stream_option_start;

#define STREAM_OPTIONS &stream_option_buffer, &stream_option_start

/** OvStrategy::prepare and ::release. */
int stream_prepare (const OvHost *host, const OvTask *task, void **state);
void stream_release (void *state);

/** OvStrategy::run with `put` for each call: opens, writes the range, flushes, closes. */
int stream_run (Stream *self, StreamPut put);

/** Gives `bytes` bytes at `data` to the system with write(2), one call unless it is cut short. */
int stream_write (Stream *self, const char *data, size_t bytes);

/** Writes out what the buffer holds. */
static inline int
stream_flush (Stream *self)
{
  size_t used = self->used;

  self->used = 0;
  return used > 0 ? stream_write (self, self->buffer, used) : 0;
}

/** putc(): one byte into the buffer, which is written out when it is full. */
static inline int
stream_putc (Stream *self, char byte)
{
  self->buffer[self->used++] = byte;
  return self->used == self->room ? stream_flush (self) : 0;
}

/** `bytes` bytes into the buffer, one by one. */
static inline int
stream_put_bytes (Stream *self, const char *data, size_t bytes)
{
  int error = 0;

  for (size_t i = 0; i < bytes && error == 0; i++)
    error = stream_putc (self, data[i]);
  return error;
}

/** `bytes` bytes into the buffer by memcpy(); they must fit. */
static inline int
stream_put_copy (Stream *self, const char *data, size_t bytes)
{
  memcpy (self->buffer + self->used, data, bytes);
  self->used += bytes;
  return self->used == self->room ? stream_flush (self) : 0;
}
