// SPDX-License-Identifier: GPL-3.0-or-later
/* The error domain, and errors made from errno. */
#include "config.h"

#include "base/ov-error.h"

#include <errno.h>
#include <stdarg.h>

/* Not by G_DEFINE_QUARK(), whose argument the formatter takes for a subtraction. */
GQuark
ov_error_quark (void)
{
  return g_quark_from_static_string ("ov-error-quark");
}

OvErrorCode
ov_error_code_from_errno (int err, OvErrorCode fallback)
{
  switch (err < 0 ? -err : err)
    {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ESRCH:
      return OV_ERROR_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
      return OV_ERROR_PERMISSION;
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
      return OV_ERROR_NO_SPACE;
    case EOPNOTSUPP:
    case ENOSYS:
    case ENOTTY:
      return OV_ERROR_UNSUPPORTED;
    case ECANCELED:
      return OV_ERROR_CANCELLED;
    case EBUSY:
    case EAGAIN:
    case ETXTBSY:
      return OV_ERROR_BUSY;
    default:
      return fallback;
    }
}

void
ov_set_error_errno (GError **error, OvErrorCode fallback, int err, const char *format, ...)
{
  int saved = errno;
  int positive = err < 0 ? -err : err;
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, OV_ERROR, (int)ov_error_code_from_errno (positive, fallback), "%s: %s", text,
               g_strerror (positive));
  errno = saved;
}
