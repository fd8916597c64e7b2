/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole files, read and written so that nothing waits and nothing is lost: only regular files are
 * touched, and a file that is replaced keeps its old content until the new one is on the disk.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The whole of a regular file, at most `limit` bytes, with a NUL behind it.  Folders, FIFOs and
 *  devices are refused without waiting for them.  Errors name the path and the system's reason.
 *  Free with g_free(). */
char *ov_file_read (const char *path, gsize limit, gsize *length, GError **error);

/** Writes beside the final name, brings the bytes to the disk and renames.  An existing file keeps
 *  its permissions, a symbolic link stays one.  On an error, which names the path and the system's
 *  reason, the old file is untouched and nothing is left beside it. */
gboolean ov_file_save (const char *path, const char *data, gsize length, GError **error);

/** A file that is being written in pieces in that way. */
typedef struct _OvFileSaver OvFileSaver;
OvFileSaver *ov_file_saver_new (const char *path, GError **error);
/** FALSE with an error: give up with ov_file_saver_free(). */
gboolean ov_file_saver_write (OvFileSaver *saver, const char *data, gsize length, GError **error);
/** Puts the file in its place; only ov_file_saver_free() may follow. */
gboolean ov_file_saver_finish (OvFileSaver *saver, GError **error);
/** Also removes what is beside the file when it was not finished. */
void ov_file_saver_free (OvFileSaver *saver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvFileSaver, ov_file_saver_free)

G_END_DECLS
