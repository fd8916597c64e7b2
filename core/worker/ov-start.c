/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signal masks, and signals that are ignored, pass through exec.
 */
#include "config.h"

#include "worker/ov-start.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

gboolean
ov_start_clean (void)
{
  sigset_t none;

  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      return FALSE;
  sigemptyset (&none);
  signal (SIGCHLD, SIG_DFL);
  signal (SIGXCPU, SIG_DFL);
  return sigprocmask (SIG_SETMASK, &none, NULL) == 0;
}
