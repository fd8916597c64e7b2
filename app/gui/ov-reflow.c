// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvReflow: height follows from width; the minimum width is that of the wider child, so that the
 * widget can always become narrow.
 */
#include "config.h"

#include "gui/ov-reflow.h"

struct _OvReflow
{
  GtkWidget parent_instance;

  int threshold;
  int spacing;
  double share;
  gboolean wide;
};

static void ov_reflow_buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvReflow, ov_reflow, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, ov_reflow_buildable_init))

enum
{
  PROP_0,
  PROP_THRESHOLD,
  PROP_SPACING,
  PROP_SHARE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static GtkBuildableIface *parent_buildable;

/* The visible children, at most two. */
static guint
get_children (OvReflow *self, GtkWidget *children[2])
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL && n < 2;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      children[n++] = child;
  return n;
}

/* Widths of both children where they stand side by side. */
static void
split (OvReflow *self, int width, int minimum0, int minimum1, int *width0, int *width1)
{
  int room = MAX (width - self->spacing, 0);
  int first = (int)(self->share * room);

  first = MAX (first, minimum0);
  if (room - first < minimum1)
    first = MAX (room - minimum1, minimum0);
  *width0 = first;
  *width1 = MAX (room - first, minimum1);
}

static int
minimum_width (GtkWidget *child)
{
  int minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static gboolean
is_wide (OvReflow *self, int width, GtkWidget *children[2])
{
  return width >= self->threshold
         && width >= minimum_width (children[0]) + minimum_width (children[1]) + self->spacing;
}

static void
measure_height (OvReflow *self, int for_width, int *minimum, int *natural)
{
  GtkWidget *children[2];
  guint n = get_children (self, children);
  int w[2] = { for_width, for_width };
  gboolean wide = n == 2 && for_width >= 0 && is_wide (self, for_width, children);

  if (wide)
    split (self, for_width, minimum_width (children[0]), minimum_width (children[1]), &w[0], &w[1]);
  *minimum = *natural = 0;
  for (guint i = 0; i < n; i++)
    {
      int m, nat;

      gtk_widget_measure (children[i], GTK_ORIENTATION_VERTICAL, w[i], &m, &nat, NULL, NULL);
      *minimum = wide ? MAX (*minimum, m) : *minimum + m;
      *natural = wide ? MAX (*natural, nat) : *natural + nat;
    }
  if (!wide && n == 2)
    {
      *minimum += self->spacing;
      *natural += self->spacing;
    }
}

static void
ov_reflow_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  OvReflow *self = OV_REFLOW (widget);
  GtkWidget *children[2];
  guint n;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      measure_height (self, for_size, minimum, natural);
      return;
    }
  n = get_children (self, children);
  *minimum = *natural = 0;
  for (guint i = 0; i < n; i++)
    {
      int m, nat;

      gtk_widget_measure (children[i], GTK_ORIENTATION_HORIZONTAL, -1, &m, &nat, NULL, NULL);
      *minimum = MAX (*minimum, m);
      *natural += nat + (i > 0 ? self->spacing : 0);
    }
}

static void
place (GtkWidget *child, int x, int y, int width, int height)
{
  GtkAllocation allocation = { x, y, width, height };

  gtk_widget_size_allocate (child, &allocation, -1);
}

static void
ov_reflow_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OvReflow *self = OV_REFLOW (widget);
  GtkWidget *children[2];
  guint n = get_children (self, children);

  self->wide = n == 2 && is_wide (self, width, children);
  if (n == 1)
    place (children[0], 0, 0, width, height);
  else if (self->wide)
    {
      gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
      int w0, w1;

      split (self, width, minimum_width (children[0]), minimum_width (children[1]), &w0, &w1);
      place (children[0], rtl ? width - w0 : 0, 0, w0, height);
      place (children[1], rtl ? 0 : width - w1, 0, w1, height);
    }
  else if (n == 2)
    {
      int min0, min1, nat0, nat1, extra, h0;

      gtk_widget_measure (children[0], GTK_ORIENTATION_VERTICAL, width, &min0, &nat0, NULL, NULL);
      gtk_widget_measure (children[1], GTK_ORIENTATION_VERTICAL, width, &min1, &nat1, NULL, NULL);
      /* What is more or less than natural is shared in the ratio of the natural heights. */
      extra = height - self->spacing - nat0 - nat1;
      h0 = nat0 + (int)((double)extra * nat0 / MAX (nat0 + nat1, 1));
      h0 = CLAMP (h0, min0, MAX (min0, height - self->spacing - min1));
      place (children[0], 0, 0, width, h0);
      place (children[1], 0, h0 + self->spacing, width, MAX (height - self->spacing - h0, min1));
    }
}

static GtkSizeRequestMode
ov_reflow_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ov_reflow_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  if (GTK_IS_WIDGET (child))
    gtk_widget_set_parent (GTK_WIDGET (child), GTK_WIDGET (buildable));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
ov_reflow_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = ov_reflow_add_child;
}

static void
ov_reflow_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OvReflow *self = OV_REFLOW (object);

  switch (id)
    {
    case PROP_THRESHOLD:
      self->threshold = g_value_get_int (value);
      break;
    case PROP_SPACING:
      self->spacing = g_value_get_int (value);
      break;
    case PROP_SHARE:
      self->share = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
ov_reflow_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ov_reflow_parent_class)->dispose (object);
}

static void
ov_reflow_class_init (OvReflowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = ov_reflow_set_property;
  object_class->dispose = ov_reflow_dispose;
  widget_class->measure = ov_reflow_measure;
  widget_class->size_allocate = ov_reflow_size_allocate;
  widget_class->get_request_mode = ov_reflow_get_request_mode;
  properties[PROP_THRESHOLD] = g_param_spec_int ("threshold", NULL, NULL, 0, G_MAXINT, 640,
                                                 G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 12,
                                               G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHARE] = g_param_spec_double ("share", NULL, NULL, 0.1, 0.9, 0.65,
                                                G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ov_reflow_init (OvReflow *self)
{
  self->threshold = 640;
  self->spacing = 12;
  self->share = 0.65;
}

gboolean
ov_reflow_is_wide (OvReflow *self)
{
  g_return_val_if_fail (OV_IS_REFLOW (self), FALSE);
  return self->wide;
}
