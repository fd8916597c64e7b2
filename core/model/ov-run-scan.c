/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the text of a run without a node between text and figures: a tenth of the time, and no more
 * memory than the run.  It takes what this program writes, in any order and with any white space.
 * Whatever else is there (an unknown key, a rare escape, a wrong type) makes it give up, and the
 * run is read by ov_run_from_json(), which knows all that is allowed and names what is not.  So
 * what it must never do is to take a text that the other one refuses, or to read another value.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/ov-histogram-private.h"
#include "model/ov-neighbour-private.h"
#include "model/ov-profile-private.h"
#include "model/ov-run-private.h"
#include "model/ov-scan-private.h"
#include "model/ov-types-private.h"

/* ---- Histograms ------------------------------------------------------------------------------ */

/* The buckets as they are packed, in ascending order; appends to `words`. */
static gboolean
take_buckets (OvScan *s, GArray *words, guint64 *count)
{
  gint64 last = -1;

  if (!ov_scan_take (s, '['))
    return FALSE;
  if (ov_scan_take (s, ']'))
    return TRUE;
  do
    {
      gint64 pair[2];

      if (!ov_scan_whole (s, last + 1, OV_HISTOGRAM_N_BUCKETS - 1, &pair[0])
          || !ov_scan_take (s, ',') || !ov_scan_whole (s, 1, G_MAXINT64, &pair[1]))
        return FALSE;
      last = pair[0];
      *count += (guint64)pair[1]; /* of 2240 that are below 10^18 each: fits */
      g_array_append_vals (words, pair, 2);
    }
  while (ov_scan_take (s, ','));
  return ov_scan_take (s, ']');
}

/* What is there for other readers: looked at, not kept. */
static gboolean
skip_percentiles (OvScan *s)
{
  static const char *const keys[] = { "50", "90", "99", "99.9", "99.99", NULL };
  OvScanMembers members = { 0 };
  guint key;
  gint64 value;

  if (!ov_scan_take (s, '{'))
    return FALSE;
  while (ov_scan_member (s, &members, keys, &key))
    if (key == OV_SCAN_KEY_END)
      return TRUE;
    else if (!ov_scan_int (s, G_MININT64, G_MAXINT64, &value))
      return FALSE;
  return FALSE;
}

static gboolean
take_histogram (OvScan *s, GBytes **packed)
{
  static const char *const keys[]
      = { "mean", "count", "min", "max", "overflow", "buckets", "percentiles", NULL };
  g_autoptr (GArray) words = NULL;
  guint64 totals[OV_HISTOGRAM_N_PACKED] = { 0 };
  gint64 ints[G_N_ELEMENTS (keys)] = { 0 };
  double mean = NAN;
  guint64 count = 0;
  OvScanMembers members = { 0 };
  guint key;

  if (ov_scan_word (s, "null", 4))
    return TRUE;
  if (!ov_scan_take (s, '{'))
    return FALSE;
  words = g_array_sized_new (FALSE, FALSE, sizeof (guint64), 256);
  g_array_append_vals (words, totals, OV_HISTOGRAM_N_PACKED);
  do
    {
      gboolean good = ov_scan_member (s, &members, keys, &key);

      if (good && key == 0)
        good = ov_scan_double (s, 0, INFINITY, &mean);
      else if (good && key == 5)
        good = take_buckets (s, words, &count);
      else if (good && key == 6)
        good = skip_percentiles (s);
      else if (good && key != OV_SCAN_KEY_END)
        good = ov_scan_int (s, 0, G_MAXINT64, &ints[key]);
      if (!good)
        return FALSE;
    }
  while (key != OV_SCAN_KEY_END);
  *packed = ov_histogram_take_packed (words, (guint64)ints[4], (guint64)ints[2], (guint64)ints[3],
                                      mean, count);
  return *packed != NULL;
}

/* ---- The log --------------------------------------------------------------------------------- */

/* How many elements the array has whose first bracket was taken, if it holds numbers only. */
static guint
count_elements (const OvScan *s)
{
  const char *end = memchr (s->at, ']', (gsize)(s->end - s->at));
  guint n = 0;

  if (end == NULL)
    return 0;
  for (const char *c = s->at; c < end; c++)
    n += *c == ',';
  return n + 1;
}

/* A column into the field at `offset` of the requests; the first one says how many there are. */
static gboolean
take_column (OvScan *s, GArray **log, const OvLogColumn *column)
{
  guint n = 0;

  if (!ov_scan_take (s, '['))
    return FALSE;
  if (*log == NULL)
    {
      guint all = count_elements (s);

      *log = g_array_sized_new (FALSE, TRUE, sizeof (OvRequest), all);
      g_array_set_size (*log, all);
    }
  if (ov_scan_take (s, ']'))
    {
      /* One of no elements has been counted as one. */
      if ((*log)->len == 1)
        g_array_set_size (*log, 0);
      return (*log)->len == 0;
    }
  do
    {
      OvRequest *request;
      gint64 value = -1;

      if (n >= (*log)->len
          || !(column->nullable ? ov_scan_int (s, column->min, column->max, &value)
                                : ov_scan_whole (s, column->min, column->max, &value)))
        return FALSE;
      request = &g_array_index (*log, OvRequest, n);
      n++;
      if (column->is_32)
        G_STRUCT_MEMBER (guint32, request, column->field) = (guint32)value;
      else
        G_STRUCT_MEMBER (gint64, request, column->field) = value;
    }
  while (ov_scan_take (s, ','));
  return n == (*log)->len && ov_scan_take (s, ']');
}

static gboolean
take_log (OvScan *s, GArray **log)
{
  const char *keys[OV_LOG_N_COLUMNS + 1] = { NULL };
  OvScanMembers members = { 0 };
  guint key;

  if (ov_scan_word (s, "null", 4))
    return TRUE;
  if (!ov_scan_take (s, '{'))
    return FALSE;
  for (guint i = 0; i < OV_LOG_N_COLUMNS; i++)
    keys[i] = ov_log_columns[i].key;
  while (ov_scan_member (s, &members, keys, &key) && key != OV_SCAN_KEY_END)
    if (!take_column (s, log, &ov_log_columns[key]))
      return FALSE;
  /* All columns, or an old file without one of them. */
  if (key != OV_SCAN_KEY_END
      || (members.seen | 1u << OV_LOG_HANDED) != (1u << OV_LOG_N_COLUMNS) - 1)
    return FALSE;
  for (guint i = 0; !ov_scan_has (&members, OV_LOG_HANDED) && i < (*log)->len; i++)
    g_array_index (*log, OvRequest, i).handed_ns = -1;
  return TRUE;
}

/* ---- What is rare: by nodes ------------------------------------------------------------------ */

/* The value that follows as the only member, `key`, of an object.  NULL: null, or it gives up. */
static JsonNode *
take_node (OvScan *s, const char *key, gboolean *good)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;
  const char *begin;
  const char *end;

  *good = TRUE;
  if (ov_scan_word (s, "null", 4))
    return NULL;
  begin = s->at;
  end = ov_json_skip_object (begin, s->end);
  if (end != NULL)
    node = ov_json_parse (begin, end - begin, NULL);
  *good = node != NULL;
  if (node == NULL)
    return NULL;
  s->at = end;
  object = json_object_new ();
  json_object_set_member (object, key, g_steal_pointer (&node));
  return ov_json_take_object (object);
}

static gboolean
take_profile (OvScan *s, OvRun *run)
{
  gboolean good;
  g_autoptr (JsonNode) node = take_node (s, "profile", &good);
  OvJsonReader r;

  if (node == NULL)
    return good;
  ov_json_begin (&r, node, FALSE);
  run->profile = ov_profile_read (&r, "profile");
  return ov_json_end (&r, NULL);
}

static gboolean
take_neighbour (OvScan *s, OvRun *run)
{
  gboolean good;
  g_autoptr (JsonNode) node = take_node (s, "neighbour", &good);
  OvJsonReader r;

  if (node == NULL)
    return good;
  ov_json_begin (&r, node, FALSE);
  run->neighbour = ov_neighbour_read (&r, "neighbour");
  return ov_json_end (&r, NULL);
}

/* ---- The specification ----------------------------------------------------------------------- */

static gboolean
take_options (OvScan *s, OvRunSpec *spec)
{
  gboolean more = FALSE;

  if (ov_scan_word (s, "null", 4))
    return TRUE;
  if (!ov_scan_take (s, '{'))
    return FALSE;
  while (!ov_scan_take (s, '}'))
    {
      g_autofree char *name = NULL;
      const char *text;
      gsize length;
      gint64 value;

      if ((more && !ov_scan_take (s, ',')) || !ov_scan_plain (s, &text, &length)
          || !ov_scan_take (s, ':') || !ov_scan_whole (s, G_MININT64, G_MAXINT64, &value))
        return FALSE;
      more = TRUE;
      name = g_strndup (text, length);
      if (spec->options != NULL && g_hash_table_contains (spec->options, name))
        return FALSE;
      ov_run_spec_set_option (spec, name, value);
    }
  return TRUE;
}

static gboolean
take_letter (OvScan *s, char *letter)
{
  gint64 code = (guchar)*letter;
  const char *text;
  gsize length;

  ov_scan_space (s);
  if (s->at < s->end && *s->at == '"')
    {
      g_autofree char *one = NULL;
      const char *begin = s->at;

      if (ov_scan_plain (s, &text, &length))
        {
          *letter = length > 0 ? text[0] : '\0';
          return length == 1;
        }
      s->at = begin;
      one = ov_scan_escaped (s, FALSE);
      if (one == NULL || strlen (one) != 1)
        return FALSE;
      *letter = one[0];
      return TRUE;
    }
  if (!ov_scan_int (s, 0, 255, &code))
    return FALSE;
  *letter = (char)code;
  return TRUE;
}

/* OvScanMembers of a specification, in the order in which they are written. */
enum
{
  SPEC_INDEX,
  SPEC_STRATEGY,
  SPEC_VARIANT,
  SPEC_JOB,
  SPEC_TARGET,
  SPEC_FILE,
  SPEC_SIZE,
  SPEC_OFFSET,
  SPEC_BLOCK,
  SPEC_DEPTH,
  SPEC_CONDITION,
  SPEC_WORK,
  SPEC_LETTER,
  SPEC_REQUESTS,
  SPEC_ORDER,
  SPEC_SEED,
  SPEC_TIMING,
  SPEC_REPETITION,
  SPEC_DISCARD,
  SPEC_TIME_LIMIT,
  SPEC_STOP_AFTER,
  SPEC_PROFILE,
  SPEC_NEIGHBOUR,
  SPEC_LOG_CAPACITY,
  SPEC_DURABILITY,
  SPEC_VERIFY,
  SPEC_QUIET,
  SPEC_OPTIONS,
  SPEC_PART,
  SPEC_RATE,
  SPEC_ACCESS,
  SPEC_WIDTH,
  SPEC_ADDRESS,
  SPEC_STRIDE,
  SPEC_X,
};

static const char *const spec_keys[]
    = { "index",      "strategy",   "variant",    "job",     "target",    "file",
        "size",       "offset",     "block",      "depth",   "condition", "work",
        "letter",     "requests",   "order",      "seed",    "timing",    "repetition",
        "discard",    "time-limit", "stop-after", "profile", "neighbour", "log-capacity",
        "durability", "verify",     "quiet",      "options", "part",      "rate",
        "access",     "width",      "address",    "stride",  "x",         NULL };

static gboolean
take_uint (OvScan *s, guint *field)
{
  gint64 value = *field;

  if (!ov_scan_int (s, 0, G_MAXUINT, &value))
    return FALSE;
  *field = (guint)value;
  return TRUE;
}

static gboolean
take_width (OvScan *s, guint *field)
{
  gint64 value = *field;

  if (!ov_scan_int (s, 1, 8, &value))
    return FALSE;
  *field = (guint)value;
  return TRUE;
}

static gboolean
take_size (OvScan *s, guint64 *field)
{
  gint64 value = (gint64)*field;

  if (!ov_scan_int (s, 0, G_MAXINT64, &value))
    return FALSE;
  *field = (guint64)value;
  return TRUE;
}

static gboolean
take_seed (OvScan *s, guint64 *seed)
{
  gint64 value = 0;

  if (!ov_scan_int (s, G_MININT64, G_MAXINT64, &value))
    return FALSE;
  *seed = (guint64)value;
  return TRUE;
}

/* One of an enum's or a guint's values. */
#define TAKE_NICK(s, nicks, field)                                                                 \
  (number = (int)(field),                                                                          \
   ov_scan_nick ((s), (nicks), &number) ? ((field) = (guint)number, TRUE) : FALSE)

static gboolean
take_spec_member (OvScan *s, OvRunSpec *spec, guint key)
{
  int number = 0;

  switch (key)
    {
    case SPEC_INDEX:
      return take_uint (s, &spec->index);
    case SPEC_STRATEGY:
      return ov_scan_text (s, &spec->strategy, FALSE);
    case SPEC_VARIANT:
      return ov_scan_text (s, &spec->variant, FALSE);
    case SPEC_JOB:
      number = -1;
      if (!ov_scan_nick (s, ov_job_nicks, &number) || number < 0)
        return FALSE;
      spec->job = 1u << number;
      return TRUE;
    case SPEC_TARGET:
      return ov_scan_text (s, &spec->target, TRUE);
    case SPEC_FILE:
      return ov_scan_text (s, &spec->file, TRUE);
    case SPEC_SIZE:
      return take_size (s, &spec->size);
    case SPEC_OFFSET:
      return take_size (s, &spec->offset);
    case SPEC_BLOCK:
      return take_size (s, &spec->block);
    case SPEC_DEPTH:
      return take_uint (s, &spec->depth);
    case SPEC_CONDITION:
      return TAKE_NICK (s, ov_condition_nicks, spec->condition);
    case SPEC_WORK:
      return TAKE_NICK (s, ov_work_nicks, spec->work);
    case SPEC_LETTER:
      return take_letter (s, &spec->letter);
    case SPEC_REQUESTS:
      return take_size (s, &spec->requests);
    case SPEC_ORDER:
      return TAKE_NICK (s, ov_order_nicks, spec->order);
    case SPEC_SEED:
      return take_seed (s, &spec->seed);
    case SPEC_TIMING:
      return TAKE_NICK (s, ov_timing_nicks, spec->timing);
    case SPEC_REPETITION:
      return take_uint (s, &spec->repetition);
    case SPEC_DISCARD:
      return ov_scan_bool (s, &spec->discard);
    case SPEC_TIME_LIMIT:
      return ov_scan_int (s, 0, G_MAXINT64, &spec->time_limit_ns);
    case SPEC_STOP_AFTER:
      return ov_scan_int (s, 0, G_MAXINT64, &spec->stop_after_ns);
    case SPEC_PROFILE:
      return ov_scan_bool (s, &spec->profile);
    case SPEC_NEIGHBOUR:
      return TAKE_NICK (s, ov_neighbour_nicks, spec->neighbour);
    case SPEC_LOG_CAPACITY:
      return take_size (s, &spec->log_capacity);
    case SPEC_DURABILITY:
      return TAKE_NICK (s, ov_durability_nicks, spec->durability);
    case SPEC_VERIFY:
      return ov_scan_bool (s, &spec->verify);
    case SPEC_QUIET:
      return ov_scan_bool (s, &spec->quiet);
    case SPEC_OPTIONS:
      return take_options (s, spec);
    case SPEC_PART:
      return TAKE_NICK (s, ov_part_nicks, spec->part);
    case SPEC_RATE:
      return ov_scan_double (s, 0, OV_RATE_MAX, &spec->rate);
    case SPEC_ACCESS:
      return TAKE_NICK (s, ov_access_nicks, spec->access);
    case SPEC_WIDTH:
      return take_width (s, &spec->width);
    case SPEC_ADDRESS:
      return take_size (s, &spec->address);
    case SPEC_STRIDE:
      return take_size (s, &spec->stride);
    case SPEC_X:
    default:
      return ov_scan_double (s, -INFINITY, INFINITY, &spec->x);
    }
}

static gboolean
take_spec (OvScan *s, OvRunSpec *spec)
{
  OvScanMembers members = { 0 };
  guint key;

  if (!ov_scan_take (s, '{'))
    return FALSE;
  g_clear_pointer (&spec->variant, g_free);
  spec->x = NAN;
  while (ov_scan_member (s, &members, spec_keys, &key) && key != OV_SCAN_KEY_END)
    if (!take_spec_member (s, spec, key))
      return FALSE;
  if (spec->variant == NULL)
    spec->variant = g_strdup (spec->strategy);
  /* An unset job is that of a specification by default: it must have been there. */
  return key == OV_SCAN_KEY_END && spec->strategy != NULL && spec->target != NULL
         && ov_scan_has (&members, SPEC_JOB);
}

/* ---- The run --------------------------------------------------------------------------------- */

static gboolean
take_run_member (OvScan *s, OvRun *run, const OvRunMember *member)
{
  int number = -1;
  gint64 value = 0;

  switch (member->kind)
    {
    case OV_RUN_SPEC:
      return take_spec (s, run->spec);
    case OV_RUN_STATE:
      if (!ov_scan_nick (s, ov_state_nicks, &number) || number < 0)
        return FALSE;
      run->state = (OvState)number;
      return TRUE;
    case OV_RUN_TEXT:
      return ov_scan_text (s, &G_STRUCT_MEMBER (char *, run, member->field), FALSE);
    case OV_RUN_FIGURE:
      return ov_scan_int (s, 0, G_MAXINT64, &G_STRUCT_MEMBER (gint64, run, member->field));
    case OV_RUN_BOOL:
      return ov_scan_bool (s, &G_STRUCT_MEMBER (gboolean, run, member->field));
    case OV_RUN_DOUBLE:
      return ov_scan_double (s, 0, INFINITY, &G_STRUCT_MEMBER (double, run, member->field));
    case OV_RUN_HISTOGRAM:
      return take_histogram (s, &G_STRUCT_MEMBER (GBytes *, run, member->field));
    case OV_RUN_PROFILE:
      return take_profile (s, run);
    case OV_RUN_NEIGHBOUR:
      return take_neighbour (s, run);
    case OV_RUN_COUNT:
      if (!ov_scan_int (s, 0, G_MAXINT64, &value))
        return FALSE;
      G_STRUCT_MEMBER (guint64, run, member->field) = (guint64)value;
      return TRUE;
    case OV_RUN_LOG:
    default:
      return take_log (s, &G_STRUCT_MEMBER (GArray *, run, member->field));
    }
}

OvRun *
ov_run_scan (const char *text, gsize length)
{
  static const char *keys[64];
  static gsize once = 0;
  g_autoptr (OvRun) run = NULL;
  OvScan s = { text, text + length };
  OvScanMembers members = { 0 };
  guint key;

  if (g_once_init_enter (&once))
    {
      for (guint i = 0; ov_run_members[i].key != NULL; i++)
        {
          g_assert (i < G_N_ELEMENTS (keys) - 1);
          keys[i] = ov_run_members[i].key;
        }
      g_once_init_leave (&once, 1);
    }
  if (!ov_scan_take (&s, '{'))
    return NULL;
  run = ov_run_new (NULL);
  while (ov_scan_member (&s, &members, keys, &key) && key != OV_SCAN_KEY_END)
    if (!take_run_member (&s, run, &ov_run_members[key]))
      return NULL;
  ov_scan_space (&s);
  if (key != OV_SCAN_KEY_END || s.at != s.end || !ov_scan_has (&members, OV_RUN_MEMBER_SPEC)
      || !ov_scan_has (&members, OV_RUN_MEMBER_STATE))
    return NULL;
  return g_steal_pointer (&run);
}
