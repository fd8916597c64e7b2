// SPDX-License-Identifier: GPL-3.0-or-later
/* Clocks, their cost, and the calibration of the time-stamp counter. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/ov-clock-private.h"
#include "base/ov-clock.h"

static void
test_monotonic (void)
{
  gint64 last = ov_clock_now_ns ();
  gint64 begin = last;

  for (int i = 0; i < 100000; i++)
    {
      gint64 now = ov_clock_now_ns ();

      g_assert_cmpint (now, >=, last);
      last = now;
    }
  g_assert_cmpint (last, >, begin);
  /* GLib reads the same clock, in microseconds. */
  g_assert_cmpint (ov_clock_now_ns () / 1000, <=, g_get_monotonic_time () + 1);
  g_assert_cmpint (g_get_monotonic_time (), <=, ov_clock_now_ns () / 1000 + 1);
}

static void
test_boot (void)
{
  /* The time asleep since boot; it does not change while the machine is awake. */
  gint64 asleep = ov_clock_asleep_ns ();

  g_assert_cmpint (asleep, >, -1000000);
  g_usleep (20000);
  g_assert_cmpint (ABS (ov_clock_asleep_ns () - asleep), <, 1000000000);
}

static void
test_process_cpu (void)
{
  gint64 cpu = ov_clock_process_cpu_ns (), wall = ov_clock_now_ns ();
  gint64 slept;

  g_usleep (200000);
  slept = ov_clock_process_cpu_ns () - cpu;
  /* Sleeping costs next to nothing of it, */
  g_assert_cmpint (slept, >=, 0);
  g_assert_cmpint (slept, <, (ov_clock_now_ns () - wall) / 2);
  /* working costs all of it. */
  cpu = ov_clock_process_cpu_ns ();
  wall = ov_clock_now_ns ();
  while (ov_clock_process_cpu_ns () - cpu < 20000000)
    ;
  g_assert_cmpint (ov_clock_now_ns () - wall, >=, 19000000);
}

static void
test_cost (void)
{
  gint64 monotonic = ov_clock_cost_ns (CLOCK_MONOTONIC);

  g_test_message ("CLOCK_MONOTONIC costs %" G_GINT64_FORMAT
                  " ns, the process CPU clock %" G_GINT64_FORMAT " ns",
                  monotonic, ov_clock_cost_ns (CLOCK_PROCESS_CPUTIME_ID));
  g_assert_cmpint (monotonic, >=, 1);
  g_assert_cmpint (monotonic, <, 1000000);
  g_assert_cmpint (ov_clock_cost_ns (CLOCK_PROCESS_CPUTIME_ID), >=, 1);
  g_assert_cmpint (ov_clock_cost_ns (12345), ==, -1);
}

static void
test_trust (void)
{
  const char *good = "flags\t\t: fpu tsc constant_tsc rep_good nonstop_tsc hypervisor";

  g_assert_true (ov_tsc_is_trusted ("tsc\n", "", FALSE));
  g_assert_true (ov_tsc_is_trusted ("tsc", "", FALSE));
  g_assert_true (ov_tsc_is_trusted ("kvm-clock\n", good, TRUE));
  g_assert_true (ov_tsc_is_trusted ("hyperv_clocksource_tsc_page\n", good, TRUE));
  /* A hypervisor's clock that wants a system call: its counters do not agree. */
  g_assert_false (ov_tsc_is_trusted ("kvm-clock\n", good, FALSE));
  g_assert_false (ov_tsc_is_trusted ("kvm-clock\n", "flags : constant_tsc", TRUE));
  g_assert_false (ov_tsc_is_trusted ("kvm-clock\n", "flags : nonstop_tsc xconstant_tsc", TRUE));
  g_assert_false (ov_tsc_is_trusted ("tsc-early\n", good, TRUE));
  g_assert_false (ov_tsc_is_trusted ("hpet\n", good, TRUE));
  g_assert_false (ov_tsc_is_trusted ("\n", good, TRUE));
  g_assert_false (ov_tsc_is_trusted ("", good, TRUE));
}

/* What is decided is used, and stamps go forward. */
static void
test_usable (void)
{
  const gboolean expected = ov_tsc_usable ();
  guint64 a, b;

  g_test_message ("stamps come from the %s", expected ? "time-stamp counter" : "monotonic clock");
  g_assert_cmpint (ov_stamp_init (), ==, expected);
  g_assert_cmpint (ov_stamp_is_tsc, ==, expected);
  a = ov_stamp ();
  b = ov_stamp ();
  g_assert_cmpuint (b, >=, a);
}

static void
test_conversion (void)
{
  /* 2.596 GHz over an hour. */
  const guint64 base = G_GUINT64_CONSTANT (1) << 63;
  const OvTsc tsc = {
    .stamp_begin = base,
    .clock_begin_ns = 5000000000,
    .stamp_end = base + G_GUINT64_CONSTANT (2596000000) * 3600,
    .clock_end_ns = 5000000000 + G_GINT64_CONSTANT (3600) * 1000000000,
  };

  g_assert_cmpint (ov_tsc_to_ns (&tsc, base), ==, 0);
  g_assert_cmpint (ov_tsc_to_ns (&tsc, tsc.stamp_end), ==, G_GINT64_CONSTANT (3600000000000));
  g_assert_cmpint (ov_tsc_to_ns (&tsc, base + 2596), ==, 1000);
  g_assert_cmpint (ov_tsc_to_ns (&tsc, base + 26), ==, 10);
  /* Before the begin and after the end. */
  g_assert_cmpint (ov_tsc_to_ns (&tsc, base - 2596000), ==, -1000000);
  g_assert_cmpint (ov_tsc_to_ns (&tsc, base + G_GUINT64_CONSTANT (2596000000) * 86400), ==,
                   G_GINT64_CONSTANT (86400000000000));
}

/* Stamps taken between two clock readings convert to a time between them. */
static void
check_calibration (void)
{
  OvTsc tsc;
  gint64 before[50], after[50];
  guint64 stamp[50], first;

  first = ov_stamp ();
  ov_tsc_begin (&tsc);
  g_assert_cmpint (ov_tsc_to_ns (&tsc, ov_stamp ()), ==, 0);
  for (int i = 0; i < 50; i++)
    {
      g_usleep (1000);
      before[i] = ov_clock_now_ns () - tsc.clock_begin_ns;
      stamp[i] = ov_stamp ();
      after[i] = ov_clock_now_ns () - tsc.clock_begin_ns;
      if (i == 25)
        ov_tsc_end (&tsc); /* a live view's calibration, replaced below */
    }
  ov_tsc_end (&tsc);
  g_assert_cmpint (tsc.clock_end_ns, >, tsc.clock_begin_ns);
  for (int i = 0; i < 50; i++)
    {
      gint64 slack = tsc.uncertainty_begin_ns + tsc.uncertainty_end_ns + 1;
      gint64 ns = ov_tsc_to_ns (&tsc, stamp[i]);

      g_assert_cmpint (ns, >=, before[i] - slack);
      g_assert_cmpint (ns, <=, after[i] + slack);
    }
  g_assert_cmpint (ov_tsc_to_ns (&tsc, first), <=, tsc.uncertainty_begin_ns);
}

static void
test_calibration_clock (void)
{
  int saved = ov_stamp_is_tsc;

  ov_stamp_is_tsc = 0;
  check_calibration ();
  ov_stamp_is_tsc = saved;
}

static void
test_calibration_counter (void)
{
  int saved = ov_stamp_is_tsc;
  g_autofree char *cpuinfo = NULL;

  /* Even where the kernel keeps time otherwise, a counter of constant rate can be calibrated. */
  if (!g_file_get_contents ("/proc/cpuinfo", &cpuinfo, NULL, NULL)
      || strstr (cpuinfo, "constant_tsc") == NULL || strstr (cpuinfo, "nonstop_tsc") == NULL)
    {
      g_test_skip ("this processor has no time-stamp counter of constant rate");
      return;
    }
  ov_stamp_is_tsc = 1;
  check_calibration ();
  ov_stamp_is_tsc = saved;
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/monotonic", test_monotonic);
  g_test_add_func ("/clock/boot", test_boot);
  g_test_add_func ("/clock/process-cpu", test_process_cpu);
  g_test_add_func ("/clock/cost", test_cost);
  g_test_add_func ("/clock/tsc/clocksource-names", test_trust);
  g_test_add_func ("/clock/tsc/usable", test_usable);
  g_test_add_func ("/clock/tsc/conversion", test_conversion);
  g_test_add_func ("/clock/tsc/calibration-clock", test_calibration_clock);
  g_test_add_func ("/clock/tsc/calibration-counter", test_calibration_counter);
  return g_test_run ();
}
