/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A blocking client of the worker's protocol for tests: starts a worker, sends commands, waits for
 * events.  Every wait has a limit of 30 s, after which the test fails: a limit against hanging, not
 * a measure of speed.
 */
#pragma once

#include <sys/types.h>

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _OvWorkerClient OvWorkerClient;

/** Starts OVERLAP_WORKER, with further environment "NAME=value" (NULL-terminated, may be NULL).
 *  With `greet` both hellos are exchanged. */
OvWorkerClient *ov_worker_client_new (const char *const *environment, gboolean greet);
/** Ends the worker by the end of input, asserts that it exits and that none of its children is
 *  left; returns its wait status. */
int ov_worker_client_end (OvWorkerClient *client);
pid_t ov_worker_client_get_pid (OvWorkerClient *client);
/** Closes our end of its input. */
void ov_worker_client_close_input (OvWorkerClient *client);

/** Sends raw bytes. */
void ov_worker_client_send_text (OvWorkerClient *client, const char *text);
/** Sends a command made from a JSON text such as "{\"cmd\":\"describe\"}", adding an id, which is
 *  returned. */
guint ov_worker_client_send (OvWorkerClient *client, const char *json);
/** The next event, or NULL at the end of its output.  Transfer full. */
JsonObject *ov_worker_client_next (OvWorkerClient *client);
/** Throws events away until one is called `event`.  Fails at an `error` unless that was asked for,
 *  and at the end of output. */
JsonObject *ov_worker_client_wait (OvWorkerClient *client, const char *event);

/** Lays out a file of `size` bytes in `folder` and waits. */
void ov_worker_client_lay_out (OvWorkerClient *client, const char *folder, const char *name,
                               guint64 size);
/** JSON of a `run` command over a laid-out file (or NULL: `target` is the file). */
char *ov_worker_client_run_json (const char *strategy, const char *target, const char *file,
                                 guint64 size, guint64 block, guint depth, const char *condition,
                                 const char *more);

/** Children of a process, by /proc.  Array of pid_t. */
GArray *ov_children_of (pid_t pid);

/** Asks for all strategies and calls `func` with each of them, as the worker describes it. */
void ov_worker_client_describe (OvWorkerClient *self,
                                void (*func) (JsonObject *strategy, gpointer data), gpointer data);
/** Whether `text` is in the array of texts `member`, which may be missing. */
gboolean ov_json_has_text (JsonObject *object, const char *member, const char *text);

/** Sends the command `json`, which starts a run, and returns the run of its result.  With a phase
 * it is aborted `delay_us` after that was reported, "" being at once; a run that is over before the
 *  phase is seen is nothing to stop, and nothing wrong.  Transfer full. */
JsonObject *ov_worker_client_run (OvWorkerClient *self, const char *json, const char *phase,
                                  gulong delay_us);
/** "" for none. */
const char *ov_run_cause (JsonObject *run);
/** What a run that was stopped must tell: how long that took, and that all that was submitted came
 *  back, unless it was killed in a call that nothing interrupts. */
void ov_assert_stopped (JsonObject *run);
/** Waits until no process is left but the session and the holder of one file. */
void ov_worker_client_assert_only_holder (OvWorkerClient *self);

G_END_DECLS
