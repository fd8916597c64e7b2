/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is written but, in a folder, one file without a name that is gone when we return.
 */
#include "config.h"

#include "worker/ov-target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "worker/ov-direct.h"

void
ov_mount_free (OvMount *mount)
{
  g_free (mount->mount_point);
  g_free (mount->fs_type);
  g_free (mount->source);
  g_free (mount->options);
  g_free (mount);
}

/** What the mount point says, then what the file system itself says besides, such as "compress".
 *  `more` may be NULL. */
static char *
join_options (const char *options, const char *more)
{
  g_auto (GStrv) known = g_strsplit (options, ",", -1);
  g_auto (GStrv) others = g_strsplit (more != NULL ? more : "", ",", -1);
  GString *all = g_string_new (options);

  for (guint i = 0; others[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *)known, others[i]))
      g_string_append_printf (all, ",%s", others[i]);
  return g_string_free (all, FALSE);
}

/** One line of mountinfo: id parent major:minor root mountpoint options fields… - type source
 *  superoptions, with octal escapes. */
static OvMount *
parse_mount (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const guint n = g_strv_length (words);
  guint dash = 6;
  OvMount *mount;

  while (dash < n && strcmp (words[dash], "-") != 0)
    dash++;
  if (n < 7 || dash + 3 >= n + 1 || dash + 2 >= n)
    return NULL;
  mount = g_new0 (OvMount, 1);
  mount->mount_point = g_strcompress (words[4]);
  mount->options = join_options (words[5], words[dash + 3]);
  mount->fs_type = g_strdup (words[dash + 1]);
  mount->source = g_strcompress (words[dash + 2]);
  if (sscanf (words[2], "%u:%u", &mount->major, &mount->minor) != 2)
    mount->major = mount->minor = 0;
  return mount;
}

static gboolean
is_below (const char *path, const char *mount_point)
{
  const gsize length = strlen (mount_point);

  if (strcmp (mount_point, "/") == 0)
    return TRUE;
  return strncmp (path, mount_point, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

OvMount *
ov_mount_of (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  OvMount *best = NULL;

  if (!g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      OvMount *mount = parse_mount (lines[i]);

      if (mount == NULL)
        continue;
      /* The later one of two on the same point lies over the earlier. */
      if (is_below (absolute, mount->mount_point)
          && (best == NULL || strlen (mount->mount_point) >= strlen (best->mount_point)))
        {
          g_clear_pointer (&best, ov_mount_free);
          best = mount;
        }
      else
        ov_mount_free (mount);
    }
  return best;
}

static char *
read_sys (const char *format, const char *device)
{
  g_autofree char *path = g_strdup_printf ("/sys/dev/block/%s/%s", device, format);
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return g_strstrip (text);
}

/** Model and kind of the disk under a file system; partitions ask their parent. */
static void
look_at_device (OvTargetInfo *info, dev_t dev)
{
  static const char *const folders[] = { "", "../" };
  g_autofree char *device = g_strdup_printf ("%u:%u", major (dev), minor (dev));

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *rotational_path = g_strconcat (folders[i], "queue/rotational", NULL);
      g_autofree char *model_path = g_strconcat (folders[i], "device/model", NULL);
      g_autofree char *rotational = read_sys (rotational_path, device);

      if (rotational != NULL && info->rotational < 0)
        info->rotational = rotational[0] == '1';
      if (info->device_model == NULL)
        info->device_model = read_sys (model_path, device);
    }
}

static void
look_at_mount (OvTargetInfo *info, const char *path)
{
  g_autofree char *real = realpath (path, NULL);
  g_autoptr (OvMount) mount = ov_mount_of (real != NULL ? real : path);

  if (mount == NULL)
    return;
  info->fs_type = g_steal_pointer (&mount->fs_type);
  info->mount_point = g_steal_pointer (&mount->mount_point);
  info->mount_options = g_steal_pointer (&mount->options);
  info->source = g_steal_pointer (&mount->source);
}

static void
refuse (OvTargetInfo *info, int error, const char *text)
{
  info->kind = OV_TARGET_REFUSED;
  g_free (info->cause);
  info->cause = error != 0 ? g_strdup_printf ("%s: %s: %s", info->path, text, g_strerror (error))
                           : g_strdup_printf ("%s: %s", info->path, text);
}

/** Does what is written to `fd`, a new file in the folder, come to lie elsewhere than it was, or
 *  take less room than it has bytes?  The file inherits the folder's own flags. */
static void
look_at_habits (OvTargetInfo *info, int fd)
{
  static const char *const copying[] = { "btrfs", "zfs", "bcachefs", "nilfs2", NULL };
  unsigned long flags = 0;

  /* The kernel writes an int, whatever the number's name says. */
  if (ioctl (fd, FS_IOC_GETFLAGS, &flags) != 0)
    flags = 0;
  info->copy_on_write = info->fs_type != NULL && g_strv_contains (copying, info->fs_type)
                        && (flags & FS_NOCOW_FL) == 0;
  info->compresses
      = (flags & FS_COMPR_FL) != 0
        || (info->mount_options != NULL && strstr (info->mount_options, "compress") != NULL
            && strstr (info->mount_options, "nocompress") == NULL)
        || (info->source != NULL && g_str_has_prefix (info->source, "/dev/zram"));
}

static void
look_at_folder (OvTargetInfo *info)
{
  g_autofree char *name = NULL;
  int fd = open (info->path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  info->kind = OV_TARGET_FOLDER;
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
    {
      name = g_build_filename (info->path, ".overlap-XXXXXX", NULL);
      fd = mkostemp (name, O_CLOEXEC);
      if (fd >= 0)
        unlink (name);
    }
  if (fd < 0)
    {
      refuse (info, errno, _ ("no file can be made here"));
      return;
    }
  info->writable = TRUE;
  info->residency_known = TRUE;
  info->memory = ov_is_memory_fs (fd);
  info->direct_align = info->memory ? 0 : ov_direct_align (fd);
  info->direct = info->direct_align > 0;
  look_at_habits (info, fd);
  close (fd);
}

static void
look_at_file (OvTargetInfo *info)
{
  struct stat st;
  int fd = ov_open_regular (info->path, O_RDONLY, &st);

  if (fd < 0)
    {
      refuse (info, -fd, _ ("the file cannot be opened"));
      return;
    }
  info->kind = OV_TARGET_FILE;
  info->size = (guint64)st.st_size;
  info->writable = FALSE;
  info->residency_known
      = st.st_uid == geteuid () || geteuid () == 0 || access (info->path, W_OK) == 0;
  info->memory = ov_is_memory_fs (fd);
  info->direct_align = info->memory ? 0 : ov_direct_align (fd);
  info->direct = info->direct_align > 0;
  close (fd);
}

OvTargetInfo *
ov_target_look (const char *path)
{
  OvTargetInfo *info = ov_target_info_new ();
  struct statvfs fs;
  struct stat st;

  info->path = g_strdup (path);
  info->rotational = -1;
  if (stat (path, &st) != 0)
    {
      refuse (info, errno, _ ("it cannot be used"));
      return info;
    }
  look_at_mount (info, path);
  look_at_device (info, st.st_dev);
  if (statvfs (path, &fs) == 0)
    {
      info->free_bytes = (guint64)fs.f_bavail * fs.f_frsize;
      info->total_bytes = (guint64)fs.f_blocks * fs.f_frsize;
    }
  if (S_ISDIR (st.st_mode))
    look_at_folder (info);
  else if (S_ISREG (st.st_mode))
    look_at_file (info);
  else
    {
      g_autofree char *text = g_strdup_printf (_ ("it is %s; a folder or a regular file is wanted"),
                                               ov_file_kind (st.st_mode));

      refuse (info, 0, text);
    }
  return info;
}

OvTargetInfo *
ov_target_look_at_machine (const char *path)
{
  OvTargetInfo *info = ov_target_info_new ();

  info->path = g_strdup (path);
  info->kind = OV_TARGET_MACHINE;
  return info;
}

OvTargetInfo *
ov_target_look_at_disk (const OvSimulated *disk)
{
  const char *folder = ov_simulated_wait (disk, NULL);
  OvTargetInfo *info = folder != NULL ? ov_target_look (folder) : ov_target_info_new ();

  if (folder == NULL)
    {
      info->kind = OV_TARGET_REFUSED;
      info->cause = ov_simulated_dup_cause (disk);
    }
  g_free (info->path);
  info->path = g_strdup (disk->target);
  info->simulated = ov_disk_describe (&disk->disk);
  info->rotational = disk->disk.seek_ns > 0;
  return info;
}
