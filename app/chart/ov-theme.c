// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTheme: twelve hues around the OKLCH circle, each on a lightness of its own.
 *
 * Where the colours come from: OKLab (B. Ottosson, "A perceptual color space for image processing",
 * 2020) has a lightness that can be trusted across hues. The twelve lightness steps between the
 * darkest and the lightest that a background allows (3:1 contrast) were dealt out to the hues, once
 * for light and once for dark backgrounds, so that the smallest OKLab distance between any two of
 * the twelve is as large as a search could make it, under normal sight and under simulated
 * protanopia, deuteranopia and tritanopia (G. Machado and others, "A physiologically-based model
 * for simulation of color vision deficiency", 2009), the first six counting twice. It is 0.056 for
 * the light and 0.058 for the dark deal; tests/unit/ov-test-chart-theme.c computes it anew.
 * Dash and marker differ as well, so that a print in grey tells the lines apart too.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-paint.h"
#include "chart/ov-theme.h"

typedef struct
{
  double hue; /* degrees */
  double chroma;
  int light; /* which of the twelve lightness steps, 0 the darkest */
  int dark;
} HueSlot;

static const HueSlot hue_slots[OV_N_COLORS] = {
  { 258, 0.170, 5, 5 },  /* blue */
  { 52, 0.160, 10, 6 },  /* orange */
  { 150, 0.150, 9, 11 }, /* green */
  { 318, 0.180, 1, 0 },  /* purple */
  { 270, 0.012, 7, 7 },  /* grey */
  { 27, 0.190, 0, 1 },   /* red */
  { 228, 0.130, 11, 9 }, /* azure */
  { 82, 0.130, 6, 8 },   /* amber */
  { 355, 0.190, 4, 4 },  /* pink */
  { 115, 0.130, 3, 10 }, /* olive */
  { 288, 0.190, 8, 3 },  /* violet */
  { 188, 0.110, 2, 2 },  /* teal */
};

/* In pixels at a line width of 1.8. */
static const double dash_table[OV_N_DASHES][OV_MAX_DASH_PARTS + 1] = {
  { 0 },                          /* solid */
  { 7, 3 },                       /* dashed */
  { 1.5, 2.5 },                   /* dotted */
  { 8, 3, 1.5, 3 },               /* dash dot */
  { 13, 4 },                      /* long */
  { 7, 2.5, 1.5, 2.5, 1.5, 2.5 }, /* dash dot dot */
  { 4, 2 },                       /* short */
  { 12, 3, 4, 3 },                /* long short */
  { 5, 6 },                       /* sparse */
  { 15, 3, 1.5, 3 },              /* long dot */
  { 4, 2, 4, 6 },                 /* pairs */
  { 1.5, 2, 1.5, 6 },             /* pairs of dots */
};

typedef struct
{
  guint32 background;
  guint32 text;
  guint32 dim_text;
  guint32 grid;
  guint32 axis;
  guint32 accent;
  double lightness_lo; /* OKLab lightness of the darkest and lightest series */
  double lightness_hi;
  gboolean dark;
  double line_width;
  double fill; /* share of the line's colour in an area */
} ThemeSource;

/* Backgrounds are libadwaita's view colours, so that a chart does not stand out as a box. */
static const ThemeSource sources[OV_THEME_N_KINDS] = {
  { 0xffffff, 0x2e2e33, 0x68686d, 0xe4e4e6, 0x77767b, 0xc01c28, 0.34, 0.64, FALSE, 1.9, 0.17 },
  { 0x1e1e1e, 0xf0f0f0, 0xa9a9ae, 0x3a3a3d, 0x8f8f94, 0xff7b63, 0.58, 0.92, TRUE, 1.9, 0.24 },
  { 0xffffff, 0x000000, 0x303033, 0xb0b0b4, 0x000000, 0xa00012, 0.28, 0.54, FALSE, 2.6, 0.25 },
  { 0x000000, 0xffffff, 0xd8d8dc, 0x5e5e62, 0xffffff, 0xff9a8a, 0.68, 0.95, TRUE, 2.6, 0.32 },
  { 0xffffff, 0x000000, 0x4a4a4f, 0xd8d8da, 0x4a4a4f, 0xa51d2d, 0.30, 0.60, FALSE, 1.7, 0.20 },
};

static OvTheme *
theme_copy (OvTheme *theme)
{
  return theme;
}

static void
theme_free (OvTheme *theme)
{
}

G_DEFINE_BOXED_TYPE (OvTheme, ov_theme, theme_copy, theme_free)

OvColor
ov_color_from_rgb (guint32 rgb)
{
  OvColor c = { ((rgb >> 16) & 0xff) / 255.0, ((rgb >> 8) & 0xff) / 255.0, (rgb & 0xff) / 255.0 };

  return c;
}

guint32
ov_color_to_rgb (const OvColor *color)
{
  guint32 r = (guint32)lround (CLAMP (color->r, 0, 1) * 255);
  guint32 g = (guint32)lround (CLAMP (color->g, 0, 1) * 255);
  guint32 b = (guint32)lround (CLAMP (color->b, 0, 1) * 255);

  return r << 16 | g << 8 | b;
}

OvColor
ov_color_mix (const OvColor *a, const OvColor *b, double t)
{
  OvColor c = { a->r + (b->r - a->r) * t, a->g + (b->g - a->g) * t, a->b + (b->b - a->b) * t };

  return c;
}

/* IEC 61966-2-1, both ways. */
static double
linear_from_srgb (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
srgb_from_linear (double c)
{
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow (c, 1 / 2.4) - 0.055;
}

static double
luminance (const OvColor *c)
{
  return 0.2126 * linear_from_srgb (c->r) + 0.7152 * linear_from_srgb (c->g)
         + 0.0722 * linear_from_srgb (c->b);
}

double
ov_color_contrast (const OvColor *a, const OvColor *b)
{
  double la = luminance (a);
  double lb = luminance (b);

  return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}

/* OKLCH to linear sRGB, by the matrices of Ottosson's paper; parts may lie outside of 0 to 1. */
static void
linear_from_oklch (double lightness, double chroma, double hue, double rgb[3])
{
  double a = chroma * cos (hue * G_PI / 180);
  double b = chroma * sin (hue * G_PI / 180);
  double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  double s = lightness - 0.0894841775 * a - 1.2914855480 * b;

  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

/* The colour of that lightness and hue with as much of the chroma as sRGB can show. */
static OvColor
color_from_oklch (double lightness, double chroma, double hue)
{
  OvColor c;
  double rgb[3];

  for (;; chroma -= 0.002)
    {
      linear_from_oklch (lightness, MAX (chroma, 0), hue, rgb);
      if (chroma <= 0)
        break;
      if (rgb[0] >= -1e-4 && rgb[0] <= 1.0001 && rgb[1] >= -1e-4 && rgb[1] <= 1.0001
          && rgb[2] >= -1e-4 && rgb[2] <= 1.0001)
        break;
    }
  c.r = srgb_from_linear (CLAMP (rgb[0], 0, 1));
  c.g = srgb_from_linear (CLAMP (rgb[1], 0, 1));
  c.b = srgb_from_linear (CLAMP (rgb[2], 0, 1));
  return c;
}

/* Moves the lightness away from the background until the contrast is reached. */
static OvColor
readable_color (const HueSlot *slot, double lightness, const OvColor *background, gboolean dark,
                double contrast)
{
  OvColor c = color_from_oklch (lightness, slot->chroma, slot->hue);

  while (ov_color_contrast (&c, background) < contrast && lightness > 0.01 && lightness < 0.99)
    {
      lightness += dark ? 0.005 : -0.005;
      c = color_from_oklch (lightness, slot->chroma, slot->hue);
    }
  return c;
}

static void
fill_style (OvTheme *theme, const ThemeSource *source, guint i)
{
  OvSeriesStyle *style = &theme->styles[i];
  const HueSlot *slot = &hue_slots[i];
  int step = source->dark ? slot->dark : slot->light;
  double range = source->lightness_hi - source->lightness_lo;
  double lightness = source->lightness_lo + range * step / (OV_N_COLORS - 1);

  /* A little more than is promised: colours are rounded to whole eighths of a byte by a screen. */
  style->line = readable_color (slot, lightness, &theme->background, source->dark, 3.02);
  style->text = readable_color (slot, lightness, &theme->background, source->dark, 4.55);
  style->fill = ov_color_mix (&theme->background, &style->line, source->fill);
  style->marker = (OvMarker)i;
  for (guint k = 0; k < OV_MAX_DASH_PARTS && dash_table[i][k] > 0; k++)
    style->dashes[style->n_dashes++] = dash_table[i][k] * source->line_width / 1.8;
}

static OvTheme *
theme_build (OvThemeKind kind, double font_scale)
{
  const ThemeSource *source = &sources[kind];
  OvTheme *theme = g_new0 (OvTheme, 1);

  theme->kind = kind;
  theme->font_scale = font_scale;
  theme->background = ov_color_from_rgb (source->background);
  theme->text = ov_color_from_rgb (source->text);
  theme->dim_text = ov_color_from_rgb (source->dim_text);
  theme->grid = ov_color_from_rgb (source->grid);
  theme->axis = ov_color_from_rgb (source->axis);
  theme->accent = ov_color_from_rgb (source->accent);
  theme->title_size = 13 * font_scale;
  theme->label_size = 11.5 * font_scale;
  theme->small_size = 11 * font_scale;
  theme->line_width = source->line_width;
  theme->marker_size = 7 * (1 + (font_scale - 1) / 2) * (source->line_width > 2 ? 1.2 : 1);
  for (guint i = 0; i < OV_N_COLORS; i++)
    fill_style (theme, source, i);
  return theme;
}

const OvTheme *
ov_theme_get (OvThemeKind kind, double font_scale)
{
  static GMutex lock;
  static GHashTable *themes[OV_THEME_N_KINDS];
  int key;
  const OvTheme *theme;

  g_return_val_if_fail ((int)kind >= 0 && (int)kind < OV_THEME_N_KINDS, NULL);

  /* Steps of a hundredth: the table stays small whatever is asked for. */
  key = isnan (font_scale) ? 100 : (int)lround (CLAMP (font_scale, 0.5, 4) * 100);
  g_mutex_lock (&lock);
  if (themes[kind] == NULL)
    themes[kind] = g_hash_table_new (NULL, NULL);
  theme = g_hash_table_lookup (themes[kind], GINT_TO_POINTER (key));
  if (theme == NULL)
    {
      theme = theme_build (kind, key / 100.0);
      g_hash_table_insert (themes[kind], GINT_TO_POINTER (key), (gpointer)theme);
    }
  g_mutex_unlock (&lock);
  return theme;
}

void
ov_theme_get_style (const OvTheme *theme, guint index, OvSeriesStyle *style)
{
  guint base = index % OV_N_COLORS;
  guint round = index / OV_N_COLORS;
  const OvSeriesStyle *other;

  g_return_if_fail (theme != NULL && style != NULL);

  *style = theme->styles[base];
  /* 5 and 7 have no factor in common with 12: each round gives every colour a new pair. */
  style->marker = (OvMarker)((base + round * 5) % OV_N_MARKERS);
  other = &theme->styles[(base + round * 7) % OV_N_DASHES];
  style->n_dashes = other->n_dashes;
  memcpy (style->dashes, other->dashes, sizeof style->dashes);
}

void
ov_theme_draw_key (const OvTheme *theme, cairo_t *cr, guint index, double x, double y, double width,
                   double height)
{
  OvSeriesStyle style;

  g_return_if_fail (theme != NULL && cr != NULL);

  ov_theme_get_style (theme, index, &style);
  cairo_save (cr);
  ov_paint_line_key (cr, theme, &style, x, y, width, height);
  cairo_restore (cr);
}
