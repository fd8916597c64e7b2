/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions keep images as /boot/vmlinuz-VERSION or as /lib/modules/VERSION/vmlinuz, and pack
 * modules or do not.  An image that only root may read is passed over, and named if there is no
 * other.
 */
#include "config.h"

#include "virtual/ov-kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/ov-error.h"

#define IMAGE "vmlinuz-"

void
ov_kernel_free (OvKernel *kernel)
{
  g_free (kernel->image);
  g_free (kernel->modules);
  g_free (kernel);
}

/** The kernel with this image, whose modules lie below `root`. */
static OvKernel *
kernel_new (const char *image, const char *root, const char *version)
{
  OvKernel *kernel = g_new0 (OvKernel, 1);

  kernel->image = g_strdup (image);
  for (guint i = 0; i < 2 && version != NULL; i++)
    {
      g_autofree char *folder
          = g_build_filename (root, i == 0 ? "lib" : "usr/lib", "modules", version, NULL);

      if (g_file_test (folder, G_FILE_TEST_IS_DIR))
        {
          kernel->modules = g_steal_pointer (&folder);
          break;
        }
    }
  return kernel;
}

/** The version in an image's name, or NULL.  Borrowed. */
static const char *
version_of (const char *image)
{
  const char *name = strrchr (image, '/');

  name = name != NULL ? name + 1 : image;
  return g_str_has_prefix (name, IMAGE) ? name + strlen (IMAGE) : NULL;
}

/** The kernel `version` below `root`, or NULL.  An image that is there and cannot be read is put
 *  into `closed`. */
static OvKernel *
kernel_of_version (const char *root, const char *version, char **closed)
{
  g_autofree char *name = g_strconcat (IMAGE, version, NULL);
  const char *const places[] = { "boot", "lib/modules", "usr/lib/modules" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *image = i == 0
                                   ? g_build_filename (root, places[i], name, NULL)
                                   : g_build_filename (root, places[i], version, "vmlinuz", NULL);

      if (access (image, R_OK) == 0)
        return kernel_new (image, root, version);
      if (errno == EACCES && *closed == NULL)
        *closed = g_strdup (image);
    }
  return NULL;
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  return strverscmp (*(const char *const *)b, *(const char *const *)a);
}

/** Any kernel in `root`/boot, the newest that can be read. */
static OvKernel *
kernel_in_boot (const char *root, char **closed)
{
  g_autofree char *boot = g_build_filename (root, "boot", NULL);
  g_autoptr (GPtrArray) versions = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (boot, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, IMAGE))
      g_ptr_array_add (versions, g_strdup (name + strlen (IMAGE)));
  g_ptr_array_sort (versions, newest_first);
  for (guint i = 0; i < versions->len; i++)
    {
      OvKernel *kernel = kernel_of_version (root, versions->pdata[i], closed);

      if (kernel != NULL)
        return kernel;
    }
  return NULL;
}

/** The kernel that OVERLAP_KERNEL names.  Its modules: beside it as a package has them, or the
 *  system's. */
static OvKernel *
kernel_told (const char *image, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (image);
  g_autofree char *root = g_path_get_dirname (folder);
  OvKernel *kernel;

  if (access (image, R_OK) != 0)
    {
      ov_set_error_errno (error, OV_ERROR_FAILED, errno, "%s (OVERLAP_KERNEL)", image);
      return NULL;
    }
  kernel = kernel_new (image, root, version_of (image));
  if (kernel->modules == NULL)
    {
      ov_kernel_free (kernel);
      kernel = kernel_new (image, "/", version_of (image));
    }
  return kernel;
}

OvKernel *
ov_kernel_find (GError **error)
{
  const char *told = g_getenv ("OVERLAP_KERNEL");
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), "overlap", "kernel", NULL);
  g_autofree char *closed = NULL;
  OvKernel *kernel;
  struct utsname name;

  if (told != NULL && told[0] != '\0')
    return kernel_told (told, error);
  kernel = kernel_in_boot (own, &closed);
  if (kernel == NULL && uname (&name) == 0)
    kernel = kernel_of_version ("/", name.release, &closed);
  if (kernel == NULL)
    kernel = kernel_in_boot ("/", &closed);
  if (kernel != NULL)
    return kernel;
  if (closed != NULL)
    g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION,
                 _ ("Only root may read the kernel's image %s. A copy that you may read does: "
                    "sudo install -D -m 644 -t %s/boot %s"),
                 closed, own, closed);
  else
    g_set_error (error, OV_ERROR, OV_ERROR_NOT_FOUND,
                 _ ("There is no kernel's image in /boot. On Debian the package "
                    "linux-image-amd64 brings one; unpacked into %s, without being installed, it "
                    "does as well. OVERLAP_KERNEL names another image."),
                 own);
  return NULL;
}

/** What the program unpacks of these bytes. */
static GBytes *
unpack (const char *program, GBytes *packed, GError **error)
{
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, program, "-dc", NULL);
  g_autoptr (GBytes) bytes = NULL;

  if (process == NULL || !g_subprocess_communicate (process, packed, NULL, &bytes, NULL, error)
      || !g_subprocess_wait_check (process, NULL, error))
    return NULL;
  return g_steal_pointer (&bytes);
}

static guint32
number_at (const guint8 *data, gsize at)
{
  guint32 value;

  memcpy (&value, data + at, sizeof value);
  return GUINT32_FROM_LE (value);
}

/** Whether the kernel has the entry that QEMU needs to start it unpacked: a note of Xen's with the
 *  type XEN_ELFNOTE_PHYS32_ENTRY (18). */
static gboolean
has_entry (const guint8 *data, gsize bytes)
{
  static const guint8 note[] = { 18, 0, 0, 0, 'X', 'e', 'n', 0 };

  return memmem (data, bytes, note, sizeof note) != NULL;
}

GBytes *
ov_kernel_unpacked (const OvKernel *kernel)
{
  static const struct
  {
    const char *magic;
    gsize length;
    const char *program;
    guint behind; /* bytes of the kernel's own behind the packed ones */
  } kinds[] = { { "\375"
                  "7zXZ",
                  5, "xz", 4 },
                { "\050\265\057\375", 4, "zstd", 4 },
                { "\037\213", 2, "gzip", 0 } };
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *image = NULL;
  const guint8 *data;
  gsize size, at, length;

  /* Documentation/arch/x86/boot.rst: "HdrS", the number of sectors before the kernel, and place
   * and size of the packed one in it. */
  if (!g_file_get_contents (kernel->image, &image, &size, NULL) || size < 0x250
      || memcmp (image + 0x202, "HdrS", 4) != 0)
    return NULL;
  data = (const guint8 *)image;
  at = ((gsize)data[0x1f1] + 1) * 512 + number_at (data, 0x248);
  length = number_at (data, 0x24c);
  if (at > size || length > size - at || length < 16)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && bytes == NULL; i++)
    if (memcmp (data + at, kinds[i].magic, kinds[i].length) == 0)
      {
        packed = g_bytes_new_static (data + at, length - kinds[i].behind);
        bytes = unpack (kinds[i].program, packed, NULL);
      }
  if (bytes == NULL || !has_entry (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)))
    return NULL;
  return g_steal_pointer (&bytes);
}

GBytes *
ov_kernel_module (const OvKernel *kernel, const char *name, GError **error)
{
  static const struct
  {
    const char *ending;
    const char *program;
  } kinds[] = { { "", NULL }, { ".xz", "xz" }, { ".zst", "zstd" }, { ".gz", "gzip" } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && kernel->modules != NULL; i++)
    {
      g_autofree char *file = g_strconcat (name, ".ko", kinds[i].ending, NULL);
      g_autofree char *path = g_build_filename (kernel->modules, "kernel", file, NULL);
      g_autoptr (GBytes) packed = NULL;
      char *data;
      gsize bytes;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      if (!g_file_get_contents (path, &data, &bytes, error))
        return NULL;
      packed = g_bytes_new_take (data, bytes);
      return kinds[i].program != NULL ? unpack (kinds[i].program, packed, error)
                                      : g_steal_pointer (&packed);
    }
  return NULL;
}
