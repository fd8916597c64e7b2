/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile as a part of something larger.
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-profile.h"

G_BEGIN_DECLS

/** The member `key`, or NULL where there is none or a fault, which stays in the reader. */
OvProfile *ov_profile_read (OvJsonReader *parent, const char *key);

G_END_DECLS
