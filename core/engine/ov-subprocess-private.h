/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child process that may misbehave: started in a process group of its own, signalled as a group,
 * reaped without ever being waited for.
 *
 * What always holds: a signal is sent only while the process has not been reaped, so never to
 * another process that got its number; when it ends, what is left of its group is killed first;
 * no call blocks.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _OvSubprocess OvSubprocess;

/** The child has ended and was reaped.  `status` is that of waitpid(2), or -1 if unknown. */
typedef void (*OvSubprocessExited) (int status, gpointer data);

/** Pipes to a child: our ends, non-blocking and closed on exec; the caller closes them. */
typedef struct
{
  int input;  /**< write here: its standard input */
  int output; /**< read here: its standard output */
  int error;  /**< read here: its standard error */
} OvSubprocessPipes;

/** Starts `argv` (its first word is sought in PATH).  `exited` is called from the thread's default
 *  main context.  With `asks` it may ask for a password at our terminal, if we are in its
 *  foreground: its group is put there until ov_subprocess_take_terminal(), and Ctrl-C means it
 *  meanwhile; or where our output is a pipe, it stays in our group.
 *
 *  Errors: OV_ERROR_NOT_FOUND, _PERMISSION, _WORKER. */
OvSubprocess *ov_subprocess_spawn (char **argv, gboolean asks, OvSubprocessPipes *pipes,
                                   OvSubprocessExited exited, gpointer data, GError **error);
GPid ov_subprocess_get_pid (OvSubprocess *child);
void ov_subprocess_take_terminal (OvSubprocess *child);
/** Sends a signal to its group.  FALSE if nobody was there, or if we may not. */
gboolean ov_subprocess_signal (OvSubprocess *child, int signal);
/** Gives up the reference: `exited` will not be called any more; if it still lives, it is reaped in
 *  the background whenever it ends. */
void ov_subprocess_release (OvSubprocess *child);

/** "exit status 3" or "signal 9 (Killed)", translated.  Free with g_free(). */
char *ov_subprocess_describe_status (int status);

G_END_DECLS
