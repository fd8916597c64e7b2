/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live line is redrawn ten times a second at most and cut to the terminal's width.
 */
#include "config.h"

#include "cli/ov-cli-progress.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-units.h"
#include "cli/ov-cli.h"
#include "report/ov-report.h"

#define REDRAW_US 100000

struct _OvCliProgress
{
  OvSuite *suite;
  gboolean live;
  gboolean quiet;
  gboolean drawn;
  gint64 drawn_us;
  OvRun *run; /**< of the last sample; borrowed from the suite */
  OvPhase phase;
  double throughput;
  double cores;
  double fraction;
};

static void
clear_line (OvCliProgress *self)
{
  if (self->drawn)
    fputs ("\r\033[K", stderr);
  self->drawn = FALSE;
}

static guint
terminal_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/** Cuts a text to `columns`. */
static void
cut (GString *text, guint columns)
{
  while (ov_cli_width (text->str) > columns)
    g_string_truncate (
        text, (gsize)(g_utf8_find_prev_char (text->str, text->str + text->len) - text->str));
}

static const char *
suite_word (OvSuite *suite)
{
  switch (ov_suite_get_state (suite))
    {
    case OV_SUITE_STOPPING:
      return _ ("stopping (Ctrl-C again forces)");
    case OV_SUITE_FORCING:
      return _ ("stopping by force");
    default:
      return NULL;
    }
}

static void
draw (OvCliProgress *self)
{
  const gint64 left = ov_suite_get_seconds_left (self->suite);
  const char *word = suite_word (self->suite);
  g_autoptr (GString) line = g_string_new (NULL);
  gint64 now = g_get_monotonic_time ();

  if (!self->live || now - self->drawn_us < REDRAW_US)
    return;
  g_string_append_printf (line, "[%u/%u] ", ov_suite_get_n_ended (self->suite),
                          ov_suite_get_n_runs (self->suite));
  if (self->run != NULL)
    g_string_append_printf (line, "%s: ", self->run->spec->variant);
  g_string_append (line, word != NULL ? word : ov_phase_label (self->phase));
  if (isfinite (self->fraction))
    g_string_append_printf (line, " %.0f %%", self->fraction * 100);
  if (isfinite (self->throughput))
    {
      g_autofree char *rate = self->run != NULL && (self->run->spec->job & OV_HARDWARE_JOBS)
                                  ? ov_report_format_hertz (self->throughput)
                                  : ov_rate_format (self->throughput);

      g_string_append_printf (line, "  %s", rate);
    }
  if (isfinite (self->cores))
    g_string_append_printf (line, _ ("  CPU %.0f %%"), self->cores * 100);
  if (left >= 0)
    {
      g_autofree char *time = ov_duration_format ((double)left);

      g_string_append_printf (line, _ ("  about %s left"), time);
    }
  cut (line, terminal_width () - 1);
  fprintf (stderr, "\r\033[K%s", line->str);
  fflush (stderr);
  self->drawn = TRUE;
  self->drawn_us = now;
}

static void
on_phase (OvSuite *suite, OvRun *run, guint phase, double fraction, OvCliProgress *self)
{
  /* A phase that goes on keeps the rates of its last sample. */
  if (run != self->run || phase != self->phase)
    self->throughput = self->cores = NAN;
  self->run = run;
  self->phase = phase;
  self->fraction = fraction;
  draw (self);
}

static void
on_sample (OvSuite *suite, const OvSample *sample, OvCliProgress *self)
{
  self->run = (OvRun *)sample->run;
  self->phase = sample->phase;
  self->throughput = self->run != NULL && (self->run->spec->job & OV_HARDWARE_JOBS)
                         ? sample->requests
                         : sample->throughput;
  self->cores = sample->user + sample->system;
  draw (self);
}

static void
on_state (OvSuite *suite, OvCliProgress *self)
{
  self->drawn_us = 0;
  draw (self);
}

static void
on_run_ended (OvSuite *suite, OvRun *run, OvCliProgress *self)
{
  const gboolean bad = run->state == OV_STATE_FAILED || run->state == OV_STATE_ABANDONED;
  g_autofree char *x = NULL;
  g_autofree char *time = NULL;

  if ((self->live || self->quiet) && !bad)
    {
      draw (self);
      return;
    }
  clear_line (self);
  x = ov_report_format_x (ov_suite_get_result (suite)->x, run->spec->x);
  time = run->elapsed_ns >= 0 ? ov_duration_format ((double)run->elapsed_ns / 1e9) : NULL;
  fprintf (stderr, "[%u/%u] %s %s #%u: %s%s%s%s%s\n", ov_suite_get_n_ended (suite),
           ov_suite_get_n_runs (suite), run->spec->variant, x, run->spec->repetition + 1,
           ov_state_label (run->state), time != NULL ? ", " : "", time != NULL ? time : "",
           run->cause != NULL ? ": " : "", run->cause != NULL ? run->cause : "");
}

OvCliProgress *
ov_cli_progress_new (OvSuite *suite, gboolean quiet)
{
  OvCliProgress *self = g_new0 (OvCliProgress, 1);

  self->suite = suite;
  self->quiet = quiet;
  self->live = !quiet && isatty (STDERR_FILENO);
  self->throughput = self->cores = self->fraction = NAN;
  g_signal_connect (suite, "phase", G_CALLBACK (on_phase), self);
  g_signal_connect (suite, "sample", G_CALLBACK (on_sample), self);
  g_signal_connect (suite, "state-changed", G_CALLBACK (on_state), self);
  g_signal_connect (suite, "run-ended", G_CALLBACK (on_run_ended), self);
  return self;
}

void
ov_cli_progress_free (OvCliProgress *self)
{
  g_signal_handlers_disconnect_by_data (self->suite, self);
  clear_line (self);
  g_free (self);
}
