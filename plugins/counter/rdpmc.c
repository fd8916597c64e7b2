/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.rdpmc: a performance counter, read with one instruction.
 *
 * The kernel sets the counter up once and maps a page that says which register it is and what to
 * add to it.  From then on the program reads the register itself.  The page changes when the kernel
 * moves the counter, so the reading is repeated where its lock changed meanwhile.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counter.h"
#include "perf.h"

OV_EMBED_SOURCE (rdpmc_source);

typedef struct
{
  Counter counter;
  volatile struct perf_event_mmap_page *page;
  int fd;
} Rdpmc;

#ifdef __x86_64__

static inline uint64_t
read_register (const Counter *counter)
{
  volatile struct perf_event_mmap_page *page = ((const Rdpmc *)counter)->page;
  uint64_t value;
  uint32_t lock;

  do
    {
      uint32_t index;

      lock = page->lock;
      __asm__ volatile("" ::: "memory");
      index = page->index;
      value = (uint64_t)page->offset;
      if (index != 0)
        {
          const int unused = 64 - page->pmc_width;
          uint32_t low, high;

          __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
          value += (uint64_t)((int64_t)(((uint64_t)high << 32 | low) << unused) >> unused);
        }
      __asm__ volatile("" ::: "memory");
    }
  while (page->lock != lock);
  return value;
}

#else

static inline uint64_t
read_register (const Counter *counter)
{
  (void)counter;
  return 0;
}

#endif

static void
rdpmc_release (void *state)
{
  Rdpmc *self = state;

  if (self->page != NULL)
    munmap ((void *)self->page, (size_t)sysconf (_SC_PAGESIZE));
  if (self->fd >= 0)
    close (self->fd);
  free (self->counter.ring);
  free (self);
}

/* Opens the counter and maps its page: 0, or -errno with the cause in `why`. */
static int
open_counter (Rdpmc *self, char *why, size_t why_size)
{
  void *page;
  bool software;

  self->fd = perf_open (false, &software);
  if (self->fd < 0)
    {
      perf_explain (self->fd, why, why_size);
      return self->fd;
    }
  page = mmap (NULL, (size_t)sysconf (_SC_PAGESIZE), PROT_READ, MAP_SHARED, self->fd, 0);
  if (page == MAP_FAILED)
    {
      const int error = -errno;

      perf_explain (error, why, why_size);
      return error;
    }
  self->page = page;
  if (self->page->cap_user_rdpmc == 0 || self->page->index == 0)
    {
      snprintf (why, why_size, "%s",
                OV_TR ("The kernel does not let programs read the counter themselves: writing 2 to "
                       "/sys/bus/event_source/devices/cpu/rdpmc, as root, lifts this."));
      return -EPERM;
    }
  return 0;
}

static int
rdpmc_probe (const OvHost *host, char *why, size_t why_size)
{
#ifdef __x86_64__
  Rdpmc *self = calloc (1, sizeof *self);
  int error;

  (void)host;
  if (self == NULL)
    return -ENOMEM;
  error = open_counter (self, why, why_size);
  rdpmc_release (self);
  return error;
#else
  (void)host;
  snprintf (why, why_size, "%s", OV_TR ("The instruction RDPMC is that of x86 (64 bit)."));
  return -ENOTSUP;
#endif
}

static int
rdpmc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Rdpmc *self = calloc (1, sizeof *self);
  char why[256] = "";
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = counter_init (&self->counter, host, task);
  if (error == 0)
    {
      error = open_counter (self, why, sizeof why);
      if (error != 0)
        host->explain (host, UINT64_MAX, why);
    }
  if (error != 0)
    {
      rdpmc_release (self);
      return error;
    }
  host->effective (host, "event", "cycles");
  *state = self;
  return 0;
}

static int
rdpmc_run (void *state)
{
  return counter_loop (state, read_register);
}

static int
rdpmc_verify (void *state)
{
  return counter_verify (state);
}

const OvStrategy counter_rdpmc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.rdpmc",
  .title = OV_TR ("Performance counter, read directly"),
  .summary = OV_TR ("Has the kernel set a performance counter up and map it, then reads its "
                    "register with one instruction: privilege given once, as for a port."),
  .family = "counter",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .probe = rdpmc_probe,
  .prepare = rdpmc_prepare,
  .run = rdpmc_run,
  .release = rdpmc_release,
  .source = rdpmc_source,
  .source_end = rdpmc_source_end,
  .verify = rdpmc_verify,
};
