/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.tsc: the processor's own counter, read with one instruction.
 *
 * This is direct access to hardware as every program may have it: no call, no change to the kernel,
 * only an instruction that the processor answers itself.  By default it may be carried out before
 * or after its neighbours; whoever wants the moment between two pieces of work puts a fence before
 * it, or takes the variant that waits, and pays for that.
 *
 * x86: RDTSC and RDTSCP.  Arm (64 bit): the virtual counter CNTVCT_EL0, with an ISB as the fence.
 */
#include <stdio.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <sys/prctl.h>
#include <x86intrin.h>
#endif

#include "counter.h"

OV_EMBED_SOURCE (tsc_source);

enum
{
  OPTION_SERIALISE
};

enum
{
  SERIALISE_NONE,
  SERIALISE_FENCE,
  SERIALISE_WAIT
};

#if defined(__x86_64__)

static inline uint64_t
read_plain (const Counter *self)
{
  (void)self;
  return __rdtsc ();
}

static inline uint64_t
read_fenced (const Counter *self)
{
  (void)self;
  _mm_lfence ();
  return __rdtsc ();
}

static inline uint64_t
read_waiting (const Counter *self)
{
  unsigned int processor;

  (void)self;
  return __rdtscp (&processor);
}

static const char *const instructions[] = { "rdtsc", "lfence+rdtsc", "rdtscp" };

static int
tsc_probe (const OvHost *host, char *why, size_t why_size)
{
  unsigned int a, b, c, d;
  int state = PR_TSC_ENABLE;

  (void)host;
  if (__get_cpuid (1, &a, &b, &c, &d) == 0 || (d & (1u << 4)) == 0)
    {
      snprintf (why, why_size, "%s", OV_TR ("This processor has no time-stamp counter."));
      return -ENOTSUP;
    }
  if (prctl (PR_GET_TSC, &state) == 0 && state == PR_TSC_SIGSEGV)
    {
      snprintf (why, why_size, "%s",
                OV_TR ("Reading the time-stamp counter is forbidden for this process "
                       "(prctl PR_SET_TSC); start Overlap from a process that may."));
      return -EPERM;
    }
  return 0;
}

static int
can_wait (void)
{
  unsigned int a, b, c, d;

  return __get_cpuid (0x80000001, &a, &b, &c, &d) != 0 && (d & (1u << 27)) != 0;
}

#elif defined(__aarch64__)

static inline uint64_t
read_plain (const Counter *self)
{
  uint64_t value;

  (void)self;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
}

static inline uint64_t
read_fenced (const Counter *self)
{
  __asm__ volatile("isb" ::: "memory");
  return read_plain (self);
}

#define read_waiting read_fenced

static const char *const instructions[] = { "mrs cntvct_el0", "isb+mrs cntvct_el0", "" };

static int
tsc_probe (const OvHost *host, char *why, size_t why_size)
{
  (void)host, (void)why, (void)why_size;
  return 0; /* Linux lets every program read it */
}

static int
can_wait (void)
{
  return 0;
}

#else

static inline uint64_t
read_plain (const Counter *self)
{
  (void)self;
  return 0;
}

#define read_fenced  read_plain
#define read_waiting read_plain

static const char *const instructions[] = { "", "", "" };

static int
tsc_probe (const OvHost *host, char *why, size_t why_size)
{
  (void)host;
  snprintf (why, why_size, "%s",
            OV_TR ("This strategy knows the counters of x86 (64 bit) and Arm (64 bit) only."));
  return -ENOTSUP;
}

static int
can_wait (void)
{
  return 0;
}

#endif

static void
tsc_release (void *state)
{
  Counter *self = state;

  free (self->ring);
  free (self);
}

static int
tsc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const int64_t serialise = task->options[OPTION_SERIALISE];
  Counter *self;
  int error;

  if (serialise == SERIALISE_WAIT && !can_wait ())
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("This processor has no instruction that reads the counter and waits."));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  error = counter_init (self, host, task);
  if (error != 0)
    {
      tsc_release (self);
      return error;
    }
  /* Without a fence two neighbours may be read in the other order. */
  self->slack = serialise == SERIALISE_NONE ? 1000 : 0;
  host->effective (host, "instruction", instructions[serialise]);
  *state = self;
  return 0;
}

static int
tsc_run (void *state)
{
  Counter *self = state;

  switch (self->task->options[OPTION_SERIALISE])
    {
    case SERIALISE_FENCE:
      return counter_loop (self, read_fenced);
    case SERIALISE_WAIT:
      return counter_loop (self, read_waiting);
    default:
      return counter_loop (self, read_plain);
    }
}

static int
tsc_verify (void *state)
{
  return counter_verify (state);
}

static const char *const serialise_names[] = { "none", "lfence", "rdtscp", NULL };

static const OvOption option_serialise = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_CHOICE,
  .name = "serialise",
  .title = OV_TR ("Order"),
  .help = OV_TR ("none: the reading may be carried out before or after its neighbours; lfence: a "
                 "fence before it (Arm: ISB); rdtscp: the instruction that waits for what comes "
                 "before it."),
  .minimum = SERIALISE_NONE,
  .maximum = SERIALISE_WAIT,
  .standard = SERIALISE_NONE,
  .choices = serialise_names,
};

static const OvOption *const tsc_options[] = { &option_serialise, NULL };

const OvStrategy counter_tsc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.tsc",
  .title = OV_TR ("Time-stamp counter"),
  .summary = OV_TR ("Reads the processor's counter with one instruction, without any call: direct "
                    "access to hardware that needs no privilege."),
  .family = "counter",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .options = tsc_options,
  .probe = tsc_probe,
  .prepare = tsc_prepare,
  .run = tsc_run,
  .release = tsc_release,
  .source = tsc_source,
  .source_end = tsc_source_end,
  .verify = tsc_verify,
};
