// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where the names of the series go: the part of OvChart's layout that stands in ov-chart-names.c.
 */
#pragma once

#include "chart/ov-chart-private.h"

G_BEGIN_DECLS

/* In the order in which they are tried. */
typedef enum
{
  OV_NAMES_COLUMN,       /* all at the ends of the lines, in full */
  OV_NAMES_MIXED,        /* references in the plot, the others at the ends, in full */
  OV_NAMES_WRAPPED,      /* all at the ends, references on two lines */
  OV_NAMES_MIXED_SHORT,  /* references in the plot, the others at the ends, shortened */
  OV_NAMES_LEGEND_MIXED, /* references in the plot, the others in the legend */
  OV_NAMES_LEGEND,       /* all in the legend: never fails */
} OvNamePlaces;

#define OV_NAMES_LAST OV_NAMES_LEGEND

/** Fills the legend below `top` and returns its lower edge. */
double ov_chart_layout_legend (OvChart *self, OvChartLayout *layout, OvNamePlaces places,
                               double top, gboolean one_row);
/** Makes the names that go to the ends of the lines and takes their width off `right`. FALSE if the
 * plot would be too narrow. */
gboolean ov_chart_layout_column (OvChart *self, OvChartLayout *layout, OvNamePlaces places,
                                 double *right);
/** Places the names for the plot that is known now. FALSE where they find no room. */
gboolean ov_chart_layout_names (OvChart *self, OvChartLayout *layout, OvNamePlaces places);

G_END_DECLS
