/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mmio family: registers of devices that lie in memory.
 */
#include "overlap-strategy.h"

extern const OvStrategy mmio_hpet, mmio_hpet_gate, mmio_pci;

OV_STRATEGIES (&mmio_hpet, &mmio_hpet_gate, &mmio_pci);
