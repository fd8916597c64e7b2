/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf_event_open(2), of the calling thread.
 */
#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "overlap-strategy.h"

static int
open_event (unsigned int type, unsigned long long config)
{
  struct perf_event_attr attr = {
    .type = type, .size = sizeof attr, .config = config, .exclude_kernel = 1, .exclude_hv = 1
  };
  long fd = syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

  return fd < 0 ? -errno : (int)fd;
}

int
perf_open (bool software, bool *is_software)
{
  int fd = open_event (PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

  *is_software = false;
  if (fd < 0 && software)
    {
      *is_software = true;
      fd = open_event (PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
    }
  return fd;
}

void
perf_explain (int error, char *why, size_t why_size)
{
  const char *text;

  switch (-error)
    {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      text = OV_TR ("The kernel has no hardware counters here: virtual machines often have none. "
                    "Where the host allows it, a virtual PMU lifts this.");
      break;
    case EACCES:
    case EPERM:
      text = OV_TR ("The system does not let ordinary users count: \"sysctl "
                    "kernel.perf_event_paranoid=2\", as root, lifts this.");
      break;
    case ENOSYS:
      text = OV_TR ("This kernel was built without performance counters, or a container keeps them "
                    "from us.");
      break;
    default:
      text = strerror (-error);
    }
  snprintf (why, why_size, "%s", text);
}
