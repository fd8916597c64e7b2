/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first process of a virtual machine, and where it and the outside agree that things lie.
 */
#pragma once

#define OV_GUEST_WORKER  "/overlap/overlap-worker"
#define OV_GUEST_MODULES "/overlap/modules" /**< 00.ko, 01.ko, …: loaded in this order */
#define OV_GUEST_LIBS    "/overlap/libs"    /**< one line: folders of libraries, joined by ':' */
#define OV_GUEST_AS_SUDO "/overlap/as-sudo" /**< is there: the worker is overlap-hardware */

/** The port of QEMU's isa-debug-exit: whoever writes N to it ends QEMU with status 2 N + 1.  N is
 *  the worker's status plus one, since QEMU itself ends with 1 when something is wrong. */
#define OV_GUEST_STATUS_MOST 125
#define OV_GUEST_EXIT_PORT   0xf4

/** Serial lines: the console, and the worker's standard input and output. */
#define OV_GUEST_HOST    "emulated" /**< its name in results */
#define OV_GUEST_CONSOLE "/dev/ttyS0"
#define OV_GUEST_WIRE    "/dev/ttyS1"

/** The first byte on the wire: from then on every byte passes as it is, in both directions. */
#define OV_GUEST_READY '\006'

/** Loads the kernel's modules, runs the worker on the wire, and ends the machine with the worker's
 *  exit status.  For process 1 alone; never returns. */
void ov_guest_run (void) __attribute__ ((noreturn));
