// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The same body over every strategy of every module in OVERLAP_PLUGIN_DIR: whatever a strategy does
 * inside, it must give the same count on the same file, see a stop, report faults and leave
 * nothing behind. A strategy that a module adds is tested without a line of change here.
 *
 * Left out of the comparison of counts: the family "null", which by intent reads nothing.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"

#include "../support/ov-test-host.h"
#include "../support/ov-test-inject.h"

#define K ((guint64)1024)
#define M (K * K)

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef enum
{
  TEXT,    /* printable lines of at most 80 bytes */
  BINARY,  /* random bytes of all values */
  NONE,    /* no letter at all */
  ONLY,    /* nothing but the letter, and so a single line */
  BORDERS, /* the letter at both sides of every multiple of 512 */
  LINES,   /* empty lines, lines around 4096 bytes, bytes of value 0, no newline at the end */
  N_CONTENTS
} Content;

typedef struct
{
  char *path;
  char *bytes; /* what is in it */
  guint64 size;
} File;

/* What one run is asked to do, and on what. */
typedef struct
{
  const File *file;
  guint64 offset;
  guint64 length;
  guint64 block;
  guint depth;
  guint32 work;
  guint32 letter;
  gboolean direct;
} Case;

static char *folder;
static GHashTable *files; /* name -> File */
static OvTestHost *host;
static guint direct_align; /* 0: the file system takes no O_DIRECT */
static File large;         /* made by get_large_file() when it is first asked for */

/* ---- Files -------------------------------------------------------------------------------- */

static void
fill_lines (char *bytes, guint64 size)
{
  static const guint lengths[] = { 0, 1, 0, 0, 2, 79, 4093, 4094, 4095, 4096, 4097, 8190, 8191, 3 };
  guint64 at = 0;

  for (guint i = 0; at < size; i++)
    {
      for (guint j = 0; j < lengths[i % G_N_ELEMENTS (lengths)] && at < size; j++)
        bytes[at++] = j % 7 == 3 ? '\0' : j % 5 == 0 ? 'A' : ' ';
      if (at + 1 < size)
        bytes[at++] = '\n';
      else if (at < size)
        bytes[at++] = 'A';
    }
}

static void
fill (char *bytes, guint64 size, Content content)
{
  OvRandom random;

  switch (content)
    {
    case TEXT:
      ov_text_fill (bytes, 0, size, 7, 'A', 0.02);
      break;
    case BINARY:
      ov_random_init (&random, 11);
      for (guint64 i = 0; i < size; i++)
        bytes[i] = (char)ov_random_next (&random);
      break;
    case NONE:
      for (guint64 i = 0; i < size; i++)
        bytes[i] = i % 61 == 60 ? '\n' : 'b';
      break;
    case ONLY:
      memset (bytes, 'A', size);
      break;
    case BORDERS:
      for (guint64 i = 0; i < size; i++)
        bytes[i] = i % 512 == 0 || i % 512 == 511 ? 'A' : i % 512 == 100 ? '\n' : '.';
      break;
    case LINES:
      fill_lines (bytes, size);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
file_free (gpointer data)
{
  File *file = data;

  g_unlink (file->path);
  g_free (file->path);
  g_free (file->bytes);
  g_free (file);
}

/* The file of `size` bytes of `content`, made when it is first asked for. */
static const File *
get_file (Content content, guint64 size)
{
  g_autofree char *name = g_strdup_printf ("%d-%" G_GUINT64_FORMAT, (int)content, size);
  File *file = g_hash_table_lookup (files, name);
  g_autoptr (GError) error = NULL;

  if (file != NULL)
    return file;
  file = g_new0 (File, 1);
  file->path = g_build_filename (folder, name, NULL);
  file->bytes = g_malloc (size + 1);
  file->size = size;
  fill (file->bytes, size, content);
  g_file_set_contents_full (file->path, file->bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600,
                            &error);
  g_assert_no_error (error);
  g_hash_table_insert (files, g_steal_pointer (&name), file);
  return file;
}

/* The smallest alignment with which a direct read works here: 512 or 4096; 0: none. */
static guint
find_direct_align (void)
{
  const File *file = get_file (TEXT, M);
  g_autofree char *memory = g_malloc (16384);
  char *aligned = (char *)(((uintptr_t)memory + 4095) / 4096 * 4096);
  int fd = open (file->path, O_RDONLY | O_CLOEXEC | O_DIRECT);
  guint align = 0;

  if (fd < 0)
    return 0;
  if (pread (fd, aligned, 512, 512) == 512)
    align = 512;
  else if (pread (fd, aligned, 4096, 4096) == 4096)
    align = 4096;
  close (fd);
  return align;
}

/* ---- One run ------------------------------------------------------------------------------ */

static gboolean
is_control (const OvStrategy *strategy)
{
  return g_str_equal (strategy->family, "null");
}

static OvTask
task_of (const Case *c)
{
  return (OvTask){
    .job = OV_JOB_COUNT,
    .path = c->file->path,
    .flags = O_RDONLY | O_CLOEXEC | (c->direct ? O_DIRECT : 0),
    .align = c->direct ? direct_align : 1,
    .file_size = c->file->size,
    .offset = c->offset,
    .length = c->length,
    .block = c->block,
    .depth = c->depth,
    .work = c->work,
    .letter = c->letter,
    .seed = 42,
  };
}

/* All of a file: the case that most others are made from. */
static Case
case_of (const File *file, guint64 block, guint depth)
{
  return (Case){ file, 0, file->size, block, depth, OV_WORK_PLAIN, 'A', FALSE };
}

static void
say (const OvStrategy *strategy, const Case *c)
{
  g_test_message ("%s: %s, offset %" G_GUINT64_FORMAT ", length %" G_GUINT64_FORMAT
                  ", block %" G_GUINT64_FORMAT ", depth %u, work %u, letter %u%s",
                  strategy->id, c->file->path, c->offset, c->length, c->block, c->depth, c->work,
                  c->letter, c->direct ? ", direct" : "");
}

static void
check_work (const Case *c, const OvTestOutcome *outcome)
{
  const char *bytes = c->file->bytes + c->offset;
  guint64 count = 0;

  if (c->work == OV_WORK_PLAIN || c->work == OV_WORK_FAST)
    for (guint64 i = 0; i < c->length; i++)
      count += (guchar)bytes[i] == c->letter;
  g_assert_cmpuint (outcome->live.count, ==, count);
  if (c->work == OV_WORK_CRC32C)
    g_assert_cmphex (outcome->crc, ==, ov_crc32c (0, bytes, c->length));
  if (c->work == OV_WORK_SHA256)
    {
      g_autofree char *sha
          = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, c->length);

      g_assert_cmpstr (outcome->sha, ==, sha);
    }
}

/* Runs the case and compares the result with a count of our own. */
static void
check (const OvStrategy *strategy, const Case *c)
{
  OvTestOutcome outcome = { 0 };
  OvTask task = task_of (c);

  ov_test_host_run (host, strategy, &task, &outcome);
  if (outcome.result != 0 || outcome.live.consumed_bytes != c->length)
    say (strategy, c);
  if (outcome.explained != NULL)
    g_test_message ("explained: %s", outcome.explained);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, c->length);
  if (!is_control (strategy))
    check_work (c, &outcome);
  if (outcome.live.submitted > 0)
    g_assert_cmpuint (outcome.live.completed_bytes, >=, c->length);
  g_assert_cmpuint (outcome.live.cancelled, ==, 0);
  ov_test_outcome_clear (&outcome);
}

static gboolean
has (const OvStrategy *strategy, guint32 cap)
{
  return (strategy->caps & cap) != 0;
}

/* How the work is cut up: bytes of a block, and buffers. */
typedef struct
{
  guint64 block;
  guint depth;
} Shape;

/* Calls check() for each shape, up to one with no block, that means something to the strategy. */
static void
check_shapes (const OvStrategy *strategy, Case c, const Shape *shapes)
{
  for (guint i = 0; shapes[i].block != 0; i++)
    {
      if (c.direct && shapes[i].block % direct_align != 0)
        continue;
      if (i > 0 && !has (strategy, OV_CAP_BLOCK))
        continue;
      c.block = shapes[i].block;
      c.depth = has (strategy, OV_CAP_DEPTH) ? shapes[i].depth : 1;
      check (strategy, &c);
    }
}

/* FALSE, and the test is skipped, where the strategy does not do `job` or cannot work here. */
static gboolean
can (const OvStrategy *strategy, guint32 job)
{
  g_autofree char *why = NULL;

  ov_test_host_set_option (host, NULL, 0);
  ov_test_host_set_stop (host, -1);
  ov_test_host_set_timing (host, OV_TIMING_TIMELINE);
  if ((strategy->jobs & job) == 0)
    g_test_skip ("not a job of this strategy");
  else if (!ov_test_host_probe (host, strategy, &why))
    g_test_skip (why);
  else
    return TRUE;
  return FALSE;
}

/* ---- Descriptors -------------------------------------------------------------------------- */

static gboolean
is_text (const char *text)
{
  return text != NULL && *text != '\0' && g_utf8_validate (text, -1, NULL);
}

static gboolean
is_name (const char *text, const char *more)
{
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_islower (*p) && !g_ascii_isdigit (*p) && strchr (more, *p) == NULL)
      return FALSE;
  return *text != '\0';
}

static void
check_choices (const OvOption *option)
{
  gint64 n = 0;

  g_assert_nonnull (option->choices);
  for (; option->choices[n] != NULL; n++)
    {
      g_assert_true (is_text (option->choices[n]));
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpstr (option->choices[i], !=, option->choices[n]);
    }
  g_assert_cmpint (n, >, 1);
  g_assert_cmpint (option->minimum, ==, 0);
  g_assert_cmpint (option->maximum, ==, n - 1);
}

static void
check_option (const OvOption *option)
{
  g_assert_cmpuint (option->size, ==, sizeof (OvOption));
  g_assert_cmpuint (option->kind, <=, OV_OPTION_CHOICE);
  g_assert_true (is_name (option->name, "-"));
  g_assert_true (is_text (option->title));
  g_assert_true (is_text (option->help) && g_str_has_suffix (option->help, "."));
  g_assert_cmpint (option->minimum, <, option->maximum);
  g_assert_cmpint (option->minimum, <=, option->standard);
  g_assert_cmpint (option->standard, <=, option->maximum);
  if (option->kind == OV_OPTION_BOOL)
    g_assert_true (option->minimum == 0 && option->maximum == 1);
  if (option->kind == OV_OPTION_SIZE)
    g_assert_cmpint (option->minimum, >=, 0);
  if (option->kind == OV_OPTION_CHOICE)
    check_choices (option);
}

static void
test_descriptor (const OvStrategy *strategy)
{
  const guint32 jobs = OV_JOB_COUNT | OV_JOB_WRITE | OV_JOB_BLOCKS | OV_JOB_TRANSFER | OV_JOB_PORT
                       | OV_JOB_TICKS | OV_JOB_SAMPLES;
  g_autofree char *family = g_strndup (strategy->id, strcspn (strategy->id, "."));

  g_assert_cmpuint (strategy->size, ==, sizeof (OvStrategy));
  g_assert_cmpuint (strategy->abi, ==, OV_STRATEGY_ABI);
  g_assert_true (is_name (strategy->id, "-.") && strchr (strategy->id, '.') != NULL);
  g_assert_false (g_str_has_suffix (strategy->id, "."));
  g_assert_cmpstr (strategy->family, ==, family);
  g_assert_true (is_text (strategy->title));
  g_assert_cmpint (g_utf8_strlen (strategy->title, -1), <=, 40);
  g_assert_true (is_text (strategy->summary) && g_str_has_suffix (strategy->summary, "."));
  g_assert_true (strategy->article == NULL || g_ascii_isdigit (*strategy->article));
  g_assert_cmpuint (strategy->jobs, !=, 0);
  g_assert_cmpuint (strategy->jobs & ~jobs, ==, 0);
  g_assert_true (strategy->prepare != NULL && strategy->run != NULL && strategy->release != NULL);
  if ((strategy->jobs & (OV_JOB_WRITE | OV_JOB_TRANSFER)) != 0)
    g_assert_true (has (strategy, OV_CAP_WRITES));
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      check_option (strategy->options[i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (strategy->options[i]->name, !=, strategy->options[j]->name);
    }
}

/* Whether a file below `path` has exactly the text of `length` bytes at `text`. */
static gboolean
find_source (const char *path, const char *text, gsize length)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  gboolean found = FALSE;

  while (dir != NULL && !found && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *bytes = NULL;
      gsize size;

      if (g_file_test (file, G_FILE_TEST_IS_DIR))
        found = find_source (file, text, length);
      else if (g_str_has_suffix (name, ".c") && g_file_get_contents (file, &bytes, &size, NULL))
        found = size == length && memcmp (bytes, text, size) == 0;
    }
  return found;
}

static void
test_source (const OvStrategy *strategy)
{
  g_autofree char *plugins = g_test_build_filename (G_TEST_DIST, "plugins", NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_nonnull (strategy->source);
  g_assert_true (strategy->source_end > strategy->source);
  length = (gsize)(strategy->source_end - strategy->source);
  text = g_strndup (strategy->source, length);
  g_assert_cmpuint (strlen (text), ==, length);
  g_assert_nonnull (strstr (text, "run"));
  g_assert_true (find_source (plugins, strategy->source, length));
}

/* ---- Counting ----------------------------------------------------------------------------- */

static void
test_sizes (const OvStrategy *strategy)
{
  static const Shape shapes[]
      = { { 512, 1 },   { 4 * K, 2 },  { 64 * K, 3 },   { M, 1 }, { 64 * M, 1 },
          { 512, 256 }, { 4 * K, 16 }, { 64 * K, 256 }, { 0, 0 } };
  static const guint64 sizes[] = { 0, 1, 511, 512, 513, 4095, 4096, 4097, 65535, 65536, 65537 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Case c = case_of (get_file (TEXT, sizes[i]), 0, 0);

      check_shapes (strategy, c, shapes);
      c.file = get_file (BINARY, sizes[i]);
      c.letter = '\n';
      check_shapes (strategy, c, &shapes[5]);
    }
}

/* The article's sizes, and a block more or less than a whole number of blocks. */
static void
test_article_sizes (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 64 * K, 4 }, { M, 2 }, { 4 * K, 16 }, { 0, 0 } };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  ov_test_host_set_timing (host, OV_TIMING_COUNTERS);
  for (guint64 size = 1000 * K; size <= 5000 * K; size += 1000 * K)
    check_shapes (strategy, case_of (get_file (TEXT, size), 0, 0),
                  &shapes[size == 1000 * K ? 0 : 1]);
  check_shapes (strategy, case_of (get_file (TEXT, 16 * 64 * K + 1), 0, 0), shapes);
}

static void
test_contents (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 4 * K, 3 }, { 64 * K, 2 }, { 0, 0 } };
  static const guint letters[] = { 'A', '\n', 0, 255 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (int content = 0; content < N_CONTENTS; content++)
    for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
      {
        Case c = case_of (get_file ((Content)content, 100 * K + 3), 0, 0);

        c.letter = letters[i];
        check_shapes (strategy, c, shapes);
      }
}

/* Ranges that begin and end inside the file. */
static void
test_ranges (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 4 * K, 3 }, { 0, 0 } };
  static const guint64 offsets[] = { 0, 1, 511, 4096, 5000, 65536, 99999 };
  static const guint64 lengths[] = { 0, 1, 512, 4097, 20000 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    for (guint j = 0; j < G_N_ELEMENTS (lengths); j++)
      {
        Case c = case_of (get_file (LINES, 128 * K + 5), 0, 0);

        c.offset = offsets[i];
        c.length = lengths[j];
        check_shapes (strategy, c, shapes);
      }
}

/* Every kind of work, and with it that blocks are consumed in order. */
static void
test_works (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 4 * K, 1 }, { 64 * K, 2 }, { 4 * K, 5 }, { 0, 0 } };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint32 work = OV_WORK_NONE; work <= OV_WORK_SHA256; work++)
    {
      Case c = case_of (get_file (BINARY, 300 * K + 7), 4 * K, 1);

      c.work = work;
      if (work > OV_WORK_FAST && has (strategy, OV_CAP_BY_CHARACTER))
        {
          OvTestOutcome outcome = { 0 };
          OvTask task = task_of (&c);

          ov_test_host_run (host, strategy, &task, &outcome);
          g_assert_false (outcome.prepared);
          g_assert_cmpint (outcome.result, ==, -ENOTSUP);
          g_assert_nonnull (outcome.explained);
          ov_test_outcome_clear (&outcome);
        }
      else
        check_shapes (strategy, c, shapes);
    }
}

static void
test_timings (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 4 * K, 1 }, { 64 * K, 2 }, { 4 * K, 7 }, { 0, 0 } };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint32 timing = OV_TIMING_COUNTERS; timing <= OV_TIMING_TIMELINE; timing++)
    {
      ov_test_host_set_timing (host, timing);
      check_shapes (strategy, case_of (get_file (TEXT, 200 * K + 1), 0, 0), shapes);
    }
}

static void
test_direct (const OvStrategy *strategy)
{
  static const Shape shapes[]
      = { { 512, 1 }, { 512, 16 }, { 4 * K, 2 }, { 64 * K, 3 }, { M, 2 }, { 64 * M, 1 }, { 0, 0 } };
  static const guint64 sizes[] = { 0, 1, 511, 512, 513, 4095, 4096, 4097, 65535, 65537, 1000 * K };
  Case inside;

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (!has (strategy, OV_CAP_DIRECT))
    {
      g_test_skip ("works through the page cache only");
      return;
    }
  if (direct_align == 0)
    {
      g_test_skip ("the file system takes no O_DIRECT");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Case c = case_of (get_file (TEXT, sizes[i]), 0, 0);

      c.direct = TRUE;
      c.work = OV_WORK_CRC32C;
      check_shapes (strategy, c, &shapes[sizes[i] < M / 2 ? 0 : 2]);
    }
  inside = case_of (get_file (LINES, 128 * K + 5), 0, 0);
  inside.direct = TRUE;
  inside.offset = 4096;
  inside.length = 70001;
  check_shapes (strategy, inside, shapes);
}

/* Every value of every option that differs from the standard. */
static void
test_options (const OvStrategy *strategy)
{
  static const Shape shapes[] = { { 4 * K, 4 }, { 64 * K, 3 }, { 0, 0 } };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (strategy->options == NULL)
    g_test_skip ("has no options");
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      const OvOption *option = strategy->options[i];
      gint64 last = option->kind == OV_OPTION_CHOICE ? option->maximum : option->minimum + 1;

      for (gint64 value = option->minimum; value <= MIN (last, option->maximum); value++)
        {
          ov_test_host_set_option (host, NULL, 0);
          ov_test_host_set_option (host, option->name, value);
          g_test_message ("%s = %" G_GINT64_FORMAT, option->name, value);
          check_shapes (strategy, case_of (get_file (LINES, 100 * K + 1), 0, 0), shapes);
        }
      ov_test_host_set_option (host, option->name, option->maximum);
      g_test_message ("%s = %" G_GINT64_FORMAT, option->name, option->maximum);
      check_shapes (strategy, case_of (get_file (LINES, 100 * K + 1), 0, 0), shapes);
    }
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static void
check_blocks (const OvStrategy *strategy, Case c, guint32 order, guint64 requests)
{
  OvTestOutcome outcome = { 0 };
  OvTask task = task_of (&c);
  OvPositions positions;
  guint64 count = 0;

  task.job = OV_JOB_BLOCKS;
  task.order = order;
  task.requests = requests;
  ov_positions_init (&positions, &task);
  for (guint64 i = 0; i < requests; i++)
    {
      guint64 position = ov_position (&positions);

      g_assert_cmpuint (position + task.block, <=, task.offset + task.length);
      count += ov_count_plain (c.file->bytes + position, task.block, 'A');
    }
  ov_test_host_run (host, strategy, &task, &outcome);
  if (outcome.result != 0)
    say (strategy, &c);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, requests * task.block);
  g_assert_cmpuint (outcome.live.completed_bytes, ==, requests * task.block);
  if (!is_control (strategy))
    g_assert_cmpuint (outcome.live.count, ==, c.work == OV_WORK_NONE ? 0 : count);
  ov_test_outcome_clear (&outcome);
}

static void
test_blocks (const OvStrategy *strategy)
{
  static const guint64 blocks[] = { 512, 4 * K, 64 * K, 2 * M };
  static const guint depths[] = { 1, 2, 64 };

  if (!can (strategy, OV_JOB_BLOCKS))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint j = 0; j < (has (strategy, OV_CAP_DEPTH) ? G_N_ELEMENTS (depths) : 1); j++)
      for (guint32 order = OV_ORDER_SEQUENTIAL; order <= OV_ORDER_RANDOM; order++)
        {
          Case c = case_of (get_file (TEXT, 5000 * K), blocks[i], depths[j]);

          check_blocks (strategy, c, order, blocks[i] < M ? 200 : 5);
          c.offset = 8 * K;
          c.length = 3000 * K - 100;
          c.work = OV_WORK_NONE;
          check_blocks (strategy, c, order, blocks[i] < M ? 100 : 3);
          c.direct = direct_align != 0 && blocks[i] % direct_align == 0;
          c.work = OV_WORK_FAST;
          if (c.direct && has (strategy, OV_CAP_DIRECT))
            check_blocks (strategy, c, order, blocks[i] < M ? 50 : 3);
        }
}

/* A file that is smaller than one block has no blocks to read. */
static void
test_no_blocks (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  Case c = case_of (get_file (TEXT, 513), 4 * K, 1);
  OvTask task = task_of (&c);

  if (!can (strategy, OV_JOB_BLOCKS))
    return;
  task.job = OV_JOB_BLOCKS;
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  task.requests = 10;
  ov_test_host_run (host, strategy, &task, &outcome);
  if (!is_control (strategy))
    {
      g_assert_cmpint (outcome.result, <, 0);
      g_assert_cmpint (outcome.result, !=, -ECANCELED);
      g_assert_nonnull (outcome.explained);
    }
  ov_test_outcome_clear (&outcome);
}

/* ---- Stopping ----------------------------------------------------------------------------- */

static void
test_stop_before (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  Case c = case_of (get_file (TEXT, 5000 * K), 64 * K, 4);
  OvTask task = task_of (&c);

  if (!can (strategy, OV_JOB_COUNT))
    return;
  ov_test_host_set_stop (host, 0);
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  if ((strategy->jobs & OV_JOB_BLOCKS) != 0)
    {
      task.job = OV_JOB_BLOCKS;
      task.requests = 1000;
      ov_test_host_run (host, strategy, &task, &outcome);
      g_assert_cmpint (outcome.result, ==, -ECANCELED);
      g_assert_cmpuint (outcome.live.submitted, ==, 0);
    }
  ov_test_outcome_clear (&outcome);
}

/* Strategies that count inline can be over before the other thread gets its turn: then again. */
static void
stop_in_the_middle (const OvStrategy *strategy, const OvTask *task, guint64 bytes)
{
  guint attempts = has (strategy, OV_CAP_BY_CHARACTER) ? 100 : 1;
  OvTestOutcome outcome = { 0 };

  ov_test_host_set_stop (host, 40000);
  for (guint i = 0; i < attempts && (i == 0 || outcome.result == 0); i++)
    ov_test_host_run (host, strategy, task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.consumed_bytes, <, bytes);
  ov_test_outcome_clear (&outcome);
}

static void
test_stop_in_the_middle (const OvStrategy *strategy)
{
  static const guint64 blocks[] = { 4 * K, 64 * K, M };
  static const guint depths[] = { 1, 2, 32 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint j = 0; j < (has (strategy, OV_CAP_DEPTH) ? G_N_ELEMENTS (depths) : 1); j++)
      for (guint direct = 0; direct < (has (strategy, OV_CAP_DIRECT) && direct_align > 0 ? 2 : 1);
           direct++)
        {
          Case c = case_of (get_file (TEXT, 5000 * K), blocks[i], depths[j]);
          OvTask task;

          c.direct = direct != 0;
          task = task_of (&c);
          stop_in_the_middle (strategy, &task, 5000 * K);
          if ((strategy->jobs & OV_JOB_BLOCKS) == 0)
            continue;
          task.job = OV_JOB_BLOCKS;
          task.order = OV_ORDER_RANDOM;
          task.requests = 5000 * K / blocks[i];
          stop_in_the_middle (strategy, &task, 5000 * K);
        }
}

/* ---- Faults ------------------------------------------------------------------------------- */

/* The file is shorter than the task says, as when somebody cuts it off meanwhile. */
static void
test_truncated (const OvStrategy *strategy)
{
  static const guint64 sizes[] = { 0, 1000, 8192, 8193, 100 * K };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && !is_control (strategy); i++)
    for (guint direct = 0; direct < (has (strategy, OV_CAP_DIRECT) && direct_align > 0 ? 2 : 1);
         direct++)
      for (guint depth = 1; depth <= (has (strategy, OV_CAP_DEPTH) ? 9 : 1); depth += 4)
        {
          OvTestOutcome outcome = { 0 };
          Case c = case_of (get_file (TEXT, sizes[i]), 4 * K, depth);
          OvTask task;

          c.direct = direct != 0;
          task = task_of (&c);
          task.file_size = task.length = sizes[i] + 77777;
          ov_test_host_run (host, strategy, &task, &outcome);
          g_assert_cmpint (outcome.result, <, 0);
          g_assert_cmpint (outcome.result, !=, -ECANCELED);
          g_assert_nonnull (outcome.explained);
          g_assert_cmpuint (outcome.live.consumed_bytes, <=, sizes[i]);
          ov_test_outcome_clear (&outcome);
        }
}

static void
test_no_file (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  Case c = case_of (get_file (TEXT, 65536), 4 * K, 2);
  OvTask task = task_of (&c);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (is_control (strategy))
    {
      g_test_skip ("opens no file");
      return;
    }
  task.path = missing;
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ENOENT);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  task.path = folder;
  task.length = 4096;
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, <, 0);
  g_assert_cmpint (outcome.result, !=, -ECANCELED);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  ov_test_outcome_clear (&outcome);
}

/* One run with faults. Returns how many there were. */
static guint
run_with_fault (const OvStrategy *strategy, OvTestFault fault, gboolean direct,
                OvTestOutcome *outcome)
{
  Case c = case_of (get_file (LINES, 400 * K + 123), 16 * K, 3);
  OvTask task;

  c.direct = direct;
  task = task_of (&c);
  ov_test_inject (fault, c.file->path, direct ? 12 * K : 16);
  ov_test_host_run (host, strategy, &task, outcome);
  return ov_test_inject_end ();
}

static void
check_survives (const OvStrategy *strategy, OvTestFault fault, gboolean direct)
{
  const File *file = get_file (LINES, 400 * K + 123);
  OvTestOutcome outcome = { 0 };
  guint n = run_with_fault (strategy, fault, direct, &outcome);

  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, file->size);
  g_assert_cmpuint (outcome.live.count, ==, ov_count_plain (file->bytes, file->size, 'A'));
  g_assert_cmpuint (outcome.live.short_io, ==, fault == OV_TEST_FAULT_SHORT ? n : 0);
  ov_test_outcome_clear (&outcome);
}

static void
test_faults (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (run_with_fault (strategy, OV_TEST_FAULT_INTERRUPTED, FALSE, &outcome) == 0)
    g_test_skip ("does not read by calls of its own to read() or pread()");
  else
    for (guint direct = 0; direct < (has (strategy, OV_CAP_DIRECT) && direct_align > 0 ? 2 : 1);
         direct++)
      {
        check_survives (strategy, OV_TEST_FAULT_SHORT, direct != 0);
        check_survives (strategy, OV_TEST_FAULT_INTERRUPTED, direct != 0);
        check_survives (strategy, OV_TEST_FAULT_AGAIN, direct != 0);
      }
  ov_test_outcome_clear (&outcome);
}

/* An error in the middle ends the run with that error, after all that is in flight has come. */
static void
test_io_error (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (run_with_fault (strategy, OV_TEST_FAULT_IO, FALSE, &outcome) == 0)
    g_test_skip ("does not read by more than four calls of its own to read() or pread()");
  else
    {
      g_assert_cmpint (outcome.result, ==, -EIO);
      g_assert_cmpuint (outcome.live.consumed_bytes, <, 400 * K);
    }
  ov_test_outcome_clear (&outcome);
}

/* ---- Large files -------------------------------------------------------------------------- */

#define LARGE_SIZE (4 * M * K + M + 123)

/* A file of over 4 GiB, nearly all of it a hole, with a letter at each place where 32 bits could
 * go wrong. */
static const File *
get_large_file (void)
{
  static const guint64 letters[]
      = { 0,         2 * M * K - 4096, 2 * M * K - 1, 2 * M * K, 4 * M * K - 1,
          4 * M * K, 4 * M * K + 5,    LARGE_SIZE - 1 };
  int fd;

  if (large.path != NULL)
    return &large;
  large.path = g_build_filename (folder, "large", NULL);
  large.size = LARGE_SIZE;
  fd = open (large.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ftruncate (fd, (off_t)LARGE_SIZE), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    g_assert_cmpint (pwrite (fd, "A", 1, (off_t)letters[i]), ==, 1);
  close (fd);
  return &large;
}

static void
test_large (const OvStrategy *strategy)
{
  gboolean slow = has (strategy, OV_CAP_BY_CHARACTER);
  OvTestOutcome outcome = { 0 };
  OvTask task;
  Case c;

  if (!can (strategy, OV_JOB_COUNT))
    return;
  if (SANITIZED)
    {
      g_test_skip ("takes too long with sanitizers");
      return;
    }
  /* Direct, since a hole then fills no page cache; huge pages, since it is not they that are
   * tested. */
  c = case_of (get_large_file (), 4 * M, 2);
  c.direct = has (strategy, OV_CAP_DIRECT) && direct_align > 0;
  c.work = OV_WORK_FAST;
  c.offset = slow ? 4 * M * K - 300000 : 0;
  c.length = LARGE_SIZE - c.offset;
  task = task_of (&c);
  ov_test_host_set_timing (host, OV_TIMING_COUNTERS);
  ov_test_host_set_option (host, "huge-pages", 1);
  ov_test_host_run (host, strategy, &task, &outcome);
  if (outcome.result == -ENOMEM && outcome.explained != NULL)
    g_test_skip (outcome.explained);
  else
    {
      g_assert_cmpint (outcome.result, ==, 0);
      g_assert_cmpuint (outcome.live.consumed_bytes, ==, c.length);
      if (!is_control (strategy))
        g_assert_cmpuint (outcome.live.count, ==, slow ? 4 : 8);
    }
  ov_test_outcome_clear (&outcome);
}

/* ---- Special cases of single families ------------------------------------------------------ */

static const OvStrategy *
find_strategy (GPtrArray *strategies, const char *id)
{
  for (guint i = 0; i < strategies->len; i++)
    if (g_str_equal (((const OvStrategy *)strategies->pdata[i])->id, id))
      return strategies->pdata[i];
  g_error ("no strategy %s", id);
}

/* More than the machine has: refused before anything is read, with the figures. */
static void
test_whole_file_too_large (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "posix.whole-file");
  OvTestOutcome outcome = { 0 };
  Case c = case_of (get_file (TEXT, 65536), 4 * K, 1);
  OvTask task = task_of (&c);

  g_assert_true (can (strategy, OV_JOB_COUNT));
  task.file_size = task.length = (guint64)1 << 46;
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_false (outcome.prepared);
  g_assert_cmpint (outcome.result, ==, -ENOMEM);
  g_assert_nonnull (outcome.explained);
  g_assert_nonnull (strstr (outcome.explained, "67108864 M"));
  g_assert_nonnull (strstr (outcome.explained, "available"));
  g_assert_nonnull (strstr (outcome.explained, "control group"));
  ov_test_outcome_clear (&outcome);
}

/* A line of 64 MiB is taken, one of a byte more is refused, and not by reading to its end. */
static void
test_long_line (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "stdio.getline");
  g_autofree char *path = g_build_filename (folder, "long-line", NULL);
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  File file = { .path = path, .size = 64 * M + 6 };
  OvTestOutcome outcome = { 0 };
  Case c = case_of (&file, 4 * K, 1);
  OvTask task;

  g_assert_true (can (strategy, OV_JOB_COUNT));
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, "\nAA\n", 4, 0), ==, 4);
  g_assert_cmpint (pwrite (fd, "A\nA", 3, 4 + 64 * M - 2), ==, 3);
  file.size = 4 + 64 * M + 1;
  c.length = file.size;
  task = task_of (&c);
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.count, ==, 4);

  g_assert_cmpint (pwrite (fd, "AA", 2, 4 + 64 * M - 2), ==, 2);
  g_assert_cmpint (ftruncate (fd, (off_t)(200 * M)), ==, 0);
  c.length = file.size = 200 * M;
  task = task_of (&c);
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -EOVERFLOW);
  g_assert_nonnull (outcome.explained);
  g_assert_cmpuint (outcome.explained_offset, ==, 4);
  g_assert_cmpuint (outcome.live.completed_bytes, <, 65 * M);
  ov_test_outcome_clear (&outcome);
  close (fd);
  g_unlink (path);
}

/* EAGAIN without end is given up after a while. */
static void
test_again_is_bounded (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "posix.read");
  OvTestOutcome outcome = { 0 };

  g_assert_true (can (strategy, OV_JOB_COUNT));
  g_assert_cmpuint (run_with_fault (strategy, OV_TEST_FAULT_ALWAYS_AGAIN, FALSE, &outcome), ==,
                    101);
  g_assert_cmpint (outcome.result, ==, -EAGAIN);
  ov_test_outcome_clear (&outcome);
}

static void
test_ids (gconstpointer data)
{
  const GPtrArray *strategies = data;

  for (guint i = 0; i < strategies->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const OvStrategy *a = strategies->pdata[i], *b = strategies->pdata[j];

        g_assert_cmpstr (a->id, !=, b->id);
        g_assert_cmpstr (a->title, !=, b->title);
        g_assert_cmpstr (a->summary, !=, b->summary);
      }
}

/* ---- Registration ------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  void (*function) (const OvStrategy *strategy);
} Body;

static const Body bodies[] = {
  { "descriptor", test_descriptor },
  { "source", test_source },
  { "sizes", test_sizes },
  { "article-sizes", test_article_sizes },
  { "contents", test_contents },
  { "ranges", test_ranges },
  { "works", test_works },
  { "timings", test_timings },
  { "direct", test_direct },
  { "options", test_options },
  { "blocks", test_blocks },
  { "no-blocks", test_no_blocks },
  { "stop-before", test_stop_before },
  { "stop-in-the-middle", test_stop_in_the_middle },
  { "truncated", test_truncated },
  { "no-file", test_no_file },
  { "faults", test_faults },
  { "io-error", test_io_error },
};

/* Takes many seconds: a program of its own for the build, see meson.build. */
static const Body large_body = { "large", test_large };

typedef struct
{
  const Body *body;
  const OvStrategy *strategy;
} Pair;

/* One body with one strategy; afterwards no thread may be left. Helpers of the C library (POSIX
 * AIO) and of the kernel (io_uring) may take a moment to end. */
static void
run_pair (gconstpointer data)
{
  const Pair *pair = data;
  guint threads = ov_test_count_threads ();

  pair->body->function (pair->strategy);
  for (guint i = 0; i < 300 && ov_test_count_threads () > threads; i++)
    g_usleep (10000);
  g_assert_cmpuint (ov_test_count_threads (), <=, threads);
}

static void
add_test (const char *prefix, const Body *body, const OvStrategy *strategy)
{
  g_autofree char *path = g_strdup_printf ("/%s/%s/%s", prefix, strategy->id, body->name);
  Pair *pair = g_new (Pair, 1);

  pair->strategy = strategy;
  pair->body = body;
  g_test_add_data_func_full (path, pair, run_pair, g_free);
}

static void
add_tests (GPtrArray *strategies)
{
  for (guint i = 0; i < strategies->len; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (bodies); j++)
        add_test ("strategies", &bodies[j], strategies->pdata[i]);
      add_test ("large", &large_body, strategies->pdata[i]);
    }
  g_test_add_data_func ("/strategies/ids", strategies, test_ids);
  g_test_add_data_func ("/strategies/whole-file-too-large", strategies, test_whole_file_too_large);
  g_test_add_data_func ("/strategies/long-line", strategies, test_long_line);
  g_test_add_data_func ("/strategies/again-is-bounded", strategies, test_again_is_bounded);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) strategies = NULL;
  g_autoptr (GError) error = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("OVERLAP_PLUGIN_DIR"));
  folder = g_dir_make_tmp ("overlap-strategies-XXXXXX", &error);
  g_assert_no_error (error);
  files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, file_free);
  host = ov_test_host_new ();
  direct_align = find_direct_align ();
  strategies = ov_test_host_load (g_getenv ("OVERLAP_PLUGIN_DIR"));
  g_assert_cmpuint (strategies->len, >, 0);
  add_tests (strategies);
  result = g_test_run ();

  ov_test_host_free (host);
  g_hash_table_unref (files);
  if (large.path != NULL)
    g_unlink (large.path);
  g_free (large.path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return result;
}
