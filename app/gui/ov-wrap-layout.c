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

/* Places the children from `first` up to before `end` in a line at `y`. */
static void
place_line (GtkWidget *first, GtkWidget *end, int y, int height, int width, int used)
{
  gboolean rtl = gtk_widget_get_direction (first) == GTK_TEXT_DIR_RTL;
  int spare = MAX (width - used, 0);
  int x = -OUTSIDE;

  for (GtkWidget *child = first; child != end; child = gtk_widget_get_next_sibling (child))
    {
      GtkAllocation allocation = { x, y, 0, height };

      if (!gtk_widget_should_layout (child))
        continue;
      fit (child, width, &allocation.width);
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

/* Whether a child is the last one and small, as a button beside texts. */
static gboolean
is_small_last (GtkWidget *child, int taken, int width)
{
  GtkWidget *next = gtk_widget_get_next_sibling (child);

  while (next != NULL && !gtk_widget_should_layout (next))
    next = gtk_widget_get_next_sibling (next);
  return next == NULL && taken * 5 <= width;
}

/* A line in the making, and what it was without its last child. */
typedef struct
{
  GtkWidget *first; /* NULL: it is empty */
  GtkWidget *last;
  int x;
  int height;
  int x_before;
  int height_before;
} Line;

static void
append (Line *line, GtkWidget *child, int taken, int height)
{
  line->first = line->first != NULL ? line->first : child;
  line->last = child;
  line->x_before = line->x;
  line->height_before = line->height;
  line->x += taken;
  line->height = MAX (line->height, height);
}

/* Walks through the lines of a box of `width`; returns their height. A small last child that has no
 * room takes the one before it along to the next line: it does not stand there alone, and no text
 * is cut for it. */
static int
walk (GtkWidget *widget, int width, gboolean placing)
{
  Line line = { NULL };
  int y = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int taken, height;

      if (!gtk_widget_should_layout (child))
        continue;
      height = fit (child, width, &taken);
      if (line.first != NULL && line.x + taken > width)
        {
          GtkWidget *last = line.last;
          Line next = { NULL };
          int of_last;
          const int height_of_last = fit (last, width, &of_last);

          if (last != line.first && is_small_last (child, taken, width) && of_last + taken <= width)
            {
              append (&next, last, of_last, height_of_last);
              line.x = line.x_before;
              line.height = line.height_before;
            }
          if (placing)
            place_line (line.first, next.first != NULL ? last : child, y, line.height, width,
                        line.x);
          y += line.height;
          line = next;
        }
      append (&line, child, taken, height);
    }
  if (line.first != NULL && placing)
    place_line (line.first, NULL, y, line.height, width, line.x);
  return y + line.height;
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
