/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One counter for each processor, since a counter that threads inherit can be read through memory
 * only so.  The memory holds all samples of a run: nothing is read while the run goes on, so that
 * the only cost is the taking of a sample.
 */
#include "config.h"

#include "sampler/ov-profiler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "sampler/ov-symbols.h"

/** Pages of samples for each processor, a power of 2: at 997 a second and 16 bytes each, 4 MiB last
 *  for 260 s, the 64 pages that an ordinary user has for 16 s. */
#define PAGES_MAX  1024u
#define PAGES_MIN  8u
#define MOST_NAMES 60

typedef struct
{
  int fd;
  struct perf_event_mmap_page *ring;
  gsize bytes; /**< of samples */
} Counter;

struct _OvProfiler
{
  GArray *counters; /**< of Counter */
  const char *event;
  gboolean kernel;
  int error; /**< errno of the last that could not be opened */
  gint64 lost;
  gboolean full;
};

static int
open_counter (const struct perf_event_attr *attr, int processor)
{
  return (int)syscall (SYS_perf_event_open, attr, 0, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

/** Maps as much as the system lets us have. */
static gboolean
map_counter (Counter *counter, gsize page)
{
  for (guint pages = PAGES_MAX; pages >= PAGES_MIN; pages /= 2)
    {
      void *ring
          = mmap (NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, counter->fd, 0);

      if (ring == MAP_FAILED)
        continue;
      counter->ring = ring;
      counter->bytes = pages * page;
      return TRUE;
    }
  return FALSE;
}

static void
close_counters (OvProfiler *self)
{
  const gsize page = (gsize)sysconf (_SC_PAGESIZE);

  for (guint i = 0; i < self->counters->len; i++)
    {
      Counter *counter = &g_array_index (self->counters, Counter, i);

      if (counter->ring != NULL)
        munmap (counter->ring, counter->bytes + page);
      close (counter->fd);
    }
  g_array_set_size (self->counters, 0);
}

/** Opens `attr` on every processor: FALSE, and nothing open, where that cannot be. */
static gboolean
open_all (OvProfiler *self, const struct perf_event_attr *attr)
{
  const gsize page = (gsize)sysconf (_SC_PAGESIZE);
  const long n = sysconf (_SC_NPROCESSORS_CONF);

  for (int i = 0; i < n; i++)
    {
      Counter counter = { .fd = open_counter (attr, i) };

      if (counter.fd < 0 && errno == ENODEV)
        continue; /* switched off */
      if (counter.fd >= 0)
        g_array_append_val (self->counters, counter);
      if (counter.fd < 0
          || !map_counter (&g_array_index (self->counters, Counter, self->counters->len - 1), page))
        {
          self->error = errno;
          close_counters (self);
          return FALSE;
        }
    }
  return self->counters->len > 0;
}

OvProfiler *
ov_profiler_new (void)
{
  static const struct
  {
    guint32 type;
    guint64 config;
    const char *name;
  } events[] = { { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cycles" },
                 { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock" } };
  OvProfiler *self = g_new0 (OvProfiler, 1);

  self->counters = g_array_new (FALSE, TRUE, sizeof (Counter));
  /* With the kernel's part where that is allowed; else without. */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (events) && self->event == NULL; i++)
    {
      const guint which = i % G_N_ELEMENTS (events);
      struct perf_event_attr attr = { .size = sizeof attr,
                                      .type = events[which].type,
                                      .config = events[which].config,
                                      .sample_freq = OV_PROFILE_HZ,
                                      .sample_type = PERF_SAMPLE_IP,
                                      .freq = 1,
                                      .disabled = 1,
                                      .inherit = 1,
                                      .exclude_hv = 1,
                                      .exclude_kernel = i >= G_N_ELEMENTS (events) };

      if (open_all (self, &attr))
        {
          self->event = events[which].name;
          self->kernel = !attr.exclude_kernel;
        }
    }
  return self;
}

void
ov_profiler_begin (OvProfiler *self)
{
  for (guint i = 0; i < self->counters->len; i++)
    ioctl (g_array_index (self->counters, Counter, i).fd, PERF_EVENT_IOC_ENABLE, 0);
}

void
ov_profiler_end (OvProfiler *self)
{
  for (guint i = 0; i < self->counters->len; i++)
    ioctl (g_array_index (self->counters, Counter, i).fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* ---- Reading ------------------------------------------------------------------------------ */

/** Copies from the ring, which may wrap. */
static void
ring_copy (const Counter *counter, guint64 at, void *to, gsize n)
{
  const guint8 *data = (const guint8 *)counter->ring + counter->ring->data_offset;

  for (gsize i = 0; i < n; i++)
    ((guint8 *)to)[i] = data[(at + i) % counter->bytes];
}

static void
count_sample (GHashTable *places, guint64 ip)
{
  guint64 *n = g_hash_table_lookup (places, &ip);

  if (n == NULL)
    {
      n = g_new0 (guint64, 1);
      g_hash_table_insert (places, g_memdup2 (&ip, sizeof ip), n);
    }
  ++*n;
}

static void
read_counter (OvProfiler *self, const Counter *counter, GHashTable *user, GHashTable *kernel)
{
  const guint64 head = __atomic_load_n (&counter->ring->data_head, __ATOMIC_ACQUIRE);
  guint64 at = counter->ring->data_tail;

  self->full |= head - at + 64 > counter->bytes;
  while (at < head)
    {
      struct perf_event_header header;
      guint64 body[2] = { 0 };

      ring_copy (counter, at, &header, sizeof header);
      if (header.size < sizeof header)
        break;
      ring_copy (counter, at + sizeof header, body, MIN (header.size - sizeof header, sizeof body));
      if (header.type == PERF_RECORD_LOST)
        self->lost += (gint64)body[1];
      else if (header.type == PERF_RECORD_SAMPLE)
        count_sample ((header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL
                          ? kernel
                          : user,
                      body[0]);
      at += header.size;
    }
  __atomic_store_n (&counter->ring->data_tail, head, __ATOMIC_RELEASE);
}

/** Why nothing, or not all, was sampled, and how to lift it. */
static char *
missing (const OvProfiler *self, gboolean names)
{
  if (self->event == NULL && self->error == ENOSYS)
    return g_strdup (_ ("No profile: this kernel has no perf_event_open."));
  if (self->event == NULL && (self->error == EACCES || self->error == EPERM))
    return g_strdup (
        _ ("No profile: the system does not allow it. \"sysctl kernel.perf_event_paranoid=2\" lets "
           "users sample their own programs, 1 their part in the kernel too; in a container its "
           "seccomp filter may forbid perf_event_open."));
  if (self->event == NULL)
    return g_strdup_printf (_ ("No profile: %s."), g_strerror (self->error));
  if (self->full)
    return g_strdup (
        _ ("The buffer was full before the run ended: the profile is of its beginning. "
           "\"sysctl kernel.perf_event_mlock_kb\" makes it larger."));
  if (!self->kernel)
    return g_strdup (_ ("Without the kernel's part; \"sysctl kernel.perf_event_paranoid=1\" adds "
                        "it."));
  if (!names)
    return g_strdup (_ ("The kernel's functions have no names here; \"sysctl "
                        "kernel.kptr_restrict=0\" shows them."));
  if (!ov_symbols_are_complete ())
    return g_strdup (_ ("Built without libdw (elfutils): only exported functions have names."));
  return NULL;
}

OvProfile *
ov_profiler_finish (OvProfiler *self)
{
  OvProfile *profile = ov_profile_new ();
  g_autoptr (GHashTable) user = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (GHashTable) kernel
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gboolean names;

  for (guint i = 0; i < self->counters->len; i++)
    read_counter (self, &g_array_index (self->counters, Counter, i), user, kernel);
  ov_symbols_resolve_user (user, profile);
  names = ov_symbols_resolve_kernel (kernel, profile);
  for (guint i = 0; i < profile->entries->len; i++)
    profile->samples += (gint64)((OvProfileEntry *)profile->entries->pdata[i])->samples;
  profile->event = g_strdup (self->event);
  profile->rate = OV_PROFILE_HZ;
  profile->lost = self->lost;
  profile->kernel = self->kernel;
  profile->note = missing (self, names);
  ov_profile_sort (profile, MOST_NAMES);
  return profile;
}

void
ov_profiler_free (OvProfiler *self)
{
  close_counters (self);
  g_array_unref (self->counters);
  g_free (self);
}
