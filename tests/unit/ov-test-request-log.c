// SPDX-License-Identifier: GPL-3.0-or-later
/* The request log: filling, dropping, threads, another process, and a head that lies. */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "metrics/ov-request-log.h"

static void
test_fill_and_drop (void)
{
  const gsize bytes = ov_request_log_bytes (3);
  g_autofree guint8 *mem = g_malloc (bytes + 1);
  OvRequestLog *log;
  const OvRequestRecord *records;
  gsize n;
  guint64 dropped;

  memset (mem, 0x77, bytes + 1);
  log = ov_request_log_init (mem, 3);
  g_assert_true ((void *)log == mem);
  for (guint i = 0; i < 5; i++)
    {
      OvRequestRecord *record = ov_request_log_next (log);

      if (i >= 3)
        {
          g_assert_null (record);
          continue;
        }
      g_assert_nonnull (record);
      /* "Has not happened", not what was in the memory. */
      g_assert_cmpuint (record->submit, ==, 0);
      g_assert_cmpuint (record->consume_end, ==, 0);
      g_assert_cmpuint (record->slot, ==, 0);
      record->submit = 100 + i;
      record->offset = i * G_GUINT64_CONSTANT (5000000000);
      record->result = i == 1 ? -5 : 4096;
      record->slot = i;
    }
  g_assert_cmpuint (ov_request_log_used (log), ==, 3);
  g_assert_cmpuint (ov_request_log_dropped (log), ==, 2);
  g_assert_cmpuint (mem[bytes], ==, 0x77);

  records = ov_request_log_view (mem, bytes, &n, &dropped);
  g_assert_nonnull (records);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (dropped, ==, 2);
  g_assert_cmpuint (records[2].submit, ==, 102);
  g_assert_cmpuint (records[2].offset, ==, G_GUINT64_CONSTANT (10000000000));
  g_assert_cmpint (records[1].result, ==, -5);

  ov_request_log_reset (log);
  g_assert_cmpuint (ov_request_log_used (log), ==, 0);
  g_assert_cmpuint (ov_request_log_dropped (log), ==, 0);
  g_assert_cmpuint (ov_request_log_next (log)->submit, ==, 0);
}

static void
test_no_room (void)
{
  const gsize bytes = ov_request_log_bytes (0);
  g_autofree guint8 *mem = g_malloc (bytes);
  OvRequestLog *log = ov_request_log_init (mem, 0);
  gsize n;

  g_assert_null (ov_request_log_next (log));
  g_assert_cmpuint (ov_request_log_dropped (log), ==, 1);
  g_assert_nonnull (ov_request_log_view (mem, bytes, &n, NULL));
  g_assert_cmpuint (n, ==, 0);
}

enum
{
  THREADS = 4,
  EACH = 300000,
  ROOM = 100000,
  ROUNDS = 20
};

typedef struct
{
  OvRequestLog *log;
  guint32 number;
  gint *waiting; /* atomic: threads that have not come to the start */
} Writer;

static gpointer
write_records (gpointer data)
{
  const Writer *writer = data;

  g_atomic_int_add (writer->waiting, -1);
  while (g_atomic_int_get (writer->waiting) > 0)
    ;
  for (guint64 i = 1; i <= EACH; i++)
    {
      OvRequestRecord *record = ov_request_log_next (writer->log);

      if (record != NULL)
        {
          record->submit = i;
          record->slot = writer->number;
          record->offset = i * 10 + writer->number;
        }
    }
  return NULL;
}

/* No record is given to two threads, and each thread's records are in its own order. */
static void
check_threads (OvRequestLog *log, gsize bytes)
{
  Writer writers[THREADS];
  GThread *threads[THREADS];
  gint waiting = THREADS;
  guint64 last[THREADS] = { 0 }, dropped;
  const OvRequestRecord *records;
  gsize n;

  for (guint32 i = 0; i < THREADS; i++)
    {
      writers[i] = (Writer){ .log = log, .number = i, .waiting = &waiting };
      threads[i] = g_thread_new ("writer", write_records, &writers[i]);
    }
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  records = ov_request_log_view (log, bytes, &n, &dropped);
  g_assert_cmpuint (n, ==, ROOM);
  g_assert_cmpuint (dropped, ==, THREADS * EACH - ROOM);
  for (gsize i = 0; i < n; i++)
    {
      guint32 number = records[i].slot;

      g_assert_cmpuint (number, <, THREADS);
      g_assert_cmpuint (records[i].submit, >, last[number]);
      g_assert_cmpuint (records[i].offset, ==, records[i].submit * 10 + number);
      last[number] = records[i].submit;
    }
}

static void
test_threads (void)
{
  const gsize bytes = ov_request_log_bytes (ROOM);
  g_autofree guint8 *mem = g_malloc (bytes);
  OvRequestLog *log = ov_request_log_init (mem, ROOM);

  /* On a busy machine the threads of one round may have run one after the other. */
  for (int i = 0; i < ROUNDS; i++)
    {
      check_threads (log, bytes);
      ov_request_log_reset (log);
    }
}

/* What a child wrote is there after it was killed. */
static void
test_outlives_writer (void)
{
  const gsize bytes = ov_request_log_bytes (10);
  void *mem = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const OvRequestRecord *records;
  int status;
  gsize n;
  pid_t child;

  g_assert_true (mem != MAP_FAILED);
  ov_request_log_init (mem, 10);
  child = fork ();
  if (child == 0)
    {
      ov_request_log_next (mem)->submit = 41;
      ov_request_log_next (mem)->submit = 42;
      raise (SIGKILL);
      _exit (1);
    }
  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
  records = ov_request_log_view (mem, bytes, &n, NULL);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (records[0].submit, ==, 41);
  g_assert_cmpuint (records[1].submit, ==, 42);
  munmap (mem, bytes);
}

static void
test_broken_head (void)
{
  const gsize bytes = ov_request_log_bytes (8);
  g_autofree guint8 *mem = g_malloc0 (bytes);
  OvRequestLog *log;
  guint64 dropped;
  gsize n;

  g_assert_null (ov_request_log_view (mem, bytes, &n, &dropped));
  g_assert_null (ov_request_log_view (NULL, 0, &n, &dropped));
  log = ov_request_log_init (mem, 8);
  ov_request_log_next (log);
  g_assert_null (ov_request_log_view (mem, bytes - 1, &n, &dropped));
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (ov_request_log_view (mem, sizeof (OvRequestLog) - 1, &n, &dropped));
  /* Scribbled over by a strategy. */
  log->capacity = G_MAXUINT64;
  g_assert_null (ov_request_log_view (mem, bytes, &n, &dropped));
  log->capacity = 8;
  log->taken = G_MAXUINT64;
  g_assert_nonnull (ov_request_log_view (mem, bytes, &n, &dropped));
  g_assert_cmpuint (n, ==, 8);
  log->record_bytes = 48;
  g_assert_null (ov_request_log_view (mem, bytes, &n, &dropped));
  memset (mem, 0xff, bytes);
  g_assert_null (ov_request_log_view (mem, bytes, &n, &dropped));
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (dropped, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request-log/fill-and-drop", test_fill_and_drop);
  g_test_add_func ("/request-log/no-room", test_no_room);
  g_test_add_func ("/request-log/threads", test_threads);
  g_test_add_func ("/request-log/outlives-writer", test_outlives_writer);
  g_test_add_func ("/request-log/broken-head", test_broken_head);
  return g_test_run ();
}
