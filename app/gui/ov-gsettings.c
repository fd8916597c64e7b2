// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One GSettings object for the main thread.
 */
#include "config.h"

#include "gui/ov-gsettings.h"

gboolean
ov_gsettings_is_available (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source == NULL)
    return FALSE;
  schema = g_settings_schema_source_lookup (source, OV_APP_ID, TRUE);
  return schema != NULL;
}

GSettings *
ov_gsettings_get (void)
{
  static GSettings *settings;

  if (settings == NULL)
    settings = g_settings_new (OV_APP_ID);
  return settings;
}
