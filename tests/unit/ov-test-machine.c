/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines and targets: round trips, what is unknown, wrong types.
 */
#include "config.h"

#include <glib/gstdio.h>

#include <math.h>

#include "model/ov-machine.h"
#include "model/ov-self-cost.h"
#include "ov-test-model.h"

static OvMachine *
full_machine (void)
{
  OvMachine *machine = ov_machine_new ();

  machine->host = g_strdup ("host");
  machine->system = g_strdup ("Debian GNU/Linux 12 (bookworm)");
  machine->kernel = g_strdup ("6.18.44");
  machine->cpu = g_strdup ("AMD EPYC");
  machine->cores = 2;
  machine->memory = G_GUINT64_CONSTANT (9007199254740993);
  machine->virtualization = g_strdup ("kvm");
  machine->clock_source = g_strdup ("tsc");
  machine->clock_cost_ns = 22;
  machine->cpu_clock_cost_ns = 540;
  machine->count_kernel = g_strdup ("avx2");
  machine->version = g_strdup ("0.1.0");
  return machine;
}

static OvTargetInfo *
full_target (void)
{
  OvTargetInfo *info = ov_target_info_new ();

  info->path = g_strdup ("/mnt/\xe4");
  info->kind = OV_TARGET_FILE;
  info->cause = g_strdup ("cause");
  info->fs_type = g_strdup ("ext4");
  info->mount_point = g_strdup ("/mnt/\xff");
  info->mount_options = g_strdup ("rw,noatime");
  info->source = g_strdup ("/dev/nvme0n1p2");
  info->device_model = g_strdup ("Model");
  info->simulated = g_strdup ("4.20 MB/s");
  info->rotational = 0;
  info->memory = TRUE;
  info->free_bytes = 1;
  info->total_bytes = G_MAXINT64;
  info->size = 3;
  info->writable = TRUE;
  info->direct = TRUE;
  info->direct_align = 4096;
  info->residency_known = TRUE;
  return info;
}

static void
test_machine (void)
{
  g_autoptr (OvMachine) machine = full_machine ();
  g_autoptr (OvMachine) copy = ov_machine_copy (machine);
  g_autofree char *text = test_text (ov_machine_to_json (copy));
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvMachine) again = ov_machine_from_json (node, &error);
  g_autofree char *text_again = NULL;

  g_assert_no_error (error);
  text_again = test_text (ov_machine_to_json (again));
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpuint (again->memory, ==, machine->memory);
  g_assert_cmpstr (again->virtualization, ==, "kvm");
}

static void
test_unknown (void)
{
  g_autoptr (JsonNode) node = test_node ("{\"new\":1,\"clock-cost\":null}");
  g_autoptr (JsonNode) other = test_node ("{\"kind\":\"folder\",\"rotational\":null}");
  g_autoptr (OvMachine) machine = ov_machine_from_json (node, NULL);
  g_autoptr (OvTargetInfo) info = ov_target_info_from_json (other, NULL);

  g_assert_nonnull (machine);
  g_assert_cmpint (machine->clock_cost_ns, ==, -1);
  g_assert_null (machine->virtualization);
  g_assert_nonnull (info);
  g_assert_cmpint (info->rotational, ==, -1);
  g_assert_cmpint (info->kind, ==, OV_TARGET_FOLDER);
}

static void
test_target (void)
{
  g_autoptr (OvTargetInfo) info = full_target ();
  g_autoptr (OvTargetInfo) copy = ov_target_info_copy (info);
  g_autofree char *text = test_text (ov_target_info_to_json (copy));
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvTargetInfo) again = ov_target_info_from_json (node, &error);
  g_autofree char *text_again = NULL;

  g_assert_no_error (error);
  text_again = test_text (ov_target_info_to_json (again));
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpstr (again->path, ==, "/mnt/\xe4");
  g_assert_cmpint (again->rotational, ==, 0);
  g_assert_cmpuint (again->total_bytes, ==, G_MAXINT64);
}

static void
test_faults (void)
{
  static const struct
  {
    const char *text;
    const char *fault;
    gboolean target;
  } texts[] = {
    { "[]", "must be an object", FALSE },
    { "{\"host\":1}", "host: must be a text", FALSE },
    { "{\"cores\":-1}", "cores: ", FALSE },
    { "{\"cores\":4294967296}", "cores: ", FALSE },
    { "{\"clock-cost\":\"x\"}", "clock-cost: ", FALSE },
    { "{}", "the key “kind” is missing", TRUE },
    { "{\"kind\":\"disk\"}", "kind: “disk” is unknown", TRUE },
    { "{\"kind\":\"file\",\"writable\":1}", "writable: must be true or false", TRUE },
    { "{\"kind\":\"file\",\"rotational\":2}", "rotational: ", TRUE },
    { "{\"kind\":\"file\",\"fs-type\":\"\\udcff\"}", "fs-type: must be a text in UTF-8", TRUE },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) node = test_node (texts[i].text);
      g_autoptr (GError) error = NULL;

      if (texts[i].target)
        g_assert_null (ov_target_info_from_json (node, &error));
      else
        g_assert_null (ov_machine_from_json (node, &error));
      test_error (error, OV_ERROR_INVALID, texts[i].fault);
    }
}

static gboolean
read_target (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, NULL);
  g_autoptr (OvTargetInfo) info = node != NULL ? ov_target_info_from_json (node, NULL) : NULL;

  return info != NULL;
}

static gboolean
read_machine (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, NULL);
  g_autoptr (OvMachine) machine = node != NULL ? ov_machine_from_json (node, NULL) : NULL;

  return machine != NULL;
}

/* What measuring costs: kept exactly, and known only to the machine where it was measured. */
static void
test_self_cost (void)
{
  g_autoptr (OvSelfCost) cost = ov_self_cost_new ();
  g_autoptr (OvSelfCost) copy = NULL;
  g_autoptr (OvSelfCost) again = NULL;
  g_autoptr (OvSelfCost) elsewhere = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;

  g_assert_null (ov_self_cost_load ("here"));
  cost->date = 1700000000;
  cost->host = g_strdup ("here");
  cost->kernel = g_strdup ("6.1");
  for (guint i = 0; i < OV_COST_SIZE; i++)
    if (i == OV_COST_WINDOW)
      cost->costs[i].cause = g_strdup ("no display");
    else
      cost->costs[i] = (OvCost){ .n = 12, .cost = 0.125, .lo = -0.25, .hi = 0.5 };
  copy = ov_self_cost_copy (cost);
  g_assert_true (ov_self_cost_save (copy, &error));
  g_assert_no_error (error);
  again = ov_self_cost_load ("here");
  elsewhere = ov_self_cost_load ("there");
  g_assert_nonnull (again);
  g_assert_null (elsewhere);
  text = test_text (ov_self_cost_to_json (cost));
  text_again = test_text (ov_self_cost_to_json (again));
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpfloat (again->costs[OV_COST_LATENCY].lo, ==, -0.25);
  g_assert_true (isnan (again->costs[OV_COST_WINDOW].cost));
}

static void
test_damaged (void)
{
  g_autoptr (OvTargetInfo) info = full_target ();
  g_autoptr (OvMachine) machine = full_machine ();
  g_autofree char *target_text = test_text (ov_target_info_to_json (info));
  g_autofree char *machine_text = test_text (ov_machine_to_json (machine));

  test_damage (target_text, read_target);
  test_damage (machine_text, read_machine);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("overlap-machine-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (data, "overlap", NULL);
  g_autofree char *kept = g_build_filename (folder, "self-cost.json", NULL);
  int result;

  /* Not by an option of g_test_init(), which leaks. */
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/machine", test_machine);
  g_test_add_func ("/machine/unknown", test_unknown);
  g_test_add_func ("/machine/target", test_target);
  g_test_add_func ("/machine/faults", test_faults);
  g_test_add_func ("/machine/damaged", test_damaged);
  g_test_add_func ("/machine/self-cost", test_self_cost);
  result = g_test_run ();
  g_remove (kept);
  g_rmdir (folder);
  g_rmdir (data);
  return result;
}
