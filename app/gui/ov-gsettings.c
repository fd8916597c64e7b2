// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One GSettings object for the main thread.
 */
#include "config.h"

#include "gui/ov-gsettings.h"

/* Where the system has it, else where this program was installed, which need not be a place that
 * the system looks into.  Transfer full, or NULL. */
static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GSettingsSchema *schema
      = source != NULL ? g_settings_schema_source_lookup (source, OV_APP_ID, TRUE) : NULL;
  g_autofree char *folder = g_build_filename (OV_PKGDATADIR, "..", "glib-2.0", "schemas", NULL);
  GSettingsSchemaSource *own;

  if (schema != NULL)
    return schema;
  own = g_settings_schema_source_new_from_directory (folder, source, FALSE, NULL);
  if (own == NULL)
    return NULL;
  schema = g_settings_schema_source_lookup (own, OV_APP_ID, FALSE);
  g_settings_schema_source_unref (own);
  return schema;
}

gboolean
ov_gsettings_is_available (void)
{
  g_autoptr (GSettingsSchema) schema = find_schema ();

  return schema != NULL;
}

GSettings *
ov_gsettings_get (void)
{
  static GSettings *settings;

  if (settings == NULL)
    {
      g_autoptr (GSettingsSchema) schema = find_schema ();

      settings = g_settings_new_full (schema, NULL, NULL);
    }
  return settings;
}
