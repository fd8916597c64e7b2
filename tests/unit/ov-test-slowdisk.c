// SPDX-License-Identifier: GPL-3.0-or-later
/* Simulated disks: their names, when they serve a request, their queue and their files. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ov-clock.h"
#include "base/ov-error.h"
#include "slowdisk/ov-device.h"
#include "slowdisk/ov-service.h"
#include "slowdisk/ov-slowdisk-shared.h"
#include "slowdisk/ov-store.h"

#define MS ((gint64)1000000)

static OvDisk
disk_of (const char *target)
{
  g_autoptr (GError) error = NULL;
  OvDisk disk;

  ov_disk_parse (target, &disk, &error);
  g_assert_no_error (error);
  return disk;
}

/* ---- Names -------------------------------------------------------------------------------- */

static void
test_presets (void)
{
  guint n;
  const OvDisk *presets = ov_disk_presets (&n);

  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *target = g_strconcat (OV_DISK_PREFIX, presets[i].name, NULL);
      g_autofree char *changed = g_strconcat (target, ",latency=3ms", NULL);
      g_autofree char *title = NULL;
      OvDisk disk = disk_of (target);

      g_assert_cmpfloat (disk.rate, ==, presets[i].rate);
      g_assert_cmpint (disk.near_ns, ==, presets[i].near_ns);
      g_assert_false (disk.changed);
      g_assert_cmpint (disk.near_ns, <=, disk.seek_ns);
      disk = disk_of (changed);
      g_assert_true (disk.changed);
      g_assert_cmpint (disk.latency_ns, ==, 3 * MS);
      g_assert_cmpfloat (disk.rate, ==, presets[i].rate);
      title = ov_disk_title (&disk);
      g_assert_nonnull (strstr (title, "simulated"));
      g_assert_nonnull (strstr (title, "changed"));
    }
}

static void
test_own_values (void)
{
  OvDisk disk = disk_of ("simulated:rate=4MB,latency=500us,seek=12ms");
  g_autofree char *text = ov_disk_describe (&disk);

  g_assert_cmpfloat (disk.rate, ==, 4e6);
  g_assert_cmpint (disk.latency_ns, ==, 500000);
  g_assert_cmpint (disk.seek_ns, ==, 12 * MS);
  g_assert_cmpint (disk.near_ns, ==, 6 * MS);
  g_assert_cmpint (disk.kind, ==, OV_DISK_SERIAL);
  g_assert_nonnull (strstr (text, "4.00 MB/s"));
  disk = disk_of ("simulated:kind=network,rate=1M,latency=0.1s");
  g_assert_cmpint (disk.kind, ==, OV_DISK_NETWORK);
  g_assert_cmpint (disk.latency_ns, ==, 100 * MS);
  g_assert_true (ov_disk_is_target ("simulated:whatever"));
  g_assert_false (ov_disk_is_target ("/simulated:"));
  g_assert_false (ov_disk_is_target (NULL));
}

static void
test_wrong_names (void)
{
  static const char *const wrong[][2] = {
    { "simulated:", "disk-1995" },
    { "simulated:disk-1996", "disk-1995" },
    { "simulated:latency=1ms", "rate" },
    { "simulated:rate=4", "rate" },
    { "simulated:rate=fast", "rate" },
    { "simulated:rate=4MB,latency=1", "latency" },
    { "simulated:rate=4MB,latency=-1ms", "latency" },
    { "simulated:rate=4MB,latency=inf", "latency" },
    { "simulated:rate=4MB,seek=2h", "seek" },
    { "simulated:rate=4MB,colour=red", "colour" },
    { "simulated:rate=4MB,kind=tape", "tape" },
    { "simulated:disk-1995,disk-2005", "disk-2005" },
    { "simulated:disk-1995,", "disk-1995" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      OvDisk disk;

      g_assert_false (ov_disk_parse (wrong[i][0], &disk, &error));
      g_assert_error (error, OV_ERROR, OV_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, wrong[i][1]));
    }
}

/* ---- Service ------------------------------------------------------------------------------ */

/** A disk without seeks: 1 ms and 1 ms for each 1000 bytes. */
static OvService
plain_service (const char *kind)
{
  g_autofree char *target = g_strdup_printf ("simulated:kind=%s,rate=1MB,latency=1ms", kind);
  const OvDisk disk = disk_of (target);
  OvService service;

  ov_service_init (&service, &disk);
  return service;
}

/** Whatever time the disk rested, the next request takes as long as the first. */
static void
test_no_credit (void)
{
  OvService service = plain_service ("disk");
  OvServed served = ov_service_next (&service, 0, 0, 1000);

  g_assert_cmpint (served.begin_ns, ==, 0);
  g_assert_cmpint (served.end_ns, ==, 2 * MS);
  served = ov_service_next (&service, 5000 * MS, 1000, 1000);
  g_assert_cmpint (served.begin_ns, ==, 5000 * MS);
  g_assert_cmpint (served.end_ns, ==, 5002 * MS);
  /* Three at once wait for each other. */
  for (gint64 i = 0; i < 3; i++)
    {
      served = ov_service_next (&service, 6000 * MS, 0, 1000);
      g_assert_cmpint (served.begin_ns, ==, 6000 * MS + i * 2 * MS);
      g_assert_cmpint (served.end_ns, ==, 6000 * MS + (i + 1) * 2 * MS);
    }
}

/** Latencies overlap, bytes do not, and idle time earns nothing. */
static void
test_network (void)
{
  OvService service = plain_service ("network");

  for (gint64 i = 0; i < 4; i++)
    {
      const OvServed served = ov_service_next (&service, 0, 0, 1000);

      g_assert_cmpint (served.begin_ns, ==, 1 * MS + i * MS);
      g_assert_cmpint (served.end_ns, ==, 2 * MS + i * MS);
    }
  g_assert_cmpint (ov_service_next (&service, 1000 * MS, 0, 1000).end_ns, ==, 1002 * MS);
}

static void
test_seeks (void)
{
  const OvDisk disk = disk_of ("simulated:rate=1MB,near=2ms,seek=8ms,span=900000");
  OvService service;

  ov_service_init (&service, &disk);
  /* Where the head stands is not known at first. */
  g_assert_cmpint (ov_service_seek_ns (&service, 0), ==, 8 * MS);
  ov_service_next (&service, 0, 0, 1000);
  g_assert_cmpint (ov_service_seek_ns (&service, 1000), ==, 0);
  /* A third of the span is the average; a quarter of that distance half the extra time. */
  g_assert_cmpint (ov_service_seek_ns (&service, 301000), ==, 8 * MS);
  g_assert_cmpint (ov_service_seek_ns (&service, 76000), ==, 5 * MS);
  g_assert_cmpint (ov_service_seek_ns (&service, 1001), >=, 2 * MS);
  g_assert_cmpint (ov_service_seek_ns (&service, 1001), <, 3 * MS);
  /* Farther than the span is not possible. */
  g_assert_cmpint (ov_service_seek_ns (&service, 100 * 900000), ==,
                   ov_service_seek_ns (&service, 901000));
}

/* ---- Device ------------------------------------------------------------------------------- */

typedef struct
{
  OvDeviceRequest base;
  gboolean cancelled;
  gssize *result;
  gint64 *answered_ns;
  gint *n_answered;
} Request;

static gboolean
is_cancelled (OvDeviceRequest *base)
{
  return ((Request *)base)->cancelled;
}

static gssize
transfer (OvDeviceRequest *base)
{
  return (gssize)base->bytes;
}

static void
answer (OvDeviceRequest *base, gssize result)
{
  Request *request = (Request *)base;

  *request->result = result;
  *request->answered_ns = ov_clock_now_ns ();
  g_atomic_int_inc (request->n_answered);
  g_free (request);
}

typedef struct
{
  OvSlowdiskShared *shared;
  OvDevice *device;
  gssize results[8];
  gint64 answered_ns[8];
  gint n_answered;
} Fixture;

static void
set_up (Fixture *fixture, const char *target)
{
  const int fd = memfd_create ("test", MFD_CLOEXEC);
  const OvDisk disk = disk_of (target);

  memset (fixture, 0, sizeof *fixture);
  fixture->shared = ov_slowdisk_shared_map (fd);
  g_assert_nonnull (fixture->shared);
  close (fd);
  fixture->device = ov_device_new (&disk, fixture->shared);
}

static void
push (Fixture *fixture, guint i, gboolean cancelled)
{
  Request *request = g_new0 (Request, 1);

  request->base.position = request->base.offset = i * 1000;
  request->base.bytes = 1000;
  request->base.is_cancelled = is_cancelled;
  request->base.transfer = transfer;
  request->base.answer = answer;
  request->cancelled = cancelled;
  request->result = &fixture->results[i];
  request->answered_ns = &fixture->answered_ns[i];
  request->n_answered = &fixture->n_answered;
  ov_device_push (fixture->device, &request->base);
}

static void
wait_for (Fixture *fixture, gint n)
{
  while (g_atomic_int_get (&fixture->n_answered) < n)
    g_usleep (1000);
}

static void
tear_down (Fixture *fixture)
{
  ov_device_free (fixture->device);
  ov_slowdisk_shared_unmap (fixture->shared);
}

/** Nothing is answered before its service ends, and the log says when what happened. */
static void
test_device_in_time (void)
{
  Fixture f;
  gint64 begin;
  guint64 dropped;
  gsize bytes, n;
  void *log;
  const OvRequestRecord *records;

  set_up (&f, "simulated:rate=100kB,latency=10ms");
  f.shared->timed = 1;
  begin = ov_clock_now_ns ();
  for (guint i = 0; i < 3; i++)
    push (&f, i, FALSE);
  wait_for (&f, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (f.results[i], ==, 1000);
      g_assert_cmpint (f.answered_ns[i] - begin, >=, (i + 1) * 20 * MS);
    }
  log = ov_slowdisk_shared_log (f.shared, &bytes);
  records = ov_request_log_view (log, bytes, &n, &dropped);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (dropped, ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (records[i].offset, ==, i * 1000);
      g_assert_cmpuint (records[i].submit, <=, records[i].consume_start);
      g_assert_cmpuint (records[i].consume_end - records[i].consume_start, >=, 20 * MS);
      g_assert_cmpuint (records[i].complete, ==, records[i].consume_end);
      g_assert_cmpuint (records[i].slot, ==, i);
    }
  g_assert_cmpint (f.shared->busy_ns, ==, 60 * MS);
  g_assert_cmpuint (f.shared->requests, ==, 3);
  /* Another run: counters and the head begin anew. */
  f.shared->generation++;
  push (&f, 3, FALSE);
  wait_for (&f, 4);
  g_assert_cmpuint (f.shared->requests, ==, 1);
  tear_down (&f);
}

/** Without its clock it serves at once and logs nothing; who has gone is not served. */
static void
test_device_at_once (void)
{
  Fixture f;

  set_up (&f, "simulated:rate=1kB,latency=1000s");
  push (&f, 0, FALSE);
  push (&f, 1, TRUE);
  wait_for (&f, 2);
  g_assert_cmpint (f.results[0], ==, 1000);
  g_assert_cmpint (f.results[1], ==, -EINTR);
  g_assert_cmpuint (f.shared->requests, ==, 0);
  /* The end does not wait for a service of a quarter of an hour. */
  f.shared->timed = 1;
  push (&f, 2, FALSE);
  push (&f, 3, FALSE);
  tear_down (&f);
  g_assert_cmpint (f.n_answered, ==, 4);
  g_assert_cmpint (f.results[3], ==, -EIO);
}

/* ---- Files -------------------------------------------------------------------------------- */

static void
test_store (void)
{
  OvStore *store = ov_store_new (10000, 1 << 20);
  OvStoreFile *file, *other;
  char text[8] = "";

  g_assert_cmpint (ov_store_create (store, "a", 0600, &file), ==, 0);
  g_assert_cmpint (ov_store_create (store, "a", 0600, &other), ==, -EEXIST);
  g_assert_true (other == file);
  g_assert_cmpint (ov_store_write (store, file, "lemon", 5, 3), ==, 5);
  g_assert_cmpuint (file->size, ==, 8);
  g_assert_cmpint (ov_store_read (file, text, sizeof text, 4), ==, 4);
  g_assert_cmpstr (text, ==, "emon");
  g_assert_cmpint (ov_store_resize (store, file, 10001), ==, -ENOSPC);
  g_assert_cmpint (ov_store_write (store, file, "x", 1, 10000), ==, -ENOSPC);
  g_assert_cmpint (ov_store_resize (store, file, 9000), ==, 0);
  g_assert_cmpint (ov_store_create (store, "b", 0600, &other), ==, 0);
  g_assert_cmpuint (other->position, !=, file->position);
  g_assert_cmpint (ov_store_resize (store, other, 1001), ==, -ENOSPC);
  g_assert_true (ov_store_nth (store, 1) == other);
  /* An unlinked file lives until its last use. */
  g_assert_cmpint (ov_store_unlink (store, "a"), ==, 0);
  g_assert_cmpint (ov_store_unlink (store, "a"), ==, -ENOENT);
  g_assert_cmpuint (ov_store_used (store), ==, 9000);
  ov_store_unuse (store, file, 1);
  g_assert_cmpuint (ov_store_used (store), ==, 0);
  g_assert_null (ov_store_get (store, 2));
  ov_store_free (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slowdisk/names/presets", test_presets);
  g_test_add_func ("/slowdisk/names/own-values", test_own_values);
  g_test_add_func ("/slowdisk/names/wrong", test_wrong_names);
  g_test_add_func ("/slowdisk/service/no-credit", test_no_credit);
  g_test_add_func ("/slowdisk/service/network", test_network);
  g_test_add_func ("/slowdisk/service/seeks", test_seeks);
  g_test_add_func ("/slowdisk/device/in-time", test_device_in_time);
  g_test_add_func ("/slowdisk/device/at-once", test_device_at_once);
  g_test_add_func ("/slowdisk/store", test_store);
  return g_test_run ();
}
