// SPDX-License-Identifier: GPL-3.0-or-later
/* Buffers: alignment, population, guards, and the page size that is claimed. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/ov-buffer-private.h"
#include "base/ov-buffer.h"

#define MIB ((gsize)1024 * 1024)

static void
test_form (void)
{
  static const gsize sizes[] = { 1, 4096, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 7 * MIB };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gsize page_size = 0;
      guint8 *buffer = ov_buffer_alloc (sizes[i], &page_size);

      g_assert_nonnull (buffer);
      g_assert_cmpuint ((gsize)buffer % OV_BUFFER_ALIGNMENT, ==, 0);
      g_assert_true (page_size == (gsize)sysconf (_SC_PAGESIZE)
                     || page_size == OV_BUFFER_ALIGNMENT);
      for (gsize k = 0; k < sizes[i]; k++)
        if (buffer[k] != 0)
          g_assert_cmpint (buffer[k], ==, 0);
      memset (buffer, 0x5a, sizes[i]);
      ov_buffer_free (buffer, sizes[i]);
    }
  ov_buffer_free (NULL, 4096);
}

static void
test_refused (void)
{
  errno = 0;
  g_assert_null (ov_buffer_alloc (0, NULL));
  g_assert_cmpint (errno, ==, EINVAL);
  errno = 0;
  g_assert_null (ov_buffer_alloc (G_MAXSIZE, NULL));
  g_assert_cmpint (errno, ==, ENOMEM);
  errno = 0;
  g_assert_null (ov_buffer_alloc (G_MAXSIZE / 4, NULL));
  g_assert_cmpint (errno, ==, ENOMEM);
}

static long
minor_faults (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

static void
test_populated (void)
{
  const gsize size = 8 * MIB;
  volatile char *buffer = ov_buffer_alloc (size, NULL);
  volatile char *lazy = g_malloc (size);
  long before = minor_faults (), touched, lazily;

  for (gsize i = 0; i < size; i += 4096)
    buffer[i] = 1;
  touched = minor_faults () - before;
  before = minor_faults ();
  for (gsize i = 0; i < size; i += 4096)
    lazy[i] = 1;
  lazily = minor_faults () - before;
  g_test_message ("%ld faults touching the buffer, %ld touching ordinary memory", touched, lazily);
  g_assert_cmpint (touched, <=, 2);
  g_free ((void *)lazy);
  ov_buffer_free ((void *)buffer, size);
}

/* Whether the kernel itself could read a byte there. */
static gboolean
is_readable (const char *address)
{
  int fds[2];
  gboolean readable;

  g_assert_cmpint (pipe (fds), ==, 0);
  readable = write (fds[1], address, 1) == 1;
  if (!readable)
    g_assert_cmpint (errno, ==, EFAULT);
  close (fds[0]);
  close (fds[1]);
  return readable;
}

static void
test_guards (void)
{
  const gsize size = 4 * MIB;
  char *buffer = ov_buffer_alloc (size, NULL);

  g_assert_nonnull (buffer);
  g_assert_true (is_readable (buffer));
  g_assert_true (is_readable (buffer + size - 1));
  g_assert_false (is_readable (buffer - 1));
  g_assert_false (is_readable (buffer + size));
  ov_buffer_free (buffer, size);
  /* All of it is gone, the guards too, which would otherwise use up the address space. */
  g_assert_false (is_readable (buffer));
}

/* The kernel may place the mapping anywhere: pages mapped in between move it through every distance
 * from a multiple of 2 MiB. */
static void
test_every_placement (void)
{
  const gsize page = (gsize)sysconf (_SC_PAGESIZE), size = OV_BUFFER_ALIGNMENT;
  const guint n = (guint)(size / page) + 3;
  g_autofree char **spacers = g_new (char *, n);

  for (guint i = 0; i < n; i++)
    {
      char *buffer;

      spacers[i] = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      g_assert_true (spacers[i] != MAP_FAILED);
      buffer = ov_buffer_alloc (size, NULL);
      g_assert_nonnull (buffer);
      g_assert_cmpuint ((gsize)buffer % OV_BUFFER_ALIGNMENT, ==, 0);
      g_assert_false (is_readable (buffer - 1));
      g_assert_false (is_readable (buffer + size));
      memset (buffer, 1, size);
      ov_buffer_free (buffer, size);
      /* What was mapped before is there still. */
      for (guint k = 0; k <= i; k++)
        spacers[k][0] = 1;
    }
  for (guint i = 0; i < n; i++)
    munmap (spacers[i], page);
}

static gsize
read_mapped_bytes (void)
{
  g_autofree char *text = NULL;
  gsize pages = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  pages = (gsize)g_ascii_strtoull (text, NULL, 10);
  return pages * (gsize)sysconf (_SC_PAGESIZE);
}

static void
test_nothing_left (void)
{
  gsize before;

  ov_buffer_free (ov_buffer_alloc (MIB, NULL), MIB);
  before = read_mapped_bytes ();
  /* 400 pages would be more than the slack below. */
  for (int i = 0; i < 400; i++)
    ov_buffer_free (ov_buffer_alloc (5, NULL), 5);
  g_assert_cmpuint (read_mapped_bytes (), <=, before + MIB);
}

/* The sum over all mappings, by another file than the one that the library reads. */
static gsize
read_huge_bytes (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL))
    return 0;
  line = strstr (text, "AnonHugePages:");
  return line != NULL ? (gsize)g_ascii_strtoull (line + strlen ("AnonHugePages:"), NULL, 10) * 1024
                      : 0;
}

static void
test_page_size (void)
{
  const gsize size = 6 * MIB;
  gsize before = read_huge_bytes (), total = 0, got;
  char *buffers[4];

  /* Neighbours do not answer for each other. */
  for (int i = 0; i < 4; i++)
    {
      gsize page_size = 0;

      buffers[i] = ov_buffer_alloc (size, &page_size);
      g_assert_nonnull (buffers[i]);
      if (page_size == OV_BUFFER_ALIGNMENT)
        total += size;
    }
  got = read_huge_bytes () - before;
  g_test_message ("claimed %" G_GSIZE_FORMAT ", the kernel says %" G_GSIZE_FORMAT, total, got);
  g_assert_cmpuint (got, >=, total);
  /* What was not claimed is less than a whole buffer each. */
  g_assert_cmpuint (got, <=, total + (4 - total / size) * (size - 1));
  for (int i = 0; i < 4; i++)
    ov_buffer_free (buffers[i], size);
}

/* Where there are no huge pages, none are claimed. */
static void
test_page_size_small (void)
{
  gsize page_size = 0;
  void *buffer;

  if (prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
    {
      g_test_skip ("this kernel cannot switch huge pages off for a process");
      return;
    }
  buffer = ov_buffer_alloc (4 * MIB, &page_size);
  g_assert_nonnull (buffer);
  g_assert_cmpuint (page_size, ==, (gsize)sysconf (_SC_PAGESIZE));
  ov_buffer_free (buffer, 4 * MIB);
  g_assert_cmpint (prctl (PR_SET_THP_DISABLE, 0, 0, 0, 0), ==, 0);
}

/* A huge page here and there is not enough: a request that crosses into an ordinary page is cut. */
static void
test_page_size_mixed (void)
{
  gsize page_size = 0;
  char *buffer = ov_buffer_alloc (4 * MIB, &page_size);
  gsize small = (gsize)sysconf (_SC_PAGESIZE);

  if (page_size == small)
    {
      ov_buffer_free (buffer, 4 * MIB);
      g_test_skip ("no huge pages were free");
      return;
    }
  g_assert_cmpuint (ov_buffer_read_page_size (buffer, 4 * MIB), ==, OV_BUFFER_ALIGNMENT);
  /* Giving one page back splits its huge page. */
  g_assert_cmpint (madvise (buffer, small, MADV_DONTNEED), ==, 0);
  g_assert_cmpuint (ov_buffer_read_page_size (buffer, 4 * MIB), ==, small);
  ov_buffer_free (buffer, 4 * MIB);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/buffer/form", test_form);
  g_test_add_func ("/buffer/refused", test_refused);
  g_test_add_func ("/buffer/populated", test_populated);
  g_test_add_func ("/buffer/guards", test_guards);
  g_test_add_func ("/buffer/every-placement", test_every_placement);
  g_test_add_func ("/buffer/nothing-left", test_nothing_left);
  g_test_add_func ("/buffer/page-size", test_page_size);
  g_test_add_func ("/buffer/page-size-small", test_page_size_small);
  g_test_add_func ("/buffer/page-size-mixed", test_page_size_mixed);
  return g_test_run ();
}
