// SPDX-License-Identifier: GPL-3.0-or-later
/* Reading clocks, and calibrating the time-stamp counter against CLOCK_MONOTONIC. */
#include "config.h"

#include "base/ov-clock.h"
#include "base/ov-clock-private.h"

#include <fcntl.h>
#include <string.h>
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
ov_clock_boot_ns (void)
{
  return read_clock_ns (CLOCK_BOOTTIME);
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

gboolean
ov_tsc_is_named_by (const char *current_clocksource)
{
  gsize length = strcspn (current_clocksource, " \t\n");

  return length == 3 && strncmp (current_clocksource, "tsc", 3) == 0;
}

gboolean
ov_tsc_usable (void)
{
#if defined(__x86_64__) || defined(__i386__)
  char text[64];
  ssize_t n;
  int fd = open (CLOCKSOURCE, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return FALSE;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0)
    return FALSE;
  text[n] = '\0';
  return ov_tsc_is_named_by (text);
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
