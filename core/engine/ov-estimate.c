/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of ended runs, kept in groups: alike in all, alike in variant and target, all.
 */
#include "config.h"

#include "engine/ov-estimate-private.h"

/* More than this many times tell no more about a median. */
#define KEPT 101
/* Starting, preparing and ending a run takes some hundredths of a second, on a busy machine tenths.
 */
#define FIXED_MOST_NS (G_GINT64_CONSTANT (300) * 1000000)
/* Beside the time limit of a run: starting, and what its phases take. */
#define BESIDE_LIMIT_NS (G_GINT64_CONSTANT (1000) * 1000000)

typedef struct
{
  guint64 size;
  gint64 wall_ns;
} Took;

struct _OvEstimate
{
  GHashTable *groups; /* char* -> GArray of Took, the last KEPT ones */
  gint64 shortest_ns; /* -1 before the first run */
  GHashTable *known;  /* char* (the narrowest key) -> gint64*: answers since the last run ended */
};

OvEstimate *
ov_estimate_new (void)
{
  OvEstimate *estimate = g_new0 (OvEstimate, 1);

  estimate->groups
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  estimate->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  estimate->shortest_ns = -1;
  return estimate;
}

void
ov_estimate_free (OvEstimate *estimate)
{
  if (estimate == NULL)
    return;
  g_hash_table_unref (estimate->groups);
  g_hash_table_unref (estimate->known);
  g_free (estimate);
}

/* Keys of the groups that a spec belongs to, the narrowest first. */
#define N_KEYS 3
static void
make_keys (const OvRunSpec *spec, char *keys[N_KEYS])
{
  keys[0] = g_strdup_printf (
      "%s\n%s\n%" G_GUINT64_FORMAT "\n%" G_GUINT64_FORMAT "\n%u\n%" G_GUINT64_FORMAT, spec->variant,
      spec->target, spec->size, spec->block, spec->depth, spec->requests);
  keys[1] = g_strdup_printf ("%s\n%s", spec->variant, spec->target);
  keys[2] = g_strdup ("");
}

static void
free_keys (char *keys[N_KEYS])
{
  for (int i = 0; i < N_KEYS; i++)
    g_free (keys[i]);
}

void
ov_estimate_add (OvEstimate *estimate, const OvRunSpec *spec, gint64 wall_ns)
{
  Took took = { spec->size, MAX (wall_ns, 0) };
  char *keys[N_KEYS];

  make_keys (spec, keys);
  for (int i = 0; i < N_KEYS; i++)
    {
      GArray *group = g_hash_table_lookup (estimate->groups, keys[i]);

      if (group == NULL)
        {
          group = g_array_new (FALSE, FALSE, sizeof (Took));
          g_hash_table_insert (estimate->groups, g_strdup (keys[i]), group);
        }
      if (group->len >= KEPT)
        g_array_remove_index (group, 0);
      g_array_append_val (group, took);
    }
  free_keys (keys);
  g_hash_table_remove_all (estimate->known);
  if (estimate->shortest_ns < 0 || took.wall_ns < estimate->shortest_ns)
    estimate->shortest_ns = took.wall_ns;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *)a;
  double right = *(const double *)b;

  return (left > right) - (left < right);
}

/* Median of the group's times, each scaled to `size`, but for what a run takes whatever its size:
 * what the shortest one took is taken for that, up to a bound. */
static double
group_median (GArray *group, guint64 size, gint64 shortest_ns)
{
  const double fixed = (double)CLAMP (shortest_ns, 0, FIXED_MOST_NS);
  g_autofree double *times = g_new (double, group->len);

  for (guint i = 0; i < group->len; i++)
    {
      const Took *took = &g_array_index (group, Took, i);

      times[i] = (double)took->wall_ns;
      if (took->size != size && took->size > 0 && size > 0)
        times[i] = fixed + MAX (times[i] - fixed, 0) * (double)size / (double)took->size;
    }
  qsort (times, group->len, sizeof *times, compare_doubles);
  return times[group->len / 2];
}

gint64
ov_estimate_get (OvEstimate *estimate, const OvRunSpec *spec)
{
  double most = 100 * 365.25 * 86400e9; /* a hundred years */
  double time = -1;
  gint64 *known;
  gint64 answer = -1;
  char *keys[N_KEYS];

  make_keys (spec, keys);
  known = g_hash_table_lookup (estimate->known, keys[0]);
  for (int i = 0; i < N_KEYS && time < 0 && known == NULL; i++)
    {
      GArray *group = g_hash_table_lookup (estimate->groups, keys[i]);

      if (group != NULL)
        time = group_median (group, spec->size, estimate->shortest_ns);
    }
  if (known != NULL)
    answer = *known;
  else if (time >= 0)
    {
      /* Its time limit ends the run, and the discarded pass before it. */
      if (spec->time_limit_ns > 0)
        most = MIN (most, 2.0 * (double)spec->time_limit_ns + BESIDE_LIMIT_NS);
      answer = (gint64)CLAMP (time, MIN ((double)estimate->shortest_ns, most), most);
      g_hash_table_insert (estimate->known, g_strdup (keys[0]), g_memdup2 (&answer, sizeof answer));
    }
  free_keys (keys);
  return answer;
}
