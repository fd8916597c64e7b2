// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The same body over every strategy that writes: whatever it does inside, the file must hold
 * exactly the bytes that were to be written, with sizes and calls around every border.
 *
 * The files lie in OVERLAP_TEST_FOLDER where that is set (a file system that somebody mounted for
 * the purpose), else in a folder for temporary files. They have no name once they are open.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/ov-test-case.h"

#include "base/ov-kernels.h"
#include "base/ov-random.h"

#define SEED 77

static char *folder;

typedef struct
{
  guint64 offset; /* the file holds so many bytes before */
  guint64 length;
  guint64 block;
  guint depth;
  gint64 start;  /* -1: the option's standard */
  gint64 buffer; /* -1: the option's standard */
  gint64 whole;  /* option "whole-blocks" */
  gboolean direct;
  guint64 period; /* of the content; 0: no repetition */
} WriteCase;

static gboolean
has_option (const OvStrategy *strategy, const char *name)
{
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    if (g_str_equal (strategy->options[i]->name, name))
      return TRUE;
  return FALSE;
}

static int
make_file (char **path)
{
  g_autofree char *name = g_build_filename (folder, "write-XXXXXX", NULL);
  int fd = mkostemp (name, O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (unlink (name), ==, 0);
  *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  return fd;
}

static char *
read_file (int fd, gsize *bytes)
{
  struct stat st;
  char *data;

  g_assert_cmpint (fstat (fd, &st), ==, 0);
  *bytes = (gsize)st.st_size;
  data = g_malloc (*bytes + 1);
  for (gsize at = 0; at < *bytes;)
    {
      ssize_t n = pread (fd, data + at, *bytes - at, (off_t)at);

      g_assert_cmpint (n, >, 0);
      at += (gsize)n;
    }
  return data;
}

/* The content in memory, as the worker makes it: aligned, and in one piece beyond the period. */
static char *
make_content (const WriteCase *c, guint64 *period)
{
  gsize bytes, room;
  void *memory = NULL;

  *period = c->period > 0 ? c->period : MAX (c->length, 1);
  bytes = c->period > 0 ? c->period + c->block : c->length;
  room = (bytes / 4096 + 1) * 4096;
  g_assert_cmpint (posix_memalign (&memory, 4096, room), ==, 0);
  for (gsize at = 0; at < bytes; at += *period)
    ov_random_fill ((char *)memory + at, 0, MIN (bytes - at, *period), SEED);
  return memory;
}

static void
set_options (const OvStrategy *strategy, const WriteCase *c)
{
  ov_test_host_set_option (ov_test_host, NULL, 0);
  if (c->start >= 0 && has_option (strategy, "start"))
    ov_test_host_set_option (ov_test_host, "start", c->start);
  if (c->buffer >= 0 && has_option (strategy, "buffer"))
    ov_test_host_set_option (ov_test_host, "buffer", c->buffer);
  if (has_option (strategy, "whole-blocks"))
    ov_test_host_set_option (ov_test_host, "whole-blocks", c->whole);
}

/* The checksum of what the generator gives for the case. */
static guint32
wanted_crc (const char *content, guint64 period, guint64 length)
{
  guint32 crc = 0;

  for (guint64 at = 0; at < length; at += period)
    crc = ov_crc32c (crc, content, MIN (period, length - at));
  return crc;
}

static void
say (const OvStrategy *strategy, const WriteCase *c)
{
  g_test_message ("%s: offset %" G_GUINT64_FORMAT ", length %" G_GUINT64_FORMAT
                  ", block %" G_GUINT64_FORMAT ", depth %u, start %" G_GINT64_FORMAT
                  ", buffer %" G_GINT64_FORMAT ", whole %" G_GINT64_FORMAT "%s",
                  strategy->id, c->offset, c->length, c->block, c->depth, c->start, c->buffer,
                  c->whole, c->direct ? ", direct" : "");
}

static void
check_write (const OvStrategy *strategy, const WriteCase *c)
{
  OvTestOutcome outcome = { 0 };
  g_autofree char *path = NULL, *data = NULL, *before = g_malloc (c->offset + 1);
  int fd = make_file (&path);
  guint64 period;
  char *content = make_content (c, &period);
  OvTask task = {
    .job = OV_JOB_WRITE,
    .path = path,
    .flags = O_RDWR | O_CLOEXEC | (c->direct ? O_DIRECT : 0),
    .align = c->direct ? 4096 : 1,
    .file_size = c->offset + c->length,
    .offset = c->offset,
    .length = c->length,
    .block = c->block,
    .depth = c->depth,
    .seed = SEED,
    .content = content,
    .content_period = period,
  };
  gsize bytes;

  memset (before, '-', c->offset);
  g_assert_cmpint (pwrite (fd, before, c->offset, 0), ==, (gssize)c->offset);
  set_options (strategy, c);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  data = read_file (fd, &bytes);
  if (outcome.result != 0 || bytes != c->offset + c->length
      || ov_crc32c (0, data + c->offset, c->length) != wanted_crc (content, period, c->length))
    say (strategy, c);
  if (outcome.explained != NULL)
    g_test_message ("explained: %s", outcome.explained);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, c->length);
  g_assert_cmpuint (bytes, ==, c->offset + c->length);
  g_assert_cmpint (memcmp (data, before, c->offset), ==, 0);
  g_assert_cmphex (ov_crc32c (0, data + c->offset, c->length), ==,
                   wanted_crc (content, period, c->length));
  if (outcome.live.submitted > 0)
    g_assert_cmpuint (outcome.live.completed_bytes, >=, c->length);
  ov_test_outcome_clear (&outcome);
  free (content);
  close (fd);
}

/* ---- Bodies ------------------------------------------------------------------------------- */

static gboolean
must_be_direct (const OvStrategy *strategy)
{
  return g_str_equal (strategy->id, "write.direct");
}

static WriteCase
case_of (guint64 length, guint64 block)
{
  return (WriteCase){ .length = length, .block = block, .depth = 1, .start = -1, .buffer = -1 };
}

/* Sizes around the borders of a page and of the buffers; calls from one byte to all of it. */
static void
test_sizes (const OvStrategy *strategy)
{
  static const guint64 lengths[]
      = { 0,    1,    2,    15,    16,    17,    511,   512,   513,   4095,  4096,  4097,
          8191, 8192, 8193, 12289, 32767, 32768, 32769, 65535, 65536, 65537, 100001 };
  static const guint64 blocks[] = { 1, 7, 16, 511, 4095, 4096, 4097, 5120, 32768, 100001, 1 << 20 };
  static const gint64 starts[] = { 0, 1, 3, 4095 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (blocks); j++)
      for (guint k = 0; k < (has_option (strategy, "start") ? G_N_ELEMENTS (starts) : 1); k++)
        {
          WriteCase c = case_of (lengths[i], blocks[j]);

          c.start = starts[k];
          c.depth = ov_has (strategy, OV_CAP_DEPTH) ? 1 + (i + j) % 5 : 1;
          if (lengths[i] / blocks[j] > 20000 && k > 0)
            continue;
          check_write (strategy, &c);
        }
}

/* Buffers that are no power of two, smaller and larger than a call and than the file. */
static void
test_buffers (const OvStrategy *strategy)
{
  static const gint64 buffers[] = { 16, 17, 4095, 4096, 4097, 32768, 1 << 20 };
  static const guint64 blocks[] = { 1, 15, 4096, 5120, 40000 };
  static const gint64 starts[] = { 0, 5 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    for (guint j = 0; j < G_N_ELEMENTS (blocks); j++)
      for (guint k = 0; k < G_N_ELEMENTS (starts); k++)
        for (gint64 whole = 0; whole < (has_option (strategy, "whole-blocks") ? 2 : 1); whole++)
          {
            WriteCase c = case_of (70001, blocks[j]);

            c.start = starts[k];
            c.buffer = buffers[i];
            c.whole = whole;
            check_write (strategy, &c);
          }
}

/* A range that does not begin at the file's, and content that repeats. */
static void
test_ranges (const OvStrategy *strategy)
{
  if (!ov_can (strategy))
    return;
  for (guint64 block = 3000; block < 300000; block = block * 4 + 1)
    {
      WriteCase c = case_of (200001, block);

      c.depth = ov_has (strategy, OV_CAP_DEPTH) ? 3 : 1;
      c.offset = 12345;
      check_write (strategy, &c);
      c.offset = 0;
      c.period = 65536;
      check_write (strategy, &c);
    }
}

static void
test_direct (const OvStrategy *strategy)
{
  static const guint64 lengths[] = { 0, 1, 4095, 4096, 4097, 65536, 65537, 100001, 1 << 20 };
  static const guint64 blocks[] = { 4096, 8192, 65536, 1 << 20 };

  if (!ov_can (strategy))
    return;
  if (ov_test_files_direct_align () == 0)
    {
      g_test_skip ("this file system does not offer O_DIRECT");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (blocks); j++)
      for (guint depth = 1; depth <= (ov_has (strategy, OV_CAP_DEPTH) ? 9 : 1); depth += 4)
        {
          WriteCase c = case_of (lengths[i], blocks[j]);

          c.direct = TRUE;
          c.depth = depth;
          check_write (strategy, &c);
          c.offset = 8192;
          check_write (strategy, &c);
        }
}

/* Stopped before it begins: nothing is written, no request is left. */
static void
test_stop (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  g_autofree char *path = NULL, *data = NULL;
  WriteCase c = case_of (OV_M, 4096);
  guint64 period;
  char *content = make_content (&c, &period);
  int fd = make_file (&path);
  OvTask task = { .job = OV_JOB_WRITE,
                  .path = path,
                  .flags = O_RDWR | O_CLOEXEC | (must_be_direct (strategy) ? O_DIRECT : 0),
                  .align = must_be_direct (strategy) ? 4096 : 1,
                  .file_size = OV_M,
                  .length = OV_M,
                  .block = 4096,
                  .depth = 1,
                  .content = content,
                  .content_period = period };
  gsize bytes;

  if (ov_can (strategy))
    {
      ov_test_host_set_stop (ov_test_host, 0);
      ov_test_host_run (ov_test_host, strategy, &task, &outcome);
      if (must_be_direct (strategy) && outcome.result == -EINVAL)
        g_test_skip ("this file system does not offer O_DIRECT");
      else
        g_assert_cmpint (outcome.result, ==, -ECANCELED);
      g_assert_cmpuint (outcome.live.submitted, ==, 0);
      g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
      ov_test_host_set_stop (ov_test_host, -1);
      ov_test_outcome_clear (&outcome);
    }
  data = read_file (fd, &bytes);
  free (content);
  close (fd);
}

/* A file that may not grow beyond 64K: an error, explained, and not the end of the process. */
static void
test_too_large (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  g_autofree char *path = NULL;
  WriteCase c = case_of (OV_M, 8192);
  struct rlimit old, limit = { 65536, 65536 };
  guint64 period;
  char *content = make_content (&c, &period);
  int fd = make_file (&path);
  OvTask task = { .job = OV_JOB_WRITE,
                  .path = path,
                  .flags = O_RDWR | O_CLOEXEC,
                  .align = 1,
                  .file_size = OV_M,
                  .length = OV_M,
                  .block = 8192,
                  .depth = 1,
                  .content = content,
                  .content_period = period };

  if (ov_can (strategy))
    {
      g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
      limit.rlim_max = old.rlim_max;
      signal (SIGXFSZ, SIG_IGN);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      ov_test_host_run (ov_test_host, strategy, &task, &outcome);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_cmpint (outcome.result, ==, -EFBIG);
      g_assert_nonnull (outcome.explained);
      ov_test_outcome_clear (&outcome);
    }
  free (content);
  close (fd);
}

/* More than the file system has room for: an error, explained; the caller gives the space back. */
static void
test_no_space (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  g_autofree char *path = NULL;
  WriteCase c = case_of (2 * OV_M, 8192);
  guint64 period;
  char *content = make_content (&c, &period);
  int fd = make_file (&path);
  OvTask task = { .job = OV_JOB_WRITE,
                  .path = path,
                  .flags = O_RDWR | O_CLOEXEC,
                  .align = 1,
                  .file_size = c.length,
                  .length = c.length,
                  .block = c.block,
                  .depth = 1,
                  .content = content,
                  .content_period = period };

  if (ov_can (strategy))
    {
      ov_test_host_run (ov_test_host, strategy, &task, &outcome);
      g_assert_cmpint (outcome.result, ==, -ENOSPC);
      g_assert_nonnull (outcome.explained);
      ov_test_outcome_clear (&outcome);
    }
  free (content);
  close (fd);
}

/* ---- Registration ------------------------------------------------------------------------- */

typedef struct
{
  const OvStrategy *strategy;
  void (*function) (const OvStrategy *strategy);
} Pair;

static void
run_pair (gconstpointer data)
{
  const Pair *pair = data;

  pair->function (pair->strategy);
}

static void
add_test (const OvStrategy *strategy, const char *name,
          void (*function) (const OvStrategy *strategy))
{
  g_autofree char *path = g_strdup_printf ("/writes/%s/%s", strategy->id, name);
  Pair *pair = g_new (Pair, 1);

  pair->strategy = strategy;
  pair->function = function;
  g_test_add_data_func_full (path, pair, run_pair, g_free);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) strategies = NULL;
  g_autofree char *made = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("OVERLAP_PLUGIN_DIR"));
  if (g_getenv ("OVERLAP_TEST_FOLDER") == NULL)
    made = g_dir_make_tmp ("ov-writes-XXXXXX", NULL);
  folder = g_strdup (made != NULL ? made : g_getenv ("OVERLAP_TEST_FOLDER"));
  g_setenv ("TMPDIR", folder, TRUE);
  ov_test_files_begin ();
  ov_test_host = ov_test_host_new ();
  strategies = ov_test_host_load (g_getenv ("OVERLAP_PLUGIN_DIR"));
  for (guint i = 0; i < strategies->len; i++)
    {
      const OvStrategy *strategy = strategies->pdata[i];

      if ((strategy->jobs & OV_JOB_WRITE) == 0)
        continue;
      if (!must_be_direct (strategy))
        {
          add_test (strategy, "sizes", test_sizes);
          add_test (strategy, "ranges", test_ranges);
          add_test (strategy, "too-large", test_too_large);
        }
      if (has_option (strategy, "buffer"))
        add_test (strategy, "buffers", test_buffers);
      if ((strategy->caps & OV_CAP_DIRECT) != 0)
        add_test (strategy, "direct", test_direct);
      if (g_getenv ("OVERLAP_TEST_NO_SPACE") != NULL && !must_be_direct (strategy))
        add_test (strategy, "no-space", test_no_space);
      add_test (strategy, "stop", test_stop);
    }
  result = g_test_run ();

  ov_test_host_free (ov_test_host);
  ov_test_files_end ();
  if (made != NULL)
    g_assert_cmpint (rmdir (made), ==, 0);
  g_free (folder);
  return result;
}
