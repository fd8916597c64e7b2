// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The window's paintable is drawn by the renderer that the window has anyway.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-screenshot.h"

gboolean
ov_screenshot_save (GtkWindow *window, const char *path, double scale, GError **error)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  double width = gdk_paintable_get_intrinsic_width (paintable);
  double height = gdk_paintable_get_intrinsic_height (paintable);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gtk_snapshot_scale (snapshot, (float)scale, (float)scale);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL || renderer == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                           _ ("The window is not on the screen."));
      return FALSE;
    }
  texture = gsk_renderer_render_texture (
      renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)(width * scale), (float)(height * scale)));
  if (!gdk_texture_save_to_png (texture, path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Cannot write %s"), path);
      return FALSE;
    }
  return TRUE;
}
