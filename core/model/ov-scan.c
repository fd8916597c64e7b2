/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tokens of JSON.  It never reads beyond the text's end.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/ov-scan-private.h"

/* A number with fraction or exponent is at most that long. */
#define NUMBER_MAX 64

void
ov_scan_space (OvScan *s)
{
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
    s->at++;
}

gboolean
ov_scan_take (OvScan *s, char c)
{
  ov_scan_space (s);
  if (s->at >= s->end || *s->at != c)
    return FALSE;
  s->at++;
  return TRUE;
}

gboolean
ov_scan_word (OvScan *s, const char *word, gsize n)
{
  ov_scan_space (s);
  if ((gsize)(s->end - s->at) < n || memcmp (s->at, word, n) != 0)
    return FALSE;
  s->at += n;
  return TRUE;
}

/* What stands between quotes, where it has no escape; the quotes are left behind. */
gboolean
ov_scan_plain (OvScan *s, const char **text, gsize *length)
{
  const char *begin;

  if (!ov_scan_take (s, '"'))
    return FALSE;
  begin = s->at;
  while (s->at < s->end && *s->at != '"')
    {
      if ((guchar)*s->at < 0x20 || *s->at == '\\')
        return FALSE;
      s->at++;
    }
  if (s->at >= s->end)
    return FALSE;
  *text = begin;
  *length = (gsize)(s->at - begin);
  s->at++;
  return TRUE;
}

/* A byte that is no UTF-8, behind "\u": "dc80" to "dcff". */
static gboolean
take_byte (OvScan *s, GString *out)
{
  int high, low;

  if (s->end - s->at < 4 || g_ascii_tolower (s->at[0]) != 'd' || g_ascii_tolower (s->at[1]) != 'c')
    return FALSE;
  high = g_ascii_xdigit_value (s->at[2]);
  low = g_ascii_xdigit_value (s->at[3]);
  if (high < 8 || low < 0)
    return FALSE;
  g_string_append_c (out, (char)(high * 16 + low));
  s->at += 4;
  return TRUE;
}

static gboolean
take_escape (OvScan *s, GString *out, gboolean any_bytes)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  const char *found;

  if (s->at >= s->end || *s->at == '\0')
    return FALSE;
  if (*s->at == 'u')
    {
      s->at++;
      return any_bytes && take_byte (s, out);
    }
  found = strchr (from, *s->at);
  if (found == NULL)
    return FALSE;
  g_string_append_c (out, to[found - from]);
  s->at++;
  return TRUE;
}

/* A text that has escapes, from its opening quote on. */
char *
ov_scan_escaped (OvScan *s, gboolean any_bytes)
{
  GString *out;
  gboolean good = TRUE;

  if (!ov_scan_take (s, '"'))
    return NULL;
  out = g_string_new (NULL);
  while (good && s->at < s->end && *s->at != '"')
    {
      guchar c = (guchar)*s->at++;

      if (c == '\\')
        good = take_escape (s, out, any_bytes);
      else
        {
          good = c >= 0x20;
          g_string_append_c (out, (char)c);
        }
    }
  good = good && s->at < s->end;
  s->at++;
  return g_string_free (out, !good);
}

/* A text or null; `any_bytes`: it is a path.  Replaces what is there. */
gboolean
ov_scan_text (OvScan *s, char **text, gboolean any_bytes)
{
  const char *begin;
  const char *plain;
  gsize length;

  ov_scan_space (s);
  begin = s->at;
  if (ov_scan_word (s, "null", 4))
    return TRUE;
  g_free (*text);
  if (ov_scan_plain (s, &plain, &length))
    {
      *text = g_strndup (plain, length);
      return TRUE;
    }
  s->at = begin;
  *text = ov_scan_escaped (s, any_bytes);
  return *text != NULL;
}

/* A whole number without fraction or exponent. */
gboolean
ov_scan_whole (OvScan *s, gint64 min, gint64 max, gint64 *value)
{
  gboolean negative;
  guint64 sum = 0;
  const char *digits;

  ov_scan_space (s);
  negative = s->at < s->end && *s->at == '-';
  if (negative)
    s->at++;
  digits = s->at;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
    {
      if (s->at - digits >= 19) /* that many fit into 64 bits without a sign */
        return FALSE;
      sum = sum * 10 + (guint64)(*s->at++ - '0');
    }
  if (s->at == digits || (*digits == '0' && s->at - digits > 1) || s->at >= s->end
      || g_ascii_isalnum (*s->at) || *s->at == '.' || sum > G_MAXINT64)
    return FALSE;
  *value = negative ? -(gint64)sum : (gint64)sum;
  return *value >= min && *value <= max;
}

/* As above, or null, which leaves what is there. */
gboolean
ov_scan_int (OvScan *s, gint64 min, gint64 max, gint64 *value)
{
  return ov_scan_word (s, "null", 4) || ov_scan_whole (s, min, max, value);
}

static gboolean
is_number_char (char c)
{
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Whether it is a number as RFC 8259 has it. */
static gboolean
is_number (const char *c)
{
  const char *digits;

  c += *c == '-' ? 1 : 0;
  digits = c;
  while (g_ascii_isdigit (*c))
    c++;
  if (c == digits || (*digits == '0' && c - digits > 1))
    return FALSE;
  if (*c == '.')
    {
      digits = ++c;
      while (g_ascii_isdigit (*c))
        c++;
      if (c == digits)
        return FALSE;
    }
  if (*c == 'e' || *c == 'E')
    {
      c += c[1] == '+' || c[1] == '-' ? 2 : 1;
      digits = c;
      while (g_ascii_isdigit (*c))
        c++;
      if (c == digits)
        return FALSE;
    }
  return *c == '\0';
}

gboolean
ov_scan_double (OvScan *s, double min, double max, double *value)
{
  const char *begin;
  char number[NUMBER_MAX];
  gsize n = 0;
  gint64 whole;

  if (ov_scan_word (s, "null", 4))
    return TRUE;
  begin = s->at;
  if (ov_scan_whole (s, G_MININT64, G_MAXINT64, &whole))
    {
      *value = (double)whole;
      return *value >= min && *value <= max;
    }
  s->at = begin;
  while (s->at < s->end && n + 1 < sizeof number && is_number_char (*s->at))
    number[n++] = *s->at++;
  number[n] = '\0';
  if (!is_number (number) || s->at >= s->end || g_ascii_isalnum (*s->at))
    return FALSE;
  *value = g_ascii_strtod (number, NULL);
  return isfinite (*value) && *value >= min && *value <= max;
}

gboolean
ov_scan_bool (OvScan *s, gboolean *value)
{
  if (ov_scan_word (s, "true", 4))
    *value = TRUE;
  else if (ov_scan_word (s, "false", 5))
    *value = FALSE;
  else
    return ov_scan_word (s, "null", 4);
  return TRUE;
}

gboolean
ov_scan_nick (OvScan *s, const char *const *nicks, int *value)
{
  const char *text;
  gsize length;

  if (ov_scan_word (s, "null", 4))
    return TRUE;
  if (!ov_scan_plain (s, &text, &length))
    return FALSE;
  for (int i = 0; nicks[i] != NULL; i++)
    if (strncmp (nicks[i], text, length) == 0 && nicks[i][length] == '\0')
      {
        *value = i;
        return TRUE;
      }
  return FALSE;
}

/* ---- Objects --------------------------------------------------------------------------------- */

/* The next member's key as a place in `keys`, which may be 64 long: OV_SCAN_KEY_END at the object's
 * end. FALSE with OV_SCAN_KEY_UNKNOWN. */
gboolean
ov_scan_member (OvScan *s, OvScanMembers *members, const char *const *keys, guint *found)
{
  const char *text;
  gsize length;
  guint i = members->next;

  *found = OV_SCAN_KEY_END;
  if (ov_scan_take (s, '}'))
    return TRUE;
  *found = OV_SCAN_KEY_UNKNOWN;
  if ((members->more && !ov_scan_take (s, ',')) || !ov_scan_plain (s, &text, &length)
      || !ov_scan_take (s, ':'))
    return FALSE;
  members->more = TRUE;
  if (keys[i] == NULL || strncmp (keys[i], text, length) != 0 || keys[i][length] != '\0')
    for (i = 0; keys[i] != NULL; i++)
      if (strncmp (keys[i], text, length) == 0 && keys[i][length] == '\0')
        break;
  if (keys[i] == NULL || (members->seen & G_GUINT64_CONSTANT (1) << i) != 0)
    return FALSE;
  members->seen |= G_GUINT64_CONSTANT (1) << i;
  members->next = i + 1;
  *found = i;
  return TRUE;
}

gboolean
ov_scan_has (const OvScanMembers *members, guint key)
{
  return (members->seen & G_GUINT64_CONSTANT (1) << key) != 0;
}
