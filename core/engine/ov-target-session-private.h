/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One target's session: the connection to its worker and what that worker was told and answered.
 * It does one command at a time (preflight, layout, run) and says through its events how each
 * ended; it decides nothing about what comes next.
 *
 * What always holds: every command that was begun ends with exactly one `answered`; `closed` comes
 * once for each opened session and is the last event.
 */
#pragma once

#include "engine/ov-launcher.h"
#include "engine/ov-suite.h"
#include "model/ov-message.h"
#include "model/ov-plan.h"
#include "model/ov-run.h"
#include "model/ov-machine.h"

G_BEGIN_DECLS

typedef struct _OvTargetSession OvTargetSession;

typedef enum
{
  OV_TARGET_SESSION_GREETING, /**< started, no hello yet */
  OV_TARGET_SESSION_READY,
  OV_TARGET_SESSION_PREFLIGHT,
  OV_TARGET_SESSION_LAYOUT,
  OV_TARGET_SESSION_RUN,
  OV_TARGET_SESSION_ENDING, /**< bye was said, or it is broken */
  OV_TARGET_SESSION_CLOSED,
} OvTargetSessionState;

typedef struct
{
  /** The worker greeted; takes `machine` (NULL if it did not describe it). */
  void (*greeted) (OvTargetSession *session, OvMachine *machine, gpointer data);
  /** Phase of the layout or the run, `t_ns` since the command, `fraction` NaN if unknown. */
  void (*phase) (OvTargetSession *session, OvPhase phase, gint64 t_ns, double fraction,
                 gpointer data);
  void (*snapshot) (OvTargetSession *session, const OvSnapshot *snapshot, gpointer data);
  /** Requests of the run that goes on, with a snapshot. */
  void (*live) (OvTargetSession *session, const OvLiveRequests *live, gpointer data);
  /** The command ended.  `was` says which; with an error it came to nothing.  For a run the
   *  figures are in the run that was given, `started_ns` counting from the command.  The session is
   * READY, or ENDING if it broke. */
  void (*answered) (OvTargetSession *session, OvTargetSessionState was, const GError *error,
                    gpointer data);
  /** The worker is gone; `error` says why if nobody had asked for it. */
  void (*closed) (OvTargetSession *session, const GError *error, gpointer data);
} OvTargetSessionEvents;

/** Starts a worker for `target`.  NULL and an error where that is not possible. */
OvTargetSession *ov_target_session_open (const OvLauncher *launcher, const char *target,
                                         const OvTargetSessionEvents *events, gpointer data,
                                         GError **error);
/** Ends the worker at once if it still lives; no event comes any more. */
void ov_target_session_free (OvTargetSession *session);

OvTargetSessionState ov_target_session_get_state (const OvTargetSession *session);
const char *ov_target_session_get_target (const OvTargetSession *session);
gboolean ov_target_session_has_greeted (const OvTargetSession *session);
/** Looks at nothing itself: milliseconds without a line. */
gint64 ov_target_session_get_silent_ms (const OvTargetSession *session);
/** Milliseconds since the command, or the start while GREETING. */
gint64 ov_target_session_get_waited_ms (const OvTargetSession *session);
/** What the preflight found, or NULL.  Borrowed. */
OvTargetInfo *ov_target_session_get_info (const OvTargetSession *session);
GPid ov_target_session_get_pid (const OvTargetSession *session);

/* All of these need READY. */
void ov_target_session_preflight (OvTargetSession *session);
/** Lays out a scratch file with the content that the experiment wants. */
void ov_target_session_layout (OvTargetSession *session, const OvPlanFile *file,
                               const OvExperiment *experiment);
/** Runs; the session fills `run` in (and holds a reference until then). */
void ov_target_session_run (OvTargetSession *session, OvRun *run);

/** Asks for the end of what is going on; its `answered` follows. */
void ov_target_session_abort (OvTargetSession *session, gboolean force);
/** Asks something that costs nothing, so that a worker with nothing to tell (a long fsync) shows
 *  that it lives. */
void ov_target_session_poke (OvTargetSession *session);
/** Whether somebody looks: if not, what is told for looking at alone comes together, once a second.
 * Nothing of the recording is lost. */
void ov_target_session_set_watched (OvTargetSession *session, gboolean watched);
/** CLOCK_MONOTONIC at which the worker's `t` of the current command was 0, as well as known. */
gint64 ov_target_session_get_command_ns (const OvTargetSession *session);

/** Gives the scratch files back and says bye; `closed` follows, from within where the worker is
 *  parked. */
void ov_target_session_end (OvTargetSession *session, guint grace_ms);
/** The worker is not to be trusted any more: what is going on ends with `error` (taken) now, the
 *  worker is killed, `closed` follows. */
void ov_target_session_break (OvTargetSession *session, GError *error);
/** Kills the worker without a word to the current command until `closed`. */
void ov_target_session_kill (OvTargetSession *session);

G_END_DECLS
