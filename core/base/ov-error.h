// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The one error domain of the core. Its codes say what kind of thing went wrong, so that a program
 * can react; the message says what exactly, for a person, translated.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OV_ERROR (ov_error_quark ())
GQuark ov_error_quark (void);

typedef enum
{
  OV_ERROR_INVALID,     /* an input that cannot be meant: text, option, file content */
  OV_ERROR_NOT_FOUND,   /* a file, strategy, device or key that is not there */
  OV_ERROR_PERMISSION,  /* it is there, but not for this user */
  OV_ERROR_NO_SPACE,    /* disk, quota or memory is used up */
  OV_ERROR_UNSUPPORTED, /* this kernel, file system or machine cannot do it */
  OV_ERROR_PROTOCOL,    /* the other side of the worker protocol said something unexpected */
  OV_ERROR_WORKER,      /* the worker died, hung or could not be started */
  OV_ERROR_CANCELLED,   /* somebody asked for it */
  OV_ERROR_FAILED,      /* anything else, an I/O error above all */
  OV_ERROR_BUSY,        /* in use now; trying later may succeed */
} OvErrorCode;

/* The code for a (positive) errno value: ENOENT is OV_ERROR_NOT_FOUND and so on; `fallback` for a
 * value that says nothing about the kind. */
OvErrorCode ov_error_code_from_errno (int err, OvErrorCode fallback);

/* Sets "<text>: <system's text for err>" with the code of ov_error_code_from_errno(). `err` may be
 * an errno value or its negative. errno is the same after the call as before. */
void ov_set_error_errno (GError **error, OvErrorCode fallback, int err, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

G_END_DECLS
