/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the copy family shares: the walk through the file, once to write and once to read, chunk by
 * chunk, each at the place that is asked for.  How a chunk gets from the caller's memory into the
 * file and back is each strategy's own.
 */
#ifndef OVERLAP_COPY_H
#define OVERLAP_COPY_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "overlap-strategy.h"

typedef struct Copy Copy;

/* Moves `bytes` bytes between `data` and the file at `offset`: 0 or -errno. */
typedef int (*CopyMove) (Copy *self, char *data, size_t bytes, uint64_t offset);

struct Copy
{
  const OvHost *host;
  const OvTask *task;
  char *target; /* the caller's memory that is read into, one chunk of it */
  char *bounce; /* the fixed buffer of strategies that copy, or NULL */
  void *own;    /* what a strategy keeps beside that */
  int fd;
};

/* Allocates the state, with a bounce buffer where that is wanted: for `prepare`. */
int copy_new (const OvHost *host, const OvTask *task, bool bounce, Copy **out);
void copy_free (void *state);

/* Opens the file with `flags` beside the task's. */
int copy_open (Copy *self, int flags);
/* Writes all chunks by `write`, then reads all by `read`; closes the file. */
int copy_both (Copy *self, CopyMove write, CopyMove read);

/* One chunk by pwrite() and pread(), whatever is short or interrupted. */
int copy_pwrite (Copy *self, const char *data, size_t bytes, uint64_t offset);
int copy_pread (Copy *self, char *data, size_t bytes, uint64_t offset);

/* What a limit on locked memory forbids, in words: -ENOTSUP. */
int copy_explain_memlock (const OvHost *host, uint64_t bytes);

#endif /* OVERLAP_COPY_H */
