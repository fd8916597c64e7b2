/* SPDX-License-Identifier: MIT
 *
 * overlap-strategy.h: the only header a strategy needs.
 *
 * A strategy is one way of doing I/O.  A module (a shared object) holds one family of strategies
 * and exports them with OV_STRATEGIES().  The header stands alone: it needs nothing but the four
 * headers below, compiles as C11 and as C++11, and its licence (MIT) lets anybody's strategy use
 * it.
 *
 * What always holds:
 *  - Descriptors, options, the task and the host table begin with their size in bytes and grow
 *    only at their end.  A field that lies beyond `size` does not exist: test with OV_HAS().
 *  - State lives in the memory that `prepare` returns, never in globals.
 *  - On the hot path nothing here allocates, locks or prints; errors are negative errno values.
 *  - Times are nanoseconds, sizes are bytes, both whole numbers.
 */
#ifndef OVERLAP_STRATEGY_H
#define OVERLAP_STRATEGY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define OV_EXTERN_C extern "C"
#define OV_BEGIN_DECLS                                                                             \
  extern "C"                                                                                       \
  {
#define OV_END_DECLS }
#else
#define OV_EXTERN_C extern
#define OV_BEGIN_DECLS
#define OV_END_DECLS
#endif

OV_BEGIN_DECLS

/** Version of the interface.  It changes only when an old module could no longer work. */
#define OV_STRATEGY_ABI 1u

/** Marks a text for translation (xgettext takes it as a keyword); expands to the text itself. */
#define OV_TR(text) text

/** True where the struct that `p` points to is long enough to hold `field`. */
#define OV_HAS(type, p, field) ((p)->size >= offsetof (type, field) + sizeof ((p)->field))

/** Jobs: what is to be done, the same for every strategy that serves the job. */
enum OvJobFlags
{
  OV_JOB_COUNT = 1 << 0,    /**< read `length` bytes in order and do the work on each */
  OV_JOB_WRITE = 1 << 1,    /**< write the `length` bytes of ov_content(), in order or not */
  OV_JOB_BLOCKS = 1 << 2,   /**< read `requests` blocks at the positions of ov_position() */
  OV_JOB_TRANSFER = 1 << 3, /**< write the `length` bytes of ov_content(), call ov_second_part(),
                                 read them back; ov_written() and ov_consume() count each part */
  OV_JOB_PORT = 1 << 4,     /**< `requests` accesses to a register; ov_accessed() counts them */
  OV_JOB_TICKS = 1 << 5,    /**< be woken `rate` times a second, `requests` times in all;
                                 ov_event() and ov_missed() account for each of them */
  OV_JOB_SAMPLES = 1 << 6   /**< poll at `rate`, `requests` times; accounted for as ticks are */
};

/** What an access of a `port` job does. */
enum OvAccess
{
  OV_ACCESS_READ = 0,
  OV_ACCESS_WRITE = 1
};

/** What a strategy can do and what it needs.  A control that a strategy ignores is disabled. */
enum OvCaps
{
  OV_CAP_BLOCK = 1 << 0,        /**< uses OvTask::block */
  OV_CAP_DEPTH = 1 << 1,        /**< uses OvTask::depth: buffers, or requests in flight */
  OV_CAP_DIRECT = 1 << 2,       /**< can work with O_DIRECT */
  OV_CAP_ASYNC = 1 << 3,        /**< I/O goes on while the caller computes */
  OV_CAP_PRIVILEGE = 1 << 4,    /**< needs more than an ordinary user has */
  OV_CAP_WRITES = 1 << 5,       /**< changes the target */
  OV_CAP_BY_CHARACTER = 1 << 6, /**< takes one character at a time and counts it inline */
  OV_CAP_LINES = 1 << 7,        /**< holds a whole line: refuses lines over 64 MiB */
  OV_CAP_CONTROL = 1 << 8,      /**< a control that reads no target: it has no check value, and is
                                     never compared as the same work */
  OV_CAP_DIRECT_ONLY = 1 << 9,  /**< works with O_DIRECT alone: has no meaning otherwise */
  OV_CAP_POSITIONS = 1 << 10    /**< goes where ov_position() or ov_piece() says, in every job it
                                     serves that reads; without it, `count` is asked for in order
                                     only, `blocks` in order and at random */
};

/** The work for each byte that is read. */
enum OvWork
{
  OV_WORK_NONE = 0,   /**< the bytes must be there, nothing is done with them */
  OV_WORK_PLAIN = 1,  /**< count the letter, one byte after the other */
  OV_WORK_FAST = 2,   /**< count the letter, vectorised */
  OV_WORK_CRC32C = 3, /**< CRC-32C over all bytes, in order */
  OV_WORK_SHA256 = 4, /**< SHA-256 over all bytes, in order */
  OV_WORK_SLOW = 5    /**< as PLAIN, 250 times over: as long as a processor of 1995 took */
};

/** How much is recorded about each request. */
enum OvTiming
{
  OV_TIMING_COUNTERS = 0, /**< totals only */
  OV_TIMING_LATENCY = 1,  /**< a histogram too */
  OV_TIMING_TIMELINE = 2  /**< a record for each request too */
};

/** Positions of the blocks of a `blocks` job, and of the pieces of `count` and `transfer`. */
enum OvOrder
{
  OV_ORDER_SEQUENTIAL = 0, /**< one block after the other, from the start again at the end */
  OV_ORDER_RANDOM = 1,     /**< uniformly random blocks, seeded; pieces: each of them once */
  OV_ORDER_BACKWARD = 2,   /**< the last block first, from the end again at the start */
  OV_ORDER_STRIDED = 3     /**< one in each OvTask::stride, then the blocks behind those, … */
};

/** Kinds of options; every value travels as an int64_t. */
enum OvOptionKind
{
  OV_OPTION_INT = 0,
  OV_OPTION_SIZE = 1, /**< bytes */
  OV_OPTION_BOOL = 2,
  OV_OPTION_CHOICE = 3 /**< index into `choices` */
};

/** One option of a strategy.  The command line's help and the window's rows come from it. */
typedef struct OvOption
{
  uint32_t size;              /**< sizeof (OvOption) */
  uint32_t kind;              /**< enum OvOptionKind */
  const char *name;           /**< as typed: lower case, words joined by '-' */
  const char *title;          /**< as shown; OV_TR() */
  const char *help;           /**< one sentence; OV_TR() */
  int64_t minimum;            /**< smallest value allowed */
  int64_t maximum;            /**< largest value allowed */
  int64_t standard;           /**< value where none is given */
  const char *const *choices; /**< NULL-terminated names, for OV_OPTION_CHOICE */
} OvOption;

/** What one run has to do.  Owned by the host; it stays valid until `release` returns. */
typedef struct OvTask
{
  uint32_t size;      /**< sizeof (OvTask) of the host */
  uint32_t job;       /**< one of enum OvJobFlags */
  const char *path;   /**< open this, with `flags`, in `run`; NULL: the job has no file */
  int32_t flags;      /**< for open(2): O_RDONLY or O_RDWR, O_CLOEXEC, O_DIRECT if bypassed,
                           O_DSYNC if each write is to be durable, O_NOATIME where the time of
                           access may be left alone */
  uint32_t align;     /**< with O_DIRECT offset, length and memory are multiples of it; else 1 */
  uint64_t file_size; /**< bytes in the file */
  uint64_t offset;    /**< first byte of the range; a multiple of `align` */
  uint64_t length;    /**< bytes in the range */
  uint64_t block;     /**< bytes of one call; a multiple of `align` */
  uint32_t depth;     /**< buffers, which is also the most requests in flight; at least 1 */
  uint32_t work;      /**< enum OvWork */
  uint32_t letter;    /**< the letter to count, 0 to 255 */
  uint32_t order;     /**< enum OvOrder */
  uint64_t requests;  /**< blocks, accesses, events or samples to do */
  uint64_t seed;      /**< for random positions and data */
  double rate;        /**< events or samples a second; 0: as fast as it goes */
  const int64_t *options;  /**< values, in the order of the descriptor's option table */
  const void *content;     /**< jobs that write: what is to be written, only to be read: see
                                ov_content(); else NULL */
  uint64_t content_period; /**< the content is the same again after that many bytes */
  uint32_t access;         /**< port: enum OvAccess */
  uint32_t width;          /**< port: bytes of one access, 1, 2, 4 or 8 */
  uint64_t address;        /**< port: of the register; 0: the strategy's own */
  uint64_t stride;         /**< OV_ORDER_STRIDED: bytes from the start of one block to the next */
} OvTask;

/** Live totals of a run, in memory shared with the session, which reads them 20 times a second.
 *  Each group is written by one thread at a time and lies on a cache line of its own. */
typedef struct OvLive
{
  uint64_t submitted;       /**< requests handed to the system */
  uint64_t submitted_bytes; /**< bytes asked for */
  uint64_t pad0[6];
  uint64_t completed;       /**< requests that came back, cancelled ones too */
  uint64_t completed_bytes; /**< bytes that were moved */
  uint64_t short_io;        /**< requests that moved less than was asked for */
  uint64_t cancelled;       /**< requests that came back cancelled */
  uint64_t missed;          /**< events or samples that never came */
  uint64_t late;            /**< those that came more than half a period after they were due */
  uint64_t gaps;            /**< rows of events or samples that never came */
  uint64_t longest;         /**< events or samples of the longest such row */
  uint64_t consumed;        /**< requests whose bytes were used */
  uint64_t consumed_bytes;  /**< bytes used: what throughput is made of */
  uint64_t count;           /**< letters counted */
  uint64_t pad2[5];
} OvLive;

/** What the program offers to a strategy.  `submit` and `complete` may be called by different
 *  threads, each of them by one thread at a time. */
typedef struct OvHost
{
  uint32_t size;        /**< sizeof (OvHost) of the host */
  uint32_t abi;         /**< OV_STRATEGY_ABI of the host */
  const uint32_t *stop; /**< not 0: submit nothing more, drain, return; see ov_stopped() */
  int32_t wake_fd;      /**< becomes and stays readable when `stop` is set; never read from it */
  uint32_t timing;      /**< enum OvTiming */
  OvLive *live;         /**< totals; use the inline functions below */

  /* Called only while timing is not OV_TIMING_COUNTERS, by the inline functions below. */
  void (*timed_submit) (const struct OvHost *host, uint32_t slot, uint64_t offset, uint64_t bytes);
  void (*timed_complete) (const struct OvHost *host, uint32_t slot, int64_t result, uint64_t stamp);
  void (*timed_consume) (const struct OvHost *host, uint32_t slot, bool begin);

  /** The work of the task on `bytes` bytes at `data`, in file order where the work wants order. */
  void (*work) (const struct OvHost *host, const void *data, size_t bytes);

  /** The time now as a stamp, for ov_completed_at(); any thread. */
  uint64_t (*stamp) (const struct OvHost *host);

  /** Memory for `bytes` bytes, 2 MiB aligned, huge pages where they are to be had, touched.
   *  For `prepare`.  NULL when there is none.  Freed by the host after `release`. */
  void *(*buffer) (const struct OvHost *host, size_t bytes);

  /** Waits until `fd` is readable (1), the run is stopped (-ECANCELED) or `timeout_ms` is over
   *  (0; -1 waits for ever).  fd -1: only sleeps.  Other negative values: -errno. */
  int (*wait) (const struct OvHost *host, int fd, int timeout_ms);

  /** Adds "key=value" to what was really used, where that differs from what the task asked for
   *  or is chosen by the strategy itself; shown beside the result. */
  void (*effective) (const struct OvHost *host, const char *key, const char *value);

  /** Explains the error that `prepare` or `run` is about to return: one sentence without the
   *  system's own words, which the host adds.  `offset`: where, or UINT64_MAX. */
  void (*explain) (const struct OvHost *host, uint64_t offset, const char *text);

  /** As timed_submit, for ov_handed() below.  The tables of older hosts end before it. */
  void (*timed_handed) (const struct OvHost *host, uint32_t slot);

  /** For jobs of two parts: the first one (`transfer`: the writing) is over, the second one (the
   *  reading back) begins.  Both are timed apart.  See ov_second_part(). */
  void (*second_part) (const struct OvHost *host);

  /** Nanoseconds of one unit of a stamp, times 2^32: to compute with stamps on the hot path. */
  uint64_t stamp_scale;

  /** Records that an event or sample came `ns` nanoseconds after it was due.  See ov_event(). */
  void (*lateness) (const struct OvHost *host, uint64_t ns);

  /** Opens a device with open(2)'s `flags`, close-on-exec: the descriptor, or -errno.  In a
   *  privileged session the devices are open already, and those it has are all there are.  See
   *  ov_device(). */
  int (*device) (const struct OvHost *host, const char *path, int flags);
} OvHost;

/** Descriptor of a strategy.  All texts are UTF-8 and live as long as the module. */
typedef struct OvStrategy
{
  uint32_t size;       /**< sizeof (OvStrategy) */
  uint32_t abi;        /**< OV_STRATEGY_ABI */
  const char *id;      /**< "family.name": lower case letters, digits, '-', one '.' or more */
  const char *title;   /**< a few words; OV_TR() */
  const char *summary; /**< one sentence: what it does and what it costs; OV_TR() */
  const char *family;  /**< the part of the id before the first '.' */
  const char *article; /**< rows of the articles it belongs to, such as "1.6"; or NULL */
  uint32_t jobs;       /**< enum OvJobFlags */
  uint32_t caps;       /**< enum OvCaps */
  const OvOption *const *options; /**< NULL-terminated; or NULL */

  /** Can it work here?  0, or -errno with the cause, and how to lift it, in `why` (at most
   *  `why_size` bytes with the final 0).  It may try a real request.  NULL: always.  Called in a
   *  process of its own, before any run, without a task. */
  int (*probe) (const OvHost *host, char *why, size_t why_size);

  /** Makes what one run needs and may be set up once: rings, threads, registration, buffers.
   *  Timed apart from `run`.  Returns 0 and the state, or -errno: then it leaves nothing behind
   *  and `release` is not called. */
  int (*prepare) (const OvHost *host, const OvTask *task, void **state);

  /** Does the job: opens the file, moves the bytes, hands them to ov_consume(), closes.  Only
   *  this is measured.  Returns 0, -ECANCELED when stopped (drained), or -errno.  Called once for
   *  each `prepare`. */
  int (*run) (void *state);

  /** Wakes a `run` that sleeps somewhere else than in OvHost::wait; called from another thread
   *  after `stop` was set.  Only wakes: cancelling belongs to run's own thread.  Or NULL. */
  void (*abort) (void *state);

  /** Frees what `prepare` made.  Also called after `run` failed. */
  void (*release) (void *state);

  const char *source;     /**< the strategy's source text, see OV_EMBED_SOURCE; or NULL */
  const char *source_end; /**< one past its last byte */

  /** Was what `run` found true?  Called once, after a run that returned 0 and before `release`,
   *  outside of what is measured.  0, or -errno, with the reason given to OvHost::explain.  NULL:
   *  nothing to look at.  Hosts older than this field do not call it. */
  int (*verify) (void *state);
} OvStrategy;

/** The one function that a module exports: a NULL-terminated array of descriptors. */
typedef const OvStrategy *const *(*OvStrategiesFunc) (uint32_t host_abi);
#define OV_STRATEGIES_SYMBOL "overlap_strategies"

#define OV_STRATEGIES(...)                                                                         \
  OV_EXTERN_C __attribute__ ((visibility ("default"))) const OvStrategy *const *                   \
  overlap_strategies (uint32_t host_abi);                                                          \
  OV_EXTERN_C const OvStrategy *const *overlap_strategies (uint32_t host_abi)                      \
  {                                                                                                \
    static const OvStrategy *const list[] = { __VA_ARGS__, NULL };                                 \
    (void)host_abi;                                                                                \
    return list;                                                                                   \
  }                                                                                                \
  OV_EXTERN_C const OvStrategy *const *overlap_strategies (uint32_t host_abi)

/** Puts the very file that is being compiled into the module, between `name` and `name##_end`,
 *  for OvStrategy::source.  Write it once in a file, outside of functions, with a name of its
 *  own. */
#define OV_EMBED_SOURCE(name)                                                                      \
  OV_EXTERN_C __attribute__ ((visibility ("hidden"))) const char name[];                           \
  OV_EXTERN_C __attribute__ ((visibility ("hidden"))) const char name##_end[];                     \
  __asm__(".pushsection .rodata\n"                                                                 \
          ".globl " #name "\n.hidden " #name "\n" #name ":\n"                                      \
          ".incbin \"" __FILE__ "\"\n"                                                             \
          ".globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n"                          \
          ".byte 0\n"                                                                              \
          ".popsection\n")

/* ---- What a strategy calls on the hot path ------------------------------------------------ */

/** As OvHost::device; -ENOSYS where the host is older. */
static inline int
ov_device (const OvHost *host, const char *path, int flags)
{
  return OV_HAS (OvHost, host, device) && host->device != NULL ? host->device (host, path, flags)
                                                               : -ENOSYS;
}

/** Adds to a total that only this thread writes and others read. */
static inline void
ov_live_add (uint64_t *total, uint64_t n)
{
  __atomic_store_n (total, __atomic_load_n (total, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/** True once the run is to end.  Look before each request. */
static inline bool
ov_stopped (const OvHost *host)
{
  return __atomic_load_n (host->stop, __ATOMIC_RELAXED) != 0;
}

/** A request for `bytes` bytes at `offset` is about to be handed to the system; `slot` is its
 *  buffer, below OvTask::depth (0 for strategies with one buffer).  Call it before the system
 *  call. */
static inline void
ov_submitted (const OvHost *host, uint32_t slot, uint64_t offset, uint64_t bytes)
{
  ov_live_add (&host->live->submitted, 1);
  ov_live_add (&host->live->submitted_bytes, bytes);
  if (host->timing != OV_TIMING_COUNTERS)
    host->timed_submit (host, slot, offset, bytes);
}

/** The system call that handed the request in `slot` over has returned, while the request may still
 *  be on its way: tells the time that submitting took from the time until completion.  For
 *  asynchronous interfaces; not for a call that also waits, or does the whole request. */
static inline void
ov_handed (const OvHost *host, uint32_t slot)
{
  if (host->timing != OV_TIMING_COUNTERS && host->size > offsetof (OvHost, timed_handed)
      && host->timed_handed != NULL)
    host->timed_handed (host, slot);
}

/** As ov_completed(), with the moment of completion from OvHost::stamp. */
static inline void
ov_completed_at (const OvHost *host, uint32_t slot, int64_t result, uint64_t stamp)
{
  OvLive *live = host->live;

  ov_live_add (&live->completed, 1);
  if (result > 0)
    ov_live_add (&live->completed_bytes, (uint64_t)result);
  if (host->timing != OV_TIMING_COUNTERS)
    host->timed_complete (host, slot, result, stamp);
}

/** The request in `slot` came back: `result` bytes, or -errno. */
static inline void
ov_completed (const OvHost *host, uint32_t slot, int64_t result)
{
  ov_completed_at (host, slot, result, 0);
}

/** The last request moved less than was asked for and the rest was asked for again. */
static inline void
ov_short_io (const OvHost *host)
{
  ov_live_add (&host->live->short_io, 1);
}

/** The request in `slot` came back cancelled (call ov_completed() as well). */
static inline void
ov_cancelled (const OvHost *host)
{
  ov_live_add (&host->live->cancelled, 1);
}

/** `n` more accesses of a `port` job were done.  Call it every few thousand accesses, so that it
 *  costs nothing beside them. */
static inline void
ov_accessed (const OvHost *host, uint64_t n)
{
  ov_live_add (&host->live->submitted, n);
  ov_live_add (&host->live->completed, n);
}

/** An event of a `ticks` job, or a sample of a `samples` job, came `ns` nanoseconds after it was
 *  due; `period` is the time between two of them. */
static inline void
ov_event (const OvHost *host, uint64_t ns, uint64_t period)
{
  OvLive *live = host->live;

  ov_live_add (&live->submitted, 1);
  ov_live_add (&live->completed, 1);
  if (ns > period / 2)
    ov_live_add (&live->late, 1);
  if (OV_HAS (OvHost, host, lateness) && host->lateness != NULL)
    host->lateness (host, ns);
}

/** `n` (at least 1) events or samples in a row were due and never came: the next one was due
 * already when the last one was dealt with, or the system says that it merged them. */
static inline void
ov_missed (const OvHost *host, uint64_t n)
{
  OvLive *live = host->live;

  ov_live_add (&live->missed, n);
  ov_live_add (&live->gaps, 1);
  if (n > __atomic_load_n (&live->longest, __ATOMIC_RELAXED))
    __atomic_store_n (&live->longest, n, __ATOMIC_RELAXED);
}

/** Does the task's work on the bytes of `slot`. */
static inline void
ov_consume (const OvHost *host, uint32_t slot, const void *data, size_t bytes)
{
  OvLive *live = host->live;

  if (host->timing == OV_TIMING_COUNTERS)
    host->work (host, data, bytes);
  else
    {
      host->timed_consume (host, slot, true);
      host->work (host, data, bytes);
      host->timed_consume (host, slot, false);
    }
  ov_live_add (&live->consumed, 1);
  ov_live_add (&live->consumed_bytes, bytes);
}

/** For strategies that count inline: `bytes` more bytes were looked at and held `count` letters.
 *  Call it every 4K to 64K. */
static inline void
ov_counted (const OvHost *host, uint64_t bytes, uint64_t count)
{
  ov_live_add (&host->live->consumed_bytes, bytes);
  ov_live_add (&host->live->count, count);
}

/** Where the bytes for `offset` in the file lie, for jobs that write; at least OvTask::block bytes
 *  (or what is left of the range) lie there in one piece.  Aligned in memory as `offset` is within
 *  the range, to 2 MiB at most. */
static inline const char *
ov_content (const OvTask *task, uint64_t offset)
{
  const uint64_t at = offset - task->offset;

  return (const char *)task->content + (at < task->content_period ? at : at % task->content_period);
}

/** For jobs that write: `bytes` more bytes of the range were handed to the system, or to a library
 *  that will do so; what throughput is made of.  Call it every 4K or more. */
static inline void
ov_written (const OvHost *host, uint64_t bytes)
{
  ov_live_add (&host->live->consumed_bytes, bytes);
}

/** Between the writing and the reading of a `transfer`. */
static inline void
ov_second_part (const OvHost *host)
{
  if (OV_HAS (OvHost, host, second_part) && host->second_part != NULL)
    host->second_part (host);
}

/** What to do after a request that came back with `result`, a negative errno.  0: make it again
 *  (-EINTR at once; -EAGAIN after a wait of 10 ms, at most 100 times in a row).  Otherwise what
 *  `run` is to return: -ECANCELED when stopped meanwhile, or `result`.  `tries` counts the EAGAINs:
 *  set it to 0 before the first request and after each that succeeded. */
static inline int
ov_retry (const OvHost *host, int64_t result, uint32_t *tries)
{
  if (result == -EINTR)
    return ov_stopped (host) ? -ECANCELED : 0;
  if (result != -EAGAIN || ++*tries > 100)
    return (int)result;
  return host->wait (host, -1, 10);
}

/** Walks through the positions of a `blocks` job, or through the pieces of `count` or `transfer`.
 */
typedef struct OvPositions
{
  uint64_t state;  /**< of the generator, or the next block */
  uint64_t blocks; /**< whole blocks in the range */
  uint64_t block;  /**< bytes */
  uint64_t offset; /**< of the range */
  uint32_t order;  /**< enum OvOrder */
  uint32_t half;   /**< random pieces: bits of half a number */
  uint64_t length; /**< of the range */
  uint64_t seed;
  uint64_t step;   /**< strided: blocks from one to the next */
  uint64_t first;  /**< strided: the block that this round began with */
  uint64_t pieces; /**< pieces in the range, the last one may be short */
  uint64_t done;   /**< pieces that were given out */
} OvPositions;

static inline void
ov_positions_init (OvPositions *positions, const OvTask *task)
{
  const bool random = task->order == OV_ORDER_RANDOM;
  const uint64_t stride = OV_HAS (OvTask, task, stride) ? task->stride : 0;

  positions->state
      = random && task->job != OV_JOB_COUNT && task->job != OV_JOB_TRANSFER ? (task->seed | 1) : 0;
  positions->blocks = task->block > 0 ? task->length / task->block : 0;
  positions->block = task->block;
  positions->offset = task->offset;
  positions->order = task->order;
  positions->length = task->length;
  positions->seed = task->seed;
  positions->pieces = positions->blocks + (positions->blocks * task->block < task->length);
  positions->step = task->block > 0 && stride > task->block ? (stride - 1) / task->block + 1 : 1;
  positions->first = 0;
  positions->done = 0;
  positions->half = 1;
  while (random && positions->half < 32 && positions->pieces >> (2 * positions->half) != 0)
    positions->half++;
}

/* The next of `n` blocks, round and round, where the order needs no chance. */
static inline uint64_t
ov_next_block (OvPositions *positions, uint64_t n)
{
  const uint64_t index = positions->state;

  if (positions->order == OV_ORDER_STRIDED)
    {
      positions->state += positions->step;
      if (positions->state < n)
        return index;
      positions->first++;
      if (positions->first >= positions->step || positions->first >= n)
        positions->first = 0;
      positions->state = positions->first;
      return index;
    }
  positions->state = index + 1 < n ? index + 1 : 0;
  return positions->order == OV_ORDER_BACKWARD ? n - 1 - index : index;
}

/** Offset of the next block in the file.  Random: xorshift64* (Marsaglia 2003, Vigna 2016), its
 *  upper 32 bits scaled to the number of blocks (which must be below 2^32). */
static inline uint64_t
ov_position (OvPositions *positions)
{
  uint64_t index;

  if (positions->order == OV_ORDER_RANDOM)
    {
      uint64_t x = positions->state;

      x ^= x >> 12;
      x ^= x << 25;
      x ^= x >> 27;
      positions->state = x;
      index = (((x * UINT64_C (2685821657736338717)) >> 32) * positions->blocks) >> 32;
    }
  else
    index = ov_next_block (positions, positions->blocks);
  return positions->offset + index * positions->block;
}

/* The `i`-th of all numbers below positions->pieces, mixed by the seed: a Feistel network of four
 * rounds over a power of four, gone through until the number is one of them (cycle walking, Black
 * and Rogaway 2002). */
static inline uint64_t
ov_mixed_piece (const OvPositions *positions, uint64_t i)
{
  const uint32_t half = positions->half;
  const uint64_t mask = (UINT64_C (1) << half) - 1;

  do
    for (uint64_t round = 1; round <= 4; round++)
      {
        uint64_t x = (i & mask) + positions->seed + round * UINT64_C (0x9e3779b97f4a7c15);

        x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
        i = ((i & mask) << half) | (((i >> half) ^ (x >> 32)) & mask);
      }
  while (i >= positions->pieces);
  return i;
}

/** For jobs that go through the range once: offset of the next piece in the file, and in `*bytes`
 *  its length: OvTask::block, what is left for the last one of the range, 0 behind the last one
 *  that there is.  Random pieces take up to some 100 ns to find. */
static inline uint64_t
ov_piece (OvPositions *positions, uint64_t *bytes)
{
  const uint64_t n = positions->pieces;
  uint64_t index, left;

  if (positions->done >= n)
    {
      *bytes = 0;
      return positions->offset + positions->length;
    }
  index = positions->order == OV_ORDER_RANDOM ? ov_mixed_piece (positions, positions->done)
                                              : ov_next_block (positions, n);
  positions->done++;
  left = positions->length - index * positions->block;
  *bytes = left < positions->block ? left : positions->block;
  return positions->offset + index * positions->block;
}

/** Rounds `n` up to a multiple of `align` (at least 1). */
static inline uint64_t
ov_round_up (uint64_t n, uint64_t align)
{
  return align > 1 ? (n + align - 1) / align * align : n;
}

OV_END_DECLS

#endif /* OVERLAP_STRATEGY_H */
