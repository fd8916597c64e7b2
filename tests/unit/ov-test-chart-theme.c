// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Colours, styles and tables: what the charts promise about being told apart and being read.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-table.h"
#include "chart/ov-theme.h"

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static void
to_oklab (const double rgb[3], double lab[3])
{
  double l = cbrt (0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
  double m = cbrt (0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
  double s = cbrt (0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);

  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Machado and others, 2009, severity 1: normal, protanopia, deuteranopia, tritanopia. */
static const double sights[4][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 },
    { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 },
    { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 },
    { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } },
};

static void
seen_as (const OvColor *c, guint sight, double lab[3])
{
  double rgb[3] = { linear (c->r), linear (c->g), linear (c->b) };
  double seen[3];

  for (guint i = 0; i < 3; i++)
    seen[i] = CLAMP (sights[sight][i][0] * rgb[0] + sights[sight][i][1] * rgb[1]
                         + sights[sight][i][2] * rgb[2],
                     0, 1);
  to_oklab (seen, lab);
}

static void
test_contrast (void)
{
  OvColor black = { 0, 0, 0 };
  OvColor white = { 1, 1, 1 };

  g_assert_cmpfloat_with_epsilon (ov_color_contrast (&black, &white), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (ov_color_contrast (&white, &white), 1, 1e-9);
  for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
    {
      const OvTheme *t = ov_theme_get ((OvThemeKind)kind, 1);

      g_assert_cmpfloat (ov_color_contrast (&t->text, &t->background), >=, 7);
      g_assert_cmpfloat (ov_color_contrast (&t->dim_text, &t->background), >=, 4.5);
      g_assert_cmpfloat (ov_color_contrast (&t->axis, &t->background), >=, 3);
      g_assert_cmpfloat (ov_color_contrast (&t->accent, &t->background), >=, 4.5);
      for (guint i = 0; i < 30; i++)
        {
          OvSeriesStyle style;
          OvColor line;

          ov_theme_get_style (t, i, &style);
          /* As a screen shows them: in whole steps. */
          line = ov_color_from_rgb (ov_color_to_rgb (&style.line));
          g_assert_cmpfloat (ov_color_contrast (&line, &t->background), >=, 3);
          line = ov_color_from_rgb (ov_color_to_rgb (&style.text));
          g_assert_cmpfloat (ov_color_contrast (&line, &t->background), >=, 4.5);
          /* An area must not hide its own line. */
          g_assert_cmpfloat (ov_color_contrast (&style.line, &style.fill), >=, 1.8);
        }
    }
  g_assert_cmpfloat (ov_color_contrast (&ov_theme_get (OV_THEME_HIGH_CONTRAST, 1)->text,
                                        &ov_theme_get (OV_THEME_HIGH_CONTRAST, 1)->background),
                     >=, 20);
}

static gboolean
same_dash (const OvSeriesStyle *a, const OvSeriesStyle *b)
{
  return a->n_dashes == b->n_dashes
         && memcmp (a->dashes, b->dashes, a->n_dashes * sizeof (double)) == 0;
}

static void
test_first_twelve_differ_in_everything (void)
{
  for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
    for (guint i = 0; i < OV_N_COLORS; i++)
      for (guint k = 0; k < i; k++)
        {
          const OvTheme *t = ov_theme_get ((OvThemeKind)kind, 1);
          OvSeriesStyle a, b;
          double la[3], lb[3];

          ov_theme_get_style (t, i, &a);
          ov_theme_get_style (t, k, &b);
          g_assert_cmpint (a.marker, !=, b.marker);
          g_assert_false (same_dash (&a, &b));
          seen_as (&a.line, 0, la);
          seen_as (&b.line, 0, lb);
          g_assert_cmpfloat (fabs (la[0] - lb[0]), >, 0.015);
        }
}

/* The figure that ov-theme.c states. */
static void
test_colour_blind_distance (void)
{
  for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
    {
      const OvTheme *t = ov_theme_get ((OvThemeKind)kind, 1);
      double least = 9;

      for (guint sight = 0; sight < 4; sight++)
        for (guint i = 0; i < OV_N_COLORS; i++)
          for (guint k = 0; k < i; k++)
            {
              double a[3], b[3];

              seen_as (&t->styles[i].line, sight, a);
              seen_as (&t->styles[k].line, sight, b);
              least = MIN (
                  least, sqrt (pow (a[0] - b[0], 2) + pow (a[1] - b[1], 2) + pow (a[2] - b[2], 2)));
            }
      g_test_message ("theme %d: least distance %.4f", kind, least);
      g_assert_cmpfloat (least, >=, kind <= OV_THEME_DARK ? 0.05 : 0.035);
    }
}

static void
test_styles_go_on (void)
{
  const OvTheme *t = ov_theme_get (OV_THEME_LIGHT, 1);

  for (guint i = 0; i < 144; i++)
    for (guint k = 0; k < i; k++)
      {
        OvSeriesStyle a, b;

        ov_theme_get_style (t, i, &a);
        ov_theme_get_style (t, k, &b);
        g_assert_true (a.marker != b.marker || !same_dash (&a, &b)
                       || ov_color_to_rgb (&a.line) != ov_color_to_rgb (&b.line));
        /* Of 24 lines those of one colour differ in both other signs. */
        if (i < 24 && i % 12 == k % 12)
          {
            g_assert_cmpint (a.marker, !=, b.marker);
            g_assert_false (same_dash (&a, &b));
          }
      }
}

static void
test_interned (void)
{
  const OvTheme *t = ov_theme_get (OV_THEME_DARK, 1.25);

  g_assert_true (t == ov_theme_get (OV_THEME_DARK, 1.25));
  g_assert_true (t != ov_theme_get (OV_THEME_DARK, 1.5));
  g_assert_true (t != ov_theme_get (OV_THEME_LIGHT, 1.25));
  g_assert_cmpfloat (t->label_size, >, ov_theme_get (OV_THEME_DARK, 1)->label_size);
  /* Held within limits, whatever comes. */
  g_assert_true (ov_theme_get (OV_THEME_LIGHT, 1000) == ov_theme_get (OV_THEME_LIGHT, 4));
  g_assert_true (ov_theme_get (OV_THEME_LIGHT, -1) == ov_theme_get (OV_THEME_LIGHT, 0.5));
  g_assert_true (ov_theme_get (OV_THEME_LIGHT, NAN) == ov_theme_get (OV_THEME_LIGHT, 1));
}

static void
test_boxed (void)
{
  const OvTheme *t = ov_theme_get (OV_THEME_LIGHT, 1);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, OV_TYPE_THEME);
  g_value_set_boxed (&value, t);
  g_assert_true (g_value_get_boxed (&value) == t);
  g_value_unset (&value);
  g_assert_cmpint (t->kind, ==, OV_THEME_LIGHT);
}

/* Each key leaves its colour in the box and nothing outside of it. */
static void
test_key (void)
{
  const OvTheme *t = ov_theme_get (OV_THEME_LIGHT, 1);

  for (guint i = 0; i < 24; i++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 60, 40);
      cairo_t *cr = cairo_create (surface);
      guint inside = 0;
      guint outside = 0;
      int stride = cairo_image_surface_get_stride (surface);

      ov_theme_draw_key (t, cr, i, 10, 10, 40, 20);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      for (int y = 0; y < 40; y++)
        for (int x = 0; x < 60; x++)
          if (cairo_image_surface_get_data (surface)[y * stride + 4 * x + 3] != 0)
            {
              if (x >= 10 && x < 50 && y >= 10 && y < 30)
                inside++;
              else
                outside++;
            }
      g_assert_cmpuint (inside, >, 40);
      g_assert_cmpuint (outside, ==, 0);
      cairo_surface_destroy (surface);
    }
}

static void
test_table (void)
{
  g_autoptr (OvTable) table = ov_table_new (NULL);

  ov_table_take_column (table, g_strdup ("size"));
  ov_table_take_column (table, NULL);
  g_assert_cmpuint (ov_table_add_row (table), ==, 0);
  g_assert_cmpuint (ov_table_add_row (table), ==, 1);
  ov_table_take_cell (table, 1, 0, g_strdup ("1000K"));
  ov_table_take_cell (table, 1, 0, g_strdup ("2000K"));
  g_assert_cmpstr (ov_table_get_title (table), ==, "");
  g_assert_cmpuint (ov_table_get_n_columns (table), ==, 2);
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 2);
  g_assert_cmpstr (ov_table_get_header (table, 0), ==, "size");
  g_assert_cmpstr (ov_table_get_header (table, 1), ==, "");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 0), ==, "2000K");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 1), ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/theme/contrast", test_contrast);
  g_test_add_func ("/chart/theme/first-twelve-differ", test_first_twelve_differ_in_everything);
  g_test_add_func ("/chart/theme/colour-blind", test_colour_blind_distance);
  g_test_add_func ("/chart/theme/styles-go-on", test_styles_go_on);
  g_test_add_func ("/chart/theme/interned", test_interned);
  g_test_add_func ("/chart/theme/boxed", test_boxed);
  g_test_add_func ("/chart/theme/key", test_key);
  g_test_add_func ("/chart/table", test_table);
  return g_test_run ();
}
