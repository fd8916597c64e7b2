#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the shell scripts, and that ./test counts what a run of the suite wrote.

check-scripts.py SOURCE
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import need, output, run  # pylint: disable=wrong-import-position

SOURCE = pathlib.Path(sys.argv[1]).resolve()
SKIP = {'.git', '.cache', '__pycache__', 'overlap-results'}


def shell_scripts():
    """The shell scripts of the source tree: by their first line."""
    for path in sorted(SOURCE.rglob('*')):
        parts = path.relative_to(SOURCE).parts
        if SKIP & set(parts) or parts[0].startswith('build') or not path.is_file():
            continue
        with open(path, 'rb') as f:
            first = f.readline(80)
        if b'shell=bash' in first or (first.startswith(b'#!') and first.split()[-1].endswith(b'sh')):
            yield path


def scripts_are_bash():
    """Shell scripts can be read by bash"""
    scripts = list(shell_scripts())
    assert SOURCE / 'run' in scripts and SOURCE / 'data/setup/setup.sh' in scripts, scripts
    for script in scripts:
        output('bash', '-n', script)


def scripts_are_clean():
    """Shell scripts pass shellcheck"""
    need('shellcheck')
    output('shellcheck', '-x', *shell_scripts(), cwd=SOURCE)


def packages_have_columns():
    """The table of packages has a kind and a name for each package manager"""
    text = (SOURCE / 'data/setup/packages.txt').read_text(encoding='utf-8')
    rows = [line.split() for line in text.splitlines() if not line.startswith('#')]
    for row in rows:
        assert len(row) == 3 and row[0] in ('build', 'test'), row
    for column in (1, 2):
        names = [row[column] for row in rows if row[column] != '-']
        assert len(names) == len(set(names)), 'a package stands twice'


def count(*entries, status):
    """The last line that report.py writes about these lines of meson's log."""
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder) / 'meson-logs'
        logs.mkdir()
        if entries:
            text = ''.join(json.dumps(entry) + '\n' for entry in entries)
            (logs / 'testlog.json').write_text(text, encoding='utf-8')
        return output(sys.executable, SOURCE / 'tests/report.py', 'count', folder,
                      status=status).splitlines()


def points_are_counted():
    """./test counts the points of a TAP test, and a skipped one with its reason"""
    tap = 'TAP version 13\n# random seed: 1\n1..5\n# Start of a tests\nok 1 /a/b\n' \
          'ok 2 /a/c # SKIP no io_uring here\n# 12 ok so far\nok 3 /a/d\n' \
          'not ok 4 /a/e # TODO later\n'
    lines = count({'name': 'a', 'result': 'OK', 'stdout': tap},
                  {'name': 'b', 'result': 'OK', 'stdout': 'ok, all is well\n'},
                  {'name': 'c', 'result': 'SKIP', 'stdout': '', 'stderr': 'no fuse\n'}, status=0)
    assert lines[-1] == '3 passed, 0 failed, 3 skipped', lines
    assert 'skipped  a: /a/c: no io_uring here' in lines, lines
    assert 'skipped  a: /a/e: later' in lines, lines
    assert 'skipped  c: no fuse' in lines, lines


def failures_are_counted():
    """./test counts failed points, a crash, and a test that ran out of time"""
    lines = count({'name': 'a', 'result': 'FAIL', 'stdout': '1..2\nok 1 /x\nnot ok 2 /y\n'},
                  {'name': 'b', 'result': 'ERROR', 'stdout': '1..4\nok 1 /x\n'},
                  {'name': 'c', 'result': 'TIMEOUT', 'stdout': ''}, status=1)
    assert lines[-1] == '2 passed, 3 failed, 0 skipped', lines
    assert 'failed   a: /y' in lines, lines
    assert 'failed   b: error, 3 of 4 not reached' in lines, lines


def nothing_is_a_failure():
    """./test fails if nothing ran or everything was skipped"""
    assert count(status=1)[-1] == '0 passed, 0 failed, 0 skipped'
    lines = count({'name': 'c', 'result': 'SKIP', 'stdout': 'no fuse\n'}, status=1)
    assert lines[-1] == '0 passed, 0 failed, 1 skipped', lines


run(scripts_are_bash, scripts_are_clean, packages_have_columns, points_are_counted,
    failures_are_counted, nothing_is_a_failure)
