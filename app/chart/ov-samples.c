// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSamples: rings of buckets, one for each level. Level 0 holds samples, level k buckets of
 * 4 ms × 4^(k-1), whose edges are multiples of that, so that those of one level lie within those of
 * the next. A level is made when the one below is a quarter full, out of what that one holds, which
 * is everything as long as it has dropped nothing; so the coarsest level always reaches back to the
 * first sample. Twenty levels are 140 years.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-samples.h"

#define FINEST_NS  (G_GINT64_CONSTANT (4) * 1000 * 1000)
#define MAX_LEVELS 20
#define FIRST_SIZE 64

typedef struct
{
  OvBucket *ring;
  guint size; /* of the ring, a power of two */
  guint head; /* the oldest */
  guint len;
  gint64 width; /* ns, 0: single samples */
} Level;

struct _OvSamples
{
  Level levels[MAX_LEVELS];
  guint n_levels;
  OvBucket total;
  gboolean gap; /* the next sample begins a new line */
};

static OvBucket *
level_at (const Level *level, guint i)
{
  return &level->ring[(level->head + i) & (level->size - 1)];
}

static void
level_push (Level *level, const OvBucket *bucket)
{
  if (level->len == level->size && level->size < OV_SAMPLES_PER_LEVEL)
    {
      guint size = MAX (FIRST_SIZE, level->size * 2);
      OvBucket *ring = g_new (OvBucket, size);

      for (guint i = 0; i < level->len; i++)
        ring[i] = *level_at (level, i);
      g_free (level->ring);
      level->ring = ring;
      level->size = size;
      level->head = 0;
    }
  if (level->len == level->size)
    {
      level->head = (level->head + 1) & (level->size - 1);
      level->len--;
    }
  level->ring[(level->head + level->len++) & (level->size - 1)] = *bucket;
}

static void
bucket_merge (OvBucket *into, const OvBucket *more)
{
  /* Which extreme came first is known where one of them is new. */
  if (more->min < into->min && more->max > into->max)
    into->min_first = more->min_first;
  else if (more->min < into->min)
    into->min_first = FALSE;
  else if (more->max > into->max)
    into->min_first = TRUE;
  into->min = MIN (into->min, more->min);
  into->max = MAX (into->max, more->max);
  into->t1 = more->t1;
  into->last = more->last;
  into->sum += more->sum;
  into->n += more->n;
}

/* Edges are multiples of the width, below zero too. */
static gint64
bucket_index (gint64 t, gint64 width)
{
  return t >= 0 ? t / width : -((-t + width - 1) / width);
}

static void
level_add (Level *level, const OvBucket *bucket)
{
  OvBucket *last = level->len > 0 ? level_at (level, level->len - 1) : NULL;
  gboolean same = FALSE;

  if (last != NULL && level->width == 0)
    same = last->t1 == bucket->t0 && !bucket->gap_before;
  else if (last != NULL)
    same = bucket_index (last->t0, level->width) == bucket_index (bucket->t0, level->width);
  if (same)
    bucket_merge (last, bucket);
  else
    level_push (level, bucket);
}

static void
add_level (OvSamples *self)
{
  const Level *below = &self->levels[self->n_levels - 1];
  Level *level = &self->levels[self->n_levels];

  level->width = self->n_levels == 1 ? FINEST_NS : below->width * 4;
  for (guint i = 0; i < below->len; i++)
    level_add (level, level_at (below, i));
  self->n_levels++;
}

OvSamples *
ov_samples_new (void)
{
  OvSamples *self = g_new0 (OvSamples, 1);

  self->n_levels = 1;
  return self;
}

void
ov_samples_clear (OvSamples *self)
{
  for (guint i = 0; i < self->n_levels; i++)
    g_free (self->levels[i].ring);
  memset (self, 0, sizeof *self);
  self->n_levels = 1;
}

void
ov_samples_free (OvSamples *self)
{
  if (self == NULL)
    return;
  ov_samples_clear (self);
  g_free (self);
}

void
ov_samples_append (OvSamples *self, gint64 t_ns, double value)
{
  OvBucket bucket = { 0 };

  if (!isfinite (value))
    {
      self->gap = TRUE;
      return;
    }
  if (self->total.n > 0)
    t_ns = MAX (t_ns, self->total.t1);
  bucket = (OvBucket){ t_ns, t_ns, value, value, value, value, value, 1, self->gap, TRUE };
  self->gap = FALSE;
  for (guint i = 0; i < self->n_levels; i++)
    level_add (&self->levels[i], &bucket);
  if (self->n_levels < MAX_LEVELS
      && self->levels[self->n_levels - 1].len >= OV_SAMPLES_PER_LEVEL / 4)
    add_level (self);
  if (self->total.n == 0)
    self->total = bucket;
  else
    bucket_merge (&self->total, &bucket);
}

const OvBucket *
ov_samples_get_total (const OvSamples *self)
{
  return &self->total;
}

/* Number of the first bucket that ends at `t` or later; len where there is none. */
static guint
level_find (const Level *level, gint64 t)
{
  guint lo = 0;
  guint hi = level->len;

  while (lo < hi)
    {
      guint mid = lo + (hi - lo) / 2;

      if (level_at (level, mid)->t1 < t)
        lo = mid + 1;
      else
        hi = mid;
    }
  return lo;
}

/* The coarsest level that is fine enough, or a coarser one where that does not reach back to t0. */
static const Level *
find_level (const OvSamples *self, gint64 t0, gint64 resolution)
{
  guint i = 0;

  t0 = MAX (t0, self->total.t0);
  while (i + 1 < self->n_levels && self->levels[i + 1].width <= resolution)
    i++;
  while (i + 1 < self->n_levels && level_at (&self->levels[i], 0)->t0 > t0)
    i++;
  return &self->levels[i];
}

void
ov_samples_query (const OvSamples *self, gint64 t0, gint64 t1, gint64 resolution, GArray *out)
{
  const Level *level;
  guint i;

  g_array_set_size (out, 0);
  if (self->total.n == 0 || t1 < t0)
    return;
  level = find_level (self, t0, resolution);
  i = level_find (level, t0);
  for (i = i > 0 ? i - 1 : 0; i < level->len; i++)
    {
      const OvBucket *bucket = level_at (level, i);

      g_array_append_vals (out, bucket, 1);
      if (bucket->t0 > t1)
        break;
    }
}

double
ov_samples_value_at (const OvSamples *self, gint64 t)
{
  const Level *level;
  const OvBucket *bucket;
  guint i;

  if (self->total.n == 0)
    return NAN;
  level = find_level (self, t, 0);
  i = level_find (level, t);
  if (i == level->len)
    return NAN;
  bucket = level_at (level, i);
  if (t < bucket->t0 && (bucket->gap_before || i == 0))
    return NAN;
  return bucket->sum / (double)bucket->n;
}

gsize
ov_samples_get_memory (const OvSamples *self)
{
  gsize bytes = sizeof *self;

  for (guint i = 0; i < self->n_levels; i++)
    bytes += self->levels[i].size * sizeof (OvBucket);
  return bytes;
}
