/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulated device: a queue of requests in the order of their arrival, and one thread that
 * serves them.  An answer is given when the request's service ends, never before.
 */
#pragma once

#include "slowdisk/ov-service.h"
#include "slowdisk/ov-slowdisk-shared.h"

G_BEGIN_DECLS

typedef struct _OvDevice OvDevice;
typedef struct _OvDeviceRequest OvDeviceRequest;

/** What is to be done for a request, all in the device's thread. */
struct _OvDeviceRequest
{
  guint64 position; /**< on the device, bytes */
  guint64 offset;   /**< in the file, for the log */
  gsize bytes;
  /** Has the asker gone?  Asked when the service would begin. */
  gboolean (*is_cancelled) (OvDeviceRequest *request);
  /** Moves the data, while the device is busy with it; bytes moved, or -errno. */
  gssize (*transfer) (OvDeviceRequest *request);
  /** Answers with what `transfer` gave, -EINTR when it was cancelled; frees the request. */
  void (*answer) (OvDeviceRequest *request, gssize result);

  /* The device's own. */
  gint64 arrival_ns;
  guint32 slot;
};

/** Starts the thread.  `shared` (borrowed) says whether time is to be taken, and gets the log. */
OvDevice *ov_device_new (const OvDisk *disk, OvSlowdiskShared *shared);
/** Ends and joins the thread; requests that wait are answered with -EIO at once. */
void ov_device_free (OvDevice *device);

/** Takes a request, whose arrival is now.  From one thread at a time. */
void ov_device_push (OvDevice *device, OvDeviceRequest *request);

G_END_DECLS
