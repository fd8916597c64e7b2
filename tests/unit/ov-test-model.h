/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of core/model share: samples with every field set, a private folder, and damaged
 * texts.
 */
#pragma once

#include <string.h>

#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "model/ov-json-private.h"
#include "model/ov-message.h"
#include "model/ov-run.h"
#include "model/ov-strategy-info.h"

/** A folder of its own; remove it with test_folder_free(). */
static inline char *
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("ov-test-model-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/** Removes the folder and what is in it; returns how many files there were. */
static inline guint
test_folder_free (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
      n++;
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return n;
}

static inline char *
test_text (JsonNode *node)
{
  GString *out = g_string_new (NULL);

  ov_json_write (out, node, 0);
  json_node_unref (node);
  return g_string_free (out, FALSE);
}

/** Parses what must be JSON. */
static inline JsonNode *
test_node (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = ov_json_parse (text, -1, &error);

  g_assert_no_error (error);
  return node;
}

/** The error must be of that code and hold that text. */
static inline void
test_error (GError *error, int code, const char *part)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == OV_ERROR);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” does not hold “%s”", error->message, part);
  g_assert_cmpint (error->code, ==, code);
}

/** Takes a text that need not end with a NUL; returns whether it was read. */
typedef gboolean (*TestRead) (const char *text, gsize length);

/** Hands `read` every beginning of `text`, which must all be refused, and the text with every byte
 *  changed in several ways, of which nothing is asked but that it comes back.  Each lies in memory
 *  that is exactly as long, so that a sanitizer sees a step too far. */
static inline void
test_damage (const char *text, TestRead read)
{
  gsize n = strlen (text);
  gsize i;
  guint way;

  g_assert_true (read (text, n));
  for (i = 0; i < n; i++)
    {
      g_autofree char *cut = g_memdup2 (text, i);

      g_assert_false (read (i > 0 ? cut : "", i));
    }
  for (i = 0; i < n; i++)
    for (way = 0; way < 4; way++)
      {
        static const char others[] = "\"{}[],:0-e.x\\";
        g_autofree char *bad = g_memdup2 (text, n);

        bad[i] = way == 0   ? (char)(bad[i] ^ (1 << (i % 8)))
                 : way == 1 ? (char)0xff
                 : way == 2 ? '\0'
                            : others[i % (sizeof others - 1)];
        read (bad, n);
      }
}

/** The first example of a document: what stands between "```json" and "```". */
static inline char *
test_example (const char *document)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "docs", document, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  char *begin;
  char *end;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  begin = strstr (text, "```json\n");
  g_assert_nonnull (begin);
  begin += strlen ("```json\n");
  end = strstr (begin, "```");
  g_assert_nonnull (end);
  return g_strndup (begin, (gsize)(end - begin));
}

/** A run with every field set. */
static inline OvRun *
test_run (void)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRequest requests[] = { { 10, 900, 2000, 2100, 3000, 0, 65536, 0 },
                           { 2000, -1, -1, -1, -1, 65536, -5, G_MAXUINT32 } };
  OvRun *run;
  gint64 n = 1;

  spec->index = 7;
  spec->strategy = g_strdup ("posix.read");
  g_free (spec->variant);
  spec->variant = g_strdup ("posix.read, direct “x”");
  spec->job = OV_JOB_BLOCKS;
  spec->target = g_strdup ("/tmp/a \xff b");
  spec->file = g_strdup ("size-1024000");
  spec->size = 1024000;
  spec->offset = 4096;
  spec->block = 262144;
  spec->depth = 4;
  spec->condition = OV_CONDITION_BYPASSED;
  spec->work = OV_WORK_CRC32C;
  spec->letter = '"';
  spec->requests = 10000;
  spec->order = OV_ORDER_RANDOM;
  spec->seed = G_MAXUINT64 - 1;
  spec->timing = OV_TIMING_TIMELINE;
  spec->repetition = 9;
  spec->discard = FALSE;
  spec->time_limit_ns = 5000000000;
  spec->quiet = TRUE;
  spec->log_capacity = 4096;
  spec->x = 1024000;
  ov_run_spec_set_option (spec, "hint", -3);
  ov_run_spec_set_option (spec, "flag", 1);
  run = ov_run_new (spec);
  run->state = OV_STATE_STOPPED;
  run->cause = g_strdup ("stopped: \"x\", y\nz");
  run->error_offset = 0;
  run->started_ns = n++;
  run->elapsed_ns = 9007199254740993; /* 2^53 + 1 */
  run->cpu_ns = G_MAXINT64;
  run->user_ns = n++;
  run->system_ns = n++;
  run->split_uncertain = TRUE;
  run->machine_busy = 1.25;
  run->bytes = n++;
  run->submitted = n++;
  run->completed = n++;
  run->cancelled = n++;
  run->short_io = n++;
  run->system_reads = n++;
  run->device_bytes = n++;
  run->written_bytes = n++;
  run->minor_faults = n++;
  run->major_faults = n++;
  run->voluntary_switches = n++;
  run->involuntary_switches = n++;
  run->peak_memory = n++;
  run->resident_before = 0.1;
  run->resident_after = 1;
  run->check = g_strdup ("count=21904");
  run->effective = g_strdup ("ring=sqpoll; files=registered");
  run->prepare_ns = n++;
  run->condition_ns = n++;
  run->discard_ns = n++;
  run->stop_latency_ns = n++;
  run->teardown_ns = n++;
  run->latency = g_new (OvHistogram, 1);
  ov_histogram_init (run->latency);
  ov_histogram_add (run->latency, 0);
  ov_histogram_add (run->latency, 5000);
  ov_histogram_add (run->latency, 5001);
  ov_histogram_add (run->latency, 123456789);
  ov_histogram_add (run->latency, OV_HISTOGRAM_LIMIT_NS * 2);
  run->submit_latency = g_new (OvHistogram, 1);
  ov_histogram_init (run->submit_latency);
  ov_histogram_add (run->submit_latency, 890);
  run->log = g_array_new (FALSE, FALSE, sizeof (OvRequest));
  g_array_append_vals (run->log, requests, G_N_ELEMENTS (requests));
  run->log_dropped = 3;
  return run;
}

/** A strategy that serves `jobs`. */
static inline OvStrategyInfo *
test_info (const char *id, guint jobs, guint caps)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup (id);
  info->title = g_strdup (id);
  info->summary = g_strdup ("Reads.");
  info->family = g_strdup ("test");
  info->module = g_strdup ("/usr/lib/overlap/test.so");
  info->jobs = jobs;
  info->caps = caps;
  return info;
}

static inline OvOptionInfo *
test_option (OvStrategyInfo *info, guint kind, const char *name, gint64 minimum, gint64 maximum)
{
  OvOptionInfo *option = ov_option_info_new ();

  option->kind = kind;
  option->name = g_strdup (name);
  option->title = g_strdup ("Title");
  option->help = g_strdup ("What it does.");
  option->minimum = minimum;
  option->maximum = maximum;
  option->standard = minimum;
  g_ptr_array_add (info->options, option);
  return option;
}
