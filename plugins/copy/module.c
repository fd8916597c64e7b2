/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The copy family: whether bytes are copied on their way between memory and file.
 */
#include "overlap-strategy.h"

extern const OvStrategy strategy_direct;
extern const OvStrategy strategy_bytes;
extern const OvStrategy strategy_memcpy;
extern const OvStrategy strategy_pinned;
extern const OvStrategy strategy_registered;
extern const OvStrategy strategy_odirect;
extern const OvStrategy strategy_stdio;

OV_STRATEGIES (&strategy_direct, &strategy_bytes, &strategy_memcpy, &strategy_pinned,
               &strategy_registered, &strategy_odirect, &strategy_stdio);
