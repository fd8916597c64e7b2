// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The window's paintable is drawn by the renderer that the window has anyway. It is taken right
 * after a frame: between a request to draw and the drawing, a widget has no picture.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-screenshot.h"

typedef struct
{
  GtkWindow *window;
  char *path;
  double scale;
  OvScreenshotDone done;
  gpointer data;
} Request;

static gboolean
save (const Request *request, GError **error)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (request->window));
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (request->window));
  double width = gdk_paintable_get_intrinsic_width (paintable);
  double height = gdk_paintable_get_intrinsic_height (paintable);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gtk_snapshot_scale (snapshot, (float)request->scale, (float)request->scale);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL || renderer == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                           _ ("The window has no picture to save."));
      return FALSE;
    }
  texture = gsk_renderer_render_texture (renderer, node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float)(width * request->scale),
                                                              (float)(height * request->scale)));
  if (!gdk_texture_save_to_png (texture, request->path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Cannot write %s"), request->path);
      return FALSE;
    }
  return TRUE;
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  Request *request = data;
  g_autoptr (GError) error = NULL;

  g_signal_handlers_disconnect_by_func (clock, on_after_paint, data);
  save (request, &error);
  request->done (error, request->data);
  g_object_unref (request->window);
  g_free (request->path);
  g_free (request);
}

void
ov_screenshot_take (GtkWindow *window, const char *path, double scale, OvScreenshotDone done,
                    gpointer data)
{
  GdkFrameClock *clock;
  Request *request;

  if (!gtk_widget_get_mapped (GTK_WIDGET (window)))
    {
      g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED,
                                                      _ ("The window is not on the screen."));

      done (error, data);
      return;
    }
  request = g_new0 (Request, 1);
  request->window = g_object_ref (window);
  request->path = g_strdup (path);
  request->scale = scale;
  request->done = done;
  request->data = data;
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), request);
  gtk_widget_queue_draw (GTK_WIDGET (window));
}
