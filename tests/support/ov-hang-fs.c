/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A FUSE file system for tests: one file, "d", of 64 MiB of the letter 'e', each read taking 2 ms.
 * Stopped by SIGSTOP it hangs all who use it, as a dead server does.
 */
#define FUSE_USE_VERSION 31

#include <errno.h>
#include <fuse3/fuse.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (64 << 20)

static int
get_attributes (const char *path, struct stat *st, struct fuse_file_info *info)
{
  (void)info;
  memset (st, 0, sizeof *st);
  st->st_uid = getuid ();
  st->st_nlink = 1;
  if (strcmp (path, "/") == 0)
    st->st_mode = S_IFDIR | 0755;
  else if (strcmp (path, "/d") == 0)
    {
      st->st_mode = S_IFREG | 0644;
      st->st_size = SIZE;
    }
  else
    return -ENOENT;
  return 0;
}

static int
read_bytes (const char *path, char *buffer, size_t bytes, off_t offset, struct fuse_file_info *info)
{
  (void)path;
  (void)info;
  if (offset >= SIZE)
    return 0;
  if (bytes > (size_t)(SIZE - offset))
    bytes = (size_t)(SIZE - offset);
  usleep (2000);
  memset (buffer, 'e', bytes);
  return (int)bytes;
}

static const struct fuse_operations operations = { .getattr = get_attributes, .read = read_bytes };

int
main (int argc, char **argv)
{
  return fuse_main (argc, argv, &operations, NULL);
}
