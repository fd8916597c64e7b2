/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine and the targets as data, and their JSON.  Texts are walked through by tables.
 */
#include "config.h"

#include "model/ov-json-private.h"
#include "model/ov-machine-private.h"
#include "model/ov-types-private.h"

typedef struct
{
  const char *key;
  gsize field;
  gboolean path; /* may hold bytes that are no UTF-8 */
} Text;

static const Text machine_texts[] = {
  { "host", G_STRUCT_OFFSET (OvMachine, host), FALSE },
  { "system", G_STRUCT_OFFSET (OvMachine, system), FALSE },
  { "kernel", G_STRUCT_OFFSET (OvMachine, kernel), FALSE },
  { "cpu", G_STRUCT_OFFSET (OvMachine, cpu), FALSE },
  { "virtualization", G_STRUCT_OFFSET (OvMachine, virtualization), FALSE },
  { "clock-source", G_STRUCT_OFFSET (OvMachine, clock_source), FALSE },
  { "count-kernel", G_STRUCT_OFFSET (OvMachine, count_kernel), FALSE },
  { "version", G_STRUCT_OFFSET (OvMachine, version), FALSE },
};

static const Text target_texts[] = {
  { "path", G_STRUCT_OFFSET (OvTargetInfo, path), TRUE },
  { "cause", G_STRUCT_OFFSET (OvTargetInfo, cause), FALSE },
  { "fs-type", G_STRUCT_OFFSET (OvTargetInfo, fs_type), FALSE },
  { "mount-point", G_STRUCT_OFFSET (OvTargetInfo, mount_point), TRUE },
  { "mount-options", G_STRUCT_OFFSET (OvTargetInfo, mount_options), FALSE },
  { "source", G_STRUCT_OFFSET (OvTargetInfo, source), TRUE },
  { "device-model", G_STRUCT_OFFSET (OvTargetInfo, device_model), FALSE },
  { "simulated", G_STRUCT_OFFSET (OvTargetInfo, simulated), FALSE },
};

static const char *const kind_nicks[] = { "folder", "file", "refused", "machine", NULL };

#define TEXT_AT(base, text) G_STRUCT_MEMBER (char *, base, (text).field)

static void
write_texts (JsonObject *object, gconstpointer base, const Text *texts, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    if (texts[i].path)
      ov_json_set_path (object, texts[i].key, TEXT_AT (base, texts[i]));
    else
      ov_json_set_string (object, texts[i].key, TEXT_AT (base, texts[i]));
}

static void
read_texts (OvJsonReader *r, gpointer base, const Text *texts, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    TEXT_AT (base, texts[i])
        = texts[i].path ? ov_json_path (r, texts[i].key) : ov_json_string (r, texts[i].key);
}

static void
copy_texts (gpointer copy, gconstpointer base, const Text *texts, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    TEXT_AT (copy, texts[i]) = g_strdup (TEXT_AT (base, texts[i]));
}

static void
free_texts (gpointer base, const Text *texts, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    g_free (TEXT_AT (base, texts[i]));
}

/* ---- The machine -------------------------------------------------------------------------- */

OvMachine *
ov_machine_new (void)
{
  OvMachine *machine = g_new0 (OvMachine, 1);

  machine->clock_cost_ns = -1;
  machine->cpu_clock_cost_ns = -1;
  return machine;
}

void
ov_machine_free (OvMachine *machine)
{
  if (machine == NULL)
    return;
  free_texts (machine, machine_texts, G_N_ELEMENTS (machine_texts));
  g_free (machine);
}

OvMachine *
ov_machine_copy (const OvMachine *machine)
{
  OvMachine *copy;

  g_return_val_if_fail (machine != NULL, NULL);
  copy = g_memdup2 (machine, sizeof *machine);
  copy_texts (copy, machine, machine_texts, G_N_ELEMENTS (machine_texts));
  return copy;
}

gboolean
ov_machine_is_emulated (const OvMachine *machine)
{
  return machine != NULL && machine->cpu != NULL
         && g_str_has_prefix (machine->cpu, "QEMU TCG CPU");
}

JsonNode *
ov_machine_to_json (const OvMachine *machine)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (machine != NULL, NULL);
  write_texts (object, machine, machine_texts, G_N_ELEMENTS (machine_texts));
  json_object_set_boolean_member (object, "emulated", ov_machine_is_emulated (machine));
  json_object_set_int_member (object, "cores", machine->cores);
  json_object_set_int_member (object, "memory", (gint64)MIN (machine->memory, G_MAXINT64));
  ov_json_set_figure (object, "clock-cost", machine->clock_cost_ns);
  ov_json_set_figure (object, "cpu-clock-cost", machine->cpu_clock_cost_ns);
  return ov_json_take_object (object);
}

void
ov_machine_read (OvJsonReader *r, OvMachine *machine)
{
  read_texts (r, machine, machine_texts, G_N_ELEMENTS (machine_texts));
  machine->cores = (guint)ov_json_int (r, "cores", 0, G_MAXUINT, 0);
  machine->memory = (guint64)ov_json_int (r, "memory", 0, G_MAXINT64, 0);
  machine->clock_cost_ns = ov_json_figure (r, "clock-cost");
  machine->cpu_clock_cost_ns = ov_json_figure (r, "cpu-clock-cost");
}

OvMachine *
ov_machine_from_json (JsonNode *node, GError **error)
{
  OvMachine *machine = ov_machine_new ();
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  ov_machine_read (&r, machine);
  if (ov_json_end (&r, error))
    return machine;
  ov_machine_free (machine);
  return NULL;
}

/* ---- A target ----------------------------------------------------------------------------- */

gboolean
ov_target_is_machine (const char *path)
{
  return path != NULL && g_str_has_prefix (path, OV_MACHINE_TARGET);
}

OvTargetInfo *
ov_target_info_new (void)
{
  OvTargetInfo *info = g_new0 (OvTargetInfo, 1);

  info->rotational = -1;
  return info;
}

OvTargetInfo *
ov_target_info_copy (const OvTargetInfo *info)
{
  OvTargetInfo *copy;

  g_return_val_if_fail (info != NULL, NULL);
  copy = g_memdup2 (info, sizeof *info);
  copy_texts (copy, info, target_texts, G_N_ELEMENTS (target_texts));
  return copy;
}

void
ov_target_info_free (OvTargetInfo *info)
{
  if (info == NULL)
    return;
  free_texts (info, target_texts, G_N_ELEMENTS (target_texts));
  g_free (info);
}

JsonNode *
ov_target_info_to_json (const OvTargetInfo *info)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (info != NULL, NULL);
  json_object_set_string_member (object, "kind", kind_nicks[info->kind]);
  write_texts (object, info, target_texts, G_N_ELEMENTS (target_texts));
  ov_json_set_figure (object, "rotational", info->rotational);
  json_object_set_boolean_member (object, "memory", info->memory);
  json_object_set_boolean_member (object, "compresses", info->compresses);
  json_object_set_boolean_member (object, "copy-on-write", info->copy_on_write);
  json_object_set_int_member (object, "free", (gint64)MIN (info->free_bytes, G_MAXINT64));
  json_object_set_int_member (object, "total", (gint64)MIN (info->total_bytes, G_MAXINT64));
  json_object_set_int_member (object, "size", (gint64)MIN (info->size, G_MAXINT64));
  json_object_set_boolean_member (object, "writable", info->writable);
  json_object_set_boolean_member (object, "direct", info->direct);
  json_object_set_int_member (object, "direct-align", info->direct_align);
  json_object_set_boolean_member (object, "residency-known", info->residency_known);
  return ov_json_take_object (object);
}

void
ov_target_info_read (OvJsonReader *r, OvTargetInfo *info)
{
  ov_json_require (r, "kind");
  info->kind = (OvTargetKind)ov_json_nick (r, "kind", kind_nicks, OV_TARGET_REFUSED);
  read_texts (r, info, target_texts, G_N_ELEMENTS (target_texts));
  info->rotational = (int)ov_json_int (r, "rotational", 0, 1, -1);
  info->memory = ov_json_bool (r, "memory", FALSE);
  info->compresses = ov_json_bool (r, "compresses", FALSE);
  info->copy_on_write = ov_json_bool (r, "copy-on-write", FALSE);
  info->free_bytes = (guint64)ov_json_int (r, "free", 0, G_MAXINT64, 0);
  info->total_bytes = (guint64)ov_json_int (r, "total", 0, G_MAXINT64, 0);
  info->size = (guint64)ov_json_int (r, "size", 0, G_MAXINT64, 0);
  info->writable = ov_json_bool (r, "writable", FALSE);
  info->direct = ov_json_bool (r, "direct", FALSE);
  info->direct_align = (guint32)ov_json_int (r, "direct-align", 0, G_MAXUINT32, 0);
  info->residency_known = ov_json_bool (r, "residency-known", FALSE);
}

OvTargetInfo *
ov_target_info_from_json (JsonNode *node, GError **error)
{
  OvTargetInfo *info = ov_target_info_new ();
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  ov_target_info_read (&r, info);
  if (ov_json_end (&r, error))
    return info;
  ov_target_info_free (info);
  return NULL;
}
