# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap-cli compare: lines of a result, and two results."""

import json

import tap
from program import cli, complains, folder, path, write


def run(name, *arguments):
    """Runs a small experiment; returns the result's path."""
    file = path(name)
    cli('run', 'count-a-letter', '--target', folder, '--size', '64K', '--json', file, '-q', *arguments)
    return file


first = run('first.json', '--repeat', '7', '--strategy', 'stdio.getc,posix.read', '--strategy', 'null.memory')


def compares_lines():
    """lines that did the same work are compared, the rest is said not to be"""
    out = cli('compare', first).out
    lines = out.splitlines()
    assert lines[0].startswith('Cold cache, file size 64K'), out
    assert sum('the others are compared with this' in line for line in lines) == 2, out
    assert 'No other line did this work' in out, out
    assert any(word in out for word in ('is fastest', 'cannot be told apart')), out


def compares_with_a_base():
    """--base names the line, what did other work is not compared with it, with what differs"""
    out = cli('compare', '--base', 'posix.read', '--metric', 'cpu', first).out
    assert 'CPU time' in out, out
    row = next(line for line in out.splitlines() if line.startswith('null.memory'))
    assert 'not compared: check: ' in row, out
    assert '1.000' not in row, out


def compares_two_results():
    """two results stand side by side, line by line"""
    second = run('second.json', '--repeat', '6', '--strategy', 'posix.read,posix.pread')
    out = cli('compare', first, second).out
    assert out.startswith('A: ') and '\nB: ' in out, out
    rows = [line for line in out.splitlines() if '64K' in line]
    assert len(rows) == 1 and rows[0].startswith('posix.read'), out


def says_what_differs():
    """other machines' runs of other work are not compared"""
    with open(first, encoding='utf-8') as file:
        result = json.load(file)
    for each in result['runs']:
        each['spec']['condition'] = 'warm'
    changed = write('changed.json', json.dumps(result))
    out = cli('compare', first, changed).out
    assert out.count('not compared: page cache: warm against cold') == 3, out


def few_repetitions():
    """below six repetitions there is a range and no verdict"""
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '64K', '--repeat', '3', '-q',
              '--strategy', 'stdio.getc,posix.read').out
    assert 'No verdict: it takes at least 6 repetitions' in out, out
    assert 'fastest' not in out, out


def wrong_words():
    """wrong arguments are usage errors"""
    complains(2, 'one or two', arguments=['compare'])
    complains(2, 'one or two', arguments=['compare', first, first, first])
    complains(2, 'speed', arguments=['compare', '--metric', 'speed', first])
    complains(2, '--base', arguments=['compare', '--base', 'posix.read', first, first])
    complains(1, 'no.such', arguments=['compare', '--base', 'no.such', first])
    complains(1, 'absent', arguments=['compare', path('absent.json')])


tap.run(compares_lines, compares_with_a_base, compares_two_results, says_what_differs, few_repetitions,
        wrong_words)
