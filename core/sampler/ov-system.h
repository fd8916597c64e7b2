/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the whole machine and of one process, by libgtop.  They come in ticks of the kernel
 * (10 ms as reported): good for a live trace and for spans over 250 ms, never for a short run.
 * libgtop keeps a global state: one thread only.
 */
#pragma once

#include <sys/types.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 busy_ns;  /**< all cores together, neither idle nor waiting for I/O, since boot */
  gint64 total_ns; /**< all cores together, without time stolen by a hypervisor */
} OvSystemCpu;

typedef struct
{
  gint64 user_ns;
  gint64 system_ns;
  gint64 resident; /**< bytes */
} OvProcessFigures;

/** Prepares libgtop.  Call once, before the others. */
void ov_system_init (void);
void ov_system_get_cpu (OvSystemCpu *cpu);
/** FALSE when the process is gone: all figures are -1 then. */
gboolean ov_system_get_process (pid_t pid, OvProcessFigures *figures);

G_END_DECLS
