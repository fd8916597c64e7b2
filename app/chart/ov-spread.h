// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Places labels beside each other without overlap, each as near as possible to where it belongs.
 * Private to the chart library.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double wanted; /* centre that it would like */
  double size;   /* extent, with the gap to its neighbour */
  double place;  /* out: centre that it gets */
} OvSpreadItem;

/** Places all items between `lo` and `hi`, in the order of their wishes (items of the same wish in
 * the order given). The sum of the squared shifts is the least possible. FALSE, and nothing is
 * placed, if there is not room for all. */
gboolean ov_spread (OvSpreadItem *items, guint n_items, double lo, double hi);

G_END_DECLS
