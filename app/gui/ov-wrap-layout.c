// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWrapLayout: a greedy line breaker; one function walks through the children for measuring and
 * for placing.
 */
#include "config.h"

#include "gui/ov-wrap-layout.h"

struct _OvWrapLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (OvWrapLayout, ov_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
ov_wrap_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Height of a child in a line of `width`; its own width into *taken. */
static int
fit (GtkWidget *child, int width, int *taken)
{
  int minimum, natural, height;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  *taken = MAX (minimum, MIN (natural, width));
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, *taken, NULL, &height, NULL, NULL);
  return height;
}

/* A line begins one pixel outside of the box, so that the thin line which parts an item from the
 * one before it is cut off at the first item of a line. */
#define OUTSIDE 1

/* What a child can give up of the width that fit() gives it. */
static int
slack_of (GtkWidget *child, int width)
{
  int minimum, taken;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  fit (child, width, &taken);
  return taken - minimum;
}

static int
slack_of_line (GtkWidget *first, GtkWidget *end, int width)
{
  int slack = 0;

  for (GtkWidget *child = first; child != end; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      slack += slack_of (child, width);
  return slack;
}

/* Places the children from `first` up to before `end` in a line at `y`; where they are wider than
 * it, by what they can give up at most, each gives up its share. */
static void
place_line (GtkWidget *first, GtkWidget *end, int y, int height, int width, int used)
{
  gboolean rtl = gtk_widget_get_direction (first) == GTK_TEXT_DIR_RTL;
  int spare = MAX (width - used, 0);
  int excess = MAX (used - width, 0);
  int slack = excess > 0 ? slack_of_line (first, end, width) : 0;
  int x = -OUTSIDE;

  for (GtkWidget *child = first; child != end; child = gtk_widget_get_next_sibling (child))
    {
      GtkAllocation allocation = { x, y, 0, height };

      if (!gtk_widget_should_layout (child))
        continue;
      fit (child, width, &allocation.width);
      if (slack > 0)
        {
          const int own = slack_of (child, width);
          const int given = (int)(((gint64)excess * own + slack - 1) / slack);

          allocation.width -= MIN (given, MIN (own, excess));
          excess -= MIN (given, MIN (own, excess));
          slack -= own;
        }
      if (gtk_widget_get_hexpand (child))
        {
          allocation.width += spare;
          spare = 0;
        }
      x += allocation.width;
      if (rtl)
        allocation.x = width - x;
      gtk_widget_size_allocate (child, &allocation, -1);
    }
}

/* A small last child has no line of its own where the others can make room for it. */
static gboolean
squeezes_in (GtkWidget *first, GtkWidget *child, int taken, int excess, int width)
{
  GtkWidget *next = gtk_widget_get_next_sibling (child);

  while (next != NULL && !gtk_widget_should_layout (next))
    next = gtk_widget_get_next_sibling (next);
  return next == NULL && taken * 8 <= width && excess <= slack_of_line (first, child, width);
}

/* Walks through the lines of a box of `width`; returns their height. */
static int
walk (GtkWidget *widget, int width, gboolean placing)
{
  GtkWidget *first = NULL;
  int y = 0;
  int x = 0;
  int height = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int taken, h;

      if (!gtk_widget_should_layout (child))
        continue;
      h = fit (child, width, &taken);
      if (first != NULL && x + taken > width
          && !squeezes_in (first, child, taken, x + taken - width, width))
        {
          if (placing)
            place_line (first, child, y, height, width, x);
          y += height;
          x = height = 0;
          first = NULL;
        }
      if (first == NULL)
        first = child;
      x += taken;
      height = MAX (height, h);
    }
  if (first != NULL && placing)
    place_line (first, NULL, y, height, width, x);
  return y + height;
}

static void
ov_wrap_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                        int for_size, int *minimum, int *natural, int *minimum_baseline,
                        int *natural_baseline)
{
  int widest = 0;
  int total = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int m, n;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &m, &n, NULL, NULL);
      widest = MAX (widest, m);
      total += n;
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = widest;
      *natural = MAX (total, widest);
    }
  else
    *minimum = *natural = walk (widget, for_size >= 0 ? for_size : total, FALSE);
}

static void
ov_wrap_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                         int baseline)
{
  walk (widget, width, TRUE);
}

static void
ov_wrap_layout_class_init (OvWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = ov_wrap_layout_get_request_mode;
  layout_class->measure = ov_wrap_layout_measure;
  layout_class->allocate = ov_wrap_layout_allocate;
}

static void
ov_wrap_layout_init (OvWrapLayout *self)
{
}
