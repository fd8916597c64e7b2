/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What measuring costs on a machine, as `overlap-cli self-cost` found it there: how much longer a
 * request of 4K from the page cache takes with each kind of recording.  The last measurement is
 * kept in the user's data folder, and each result that is made on that machine carries it.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  OV_COST_COUNTERS, /**< counting requests and bytes, against a loop that counts nothing */
  OV_COST_LATENCY,  /**< stamps and histograms, against counting */
  OV_COST_TIMELINE, /**< the log of requests, against counting */
  OV_COST_SAMPLER,  /**< the session's looking at the run every 50 ms, against none */
  OV_COST_PROFILE,  /**< sampling where the CPU time goes, against none */
  OV_COST_WINDOW,   /**< the window that shows the run, against the command line */
  OV_COST_SIZE,
} OvCostKind;

typedef struct
{
  guint n; /**< pairs of runs, 0: not measured */
  /** Parts of the time of a request, 0.01: one hundredth more; lo to hi is the 95 % interval of the
   *  median of pairs, or their range below six pairs. */
  double cost;
  double lo;
  double hi;
  char *cause; /**< why it was not measured, or NULL */
} OvCost;

typedef struct
{
  gint64 date;  /**< Unix seconds */
  char *host;   /**< of the machine it was measured on */
  char *kernel; /**< its release then */
  OvCost costs[OV_COST_SIZE];
} OvSelfCost;

OvSelfCost *ov_self_cost_new (void);
OvSelfCost *ov_self_cost_copy (const OvSelfCost *cost);
void ov_self_cost_free (OvSelfCost *cost);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvSelfCost, ov_self_cost_free)

const char *ov_cost_nick (OvCostKind kind);
/** "latency of each request", …; translated. */
const char *ov_cost_label (OvCostKind kind);
/** What is aimed at, as a part: 0.01, 0.03 and 0.05 for counters, latency and timeline, as for what
 * is like them; a cost misses it where its whole interval lies above. */
double ov_cost_aim (OvCostKind kind);

JsonNode *ov_self_cost_to_json (const OvSelfCost *cost);
OvSelfCost *ov_self_cost_from_json (JsonNode *node, GError **error);

/** Where the last measurement lies.  Free with g_free(). */
char *ov_self_cost_path (void);
/** Whether ov_self_cost_save() would find its folder, which is made, and may write there: to be
 * asked before a measurement of minutes.  FALSE with the path and the system's reason. */
gboolean ov_self_cost_can_save (GError **error);
/** Keeps it as the last measurement. */
gboolean ov_self_cost_save (const OvSelfCost *cost, GError **error);
/** The last measurement, if it was made on the machine of this name; else NULL. */
OvSelfCost *ov_self_cost_load (const char *host);

G_END_DECLS
