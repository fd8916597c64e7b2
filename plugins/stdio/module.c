/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stdio family: what the C library offers for reading text.
 */
#include "overlap-strategy.h"

extern const OvStrategy stdio_getc;
extern const OvStrategy stdio_getc_unlocked;
extern const OvStrategy stdio_getline;
extern const OvStrategy stdio_fscanf;

OV_STRATEGIES (&stdio_getc, &stdio_getc_unlocked, &stdio_getline, &stdio_fscanf);
