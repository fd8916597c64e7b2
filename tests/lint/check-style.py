#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the form of the source files that no compiler looks at. (POTFILES: see check-po.py.)

check-style.py SOURCE
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import run  # pylint: disable=wrong-import-position

SOURCE = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = ('core', 'app', 'plugins', 'data', 'po', 'tests')
LINES = 1000
SPDX = re.compile(r'(?://|/\*) SPDX-License-Identifier: (\S+)')
OURS, PUBLIC = 'GPL-3.0-or-later', 'MIT'
HEADER = 'core/include/overlap-strategy.h'
# In two halves, so that this file does not find itself. The test scripts use one of the words as
# TAP has it, and are not searched for it.
LATER = re.compile(r'\b(?:TO' r'DO|FIX' r'ME|XX' r'X|HA' r'CK)\b')


def name(path):
    """A path as it is written in a message."""
    return str(path.relative_to(SOURCE))


def files(*suffixes):
    """The source files with one of these endings."""
    return [path for folder in FOLDERS for path in sorted((SOURCE / folder).rglob('*'))
            if path.suffix in suffixes and path.is_file() and '__pycache__' not in path.parts]


def text(path):
    """The text of a file."""
    return path.read_text(encoding='utf-8')


def fail_if(faults):
    """Fails with one fault a line."""
    assert not faults, '\n' + '\n'.join(faults)


def licence_comes_first():
    """The first line of each C file names its licence, and the right one"""
    faults = []
    for path in files('.c', '.h'):
        found = SPDX.match(text(path))
        if not found:
            faults.append(f'{name(path)}: the first line is no SPDX line')
            continue
        if name(path) == HEADER:
            allowed = {PUBLIC}
        elif path.relative_to(SOURCE).parts[0] in ('core', 'app'):
            allowed = {OURS}
        else:
            allowed = {OURS, PUBLIC}
        if found.group(1) not in allowed:
            faults.append(f'{name(path)}: {found.group(1)} instead of {" or ".join(sorted(allowed))}')
    fail_if(faults)


def files_are_not_long():
    """No C file has more than 1000 lines"""
    counts = [(path, text(path).count('\n')) for path in files('.c', '.h')]
    fail_if([f'{name(path)} has {count} lines' for path, count in counts if count > LINES])


def headers_guard_themselves():
    """Each header keeps itself from being read twice, the public one in a way that any compiler knows"""
    faults = []
    for path in files('.h'):
        code = text(path)
        once = re.search(r'^#pragma once$', code, re.MULTILINE)
        guard = re.search(r'^#ifndef (\w+)\n#define \1$', code, re.MULTILINE)
        if not (guard if name(path) == HEADER else once or guard):
            faults.append(f'{name(path)} lacks {"an #ifndef guard" if name(path) == HEADER else "#pragma once"}')
    fail_if(faults)


def nothing_is_left_for_later():
    """No source file holds a note of work left undone"""
    paths = files('.c', '.h', '.ui', '.css', '.build', '.json', '.xml', '.in', '.sh')
    fail_if([f'{name(path)}:{number}: {line.strip()}' for path in paths
             for number, line in enumerate(text(path).splitlines(), 1) if LATER.search(line)])


run(licence_comes_first, files_are_not_long, headers_guard_themselves, nothing_is_left_for_later)
