/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that every layer shares: states, phases, conditions; their names in files and on the
 * wire ("nicks", never translated) and their labels (translated).  Jobs, works, timings and orders
 * are those of overlap-strategy.h.
 */
#pragma once

#include <glib-object.h>

#include "overlap-strategy.h"

G_BEGIN_DECLS

/** Jobs that write: their scratch files begin empty and are restored between passes. */
#define OV_WRITE_JOBS (OV_JOB_WRITE | OV_JOB_TRANSFER)
/** Jobs that have no file: they run on the machine itself, OV_MACHINE_TARGET. */
#define OV_HARDWARE_JOBS (OV_JOB_PORT | OV_JOB_TICKS | OV_JOB_SAMPLES)
/** Jobs whose blocks have places in a file that may be chosen: enum OvOrder. */
#define OV_POSITION_JOBS (OV_JOB_COUNT | OV_JOB_BLOCKS | OV_JOB_TRANSFER)
/** Of these, the ones that follow a clock: `rate` is theirs. */
#define OV_CLOCKED_JOBS (OV_JOB_TICKS | OV_JOB_SAMPLES)
/** Most events or samples a second that may be asked for, and accesses, events or samples of one
 *  run. */
#define OV_RATE_MAX     1e8
#define OV_REQUESTS_MAX G_GUINT64_CONSTANT (1000000000000)

/** State of a run. */
typedef enum
{
  OV_STATE_WAITING,
  OV_STATE_RUNNING,
  OV_STATE_DONE,
  OV_STATE_STOPPED,   /**< ended by the user or a time limit; what was measured is kept */
  OV_STATE_FAILED,    /**< an error; OvRun.cause says which */
  OV_STATE_SKIPPED,   /**< cannot run here; OvRun.cause says why */
  OV_STATE_ABANDONED, /**< stuck in the kernel; nobody waits for it any more */
} OvState;

/** State of the page cache before a run. */
typedef enum
{
  OV_CONDITION_WARM,     /**< the file was read into the cache */
  OV_CONDITION_COLD,     /**< the file was dropped from the cache */
  OV_CONDITION_BYPASSED, /**< O_DIRECT; dropped from the cache too */
} OvCondition;

/** What a run is there for. */
typedef enum
{
  OV_PART_WHOLE,   /**< I/O and work: a line of its own */
  OV_PART_IO,      /**< the same I/O with work `none`, for the overlap */
  OV_PART_COMPUTE, /**< the same work over memory, for the overlap */
} OvPart;

/** When bytes that were written must be on stable storage. */
typedef enum
{
  OV_DURABILITY_NONE,      /**< the run ends with the last call; an fdatasync is timed apart */
  OV_DURABILITY_FDATASYNC, /**< an fdatasync ends the run and is part of it */
  OV_DURABILITY_DSYNC,     /**< O_DSYNC: each write is durable when it returns */
} OvDurability;

/** The neighbour of a run: a process that asks to be woken each millisecond and that works. */
typedef enum
{
  OV_NEIGHBOUR_NONE,
  OV_NEIGHBOUR_FREE,   /**< runs where the system lets it run */
  OV_NEIGHBOUR_SHARED, /**< shares one processor with the strategy: a machine with only one */
} OvNeighbour;

/** What the chart of an experiment's results shows over its x axis. */
typedef enum
{
  OV_FIGURE_ELAPSED,    /**< elapsed time */
  OV_FIGURE_LATENESS,   /**< how late the neighbour was woken, 99th percentile */
  OV_FIGURE_LOST,       /**< part of its work that the neighbour lost */
  OV_FIGURE_PARTS,      /**< elapsed time, and beside it CPU time of user and system */
  OV_FIGURE_STOP,       /**< from the order to stop to the last completion */
  OV_FIGURE_DELIVERED,  /**< jobs that follow a clock: events or samples a second, */
  OV_FIGURE_JITTER,     /**< and how late they came, 99th percentile */
  OV_FIGURE_CPU,        /**< CPU time */
  OV_FIGURE_THROUGHPUT, /**< bytes a second */
  OV_FIGURE_LATENCY_50, /**< time of a request, median, */
  OV_FIGURE_LATENCY_99, /**< and 99th percentile */
  OV_N_FIGURES,
} OvFigure;

/** Phases of a run, in order; each is shown, timed and can be stopped. */
typedef enum
{
  OV_PHASE_PROBE,
  OV_PHASE_LAYOUT,
  OV_PHASE_RESTORE,   /**< jobs that write: the file as it was laid out; before each pass */
  OV_PHASE_DISCARD,   /**< the discarded pass: prepare, run, release */
  OV_PHASE_CONDITION, /**< make the cache as the condition says, and measure it */
  OV_PHASE_PREPARE,
  OV_PHASE_RUN,  /**< the only one that counts */
  OV_PHASE_SYNC, /**< jobs that write: until everything is on stable storage; timed apart */
  OV_PHASE_VERIFY,
  OV_PHASE_RELEASE,
  OV_PHASE_ENDED,
} OvPhase;

/* Nicks: "done", "cold", "prepare", "count", "plain", "timeline", "random".  _from_nick returns
 * FALSE for an unknown one and leaves *out alone.  Labels are translated and not to be freed. */
const char *ov_state_nick (OvState state);
gboolean ov_state_from_nick (const char *nick, OvState *out);
const char *ov_state_label (OvState state);
const char *ov_condition_nick (OvCondition condition);
gboolean ov_condition_from_nick (const char *nick, OvCondition *out);
const char *ov_condition_label (OvCondition condition);
const char *ov_durability_nick (OvDurability durability);
gboolean ov_durability_from_nick (const char *nick, OvDurability *out);
const char *ov_durability_label (OvDurability durability);
const char *ov_phase_nick (OvPhase phase);
gboolean ov_phase_from_nick (const char *nick, OvPhase *out);
const char *ov_phase_label (OvPhase phase);
const char *ov_job_nick (guint job);
gboolean ov_job_from_nick (const char *nick, guint *out);
const char *ov_work_nick (guint work);
gboolean ov_work_from_nick (const char *nick, guint *out);
const char *ov_timing_nick (guint timing);
gboolean ov_timing_from_nick (const char *nick, guint *out);
const char *ov_order_nick (guint order);
gboolean ov_order_from_nick (const char *nick, guint *out);
const char *ov_order_label (guint order);
const char *ov_access_nick (guint access);
gboolean ov_access_from_nick (const char *nick, guint *out);
const char *ov_neighbour_nick (OvNeighbour neighbour);
gboolean ov_neighbour_from_nick (const char *nick, OvNeighbour *out);
const char *ov_neighbour_label (OvNeighbour neighbour);
const char *ov_figure_nick (OvFigure figure);
/** "elapsed, lateness, …": all nicks.  Free with g_free(). */
char *ov_figure_names (void);
gboolean ov_figure_from_nick (const char *nick, OvFigure *out);

G_END_DECLS
