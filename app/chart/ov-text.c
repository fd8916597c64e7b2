// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Text by Pango. Each thread has a Pango context and a table of recent layouts of its own (shaping
 * a label costs more than painting it); the table is emptied when it is full. Layouts are never
 * changed after they were made.
 */
#include "config.h"

#include "chart/ov-text.h"

#define MAX_LAYOUTS 512

typedef struct
{
  PangoContext *context;
  GHashTable *layouts; /* char * key -> PangoLayout */
} TextState;

static void
text_state_free (gpointer data)
{
  TextState *state = data;

  g_object_unref (state->context);
  g_hash_table_unref (state->layouts);
  g_free (state);
}

static GPrivate text_state = G_PRIVATE_INIT (text_state_free);

static TextState *
get_state (void)
{
  TextState *state = g_private_get (&text_state);
  cairo_font_options_t *options;

  if (state != NULL)
    return state;
  state = g_new0 (TextState, 1);
  state->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  state->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  options = cairo_font_options_create ();
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (state->context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (state->context, FALSE);
  g_private_set (&text_state, state);
  return state;
}

static double
style_size (const OvTheme *theme, OvTextStyle style)
{
  switch (style & OV_TEXT_SIZE_MASK)
    {
    case OV_TEXT_TITLE:
      return theme->title_size;
    case OV_TEXT_SMALL:
      return theme->small_size;
    default:
      return theme->label_size;
    }
}

static PangoLayout *
make_layout (PangoContext *context, const OvTheme *theme, OvTextStyle style, const char *text,
             double max_width, int max_lines, PangoAlignment align)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *font = pango_font_description_new ();
  gboolean bold = (style & OV_TEXT_BOLD) != 0 || (style & OV_TEXT_SIZE_MASK) == OV_TEXT_TITLE;
  int width;

  pango_font_description_set_family_static (font, "Sans");
  pango_font_description_set_absolute_size (font, style_size (theme, style) * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  if ((style & OV_TEXT_ITALIC) != 0)
    pango_font_description_set_style (font, PANGO_STYLE_ITALIC);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (layout, max_lines == 1);
  pango_layout_set_text (layout, valid, -1);
  pango_layout_set_alignment (layout, align);
  /* A width is set only where it is needed: a line of Arabic in a wide box would move to its right
   * end. */
  pango_layout_get_size (layout, &width, NULL);
  if (max_width > 0 && width > max_width * PANGO_SCALE)
    {
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, (int)(max_width * PANGO_SCALE));
      if (max_lines > 1)
        {
          pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
          pango_layout_set_height (layout, -max_lines);
        }
    }
  return layout;
}

PangoLayout *
ov_text_block (const OvTheme *theme, OvTextStyle style, const char *text, double max_width,
               int max_lines, PangoAlignment align)
{
  TextState *state = get_state ();
  g_autofree char *key = NULL;
  PangoLayout *layout;

  /* Tenths of a pixel are as exact as a key has to be. */
  key = g_strdup_printf ("%d %d %d %d %d %s", (int)(style_size (theme, style) * 100), (int)style,
                         (int)(MIN (max_width, 1e6) * 10), max_lines, (int)align, text);
  layout = g_hash_table_lookup (state->layouts, key);
  if (layout == NULL)
    {
      if (g_hash_table_size (state->layouts) >= MAX_LAYOUTS)
        g_hash_table_remove_all (state->layouts);
      layout = make_layout (state->context, theme, style, text, max_width, max_lines, align);
      g_hash_table_insert (state->layouts, g_steal_pointer (&key), layout);
    }
  return g_object_ref (layout);
}

PangoLayout *
ov_text_line (const OvTheme *theme, OvTextStyle style, const char *text, double max_width)
{
  return ov_text_block (theme, style, text, max_width, 1, PANGO_ALIGN_LEFT);
}

void
ov_text_get_size (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle box;

  pango_layout_get_extents (layout, NULL, &box);
  if (width != NULL)
    *width = box.width / (double)PANGO_SCALE;
  if (height != NULL)
    *height = box.height / (double)PANGO_SCALE;
}

double
ov_text_get_baseline (PangoLayout *layout)
{
  return pango_layout_get_baseline (layout) / (double)PANGO_SCALE;
}

void
ov_text_show (cairo_t *cr, PangoLayout *layout, const OvColor *color, double x, double y, double ax,
              double ay)
{
  PangoRectangle box;

  pango_layout_get_extents (layout, NULL, &box);
  cairo_set_source_rgb (cr, color->r, color->g, color->b);
  cairo_move_to (cr, x - (box.x + box.width * ax) / PANGO_SCALE,
                 y - (box.y + box.height * ay) / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

double
ov_text_get_line_height (const OvTheme *theme, OvTextStyle style)
{
  g_autoptr (PangoLayout) layout = ov_text_line (theme, style, "Ag", 0);
  double height;

  ov_text_get_size (layout, NULL, &height);
  return height;
}
