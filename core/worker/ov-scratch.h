/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch files.  A child lays one out and then lives on as its holder: the file has no name, and
 * the runs reopen it as /proc/<holder>/fd/N.  When the holder dies, the space is given back,
 * whatever killed it.  The session itself holds no descriptor of a target, for closing one can
 * hang for ever (a FUSE file whose server has stopped).
 */
#pragma once

#include "worker/ov-shared.h"

G_BEGIN_DECLS

typedef struct
{
  const char *folder;
  guint64 size;
  guint64 seed;
  char letter;
  double density;
  gboolean empty; /**< make it, see that there is room for `size` bytes, write nothing */
} OvScratchOrder;

/** In the child.  On success never returns: the child holds the file until it is killed. */
void ov_scratch_child (const OvScratchOrder *order, OvShared *shared);

G_END_DECLS
