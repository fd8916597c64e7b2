/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies for ports share: which ports may be touched, and what reaches them.
 *
 * A wrong port can stop a machine, so that there is a list of harmless ones, and nothing else is
 * ever touched:
 *   0x80            the diagnostic port; the kernel itself writes to it to let time pass
 *   0x378 to 0x37a  data, status and control of the first parallel port, where the kernel knows
 *                   one there; written to is the data register alone, with the value that it has,
 *                   since the control register makes a printer print
 */
#pragma once

#include <stdio.h>

#include "overlap-strategy.h"

#if defined __x86_64__ || defined __i386__
#define PORT_HERE 1
#else
#define PORT_HERE 0
#endif

#define PORT_DIAGNOSTIC 0x80u
#define PORT_DATA       0x378u
#define PORT_STATUS     0x379u
#define PORT_CONTROL    0x37au
#define PORT_DEVICE     "/dev/parport0"

/** Accesses between two looks at the flag: 4 ms on a bus that takes a microsecond for each. */
#define PORT_BATCH 4096u

/** Begins the state of every strategy for ports. */
typedef struct
{
  const OvHost *host;
  const OvTask *task;
  uint32_t port;
  uint32_t width; /**< bytes of one access: 1 or 2 */
  uint32_t value; /**< what is written */
  uint32_t sum;   /**< of what was read */
  int claimed;    /**< the parallel port, while it is ours alone, or -1 */
} Port;

/** Does the kernel know a parallel port at 0x378? */
bool port_has_parallel (void);

/** Opens the parallel port and claims it from its driver, so that nobody else uses it: the
 * descriptor or -errno. */
int port_claim (const OvHost *host);
void port_let_go (int fd);

/** Chooses and checks the port that the task means.  0, or -errno with the cause explained.  Where
 *  it is to be written to, it is claimed, so that nobody prints meanwhile. */
int port_init (Port *self, const OvHost *host, const OvTask *task);

/** The same for a job that only looks: with one byte, at the harmless port that is there. */
int port_init_reading (Port *self, const OvHost *host, const OvTask *task);

/** Gives back what port_init() has claimed. */
void port_clear (Port *self);

/** Says why `what` failed with `error` (negative errno) where privilege is asked for, and how to
 *  lift it.  Returns `error`, or -ENOTSUP where no privilege lifts it. */
int port_explain (int error, const char *what, char *why, size_t why_size);

/** Whether an access to the port, by this thread, is refused by the processor.  Only reads. */
bool port_is_closed (uint32_t port);

/** Gives (or takes back) this thread's privilege for the port: 0 or -errno. */
typedef int (*PortGrant) (const Port *self, bool give);

/** Proves that privilege was taken back after the run, and that it is each thread's own: a second
 *  thread, which is there before the first one is given it, is refused. */
int port_prove (Port *self, PortGrant grant);
