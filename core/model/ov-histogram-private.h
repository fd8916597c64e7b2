/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms packed into what their buckets need (18 KB become a few hundred bytes), and as JSON
 * (docs/result-format.md).
 */
#pragma once

#include "metrics/ov-histogram.h"
#include "model/ov-json-private.h"

G_BEGIN_DECLS

/** The histogram in little memory.  Transfer full. */
GBytes *ov_histogram_pack (const OvHistogram *histogram);
/** Words in front of a packed histogram's pairs of index and count. */
#define OV_HISTOGRAM_N_PACKED 4
/** Packs what was read: `words` (of guint64) holds room for the first ones and then the pairs in
 *  ascending order, `count` is the sum of their counts.  NULL where the totals contradict them. */
GBytes *ov_histogram_take_packed (const GArray *words, guint64 overflow, guint64 min, guint64 max,
                                  double mean, guint64 count);
/** What was packed.  Free with g_free(). */
OvHistogram *ov_histogram_unpack (GBytes *packed);

JsonNode *ov_histogram_to_json (const OvHistogram *histogram);
/** The histogram that is the member `key`, or NULL where there is none or a fault, which stays in
 *  the reader.  Free with g_free(). */
OvHistogram *ov_histogram_read (OvJsonReader *parent, const char *key);

G_END_DECLS
