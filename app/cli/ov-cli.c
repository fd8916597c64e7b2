/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous calls are waited for in the default main context.
 */
#include "config.h"

#include "cli/ov-cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

void
ov_cli_complain (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "overlap-cli: %s\n", text);
}

/* "-n1" is "-n 1", which GOption alone does not know.  The words are kept for as long as the
 * program runs, as those of main() are. */
static char **
split_short (const GOptionEntry *entries, int *argc, char **argv)
{
  static GPtrArray *words;
  gboolean only_words = FALSE;

  g_clear_pointer (&words, g_ptr_array_unref);
  words = g_ptr_array_new ();
  for (int i = 0; i < *argc; i++)
    {
      const GOptionEntry *entry = entries;

      only_words = only_words || strcmp (argv[i], "--") == 0;
      if (i == 0 || only_words || argv[i][0] != '-' || argv[i][1] == '-' || argv[i][1] == '\0'
          || argv[i][2] == '\0')
        entry = NULL;
      while (entry != NULL && entry->long_name != NULL && entry->short_name != argv[i][1])
        entry++;
      if (entry == NULL || entry->long_name == NULL || entry->arg == G_OPTION_ARG_NONE)
        g_ptr_array_add (words, argv[i]);
      else
        {
          const char name[] = { '-', entry->short_name, '\0' };

          g_ptr_array_add (words, (char *)g_intern_string (name));
          g_ptr_array_add (words, argv[i] + 2);
        }
    }
  *argc = (int)words->len;
  g_ptr_array_add (words, NULL);
  return (char **)words->pdata;
}

gboolean
ov_cli_parse (const char *usage, const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, summary);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  *argv = split_short (entries, argc, *argv);
  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

OvLauncher *
ov_cli_launcher (const char *prefix)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;

  if (prefix != NULL && !g_shell_parse_argv (prefix, NULL, &words, &error))
    {
      ov_cli_complain ("--through: %s", error->message);
      return NULL;
    }
  return ov_launcher_new ((const char *const *)words);
}

static GCancellable *cancellable; /* of what is waited for */

void
ov_cli_cancel (void)
{
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

static void
complain_unless_cancelled (const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ov_cli_complain ("%s", error->message);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

/* With a cancellable of its own for what is begun then. */
static GCancellable *
begin_waiting (void)
{
  g_clear_object (&cancellable);
  cancellable = g_cancellable_new ();
  return cancellable;
}

static GAsyncResult *
wait_for (GAsyncResult **place)
{
  while (*place == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_clear_object (&cancellable);
  return *place;
}

OvCatalog *
ov_cli_load_catalog (const OvLauncher *launcher)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  OvCatalog *catalog;

  ov_catalog_load_async (launcher, begin_waiting (), keep_result, &result);
  catalog = ov_catalog_load_finish (wait_for (&result), &error);
  if (catalog == NULL)
    complain_unless_cancelled (error);
  return catalog;
}

OvTargetInfo *
ov_cli_look_at (const OvLauncher *launcher, const char *target)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (OvTargetInfo) info = NULL;

  ov_preflight_async (launcher, target, begin_waiting (), keep_result, &result);
  info = ov_preflight_finish (wait_for (&result), &error);
  if (info == NULL)
    {
      complain_unless_cancelled (error);
      return NULL;
    }
  if (info->kind == OV_TARGET_REFUSED)
    {
      ov_cli_complain ("%s", info->cause);
      return NULL;
    }
  return g_steal_pointer (&info);
}

static void
complain_about (const GError *error, gpointer data)
{
  ov_cli_complain ("%s", error->message);
}

OvExperiment *
ov_cli_find_experiment (const char *name)
{
  g_auto (GStrv) folders = ov_experiment_folders ();
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autofree char *near = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".json"))
    {
      g_autoptr (GError) error = NULL;
      OvExperiment *experiment = ov_experiment_load (name, &error);

      if (experiment == NULL)
        ov_cli_complain ("%s", error->message);
      return experiment;
    }
  all = ov_experiment_load_all ((const char *const *)folders, complain_about, NULL);
  for (guint i = 0; i < all->len; i++)
    {
      OvExperiment *experiment = g_ptr_array_index (all, i);

      if (strcmp (experiment->id, name) == 0)
        return ov_experiment_ref (experiment);
      g_ptr_array_add (ids, experiment->id);
    }
  g_ptr_array_add (ids, NULL);
  near = ov_nearest_names (name, (const char *const *)ids->pdata);
  if (near != NULL)
    ov_cli_complain (_ ("There is no experiment \"%s\"; did you mean %s?"), name, near);
  else
    ov_cli_complain (_ ("There is no experiment \"%s\"; \"overlap-cli list\" names them all"),
                     name);
  return NULL;
}

guint
ov_cli_width (const char *text)
{
  guint width = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);

      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}
