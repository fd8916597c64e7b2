/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls, in an order that matters: what needs root comes first, then the change of the user,
 * then the filter (ov-seccomp.c), which takes the way back.
 */
#include "config.h"

#include "worker/ov-privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/rtc.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-types.h"
#include "worker/ov-register.h"
#include "worker/ov-seccomp.h"
#include "worker/ov-trust.h"

#define BIT(capability) (1u << (capability))
#define PORTS           BIT (CAP_SYS_RAWIO)
#define REALTIME        BIT (CAP_SYS_NICE)
#define CLOCKS          (BIT (CAP_SYS_RESOURCE) | REALTIME)
#define CLOCK           "/dev/rtc0"

/** Which capabilities the strategies use whose names begin so; the first that fits counts, and
 *  others use none. */
static const struct
{
  const char *prefix;
  guint32 capabilities;
} uses[] = {
  { "port.", PORTS }, { "sample.port", PORTS }, { "tick.rtc", CLOCKS }, { "tick.", REALTIME }
};

/** What strategies open; each is opened as its only user may, and left out where it is not there.
 */
static struct
{
  const char *path; /* NULL: the memory of the device on the bus, if one is found */
  int flags;
  guint jobs; /* whose children keep it */
} devices[] = { { "/dev/null", O_RDWR, OV_HARDWARE_JOBS },
                { "/dev/port", O_RDWR, OV_JOB_PORT | OV_JOB_SAMPLES },
                { "/dev/parport0", O_RDWR, OV_JOB_PORT },
                { CLOCK, O_RDONLY, OV_JOB_TICKS },
                { "/dev/hpet", O_RDONLY, OV_JOB_PORT | OV_JOB_SAMPLES },
                { NULL, O_RDONLY, OV_JOB_PORT } };

static gboolean entered;
/** For each device 0 where it is open, else the errno that says why not. */
static int closed_devices[G_N_ELEMENTS (devices)];
/** The real-time clock's rate when it was opened; 0: not known. */
static unsigned long clock_rate;

/** A variable that changes what is loaded, or where from. */
static const char *
find_foreign_variable (char **environment)
{
  static const char *const prefixes[] = { "LD_",     "GCONV_",  "OVERLAP_", "GIO_",    "G_SLICE",
                                          "G_DEBUG", "MALLOC_", "GLIBC_",   "NLSPATH", "LOCPATH" };

  for (guint i = 0; environment[i] != NULL; i++)
    for (guint p = 0; p < G_N_ELEMENTS (prefixes); p++)
      if (g_str_has_prefix (environment[i], prefixes[p]))
        return environment[i];
  return NULL;
}

/** Only the language is kept, where it is a name and nothing else. */
static void
clear_environment (void)
{
  static const char *const kept[] = { "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES" };
  char *values[G_N_ELEMENTS (kept)];

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      const char *value = g_getenv (kept[i]);
      const gboolean plain
          = value != NULL && strlen (value) < 64
            && strspn (value, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.@:-") == strlen (value);

      values[i] = plain ? g_strdup (value) : NULL;
    }
  clearenv ();
  setenv ("PATH", "/usr/bin:/bin", 1);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      if (values[i] != NULL)
        setenv (kept[i], values[i], 1);
      g_free (values[i]);
    }
}

/** The user who asked: pkexec and sudo say so. */
static gboolean
find_caller (uid_t *uid, gid_t *gid, GError **error)
{
  const char *pkexec = g_getenv ("PKEXEC_UID"), *sudo = g_getenv ("SUDO_UID");
  const char *text = pkexec != NULL ? pkexec : sudo;
  const struct passwd *entry;
  guint64 value;

  /* One of them may be the caller's own invention. */
  if (text == NULL || (pkexec != NULL && sudo != NULL && strcmp (pkexec, sudo) != 0)
      || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &value, NULL))
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_PERMISSION,
                           _ ("It is started by pkexec or sudo, for a user other than root"));
      return FALSE;
    }
  *uid = (uid_t)value;
  entry = getpwuid (*uid);
  if (entry == NULL || entry->pw_gid == 0)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION,
                   _ ("User %s is not known, or of root's group"), text);
      return FALSE;
    }
  *gid = entry->pw_gid;
  return TRUE;
}

/** Is what runs, and what it will load, root's own? */
static gboolean
trust_program (GError **error)
{
  char path[PATH_MAX];
  const ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);

  if (n <= 0)
    {
      ov_set_error_errno (error, OV_ERROR_FAILED, errno, "/proc/self/exe");
      return FALSE;
    }
  path[n] = '\0';
  return ov_trust_path (path, error);
}

/** Nothing of what follows may type into the terminal of whoever started it. */
static void
leave_terminal (void)
{
  const int fd = open ("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

  if (fd < 0)
    return;
  ioctl (fd, TIOCNOTTY);
  close (fd);
}

/** Opens device `i`: a descriptor, or -1 with errno. */
static int
open_device (guint i)
{
  struct stat info;
  char *path = NULL;
  int fd;

  if (devices[i].path == NULL)
    {
      fd = ov_register_open (&path);
      devices[i].path = path; /* lives as long as the process */
      return fd;
    }
  fd = open (devices[i].path, devices[i].flags | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || (fstat (fd, &info) == 0 && S_ISCHR (info.st_mode)))
    return fd;
  close (fd);
  errno = ENODEV;
  return -1;
}

/** Standard descriptors stay, everything else is closed; then the devices get their places. */
static void
open_all_devices (void)
{
  syscall (SYS_close_range, 3u, ~0u, 0u);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      const int place = OV_PRIVILEGE_FIRST_FD + (int)i;
      const int fd = open_device (i);

      closed_devices[i] = fd >= 0 && dup3 (fd, place, O_CLOEXEC) == place ? 0 : errno;
      if (fd >= 0 && g_strcmp0 (devices[i].path, CLOCK) == 0
          && ioctl (fd, RTC_IRQP_READ, &clock_rate) != 0)
        clock_rate = 0;
      if (fd >= 0)
        close (fd);
    }
}

static int
set_capabilities (guint32 permitted, guint32 effective)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct data[2] = { { effective, permitted, 0 }, { 0, 0, 0 } };

  return (int)syscall (SYS_capset, &header, data);
}

static guint32
get_permitted (void)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

  return syscall (SYS_capget, &header, data) == 0 ? data[0].permitted : 0;
}

/** Becomes the caller's user for good: 0, or -1 with errno. */
static int
drop (uid_t uid, gid_t gid)
{
  /* In a container root itself may lack some. */
  const guint32 kept = (PORTS | CLOCKS) & get_permitted ();
  uid_t real, effective, saved;

  for (guint i = 0; i < 64; i++)
    if ((i >= 32 || (kept & BIT (i)) == 0) && prctl (PR_CAPBSET_READ, i, 0, 0, 0) == 1
        && prctl (PR_CAPBSET_DROP, i, 0, 0, 0) != 0)
      return -1;
  if (prctl (PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || setgroups (0, NULL) != 0
      || setresgid (gid, gid, gid) != 0 || setresuid (uid, uid, uid) != 0
      || set_capabilities (kept, 0) != 0 || prctl (PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0
      || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
    return -1;
  /* Seeing is believing. */
  if (getresuid (&real, &effective, &saved) != 0 || real != uid || effective != uid || saved != uid
      || setuid (0) == 0 || seteuid (0) == 0)
    {
      errno = EPERM;
      return -1;
    }
  umask (077);
  return chdir ("/");
}

gboolean
ov_privilege_enter (GError **error)
{
  const char *foreign = find_foreign_variable (environ);
  uid_t uid;
  gid_t gid;

  if (geteuid () != 0)
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_PERMISSION,
                           _ ("It is started as root, and gives that up itself"));
      return FALSE;
    }
  if (foreign != NULL)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION, _ ("The environment has “%.60s”"),
                   foreign);
      return FALSE;
    }
  if (!find_caller (&uid, &gid, error) || !trust_program (error))
    return FALSE;
  clear_environment ();
  leave_terminal ();
  open_all_devices ();
  if (drop (uid, gid) != 0)
    {
      ov_set_error_errno (error, OV_ERROR_PERMISSION, errno, _ ("Privilege cannot be given up"));
      return FALSE;
    }
  if (ov_seccomp_install () != 0)
    {
      ov_set_error_errno (error, OV_ERROR_UNSUPPORTED, errno,
                          _ ("The filter of system calls cannot be set"));
      return FALSE;
    }
  entered = TRUE;
  return TRUE;
}

gboolean
ov_privilege_is_entered (void)
{
  return entered;
}

/** Does the process hold this one of the devices? */
static gboolean
is_open (guint device)
{
  return entered && closed_devices[device] == 0;
}

static guint32
capabilities_of (const char *strategy)
{
  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    if (g_str_has_prefix (strategy, uses[i].prefix))
      return uses[i].capabilities;
  return 0;
}

void
ov_privilege_take (guint jobs, const char *strategy)
{
  guint32 wanted = 0;

  if (!entered)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (is_open (i) && (devices[i].jobs & jobs) == 0)
      {
        close (OV_PRIVILEGE_FIRST_FD + (int)i);
        closed_devices[i] = EACCES;
      }
  if (jobs != 0)
    wanted = strategy != NULL ? capabilities_of (strategy) : PORTS | CLOCKS;
  wanted &= get_permitted ();
  if (set_capabilities (wanted, wanted) != 0)
    _exit (1);
}

/** Sets the rate that it had: where that is a high one, as most clocks' own is, it takes a
 *  capability, for this call only. */
static void
set_clock_back (int fd)
{
  const guint32 permitted = get_permitted ();
  unsigned long rate = 0;

  if (clock_rate == 0 || (ioctl (fd, RTC_IRQP_READ, &rate) == 0 && rate == clock_rate))
    return;
  set_capabilities (permitted, permitted & BIT (CAP_SYS_RESOURCE));
  ioctl (fd, RTC_IRQP_SET, clock_rate);
  if (set_capabilities (permitted, 0) != 0)
    _exit (1);
}

void
ov_privilege_settle (void)
{
  /* The kernel switches them off where the clock is closed, and the session keeps it open; the rate
   * is never set back by it. */
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (is_open (i) && g_strcmp0 (devices[i].path, CLOCK) == 0)
      {
        ioctl (OV_PRIVILEGE_FIRST_FD + (int)i, RTC_PIE_OFF, 0);
        set_clock_back (OV_PRIVILEGE_FIRST_FD + (int)i);
      }
}

int
ov_privilege_device (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (g_strcmp0 (devices[i].path, path) == 0)
      {
        if (is_open (i))
          return fcntl (OV_PRIVILEGE_FIRST_FD + (int)i, F_DUPFD_CLOEXEC, 3);
        errno = closed_devices[i];
        return -1;
      }
  errno = ENOENT;
  return -1;
}

guint
ov_privilege_n_devices (void)
{
  return entered ? G_N_ELEMENTS (devices) : 0;
}
