// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A text buffer with C source, in which comments, strings, directives and keywords are told apart
 * by weight and slant, so that it reads the same in every theme.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** The caller owns the buffer. Text that is not UTF-8 is shown with its faults replaced. */
GtkTextBuffer *ov_source_buffer_new (const char *source);

G_END_DECLS
