/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each member is a header of thirteen numbers, eight hexadecimal digits each, its name and its
 * bytes, both padded to a multiple of four.
 */
#include "config.h"

#include "virtual/ov-cpio.h"

#include <string.h>
#include <sys/stat.h>

struct _OvCpio
{
  GByteArray *bytes;
  GHashTable *names; /* what is in it already */
  guint inode;
};

OvCpio *
ov_cpio_new (void)
{
  OvCpio *cpio = g_new0 (OvCpio, 1);

  cpio->bytes = g_byte_array_new ();
  cpio->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return cpio;
}

void
ov_cpio_free (OvCpio *cpio)
{
  g_byte_array_unref (cpio->bytes);
  g_hash_table_unref (cpio->names);
  g_free (cpio);
}

static void
pad (OvCpio *cpio)
{
  static const guint8 zeroes[4];

  g_byte_array_append (cpio->bytes, zeroes, (4 - cpio->bytes->len % 4) % 4);
}

static void
put (OvCpio *cpio, const char *name, guint mode, const void *data, gsize bytes)
{
  char header[111];

  g_snprintf (header, sizeof header, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
              ++cpio->inode, mode, 0, 0, S_ISDIR (mode) ? 2 : 1, 0, (guint)bytes, 0, 0, 0, 0,
              (guint)strlen (name) + 1, 0);
  g_byte_array_append (cpio->bytes, (const guint8 *)header, 110);
  g_byte_array_append (cpio->bytes, (const guint8 *)name, (guint)strlen (name) + 1);
  pad (cpio);
  g_byte_array_append (cpio->bytes, data, (guint)bytes);
  pad (cpio);
}

void
ov_cpio_add_folder (OvCpio *cpio, const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);

  g_return_if_fail (g_path_is_absolute (path));

  if (strcmp (path, "/") == 0 || !g_hash_table_add (cpio->names, g_strdup (path)))
    return;
  ov_cpio_add_folder (cpio, above);
  put (cpio, path + 1, S_IFDIR | 0755, "", 0);
}

void
ov_cpio_add (OvCpio *cpio, const char *path, guint mode, const void *data, gsize bytes)
{
  g_autofree char *above = g_path_get_dirname (path);

  g_return_if_fail (g_path_is_absolute (path) && bytes <= G_MAXINT32);

  if (!g_hash_table_add (cpio->names, g_strdup (path)))
    return;
  ov_cpio_add_folder (cpio, above);
  put (cpio, path + 1, S_IFREG | mode, data, bytes);
}

gboolean
ov_cpio_add_file (OvCpio *cpio, const char *path, guint mode, const char *from, GError **error)
{
  g_autofree char *data = NULL;
  gsize bytes;

  if (g_hash_table_contains (cpio->names, path))
    return TRUE;
  if (!g_file_get_contents (from, &data, &bytes, error))
    return FALSE;
  ov_cpio_add (cpio, path, mode, data, bytes);
  return TRUE;
}

const GByteArray *
ov_cpio_finish (OvCpio *cpio)
{
  put (cpio, "TRAILER!!!", 0, "", 0);
  return cpio->bytes;
}
