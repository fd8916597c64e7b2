/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the protocol: however the bytes come, the same lines; never more than the limit held;
 * snapshots.
 */
#include "config.h"

#include <math.h>

#include "base/ov-random.h"
#include "ov-test-model.h"

/* All lines that a stream gives when it comes in pieces of `piece` bytes, each ended by '|'. */
static char *
split (const char *stream, gsize length, gsize piece)
{
  g_autoptr (OvLineReader) reader = ov_line_reader_new ();
  GString *lines = g_string_new (NULL);
  gsize at;

  for (at = 0; at < length; at += piece)
    {
      g_autoptr (GError) error = NULL;
      char *line;

      g_assert_true (ov_line_reader_push (reader, stream + at, MIN (piece, length - at), &error));
      g_assert_no_error (error);
      while ((line = ov_line_reader_pop (reader)) != NULL)
        {
          g_string_append (lines, line);
          g_string_append_c (lines, '|');
          g_free (line);
        }
    }
  return g_string_free (lines, FALSE);
}

static void
test_pieces (void)
{
  static const char stream[] = "\n{\"a\":1}\n\n{}\n  x\ntail";
  gsize piece;

  for (piece = 1; piece <= sizeof stream; piece++)
    {
      g_autofree char *lines = split (stream, sizeof stream - 1, piece);

      g_assert_cmpstr (lines, ==, "|{\"a\":1}||{}|  x|");
    }
}

/* Many lines pushed before the first is taken, and taken in turns. */
static void
test_backlog (void)
{
  g_autoptr (OvLineReader) reader = ov_line_reader_new ();
  OvRandom random;
  guint pushed = 0;
  guint popped = 0;

  ov_random_init (&random, 3);
  while (popped < 20000)
    {
      guint64 n = ov_random_below (&random, 50);
      guint64 m = ov_random_below (&random, 60);

      for (; n > 0 && pushed < 20000; n--)
        {
          g_autofree char *text = g_strdup_printf ("line %u\n", pushed++);

          g_assert_true (ov_line_reader_push (reader, text, strlen (text), NULL));
        }
      for (; m > 0 && popped < pushed; m--)
        {
          g_autofree char *line = ov_line_reader_pop (reader);
          g_autofree char *wanted = g_strdup_printf ("line %u", popped++);

          g_assert_cmpstr (line, ==, wanted);
        }
    }
  g_assert_null (ov_line_reader_pop (reader));
}

static void
test_limit (void)
{
  g_autofree char *half = g_strnfill (OV_MESSAGE_MAX / 2, 'x');
  g_autoptr (OvLineReader) reader = ov_line_reader_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;

  g_assert_true (ov_line_reader_push (reader, half, OV_MESSAGE_MAX / 2, NULL));
  g_assert_true (ov_line_reader_push (reader, half, OV_MESSAGE_MAX / 2, NULL));
  g_assert_null (ov_line_reader_pop (reader));
  g_assert_true (ov_line_reader_push (reader, "\ny", 2, NULL)); /* exactly the limit */
  line = ov_line_reader_pop (reader);
  g_assert_cmpuint (strlen (line), ==, OV_MESSAGE_MAX);
  g_assert_true (ov_line_reader_push (reader, half, OV_MESSAGE_MAX / 2, NULL));
  g_assert_false (ov_line_reader_push (reader, half, OV_MESSAGE_MAX / 2, &error));
  test_error (error, OV_ERROR_PROTOCOL, "longer than 4 MiB");
  g_clear_error (&error);
  g_assert_false (ov_line_reader_push (reader, "\n", 1, &error)); /* for good */
  test_error (error, OV_ERROR_PROTOCOL, "longer");
}

static void
test_nul (void)
{
  g_autoptr (OvLineReader) reader = ov_line_reader_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (ov_line_reader_push (reader, "", 0, NULL));
  g_assert_false (ov_line_reader_push (reader, "{}\0\n", 4, &error));
  test_error (error, OV_ERROR_PROTOCOL, "NUL");
}

static void
test_parse (void)
{
  static const char *const bad[] = { "", "[]", "7", "null", "{", "{} {}", "\xff", "hello" };
  g_autoptr (JsonNode) node = ov_message_parse ("{\"cmd\":\"bye\"}\r", NULL);
  gsize i;

  g_assert_nonnull (node);
  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ov_message_parse (bad[i], &error));
      test_error (error, OV_ERROR_PROTOCOL, "not a message: ");
    }
}

static void
test_line (void)
{
  g_autoptr (JsonNode) node
      = test_node ("{\"text\":\"a\\nb\",\"x\":0.5,\"n\":9223372036854775807}");
  g_autofree char *line = ov_message_line (node);

  g_assert_cmpstr (line, ==, "{\"text\":\"a\\nb\",\"x\":0.5,\"n\":9223372036854775807}\n");
  json_object_set_double_member (json_node_get_object (node), "x", NAN);
  g_free (line);
  line = ov_message_line (node);
  g_assert_cmpstr (line, ==, "{\"text\":\"a\\nb\",\"x\":null,\"n\":9223372036854775807}\n");
}

static void
test_snapshot (void)
{
  OvSnapshot snapshot = { .run = 7,
                          .phase = OV_PHASE_RUN,
                          .t_ns = 1,
                          .run_ns = 2,
                          .fraction = 0.25,
                          .bytes = G_MAXINT64,
                          .submitted = 4,
                          .completed = 3,
                          .cpu_ns = 5,
                          .user_ns = 6,
                          .system_ns = -1,
                          .machine_busy_ns = 8,
                          .machine_total_ns = 9,
                          .resident = 0 };
  g_autoptr (JsonNode) node = ov_snapshot_to_json (&snapshot);
  OvSnapshot again;

  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (node), "event"), ==,
                   "snapshot");
  g_assert_true (ov_snapshot_from_json (json_node_get_object (node), &again));
  g_assert_cmpmem (&snapshot, sizeof snapshot, &again, sizeof again);
}

static void
test_lenient (void)
{
  static const char *const useless[]
      = { "{}", "{\"run\":-1}", "{\"run\":\"x\"}", "{\"run\":4294967296}", "{\"run\":[1]}" };
  g_autoptr (JsonNode) node = test_node (
      "{\"run\":1,\"phase\":\"dance\",\"t\":\"x\",\"bytes\":-7,\"fraction\":[],\"cpu\":{}}");
  OvSnapshot snapshot;
  gsize i;

  g_assert_true (ov_snapshot_from_json (json_node_get_object (node), &snapshot));
  g_assert_cmpint (snapshot.phase, ==, -1);
  g_assert_cmpint (snapshot.t_ns, ==, -1);
  g_assert_cmpint (snapshot.run_ns, ==, -1);
  g_assert_cmpint (snapshot.bytes, ==, -1);
  g_assert_cmpint (snapshot.cpu_ns, ==, -1);
  g_assert_true (isnan (snapshot.fraction));
  for (i = 0; i < G_N_ELEMENTS (useless); i++)
    {
      g_autoptr (JsonNode) other = test_node (useless[i]);

      g_assert_false (ov_snapshot_from_json (json_node_get_object (other), &snapshot));
    }
}

static gboolean
read_message (const char *text, gsize length)
{
  g_autofree char *line = g_strndup (text, length);
  g_autoptr (JsonNode) node = ov_message_parse (line, NULL);
  OvSnapshot snapshot;

  if (node == NULL)
    return FALSE;
  ov_snapshot_from_json (json_node_get_object (node), &snapshot);
  return TRUE;
}

static void
test_damaged (void)
{
  OvSnapshot snapshot = { .run = 7, .phase = OV_PHASE_RUN, .fraction = 0.5 };
  g_autofree char *text = test_text (ov_snapshot_to_json (&snapshot));

  test_damage (text, read_message);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message/pieces", test_pieces);
  g_test_add_func ("/message/backlog", test_backlog);
  g_test_add_func ("/message/limit", test_limit);
  g_test_add_func ("/message/nul", test_nul);
  g_test_add_func ("/message/parse", test_parse);
  g_test_add_func ("/message/line", test_line);
  g_test_add_func ("/message/snapshot", test_snapshot);
  g_test_add_func ("/message/lenient", test_lenient);
  g_test_add_func ("/message/damaged", test_damaged);
  return g_test_run ();
}
