/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything comes from uname(2), sysconf(3), os-release and /proc and /sys; what cannot be read
 * stays NULL or 0.
 */
#include "config.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/ov-clock.h"
#include "base/ov-kernels.h"
#include "sampler/ov-machine-probe.h"

/** First value behind `key` and a colon in /proc/cpuinfo, or NULL. */
static char *
cpuinfo_value (const char *text, const char *key)
{
  const char *at = text;

  while (at != NULL && *at != '\0')
    {
      const char *next = strchr (at, '\n');
      const char *colon;

      if (g_str_has_prefix (at, key) && (colon = strchr (at, ':')) != NULL
          && (next == NULL || colon < next))
        return g_strstrip (g_strndup (colon + 1, next != NULL ? (gsize)(next - colon - 1) : 200));
      at = next != NULL ? next + 1 : NULL;
    }
  return NULL;
}

static char *
read_line (const char *path)
{
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return g_strstrip (text);
}

static char *
find_virtualization (const char *cpuinfo)
{
  g_autofree char *vendor = read_line ("/sys/class/dmi/id/sys_vendor");
  g_autofree char *hypervisor = read_line ("/sys/hypervisor/type");
  g_autofree char *flags = cpuinfo_value (cpuinfo, "flags");

  if (hypervisor != NULL && hypervisor[0] != '\0')
    return g_steal_pointer (&hypervisor);
  if (flags == NULL || strstr (flags, " hypervisor") == NULL)
    return NULL;
  if (vendor != NULL && vendor[0] != '\0')
    return g_steal_pointer (&vendor);
  return g_strdup ("hypervisor");
}

OvMachine *
ov_machine_probe (void)
{
  OvMachine *machine = ov_machine_new ();
  g_autofree char *cpuinfo = NULL;
  struct utsname name;

  if (uname (&name) == 0)
    {
      machine->host = g_strdup (name.nodename);
      machine->kernel = g_strdup (name.release);
    }
  machine->system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  if (g_file_get_contents ("/proc/cpuinfo", &cpuinfo, NULL, NULL))
    {
      machine->cpu = cpuinfo_value (cpuinfo, "model name");
      machine->virtualization = find_virtualization (cpuinfo);
    }
  machine->cores = (guint)MAX (sysconf (_SC_NPROCESSORS_ONLN), 0);
  machine->memory = (guint64)sysconf (_SC_PHYS_PAGES) * (guint64)sysconf (_SC_PAGESIZE);
  machine->clock_source
      = read_line ("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  machine->clock_cost_ns = ov_clock_cost_ns (CLOCK_MONOTONIC);
  machine->cpu_clock_cost_ns = ov_clock_cost_ns (CLOCK_PROCESS_CPUTIME_ID);
  machine->count_kernel = g_strdup (ov_count_fast_name ());
  machine->version = g_strdup (OV_VERSION);
  return machine;
}
