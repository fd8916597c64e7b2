/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment: what is run with what, as a JSON file describes it (docs/experiments.md).  The
 * reader is strict: an unknown key or a wrong type is an error that names the place, as in
 * "strategies[2].blok".
 */
#pragma once

#include <json-glib/json-glib.h>

#include "model/ov-types.h"

G_BEGIN_DECLS

#define OV_EXPERIMENT_VERSION 1

/** One line of the chart: a strategy with its parameters. */
typedef struct
{
  char *strategy;
  char *label;         /**< the strategy's id unless the file gives one */
  guint64 block;       /**< 0: the experiment's */
  guint depth;         /**< 0: the experiment's */
  int condition;       /**< OvCondition, or -1: the experiment's */
  int durability;      /**< OvDurability, or -1: the experiment's */
  int work;            /**< enum OvWork, or -1: the experiment's */
  GHashTable *options; /**< char* -> JsonNode* as written; checked when a plan is made; or NULL */
  gboolean off;        /**< offered, not chosen unless asked for */
} OvVariant;

/** What an axis walks through. */
typedef enum
{
  OV_AXIS_SIZE,  /**< bytes of the file */
  OV_AXIS_BLOCK, /**< bytes of a call */
  OV_AXIS_DEPTH,
  OV_AXIS_REQUESTS,  /**< how many accesses */
  OV_AXIS_RATE,      /**< events or samples a second */
  OV_AXIS_POSITIONS, /**< enum OvOrder */
} OvAxisParameter;

typedef struct
{
  OvAxisParameter parameter;
  GArray *values; /**< of guint64; at least one, none twice */
} OvExperimentAxis;

/** A named choice of axis values and repetitions; the first one is the default. */
typedef struct
{
  char *id;
  char *title;
  GPtrArray *axes;   /**< of OvExperimentAxis; one or two, of different parameters */
  guint repetitions; /**< 0: the experiment's */
  guint64 size;     /**< bytes of the file where no axis walks through sizes; 0: the experiment's */
  guint64 block;    /**< instead of every variant's; 0: theirs */
  guint depth;      /**< instead of every variant's; 0: theirs */
  int order;        /**< enum OvOrder, "positions" in the file, or -1: the experiment's */
  int access;       /**< `port` jobs: enum OvAccess, or -1: the experiment's */
  guint width;      /**< bytes of one access; 0: the experiment's */
  gboolean overlap; /**< run what the overlap is computed from, too */
} OvPreset;

/** Lines of an article, drawn over the chart. */
typedef struct
{
  char *file;  /**< CSV in data/articles */
  char *title; /**< whose figures, such as "PowerMac 7100/66" */
  char *x_column;
  double x_scale;          /**< column value times this = unit of the axis */
  GPtrArray *columns;      /**< of char*: columns to draw */
  GPtrArray *labels;       /**< of char*: their labels */
  double y_scale;          /**< column value times this = seconds */
  char *filter_column;     /**< only rows with a certain text in this column count; or NULL */
  GPtrArray *filters;      /**< of char*: that text, for each of `columns`; empty without */
  GPtrArray *cpu_columns;  /**< of char*: where the CPU time of each column stands; or empty */
  GPtrArray *user_columns; /**< of char*: user time of each column, for charts of parts; or empty */
  GPtrArray *system_columns; /**< of char*: system time of each column; as many */
  GPtrArray *groups; /**< of char*: group of bars that each column belongs to; or empty: lines */
  GPtrArray *lines;  /**< of char*: label of the variant that each column is the like of; as many */
} OvOverlay;

typedef struct
{
  char *id;    /**< the file's name without .json or .overlap.json unless given */
  char *path;  /**< where it was read from, or NULL */
  char *title; /**< untranslated, as are the texts below; show with gettext() */
  char *summary;
  char **learn; /**< paragraphs: what happens, what it shows, when the effect vanishes; or NULL */
  int number;   /**< place in lists of experiments, "order" in the file; default 1000 */
  guint job;
  char *target;          /**< where it runs unless the user chooses: a simulated disk; or NULL */
  GPtrArray *variants;   /**< of OvVariant, no label twice */
  gboolean others;       /**< every other strategy that serves the job is offered, off, too */
  GPtrArray *presets;    /**< of OvPreset, at least one */
  guint repetitions;     /**< default 10 */
  guint64 size;          /**< where no axis walks through sizes; default 64M */
  guint64 block;         /**< default 64K */
  guint depth;           /**< default 2 */
  OvCondition condition; /**< default cold */
  guint work;            /**< default plain */
  guint order;           /**< enum OvOrder, "positions" in the file; default sequential */
  guint64 stride;        /**< of strided positions: bytes; default 1M */
  guint64 requests;      /**< of jobs that count requests; default 10000 */
  double rate;           /**< of jobs that follow a clock: events a second; default 1000 */
  double duration;       /**< and for how many seconds; default 1 */
  guint access;          /**< `port` jobs: enum OvAccess; default read */
  guint width;           /**< bytes of one access; default 1 */
  guint64 address;       /**< of the register; default 0: each strategy's own */
  char letter;           /**< default 'e' */
  double density;        /**< share of the letter, default 0.02 */
  guint64 seed;
  OvDurability durability; /**< of jobs that write; default none */
  gboolean verify;         /**< jobs that write: read back and compare; default no */
  guint timing;            /**< default latency */
  gint64 time_limit_ns;    /**< 0: none; "time-limit" in the file, in seconds */
  OvNeighbour neighbour;   /**< default none */
  gint64 stop_after_ns;    /**< each run is stopped about then; 0: it is not; "stop-after" in the
                                file, in seconds */
  gboolean profile;        /**< sample where the CPU time goes; default no */
  OvFigure figure;         /**< what the chart shows, "chart" in the file; default elapsed */
  gboolean bars;           /**< groups of bars instead of lines: "shape" in the file; default no */
  OvOverlay *overlay;      /**< or NULL */
} OvExperiment;

/** How many columns an overlay may have. */
#define OV_OVERLAY_COLUMNS 12

/** One variant of `strategy` with the experiment's parameters.  Free with ov_variant_free(). */
OvVariant *ov_variant_new (const char *strategy);
OvVariant *ov_variant_copy (const OvVariant *variant);
void ov_variant_free (OvVariant *variant);

/** Nicks of the axes' parameters: "size", "block", "depth", "requests", "rate", "positions". */
const char *ov_axis_parameter_nick (OvAxisParameter parameter);
/** "file size", "block size", "depth"; translated, not to be freed. */
const char *ov_axis_parameter_label (OvAxisParameter parameter);
/** The preset called `id`, the first one for NULL, or NULL.  Borrowed. */
const OvPreset *ov_experiment_find_preset (const OvExperiment *experiment, const char *id);

/** The axis of that preset which walks through `parameter`, or NULL.  Borrowed. */
const OvExperimentAxis *ov_preset_find_axis (const OvPreset *preset, OvAxisParameter parameter);

OvExperiment *ov_experiment_ref (OvExperiment *experiment);
void ov_experiment_unref (OvExperiment *experiment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvExperiment, ov_experiment_unref)

/** Reads a file.  Errors: OV_ERROR_NOT_FOUND, _PERMISSION, _INVALID with path and place. */
OvExperiment *ov_experiment_load (const char *path, GError **error);
OvExperiment *ov_experiment_from_json (JsonNode *node, const char *name, GError **error);
JsonNode *ov_experiment_to_json (const OvExperiment *experiment);
/** The id as the beginning of a file's name: letters, digits, "-" and "_" of it, whatever else is
 *  in it as "-", at most 64 characters; "experiment" where it is empty.  Free with g_free(). */
char *ov_experiment_file_stem (const OvExperiment *experiment);

/** All experiments of the given folders (later folders do not replace earlier ids), sorted by the
 *  number in their "order" key and title; files that are wrong are reported through `on_error`
 *  (may be NULL) and left out.  Transfer full, array of OvExperiment. */
GPtrArray *ov_experiment_load_all (const char *const *folders,
                                   void (*on_error) (const GError *error, gpointer data),
                                   gpointer data);
/** Folders with experiments: the user's ($XDG_DATA_HOME/overlap/experiments), then the
 *  installed one, or OVERLAP_DATA_DIR/experiments.  Free with g_strfreev(). */
char **ov_experiment_folders (void);
/** Folder of the articles' CSV files.  Free with g_free(). */
char *ov_articles_folder (void);

/** Figures of the overlay: one row for each line of the CSV.  `x` in the axis' unit, `y` in
 *  seconds (NaN where empty), columns in the order of `overlay->columns`. */
typedef struct
{
  double x;
  double y[OV_OVERLAY_COLUMNS];
} OvOverlayRow;
GArray *ov_overlay_load (const OvOverlay *overlay, GError **error);

G_END_DECLS
