// SPDX-License-Identifier: GPL-3.0-or-later
#include "ov-test-child.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 77

void
ov_test_child_cannot (void)
{
  _exit (CANNOT);
}

char *
ov_test_in_child (void (*function) (gconstpointer data, int fd), gconstpointer data)
{
  GString *said = g_string_new (NULL);
  char text[512];
  int ends[2], status;
  pid_t child;
  ssize_t n;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      function (data, ends[1]);
      _exit (0);
    }
  close (ends[1]);
  while ((n = read (ends[0], text, sizeof text)) > 0)
    g_string_append_len (said, text, n);
  close (ends[0]);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == CANNOT)
    {
      g_test_skip ("filters of system calls (seccomp), limits or ids cannot be set here");
      return g_string_free (said, TRUE), NULL;
    }
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  return g_string_free (said, FALSE);
}

void
ov_test_forbid (guint call, int argument, guint value, guint error)
{
  const guint arg = offsetof (struct seccomp_data, args) + 8 * (guint)MAX (argument, 0);
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4),
    BPF_JUMP (BPF_JMP | BPF_JA, argument < 0 ? 2 : 0, 0, 0),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, arg),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA)),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    ov_test_child_cannot ();
}
