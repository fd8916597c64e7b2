// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Files for strategies to read, with contents that each bring out another fault.
 *
 * A file is made when it is first asked for. It has no name and so leaves nothing behind, whatever
 * becomes of the test: its path leads to a descriptor of this process.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OV_K ((guint64)1024)
#define OV_M (OV_K * OV_K)

typedef enum
{
  OV_CONTENT_TEXT,    /* printable lines of at most 80 bytes */
  OV_CONTENT_BINARY,  /* random bytes of all values */
  OV_CONTENT_NONE,    /* no letter at all */
  OV_CONTENT_ONLY,    /* nothing but the letter, and so a single line */
  OV_CONTENT_BORDERS, /* the letter at both sides of every multiple of 512 */
  OV_CONTENT_LINES, /* empty lines, lines around 4096 bytes, bytes of value 0, no newline at the end
                     */
  OV_CONTENT_N
} OvTestContent;

typedef struct
{
  int fd;
  char *path;
  char *bytes; /* what is in it; NULL for the large file */
  guint64 size;
} OvTestFile;

void ov_test_files_begin (void);
void ov_test_files_end (void);

/* An empty file without a name: its descriptor, to be closed, and its path, to be freed. */
int ov_test_file_create (char **path);

/* The smallest alignment with which a direct read works on such a file: 512 or 4096; 0: none. */
guint ov_test_files_direct_align (void);

/* The file of `size` bytes of `content`. The letter is 'A'. Owned by the module. */
const OvTestFile *ov_test_file (OvTestContent content, guint64 size);

#define OV_LARGE_SIZE (4 * OV_M * OV_K + OV_M + 123)

/* A file of over 4 GiB, nearly all of it a hole, with a letter at each of eight places where 32
 * bits could go wrong; four of them in the last 1.3 MiB. */
const OvTestFile *ov_test_large_file (void);

G_END_DECLS
