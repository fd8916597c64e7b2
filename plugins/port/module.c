/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The port family: the same register, directly, through a gate, and through a driver.
 */
#include "overlap-strategy.h"

extern const OvStrategy port_direct, port_iopl, port_gate, port_driver;

OV_STRATEGIES (&port_direct, &port_iopl, &port_gate, &port_driver);
