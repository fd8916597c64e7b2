// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Figures as text: units for a magnitude, and numbers in the locale's way. Private to the chart
 * library; keeps nothing.
 */
#pragma once

#include "chart/ov-axis.h"

G_BEGIN_DECLS

typedef struct
{
  double divisor;   /* base units in one of this */
  const char *text; /* translated, static; "" where the number stands alone */
} OvNumberUnit;

/** The unit that suits a value of `magnitude` base units: nanoseconds become ns, µs, ms or s. For
 * bytes the divisor is a power of 1024 and the text K, M, G or T (without a space before it). */
void ov_number_choose_unit (OvAxisUnit unit, double magnitude, OvNumberUnit *out);
/** `value` with `digits` significant digits, whole numbers never shortened: 1712, 15.9, 4.02. The
 * locale's decimal point; groups of three from 10000 on. The caller owns the text. */
char *ov_number_format (double value, int digits);
/** `value` with `decimals` digits behind the point. */
char *ov_number_format_decimals (double value, int decimals);
/** Decimals that a multiple of `step` needs to be told from its neighbours: 0.25 gives 2. At
 * most 9. */
int ov_number_decimals_for_step (double step);
/** Bytes in the largest unit that shows them with at most one decimal and exactly: 512, 64K, 1.5M,
 * 5000K; where none does, with three significant digits. */
char *ov_number_format_bytes (double bytes);

G_END_DECLS
