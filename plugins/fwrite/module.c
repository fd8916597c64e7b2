/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fwrite family: what a C library may make of fwrite().
 */
#include "overlap-strategy.h"

extern const OvStrategy fwrite_putc;
extern const OvStrategy fwrite_bulk;
extern const OvStrategy fwrite_blocks;
extern const OvStrategy fwrite_memcpy_align;
extern const OvStrategy fwrite_libc;
extern const OvStrategy fwrite_libc_setvbuf;

OV_STRATEGIES (&fwrite_putc, &fwrite_bulk, &fwrite_blocks, &fwrite_memcpy_align, &fwrite_libc,
               &fwrite_libc_setvbuf);
