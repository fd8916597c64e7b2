// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Figures as text. Everything is a double: no size wraps.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-number.h"

typedef struct
{
  double divisor;
  double from; /* the least magnitude for which the unit is taken */
  const char *text;
} UnitStep;

static const UnitStep duration_steps[] = {
  { 1e9, 1e9, N_ ("s") },
  { 1e6, 1e6, N_ ("ms") },
  { 1e3, 1e3, N_ ("µs") },
  { 1, 0, N_ ("ns") },
};

/* MB/s up to 10 GB/s: disks are compared in MB/s. */
static const UnitStep rate_steps[] = {
  { 1e12, 1e13, N_ ("TB/s") }, { 1e9, 1e10, N_ ("GB/s") }, { 1e6, 1e6, N_ ("MB/s") },
  { 1e3, 1e3, N_ ("kB/s") },   { 1, 0, N_ ("B/s") },
};

static const UnitStep hertz_steps[] = {
  { 1e9, 1e9, N_ ("GHz") },
  { 1e6, 1e6, N_ ("MHz") },
  { 1e3, 1e4, N_ ("kHz") },
  { 1, 0, N_ ("Hz") },
};

static const UnitStep byte_steps[] = {
  { 1099511627776.0, 1099511627776.0, N_ ("T") },
  { 1073741824.0, 1073741824.0, N_ ("G") },
  { 1048576.0, 1048576.0, N_ ("M") },
  { 1024.0, 1024.0, N_ ("K") },
  { 1, 0, "" },
};

static void
choose (const UnitStep *steps, guint n, double magnitude, OvNumberUnit *out)
{
  guint i = 0;

  while (i + 1 < n && !(magnitude >= steps[i].from))
    i++;
  out->divisor = steps[i].divisor;
  out->text = steps[i].text[0] != '\0' ? _ (steps[i].text) : "";
}

void
ov_number_choose_unit (OvAxisUnit unit, double magnitude, OvNumberUnit *out)
{
  magnitude = fabs (magnitude);
  switch (unit)
    {
    case OV_UNIT_DURATION:
      choose (duration_steps, G_N_ELEMENTS (duration_steps), magnitude, out);
      break;
    case OV_UNIT_RATE:
      choose (rate_steps, G_N_ELEMENTS (rate_steps), magnitude, out);
      break;
    case OV_UNIT_HERTZ:
      choose (hertz_steps, G_N_ELEMENTS (hertz_steps), magnitude, out);
      break;
    case OV_UNIT_BYTES:
      choose (byte_steps, G_N_ELEMENTS (byte_steps), magnitude, out);
      break;
    case OV_UNIT_PERCENT:
      out->divisor = 1;
      out->text = _ ("%");
      break;
    case OV_UNIT_NONE:
    default:
      out->divisor = 1;
      out->text = "";
      break;
    }
}

char *
ov_number_format_decimals (double value, int decimals)
{
  /* No "-0". */
  if (fabs (value) < 0.5 * pow (10, -decimals))
    value = 0;
  if (fabs (value) >= 1e15)
    return g_strdup_printf ("%.3g", value);
  /* Four digits read well in one piece. */
  if (fabs (value) >= 10000)
    return g_strdup_printf ("%'.*f", decimals, value);
  return g_strdup_printf ("%.*f", decimals, value);
}

char *
ov_number_format (double value, int digits)
{
  double magnitude = fabs (value);
  int before;

  if (isnan (value))
    return g_strdup ("–");
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "-∞");
  if (magnitude == 0)
    return g_strdup ("0");
  if (magnitude < 1e-6)
    return g_strdup_printf ("%.*g", digits, value);
  before = (int)floor (log10 (magnitude)) + 1;
  /* 9.996 becomes 10.0, not 10.00. */
  if (round (magnitude * pow (10, digits - before)) >= pow (10, digits))
    before++;
  if (magnitude < 1e9 && magnitude == floor (magnitude))
    return ov_number_format_decimals (value, 0);
  return ov_number_format_decimals (value, CLAMP (digits - before, 0, 9));
}

int
ov_number_decimals_for_step (double step)
{
  int decimals = 0;

  step = fabs (step);
  while (decimals < 9)
    {
      double scaled = step * pow (10, decimals);

      if (fabs (scaled - round (scaled)) < 1e-6 * scaled)
        break;
      decimals++;
    }
  return decimals;
}

char *
ov_number_format_bytes (double bytes)
{
  OvNumberUnit unit;
  g_autofree char *number = NULL;

  for (guint i = 0; i + 1 < G_N_ELEMENTS (byte_steps); i++)
    {
      double scaled = bytes / byte_steps[i].divisor;
      double tenths = scaled * 10;

      if (fabs (scaled) < 1 || tenths != floor (tenths))
        continue;
      number = ov_number_format_decimals (scaled, scaled == floor (scaled) ? 0 : 1);
      return g_strconcat (number, _ (byte_steps[i].text), NULL);
    }
  ov_number_choose_unit (OV_UNIT_BYTES, bytes, &unit);
  number = ov_number_format (bytes / unit.divisor, 3);
  return g_strconcat (number, unit.text, NULL);
}
