// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The bound of real-time scheduling: who does not wait for a quarter of a second loses it, is told
 * so in the result, and goes on as an ordinary thread; nothing can lock up the desktop.
 *
 * In a child of the test, since a limit that is set stays.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "../../plugins/tick/tick.h"
#include "../support/ov-test-child.h"

#define LONGEST_S 10 /* of CPU time: without the bound it would spin for as long */

static GString *said;

static void
explain (const OvHost *host, uint64_t offset, const char *text)
{
  g_string_append_printf (said, "%s ", text);
}

static void
effective (const OvHost *host, const char *key, const char *value)
{
  g_string_append_printf (said, "%s=%s ", key, value);
}

static double
cpu_seconds (void)
{
  struct timespec cpu;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
  return (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9;
}

/* In the child: becomes a real-time thread and never waits. */
static void
spin (gconstpointer data, int fd)
{
  const OvHost host = { .size = sizeof host, .explain = explain, .effective = effective };
  const int64_t options[] = { [TICK_OPTION_SCHEDULING] = 1, [TICK_OPTION_SLACK] = 0 };
  const OvTask task
      = { .size = sizeof task, .job = OV_JOB_TICKS, .rate = 1000, .options = options };
  const double start = cpu_seconds ();
  Tick tick = { 0 };
  double end;

  said = g_string_new (NULL);
  if (tick_enter (&tick, &host, &task) != 0)
    {
      dprintf (fd, "refused: %s", said->str);
      return;
    }
  g_assert_cmpint (sched_getscheduler (0) & ~SCHED_RESET_ON_FORK, ==, SCHED_FIFO);
  do
    end = cpu_seconds () - start;
  while (sched_getscheduler (0) != SCHED_OTHER && end < LONGEST_S);
  tick_report (&tick);
  tick_leave (&tick);
  g_assert_cmpint (sched_getscheduler (0), ==, SCHED_OTHER);
  dprintf (fd, "%s after %.3f s", said->str, end);
}

static void
test_bound (void)
{
  g_autofree char *text = ov_test_in_child (spin, NULL);

  if (text == NULL)
    return;
  g_test_message ("%s", text);
  if (g_str_has_prefix (text, "refused"))
    {
      g_test_skip (text);
      return;
    }
  g_assert_nonnull (strstr (text, "scheduling=SCHED_FIFO 10"));
  g_assert_nonnull (strstr (text, "realtime=taken back after 250 ms without a wait"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/realtime/bound", test_bound);
  return g_test_run ();
}
