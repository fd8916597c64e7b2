/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What direct I/O wants on a file, and how a file is opened safely.
 */
#pragma once

#include <sys/stat.h>

#include <glib.h>

G_BEGIN_DECLS

/** Opens a file for reading (or with O_RDWR in `flags`) that must be a regular one; checked after
 *  the opening, which a FIFO cannot block.  Reading leaves the time of access as it was (O_NOATIME)
 *  where the file is the user's.  Returns the descriptor or -errno; `st` is filled.
 *  -ENXIO: it is there, but no regular file (see st->st_mode). */
int ov_open_regular (const char *path, int flags, struct stat *st);

/** In what offset, length and address of direct I/O on this file must be multiples of, in bytes; 0
 *  when O_DIRECT is refused.  Asks STATX_DIOALIGN, else tries 512 bytes to 64K. */
guint32 ov_direct_align (int fd);

/** TRUE on a file system that lives in memory (tmpfs, ramfs), where O_DIRECT means nothing. */
gboolean ov_is_memory_fs (int fd);

/** Name of the kind of a file that is not regular, translated: "a folder", "a FIFO". */
const char *ov_file_kind (mode_t mode);

G_END_DECLS
