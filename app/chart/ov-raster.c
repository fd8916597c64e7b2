// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRaster: a piece of line that is flatter than 45 degrees is painted column by column as a span
 * of height w × sqrt (1 + m²) (m is the slope: the height of a slanted band of width w), a steeper
 * one row by row in the same way, each end of a span blended by the part of the pixel that it
 * covers. Against the true area this is off by at most the slant within one pixel. Where there are
 * more points than columns, all pieces within a column become one span from the least to the
 * largest y, which costs the same for any number of points.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-raster.h"

void
ov_raster_init (OvRaster *self, cairo_surface_t *surface)
{
  g_return_if_fail (cairo_image_surface_get_format (surface) == CAIRO_FORMAT_RGB24);

  self->pixels = (guint32 *)(gpointer)cairo_image_surface_get_data (surface);
  self->stride = cairo_image_surface_get_stride (surface) / 4;
  self->n_columns = cairo_image_surface_get_width (surface);
  self->columns = g_new (float, (gsize)MAX (1, self->n_columns) * 3);
  self->x0 = 0;
  self->y0 = 0;
  self->x1 = self->n_columns;
  self->n_rows = cairo_image_surface_get_height (surface);
  self->y1 = self->n_rows;
}

void
ov_raster_clear (OvRaster *self)
{
  g_clear_pointer (&self->columns, g_free);
}

void
ov_raster_set_clip (OvRaster *self, double x0, double y0, double x1, double y1)
{
  self->x0 = (int)CLAMP (floor (x0), 0, self->n_columns);
  self->x1 = (int)CLAMP (ceil (x1), self->x0, self->n_columns);
  self->y0 = (int)CLAMP (floor (y0), 0, self->n_rows);
  self->y1 = (int)CLAMP (ceil (y1), self->y0, self->n_rows);
}

/* `a` from 0 to 256. Two channels at a time. */
static inline void
blend (guint32 *pixel, guint32 color, guint a)
{
  guint32 d = *pixel;
  guint32 rb = d & 0xff00ff;
  guint32 g = d & 0x00ff00;

  rb = (rb + ((((color & 0xff00ff) - rb) * a) >> 8)) & 0xff00ff;
  g = (g + ((((color & 0x00ff00) - g) * a) >> 8)) & 0x00ff00;
  *pixel = rb | g;
}

/* Column x from a to b, blended by `part` (0 to 1). */
static inline void
column_span (OvRaster *self, int x, float a, float b, float part, guint32 color)
{
  int ia;
  int ib;
  guint32 *p;
  guint full = (guint)(part * 256);

  a = MAX (a, (float)self->y0);
  b = MIN (b, (float)self->y1);
  if (!(b > a) || x < self->x0 || x >= self->x1)
    return;
  ia = (int)a;
  ib = (int)b;
  p = self->pixels + (gssize)ia * self->stride + x;
  if (ia == ib)
    {
      blend (p, color, (guint)((b - a) * part * 256));
      return;
    }
  blend (p, color, (guint)(((float)(ia + 1) - a) * part * 256));
  p += self->stride;
  if (full >= 256)
    for (int y = ia + 1; y < ib; y++, p += self->stride)
      *p = color;
  else
    for (int y = ia + 1; y < ib; y++, p += self->stride)
      blend (p, color, full);
  if (ib < self->y1)
    blend (p, color, (guint)((b - (float)ib) * part * 256));
}

/* Row y from a to b, blended by `part`. */
static inline void
row_span (OvRaster *self, int y, float a, float b, float part, guint32 color)
{
  int ia;
  int ib;
  guint32 *p;

  a = MAX (a, (float)self->x0);
  b = MIN (b, (float)self->x1);
  if (!(b > a) || y < self->y0 || y >= self->y1)
    return;
  ia = (int)a;
  ib = (int)b;
  p = self->pixels + (gssize)y * self->stride + ia;
  if (ia == ib)
    {
      blend (p, color, (guint)((b - a) * part * 256));
      return;
    }
  blend (p++, color, (guint)(((float)(ia + 1) - a) * part * 256));
  for (int x = ia + 1; x < ib; x++)
    blend (p++, color, (guint)(part * 256));
  if (ib < self->x1)
    blend (p, color, (guint)((b - (float)ib) * part * 256));
}

/* What pieces that meet within one column cover of it together: blending them one by one would
 * leave the background shining through. */
typedef struct
{
  int x;
  float part; /* of the column, 0: nothing */
  float lo;   /* mean edges, times part */
  float hi;
} Pending;

static void
pending_flush (OvRaster *self, Pending *pending, guint32 color)
{
  float part = pending->part;

  if (part > 0)
    column_span (self, pending->x, pending->lo / part, pending->hi / part, part > 0.996f ? 1 : part,
                 color);
  pending->part = 0;
}

static void
flat_segment (OvRaster *self, Pending *pending, const OvXY *p, const OvXY *q, double width,
              guint32 color)
{
  double m = (q->y - p->y) / (q->x - p->x);
  float half = (float)(width / 2 * sqrt (1 + m * m));
  int from = (int)MAX (floor (p->x), self->x0);
  int to = (int)MIN (floor (q->x), self->x1 - 1);

  for (int x = from; x <= to; x++)
    {
      double a = MAX (p->x, x);
      double b = MIN (q->x, x + 1);
      float y = (float)(p->y + ((a + b) / 2 - p->x) * m);

      float part = (float)(b - a);

      if (pending->part > 0 && pending->x != x)
        pending_flush (self, pending, color);
      if (part <= 0)
        continue;
      if (pending->part <= 0)
        *pending = (Pending){ .x = x };
      pending->part += part;
      pending->lo += (y - half) * part;
      pending->hi += (y + half) * part;
    }
}

static void
steep_segment (OvRaster *self, const OvXY *p, const OvXY *q, double width, guint32 color)
{
  const OvXY *top = p->y < q->y ? p : q;
  const OvXY *end = p->y < q->y ? q : p;
  double m = end->y > top->y ? (end->x - top->x) / (end->y - top->y) : 0;
  float half = (float)(width / 2 * sqrt (1 + m * m));
  /* A little beyond its ends, so that peaks are not cut off where two pieces meet. */
  double y0 = top->y - width * 0.35;
  double y1 = end->y + width * 0.35;
  int from = (int)MAX (floor (y0), self->y0);
  int to = (int)MIN (floor (y1), self->y1 - 1);

  for (int y = from; y <= to; y++)
    {
      double a = MAX (y0, y);
      double b = MIN (y1, y + 1);
      double middle = CLAMP ((a + b) / 2, top->y, end->y);
      float x = (float)(top->x + (middle - top->y) * m);

      row_span (self, y, x - half, x + half, (float)(b - a), color);
    }
}

/* Least and largest y of the line within each column. */
static void
collect_columns (OvRaster *self, const OvXY *points, guint n)
{
  for (int x = self->x0; x < self->x1; x++)
    {
      self->columns[3 * x] = G_MAXFLOAT;
      self->columns[3 * x + 1] = -G_MAXFLOAT;
    }
  for (guint i = 1; i < n; i++)
    {
      const OvXY *p = &points[i - 1];
      const OvXY *q = &points[i];
      double m = q->x - p->x > 1e-9 ? (q->y - p->y) / (q->x - p->x) : 0;
      int from = (int)MAX (floor (p->x), self->x0);
      int to = (int)MIN (floor (q->x), self->x1 - 1);

      for (int x = from; x <= to; x++)
        {
          float a = (float)(m != 0 ? p->y + (MAX (p->x, x) - p->x) * m : p->y);
          float b = (float)(m != 0 ? p->y + (MIN (q->x, x + 1) - p->x) * m : q->y);
          float *column = &self->columns[3 * x];

          column[0] = MIN (column[0], MIN (a, b));
          column[1] = MAX (column[1], MAX (a, b));
        }
    }
}

void
ov_raster_line (OvRaster *self, const OvXY *points, guint n, double width, const OvColor *color)
{
  guint32 rgb = ov_color_to_rgb (color);
  Pending pending = { 0 };

  if (n == 0 || self->x1 <= self->x0)
    return;
  if (n == 1)
    {
      ov_raster_box (self, points[0].x - width / 2, points[0].y - width / 2,
                     points[0].x + width / 2, points[0].y + width / 2, color);
      return;
    }
  if (n > 1.5 * (points[n - 1].x - points[0].x) + 16)
    {
      float half = (float)width / 2;

      collect_columns (self, points, n);
      for (int x = self->x0; x < self->x1; x++)
        if (self->columns[3 * x + 1] >= self->columns[3 * x])
          column_span (self, x, self->columns[3 * x] - half, self->columns[3 * x + 1] + half, 1,
                       rgb);
      return;
    }
  for (guint i = 1; i < n; i++)
    {
      const OvXY *p = &points[i - 1];
      const OvXY *q = &points[i];

      if (q->x < self->x0 - width || p->x > self->x1 + width)
        continue;
      if (fabs (q->y - p->y) <= q->x - p->x)
        flat_segment (self, &pending, p, q, width, rgb);
      else
        {
          pending_flush (self, &pending, rgb);
          steep_segment (self, p, q, width, rgb);
        }
    }
  pending_flush (self, &pending, rgb);
}

/* Mean y of the line over the part of each column that it covers, and that part; or the peak. */
static void
collect_area (OvRaster *self, const OvXY *points, guint n, double base, gboolean peaks)
{
  for (int x = self->x0 * 3; x < self->x1 * 3; x++)
    self->columns[x] = 0;
  for (guint i = 1; i < n; i++)
    {
      const OvXY *p = &points[i - 1];
      const OvXY *q = &points[i];
      double dx = q->x - p->x;
      double m = dx > 1e-9 ? (q->y - p->y) / dx : 0;
      int from = (int)MAX (floor (p->x), self->x0);
      int to = (int)MIN (floor (q->x), self->x1 - 1);

      for (int x = from; x <= to; x++)
        {
          double a = MAX (p->x, x);
          double b = MIN (q->x, x + 1);
          double ya = p->y + (a - p->x) * m;
          double yb = m != 0 ? p->y + (b - p->x) * m : q->y;
          float *column = &self->columns[3 * x];
          float far;

          column[0] += (float)((ya + yb) / 2 * (b - a));
          column[1] += (float)(b - a);
          far = (float)(fabs (ya - base) > fabs (yb - base) ? ya - base : yb - base);
          if (peaks && fabsf (far) > fabsf (column[2]))
            column[2] = far;
        }
    }
}

void
ov_raster_area (OvRaster *self, const OvXY *points, guint n, double base, gboolean peaks,
                const OvColor *color)
{
  guint32 rgb = ov_color_to_rgb (color);

  if (n < 2 || self->x1 <= self->x0)
    return;
  collect_area (self, points, n, base, peaks);
  for (int x = self->x0; x < self->x1; x++)
    {
      const float *column = &self->columns[3 * x];
      float part = MIN (1, column[1]);
      float y;

      if (!(part > 1e-4f))
        continue;
      y = peaks ? (float)base + column[2] : column[0] / column[1];
      if (part > 0.998f)
        part = 1;
      column_span (self, x, MIN (y, (float)base), MAX (y, (float)base), part, rgb);
    }
}

void
ov_raster_box (OvRaster *self, double x0, double y0, double x1, double y1, const OvColor *color)
{
  guint32 rgb = ov_color_to_rgb (color);
  int from = (int)MAX (floor (x0), self->x0);
  int to = (int)MIN (ceil (x1), self->x1);

  for (int x = from; x < to; x++)
    column_span (self, x, (float)y0, (float)y1, (float)(MIN (x1, x + 1) - MAX (x0, x)), rgb);
}
