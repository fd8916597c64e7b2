/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of presets stand in one table, each with where it comes from.
 */
#include "config.h"

#include "model/ov-disk.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"

#define US      ((gint64)1000)
#define MS      (1000 * US)
#define MB      1e6
#define GB      ((guint64)1000 * 1000 * 1000)
#define MAX_NS  (3600 * (gint64)1000 * 1000 * 1000)
#define MAX_OWN ((guint64)1 << 50)

static const OvDisk presets[] = {
  { .name = "disk-1995",
    .title = N_ ("1995 desktop disk"),
    .source = N_ ("Rate: slope of the asynchronous line of the PowerMac 7100/66, 243 ms for each "
                  "1000K. Seek and latency: usual for disks of 1 GB and 5400 turns a minute (12 ms "
                  "and half a turn of 5.6 ms). The system does not read ahead."),
    .kind = OV_DISK_SERIAL,
    .rate = 4.2 * MB,
    .latency_ns = 500 * US,
    .near_ns = 8100 * US,
    .seek_ns = 17600 * US,
    .span = 1 * GB },
  { .name = "disk-2005",
    .title = N_ ("2005 laptop disk"),
    .source = N_ ("Usual for disks of 2.5 inches, 60 GB and 5400 turns a minute (12 ms and half a "
                  "turn of 5.6 ms). The system reads 128K ahead, as Linux did and does."),
    .kind = OV_DISK_SERIAL,
    .rate = 35 * MB,
    .latency_ns = 200 * US,
    .near_ns = 7100 * US,
    .seek_ns = 17600 * US,
    .span = 60 * GB,
    .readahead = 128 * 1024 },
  { .name = "network-1ms",
    .title = N_ ("network share at 1 ms"),
    .source = N_ ("A gigabit Ethernet carries 117 MB/s of data beside its headers; 1 ms there and "
                  "back, the server's time included. Requests travel at the same time, bytes do "
                  "not."),
    .kind = OV_DISK_NETWORK,
    .rate = 117 * MB,
    .latency_ns = 1 * MS,
    .readahead = 128 * 1024 },
  { .name = "network-100ms",
    .title = N_ ("network share at 100 ms"),
    .source = N_ ("100 Mbit/s carry 11.7 MB/s of data beside the headers; 100 ms are the way over "
                  "an ocean and back. Requests travel at the same time, bytes do not."),
    .kind = OV_DISK_NETWORK,
    .rate = 11.7 * MB,
    .latency_ns = 100 * MS,
    .readahead = 128 * 1024 },
  { .name = "usb2-stick",
    .title = N_ ("USB 2 stick"),
    .source = N_ ("Common sticks give 20 MB/s; USB 2 carries hardly 40. Command, data and status "
                  "follow each other, one request at a time, about 1 ms beside the data. No seeks. "
                  "A real stick writes more slowly than it reads, this one alike."),
    .kind = OV_DISK_SERIAL,
    .rate = 20 * MB,
    .latency_ns = 1 * MS,
    .readahead = 128 * 1024 },
};

gboolean
ov_disk_is_target (const char *target)
{
  return target != NULL && g_str_has_prefix (target, OV_DISK_PREFIX);
}

const OvDisk *
ov_disk_presets (guint *n)
{
  *n = G_N_ELEMENTS (presets);
  return presets;
}

static const OvDisk *
find_preset (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}

/* ---- Figures ------------------------------------------------------------------------------ */

/** A time such as "500us", "1.5ms" or "0". */
static gboolean
parse_time (const char *key, const char *text, gint64 *out, GError **error)
{
  static const struct
  {
    const char *unit;
    double ns;
  } units[] = { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
  char *end;
  const double value = g_ascii_strtod (text, &end);

  if (end != text && g_ascii_isdigit (text[0]) && isfinite (value))
    {
      if (value == 0 && *end == '\0')
        {
          *out = 0;
          return TRUE;
        }
      for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (strcmp (end, units[i].unit) == 0 && value * units[i].ns <= (double)MAX_NS)
          {
            *out = (gint64)llround (value * units[i].ns);
            return TRUE;
          }
    }
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
               _ ("Simulated disk: %s wants a time up to an hour, such as 500us or 1.5ms, not "
                  "\"%s\""),
               key, text);
  return FALSE;
}

static gboolean
parse_bytes (const char *key, const char *text, guint64 least, guint64 most, guint64 *out,
             GError **error)
{
  if (!ov_size_parse (text, out, error))
    {
      g_prefix_error (error, _ ("Simulated disk: %s: "), key);
      return FALSE;
    }
  if (*out >= least && *out <= most)
    return TRUE;
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
               _ ("Simulated disk: %s is too small or too large: \"%s\""), key, text);
  return FALSE;
}

static gboolean
parse_kind (const char *text, OvDisk *disk, GError **error)
{
  if (strcmp (text, "disk") == 0)
    disk->kind = OV_DISK_SERIAL;
  else if (strcmp (text, "network") == 0)
    disk->kind = OV_DISK_NETWORK;
  else
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("Simulated disk: kind is disk or network, not \"%s\""), text);
      return FALSE;
    }
  return TRUE;
}

static gboolean
set_figure (OvDisk *disk, const char *key, const char *text, GError **error)
{
  guint64 bytes;

  disk->changed = TRUE;
  if (strcmp (key, "kind") == 0)
    return parse_kind (text, disk, error);
  if (strcmp (key, "rate") == 0)
    {
      if (!parse_bytes (key, text, 1000, (guint64)1 << 40, &bytes, error))
        return FALSE;
      disk->rate = (double)bytes;
      return TRUE;
    }
  if (strcmp (key, "latency") == 0)
    return parse_time (key, text, &disk->latency_ns, error);
  if (strcmp (key, "seek") == 0)
    return parse_time (key, text, &disk->seek_ns, error);
  if (strcmp (key, "near") == 0)
    return parse_time (key, text, &disk->near_ns, error);
  if (strcmp (key, "span") == 0)
    return parse_bytes (key, text, 1, MAX_OWN, &disk->span, error);
  if (strcmp (key, "readahead") == 0)
    return parse_bytes (key, text, 0, (guint64)1 << 20, &disk->readahead, error);
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
               _ ("Simulated disk: there is no \"%s\"; there are kind, rate, latency, seek, near, "
                  "span and readahead"),
               key);
  return FALSE;
}

static gboolean
no_such_preset (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", presets[i].name);
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
               _ ("There is no simulated disk \"%s\"; there are %s, and own values such as "
                  "simulated:rate=4MB,latency=1ms,seek=12ms"),
               name, names->str);
  return FALSE;
}

gboolean
ov_disk_parse (const char *target, OvDisk *disk, GError **error)
{
  g_auto (GStrv) words = NULL;
  gboolean near_given = FALSE;

  g_return_val_if_fail (ov_disk_is_target (target) && disk != NULL, FALSE);

  words = g_strsplit (target + strlen (OV_DISK_PREFIX), ",", -1);
  *disk = (OvDisk){ .title = N_ ("own values"), .span = 1 * GB };
  if (words[0] == NULL)
    return no_such_preset ("", error);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *equals = strchr (words[i], '=');

      if (equals == NULL && i == 0 && find_preset (words[0]) != NULL)
        *disk = *find_preset (words[0]);
      else if (equals == NULL)
        return no_such_preset (words[i], error);
      else
        {
          *equals = '\0';
          near_given |= strcmp (words[i], "near") == 0;
          if (!set_figure (disk, words[i], equals + 1, error))
            return FALSE;
        }
    }
  if (disk->rate <= 0)
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_INVALID,
                           _ ("Simulated disk: it needs a rate, such as rate=4MB (a second)"));
      return FALSE;
    }
  /* Of a disk whose average seek alone is known: half of it is taken not to depend on the distance.
   */
  if (!near_given && (disk->name == NULL || disk->near_ns > disk->seek_ns))
    disk->near_ns = disk->seek_ns / 2;
  return TRUE;
}

/* ---- Texts -------------------------------------------------------------------------------- */

char *
ov_disk_title (const OvDisk *disk)
{
  if (disk->name != NULL && disk->changed)
    return g_strdup_printf (_ ("simulated: %s, changed"), _ (disk->title));
  return g_strdup_printf (_ ("simulated: %s"), _ (disk->title));
}

char *
ov_disk_describe (const OvDisk *disk)
{
  g_autofree char *rate = ov_rate_format (disk->rate);
  g_autofree char *latency = ov_duration_format ((double)disk->latency_ns / 1e9);
  g_autofree char *seek = ov_duration_format ((double)disk->seek_ns / 1e9);
  g_autofree char *ahead = ov_size_format (disk->readahead);
  g_autoptr (GString) text = g_string_new (rate);

  if (disk->kind == OV_DISK_NETWORK)
    g_string_append_printf (text, _ (", %s there and back"), latency);
  else if (disk->latency_ns > 0)
    g_string_append_printf (text, _ (", %s for each request"), latency);
  if (disk->seek_ns > 0)
    g_string_append_printf (text, _ (", %s to seek"), seek);
  if (disk->readahead > 0)
    g_string_append_printf (text, _ (", the system reads %s ahead"), ahead);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
