// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The templates, style and icons that are built into the program.
 */
#pragma once

/** Makes them available; to be called once, before the first widget. */
void ov_resources_register (void);
