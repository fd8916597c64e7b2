// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors made from errno. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "base/ov-error.h"

static void
test_codes (void)
{
  static const struct
  {
    int err;
    OvErrorCode code;
  } rows[] = {
    { ENOENT, OV_ERROR_NOT_FOUND },
    { EACCES, OV_ERROR_PERMISSION },
    { EPERM, OV_ERROR_PERMISSION },
    { EROFS, OV_ERROR_PERMISSION },
    { ENOSPC, OV_ERROR_NO_SPACE },
    { EDQUOT, OV_ERROR_NO_SPACE },
    { ENOMEM, OV_ERROR_NO_SPACE },
    { EOPNOTSUPP, OV_ERROR_UNSUPPORTED },
    { ENOSYS, OV_ERROR_UNSUPPORTED },
    { ECANCELED, OV_ERROR_CANCELLED },
    { EBUSY, OV_ERROR_BUSY },
    { EAGAIN, OV_ERROR_BUSY },
    { EIO, OV_ERROR_FAILED /* fallback */ },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpint (ov_error_code_from_errno (rows[i].err, OV_ERROR_FAILED), ==, rows[i].code);
      g_assert_cmpint (ov_error_code_from_errno (-rows[i].err, OV_ERROR_FAILED), ==, rows[i].code);
    }
  g_assert_cmpint (ov_error_code_from_errno (EIO, OV_ERROR_WORKER), ==, OV_ERROR_WORKER);
}

static void
test_text (void)
{
  g_autoptr (GError) error = NULL, negative = NULL;
  g_autofree char *expected = g_strconcat ("cannot open “a 7”: ", strerror (ENOENT), NULL);

  errno = EINTR;
  ov_set_error_errno (&error, OV_ERROR_FAILED, ENOENT, "cannot open “%s %d”", "a", 7);
  g_assert_cmpint (errno, ==, EINTR);
  g_assert_error (error, OV_ERROR, OV_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, expected);

  ov_set_error_errno (&negative, OV_ERROR_FAILED, -ENOENT, "cannot open “%s %d”", "a", 7);
  g_assert_cmpstr (negative->message, ==, expected);

  /* Nobody wants to know. */
  ov_set_error_errno (NULL, OV_ERROR_FAILED, EIO, "lost");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/error/codes", test_codes);
  g_test_add_func ("/error/text", test_text);
  return g_test_run ();
}
