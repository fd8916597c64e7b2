// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The plugin host of the tests: see ov-test-host.h.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ov-kernels.h"

#include "ov-test-host.h"

#define HUGE_PAGE   ((gsize)2 << 20)
#define CANARY_SIZE 64
#define CANARY      0x5a
#define MAX_SLOTS   4096
#define MAX_OPTIONS 32

/* Memory for a strategy. Kept for the next run, for making it takes longer than most runs. */
typedef struct
{
  char *map; /* of `mapped` bytes */
  gsize mapped;
  char *data; /* aligned, of `room` bytes and a canary */
  gsize room;
  gsize bytes; /* that are lent to the strategy now; 0: none */
} Buffer;

typedef struct
{
  gboolean pending; /* handed to the system */
  gboolean consuming;
  guint64 bytes;
} Slot;

struct _OvTestHost
{
  OvHost host; /* first: the strategy's pointer is ours */
  OvLive live;
  guint32 stop;
  OvTask task;
  int64_t options[MAX_OPTIONS];
  GHashTable *values; /* name of an option -> gint64 */
  GArray *buffers;    /* of Buffer */

  GArray *offsets; /* of guint64, borrowed; or NULL */
  GMutex lock;     /* for all that follows, but where said */
  Slot slots[MAX_SLOTS];
  guint pending;
  guint32 crc;       /* the consuming thread's */
  GChecksum *sha;    /* the consuming thread's */
  guint64 worked;    /* atomic: bytes that the work was done on */
  gint64 stop_at;    /* constant during a run */
  gboolean finished; /* atomic: run has returned */
  const OvStrategy *strategy;
  void *state;
  GString *effective;
  char *explained;
  guint64 explained_offset;
};

static OvTestHost *
test_host (const OvHost *host)
{
  return (OvTestHost *)host;
}

void
ov_test_outcome_clear (OvTestOutcome *outcome)
{
  g_free (outcome->sha);
  g_free (outcome->explained);
  g_free (outcome->effective);
  memset (outcome, 0, sizeof *outcome);
}

/* ---- The host table ---------------------------------------------------------------------- */

static void
host_timed_submit (const OvHost *host, uint32_t slot, uint64_t offset, uint64_t bytes)
{
  OvTestHost *self = test_host (host);
  guint64 end = self->task.offset + self->task.length;

  g_assert_cmpuint (slot, <, MAX_SLOTS);
  g_assert_cmpuint (slot, <, self->task.depth);
  g_mutex_lock (&self->lock);
  g_assert_false (self->slots[slot].pending);
  g_assert_false (self->slots[slot].consuming);
  self->slots[slot].pending = TRUE;
  self->slots[slot].bytes = bytes;
  self->pending++;
  g_assert_cmpuint (self->pending, <=, self->task.depth);
  if (self->offsets != NULL)
    g_array_append_val (self->offsets, offset);
  g_mutex_unlock (&self->lock);
  g_assert_cmpuint (bytes, >, 0);
  if (g_strcmp0 (self->strategy->family, "null") != 0)
    {
      g_assert_cmpuint (offset, >=, self->task.offset);
      g_assert_cmpuint (offset + bytes, <=, end + self->task.align - 1);
    }
}

static void
host_timed_complete (const OvHost *host, uint32_t slot, int64_t result, uint64_t stamp)
{
  OvTestHost *self = test_host (host);

  g_assert_cmpuint (slot, <, MAX_SLOTS);
  g_assert_cmpuint (stamp, <=, (guint64)g_get_monotonic_time () * 1000 + 1000);
  g_mutex_lock (&self->lock);
  g_assert_true (self->slots[slot].pending);
  self->slots[slot].pending = FALSE;
  self->pending--;
  if (result >= 0)
    g_assert_cmpuint ((guint64)result, <=, self->slots[slot].bytes);
  g_mutex_unlock (&self->lock);
}

/* Told of a request that was submitted, before its slot is used again. */
static void
host_timed_handed (const OvHost *host, uint32_t slot)
{
  OvTestHost *self = test_host (host);

  g_assert_cmpuint (slot, <, MAX_SLOTS);
  g_mutex_lock (&self->lock);
  g_assert_true (self->slots[slot].pending);
  g_assert_false (self->slots[slot].consuming);
  g_mutex_unlock (&self->lock);
}

static void
host_timed_consume (const OvHost *host, uint32_t slot, bool begin)
{
  OvTestHost *self = test_host (host);

  g_assert_cmpuint (slot, <, MAX_SLOTS);
  g_mutex_lock (&self->lock);
  g_assert_false (self->slots[slot].pending);
  g_assert_cmpint (self->slots[slot].consuming, ==, !begin);
  self->slots[slot].consuming = begin;
  g_mutex_unlock (&self->lock);
}

/* Lets the stopping thread have its turn before the strategy goes on. */
static void
wait_for_stop (OvTestHost *self)
{
  while (self->stop_at > 0
         && __atomic_load_n (&self->worked, __ATOMIC_ACQUIRE) >= (guint64)self->stop_at
         && !ov_stopped (&self->host))
    g_usleep (50);
}

static void
host_work (const OvHost *host, const void *data, size_t bytes)
{
  OvTestHost *self = test_host (host);
  char letter = (char)self->task.letter;

  switch (self->task.work)
    {
    case OV_WORK_NONE:
      break;
    case OV_WORK_PLAIN:
      ov_live_add (&self->live.count, ov_count_plain (data, bytes, letter));
      break;
    case OV_WORK_FAST:
      ov_live_add (&self->live.count, ov_count_fast (data, bytes, letter));
      break;
    case OV_WORK_CRC32C:
      self->crc = ov_crc32c (self->crc, data, bytes);
      break;
    case OV_WORK_SHA256:
      g_checksum_update (self->sha, data, (gssize)bytes);
      break;
    default:
      g_assert_not_reached ();
    }
  __atomic_fetch_add (&self->worked, bytes, __ATOMIC_RELEASE);
  wait_for_stop (self);
}

static uint64_t
host_stamp (const OvHost *host)
{
  return (guint64)g_get_monotonic_time () * 1000;
}

static Buffer
buffer_make (gsize bytes)
{
  Buffer buffer = { 0 };
  gsize room = (bytes + CANARY_SIZE + 4095) / 4096 * 4096;
  uintptr_t aligned;

  buffer.mapped = room + HUGE_PAGE;
  buffer.map
      = mmap (NULL, buffer.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (buffer.map != MAP_FAILED);
  aligned = ((uintptr_t)buffer.map + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  buffer.data = (char *)aligned;
  buffer.room = room - CANARY_SIZE;
  return buffer;
}

/* The smallest buffer that is free and large enough, and not wastefully so. */
static Buffer *
buffer_find (OvTestHost *self, gsize bytes)
{
  Buffer *best = NULL;

  for (guint i = 0; i < self->buffers->len; i++)
    {
      Buffer *buffer = &g_array_index (self->buffers, Buffer, i);

      if (buffer->bytes == 0 && buffer->room >= bytes
          && (best == NULL || buffer->room < best->room))
        best = buffer;
    }
  return best;
}

static void *
host_buffer (const OvHost *host, size_t bytes)
{
  OvTestHost *self = test_host (host);
  Buffer *buffer;

  g_assert_cmpuint (bytes, >, 0);
  buffer = buffer_find (self, bytes);
  if (buffer == NULL)
    {
      Buffer made = buffer_make (bytes);

      g_array_append_val (self->buffers, made);
      buffer = &g_array_index (self->buffers, Buffer, self->buffers->len - 1);
    }
  buffer->bytes = bytes;
  /* Stale bytes are letters: counting what was never read gives a wrong count. */
  memset (buffer->data, (int)self->task.letter, MIN (bytes, 64 * 1024));
  memset (buffer->data + bytes, CANARY, CANARY_SIZE);
  return buffer->data;
}

static void
take_buffers_back (OvTestHost *self)
{
  for (guint i = 0; i < self->buffers->len; i++)
    {
      Buffer *buffer = &g_array_index (self->buffers, Buffer, i);

      for (guint j = 0; buffer->bytes > 0 && j < CANARY_SIZE; j++)
        g_assert_cmpint (buffer->data[buffer->bytes + j], ==, CANARY);
      buffer->bytes = 0;
    }
}

static int
host_wait (const OvHost *host, int fd, int timeout_ms)
{
  gint64 end = g_get_monotonic_time () + (gint64)timeout_ms * 1000;
  struct pollfd fds[2]
      = { { .fd = host->wake_fd, .events = POLLIN }, { .fd = fd, .events = POLLIN } };
  int n;

  do
    {
      int left = timeout_ms < 0 ? -1 : (int)MAX ((end - g_get_monotonic_time () + 999) / 1000, 0);

      n = poll (fds, fd >= 0 ? 2 : 1, left);
    }
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return -errno;
  if (fds[0].revents != 0 || ov_stopped (host))
    return -ECANCELED;
  return n > 0 ? 1 : 0;
}

static void
host_effective (const OvHost *host, const char *key, const char *value)
{
  OvTestHost *self = test_host (host);

  g_assert_true (key != NULL && *key != '\0' && value != NULL);
  g_mutex_lock (&self->lock);
  g_string_append_printf (self->effective, "%s=%s ", key, value);
  g_mutex_unlock (&self->lock);
}

static void
host_explain (const OvHost *host, uint64_t offset, const char *text)
{
  OvTestHost *self = test_host (host);

  g_assert_true (text != NULL && *text != '\0' && g_utf8_validate (text, -1, NULL));
  g_mutex_lock (&self->lock);
  g_free (self->explained);
  self->explained = g_strdup (text);
  self->explained_offset = offset;
  g_mutex_unlock (&self->lock);
}

/* ---- Life --------------------------------------------------------------------------------- */

OvTestHost *
ov_test_host_new (void)
{
  OvTestHost *self = g_new0 (OvTestHost, 1);

  self->host = (OvHost){
    .size = sizeof (OvHost),
    .abi = OV_STRATEGY_ABI,
    .stop = &self->stop,
    .wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK),
    .timing = OV_TIMING_TIMELINE,
    .live = &self->live,
    .timed_submit = host_timed_submit,
    .timed_complete = host_timed_complete,
    .timed_consume = host_timed_consume,
    .timed_handed = host_timed_handed,
    .work = host_work,
    .stamp = host_stamp,
    .buffer = host_buffer,
    .wait = host_wait,
    .effective = host_effective,
    .explain = host_explain,
  };
  g_assert_cmpint (self->host.wake_fd, >=, 0);
  g_mutex_init (&self->lock);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->buffers = g_array_new (FALSE, FALSE, sizeof (Buffer));
  self->effective = g_string_new (NULL);
  self->stop_at = -1;
  return self;
}

void
ov_test_host_free (OvTestHost *self)
{
  for (guint i = 0; i < self->buffers->len; i++)
    munmap (g_array_index (self->buffers, Buffer, i).map,
            g_array_index (self->buffers, Buffer, i).mapped);
  g_array_unref (self->buffers);
  g_hash_table_unref (self->values);
  g_string_free (self->effective, TRUE);
  g_free (self->explained);
  g_mutex_clear (&self->lock);
  close (self->host.wake_fd);
  g_free (self);
}

void
ov_test_host_set_timing (OvTestHost *self, guint32 timing)
{
  self->host.timing = timing;
}

void
ov_test_host_set_stop (OvTestHost *self, gint64 bytes)
{
  self->stop_at = bytes;
}

void
ov_test_host_record (OvTestHost *self, GArray *offsets)
{
  self->offsets = offsets;
}

void
ov_test_host_set_option (OvTestHost *self, const char *name, gint64 value)
{
  if (name == NULL)
    g_hash_table_remove_all (self->values);
  else
    g_hash_table_replace (self->values, g_strdup (name), g_memdup2 (&value, sizeof value));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
ov_test_host_load (const char *folder)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *strategies = g_ptr_array_new ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".so"))
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      void *module = dlopen (names->pdata[i], RTLD_NOW | RTLD_LOCAL);
      OvStrategiesFunc function;

      if (module == NULL)
        g_error ("%s", dlerror ());
      function = (OvStrategiesFunc)dlsym (module, OV_STRATEGIES_SYMBOL);
      g_assert_nonnull ((void *)function);
      for (const OvStrategy *const *list = function (OV_STRATEGY_ABI); *list != NULL; list++)
        g_ptr_array_add (strategies, (void *)*list);
    }
  return strategies;
}

/* ---- A run -------------------------------------------------------------------------------- */

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

guint
ov_test_count_threads (void)
{
  return count_entries ("/proc/self/task");
}

static void
fill_options (OvTestHost *self)
{
  const OvOption *const *option = self->strategy->options;
  guint n = 0;

  for (; option != NULL && *option != NULL; option++, n++)
    {
      gint64 *value = g_hash_table_lookup (self->values, (*option)->name);

      g_assert_cmpuint (n, <, MAX_OPTIONS);
      self->options[n] = value != NULL ? *value : (*option)->standard;
    }
}

static void
stop_now (OvTestHost *self)
{
  guint64 one = 1;

  __atomic_store_n (&self->stop, 1, __ATOMIC_RELEASE);
  g_assert_cmpint (write (self->host.wake_fd, &one, sizeof one), ==, sizeof one);
}

static gpointer
stopper_main (gpointer data)
{
  OvTestHost *self = data;

  while (!g_atomic_int_get (&self->finished))
    {
      guint64 worked = __atomic_load_n (&self->worked, __ATOMIC_ACQUIRE);
      guint64 counted = __atomic_load_n (&self->live.consumed_bytes, __ATOMIC_RELAXED);

      if (MAX (worked, counted) >= (guint64)self->stop_at)
        {
          stop_now (self);
          if (self->strategy->abort != NULL)
            self->strategy->abort (self->state);
          break;
        }
      g_usleep (50);
    }
  return NULL;
}

static void
reset (OvTestHost *self, const OvStrategy *strategy, const OvTask *task)
{
  guint64 ignored;

  if (self->stop != 0)
    g_assert_cmpint (read (self->host.wake_fd, &ignored, sizeof ignored), ==, sizeof ignored);
  self->stop = 0;
  self->strategy = strategy;
  self->state = NULL;
  self->task = *task;
  self->task.size = sizeof (OvTask);
  self->task.options = self->options;
  memset (&self->live, 0, sizeof self->live);
  memset (self->slots, 0, sizeof self->slots);
  self->pending = 0;
  self->crc = 0;
  self->worked = 0;
  self->finished = FALSE;
  self->sha = g_checksum_new (G_CHECKSUM_SHA256);
  g_string_truncate (self->effective, 0);
  g_clear_pointer (&self->explained, g_free);
  fill_options (self);
}

static void
run_prepared (OvTestHost *self, OvTestOutcome *outcome)
{
  GThread *stopper = NULL;

  if (self->stop_at == 0)
    stop_now (self);
  else if (self->stop_at > 0)
    stopper = g_thread_new ("stopper", stopper_main, self);
  outcome->result = self->strategy->run (self->state);
  g_atomic_int_set (&self->finished, TRUE);
  if (stopper != NULL)
    g_thread_join (stopper);
  outcome->live = self->live;
  g_assert_cmpuint (self->live.submitted, ==, self->live.completed);
  if (self->host.timing != OV_TIMING_COUNTERS)
    g_assert_cmpuint (self->pending, ==, 0);
  self->strategy->release (self->state);
  /* Nothing may come in after `run` has returned. */
  g_assert_cmpuint (self->live.completed, ==, outcome->live.completed);
  g_assert_cmpuint (self->live.consumed_bytes, ==, outcome->live.consumed_bytes);
}

void
ov_test_host_run (OvTestHost *self, const OvStrategy *strategy, const OvTask *task,
                  OvTestOutcome *outcome)
{
  guint descriptors = count_entries ("/proc/self/fd");

  ov_test_outcome_clear (outcome);
  reset (self, strategy, task);
  outcome->result = strategy->prepare (&self->host, &self->task, &self->state);
  g_assert_cmpint (outcome->result, <=, 0);
  outcome->prepared = outcome->result == 0;
  if (outcome->prepared)
    run_prepared (self, outcome);
  take_buffers_back (self);
  g_assert_cmpuint (count_entries ("/proc/self/fd"), ==, descriptors);
  outcome->crc = self->crc;
  if (task->work == OV_WORK_SHA256)
    outcome->sha = g_strdup (g_checksum_get_string (self->sha));
  g_clear_pointer (&self->sha, g_checksum_free);
  outcome->explained = g_steal_pointer (&self->explained);
  outcome->explained_offset = self->explained_offset;
  outcome->effective = g_strdup (self->effective->str);
}

gboolean
ov_test_host_probe (OvTestHost *self, const OvStrategy *strategy, char **why)
{
  char text[512] = "";

  *why = NULL;
  self->strategy = strategy;
  if (strategy->probe == NULL || strategy->probe (&self->host, text, sizeof text) == 0)
    return TRUE;
  g_assert_true (*text != '\0' && g_utf8_validate (text, -1, NULL));
  *why = g_strdup (text);
  return FALSE;
}
