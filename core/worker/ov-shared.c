/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An anonymous shared mapping, inherited through fork.
 */
#include "worker/ov-shared.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#define LOG_ALIGN 64

static gsize
head_bytes (void)
{
  return (sizeof (OvShared) + LOG_ALIGN - 1) / LOG_ALIGN * LOG_ALIGN;
}

OvShared *
ov_shared_new (gsize log_capacity, gsize *bytes)
{
  const gsize log = log_capacity > 0 ? ov_request_log_bytes (log_capacity) : 0;
  OvShared *shared;

  *bytes = head_bytes () + log;
  shared = mmap (NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return NULL;
  shared->log_bytes = log;
  shared->error_offset = G_MAXUINT64;
  shared->peak_memory = shared->synced_ns = -1;
  shared->resident_before = shared->resident_after = NAN;
  shared->holder_fd = -1;
  return shared;
}

void
ov_shared_free (OvShared *shared, gsize bytes)
{
  if (shared != NULL)
    munmap (shared, bytes);
}

void *
ov_shared_log (OvShared *shared)
{
  return shared->log_bytes > 0 ? (char *)shared + head_bytes () : NULL;
}

void
ov_shared_enter (OvShared *shared, OvPhase phase)
{
  shared->phase_done = shared->phase_total = 0;
  shared->phase_ns[phase] = ov_clock_now_ns ();
  __atomic_store_n (&shared->phase, (guint32)phase, __ATOMIC_RELEASE);
}

int
ov_shared_fail (OvShared *shared, int error, const char *format, ...)
{
  const char *end;
  va_list args;

  va_start (args, format);
  g_vsnprintf (shared->cause, sizeof shared->cause, format, args);
  va_end (args);
  if (!g_utf8_validate (shared->cause, -1, &end))
    shared->cause[end - shared->cause] = '\0';
  return error;
}
