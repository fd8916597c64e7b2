// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Keeps what the user chose for experiments in the program's settings, from one start to the next:
 * the target, and which strategies are run.
 */
#pragma once

#include "gui/ov-run-settings.h"

G_BEGIN_DECLS

/** The folder where scratch files go unless another one is chosen. The caller owns it. */
char *ov_choices_dup_own_folder (void);
/** Sets what was kept for the experiment of `settings`. */
void ov_choices_load (OvRunSettings *settings);
/** Keeps what is chosen now; `strategies` is what is known of them, or NULL. */
void ov_choices_save (OvRunSettings *settings, GPtrArray *strategies);

G_END_DECLS
