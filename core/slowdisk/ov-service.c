/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times are whole nanoseconds; the rate is applied to each request by itself.
 */
#include "config.h"

#include "slowdisk/ov-service.h"

#include <math.h>

void
ov_service_init (OvService *service, const OvDisk *disk)
{
  *service = (OvService){ .disk = *disk, .free_ns = G_MININT64, .head = G_MAXUINT64 };
}

gint64
ov_service_seek_ns (const OvService *service, guint64 position)
{
  const OvDisk *disk = &service->disk;
  guint64 distance;

  if (disk->seek_ns <= 0 || position == service->head)
    return 0;
  if (service->head == G_MAXUINT64)
    return disk->seek_ns;
  distance = position > service->head ? position - service->head : service->head - position;
  distance = MIN (distance, disk->span);
  return disk->near_ns
         + (gint64)((double)(disk->seek_ns - disk->near_ns)
                    * sqrt ((double)distance / ((double)disk->span / 3)));
}

OvServed
ov_service_next (OvService *service, gint64 arrival_ns, guint64 position, guint64 bytes)
{
  const OvDisk *disk = &service->disk;
  const gint64 transfer_ns = (gint64)llround ((double)bytes / disk->rate * 1e9);
  OvServed served;

  if (disk->kind == OV_DISK_NETWORK)
    {
      served.begin_ns = MAX (arrival_ns + disk->latency_ns, service->free_ns);
      served.end_ns = served.begin_ns + transfer_ns;
    }
  else
    {
      served.begin_ns = MAX (arrival_ns, service->free_ns);
      served.end_ns = served.begin_ns + disk->latency_ns + ov_service_seek_ns (service, position)
                      + transfer_ns;
    }
  service->free_ns = served.end_ns;
  service->head = position + bytes;
  return served;
}
