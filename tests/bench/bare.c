/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of posix.pread without anything of Overlap around it: what accounting is compared with.
 *
 *     bare FILE SECONDS
 *
 * Reads random blocks of 4096 bytes from the page cache and prints requests a second.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define BLOCK 4096

static volatile sig_atomic_t over;

static void
on_alarm (int number)
{
  (void)number;
  over = 1;
}

static double
now (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

int
main (int argc, char **argv)
{
  const double seconds = argc == 3 ? strtod (argv[2], NULL) : 0;
  const int fd = argc == 3 ? open (argv[1], O_RDONLY | O_CLOEXEC) : -1;
  const struct itimerval timer
      = { .it_value
          = { (time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) } };
  OvTask task = { .block = BLOCK, .order = OV_ORDER_RANDOM, .seed = 12345 };
  OvPositions positions;
  struct stat st;
  unsigned long n = 0;
  void *buffer;
  double begin;

  if (fd < 0 || fstat (fd, &st) != 0 || seconds <= 0)
    {
      fprintf (stderr, "usage: bare FILE SECONDS\n");
      return 2;
    }
  /* A buffer as Overlap's: 2 MiB aligned, huge where the kernel gives one, touched. */
  if (posix_memalign (&buffer, 2 << 20, 2 << 20) != 0)
    return 1;
  madvise (buffer, 2 << 20, MADV_HUGEPAGE);
  memset (buffer, 1, 2 << 20);
  task.length = (uint64_t)st.st_size;
  ov_positions_init (&positions, &task);
  signal (SIGALRM, on_alarm);
  setitimer (ITIMER_REAL, &timer, NULL);
  begin = now ();
  while (!over)
    {
      if (pread (fd, buffer, BLOCK, (off_t)ov_position (&positions)) != BLOCK)
        {
          perror ("pread");
          return 1;
        }
      n++;
    }
  printf ("%.1f\n", (double)n / (now () - begin));
  return 0;
}
