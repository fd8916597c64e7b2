// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A scanner of C's words that knows just enough to colour them; it never fails, whatever it reads.
 */
#include "config.h"

#include <string.h>

#include "gui/ov-source-buffer.h"

static const char *const keywords[] = {
  "auto",   "bool",     "break",  "case",   "char",   "const",   "continue", "default",
  "do",     "double",   "else",   "enum",   "extern", "false",   "float",    "for",
  "goto",   "if",       "inline", "int",    "long",   "return",  "short",    "signed",
  "sizeof", "static",   "struct", "switch", "true",   "typedef", "union",    "unsigned",
  "void",   "volatile", "while",  "NULL",   NULL,
};

/* The end of the token that begins at `p`, and the name of its tag or NULL. */
static const char *
scan (const char *p, gboolean line_start, const char **tag)
{
  const char *end;

  *tag = NULL;
  if (g_str_has_prefix (p, "/*"))
    {
      *tag = "comment";
      end = strstr (p + 2, "*/");
      return end != NULL ? end + 2 : p + strlen (p);
    }
  if (g_str_has_prefix (p, "//") || (line_start && *p == '#'))
    {
      *tag = *p == '#' ? "directive" : "comment";
      return p + strcspn (p, "\n");
    }
  if (*p == '"' || *p == '\'')
    {
      *tag = "string";
      for (end = p + 1; *end != '\0' && *end != *p && *end != '\n'; end++)
        if (*end == '\\' && end[1] != '\0')
          end++;
      return *end == *p ? end + 1 : end;
    }
  if (g_ascii_isalpha (*p) || *p == '_')
    {
      gsize n = 1;

      while (g_ascii_isalnum (p[n]) || p[n] == '_')
        n++;
      for (guint i = 0; keywords[i] != NULL; i++)
        if (strlen (keywords[i]) == n && strncmp (p, keywords[i], n) == 0)
          *tag = "keyword";
      return p + n;
    }
  if (g_ascii_isdigit (*p))
    {
      for (end = p; g_ascii_isalnum (*end) || *end == '.'; end++)
        ;
      return end;
    }
  return g_utf8_next_char (p);
}

GtkTextBuffer *
ov_source_buffer_new (const char *source)
{
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);
  g_autofree char *text = g_utf8_make_valid (source, -1);
  gboolean line_start = TRUE;
  GtkTextIter end;

  gtk_text_buffer_create_tag (buffer, "comment", "style", PANGO_STYLE_ITALIC, "foreground",
                              "#77767b", NULL);
  gtk_text_buffer_create_tag (buffer, "keyword", "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (buffer, "string", "style", PANGO_STYLE_OBLIQUE, NULL);
  gtk_text_buffer_create_tag (buffer, "directive", "weight", PANGO_WEIGHT_MEDIUM, "foreground",
                              "#77767b", NULL);
  gtk_text_buffer_get_end_iter (buffer, &end);
  for (const char *p = text; *p != '\0';)
    {
      const char *tag;
      const char *next = scan (p, line_start, &tag);

      line_start = *p == '\n' || (line_start && g_ascii_isspace (*p));
      if (tag != NULL)
        gtk_text_buffer_insert_with_tags_by_name (buffer, &end, p, (int)(next - p), tag, NULL);
      else
        gtk_text_buffer_insert (buffer, &end, p, (int)(next - p));
      p = next;
    }
  return buffer;
}
