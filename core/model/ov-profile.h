/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the CPU time of a run went, by symbol: samples taken at a fixed rate of CPU time.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** Samples a second of CPU time: a prime, so that nothing periodic is met again and again. */
#define OV_PROFILE_HZ 997

typedef struct
{
  guint64 samples;
  char *symbol; /**< name of the function; "(no name)" where there is none */
  char *module; /**< file name of the program or library, "kernel", or a kernel module's */
} OvProfileEntry;

typedef struct
{
  char *event; /**< "cycles" or "cpu-clock"; NULL: nothing could be sampled */
  gint64 rate; /**< samples a second of CPU time */
  gint64 samples;
  gint64 lost;        /**< samples that had no room */
  gboolean kernel;    /**< the kernel's part was sampled too */
  char *note;         /**< what is missing, and how to get it; or NULL */
  GPtrArray *entries; /**< of OvProfileEntry, most samples first */
} OvProfile;

OvProfile *ov_profile_new (void);
void ov_profile_free (OvProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvProfile, ov_profile_free)

/** Adds `samples` to the entry of that symbol.  Not sorted until ov_profile_sort(). */
void ov_profile_add (OvProfile *profile, const char *symbol, const char *module, guint64 samples);
/** Most samples first; keeps the first `most` entries and sums the others up in a last one. */
void ov_profile_sort (OvProfile *profile, guint most);
/** Adds the samples of `other`: of another run. */
void ov_profile_merge (OvProfile *profile, const OvProfile *other);

JsonNode *ov_profile_to_json (const OvProfile *profile);
OvProfile *ov_profile_from_json (JsonNode *node, GError **error);

G_END_DECLS
