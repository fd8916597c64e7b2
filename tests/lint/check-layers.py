#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks who includes whom: the layers of core, app and plugins.

check-layers.py SOURCE
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import run  # pylint: disable=wrong-import-position

SOURCE = pathlib.Path(sys.argv[1]).resolve()
HEADER = SOURCE / 'core/include/overlap-strategy.h'
ROOTS = [SOURCE / 'core', SOURCE / 'app', SOURCE / 'core/include']

# What each layer may include besides itself and the public header. A folder that is not named here
# is a fault: a new layer has to say where it stands.
METRICS = {'core/base', 'core/metrics'}
MODEL = METRICS | {'core/model'}
CORE = MODEL | {'core/sampler', 'core/engine'}
LAYERS = {
    'core/include': set(),
    'core/base': set(),
    'core/metrics': {'core/base'},
    'core/model': METRICS,
    'core/sampler': MODEL,
    'core/slowdisk': MODEL,
    'core/worker': MODEL | {'core/sampler', 'core/slowdisk'},
    'core/engine': MODEL,
    'core/virtual': {'core/base'},
    'app/chart': set(),
    'app/report': CORE | {'app/chart'},
    'app/cli': CORE | {'app/chart', 'app/report'},
    'app/gui': CORE | {'app/chart', 'app/report'},
}
# The layers that know neither core nor plugin interface.
NO_HEADER = {'app/chart'}
# The only layer that may know the tool kit.
WINDOW = 'app/gui'
TOOLKIT = re.compile(r'(gtk|gdk|gsk)/|adwaita\.h')

STANDARD_C = {'errno.h', 'limits.h', 'stdbool.h', 'stddef.h', 'stdint.h'}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.DOTALL)


def name(path):
    """A path as it is written in a message."""
    return str(path.relative_to(SOURCE))


def layer(path):
    """The layer of a file: its first two folders, or 'plugins'."""
    parts = path.relative_to(SOURCE).parts
    return parts[0] if parts[0] == 'plugins' else '/'.join(parts[:2])


def sources(*folders):
    """The C files below these folders."""
    return [path for folder in folders for path in sorted((SOURCE / folder).rglob('*'))
            if path.suffix in ('.c', '.h')]


def is_generated(path, text):
    """Whether the build writes a header of that name: config.h, or one that its folder's
    meson.build speaks of."""
    if text == 'config.h':
        return True
    build = path.parent / 'meson.build'
    return build.exists() and pathlib.Path(text).stem in build.read_text(encoding='utf-8')


def resolve(path, quote, text):
    """The file of ours that an include means, or None."""
    places = ([path.parent] if quote == '"' else []) + ROOTS
    for place in places:
        found = (place / text).resolve()
        if found.is_file() and found.is_relative_to(SOURCE):
            return found
    return None


def includes(path):
    """The includes of a file as (quote, text, file of ours or None). Comments are no includes."""
    code = COMMENT.sub('', path.read_text(encoding='utf-8'))
    return [(quote, text, resolve(path, quote, text)) for quote, text in INCLUDE.findall(code)]


def fail_if(faults):
    """Fails with one fault a line."""
    assert not faults, '\n' + '\n'.join(faults)


def includes_are_found():
    """Every include of ours names a file that is there"""
    files = sources('core', 'app', 'plugins')
    fail_if([f'{name(path)} includes "{text}", which is not there' for path in files
             for quote, text, found in includes(path)
             if quote == '"' and found is None and not is_generated(path, text)])


def includes_point_up():
    """A layer of core and app includes only what it may"""
    faults = []
    for path in sources('core', 'app'):
        own = layer(path)
        if own not in LAYERS:
            faults.append(f'{name(path)}: the layer {own} stands in no list')
            continue
        for _, text, found in includes(path):
            if found is None or layer(found) == own:
                continue
            allowed = layer(found) in LAYERS[own] or found == HEADER and own not in NO_HEADER
            if not allowed:
                faults.append(f'{name(path)} includes {text}: {own} may not include {layer(found)}')
    fail_if(faults)


def private_stays_inside():
    """A private header is included inside its layer only"""
    fail_if([f'{name(path)} includes {text}' for path in sources('core', 'app', 'plugins')
             for _, text, found in includes(path)
             if found is not None and found.stem.endswith('-private') and layer(found) != layer(path)])


def plugins_see_one_header():
    """Plugins include nothing of ours but overlap-strategy.h and their own"""
    fail_if([f'{name(path)} includes {text}' for path in sources('plugins')
             for _, text, found in includes(path)
             if text == 'config.h'
             or found is not None and found != HEADER and layer(found) != 'plugins'])


def public_header_stands_alone():
    """The public header includes headers of standard C only"""
    if HEADER.exists():
        fail_if([f'{name(HEADER)} includes {text}' for quote, text, _ in includes(HEADER)
                 if quote != '<' or text not in STANDARD_C])


def toolkit_in_the_window_only():
    """Only the window includes GTK"""
    fail_if([f'{name(path)} includes {text}' for path in sources('core', 'app', 'plugins')
             if layer(path) != WINDOW
             for _, text, _ in includes(path) if TOOLKIT.match(text)])


def no_cycles():
    """No file includes itself by way of others"""
    graph = {path: [found for _, _, found in includes(path) if found is not None]
             for path in sources('core', 'app', 'plugins')}
    finished = set()

    def visit(path, way):
        if path in way:
            circle = way[way.index(path):] + [path]
            raise AssertionError(' includes '.join(map(name, circle)))
        if path not in finished:
            for found in graph.get(path, []):
                visit(found, way + [path])
            finished.add(path)

    for path in graph:
        visit(path, [])


run(includes_are_found, includes_point_up, private_stays_inside, plugins_see_one_header,
    public_header_stands_alone, toolkit_in_the_window_only, no_cycles)
