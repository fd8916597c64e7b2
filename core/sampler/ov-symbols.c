/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User addresses through libdw, which reads symbol tables of files on this machine only (what a
 * debuginfod server might know is not asked for), else through the dynamic linker.
 */
#include "config.h"

#include "sampler/ov-symbols.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#ifdef HAVE_LIBDW
#include <elfutils/libdwfl.h>
#endif

/** Functions of which the C library has several, and chooses one for this processor when it is
 *  loaded: the chosen ones are local to it, and have no name unless its debug symbols are
 *  installed. */
static const char *const chosen[]
    = { "memcpy", "memmove", "memset", "memchr", "memcmp", "rawmemchr", "strlen" };
/** No such function is longer. */
#define CHOSEN_BYTES 4096

static const char *
name_of_chosen (guint64 place)
{
  const char *best = NULL;
  guint64 nearest = CHOSEN_BYTES;

  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      const guint64 begin = (guint64)(gsize)dlsym (RTLD_DEFAULT, chosen[i]);

      if (begin != 0 && place >= begin && place - begin < nearest)
        {
          nearest = place - begin;
          best = chosen[i];
        }
    }
  return best;
}

static void
add_user (OvProfile *profile, guint64 place, const char *name, const char *file, guint64 samples)
{
  g_autofree char *module = g_path_get_basename (file != NULL ? file : "?");
  g_autofree char *valid = NULL;

  /* libdw puts the process's number into it, and profiles of several runs are summed up. */
  if (g_str_has_prefix (module, "[vdso"))
    {
      g_free (module);
      module = g_strdup ("[vdso]");
    }
  if (name == NULL)
    name = name_of_chosen (place);
  valid = g_utf8_make_valid (name != NULL ? name : _ ("(no name)"), -1);
  ov_profile_add (profile, valid, module, samples);
}

#ifdef HAVE_LIBDW

gboolean
ov_symbols_are_complete (void)
{
  return TRUE;
}

void
ov_symbols_resolve_user (GHashTable *places, OvProfile *profile)
{
  static const Dwfl_Callbacks callbacks
      = { .find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo };
  Dwfl *dwfl;
  GHashTableIter iter;
  gpointer place;
  gpointer samples;

  if (g_hash_table_size (places) == 0)
    return;
  unsetenv ("DEBUGINFOD_URLS");
  dwfl = dwfl_begin (&callbacks);
  if (dwfl != NULL && dwfl_linux_proc_report (dwfl, getpid ()) == 0)
    dwfl_report_end (dwfl, NULL, NULL);
  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &place, &samples))
    {
      const guint64 at = *(const guint64 *)place;
      Dwfl_Module *module = dwfl != NULL ? dwfl_addrmodule (dwfl, at) : NULL;
      const char *file = module != NULL
                             ? dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
                             : NULL;
      GElf_Sym symbol;
      GElf_Off offset = 0;
      const char *name = module != NULL
                             ? dwfl_module_addrinfo (module, at, &offset, &symbol, NULL, NULL, NULL)
                             : NULL;

      /* A name without a size reaches as far as nothing else is known: too far to be believed. */
      if (name != NULL && symbol.st_size == 0 && offset > CHOSEN_BYTES)
        name = NULL;
      add_user (profile, at, name, file, *(const guint64 *)samples);
    }
  if (dwfl != NULL)
    dwfl_end (dwfl);
}

#else

gboolean
ov_symbols_are_complete (void)
{
  return FALSE;
}

void
ov_symbols_resolve_user (GHashTable *places, OvProfile *profile)
{
  GHashTableIter iter;
  gpointer place;
  gpointer samples;

  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &place, &samples))
    {
      const guint64 at = *(const guint64 *)place;
      Dl_info info = { 0 };
      const gboolean found = dladdr ((const void *)(gsize)at, &info) != 0;

      add_user (profile, at, found ? info.dli_sname : NULL, found ? info.dli_fname : NULL,
                *(const guint64 *)samples);
    }
}

#endif

/* ---- The kernel --------------------------------------------------------------------------- */

typedef struct
{
  guint64 begin;
  const char *name; /**< ends at a blank, a tab or the line's end */
} KernelSymbol;

static int
compare_symbols (gconstpointer a, gconstpointer b)
{
  const KernelSymbol *x = a;
  const KernelSymbol *y = b;

  return (x->begin > y->begin) - (x->begin < y->begin);
}

/** The functions of /proc/kallsyms in order, or none where their addresses are hidden.  Cuts
 * `text`, which the names stay in, into lines: it has some 10 MB, too much to be one string. */
static GArray *
read_kallsyms (char *text, gsize length)
{
  const char *text_end = text != NULL ? text + length : NULL;
  GArray *symbols = g_array_new (FALSE, FALSE, sizeof (KernelSymbol));

  for (char *line = text; line != NULL && line < text_end;)
    {
      char *next = memchr (line, '\n', (gsize)(text_end - line));
      char *end;
      KernelSymbol symbol = { 0 };

      if (next != NULL)
        *next = '\0';
      symbol.begin = g_ascii_strtoull (line, &end, 16);
      if (symbol.begin != 0 && end[0] == ' ' && end[1] != '\0' && strchr ("tTwW", end[1]) != NULL
          && end[2] == ' ')
        {
          symbol.name = end + 3;
          g_array_append_val (symbols, symbol);
        }
      line = next != NULL ? next + 1 : NULL;
    }
  g_array_sort (symbols, compare_symbols);
  return symbols;
}

static const KernelSymbol *
find_symbol (const GArray *symbols, guint64 place)
{
  guint lo = 0;
  guint hi = symbols->len;

  while (lo < hi)
    {
      const guint middle = lo + (hi - lo) / 2;

      if (g_array_index (symbols, KernelSymbol, middle).begin <= place)
        lo = middle + 1;
      else
        hi = middle;
    }
  return lo > 0 ? &g_array_index (symbols, KernelSymbol, lo - 1) : NULL;
}

/** "name\t[module]" */
static void
add_kernel (OvProfile *profile, const KernelSymbol *symbol, guint64 samples)
{
  const gsize length = symbol != NULL ? strcspn (symbol->name, " \t") : 0;
  g_autofree char *name
      = symbol != NULL ? g_strndup (symbol->name, length) : g_strdup (_ ("(no name)"));
  g_autofree char *module = NULL;

  if (symbol != NULL && symbol->name[length] == '\t' && symbol->name[length + 1] == '[')
    module = g_strndup (symbol->name + length + 2, strcspn (symbol->name + length + 2, "]"));
  ov_profile_add (profile, name, module != NULL ? module : "kernel", samples);
}

gboolean
ov_symbols_resolve_kernel (GHashTable *places, OvProfile *profile)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  g_autoptr (GArray) symbols = NULL;
  GHashTableIter iter;
  gpointer place;
  gpointer samples;

  if (g_hash_table_size (places) == 0)
    return TRUE;
  g_file_get_contents ("/proc/kallsyms", &text, &length, NULL);
  symbols = read_kallsyms (text, length);
  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &place, &samples))
    add_kernel (profile, find_symbol (symbols, *(const guint64 *)place), *(const guint64 *)samples);
  return symbols->len > 0;
}
