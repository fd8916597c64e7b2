/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libgtop's structs are large (glibtop_cpu: 65 kB), so they are static here, not on the stack.
 */
#include "sampler/ov-system.h"

#include <glibtop.h>
#include <glibtop/cpu.h>
#include <glibtop/procmem.h>
#include <glibtop/proctime.h>

static gint64
ticks_to_ns (guint64 ticks, guint64 frequency)
{
  return frequency > 0 ? (gint64)((double)ticks * 1e9 / (double)frequency) : -1;
}

void
ov_system_init (void)
{
  glibtop_init ();
}

void
ov_system_get_cpu (OvSystemCpu *cpu)
{
  static glibtop_cpu figures;

  glibtop_get_cpu (&figures);
  cpu->total_ns = ticks_to_ns (figures.total, figures.frequency);
  cpu->busy_ns = ticks_to_ns (figures.total - figures.idle - figures.iowait, figures.frequency);
}

gboolean
ov_system_get_process (pid_t pid, OvProcessFigures *figures)
{
  static glibtop_proc_time times;
  glibtop_proc_mem memory;

  figures->user_ns = figures->system_ns = figures->resident = -1;
  glibtop_get_proc_time (&times, pid);
  if ((times.flags & (1L << GLIBTOP_PROC_TIME_UTIME)) == 0)
    return FALSE;
  figures->user_ns = ticks_to_ns (times.utime, times.frequency);
  figures->system_ns = ticks_to_ns (times.stime, times.frequency);
  glibtop_get_proc_mem (&memory, pid);
  if ((memory.flags & (1L << GLIBTOP_PROC_MEM_RESIDENT)) != 0)
    figures->resident = (gint64)memory.resident;
  return TRUE;
}
