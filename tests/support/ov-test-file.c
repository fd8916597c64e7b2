// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Files for strategies to read: see ov-test-file.h.
 */
#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/ov-random.h"

#include "ov-test-file.h"

static GHashTable *files; /* name -> OvTestFile */
static guint direct_align;
static OvTestFile large; /* made when it is first asked for */

static void
fill_lines (char *bytes, guint64 size)
{
  static const guint lengths[] = { 0, 1, 0, 0, 2, 79, 4093, 4094, 4095, 4096, 4097, 8190, 8191, 3 };
  guint64 at = 0;

  for (guint i = 0; at < size; i++)
    {
      for (guint j = 0; j < lengths[i % G_N_ELEMENTS (lengths)] && at < size; j++)
        bytes[at++] = j % 7 == 3 ? '\0' : j % 5 == 0 ? 'A' : ' ';
      if (at + 1 < size)
        bytes[at++] = '\n';
      else if (at < size)
        bytes[at++] = 'A';
    }
}

static void
fill (char *bytes, guint64 size, OvTestContent content)
{
  OvRandom random;

  switch (content)
    {
    case OV_CONTENT_TEXT:
      ov_text_fill (bytes, 0, size, 7, 'A', 0.02);
      break;
    case OV_CONTENT_BINARY:
      ov_random_init (&random, 11);
      for (guint64 i = 0; i < size; i++)
        bytes[i] = (char)ov_random_next (&random);
      break;
    case OV_CONTENT_NONE:
      for (guint64 i = 0; i < size; i++)
        bytes[i] = i % 61 == 60 ? '\n' : 'b';
      break;
    case OV_CONTENT_ONLY:
      memset (bytes, 'A', size);
      break;
    case OV_CONTENT_BORDERS:
      for (guint64 i = 0; i < size; i++)
        bytes[i] = i % 512 == 0 || i % 512 == 511 ? 'A' : i % 512 == 100 ? '\n' : '.';
      break;
    case OV_CONTENT_LINES:
      fill_lines (bytes, size);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
file_free (gpointer data)
{
  OvTestFile *file = data;

  close (file->fd);
  g_free (file->path);
  g_free (file->bytes);
  g_free (file);
}

int
ov_test_file_create (char **path)
{
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("overlap-strategies-XXXXXX", &name, &error);

  g_assert_no_error (error);
  g_assert_cmpint (unlink (name), ==, 0);
  *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  return fd;
}

static void
write_all (int fd, const char *bytes, guint64 size)
{
  guint64 done = 0;

  while (done < size)
    {
      ssize_t n = write (fd, bytes + done, size - done);

      g_assert_cmpint (n, >, 0);
      done += (guint64)n;
    }
}

const OvTestFile *
ov_test_file (OvTestContent content, guint64 size)
{
  g_autofree char *name = g_strdup_printf ("%d-%" G_GUINT64_FORMAT, (int)content, size);
  OvTestFile *file = g_hash_table_lookup (files, name);

  if (file != NULL)
    return file;
  file = g_new0 (OvTestFile, 1);
  file->fd = ov_test_file_create (&file->path);
  file->bytes = g_malloc (size + 1);
  file->size = size;
  fill (file->bytes, size, content);
  write_all (file->fd, file->bytes, size);
  g_hash_table_insert (files, g_steal_pointer (&name), file);
  return file;
}

static guint
find_direct_align (void)
{
  const OvTestFile *file = ov_test_file (OV_CONTENT_TEXT, OV_M);
  g_autofree char *memory = g_malloc (16384);
  char *aligned = (char *)(((uintptr_t)memory + 4095) / 4096 * 4096);
  int fd = open (file->path, O_RDONLY | O_CLOEXEC | O_DIRECT);
  guint align = 0;

  if (fd < 0)
    return 0;
  if (pread (fd, aligned, 512, 512) == 512)
    align = 512;
  else if (pread (fd, aligned, 4096, 4096) == 4096)
    align = 4096;
  close (fd);
  return align;
}

const OvTestFile *
ov_test_large_file (void)
{
  static const guint64 letters[] = { 0,
                                     2 * OV_M * OV_K - 4096,
                                     2 * OV_M * OV_K - 1,
                                     2 * OV_M * OV_K,
                                     4 * OV_M * OV_K - 1,
                                     4 * OV_M * OV_K,
                                     4 * OV_M * OV_K + 5,
                                     OV_LARGE_SIZE - 1 };

  if (large.path != NULL)
    return &large;
  large.fd = ov_test_file_create (&large.path);
  large.size = OV_LARGE_SIZE;
  g_assert_cmpint (ftruncate (large.fd, (off_t)large.size), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    g_assert_cmpint (pwrite (large.fd, "A", 1, (off_t)letters[i]), ==, 1);
  return &large;
}

void
ov_test_files_begin (void)
{
  files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, file_free);
  direct_align = find_direct_align ();
}

void
ov_test_files_end (void)
{
  g_hash_table_unref (files);
  if (large.path == NULL)
    return;
  close (large.fd);
  g_clear_pointer (&large.path, g_free);
}

guint
ov_test_files_direct_align (void)
{
  return direct_align;
}
