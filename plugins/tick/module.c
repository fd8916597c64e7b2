/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tick family: being woken at a rate.
 */
#include "overlap-strategy.h"

extern const OvStrategy tick_timerfd;
extern const OvStrategy tick_posix_timer;
extern const OvStrategy tick_nanosleep;
extern const OvStrategy tick_spin;
extern const OvStrategy tick_rtc;

OV_STRATEGIES (&tick_timerfd, &tick_posix_timer, &tick_nanosleep, &tick_spin, &tick_rtc);
