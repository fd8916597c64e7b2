/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a strategy without loading its module: the descriptor as data.  Made by the
 * worker's `describe`, carried over the protocol, read by the window and the command line.
 * Instances do not change after they were made.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "model/ov-types.h"

G_BEGIN_DECLS

/** An option of a strategy: OvOption as data. */
typedef struct
{
  guint kind; /**< enum OvOptionKind */
  char *name;
  char *title;
  char *help;
  gint64 minimum;
  gint64 maximum;
  gint64 standard;
  char **choices; /**< NULL-terminated, or NULL */
} OvOptionInfo;

typedef struct
{
  char *id;
  char *title;   /**< untranslated; show ov_strategy_info_title() */
  char *summary; /**< untranslated */
  char *family;
  char *article;      /**< or NULL */
  char *module;       /**< path of the module on the machine where the worker runs */
  guint jobs;         /**< enum OvJobFlags */
  guint caps;         /**< enum OvCaps */
  GPtrArray *options; /**< of OvOptionInfo */
  gboolean available; /**< the probe said yes */
  gboolean denied;    /**< not available for lack of permission: more privilege would help */
  char *cause;        /**< why not, and how to lift it; NULL when available */
  char *source;       /**< its source text, or NULL */
} OvStrategyInfo;

/** A module that could not be taken: what is wrong with it. */
typedef struct
{
  char *module; /**< path */
  char *fault;  /**< one sentence */
} OvModuleFault;

OvStrategyInfo *ov_strategy_info_ref (OvStrategyInfo *info);
void ov_strategy_info_unref (OvStrategyInfo *info);
OvStrategyInfo *ov_strategy_info_new (void); /**< empty, for the maker to fill */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvStrategyInfo, ov_strategy_info_unref)
OvOptionInfo *ov_option_info_new (void);
void ov_option_info_free (OvOptionInfo *option);
OvModuleFault *ov_module_fault_new (const char *module, const char *fault);
void ov_module_fault_free (OvModuleFault *fault);

/** Title and summary in the user's language (the program's own catalogue).  Borrowed. */
const char *ov_strategy_info_title (const OvStrategyInfo *info);
const char *ov_strategy_info_summary (const OvStrategyInfo *info);

/** The option called `name`, or NULL; `index` (may be NULL) gets its place.  Borrowed. */
const OvOptionInfo *ov_strategy_info_find_option (const OvStrategyInfo *info, const char *name,
                                                  guint *index);

/** Value of an option from text ("true", "32K", "7", a choice's name); OV_ERROR_INVALID with what
 *  is allowed. */
gboolean ov_option_info_parse (const OvOptionInfo *option, const char *text, gint64 *value,
                               GError **error);
/** Text of a value, as ov_option_info_parse() takes it.  Free with g_free(). */
char *ov_option_info_format (const OvOptionInfo *option, gint64 value);

/** JSON object of it; transfer full. */
JsonNode *ov_strategy_info_to_json (const OvStrategyInfo *info);
OvStrategyInfo *ov_strategy_info_from_json (JsonNode *node, GError **error);

/** Up to three of `ids` nearest to `id` (edit distance), as "a, b or c" in the user's language, or
 *  NULL where none is near.  Free with g_free(). */
char *ov_nearest_names (const char *id, const char *const *ids);

G_END_DECLS
