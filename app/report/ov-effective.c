// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What runs really used, gathered from their texts: "ring=polled; device-busy=95%" of one and
 * "ring=polled; device-busy=97%" of another become "ring=polled; device-busy=95–97%".  Each thing
 * is named once; numbers of the same unit become a range, other values stand side by side.
 */
#include "report/ov-report.h"

/* A thing that was told, and the different values it had, in the order they came. */
typedef struct
{
  char *name;
  GPtrArray *values;
} Thing;

static void
thing_free (gpointer data)
{
  Thing *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->values);
  g_free (self);
}

static Thing *
find_thing (GPtrArray *things, const char *name)
{
  Thing *thing;

  for (guint i = 0; i < things->len; i++)
    if (g_str_equal (((Thing *)things->pdata[i])->name, name))
      return things->pdata[i];
  thing = g_new0 (Thing, 1);
  thing->name = g_strdup (name);
  thing->values = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (things, thing);
  return thing;
}

static void
gather (GPtrArray *things, const char *effective)
{
  g_auto (GStrv) parts = g_strsplit (effective, ";", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *name = g_strstrip (parts[i]);
      char *value = strchr (name, '=');
      Thing *thing;

      if (*name == '\0')
        continue;
      if (value != NULL)
        *value++ = '\0';
      thing = find_thing (things, name);
      if (value != NULL
          && !g_ptr_array_find_with_equal_func (thing->values, value, g_str_equal, NULL))
        g_ptr_array_add (thing->values, g_strdup (value));
    }
}

/* "95–97%" of values that are all numbers, the unit behind them the same; else NULL. */
static char *
range_of (const GPtrArray *values)
{
  const char *unit = NULL, *least = NULL, *most = NULL;
  double low = 0, high = 0;

  for (guint i = 0; i < values->len; i++)
    {
      const char *value = values->pdata[i];
      char *end;
      double number = g_ascii_strtod (value, &end);

      if (end == value || strchr (end, ',') != NULL || (unit != NULL && !g_str_equal (unit, end)))
        return NULL;
      unit = end;
      if (least == NULL || number < low)
        {
          low = number;
          least = value;
        }
      if (most == NULL || number > high)
        {
          high = number;
          most = value;
        }
    }
  return g_strdup_printf ("%.*s–%s", (int)(strlen (least) - strlen (unit)), least, most);
}

char *
ov_report_effective (const GPtrArray *runs)
{
  g_autoptr (GPtrArray) things = g_ptr_array_new_with_free_func (thing_free);
  GString *text;

  for (guint i = 0; i < runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (runs, i);

      if (run->state == OV_STATE_DONE && run->effective != NULL)
        gather (things, run->effective);
    }
  if (things->len == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < things->len; i++)
    {
      const Thing *thing = things->pdata[i];
      g_autofree char *range = thing->values->len > 1 ? range_of (thing->values) : NULL;

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", thing->name);
      if (range != NULL)
        g_string_append_printf (text, "=%s", range);
      for (guint j = 0; range == NULL && j < thing->values->len; j++)
        g_string_append_printf (text, "%s%s", j == 0 ? "=" : " | ",
                                (const char *)thing->values->pdata[j]);
    }
  return g_string_free (text, FALSE);
}
