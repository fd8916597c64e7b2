/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms in little memory and in files.
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "model/ov-histogram-private.h"

/* The totals, then for each bucket that is not empty its index and its count. */
enum
{
  PACKED_OVERFLOW,
  PACKED_MIN,
  PACKED_MAX,
  PACKED_MEAN, /* the bits of a double */
  PACKED_BUCKETS,
};

G_STATIC_ASSERT (PACKED_BUCKETS == OV_HISTOGRAM_N_PACKED);

typedef union
{
  double value;
  guint64 bits;
} DoubleBits;

GBytes *
ov_histogram_pack (const OvHistogram *histogram)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint64));
  DoubleBits mean = { .value = ov_histogram_mean (histogram) };
  guint64 totals[PACKED_BUCKETS] = { [PACKED_OVERFLOW] = ov_histogram_overflow (histogram),
                                     [PACKED_MIN] = ov_histogram_min (histogram),
                                     [PACKED_MAX] = ov_histogram_max (histogram),
                                     [PACKED_MEAN] = mean.bits };
  guint position = 0;
  guint64 pair[2];
  guint index;

  g_array_append_vals (words, totals, PACKED_BUCKETS);
  while (ov_histogram_next (histogram, &position, &index, &pair[1]))
    {
      pair[0] = index;
      g_array_append_vals (words, pair, 2);
    }
  return g_bytes_new (words->data, words->len * sizeof (guint64));
}

GBytes *
ov_histogram_take_packed (const GArray *words, guint64 overflow, guint64 min, guint64 max,
                          double mean, guint64 count)
{
  guint64 *packed = (guint64 *)(gpointer)words->data;
  guint first
      = words->len > PACKED_BUCKETS ? (guint)packed[PACKED_BUCKETS] : OV_HISTOGRAM_N_BUCKETS;
  guint last = words->len > PACKED_BUCKETS ? (guint)packed[words->len - 2] : OV_HISTOGRAM_N_BUCKETS;
  gboolean empty = words->len == PACKED_BUCKETS && overflow == 0;
  DoubleBits bits = { .value = empty ? NAN : mean };

  if (!empty && !ov_histogram_totals_fit (first, last, overflow, min, max, mean))
    return NULL;
  if (overflow > G_MAXUINT64 - count)
    return NULL;
  packed[PACKED_OVERFLOW] = overflow;
  packed[PACKED_MIN] = empty ? 0 : min;
  packed[PACKED_MAX] = empty ? 0 : max;
  packed[PACKED_MEAN] = bits.bits;
  return g_bytes_new (packed, words->len * sizeof (guint64));
}

OvHistogram *
ov_histogram_unpack (GBytes *packed)
{
  OvHistogram *histogram = g_new (OvHistogram, 1);
  gsize bytes;
  const guint64 *words = g_bytes_get_data (packed, &bytes);
  gsize n = bytes / sizeof *words;
  DoubleBits mean = { .bits = words[PACKED_MEAN] };
  gsize i;

  ov_histogram_init (histogram);
  for (i = PACKED_BUCKETS; i + 1 < n; i += 2)
    ov_histogram_restore_bucket (histogram, (guint)words[i], words[i + 1]);
  if (n > PACKED_BUCKETS || words[PACKED_OVERFLOW] > 0)
    ov_histogram_restore_totals (histogram, words[PACKED_OVERFLOW], words[PACKED_MIN],
                                 words[PACKED_MAX], mean.value);
  return histogram;
}

/* For readers who do not want to compute them; null where there are too few values. */
static JsonObject *
percentiles_to_json (const OvHistogram *histogram)
{
  static const struct
  {
    const char *key;
    double q;
  } percentiles[]
      = { { "50", 0.5 }, { "90", 0.9 }, { "99", 0.99 }, { "99.9", 0.999 }, { "99.99", 0.9999 } };
  JsonObject *object = json_object_new ();
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (percentiles); i++)
    if (ov_histogram_has_quantile (histogram, percentiles[i].q))
      json_object_set_int_member (
          object, percentiles[i].key,
          (gint64)MIN (ov_histogram_quantile (histogram, percentiles[i].q), G_MAXINT64));
    else
      json_object_set_null_member (object, percentiles[i].key);
  return object;
}

JsonNode *
ov_histogram_to_json (const OvHistogram *histogram)
{
  JsonObject *object = json_object_new ();
  JsonArray *buckets = json_array_new ();
  guint position = 0;
  guint index;
  guint64 count;

  ov_json_set_double (object, "mean", ov_histogram_mean (histogram));
  json_object_set_int_member (object, "count", (gint64)ov_histogram_count (histogram));
  json_object_set_int_member (object, "min", (gint64)ov_histogram_min (histogram));
  json_object_set_int_member (object, "max", (gint64)ov_histogram_max (histogram));
  json_object_set_int_member (object, "overflow", (gint64)ov_histogram_overflow (histogram));
  while (ov_histogram_next (histogram, &position, &index, &count))
    {
      json_array_add_int_element (buckets, index);
      json_array_add_int_element (buckets, (gint64)count);
    }
  json_object_set_array_member (object, "buckets", buckets);
  json_object_set_object_member (object, "percentiles", percentiles_to_json (histogram));
  return ov_json_take_object (object);
}

static gboolean
is_empty (const OvHistogram *histogram)
{
  guint position = 0;
  guint index;
  guint64 count;

  return !ov_histogram_next (histogram, &position, &index, &count);
}

static void
read_buckets (OvJsonReader *r, OvHistogram *histogram)
{
  JsonArray *buckets = ov_json_array (r, "buckets");
  guint n = buckets != NULL ? json_array_get_length (buckets) : 0;
  guint i;

  if (n % 2 != 0)
    ov_json_fail (r, "buckets", _ ("must hold pairs of index and count"));
  for (i = 0; i + 1 < n; i += 2)
    {
      JsonNode *index = json_array_get_element (buckets, i);
      JsonNode *count = json_array_get_element (buckets, i + 1);

      if (json_node_get_value_type (index) != G_TYPE_INT64
          || json_node_get_value_type (count) != G_TYPE_INT64 || json_node_get_int (index) < 0
          || json_node_get_int (index) >= OV_HISTOGRAM_N_BUCKETS || json_node_get_int (count) <= 0
          || !ov_histogram_restore_bucket (histogram, (guint)json_node_get_int (index),
                                           (guint64)json_node_get_int (count)))
        {
          ov_json_fail_at (r, "buckets", i, _ ("no bucket of a histogram"));
          return;
        }
    }
}

OvHistogram *
ov_histogram_read (OvJsonReader *parent, const char *key)
{
  JsonNode *node = ov_json_member (parent, key);
  OvHistogram *histogram;
  OvJsonReader r;
  guint64 overflow;
  guint64 min;
  guint64 max;
  double mean;

  if (node == NULL)
    return NULL;
  histogram = g_new (OvHistogram, 1);
  ov_histogram_init (histogram);
  ov_json_begin_child (&r, parent, node, key, -1);
  read_buckets (&r, histogram);
  overflow = (guint64)ov_json_int (&r, "overflow", 0, G_MAXINT64, 0);
  min = (guint64)ov_json_int (&r, "min", 0, G_MAXINT64, 0);
  max = (guint64)ov_json_int (&r, "max", 0, G_MAXINT64, 0);
  mean = ov_json_double (&r, "mean", 0, INFINITY, NAN);
  if (r.error == NULL && (overflow > 0 || !is_empty (histogram))
      && !ov_histogram_restore_totals (histogram, overflow, min, max, mean))
    ov_json_fail (&r, NULL, _ ("the totals contradict the buckets"));
  if (ov_json_end_child (&r, parent))
    return histogram;
  g_free (histogram);
  return NULL;
}
