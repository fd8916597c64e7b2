#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the public header compiles alone, in C and in C++, with gcc and with clang.

check-header.py SOURCE
"""

import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Skip, need, output, run  # pylint: disable=wrong-import-position

HEADER = pathlib.Path(sys.argv[1]).resolve() / 'core/include/overlap-strategy.h'

# Twice, as a module's own headers may do; and the macros that a module is made with.
MODULE = '''#include "overlap-strategy.h"
#include "overlap-strategy.h"

OV_EMBED_SOURCE (module_source);

static OvStrategy first, second;

OV_STRATEGIES (&first, &second);
'''


def check(compiler, standard, suffix):
    """A point that compiles the header by itself, then a module that uses it."""
    def point():
        if not HEADER.exists():
            raise Skip('there is no overlap-strategy.h yet')
        need(compiler)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            # A copy, so that no other header of ours is within reach.
            shutil.copy(HEADER, folder)
            (folder / f'alone{suffix}').write_text('#include "overlap-strategy.h"\n'
                                                   'int main (void) { return 0; }\n')
            (folder / f'module{suffix}').write_text(MODULE)
            for name in ('alone', 'module'):
                output(compiler, f'-std={standard}', '-pedantic', '-Wall', '-Wextra', '-Werror',
                       '-c', f'{name}{suffix}', '-o', f'{name}.o', cwd=folder)

    point.__doc__ = f'The public header compiles with {compiler} -std={standard}'
    return point


run(*(check(compiler, standard, suffix)
      for compiler, standard, suffix in (
          ('gcc', 'c11', '.c'), ('g++', 'c++11', '.cc'), ('g++', 'c++17', '.cc'),
          ('clang', 'c11', '.c'), ('clang++', 'c++11', '.cc'), ('clang++', 'c++17', '.cc'))))
