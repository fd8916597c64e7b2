// SPDX-License-Identifier: GPL-3.0-or-later
/* A run's time limit, met again and again at the moment when it is taken back. */
#include "config.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "worker/ov-watcher.h"

#define PATIENCE_NS (20 * G_GINT64_CONSTANT (1000000000))
#define ROUNDS      800

typedef struct
{
  OvShared *shared;
  gsize bytes;
  int wake_fd;
  OvWatcher *watcher;
  guint aborted; /* atomic */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  (void)data;
  f->shared = ov_shared_new (0, &f->bytes);
  g_assert_nonnull (f->shared);
  f->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  g_assert_cmpint (f->wake_fd, >=, 0);
  f->watcher = ov_watcher_new (f->shared, f->wake_fd);
  g_assert_nonnull (f->watcher);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void)data;
  ov_watcher_free (f->watcher);
  close (f->wake_fd);
  ov_shared_free (f->shared, f->bytes);
}

static gboolean
wakes (Fixture *f)
{
  struct pollfd fd = { f->wake_fd, POLLIN, 0 };

  return poll (&fd, 1, 0) == 1;
}

/* Spins, as the fastest strategy does. */
static void
wait_for_stop (Fixture *f)
{
  const gint64 patience = ov_clock_now_ns () + PATIENCE_NS;

  while (!ov_shared_stopped (f->shared))
    g_assert_cmpint (ov_clock_now_ns (), <, patience);
}

static void
test_taken_back (Fixture *f, gconstpointer data)
{
  (void)data;
  for (guint round = 0; round < ROUNDS; round++)
    {
      /* The second one is lost if anything of the first is left. */
      for (guint pass = 0; pass < 2; pass++)
        {
          ov_watcher_set_limit (f->watcher, ov_clock_now_ns () + 1000);
          wait_for_stop (f);
          g_assert_true (ov_watcher_forget_limit (f->watcher));
          g_assert_false (ov_shared_stopped (f->shared));
          g_assert_false (wakes (f));
        }
      g_assert_false (ov_watcher_forget_limit (f->watcher));
    }
}

/* A pass that ends by itself, just before or after its time: the next one has its whole time. */
static void
test_just_over (Fixture *f, gconstpointer data)
{
  (void)data;
  for (guint round = 0; round < ROUNDS; round++)
    {
      const gint64 end = ov_clock_now_ns () + 1000000 + (gint64)round % 100 * 10000;

      ov_watcher_set_limit (f->watcher, end);
      while (ov_clock_now_ns () < end)
        ;
      ov_watcher_forget_limit (f->watcher);
      ov_watcher_set_limit (f->watcher, ov_clock_now_ns () + PATIENCE_NS);
      g_usleep (100);
      g_assert_false (ov_shared_stopped (f->shared));
      g_assert_false (wakes (f));
      ov_watcher_set_limit (f->watcher, 0);
    }
}

static void
count_abort (void *state)
{
  Fixture *f = state;

  g_atomic_int_inc (&f->aborted);
}

/* A stop that was taken back aborts the strategy that it met, and not the one after it. */
static void
test_abort (Fixture *f, gconstpointer data)
{
  static const OvStrategy strategy = { .abort = count_abort };
  Fixture later = { 0 };

  (void)data;
  for (guint round = 0; round < ROUNDS; round++)
    {
      ov_watcher_set_strategy (f->watcher, &strategy, f);
      ov_watcher_set_limit (f->watcher, ov_clock_now_ns () + 1000);
      wait_for_stop (f);
      g_assert_true (ov_watcher_forget_limit (f->watcher));
      ov_watcher_set_strategy (f->watcher, &strategy, &later);
    }
  g_assert_cmpuint (g_atomic_int_get (&later.aborted), ==, 0);

  /* And one that stays aborts it once. */
  __atomic_store_n (&f->shared->stop, OV_STOP_ABORT, __ATOMIC_RELEASE);
  ov_watcher_set_strategy (f->watcher, &strategy, f);
  g_atomic_int_set (&f->aborted, 0);
  ov_watcher_set_strategy (f->watcher, &strategy, f);
  for (gint64 patience = ov_clock_now_ns () + PATIENCE_NS; g_atomic_int_get (&f->aborted) == 0;)
    g_assert_cmpint (ov_clock_now_ns (), <, patience);
  g_assert_false (ov_watcher_forget_limit (f->watcher));
  ov_watcher_set_strategy (f->watcher, NULL, NULL);
  g_assert_cmpuint (g_atomic_int_get (&f->aborted), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/watcher/limit/taken-back", Fixture, NULL, set_up, test_taken_back, tear_down);
  g_test_add ("/watcher/limit/just-over", Fixture, NULL, set_up, test_just_over, tear_down);
  g_test_add ("/watcher/limit/abort", Fixture, NULL, set_up, test_abort, tear_down);
  return g_test_run ();
}
