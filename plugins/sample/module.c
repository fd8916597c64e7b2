/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample family: polling at a rate.
 */
#include "overlap-strategy.h"

extern const OvStrategy sample_tsc;
extern const OvStrategy sample_vdso;
extern const OvStrategy sample_syscall;
extern const OvStrategy sample_port;
extern const OvStrategy sample_port_gate;
extern const OvStrategy sample_hpet;

OV_STRATEGIES (&sample_tsc, &sample_vdso, &sample_syscall, &sample_port, &sample_port_gate,
               &sample_hpet);
