/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * To be loaded before the C library: O_DIRECT is taken, and nothing is direct, as on some file
 * systems.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>

/* By their names in the library, whatever _FILE_OFFSET_BITS makes of open(). */
#define REPLACE(function, name)                                                                    \
  __attribute__ ((visibility ("default"))) int function (const char *path, int flags,              \
                                                         ...) __asm__(name);                       \
  int function (const char *path, int flags, ...)                                                  \
  {                                                                                                \
    static int (*real) (const char *path, int flags, ...);                                         \
    mode_t mode = 0;                                                                               \
    va_list args;                                                                                  \
                                                                                                   \
    va_start (args, flags);                                                                        \
    if ((flags & (O_CREAT | __O_TMPFILE)) != 0)                                                    \
      mode = va_arg (args, mode_t);                                                                \
    va_end (args);                                                                                 \
    if (real == NULL)                                                                              \
      *(void **)&real = dlsym (RTLD_NEXT, name);                                                   \
    return real (path, flags & ~O_DIRECT, mode);                                                   \
  }

REPLACE (cached_open, "open")
REPLACE (cached_open64, "open64")
