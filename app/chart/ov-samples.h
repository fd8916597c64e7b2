// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSamples: the samples of one trace in bounded memory. Private to the chart library.
 *
 * The newest samples are kept one by one, older ones in buckets of 4 ms, 16 ms, 64 ms … of which
 * each level keeps the newest 2048 and the coarsest one all. A bucket knows its first, smallest,
 * largest and last value, so a peak is never lost, whatever the level.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OvSamples OvSamples;

typedef struct
{
  gint64 t0; /* time of the first and last sample in it, ns */
  gint64 t1;
  double first;
  double min;
  double max;
  double last;
  double sum;
  guint64 n;
  gboolean gap_before; /* the line is broken before it */
  gboolean min_first;  /* the smallest value came before the largest */
} OvBucket;

/** Samples of each level that are kept one by one. */
#define OV_SAMPLES_PER_LEVEL 2048

OvSamples *ov_samples_new (void);
void ov_samples_free (OvSamples *self);
void ov_samples_clear (OvSamples *self);

/** Adds a sample. A time before the newest one counts as the newest; a value that is not finite
 * breaks the line. */
void ov_samples_append (OvSamples *self, gint64 t_ns, double value);
/** All of them as one bucket; n is 0 where there is none. */
const OvBucket *ov_samples_get_total (const OvSamples *self);
/** Puts the buckets that touch t0 to t1 into `out` (of OvBucket), and the one before and after
 * them, as the line to them is visible too. They are at most `resolution` ns long where samples of
 * that age are still kept so finely. */
void ov_samples_query (const OvSamples *self, gint64 t0, gint64 t1, gint64 resolution, GArray *out);
/** Mean of the bucket that the time falls into, a sample standing for the time since the one before
 * it; NaN where there is none. */
double ov_samples_value_at (const OvSamples *self, gint64 t);
/** Bytes in use. */
gsize ov_samples_get_memory (const OvSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvSamples, ov_samples_free)

G_END_DECLS
