/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An archive that Linux unpacks into memory when it starts ("newc" cpio, uncompressed:
 * Documentation/driver-api/early-userspace/buffer-format.rst of the kernel).  Folders are added
 * with what lies in them; what is added twice is kept once.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OvCpio OvCpio;

OvCpio *ov_cpio_new (void);
void ov_cpio_free (OvCpio *cpio);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvCpio, ov_cpio_free)

/** An empty folder.  `path` is absolute. */
void ov_cpio_add_folder (OvCpio *cpio, const char *path);

/** A file of these bytes.  `mode`: its permissions. */
void ov_cpio_add (OvCpio *cpio, const char *path, guint mode, const void *data, gsize bytes);

/** The file `from`, as `path`.  FALSE with an error of G_FILE_ERROR where it cannot be read. */
gboolean ov_cpio_add_file (OvCpio *cpio, const char *path, guint mode, const char *from,
                           GError **error);

/** Ends the archive, which takes nothing more then.  Borrowed, until it is freed. */
const GByteArray *ov_cpio_finish (OvCpio *cpio);

G_END_DECLS
