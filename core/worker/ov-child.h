/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child process of the session: born by fork, watched by a pidfd, ended by the abort ladder,
 * never waited for.  The session has one thread when it forks.
 */
#pragma once

#include "worker/ov-shared.h"

G_BEGIN_DECLS

typedef enum
{
  OV_CHILD_DESCRIBE,  /**< one module; answers through its text file */
  OV_CHILD_PREFLIGHT, /**< one target; likewise */
  OV_CHILD_SCRATCH,   /**< lays out a scratch file, then holds it */
  OV_CHILD_RUN,
  OV_CHILD_NEIGHBOUR, /**< beside a run; killed when that is over */
  OV_CHILD_DISK,      /**< serves a simulated disk; is ended by SIGTERM, to take its mount away */
} OvChildKind;

typedef struct _OvChild OvChild;

/** What the child does; returns and the process ends, or never returns. */
typedef void (*OvChildFunc) (OvChild *child, gpointer data);

struct _OvChild
{
  OvChildKind kind;
  guint id; /**< of the command that it answers */
  pid_t pid;
  int pidfd;
  int wake_fd; /**< event counter that wakes it */
  int text_fd; /**< memory file for its answer, or -1 */
  OvShared *shared;
  gsize shared_bytes;
  gpointer data; /**< what the command wants, owned, freed by free_data */
  GDestroyNotify free_data;

  gint64 born_ns;      /**< CLOCK_MONOTONIC */
  gint64 kill_ns;      /**< kill it then; 0: never */
  gboolean overdue;    /**< it was killed for it, without a Stop before */
  gint64 killed_ns;    /**< when it was killed, 0 before */
  gint64 gone_ns;      /**< when it was seen to be gone, 0 before */
  int status;          /**< as from waitpid, once gone */
  gboolean forgetting; /**< a holder that was asked to end */
  gboolean answered;   /**< its last event was sent; only its death is waited for */
  guint phase_told;    /**< last phase that was reported + 1 */
  gint64 done_told;
  guint64 live_next;   /**< first request of the log that was not told live in its last state */
  gint64 run_seen_ns;  /**< when a snapshot first saw the run phase, 0 before */
  gint64 machine_busy; /**< of the machine at run_seen_ns */
};

/** Forks.  `data` is handed to `func` in the child and kept in child->data.  NULL with errno on
 *  failure (data is freed).  `with_text`: make a memory file for the answer. */
OvChild *ov_child_spawn (OvChildKind kind, guint id, gsize log_capacity, gboolean with_text,
                         OvChildFunc func, gpointer data, GDestroyNotify free_data);
/** Closes what belongs to it; the process, if it still lives, is killed but not waited for. */
void ov_child_free (OvChild *child);

/** Rung 1: flag and wake, and the deadline for rung 2.  A second call does nothing. */
void ov_child_abort (OvChild *child);
/** Rung 2: SIGKILL. */
void ov_child_kill (OvChild *child);
/** Has it ended?  Sets gone_ns and status.  Never blocks. */
gboolean ov_child_poll (OvChild *child);
/** Milliseconds after the kill that it may take before it counts as abandoned. */
#define OV_ABANDON_MS 2000
gboolean ov_child_is_stuck (const OvChild *child, gint64 now_ns);

/** The answer that a child wrote into its text file.  Free with g_free(). */
char *ov_child_get_text (const OvChild *child);
/** In the child: writes the answer. */
void ov_child_put_text (OvChild *child, const char *text);

G_END_DECLS
