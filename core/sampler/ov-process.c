/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All of it is read from the kernel's own clocks and from /proc, with plain system calls: these
 * functions run at the ends of a measured span.
 */
#include "sampler/ov-process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static gint64
timespec_ns (const struct timespec *ts)
{
  return (gint64)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

static gint64
timeval_ns (const struct timeval *tv)
{
  return (gint64)tv->tv_sec * 1000000000 + (gint64)tv->tv_usec * 1000;
}

/** The kernel's id of a thread's CPU clock: see clock_getcpuclockid(3), which takes processes
 *  only; the encoding is kernel ABI (CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED). */
static clockid_t
thread_clock (pid_t tid)
{
  return (clockid_t)((~(unsigned int)tid << 3) | 6u);
}

gint64
ov_process_cpu_ns (void)
{
  struct timespec ts;
  struct dirent *entry;
  DIR *dir = opendir ("/proc/self/task");

  if (dir != NULL)
    {
      while ((entry = readdir (dir)) != NULL)
        if (g_ascii_isdigit (entry->d_name[0]))
          clock_gettime (thread_clock (atoi (entry->d_name)), &ts);
      closedir (dir);
    }
  if (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &ts) != 0)
    return -1;
  return timespec_ns (&ts);
}

gint64
ov_process_cpu_of (pid_t pid)
{
  struct timespec ts;
  clockid_t clock;

  if (clock_getcpuclockid (pid, &clock) != 0 || clock_gettime (clock, &ts) != 0)
    return -1;
  return timespec_ns (&ts);
}

/** Reads a small file of /proc into `buffer`, ended by a 0. */
static gboolean
read_small (const char *path, char *buffer, gsize size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    return FALSE;
  n = read (fd, buffer, size - 1);
  close (fd);
  if (n < 0)
    return FALSE;
  buffer[n] = '\0';
  return TRUE;
}

/** The number behind `key` in `text`, or -1. */
static gint64
number_after (const char *text, const char *key)
{
  const char *found = strstr (text, key);

  return found != NULL ? g_ascii_strtoll (found + strlen (key), NULL, 10) : -1;
}

static void
read_counters (OvProcessCounters *counters)
{
  char text[1024];
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  counters->user_ns = timeval_ns (&usage.ru_utime);
  counters->system_ns = timeval_ns (&usage.ru_stime);
  counters->minor_faults = usage.ru_minflt;
  counters->major_faults = usage.ru_majflt;
  counters->voluntary_switches = usage.ru_nvcsw;
  counters->involuntary_switches = usage.ru_nivcsw;
  counters->reads = counters->writes = counters->device_bytes = counters->written_bytes = -1;
  if (read_small ("/proc/self/io", text, sizeof text))
    {
      counters->reads = number_after (text, "syscr: ");
      counters->writes = number_after (text, "syscw: ");
      counters->device_bytes = number_after (text, "\nread_bytes: ");
      counters->written_bytes = number_after (text, "\nwrite_bytes: ");
    }
}

void
ov_process_counters_begin (OvProcessCounters *counters)
{
  read_counters (counters);
  counters->cpu_ns = ov_process_cpu_ns ();
}

void
ov_process_counters_end (OvProcessCounters *counters)
{
  counters->cpu_ns = ov_process_cpu_ns ();
  read_counters (counters);
}

void
ov_process_reset_peak (void)
{
  int fd = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  if (write (fd, "5", 1) < 0)
    g_debug ("The peak of memory cannot be reset: %s", g_strerror (errno));
  close (fd);
}

static gint64
status_kib (const char *key)
{
  char text[4096];
  gint64 kib;

  if (!read_small ("/proc/self/status", text, sizeof text))
    return -1;
  kib = number_after (text, key);
  return kib >= 0 ? kib * 1024 : -1;
}

gint64
ov_process_peak (void)
{
  return status_kib ("VmHWM:\t");
}

gint64
ov_process_resident (void)
{
  return status_kib ("VmRSS:\t");
}

char *
ov_process_wchan (pid_t pid)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", (int)pid);
  struct dirent *entry;
  char *found = NULL;
  DIR *dir = opendir (folder);

  if (dir == NULL)
    return NULL;
  while (found == NULL && (entry = readdir (dir)) != NULL)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s/wchan", folder, entry->d_name);
      char text[128];

      if (g_ascii_isdigit (entry->d_name[0]) && read_small (path, text, sizeof text)
          && text[0] != '\0' && strcmp (text, "0") != 0)
        found = g_strdup (text);
    }
  closedir (dir);
  return found;
}
