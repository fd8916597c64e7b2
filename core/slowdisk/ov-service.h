/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a simulated disk serves a request: pure arithmetic, no clock.
 *
 * What always holds: a request is never begun before it arrived nor before the one before it is
 * done, so idle time earns nothing.  (A token bucket saves up while the processor computes, and a
 * blocking program then looks as if its work overlapped.)
 */
#pragma once

#include "model/ov-disk.h"

G_BEGIN_DECLS

typedef struct
{
  OvDisk disk;
  gint64 free_ns; /**< when the disk, or the line, is done with what it has */
  guint64 head;   /**< byte behind the last one served; G_MAXUINT64: unknown */
} OvService;

typedef struct
{
  gint64 begin_ns; /**< the disk turns to it, or the line begins to carry its bytes */
  gint64 end_ns;
} OvServed;

void ov_service_init (OvService *service, const OvDisk *disk);

/** Serves the next request: `bytes` at `position`, which came at `arrival_ns`.  Requests are served
 *  in the order of these calls.
 *
 *  A disk: begin = max (arrival, free), end = begin + latency + seek + bytes / rate.
 *  A network: begin = max (arrival + latency, free), end = begin + bytes / rate. */
OvServed ov_service_next (OvService *service, gint64 arrival_ns, guint64 position, guint64 bytes);

/** Time of moving from where the last request ended: 0 where `position` goes on there, else
 *  near + (seek - near) sqrt (distance / (span / 3)), since a head speeds up for one half of the
 *  way and brakes for the other; the mean way between two random places is a third of the span.
 *  From an unknown place: the average seek. */
gint64 ov_service_seek_ns (const OvService *service, guint64 position);

G_END_DECLS
