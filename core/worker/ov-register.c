/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel offers the memory of a PCI device as a file that only root may open.  What is opened
 * is decided here, by class or name; which of its registers is read is the strategy's
 * (plugins/mmio/pci.c).
 */
#include "config.h"

#include "worker/ov-register.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEVICES "/sys/bus/pci/devices"
#define PAGE    4096

/** The devices of which standards say that a register never changes and is read without harm.  A
 *  vendor of 0: any of the class. */
static const struct
{
  guint64 vendor;
  guint64 device;
  guint64 class;
  guint resource;
} harmless[] = {
  { 0, 0, 0x010601, 5 },    /* AHCI */
  { 0, 0, 0x010802, 0 },    /* NVMe */
  { 0, 0, 0x0c0330, 0 },    /* xHCI */
  { 0x1234, 0x1111, 0, 2 }, /* QEMU's and Bochs' display */
};

static guint64
number (const char *device, const char *what)
{
  g_autofree char *path = g_build_filename (DEVICES, device, what, NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_ascii_strtoull (text, NULL, 16) : 0;
}

static gboolean
is (const char *device, guint i)
{
  if (harmless[i].vendor == 0)
    return number (device, "class") == harmless[i].class;
  return number (device, "vendor") == harmless[i].vendor
         && number (device, "device") == harmless[i].device;
}

/** The kernel may keep it for the device's driver: FALSE with errno. */
static gboolean
can_map (int fd)
{
  void *memory = mmap (NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

  return memory != MAP_FAILED && munmap (memory, PAGE) == 0;
}

int
ov_register_open (char **path)
{
  g_autoptr (GDir) dir = g_dir_open (DEVICES, 0, NULL);
  const char *name;
  int error = ENODEV;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
      {
        g_autofree char *file = NULL;
        int fd;

        if (!is (name, i))
          continue;
        file = g_strdup_printf (DEVICES "/%s/resource%u", name, harmless[i].resource);
        fd = open (file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && can_map (fd))
          {
            *path = g_steal_pointer (&file);
            return fd;
          }
        error = errno;
        if (fd >= 0)
          close (fd);
      }
  errno = error;
  return -1;
}
