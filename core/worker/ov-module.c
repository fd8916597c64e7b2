/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A descriptor is copied into a struct of our own size: a module that was built against a shorter
 * one has zeroes in the fields it does not know, one built against a longer one loses what we do
 * not know.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/ov-error.h"
#include "worker/ov-guard.h"
#include "worker/ov-host.h"
#include "worker/ov-module.h"
#include "worker/ov-privilege.h"
#include "worker/ov-trust.h"

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
add_folder (GPtrArray *paths, const char *folder)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL)
    return;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".so"))
      g_ptr_array_add (found, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (found, compare_names);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (paths, found->pdata[i]);
}

/** For a privileged session: the installed modules for hardware, as long as nobody but root can
 * have made them.
 */
static void
add_trusted (GPtrArray *paths)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  add_folder (found, OV_PLUGINDIR);
  for (guint i = 0; i < found->len; i++)
    {
      g_autofree char *name = g_path_get_basename (found->pdata[i]);
      g_autoptr (GError) error = NULL;

      if (!ov_guard_is_hardware_module (name))
        continue;
      if (ov_trust_path (found->pdata[i], &error))
        g_ptr_array_add (paths, g_strdup (found->pdata[i]));
      else
        g_printerr ("overlap-hardware: %s\n", error->message);
    }
}

GPtrArray *
ov_module_find_all (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *own = g_getenv ("OVERLAP_PLUGIN_DIR");
  const char *more = g_getenv ("OVERLAP_PLUGIN_PATH");
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), "overlap", "plugins", NULL);

  if (ov_privilege_is_entered ())
    {
      add_trusted (paths);
      return paths;
    }
  add_folder (paths, own != NULL ? own : OV_PLUGINDIR);
  add_folder (paths, user);
  if (more != NULL)
    {
      g_auto (GStrv) folders = g_strsplit (more, G_SEARCHPATH_SEPARATOR_S, -1);

      for (guint i = 0; folders[i] != NULL; i++)
        if (folders[i][0] != '\0')
          add_folder (paths, folders[i]);
    }
  return paths;
}

/** "family.name" of lower case letters, digits and '-', with one '.' or more. */
static gboolean
is_id (const char *id)
{
  gboolean dot = FALSE, letter = FALSE;

  for (const char *at = id; *at != '\0'; at++)
    if (*at == '.')
      {
        if (!letter)
          return FALSE;
        dot = TRUE;
        letter = FALSE;
      }
    else if (g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '-')
      letter = TRUE;
    else
      return FALSE;
  return dot && letter;
}

static gboolean
is_text (const char *text)
{
  return text != NULL && text[0] != '\0' && g_utf8_validate (text, -1, NULL);
}

/** What is wrong with an option, or NULL.  Static text. */
static const char *
option_fault (const OvOption *option)
{
  if (!OV_HAS (OvOption, option, choices))
    return "an option's size is too small";
  if (!is_text (option->name) || !is_text (option->title) || !is_text (option->help))
    return "an option has no name, title or help";
  if (option->kind > OV_OPTION_CHOICE)
    return "an option is of an unknown kind";
  if (option->kind == OV_OPTION_CHOICE && (option->choices == NULL || option->choices[0] == NULL))
    return "an option offers no choices";
  if (option->kind == OV_OPTION_CHOICE
          ? option->standard < 0
                || option->standard >= (gint64)g_strv_length ((char **)option->choices)
          : option->minimum > option->standard || option->standard > option->maximum)
    return "an option's standard value is out of its range";
  return NULL;
}

/** What is wrong with a descriptor, or NULL.  Static text. */
static const char *
strategy_fault (const OvStrategy *strategy)
{
  gsize length;

  if (strategy->abi != OV_STRATEGY_ABI)
    return "it was built for another version of the interface";
  if (strategy->size < offsetof (OvStrategy, source))
    return "a descriptor's size is too small";
  if (!is_text (strategy->id) || !is_id (strategy->id))
    return "an id is not of the form family.name (lower case letters, digits, '-')";
  if (!is_text (strategy->title) || !is_text (strategy->summary) || !is_text (strategy->family))
    return "title, summary or family is missing";
  length = strlen (strategy->family);
  if (strncmp (strategy->id, strategy->family, length) != 0 || strategy->id[length] != '.')
    return "the family is not the first part of the id";
  if (strategy->jobs == 0)
    return "it serves no job";
  if (strategy->prepare == NULL || strategy->run == NULL || strategy->release == NULL)
    return "prepare, run or release is missing";
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      const char *fault = option_fault (strategy->options[i]);

      if (fault != NULL)
        return fault;
    }
  return NULL;
}

void
ov_module_free (OvModule *module)
{
  g_ptr_array_unref (module->strategies);
  g_free (module);
}

OvModule *
ov_module_load (const char *path, GError **error)
{
  g_autoptr (OvModule) module = g_new0 (OvModule, 1);
  const OvStrategy *const *list = NULL;
  OvStrategiesFunc get;
  void *handle;

  module->strategies = g_ptr_array_new_with_free_func (g_free);
  handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID, "%s", dlerror ());
      return NULL;
    }
  *(void **)&get = dlsym (handle, OV_STRATEGIES_SYMBOL);
  if (get == NULL)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   "%s: it does not export %s(): use OV_STRATEGIES()", path, OV_STRATEGIES_SYMBOL);
      return NULL;
    }
  list = get (OV_STRATEGY_ABI);
  if (list == NULL || list[0] == NULL)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID, "%s: it has no strategies", path);
      return NULL;
    }
  for (guint i = 0; list[i] != NULL; i++)
    {
      const char *fault = strategy_fault (list[i]);
      OvStrategy *copy;

      if (fault != NULL)
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, "%s: %s", path, fault);
          return NULL;
        }
      copy = g_new0 (OvStrategy, 1);
      memcpy (copy, list[i], MIN ((gsize)list[i]->size, sizeof *copy));
      g_ptr_array_add (module->strategies, copy);
    }
  return g_steal_pointer (&module);
}

static const OvStrategy *
find_in (const char *path, const char *id)
{
  OvModule *module = ov_module_load (path, NULL);

  for (guint i = 0; module != NULL && i < module->strategies->len; i++)
    {
      const OvStrategy *strategy = g_ptr_array_index (module->strategies, i);

      if (strcmp (strategy->id, id) == 0)
        return strategy;
    }
  if (module != NULL)
    ov_module_free (module);
  return NULL;
}

const OvStrategy *
ov_module_find_strategy (const char *id, const char *known, GError **error)
{
  g_autoptr (GPtrArray) paths
      = known != NULL ? g_ptr_array_new_with_free_func (g_free) : ov_module_find_all ();
  g_autofree char *family = g_strndup (id, strcspn (id, "."));
  g_autofree char *name = g_strdup_printf ("%s.so", family);

  if (known != NULL)
    g_ptr_array_add (paths, g_strdup (known));
  /* Twice over the list: modules named after the family, then the others. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < paths->len; i++)
      {
        const char *path = g_ptr_array_index (paths, i);
        g_autofree char *base = g_path_get_basename (path);
        const OvStrategy *strategy;

        if ((strcmp (base, name) == 0) != (pass == 0))
          continue;
        strategy = find_in (path, id);
        if (strategy != NULL)
          return strategy;
      }
  g_set_error (error, OV_ERROR, OV_ERROR_NOT_FOUND, "No module has the strategy %s", id);
  return NULL;
}

OvStrategyInfo *
ov_module_describe (const OvStrategy *strategy, const char *path)
{
  OvStrategyInfo *info = ov_strategy_info_new ();
  char why[512] = "";
  int result = 0;

  info->id = g_strdup (strategy->id);
  info->title = g_strdup (strategy->title);
  info->summary = g_strdup (strategy->summary);
  info->family = g_strdup (strategy->family);
  info->article = g_strdup (strategy->article);
  info->module = g_strdup (path);
  info->jobs = strategy->jobs;
  info->caps = strategy->caps;
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      const OvOption *from = strategy->options[i];
      OvOptionInfo *option = ov_option_info_new ();

      option->kind = from->kind;
      option->name = g_strdup (from->name);
      option->title = g_strdup (from->title);
      option->help = g_strdup (from->help);
      option->minimum = from->minimum;
      option->maximum = from->maximum;
      option->standard = from->standard;
      option->choices = g_strdupv ((char **)from->choices);
      g_ptr_array_add (info->options, option);
    }
  if (strategy->source != NULL && strategy->source_end > strategy->source)
    {
      g_autofree char *source
          = g_strndup (strategy->source, (gsize)(strategy->source_end - strategy->source));

      info->source = g_utf8_make_valid (source, -1);
    }
  if (strategy->probe != NULL)
    {
      g_autoptr (OvHostContext) context = ov_host_context_new (NULL, NULL, -1);

      result = strategy->probe (ov_host_context_get_host (context), why, sizeof why);
    }
  info->available = result == 0;
  info->denied = result == -EPERM || result == -EACCES;
  if (result != 0)
    info->cause = why[0] != '\0' ? g_utf8_make_valid (why, -1) : g_strdup (g_strerror (-result));
  return info;
}
