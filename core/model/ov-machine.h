/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine that runs were made on, and their targets, as the worker found them.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *host;
  char *system;         /**< "Debian GNU/Linux 12 (bookworm)" */
  char *kernel;         /**< release */
  char *cpu;            /**< model */
  guint cores;          /**< online */
  guint64 memory;       /**< bytes */
  char *virtualization; /**< "kvm", or NULL where none was seen */
  char *clock_source;
  gint64 clock_cost_ns;     /**< one reading of CLOCK_MONOTONIC, measured */
  gint64 cpu_clock_cost_ns; /**< one reading of the process CPU clock */
  char *count_kernel;       /**< name of the fast counting kernel in use */
  char *version;            /**< of Overlap's worker */
} OvMachine;

typedef enum
{
  OV_TARGET_FOLDER,
  OV_TARGET_FILE,
  OV_TARGET_REFUSED, /**< nothing that may be used; `cause` says why */
  OV_TARGET_MACHINE, /**< the machine itself: its clocks and registers; no file is touched */
} OvTargetKind;

typedef struct
{
  char *path;
  OvTargetKind kind;
  char *cause;   /**< why it is refused, with path and the system's reason; or NULL */
  char *fs_type; /**< "ext4" */
  char *mount_point;
  char *mount_options;
  char *source;           /**< device or export: "/dev/nvme0n1p2" */
  char *device_model;     /**< or NULL */
  char *simulated;        /**< figures of a simulated disk, or NULL: a real target */
  int rotational;         /**< 1, 0, or -1 unknown */
  gboolean memory;        /**< tmpfs, ramfs: memory, not a device */
  gboolean compresses;    /**< the file system or the device compresses what is written here */
  gboolean copy_on_write; /**< what is overwritten is written elsewhere */
  guint64 free_bytes;     /**< for an ordinary user */
  guint64 total_bytes;
  guint64 size; /**< of a file */
  gboolean writable;
  gboolean direct;          /**< O_DIRECT opens and reads here */
  guint32 direct_align;     /**< offset, length and memory multiples; 0 without */
  gboolean residency_known; /**< the kernel tells what is cached (own or writable files) */
} OvTargetInfo;

/** Path of the target of jobs without a file (OV_HARDWARE_JOBS). */
#define OV_MACHINE_TARGET "machine:"
/** Whether `path` names the machine itself, or a part of it behind the colon. */
gboolean ov_target_is_machine (const char *path);

OvMachine *ov_machine_new (void);
void ov_machine_free (OvMachine *machine);
/** Is it emulated by software?  Its times are then the emulator's, and only their ratios tell
 *  anything.  QEMU's emulated processor says so in its name. */
gboolean ov_machine_is_emulated (const OvMachine *machine);
OvMachine *ov_machine_copy (const OvMachine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvMachine, ov_machine_free)
JsonNode *ov_machine_to_json (const OvMachine *machine);
OvMachine *ov_machine_from_json (JsonNode *node, GError **error);

OvTargetInfo *ov_target_info_new (void);
OvTargetInfo *ov_target_info_copy (const OvTargetInfo *info);
void ov_target_info_free (OvTargetInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvTargetInfo, ov_target_info_free)
JsonNode *ov_target_info_to_json (const OvTargetInfo *info);
OvTargetInfo *ov_target_info_from_json (JsonNode *node, GError **error);

G_END_DECLS
