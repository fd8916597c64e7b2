#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the lints find what they look for: each is run over a small tree that is in order,
and over the same tree with one fault planted.

test-lints.py SOURCE
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import need, run  # pylint: disable=wrong-import-position

SOURCE = pathlib.Path(sys.argv[1]).resolve()
LINTS = SOURCE / 'tests/lint'

GPL = '// SPDX-License-Identifier: GPL-3.0-or-later\n'
ONCE = GPL + '#pragma once\n'
# The smallest tree with a file in each place that a lint speaks of.
TREE = {
    'core/base/ov-clock.h': ONCE,
    'core/base/ov-clock-private.h': ONCE,
    'core/base/ov-clock.c': GPL + '#include "config.h"\n#include "base/ov-clock-private.h"\n',
    'core/metrics/ov-stats.h': ONCE + '#include "base/ov-clock.h"\n',
    'core/model/ov-run.h': ONCE + '#include "metrics/ov-stats.h"\n',
    'core/model/ov-run.c': GPL + '#include "model/ov-run.h"\n#include "overlap-strategy.h"\n',
    'core/sampler/ov-system.h': ONCE + '#include "model/ov-run.h"\n',
    'core/worker/ov-host.c': GPL + '#include "sampler/ov-system.h"\n',
    'core/worker/ov-host.h': ONCE,
    'core/engine/ov-suite.h': ONCE + '#include "model/ov-run.h"\n',
    'app/chart/ov-chart.h': ONCE + '#include <cairo.h>\n',
    'app/cli/main.c': GPL + '#include "engine/ov-suite.h"\n#include "chart/ov-chart.h"\n',
    'app/cli/ov-cli.h': ONCE,
    'app/gui/main.c': GPL + '#include <gtk/gtk.h>\n#include "ov-resources.h"\n',
    'app/gui/ov-window.h': ONCE,
    'app/gui/meson.build': "gnome.compile_resources('ov-resources', 'ov.gresource.xml')\n",
    'plugins/slots.h': ONCE,
    'plugins/uring/ring.h': ONCE + '#include "overlap-strategy.h"\n',
    'plugins/uring/wait.c': GPL + '#include "../slots.h"\n#include "ring.h"\n',
    'po/LINGUAS': 'de\n',
    'po/POTFILES': 'po/data-strings.c\n',
    'po/data-strings.c': GPL,
}


class Tree:
    """The tree in a folder that is gone afterwards, with the real public header."""

    def __enter__(self):
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.folder.name)
        for name, text in TREE.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding='utf-8')
        (root / 'core/include').mkdir()
        shutil.copy(SOURCE / 'core/include/overlap-strategy.h', root / 'core/include')
        return root

    def __exit__(self, *_):
        self.folder.cleanup()


def lint(script, root, *options):
    """The names of the points that failed, and all that the lint wrote."""
    done = subprocess.run([sys.executable, LINTS / script, root, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, encoding='utf-8', check=False)
    failed = re.findall(r'^not ok \d+ - ([^#\n]*)$', done.stdout, re.MULTILINE)
    assert done.returncode == (1 if failed else 0), done.stdout
    assert re.search(r'^(not )?ok 1 ', done.stdout, re.MULTILINE), done.stdout
    return failed, done.stdout


def expect(script, point, name, text, said, append=True):
    """Plants `text` in the file `name` and expects one point to fail, saying `said`."""
    with Tree() as root:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding='utf-8') if append and path.exists() else ''
        path.write_text(before + text, encoding='utf-8')
        failed, wrote = lint(script, root)
        assert len(failed) == 1 and failed[0].startswith(point), \
            f'{script} with {text!r} in {name}: {failed} instead of “{point}”\n{wrote}'
        assert said in wrote, f'{script} does not name {said!r}:\n{wrote}'


def in_order():
    """The lints find nothing in the tree without a fault"""
    with Tree() as root:
        for script in ('check-layers.py', 'check-style.py'):
            failed, wrote = lint(script, root)
            assert not failed, f'{script} says:\n{wrote}'


def layers_upward():
    """check-layers finds an include that points down, in each direction that is forbidden"""
    for name, included in (
            ('core/base/ov-clock.c', 'metrics/ov-stats.h'),
            ('core/metrics/ov-stats.c', 'engine/ov-suite.h'),
            ('core/model/ov-run.c', 'sampler/ov-system.h'),
            ('core/engine/ov-suite.h', 'worker/ov-host.h'),
            ('core/engine/ov-suite.h', 'sampler/ov-system.h'),
            ('core/worker/ov-host.c', 'engine/ov-suite.h'),
            ('core/worker/ov-host.c', 'chart/ov-chart.h'),
            ('app/chart/ov-chart.h', 'base/ov-clock.h'),
            ('app/chart/ov-chart.h', 'overlap-strategy.h'),
            ('app/cli/main.c', 'gui/ov-window.h'),
            ('app/cli/main.c', 'worker/ov-host.h'),
            ('app/gui/main.c', 'cli/ov-cli.h'),
            ('app/gui/main.c', 'worker/ov-host.h')):
        expect('check-layers.py', 'A layer of core and app', name, f'#include "{included}"\n',
               f'{name} includes {included}')
    # By a path of its own, and with spaces.
    expect('check-layers.py', 'A layer of core and app', 'core/base/ov-clock.c',
           ' #  include "../metrics/../model/ov-run.c"\n', 'core/base may not include core/model')
    expect('check-layers.py', 'A layer of core and app', 'core/base/ov-clock.c',
           '#include <metrics/ov-stats.h>\n', 'core/base may not include core/metrics')
    expect('check-layers.py', 'A layer of core and app', 'core/newlayer/ov-new.c', GPL,
           'core/newlayer')


def layers_comments():
    """check-layers does not take a comment for an include"""
    with Tree() as root:
        with open(root / 'core/base/ov-clock.c', 'a', encoding='utf-8') as f:
            f.write('/*\n#include "engine/ov-suite.h"\n*/\n// #include "engine/ov-suite.h"\n')
        failed, wrote = lint('check-layers.py', root)
        assert not failed, wrote


def layers_others():
    """check-layers finds plugins, private headers, GTK and missing files where they do not belong"""
    plugin = 'plugins/uring/wait.c'
    expect('check-layers.py', 'Plugins include nothing', plugin, '#include "base/ov-clock.h"\n',
           f'{plugin} includes base/ov-clock.h')
    expect('check-layers.py', 'Plugins include nothing', plugin, '#include "config.h"\n',
           f'{plugin} includes config.h')
    expect('check-layers.py', 'A private header', 'core/metrics/ov-stats.h',
           '#include "base/ov-clock-private.h"\n', 'core/metrics/ov-stats.h includes')
    expect('check-layers.py', 'Only the window', 'app/cli/main.c', '#include <gtk/gtk.h>\n',
           'app/cli/main.c includes gtk/gtk.h')
    expect('check-layers.py', 'Only the window', 'app/chart/ov-chart.h', '#include <gdk/gdk.h>\n',
           'app/chart/ov-chart.h includes gdk/gdk.h')
    expect('check-layers.py', 'Only the window', 'core/base/ov-clock.c', '#include <adwaita.h>\n',
           'core/base/ov-clock.c includes adwaita.h')
    expect('check-layers.py', 'Every include', 'core/base/ov-clock.c', '#include "base/ov-gone.h"\n',
           'base/ov-gone.h')
    expect('check-layers.py', 'The public header', 'core/include/overlap-strategy.h',
           '#include <glib.h>\n', 'glib.h')


def layers_cycles():
    """check-layers finds headers that include each other"""
    expect('check-layers.py', 'No file includes itself', 'core/base/ov-clock-private.h',
           '#include "base/ov-clock-private.h"\n',
           'core/base/ov-clock-private.h includes core/base/ov-clock-private.h')
    with Tree() as root:
        for one, other in (('a', 'b'), ('b', 'c'), ('c', 'a')):
            (root / f'core/base/ov-{one}.h').write_text(f'{ONCE}#include "ov-{other}.h"\n')
        failed, wrote = lint('check-layers.py', root)
        assert failed == ['No file includes itself by way of others'], wrote
        assert 'ov-b.h includes core/base/ov-c.h includes core/base/ov-a.h' in wrote, wrote


def style():
    """check-style finds a missing or wrong licence, long files, bare headers and notes for later"""
    def with_style(point, name, text, said, append=True):
        expect('check-style.py', point, name, text, said, append)

    with_style('The first line', 'core/base/ov-new.c', 'int x;\n' + GPL, 'core/base/ov-new.c')
    with_style('The first line', 'app/gui/ov-new.c', '// SPDX-License-Identifier: MIT\n', 'MIT')
    with_style('The first line', 'plugins/uring/new.c', '// SPDX-License-Identifier: BSD-2-Clause\n',
               'BSD-2-Clause')
    header = (SOURCE / 'core/include/overlap-strategy.h').read_text(encoding='utf-8')
    with_style('The first line', 'core/include/overlap-strategy.h',
               header.replace('MIT', 'GPL-3.0-or-later', 1), 'instead of MIT', append=False)
    with_style('No C file', 'core/base/ov-clock.c', '\n' * 998, '1001 lines')
    with_style('Each header', 'core/base/ov-new.h', GPL, 'core/base/ov-new.h')
    for word in ('TO' 'DO', 'FIX' 'ME'):
        with_style('No source file', 'core/base/ov-clock.c', f'/* {word}: later */\n',
                   'core/base/ov-clock.c:4')
        with_style('No source file', 'app/gui/meson.build', f'# {word}\n', 'app/gui/meson.build:2')
    with Tree() as root:
        # Exactly 1000 lines are allowed, and a word that only contains one is no note.
        with open(root / 'core/base/ov-clock.c', 'a', encoding='utf-8') as f:
            f.write('\n' * 996 + '/* to' 'do, METHO' 'DO */\n')
        failed, wrote = lint('check-style.py', root)
        assert not failed, wrote


def potfiles():
    """check-po finds a file that POTFILES lacks, and one that is not there"""
    def names_differ(root):
        failed, wrote = lint('check-po.py', root, '--complete')
        return any(point.startswith('POTFILES names') for point in failed), wrote

    with Tree() as root:
        differ, wrote = names_differ(root)
        assert not differ, wrote
        for mark in ('_ ("Stop")', '_("Stop")', 'N_ ("Stop")', 'OV_TR ("Stop")'):
            (root / 'plugins/uring/wait.c').write_text(f'{GPL}const char *s = {mark};\n')
            differ, wrote = names_differ(root)
            assert differ and 'plugins/uring/wait.c' in wrote, wrote
        (root / 'po/POTFILES').write_text('plugins/uring/wait.c\npo/data-strings.c\n')
        differ, wrote = names_differ(root)
        assert not differ, wrote
        (root / 'po/POTFILES').write_text('core/gone.c\nplugins/uring/wait.c\npo/data-strings.c\n')
        differ, wrote = names_differ(root)
        assert differ and 'core/gone.c' in wrote, wrote


def header():
    """check-header finds a header that needs another, is no strict C11, or no C++"""
    need('gcc', 'g++')
    with Tree() as root:
        failed, wrote = lint('check-header.py', root)
        assert not failed, wrote
        path = root / 'core/include/overlap-strategy.h'
        good = path.read_text(encoding='utf-8')
        for fault, c, cxx in (
                ('#include "base/ov-clock.h"\n', True, True),
                ('static inline gboolean ov_bad (void) { return 1; }\n', True, True),
                ('static inline int ov_bad (int n) { return ({ n; }); }\n', True, True),
                ('static inline int ov_bad (int class) { return class; }\n', False, True),
                ('static inline bool ov_bad (void) { return nullptr == 0; }\n', True, False)):
            path.write_text(good.replace('#endif\n', f'#endif\n{fault}', 1), encoding='utf-8')
            failed, wrote = lint('check-header.py', root)
            assert any('gcc -std=c11' in point for point in failed) == c, fault + wrote
            assert any('g++ -std=c++11' in point for point in failed) == cxx, fault + wrote
        path.unlink()
        failed, wrote = lint('check-header.py', root)
        assert not failed and wrote.count('# SKIP') == 6, wrote


run(in_order, layers_upward, layers_comments, layers_others, layers_cycles, style, potfiles, header)
