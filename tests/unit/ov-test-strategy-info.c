/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strategies as data, the values of their options, nearest names, nicks.
 */
#include "config.h"

#include "model/ov-types-private.h"
#include "ov-test-model.h"

static OvStrategyInfo *
full_info (void)
{
  OvStrategyInfo *info
      = test_info ("uring.wait", OV_JOB_COUNT | OV_JOB_SAMPLES, OV_CAP_BLOCK | OV_CAP_LINES);
  OvOptionInfo *option;

  info->article = g_strdup ("1.6");
  info->available = FALSE;
  info->cause = g_strdup ("io_uring is switched off: set kernel.io_uring_disabled to 0");
  info->source = g_strdup ("int main (void)\n{\n\treturn 0;\n}\n");
  test_option (info, OV_OPTION_INT, "spins", G_MININT64, G_MAXINT64);
  test_option (info, OV_OPTION_SIZE, "chunk", 512, 1024 * 1024);
  test_option (info, OV_OPTION_BOOL, "fixed", 0, 1);
  option = test_option (info, OV_OPTION_CHOICE, "hint", 0, 1);
  option->choices = g_strsplit ("none,sequential", ",", -1);
  return info;
}

static void
test_round_trip (void)
{
  g_autoptr (OvStrategyInfo) info = full_info ();
  g_autofree char *text = test_text (ov_strategy_info_to_json (info));
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvStrategyInfo) again = ov_strategy_info_from_json (node, &error);
  g_autofree char *text_again = NULL;
  const OvOptionInfo *option;
  guint index = 99;

  g_assert_no_error (error);
  text_again = test_text (ov_strategy_info_to_json (again));
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpuint (again->jobs, ==, OV_JOB_COUNT | OV_JOB_SAMPLES);
  g_assert_cmpuint (again->caps, ==, OV_CAP_BLOCK | OV_CAP_LINES);
  g_assert_false (again->available);
  option = ov_strategy_info_find_option (again, "hint", &index);
  g_assert_nonnull (option);
  g_assert_cmpuint (index, ==, 3);
  g_assert_cmpstr (option->choices[1], ==, "sequential");
  g_assert_null (ov_strategy_info_find_option (again, "none", NULL));
  option = ov_strategy_info_find_option (again, "spins", NULL);
  g_assert_cmpint (option->minimum, ==, G_MININT64);
  g_assert_cmpint (option->maximum, ==, G_MAXINT64);
}

/* What a newer worker says: words unknown here are left out. */
static void
test_newer (void)
{
  g_autoptr (JsonNode) node = test_node (
      "{\"id\":\"a.b\",\"jobs\":[\"count\",\"juggle\"],\"caps\":[\"teleport\"],\"x\":{}}");
  g_autoptr (OvStrategyInfo) info = ov_strategy_info_from_json (node, NULL);

  g_assert_nonnull (info);
  g_assert_cmpuint (info->jobs, ==, OV_JOB_COUNT);
  g_assert_cmpuint (info->caps, ==, 0);
  g_assert_true (info->available);
  g_assert_cmpuint (info->options->len, ==, 0);
  g_assert_cmpstr (ov_strategy_info_title (info), ==, "");
}

static void
test_faults (void)
{
  static const struct
  {
    const char *text;
    const char *fault;
  } texts[] = {
    { "{}", "the key “id” is missing" },
    { "{\"id\":1}", "id: must be a text" },
    { "{\"id\":\"a\",\"jobs\":[1]}", "jobs[0]: must be a text" },
    { "{\"id\":\"a\",\"options\":[{\"name\":\"x\"},{}]}", "options[1]: the key “name” is missing" },
    { "{\"id\":\"a\",\"options\":[{\"name\":\"x\",\"kind\":\"y\"}]}", "options[0].kind: “y” is" },
    { "{\"id\":\"a\",\"options\":[7]}", "options[0]: must be an object" },
    { "{\"id\":\"a\",\"available\":0}", "available: must be true or false" },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) node = test_node (texts[i].text);
      g_autoptr (GError) error = NULL;

      g_assert_null (ov_strategy_info_from_json (node, &error));
      test_error (error, OV_ERROR_INVALID, texts[i].fault);
    }
}

static void
test_options (void)
{
  static const struct
  {
    const char *name;
    const char *text;
    gint64 value;
    const char *fault; /* NULL: `value` comes out */
  } texts[] = {
    { "spins", "-9223372036854775808", G_MININT64, NULL },
    { "spins", "9223372036854775807", G_MAXINT64, NULL },
    { "spins", "+7", 7, NULL },
    { "spins", "9223372036854775808", 0, "option spins: must be a whole number" },
    { "spins", "7x", 0, "must be a whole number, not “7x”" },
    { "spins", "", 0, "must be a whole number" },
    { "spins", " 7", 0, "must be a whole number" },
    { "spins", "--7", 0, "must be a whole number" },
    { "chunk", "32K", 32768, NULL },
    { "chunk", "1M", 1048576, NULL },
    { "chunk", "512", 512, NULL },
    { "chunk", "511", 0, "option chunk: must be from 512 to 1M, not 511" },
    { "chunk", "2M", 0, "must be from 512 to 1M, not 2M" },
    { "chunk", "5X", 0, "option chunk: " },
    { "fixed", "true", 1, NULL },
    { "fixed", "no", 0, NULL },
    { "fixed", "1", 1, NULL },
    { "fixed", "maybe", 0, "option fixed: must be true or false, not “maybe”" },
    { "hint", "sequential", 1, NULL },
    { "hint", "none", 0, NULL },
    { "hint", "1", 0, "option hint: “1” is unknown; allowed are none, sequential" },
  };
  g_autoptr (OvStrategyInfo) info = full_info ();
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const OvOptionInfo *option = ov_strategy_info_find_option (info, texts[i].name, NULL);
      g_autoptr (GError) error = NULL;
      gint64 value = 0;
      gint64 again = 0;

      if (texts[i].fault != NULL)
        {
          g_assert_false (ov_option_info_parse (option, texts[i].text, &value, &error));
          test_error (error, OV_ERROR_INVALID, texts[i].fault);
          continue;
        }
      g_assert_true (ov_option_info_parse (option, texts[i].text, &value, &error));
      g_assert_cmpint (value, ==, texts[i].value);
      {
        g_autofree char *text = ov_option_info_format (option, value);

        g_assert_true (ov_option_info_parse (option, text, &again, &error));
        g_assert_cmpint (again, ==, value);
      }
    }
}

static void
test_nearest (void)
{
  static const char *const ids[]
      = { "stdio.getc",  "stdio.getc-unlocked", "stdio.getline", "posix.read",
          "posix.pread", "uring.wait",          "uring.spin",    NULL };
  static const struct
  {
    const char *typed;
    const char *nearest;
  } texts[] = {
    { "posix.raed", "posix.read or posix.pread" },
    { "POSIX.READ", "posix.read or posix.pread" },
    { "getc", "stdio.getc or stdio.getc-unlocked" },
    { "uring.wiat", "uring.wait" },
    { "stdio.getlin", "stdio.getline, stdio.getc or uring.spin" },
    { "ffffff", NULL },
    { "", NULL },
  };
  g_autofree char *huge = g_strnfill (1000000, 'x');
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *names = ov_nearest_names (texts[i].typed, ids);

      if (texts[i].nearest == NULL)
        g_assert_cmpstr (names, ==, NULL);
      else if (i == 4)
        g_assert_true (g_str_has_prefix (names, "stdio.getline"));
      else
        g_assert_cmpstr (names, ==, texts[i].nearest);
    }
  g_assert_null (ov_nearest_names (huge, ids));
  g_assert_null (ov_nearest_names ("x", NULL));
}

static void
test_nicks (void)
{
  OvState state = OV_STATE_DONE;
  guint job = 77;
  guint i;

  for (i = 0; i <= OV_STATE_ABANDONED; i++)
    {
      g_assert_true (ov_state_from_nick (ov_state_nick ((OvState)i), &state));
      g_assert_cmpint (state, ==, i);
      g_assert_cmpstr (ov_state_label ((OvState)i), !=, "");
    }
  for (i = 0; i <= OV_PHASE_ENDED; i++)
    {
      OvPhase phase;

      g_assert_true (ov_phase_from_nick (ov_phase_nick ((OvPhase)i), &phase));
      g_assert_cmpint (phase, ==, i);
      g_assert_cmpstr (ov_phase_label ((OvPhase)i), !=, "");
    }
  for (i = 0; i <= OV_CONDITION_BYPASSED; i++)
    {
      OvCondition condition;

      g_assert_true (ov_condition_from_nick (ov_condition_nick ((OvCondition)i), &condition));
      g_assert_cmpint (condition, ==, i);
      g_assert_cmpstr (ov_condition_label ((OvCondition)i), !=, "");
    }
  for (i = 0; i < 7; i++)
    {
      g_assert_true (ov_job_from_nick (ov_job_nick (1u << i), &job));
      g_assert_cmpuint (job, ==, 1u << i);
    }
  g_assert_cmpstr (ov_job_nick (OV_JOB_SAMPLES), ==, "samples");
  g_assert_cmpstr (ov_work_nick (OV_WORK_SHA256), ==, "sha256");
  g_assert_cmpstr (ov_timing_nick (OV_TIMING_TIMELINE), ==, "timeline");
  g_assert_cmpstr (ov_order_nick (OV_ORDER_RANDOM), ==, "random");
  job = 77;
  g_assert_false (ov_job_from_nick ("Count", &job));
  g_assert_false (ov_work_from_nick ("", &job));
  g_assert_false (ov_timing_from_nick (NULL, &job));
  g_assert_cmpuint (job, ==, 77);
}

static gboolean
read_info (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, NULL);
  g_autoptr (OvStrategyInfo) info = node != NULL ? ov_strategy_info_from_json (node, NULL) : NULL;

  return info != NULL;
}

static void
test_damaged (void)
{
  g_autoptr (OvStrategyInfo) info = full_info ();
  g_autofree char *text = test_text (ov_strategy_info_to_json (info));

  test_damage (text, read_info);
}

static void
test_module_fault (void)
{
  OvModuleFault *fault = ov_module_fault_new ("/a.so", "no symbol");

  g_assert_cmpstr (fault->module, ==, "/a.so");
  g_assert_cmpstr (fault->fault, ==, "no symbol");
  ov_module_fault_free (fault);
  ov_module_fault_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strategy-info/round-trip", test_round_trip);
  g_test_add_func ("/strategy-info/newer", test_newer);
  g_test_add_func ("/strategy-info/faults", test_faults);
  g_test_add_func ("/strategy-info/options", test_options);
  g_test_add_func ("/strategy-info/nearest", test_nearest);
  g_test_add_func ("/strategy-info/nicks", test_nicks);
  g_test_add_func ("/strategy-info/damaged", test_damaged);
  g_test_add_func ("/strategy-info/module-fault", test_module_fault);
  return g_test_run ();
}
