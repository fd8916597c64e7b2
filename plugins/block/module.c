/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The block family: single blocks, each asked for by a request of its own, and what can be set up
 * once instead of each time.
 */
#include "overlap-strategy.h"

extern const OvStrategy block_pread, block_pread_direct, block_preadv2_nowait, block_libaio;
extern const OvStrategy block_uring, block_uring_registered, block_uring_sqpoll;
extern const OvStrategy block_uring_batched;

OV_STRATEGIES (&block_pread, &block_pread_direct, &block_preadv2_nowait, &block_libaio,
               &block_uring, &block_uring_registered, &block_uring_sqpoll, &block_uring_batched);
