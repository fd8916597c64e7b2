// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An empty window of libadwaita, of the size that is given: what window-cost holds the first frame
 * against. Prints the CPU time of its process until then, as overlap --report-first-frame does.
 */
#include <adwaita.h>
#include <stdio.h>
#include <time.h>

static int width = 1240;
static int height = 860;

static void
on_first_frame (GdkFrameClock *clock, GApplication *application)
{
  struct timespec cpu;

  g_signal_handlers_disconnect_by_func (clock, on_first_frame, application);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
  g_print ("first frame: %.1f ms of CPU\n", (double)cpu.tv_sec * 1e3 + (double)cpu.tv_nsec * 1e-6);
  g_application_quit (application);
}

static void
on_map (GtkWidget *window, GApplication *application)
{
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_first_frame),
                    application);
}

static void
on_activate (GApplication *application)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (application));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  g_signal_connect (window, "map", G_CALLBACK (on_map), application);
  gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) application
      = adw_application_new ("org.example.Bare", G_APPLICATION_NON_UNIQUE);

  if (argc > 1)
    sscanf (argv[1], "%dx%d", &width, &height);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
