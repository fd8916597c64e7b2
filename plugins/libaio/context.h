/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * context.h: what the strategies of the kernel's older asynchronous interface have in common.
 *
 * io_submit() takes an array of requests, io_getevents() gives back those that are done.  A context
 * is where the kernel keeps both; it belongs to one run.
 */
#pragma once

#include <libaio.h>

#include "../slots.h"

typedef struct Context
{
  Slots slots;
  io_context_t context;
  int fd;
  struct iocb *request;    /* one for each slot */
  struct io_event *events; /* what io_getevents() fills in, */
  struct iocb **prepared;  /* what io_submit() is to take: */
  uint32_t n_prepared;     /* so many */
  struct iocb wake;        /* becomes complete when the run is stopped */
  bool watching;           /* the kernel took it */
  bool cancelled;
} Context;

int context_probe (const OvHost *host, char *why, size_t why_size);
int context_prepare (const OvHost *host, const OvTask *task, uint64_t batch, Context **context);
void context_release (void *state);

void context_watch_stop (Context *self);
void context_fill (Context *self);
void context_submit (Context *self);
void context_cancel (Context *self);
void context_reap (Context *self);
