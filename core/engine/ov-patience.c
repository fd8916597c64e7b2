/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine's times of waiting.  A worker reports every 50 ms; everything here is far above that,
 * so that a machine under load is not taken for a broken worker.
 */
#include "config.h"

#include "engine/ov-patience-private.h"

OvPatience ov_patience = {
  .greet = 10000,
  .greet_remote = 120000,
  .describe = 10000,
  .preflight = 6000,
  .silence = 15000,
  .abort = 4000,
  .abort_total = 30000,
  .force = 4000,
  .close = 4000,
  .term = 500,
  .kill = 2000,
  .park = 120000,
};
