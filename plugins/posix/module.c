/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The posix family: read(2) and its relatives, one call after the other.
 */
#include "overlap-strategy.h"

extern const OvStrategy posix_read;
extern const OvStrategy posix_whole_file;
extern const OvStrategy posix_pread;
extern const OvStrategy posix_lseek_read;

OV_STRATEGIES (&posix_read, &posix_whole_file, &posix_pread, &posix_lseek_read);
