/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strategies as data, their options' texts and values, and the search for names that were meant.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-json-private.h"
#include "model/ov-strategy-info.h"
#include "model/ov-types-private.h"

/* Entry n is the flag 1 << n of enum OvCaps. */
static const char *const cap_nicks[]
    = { "block",        "depth", "direct",  "async",       "privilege", "writes",
        "by-character", "lines", "control", "direct-only", "positions", NULL };
static const char *const kind_nicks[] = { "int", "size", "bool", "choice", NULL };

OvStrategyInfo *
ov_strategy_info_new (void)
{
  OvStrategyInfo *info = g_atomic_rc_box_new0 (OvStrategyInfo);

  info->options = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_option_info_free);
  info->available = TRUE;
  return info;
}

OvStrategyInfo *
ov_strategy_info_ref (OvStrategyInfo *info)
{
  return g_atomic_rc_box_acquire (info);
}

static void
clear_info (gpointer data)
{
  OvStrategyInfo *info = data;

  g_free (info->id);
  g_free (info->title);
  g_free (info->summary);
  g_free (info->family);
  g_free (info->article);
  g_free (info->module);
  g_free (info->cause);
  g_free (info->source);
  g_clear_pointer (&info->options, g_ptr_array_unref);
}

void
ov_strategy_info_unref (OvStrategyInfo *info)
{
  if (info != NULL)
    g_atomic_rc_box_release_full (info, clear_info);
}

OvOptionInfo *
ov_option_info_new (void)
{
  return g_new0 (OvOptionInfo, 1);
}

void
ov_option_info_free (OvOptionInfo *option)
{
  if (option == NULL)
    return;
  g_free (option->name);
  g_free (option->title);
  g_free (option->help);
  g_strfreev (option->choices);
  g_free (option);
}

OvModuleFault *
ov_module_fault_new (const char *module, const char *fault)
{
  OvModuleFault *self = g_new0 (OvModuleFault, 1);

  self->module = g_strdup (module);
  self->fault = g_strdup (fault);
  return self;
}

void
ov_module_fault_free (OvModuleFault *fault)
{
  if (fault == NULL)
    return;
  g_free (fault->module);
  g_free (fault->fault);
  g_free (fault);
}

/* gettext ("") is the catalogue's head, not a text. */
static const char *
translated (const char *text)
{
  return text != NULL && *text != '\0' ? dgettext (GETTEXT_PACKAGE, text) : "";
}

const char *
ov_strategy_info_title (const OvStrategyInfo *info)
{
  g_return_val_if_fail (info != NULL, NULL);
  return translated (info->title);
}

const char *
ov_strategy_info_summary (const OvStrategyInfo *info)
{
  g_return_val_if_fail (info != NULL, NULL);
  return translated (info->summary);
}

const OvOptionInfo *
ov_strategy_info_find_option (const OvStrategyInfo *info, const char *name, guint *index)
{
  guint i;

  g_return_val_if_fail (info != NULL && name != NULL, NULL);
  for (i = 0; i < info->options->len; i++)
    {
      const OvOptionInfo *option = g_ptr_array_index (info->options, i);

      if (g_strcmp0 (option->name, name) == 0)
        {
          if (index != NULL)
            *index = i;
          return option;
        }
    }
  return NULL;
}

/* ---- Values of options -------------------------------------------------------------------- */

static gboolean
parse_int (const char *text, gint64 *value)
{
  char *end;

  if (!g_ascii_isdigit (*text) && !((*text == '-' || *text == '+') && g_ascii_isdigit (text[1])))
    return FALSE;
  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && *end == '\0';
}

static gboolean
parse_bool (const char *text, gint64 *value)
{
  static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1", NULL };
  int index = ov_nick_index (words, text);

  *value = index & 1;
  return index >= 0;
}

static void
fail_choice (const OvOptionInfo *option, const char *text, GError **error)
{
  g_autofree char *all
      = option->choices != NULL ? g_strjoinv (", ", option->choices) : g_strdup ("");

  g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("option %s: “%s” is unknown; allowed are %s"),
               option->name, text, all);
}

static gboolean
check_range (const OvOptionInfo *option, const char *text, gint64 value, GError **error)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (value >= option->minimum && value <= option->maximum)
    return TRUE;
  from = ov_option_info_format (option, option->minimum);
  to = ov_option_info_format (option, option->maximum);
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("option %s: must be from %s to %s, not %s"),
               option->name, from, to, text);
  return FALSE;
}

gboolean
ov_option_info_parse (const OvOptionInfo *option, const char *text, gint64 *value, GError **error)
{
  g_autoptr (GError) why = NULL;
  guint64 size;

  g_return_val_if_fail (option != NULL && text != NULL && value != NULL, FALSE);
  switch (option->kind)
    {
    case OV_OPTION_BOOL:
      if (parse_bool (text, value))
        return TRUE;
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("option %s: must be true or false, not “%s”"), option->name, text);
      return FALSE;
    case OV_OPTION_CHOICE:
      *value = option->choices != NULL ? ov_nick_index ((const char *const *)option->choices, text)
                                       : -1;
      if (*value >= 0)
        return TRUE;
      fail_choice (option, text, error);
      return FALSE;
    case OV_OPTION_SIZE:
      if (!ov_size_parse (text, &size, &why))
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("option %s: %s"), option->name,
                       why->message);
          return FALSE;
        }
      *value = (gint64)size;
      return check_range (option, text, *value, error);
    case OV_OPTION_INT:
    default:
      if (!parse_int (text, value))
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                       _ ("option %s: must be a whole number, not “%s”"), option->name, text);
          return FALSE;
        }
      return check_range (option, text, *value, error);
    }
}

char *
ov_option_info_format (const OvOptionInfo *option, gint64 value)
{
  g_return_val_if_fail (option != NULL, NULL);
  switch (option->kind)
    {
    case OV_OPTION_BOOL:
      return g_strdup (value != 0 ? "true" : "false");
    case OV_OPTION_CHOICE:
      if (option->choices != NULL && value >= 0 && value < (gint64)g_strv_length (option->choices))
        return g_strdup (option->choices[value]);
      break;
    case OV_OPTION_SIZE:
      if (value >= 0)
        return ov_size_format ((guint64)value);
      break;
    default:
      break;
    }
  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void
set_flags (JsonObject *object, const char *key, const char *const *nicks, guint flags)
{
  JsonArray *array = json_array_new ();
  guint i;

  for (i = 0; nicks[i] != NULL; i++)
    if (flags & (1u << i))
      json_array_add_string_element (array, nicks[i]);
  json_object_set_array_member (object, key, array);
}

/* A name that is unknown here comes from a newer worker and is left out. */
static guint
read_flags (OvJsonReader *r, const char *key, const char *const *nicks)
{
  g_auto (GStrv) names = ov_json_strings (r, key);
  guint flags = 0;
  guint i;

  for (i = 0; names != NULL && names[i] != NULL; i++)
    {
      int index = ov_nick_index (nicks, names[i]);

      if (index >= 0)
        flags |= 1u << index;
    }
  return flags;
}

static JsonNode *
option_to_json (const OvOptionInfo *option)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "kind",
                                 kind_nicks[MIN (option->kind, (guint)OV_OPTION_CHOICE)]);
  ov_json_set_string (object, "name", option->name);
  ov_json_set_string (object, "title", option->title);
  ov_json_set_string (object, "help", option->help);
  json_object_set_int_member (object, "minimum", option->minimum);
  json_object_set_int_member (object, "maximum", option->maximum);
  json_object_set_int_member (object, "standard", option->standard);
  if (option->choices != NULL)
    {
      JsonArray *choices = json_array_new ();
      guint i;

      for (i = 0; option->choices[i] != NULL; i++)
        json_array_add_string_element (choices, option->choices[i]);
      json_object_set_array_member (object, "choices", choices);
    }
  return ov_json_take_object (object);
}

static void
read_option (OvJsonReader *parent, JsonNode *node, guint index, GPtrArray *options)
{
  OvOptionInfo *option = ov_option_info_new ();
  OvJsonReader r;

  ov_json_begin_child (&r, parent, node, "options", (int)index);
  ov_json_require (&r, "name");
  option->kind = (guint)ov_json_nick (&r, "kind", kind_nicks, OV_OPTION_INT);
  option->name = ov_json_string (&r, "name");
  option->title = ov_json_string (&r, "title");
  option->help = ov_json_string (&r, "help");
  option->minimum = ov_json_int (&r, "minimum", G_MININT64, G_MAXINT64, 0);
  option->maximum = ov_json_int (&r, "maximum", G_MININT64, G_MAXINT64, 0);
  option->standard = ov_json_int (&r, "standard", G_MININT64, G_MAXINT64, 0);
  option->choices = ov_json_strings (&r, "choices");
  ov_json_end_child (&r, parent);
  g_ptr_array_add (options, option);
}

JsonNode *
ov_strategy_info_to_json (const OvStrategyInfo *info)
{
  JsonObject *object = json_object_new ();
  JsonArray *options = json_array_new ();
  guint i;

  g_return_val_if_fail (info != NULL, NULL);
  ov_json_set_string (object, "id", info->id);
  ov_json_set_string (object, "title", info->title);
  ov_json_set_string (object, "summary", info->summary);
  ov_json_set_string (object, "family", info->family);
  ov_json_set_string (object, "article", info->article);
  ov_json_set_path (object, "module", info->module);
  set_flags (object, "jobs", ov_job_nicks, info->jobs);
  set_flags (object, "caps", cap_nicks, info->caps);
  for (i = 0; i < info->options->len; i++)
    json_array_add_element (options, option_to_json (g_ptr_array_index (info->options, i)));
  json_object_set_array_member (object, "options", options);
  json_object_set_boolean_member (object, "available", info->available);
  json_object_set_boolean_member (object, "denied", info->denied);
  ov_json_set_string (object, "cause", info->cause);
  ov_json_set_string (object, "source", info->source);
  return ov_json_take_object (object);
}

OvStrategyInfo *
ov_strategy_info_from_json (JsonNode *node, GError **error)
{
  OvStrategyInfo *info = ov_strategy_info_new ();
  JsonArray *options;
  OvJsonReader r;
  guint i;

  ov_json_begin (&r, node, FALSE);
  ov_json_require (&r, "id");
  info->id = ov_json_string (&r, "id");
  info->title = ov_json_string (&r, "title");
  info->summary = ov_json_string (&r, "summary");
  info->family = ov_json_string (&r, "family");
  info->article = ov_json_string (&r, "article");
  info->module = ov_json_path (&r, "module");
  info->jobs = read_flags (&r, "jobs", ov_job_nicks);
  info->caps = read_flags (&r, "caps", cap_nicks);
  options = ov_json_array (&r, "options");
  for (i = 0; options != NULL && i < json_array_get_length (options); i++)
    read_option (&r, json_array_get_element (options, i), i, info->options);
  info->available = ov_json_bool (&r, "available", TRUE);
  info->denied = ov_json_bool (&r, "denied", FALSE);
  info->cause = ov_json_string (&r, "cause");
  info->source = ov_json_string (&r, "source");
  if (ov_json_end (&r, error))
    return info;
  ov_strategy_info_unref (info);
  return NULL;
}

/* ---- Names that were meant ---------------------------------------------------------------- */

/* Edits (insert, delete, replace, swap neighbours) that make `a` of `b`, ignoring case: optimal
 * string alignment over three rows.  Both are shorter than 128 bytes. */
static guint
edit_distance (const char *a, const char *b)
{
  guint rows[3][129];
  guint n = (guint)strlen (b);
  guint i;
  guint j;

  for (j = 0; j <= n; j++)
    rows[0][j] = j;
  for (i = 1; a[i - 1] != '\0'; i++)
    {
      guint *row = rows[i % 3];
      const guint *above = rows[(i + 2) % 3];
      const guint *second = rows[(i + 1) % 3];
      char c = g_ascii_tolower (a[i - 1]);

      row[0] = i;
      for (j = 1; j <= n; j++)
        {
          char d = g_ascii_tolower (b[j - 1]);

          row[j] = MIN (MIN (above[j], row[j - 1]) + 1, above[j - 1] + (c != d));
          if (i > 1 && j > 1 && c == g_ascii_tolower (b[j - 2]) && g_ascii_tolower (a[i - 2]) == d)
            row[j] = MIN (row[j], second[j - 2] + 1);
        }
    }
  return rows[strlen (a) % 3][n];
}

/* How far `id` is from what was typed, G_MAXUINT: too far.  A name that holds what was typed, or
 * the other way round, is as near as one edit. */
static guint
name_distance (const char *typed, const char *id)
{
  gsize longer = MAX (strlen (typed), strlen (id));
  guint limit = (guint)MAX (1, longer / 3);
  guint distance;

  if (longer >= 128)
    return G_MAXUINT;
  if (MIN (strlen (typed), strlen (id)) >= 3
      && (strstr (id, typed) != NULL || strstr (typed, id) != NULL))
    return 1;
  distance = edit_distance (typed, id);
  return distance <= limit && distance < longer ? distance : G_MAXUINT;
}

char *
ov_nearest_names (const char *id, const char *const *ids)
{
  const char *best[3] = { NULL, NULL, NULL };
  guint distances[3] = { G_MAXUINT, G_MAXUINT, G_MAXUINT };
  gsize i;

  g_return_val_if_fail (id != NULL, NULL);
  for (i = 0; ids != NULL && ids[i] != NULL; i++)
    {
      guint distance = name_distance (id, ids[i]);
      int place = 3;

      while (place > 0 && distance < distances[place - 1])
        place--;
      if (place == 3 || g_strcmp0 (ids[i], best[0]) == 0 || g_strcmp0 (ids[i], best[1]) == 0)
        continue;
      memmove (best + place + 1, best + place, (gsize)(2 - place) * sizeof *best);
      memmove (distances + place + 1, distances + place, (gsize)(2 - place) * sizeof *distances);
      best[place] = ids[i];
      distances[place] = distance;
    }
  if (best[0] == NULL)
    return NULL;
  if (best[1] == NULL)
    return g_strdup (best[0]);
  if (best[2] == NULL)
    return g_strdup_printf (_ ("%s or %s"), best[0], best[1]);
  return g_strdup_printf (_ ("%s, %s or %s"), best[0], best[1], best[2]);
}
