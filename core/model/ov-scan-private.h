/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scanner that reads the tokens of a JSON text one after the other straight into where they
 * belong, for texts that are large and mostly of our own making.  It knows less than
 * ov_json_parse(): each function returns FALSE where it gives up, and the text is then read by that
 * one.  What it takes, that one takes too, with the same value.  Where nothing else is said, null
 * is taken and leaves what is there.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *at;
  const char *end;
} OvScan;

void ov_scan_space (OvScan *s);
/** White space, then this character. */
gboolean ov_scan_take (OvScan *s, char c);
gboolean ov_scan_word (OvScan *s, const char *word, gsize n);
/** What stands between quotes and has no escape; borrowed.  No null. */
gboolean ov_scan_plain (OvScan *s, const char **text, gsize *length);
/** A text with escapes; `any_bytes`: those of bytes that are no UTF-8, too.  NULL: gives up. */
char *ov_scan_escaped (OvScan *s, gboolean any_bytes);
/** A text; replaces what is there.  `any_bytes`: it is a path. */
gboolean ov_scan_text (OvScan *s, char **text, gboolean any_bytes);
/** A whole number without fraction or exponent.  No null. */
gboolean ov_scan_whole (OvScan *s, gint64 min, gint64 max, gint64 *value);
gboolean ov_scan_int (OvScan *s, gint64 min, gint64 max, gint64 *value);
gboolean ov_scan_double (OvScan *s, double min, double max, double *value);
gboolean ov_scan_bool (OvScan *s, gboolean *value);
/** The place of a text in a table that ends with NULL. */
gboolean ov_scan_nick (OvScan *s, const char *const *nicks, int *value);

/** Where one is among the members of an object, whose first bracket was taken: all 0 at first. */
typedef struct
{
  guint64 seen;  /* keys that were there */
  guint next;    /* the key that is most likely the next one */
  gboolean more; /* than none */
} OvScanMembers;

#define OV_SCAN_KEY_END     G_MAXUINT       /**< of the object */
#define OV_SCAN_KEY_UNKNOWN (G_MAXUINT - 1) /**< or there for the second time, or none at all */

/** The next member's key as a place in `keys`, at most 64 that end with NULL; OV_SCAN_KEY_END at
 * the object's end.  FALSE with OV_SCAN_KEY_UNKNOWN. */
gboolean ov_scan_member (OvScan *s, OvScanMembers *members, const char *const *keys, guint *found);
gboolean ov_scan_has (const OvScanMembers *members, guint key);

G_END_DECLS
