/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbour's figures, and their JSON.
 */
#include "config.h"

#include "model/ov-neighbour.h"

#include <math.h>

#include "model/ov-histogram-private.h"
#include "model/ov-neighbour-private.h"
#include "model/ov-types-private.h"

OvNeighbourFigures *
ov_neighbour_new (void)
{
  OvNeighbourFigures *figures = g_new0 (OvNeighbourFigures, 1);

  figures->processor = -1;
  figures->base_rate = figures->rate = NAN;
  return figures;
}

void
ov_neighbour_free (OvNeighbourFigures *figures)
{
  if (figures == NULL)
    return;
  g_clear_pointer (&figures->lateness, g_bytes_unref);
  g_clear_pointer (&figures->base, g_bytes_unref);
  g_free (figures);
}

void
ov_neighbour_set_histograms (OvNeighbourFigures *figures, const OvHistogram *lateness,
                             const OvHistogram *base)
{
  g_return_if_fail (figures != NULL);
  g_clear_pointer (&figures->lateness, g_bytes_unref);
  g_clear_pointer (&figures->base, g_bytes_unref);
  if (lateness != NULL)
    figures->lateness = ov_histogram_pack (lateness);
  if (base != NULL)
    figures->base = ov_histogram_pack (base);
}

double
ov_neighbour_lost (const OvNeighbourFigures *figures)
{
  if (figures == NULL || !(figures->base_rate > 0))
    return NAN;
  return 1 - figures->rate / figures->base_rate;
}

void
ov_neighbour_merge (GBytes *packed, OvHistogram *sum)
{
  g_autofree OvHistogram *histogram = packed != NULL ? ov_histogram_unpack (packed) : NULL;

  if (histogram != NULL)
    ov_histogram_merge (sum, histogram);
}

static void
set_histogram (JsonObject *object, const char *key, GBytes *packed)
{
  g_autofree OvHistogram *histogram = packed != NULL ? ov_histogram_unpack (packed) : NULL;

  if (histogram != NULL)
    json_object_set_member (object, key, ov_histogram_to_json (histogram));
  else
    json_object_set_null_member (object, key);
}

JsonNode *
ov_neighbour_to_json (const OvNeighbourFigures *figures)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "mode", ov_neighbour_nick (figures->mode));
  ov_json_set_figure (object, "processor", figures->processor);
  ov_json_set_double (object, "base-rate", figures->base_rate);
  ov_json_set_double (object, "rate", figures->rate);
  set_histogram (object, "lateness", figures->lateness);
  set_histogram (object, "base", figures->base);
  return ov_json_take_object (object);
}

OvNeighbourFigures *
ov_neighbour_read (OvJsonReader *parent, const char *key)
{
  JsonNode *node = ov_json_member (parent, key);
  g_autofree OvHistogram *lateness = NULL;
  g_autofree OvHistogram *base = NULL;
  OvNeighbourFigures *figures;
  OvJsonReader r;

  if (node == NULL)
    return NULL;
  figures = ov_neighbour_new ();
  ov_json_begin_child (&r, parent, node, key, -1);
  ov_json_require (&r, "mode");
  figures->mode = (OvNeighbour)ov_json_nick (&r, "mode", ov_neighbour_nicks, OV_NEIGHBOUR_NONE);
  figures->processor = (int)ov_json_int (&r, "processor", 0, G_MAXINT, -1);
  figures->base_rate = ov_json_double (&r, "base-rate", 0, INFINITY, NAN);
  figures->rate = ov_json_double (&r, "rate", 0, INFINITY, NAN);
  lateness = ov_histogram_read (&r, "lateness");
  base = ov_histogram_read (&r, "base");
  ov_neighbour_set_histograms (figures, lateness, base);
  if (ov_json_end_child (&r, parent))
    return figures;
  ov_neighbour_free (figures);
  return NULL;
}
