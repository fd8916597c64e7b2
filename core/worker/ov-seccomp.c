/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of the kernel's packet filter, which is asked at each system call (seccomp(2)).  Calls
 * that are allowed whatever their arguments are remembered by the kernel (since Linux 5.11), so
 * that what is measured, such as pread() of /dev/port, is not asked about each time.
 */
#include "config.h"

#include "worker/ov-seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define ALLOW  BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/** Whatever their arguments. */
static const int allowed[] = {
#ifdef __x86_64__
  /* those that other processors do not have */
  SYS_access,
  SYS_arch_prctl,
  SYS_dup2,
  SYS_epoll_create,
  SYS_epoll_wait,
  SYS_fork,
  SYS_vfork,
  SYS_getpgrp,
  SYS_gettimeofday,
  SYS_lstat,
  SYS_pipe,
  SYS_poll,
  SYS_readlink,
  SYS_select,
  SYS_stat,
  SYS_time,
  SYS_alarm,
  SYS_pause,
#endif
  SYS_brk,
  SYS_capget,
  SYS_capset,
  SYS_clock_getres,
  SYS_clock_gettime,
  SYS_clock_nanosleep,
  SYS_close,
  SYS_close_range,
  SYS_dup,
  SYS_dup3,
  SYS_epoll_create1,
  SYS_epoll_ctl,
  SYS_epoll_pwait,
  SYS_eventfd2,
  SYS_exit,
  SYS_exit_group,
  SYS_faccessat,
  SYS_fadvise64,
  SYS_fcntl,
  SYS_fstat,
  SYS_fstatfs,
  SYS_ftruncate,
  SYS_futex,
  SYS_getcwd,
  SYS_getdents64,
  SYS_getegid,
  SYS_geteuid,
  SYS_getgid,
  SYS_getitimer,
  SYS_getpgid,
  SYS_getpid,
  SYS_getppid,
  SYS_getpriority,
  SYS_getrandom,
  SYS_getresgid,
  SYS_getresuid,
  SYS_getrlimit,
  SYS_getrusage,
  SYS_getsid,
  SYS_gettid,
  SYS_getuid,
  SYS_ioctl,
  SYS_kill,
  SYS_lseek,
  SYS_madvise,
  SYS_membarrier,
  SYS_memfd_create,
  SYS_mincore,
  SYS_mlock,
  SYS_mlock2,
  SYS_mmap,
  SYS_mprotect,
  SYS_mremap,
  SYS_munlock,
  SYS_munmap,
  SYS_nanosleep,
  SYS_newfstatat,
  SYS_perf_event_open,
  SYS_pidfd_open,
  SYS_pidfd_send_signal,
  SYS_pipe2,
  SYS_ppoll,
  SYS_prctl,
  SYS_pread64,
  SYS_prlimit64,
  SYS_pselect6,
  SYS_pwrite64,
  SYS_read,
  SYS_readlinkat,
  SYS_readv,
  SYS_restart_syscall,
  SYS_rseq,
  SYS_rt_sigaction,
  SYS_rt_sigpending,
  SYS_rt_sigprocmask,
  SYS_rt_sigreturn,
  SYS_rt_sigsuspend,
  SYS_rt_sigtimedwait,
  SYS_sched_get_priority_max,
  SYS_sched_get_priority_min,
  SYS_sched_getaffinity,
  SYS_sched_getattr,
  SYS_sched_getparam,
  SYS_sched_getscheduler,
  SYS_sched_setaffinity,
  SYS_sched_setattr,
  SYS_sched_setscheduler,
  SYS_sched_yield,
  SYS_set_robust_list,
  SYS_set_tid_address,
  SYS_setitimer,
  SYS_setpgid,
  SYS_setrlimit,
  SYS_sigaltstack,
  SYS_statfs,
  SYS_statx,
  SYS_sysinfo,
  SYS_tgkill,
  SYS_timer_create,
  SYS_timer_delete,
  SYS_timer_getoverrun,
  SYS_timer_gettime,
  SYS_timer_settime,
  SYS_timerfd_create,
  SYS_timerfd_gettime,
  SYS_timerfd_settime,
  SYS_times,
  SYS_uname,
  SYS_wait4,
  SYS_waitid,
  SYS_write,
  SYS_writev,
};

static void
put (GArray *program, struct sock_filter instruction)
{
  g_array_append_val (program, instruction);
}

/** The lower half of argument `n` becomes what is looked at. */
static void
load_argument (GArray *program, guint n)
{
  put (program, (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                              (guint)(offsetof (struct seccomp_data, args) + 8 * n
                                                      + (G_BYTE_ORDER == G_BIG_ENDIAN ? 4 : 0))));
}

/** Puts `rules`, which must end in a verdict, behind "is it this call". */
static void
put_rules (GArray *program, int call, const GArray *rules)
{
  /* A jump of a condition reaches 255 instructions. */
  g_assert (rules->len < 256);
  put (program, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (guint)call, 0,
                                              (guint8)rules->len));
  g_array_append_vals (program, rules->data, rules->len);
}

/** `call`, unless argument `n` has one of `bits`. */
static void
allow_without (GArray *program, int call, guint n, guint bits)
{
  g_autoptr (GArray) rules = g_array_new (FALSE, FALSE, sizeof (struct sock_filter));

  load_argument (rules, n);
  put (rules, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  put (rules, (struct sock_filter)REFUSE);
  put (rules, (struct sock_filter)ALLOW);
  put_rules (program, call, rules);
}

#ifdef SYS_ioperm
/** ioperm() of the harmless ports alone, one or two at a time; iopl() as it is, since a level has
 * no ports: it needs the capability of port jobs. */
static void
allow_ports (GArray *program)
{
  static const guint ports[][2]
      = { { 0x80, 1 }, { 0x378, 1 }, { 0x379, 1 }, { 0x37a, 1 }, { 0x378, 2 }, { 0x379, 2 } };
  g_autoptr (GArray) rules = g_array_new (FALSE, FALSE, sizeof (struct sock_filter));

  for (guint i = 0; i < G_N_ELEMENTS (ports); i++)
    {
      load_argument (rules, 0);
      put (rules, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ports[i][0], 0, 3));
      load_argument (rules, 1);
      put (rules, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ports[i][1], 0, 1));
      put (rules, (struct sock_filter)ALLOW);
    }
  put (rules, (struct sock_filter)REFUSE);
  put_rules (program, SYS_ioperm, rules);
  put (program, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_iopl, 0, 1));
  put (program, (struct sock_filter)ALLOW);
}
#endif

int
ov_seccomp_install (void)
{
  const guint writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  const guint spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
                       | CLONE_NEWPID | CLONE_NEWNET;
  g_autoptr (GArray) program = g_array_new (FALSE, FALSE, sizeof (struct sock_filter));
  struct sock_fprog filter;

  put (program, (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                              offsetof (struct seccomp_data, arch)));
  put (program, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  put (program, (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  put (program,
       (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)));
  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    {
      put (program,
           (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (guint)allowed[i], 0, 1));
      put (program, (struct sock_filter)ALLOW);
    }
#ifdef SYS_open
  allow_without (program, SYS_open, 1, writing);
#endif
  allow_without (program, SYS_openat, 2, writing);
  allow_without (program, SYS_clone, 0, spaces);
#ifdef SYS_ioperm
  allow_ports (program);
#endif
  /* Its arguments lie in memory, where they cannot be looked at; the C library then takes clone().
   */
  put (program, (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
  put (program, (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  put (program, (struct sock_filter)REFUSE);
  filter.len = (unsigned short)program->len;
  filter.filter = (struct sock_filter *)(gpointer)program->data;
  return (int)syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

#else

int
ov_seccomp_install (void)
{
  errno = ENOSYS;
  return -1;
}

#endif
