/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines find each other by a text made of what they must have in common, so that results of a
 * hundred thousand runs are no matter of their square.
 */
#include "config.h"

#include "model/ov-versus.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-json-private.h"

/* ---- Finding ------------------------------------------------------------------------------ */

/* The number of each target, in the order in which the cells have them. */
static GHashTable *
number_targets (GPtrArray *cells)
{
  GHashTable *places = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = cells->pdata[i];
      const char *target = cell->target != NULL ? cell->target : "";

      if (!g_hash_table_contains (places, target))
        g_hash_table_insert (places, (gpointer)target,
                             GUINT_TO_POINTER (g_hash_table_size (places)));
    }
  return places;
}

static guint
place_of (GHashTable *places, const OvCell *cell)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (places, cell->target != NULL ? cell->target : ""));
}

/* What a line of both has in common. */
static char *
key_of (const OvCell *cell, guint place)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%u %s %s", place, g_ascii_dtostr (x, sizeof x, cell->x), cell->variant);
}

/* The lines of B by their keys. */
static GHashTable *
index_cells (GPtrArray *cells, GHashTable *places)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      char *key = key_of (cells->pdata[i], place_of (places, cells->pdata[i]));

      if (g_hash_table_contains (index, key))
        g_free (key);
      else
        g_hash_table_insert (index, key, cells->pdata[i]);
    }
  return index;
}

/* The variant on the target of that number, without x. */
static char *
place_key_of (const OvCell *cell, guint place)
{
  return g_strdup_printf ("%u %s", place, cell->variant);
}

static gboolean
is_skipped (const OvCell *cell)
{
  for (guint i = 0; i < cell->runs->len; i++)
    if (((const OvRun *)cell->runs->pdata[i])->state != OV_STATE_SKIPPED)
      return FALSE;
  return TRUE;
}

/* What was skipped wherever it would have stood, by place_key_of(): the first cell of each.  One
 * machine may have known before the plan that a strategy cannot run, and have it at no x; the other
 * may have been refused at each of them. */
static GHashTable *
index_skipped (GPtrArray *cells, GHashTable *places)
{
  GHashTable *skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      OvCell *cell = cells->pdata[i];
      char *key = place_key_of (cell, place_of (places, cell));

      if (!is_skipped (cell))
        {
          g_hash_table_remove (skipped, key);
          g_hash_table_add (tried, key);
        }
      else if (g_hash_table_contains (tried, key) || g_hash_table_contains (skipped, key))
        g_free (key);
      else
        g_hash_table_insert (skipped, key, cell);
    }
  return skipped;
}

/* ---- Comparing ---------------------------------------------------------------------------- */

static double
value_of (const OvCell *cell, OvMetric metric)
{
  OvComparison alone;

  if (cell == NULL)
    return NAN;
  ov_comparison_make (cell, cell, metric, FALSE, &alone);
  return alone.value;
}

static void
add_line (OvVersus *self, const OvCell *a, const OvCell *b, guint place, gboolean skipped)
{
  OvVersusLine line = { .a = a, .b = b, .place = place, .skipped = skipped };

  line.a_value = value_of (a, self->metric);
  line.b_value = value_of (b, self->metric);
  if (a != NULL && b != NULL)
    {
      ov_comparison_make (b, a, self->metric, FALSE, &line.comparison);
      self->n_both++;
      self->n_kind[line.comparison.kind]++;
    }
  else
    {
      line.comparison = (OvComparison){ .cell = b != NULL ? b : a,
                                        .base = a != NULL ? a : b,
                                        .metric = self->metric,
                                        .kind = OV_COMPARISON_NOTHING,
                                        .value = line.b_value,
                                        .ratio = NAN,
                                        .lo = NAN,
                                        .hi = NAN };
      self->n_only_a += b == NULL;
      self->n_only_b += a == NULL;
    }
  g_array_append_val (self->lines, line);
}

static void
add_lines (OvVersus *self)
{
  g_autoptr (GHashTable) places_a = number_targets (self->a);
  g_autoptr (GHashTable) places_b = number_targets (self->b);
  g_autoptr (GHashTable) index = index_cells (self->b, places_b);
  g_autoptr (GHashTable) skipped_a = index_skipped (self->a, places_a);
  g_autoptr (GHashTable) skipped_b = index_skipped (self->b, places_b);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->a->len; i++)
    {
      const OvCell *a = self->a->pdata[i];
      guint place = place_of (places_a, a);
      g_autofree char *key = key_of (a, place);
      g_autofree char *place_key = place_key_of (a, place);
      const OvCell *first = g_hash_table_lookup (skipped_a, place_key);
      OvCell *b = g_hash_table_lookup (skipped_b, place_key);
      const gboolean skipped = first != NULL && b != NULL;

      if (skipped && a != first)
        continue;
      if (!skipped)
        b = g_hash_table_lookup (index, key);
      add_line (self, a, b, place, skipped);
      if (b != NULL)
        g_hash_table_add (taken, b);
    }
  for (guint i = 0; i < self->b->len; i++)
    {
      const OvCell *b = self->b->pdata[i];
      guint place = place_of (places_b, b);
      g_autofree char *place_key = place_key_of (b, place);
      const gboolean skipped = g_hash_table_contains (skipped_a, place_key)
                               && g_hash_table_contains (skipped_b, place_key);

      if (!skipped && !g_hash_table_contains (taken, b))
        add_line (self, NULL, b, place, FALSE);
    }
}

OvVersus *
ov_versus_new (const OvResult *a, const OvResult *b, OvMetric metric, GError **error)
{
  g_autoptr (OvVersus) self = NULL;

  g_return_val_if_fail (a != NULL && b != NULL, NULL);

  if (a->x != b->x)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("These results walk through different things: %s, %s."),
                   ov_axis_parameter_label (a->x), ov_axis_parameter_label (b->x));
      return NULL;
    }
  self = g_new0 (OvVersus, 1);
  self->metric = metric;
  self->x = a->x;
  self->a = ov_result_cells (a);
  self->b = ov_result_cells (b);
  self->lines = g_array_new (FALSE, FALSE, sizeof (OvVersusLine));
  add_lines (self);
  if (self->n_both == 0)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID, "%s",
                   _ ("These results have no line in common."));
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
ov_versus_free (OvVersus *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->lines, g_array_unref);
  g_clear_pointer (&self->a, g_ptr_array_unref);
  g_clear_pointer (&self->b, g_ptr_array_unref);
  g_free (self);
}

char *
ov_versus_describe_settings (const OvVersusLine *line)
{
  g_return_val_if_fail (line != NULL, NULL);
  if (line->a == NULL || line->b == NULL)
    return g_strdup ("");
  return ov_cell_describe_settings (line->b, line->a);
}

/* ---- Files -------------------------------------------------------------------------------- */

static const char *const kind_nicks[] = {
  [OV_COMPARISON_BASE] = "base",   [OV_COMPARISON_NOTHING] = "nothing",
  [OV_COMPARISON_FEW] = "few",     [OV_COMPARISON_OTHER_WORK] = "other-work",
  [OV_COMPARISON_EQUAL] = "equal", [OV_COMPARISON_LESS] = "less",
  [OV_COMPARISON_MORE] = "more",
};

static const char *
nick_of (const OvVersusLine *line)
{
  return line->b == NULL   ? "only-a"
         : line->a == NULL ? "only-b"
                           : kind_nicks[line->comparison.kind];
}

static const OvCell *
either (const OvVersusLine *line)
{
  return line->a != NULL ? line->a : line->b;
}

static double
x_of (const OvVersusLine *line)
{
  return line->skipped ? NAN : either (line)->x;
}

/* What differs in work, then in settings. */
static char *
differences_of (const OvVersusLine *line)
{
  const OvComparison *comparison = &line->comparison;
  g_autofree char *work = comparison->differences != 0 ? ov_cell_describe_differences (
                              comparison->cell, comparison->base, comparison->differences)
                                                       : g_strdup ("");
  g_autofree char *settings = ov_versus_describe_settings (line);

  return g_strdup_printf ("%s%s%s", work, work[0] != '\0' && settings[0] != '\0' ? "; " : "",
                          settings);
}

static JsonNode *
line_to_json (const OvVersusLine *line)
{
  const OvComparison *comparison = &line->comparison;
  g_autofree char *differs = differences_of (line);
  JsonObject *object = json_object_new ();

  ov_json_set_string (object, "line", either (line)->variant);
  ov_json_set_double (object, "x", x_of (line));
  ov_json_set_path (object, "target-a", line->a != NULL ? line->a->target : NULL);
  ov_json_set_path (object, "target-b", line->b != NULL ? line->b->target : NULL);
  ov_json_set_double (object, "a-s", line->a_value);
  ov_json_set_double (object, "b-s", line->b_value);
  json_object_set_int_member (object, "runs", comparison->n);
  ov_json_set_double (object, "ratio", comparison->ratio);
  ov_json_set_double (object, "lo", comparison->lo);
  ov_json_set_double (object, "hi", comparison->hi);
  ov_json_set_string (object, "kind", nick_of (line));
  ov_json_set_string (object, "differs", differs[0] != '\0' ? differs : NULL);
  return ov_json_take_object (object);
}

static JsonNode *
result_to_json (const OvResult *result)
{
  JsonObject *object = json_object_new ();
  JsonArray *targets = json_array_new ();

  ov_json_set_string (object, "experiment", result->experiment->id);
  json_object_set_int_member (object, "date", result->date);
  json_object_set_boolean_member (object, "partial", result->partial);
  if (result->machine != NULL)
    json_object_set_member (object, "machine", ov_machine_to_json (result->machine));
  else
    json_object_set_null_member (object, "machine");
  for (guint i = 0; i < result->targets->len; i++)
    json_array_add_element (targets, ov_target_info_to_json (result->targets->pdata[i]));
  json_object_set_array_member (object, "targets", targets);
  return ov_json_take_object (object);
}

char *
ov_versus_to_text (const OvVersus *self, const OvResult *a, const OvResult *b)
{
  GString *out = g_string_new (NULL);
  JsonObject *object = json_object_new ();
  JsonArray *lines = json_array_new ();
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (self != NULL && a != NULL && b != NULL, NULL);
  json_object_set_int_member (object, "overlap-comparison", 1);
  ov_json_set_string (object, "metric", ov_metric_nick (self->metric));
  json_object_set_member (object, "a", result_to_json (a));
  json_object_set_member (object, "b", result_to_json (b));
  for (guint i = 0; i < self->lines->len; i++)
    json_array_add_element (lines, line_to_json (&g_array_index (self->lines, OvVersusLine, i)));
  json_object_set_array_member (object, "lines", lines);
  node = ov_json_take_object (object);
  ov_json_write (out, node, 2);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* Quoted as RFC 4180 says, where need be. */
static void
put_text (GString *out, const char *text)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *doubled = NULL;

  if (text == NULL || strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text != NULL ? text : "");
      return;
    }
  parts = g_strsplit (text, "\"", -1);
  doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (out, "\"%s\"", doubled);
}

static void
put_double (GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (
      out, ",%s", isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.9g", value) : "");
}

char *
ov_versus_to_csv (const OvVersus *self)
{
  GString *out = g_string_new ("line,target_a,target_b,x,a_s,b_s,ratio,ratio_lo,ratio_hi,runs,kind,"
                               "differs\n");

  g_return_val_if_fail (self != NULL, NULL);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const OvVersusLine *line = &g_array_index (self->lines, OvVersusLine, i);
      g_autofree char *differs = differences_of (line);

      put_text (out, either (line)->variant);
      g_string_append_c (out, ',');
      put_text (out, line->a != NULL ? line->a->target : NULL);
      g_string_append_c (out, ',');
      put_text (out, line->b != NULL ? line->b->target : NULL);
      put_double (out, x_of (line));
      put_double (out, line->a_value);
      put_double (out, line->b_value);
      put_double (out, line->comparison.ratio);
      put_double (out, line->comparison.lo);
      put_double (out, line->comparison.hi);
      g_string_append_printf (out, ",%u,%s,", line->comparison.n, nick_of (line));
      put_text (out, differs);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
