/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmio.pci: a register of a device on the bus, read from the device itself.
 *
 * The kernel offers the memory of a PCI device as a file, which is mapped for reading.  Reading
 * some registers changes a device, so that there is a list of devices and registers of which the
 * standards say that they hold a constant, and nothing else is read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "registers.h"

OV_EMBED_SOURCE (pci_source);

#define DEVICES "/sys/bus/pci/devices"
#define BYTES   4096u

/* Vendor and device 0: any of the class. */
static const struct
{
  unsigned vendor;
  unsigned device;
  unsigned class;
  unsigned resource;
  unsigned offset;
  const char *name;
} known[] = {
  /* The version of the standard that each speaks: AHCI 1.3.1, 3.1.4; NVMe 1.4, 3.1.2;
     xHCI 1.2, 5.3. */
  { 0, 0, 0x010601, 5, 0x10, "AHCI" },
  { 0, 0, 0x010802, 0, 0x08, "NVMe" },
  { 0, 0, 0x0c0330, 0, 0x00, "xHCI" },
  /* QEMU's and Bochs' display: the id of its interface (docs/specs/standard-vga.rst). */
  { 0x1234, 0x1111, 0, 2, 0x500, "Bochs display" },
};

typedef struct
{
  Registers common;
  const volatile uint32_t *place;
  const char *name;
  char path[300]; /* of the resource file */
  unsigned offset;
} Pci;

/* A number that the kernel says about a device. */
static unsigned
number (const char *device, const char *what)
{
  char path[300];
  unsigned value = 0;
  FILE *file;

  snprintf (path, sizeof path, DEVICES "/%.200s/%s", device, what);
  file = fopen (path, "re");
  if (file == NULL)
    return 0;
  if (fscanf (file, "%x", &value) != 1)
    value = 0;
  fclose (file);
  return value;
}

/* The mapped page, or NULL with errno. */
static char *
map (const Pci *self, const OvHost *host)
{
  const int fd = ov_device (host, self->path, O_RDONLY | O_NOFOLLOW);
  void *memory;

  errno = -fd;
  if (fd < 0)
    return NULL;
  memory = mmap (NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
  close (fd);
  return memory != MAP_FAILED ? memory : NULL;
}

/* Can the device's memory be mapped?  0 or -errno. */
static int
try (Pci *self, const OvHost *host, const char *device, unsigned i)
{
  char *memory;

  snprintf (self->path, sizeof self->path, DEVICES "/%.200s/resource%u", device, known[i].resource);
  self->offset = known[i].offset;
  self->name = known[i].name;
  memory = map (self, host);
  if (memory == NULL)
    return -errno;
  munmap (memory, BYTES);
  return 0;
}

/* The first known device that can be mapped: 0, or why the last one could not be, or -ENODEV. */
static int
find (Pci *self, const OvHost *host)
{
  DIR *dir = opendir (DEVICES);
  int result = -ENODEV;

  while (dir != NULL && result != 0)
    {
      const struct dirent *entry = readdir (dir);

      if (entry == NULL)
        break;
      for (unsigned i = 0; i < sizeof known / sizeof *known && result != 0; i++)
        if (entry->d_name[0] != '.'
            && (known[i].class != 0 ? known[i].class == number (entry->d_name, "class")
                                    : known[i].vendor == number (entry->d_name, "vendor")
                                          && known[i].device == number (entry->d_name, "device")))
          result = try (self, host, entry->d_name, i);
    }
  if (dir != NULL)
    closedir (dir);
  return result;
}

static int
pci_probe (const OvHost *host, char *why, size_t why_size)
{
  Pci self = { .name = NULL };
  const int error = find (&self, host);

  if (error == -ENODEV)
    snprintf (why, why_size,
              OV_TR ("This machine has no PCI device of which a harmless register is known."));
  else if (error == -EACCES || error == -EPERM)
    snprintf (
        why, why_size,
        OV_TR ("Only root may map a device's memory (%s): \"sudo overlap-cli\" does, and gives up "
               "everything else; where the kernel is locked down nobody may."),
        self.path);
  else if (error != 0)
    snprintf (why, why_size,
              OV_TR ("The kernel keeps the memory of every known device for its driver (boot "
                     "parameter iomem=relaxed)."));
  return error;
}

static void
pci_release (void *state)
{
  Pci *self = state;

  free (self->common.ring);
  free (self);
}

static int
pci_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Pci *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = registers_init (&self->common, host, task);
  if (error == 0)
    error = find (self, host);
  if (error != 0)
    {
      pci_release (self);
      return error;
    }
  host->effective (host, "register", self->name);
  *state = self;
  return 0;
}

static inline uint64_t
read_place (const Registers *common)
{
  return *((const Pci *)common)->place;
}

static int
pci_run (void *state)
{
  Pci *self = state;
  char *memory = map (self, self->common.host);
  int result;

  if (memory == NULL)
    return -errno;
  self->place = (const volatile uint32_t *)(const void *)(memory + self->offset);
  result = registers_loop (&self->common, read_place);
  munmap (memory, BYTES);
  return result;
}

static int
pci_verify (void *state)
{
  const Pci *self = state;

  return registers_verify (&self->common, UINT32_MAX);
}

const OvStrategy mmio_pci = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "mmio.pci",
  .title = OV_TR ("PCI register, mapped"),
  .summary = OV_TR ("Maps the memory of a PCI device and reads a register that never changes: one "
                    "instruction, which waits for the bus and the device."),
  .family = "mmio",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = pci_probe,
  .prepare = pci_prepare,
  .run = pci_run,
  .release = pci_release,
  .source = pci_source,
  .source_end = pci_source_end,
  .verify = pci_verify,
};
