// SPDX-License-Identifier: GPL-3.0-or-later
/* Reading clocks, and calibrating the time-stamp counter against CLOCK_MONOTONIC. */
#include "config.h"

#include "base/ov-clock.h"
#include "base/ov-clock-private.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* A pair needs one try that nothing interrupts; this many cost some microseconds. */
#define PAIR_TRIES 32

int ov_stamp_is_tsc = 0;

static gint64
timespec_to_ns (const struct timespec *t)
{
  return (gint64)t->tv_sec * 1000000000 + t->tv_nsec;
}

static gint64
read_clock_ns (clockid_t clock)
{
  struct timespec t = { 0 };

  clock_gettime (clock, &t);
  return timespec_to_ns (&t);
}

gint64
ov_clock_now_ns (void)
{
  return read_clock_ns (CLOCK_MONOTONIC);
}

gint64
ov_clock_asleep_ns (void)
{
  gint64 asleep = 0;
  gint64 closest = G_MAXINT64;

  for (int i = 0; i < 20 && closest > 10000; i++)
    {
      const gint64 before = ov_clock_now_ns ();
      const gint64 boot = read_clock_ns (CLOCK_BOOTTIME);
      const gint64 gap = ov_clock_now_ns () - before;

      if (gap < closest)
        {
          closest = gap;
          asleep = boot - before - gap / 2;
        }
    }
  return asleep;
}

gint64
ov_clock_process_cpu_ns (void)
{
  return read_clock_ns (CLOCK_PROCESS_CPUTIME_ID);
}

gint64
ov_clock_cost_ns (clockid_t clock)
{
  const int batches = 8, readings = 200;
  struct timespec t;
  gint64 best = G_MAXINT64;

  if (clock_gettime (clock, &t) != 0)
    return -1;
  for (int b = 0; b < batches; b++)
    {
      gint64 start = ov_clock_now_ns ();

      for (int i = 0; i < readings; i++)
        clock_gettime (clock, &t);
      best = MIN (best, ov_clock_now_ns () - start);
    }
  return MAX (1, (best + readings / 2) / readings);
}

static gboolean
has_word (const char *words, const char *word)
{
  const gsize length = strlen (word);

  for (const char *at = words; (at = strstr (at, word)) != NULL; at += length)
    if ((at == words || at[-1] == ' ')
        && (at[length] == ' ' || at[length] == '\n' || at[length] == '\0'))
      return TRUE;
  return FALSE;
}

gboolean
ov_tsc_is_trusted (const char *current_clocksource, const char *cpu_flags, gboolean clock_is_cheap)
{
  g_autofree char *name = g_strndup (current_clocksource, strcspn (current_clocksource, " \t\n"));

  if (strcmp (name, "tsc") == 0)
    return TRUE;
  if (strcmp (name, "kvm-clock") != 0 && strcmp (name, "hyperv_clocksource_tsc_page") != 0)
    return FALSE;
  return clock_is_cheap && has_word (cpu_flags, "constant_tsc")
         && has_word (cpu_flags, "nonstop_tsc");
}

#if defined(__x86_64__) || defined(__i386__)
/* Does CLOCK_MONOTONIC cost less than half of a system call, that is: is it read without one? */
static gboolean
clock_needs_no_call (void)
{
  const int readings = 200;
  struct timespec t;
  gint64 best = G_MAXINT64;

  for (int batch = 0; batch < 4; batch++)
    {
      const gint64 start = ov_clock_now_ns ();

      for (int i = 0; i < readings; i++)
        syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &t);
      best = MIN (best, ov_clock_now_ns () - start);
    }
  return 2 * ov_clock_cost_ns (CLOCK_MONOTONIC) < best / readings;
}
#endif

gboolean
ov_tsc_usable (void)
{
#if defined(__x86_64__) || defined(__i386__)
  g_autofree char *source = NULL;
  g_autofree char *cpuinfo = NULL;
  const char *flags;

  if (!g_file_get_contents (CLOCKSOURCE, &source, NULL, NULL))
    return FALSE;
  if (!g_file_get_contents ("/proc/cpuinfo", &cpuinfo, NULL, NULL))
    return FALSE;
  flags = strstr (cpuinfo, "\nflags");
  if (flags == NULL)
    return FALSE;
  flags++;
  ((char *)flags)[strcspn (flags, "\n")] = '\0';
  return ov_tsc_is_trusted (source, flags, clock_needs_no_call ());
#else
  return FALSE;
#endif
}

gboolean
ov_stamp_init (void)
{
  ov_stamp_is_tsc = ov_tsc_usable ();
  return ov_stamp_is_tsc;
}

/* The pair whose two clock readings lie closest together. Returns half their distance, rounded up:
 * the stamp was taken no farther from the middle. */
static gint64
take_pair (guint64 *stamp, gint64 *clock_ns)
{
  gint64 best = G_MAXINT64;

  for (int i = 0; i < PAIR_TRIES; i++)
    {
      gint64 before = ov_clock_now_ns ();
      guint64 s = ov_stamp ();
      gint64 gap = ov_clock_now_ns () - before;

      if (gap < best)
        {
          best = gap;
          *stamp = s;
          *clock_ns = before + gap / 2;
        }
    }
  return (best + 1) / 2;
}

void
ov_tsc_begin (OvTsc *tsc)
{
  tsc->uncertainty_begin_ns = take_pair (&tsc->stamp_begin, &tsc->clock_begin_ns);
  tsc->uncertainty_end_ns = 0;
  tsc->stamp_end = tsc->stamp_begin;
  tsc->clock_end_ns = tsc->clock_begin_ns;
}

void
ov_tsc_end (OvTsc *tsc)
{
  tsc->uncertainty_end_ns = take_pair (&tsc->stamp_end, &tsc->clock_end_ns);
}

gint64
ov_tsc_to_ns (const OvTsc *tsc, guint64 stamp)
{
  gint64 ticks = (gint64)(stamp - tsc->stamp_begin);
  double span = (double)(tsc->stamp_end - tsc->stamp_begin);

  if (tsc->stamp_end == tsc->stamp_begin)
    return 0;
  /* A double keeps whole nanoseconds up to 2^53 ns, 104 days. */
  return (gint64)__builtin_llround ((double)ticks
                                    * ((double)(tsc->clock_end_ns - tsc->clock_begin_ns) / span));
}
