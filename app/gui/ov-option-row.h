// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A row of the settings for one option of a strategy, made from the option's entry in the
 * strategy's table: a number, a size, a switch or a choice.
 */
#pragma once

#include <adwaita.h>

#include "model/ov-strategy-info.h"

#include "gui/ov-run-settings.h"

G_BEGIN_DECLS

/** A row that shows and sets option number `index` of the strategy `info` in `settings`. `variant`
 * (may be NULL) is the experiment's line, whose own value shows until another one is set. Keeps
 * references to what it needs. */
GtkWidget *ov_option_row_new (OvRunSettings *settings, OvStrategyInfo *info, guint index,
                              const OvVariant *variant);

G_END_DECLS
