// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A row of the settings for one strategy: whether it is run, why it cannot be, and its options.
 */
#pragma once

#include <adwaita.h>

#include "model/ov-strategy-info.h"

#include "gui/ov-run-settings.h"

G_BEGIN_DECLS

/** A row for `variant`. `info` may be NULL: the strategy is not known. `cause` (may be NULL) says
 * why it cannot run here. `style` as ov_theme_get_style(). */
GtkWidget *ov_strategy_row_new (OvRunSettings *settings, const OvVariant *variant,
                                OvStrategyInfo *info, const char *cause, int style);

G_END_DECLS
