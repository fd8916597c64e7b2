/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles: summing up, and their JSON (docs/result-format.md).
 */
#include "config.h"

#include "model/ov-profile-private.h"

#include <glib/gi18n-lib.h>

static void
free_entry (gpointer data)
{
  OvProfileEntry *entry = data;

  g_free (entry->symbol);
  g_free (entry->module);
  g_free (entry);
}

OvProfile *
ov_profile_new (void)
{
  OvProfile *profile = g_new0 (OvProfile, 1);

  profile->entries = g_ptr_array_new_with_free_func (free_entry);
  return profile;
}

void
ov_profile_free (OvProfile *profile)
{
  if (profile == NULL)
    return;
  g_free (profile->event);
  g_free (profile->note);
  g_ptr_array_unref (profile->entries);
  g_free (profile);
}

static OvProfileEntry *
new_entry (const char *symbol, const char *module, guint64 samples)
{
  OvProfileEntry *entry = g_new0 (OvProfileEntry, 1);

  entry->symbol = g_strdup (symbol);
  entry->module = g_strdup (module);
  entry->samples = samples;
  return entry;
}

void
ov_profile_add (OvProfile *profile, const char *symbol, const char *module, guint64 samples)
{
  g_return_if_fail (profile != NULL && symbol != NULL && module != NULL);
  for (guint i = 0; i < profile->entries->len; i++)
    {
      OvProfileEntry *entry = g_ptr_array_index (profile->entries, i);

      if (g_str_equal (entry->symbol, symbol) && g_str_equal (entry->module, module))
        {
          entry->samples += samples;
          return;
        }
    }
  g_ptr_array_add (profile->entries, new_entry (symbol, module, samples));
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const OvProfileEntry *x = *(OvProfileEntry *const *)a;
  const OvProfileEntry *y = *(OvProfileEntry *const *)b;

  if (x->samples != y->samples)
    return x->samples < y->samples ? 1 : -1;
  return g_strcmp0 (x->symbol, y->symbol);
}

void
ov_profile_sort (OvProfile *profile, guint most)
{
  guint64 rest = 0;

  g_return_if_fail (profile != NULL);
  g_ptr_array_sort (profile->entries, compare_entries);
  if (profile->entries->len <= most)
    return;
  for (guint i = most; i < profile->entries->len; i++)
    rest += ((const OvProfileEntry *)profile->entries->pdata[i])->samples;
  g_ptr_array_set_size (profile->entries, (int)most);
  g_ptr_array_add (profile->entries, new_entry (_ ("(all others)"), "", rest));
}

void
ov_profile_merge (OvProfile *profile, const OvProfile *other)
{
  g_return_if_fail (profile != NULL && other != NULL);
  if (profile->event == NULL)
    profile->event = g_strdup (other->event);
  if (profile->note == NULL)
    profile->note = g_strdup (other->note);
  profile->rate = MAX (profile->rate, other->rate);
  profile->samples += other->samples;
  profile->lost += other->lost;
  profile->kernel |= other->kernel;
  for (guint i = 0; i < other->entries->len; i++)
    {
      const OvProfileEntry *entry = g_ptr_array_index (other->entries, i);

      ov_profile_add (profile, entry->symbol, entry->module, entry->samples);
    }
}

JsonNode *
ov_profile_to_json (const OvProfile *profile)
{
  JsonObject *object = json_object_new ();
  JsonArray *symbols = json_array_new ();

  ov_json_set_string (object, "event", profile->event);
  json_object_set_int_member (object, "rate", profile->rate);
  json_object_set_int_member (object, "samples", profile->samples);
  json_object_set_int_member (object, "lost", profile->lost);
  json_object_set_boolean_member (object, "kernel", profile->kernel);
  ov_json_set_string (object, "note", profile->note);
  for (guint i = 0; i < profile->entries->len; i++)
    {
      const OvProfileEntry *entry = g_ptr_array_index (profile->entries, i);
      JsonObject *symbol = json_object_new ();

      json_object_set_int_member (symbol, "samples", (gint64)MIN (entry->samples, G_MAXINT64));
      ov_json_set_string (symbol, "symbol", entry->symbol);
      ov_json_set_string (symbol, "module", entry->module);
      json_array_add_object_element (symbols, symbol);
    }
  json_object_set_array_member (object, "symbols", symbols);
  return ov_json_take_object (object);
}

static void
read_entry (OvJsonReader *parent, JsonNode *node, guint index, OvProfile *profile)
{
  g_autofree char *symbol = NULL;
  g_autofree char *module = NULL;
  guint64 samples;
  OvJsonReader r;

  ov_json_begin_child (&r, parent, node, "symbols", (int)index);
  ov_json_require (&r, "symbol");
  samples = (guint64)ov_json_int (&r, "samples", 0, G_MAXINT64, 0);
  symbol = ov_json_string (&r, "symbol");
  module = ov_json_string (&r, "module");
  if (ov_json_end_child (&r, parent))
    g_ptr_array_add (profile->entries, new_entry (symbol != NULL ? symbol : "",
                                                  module != NULL ? module : "", samples));
}

static void
read_profile (OvJsonReader *r, OvProfile *profile)
{
  JsonArray *symbols;

  profile->event = ov_json_string (r, "event");
  profile->rate = ov_json_int (r, "rate", 0, G_MAXINT64, 0);
  profile->samples = ov_json_int (r, "samples", 0, G_MAXINT64, 0);
  profile->lost = ov_json_int (r, "lost", 0, G_MAXINT64, 0);
  profile->kernel = ov_json_bool (r, "kernel", FALSE);
  profile->note = ov_json_string (r, "note");
  symbols = ov_json_array (r, "symbols");
  for (guint i = 0; symbols != NULL && i < json_array_get_length (symbols) && r->error == NULL; i++)
    read_entry (r, json_array_get_element (symbols, i), i, profile);
}

OvProfile *
ov_profile_read (OvJsonReader *parent, const char *key)
{
  JsonNode *node = ov_json_member (parent, key);
  g_autoptr (OvProfile) profile = NULL;
  OvJsonReader r;

  if (node == NULL)
    return NULL;
  profile = ov_profile_new ();
  ov_json_begin_child (&r, parent, node, key, -1);
  read_profile (&r, profile);
  return ov_json_end_child (&r, parent) ? g_steal_pointer (&profile) : NULL;
}

OvProfile *
ov_profile_from_json (JsonNode *node, GError **error)
{
  g_autoptr (OvProfile) profile = ov_profile_new ();
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  read_profile (&r, profile);
  return ov_json_end (&r, error) ? g_steal_pointer (&profile) : NULL;
}
