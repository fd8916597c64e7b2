# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap-cli compare: lines of a result, and two results."""

import csv
import io
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
    assert [row.split()[0] for row in rows] == ['stdio.getc', 'posix.read', 'null.memory', 'posix.pread'], out
    assert [row.split('  ')[-1].strip() for row in rows if 'only' in row] == ['in A only', 'in A only', 'in B only'], out
    assert 'Lines of both: 1.' in out and 'What they were made on' in out, out
    both = json.loads(cli('compare', first, second, '--json', '-').out)
    assert [line['kind'] for line in both['lines'] if line['line'] != 'posix.read'] == ['only-a', 'only-a', 'only-b'], both
    assert both['a']['machine']['host'] == both['b']['machine']['host'], both
    rows = list(csv.DictReader(io.StringIO(cli('compare', first, second, '--csv', '-').out)))
    posix = next(row for row in rows if row['line'] == 'posix.read')
    assert float(posix['ratio_lo']) <= float(posix['ratio']) <= float(posix['ratio_hi']), posix
    cli('compare', first, second, '--chart', path('both.png'))
    with open(path('both.png'), 'rb') as file:
        assert file.read(4) == b'\x89PNG'


def one_repetition():
    """one run has no interval, and nothing is said of what there is none of"""
    files = [run(name, '--repeat', '1', '--strategy', 'posix.read,stdio.getc') for name in ('one.json', 'other.json')]
    out = cli('compare', *files).out
    assert out.count('none: one repetition') == 2 and 'range' not in out, out
    assert 'Too few repetitions to say anything in 2.' in out, out
    assert 'in 0' not in out and 'No detectable' not in out, out
    assert '(range)' not in cli('compare', files[0]).out


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


def repeats_until():
    """runs are repeated until the intervals are narrow, six times at least, or the time is over"""
    run_it = ['run', 'count-a-letter', '--target', folder, '--size', '16K,64K', '-q', '--strategy',
              'posix.read,posix.pread', '--json', '-']
    result = json.loads(cli(*run_it, '--repeat', '30', '--until-width', '1000').out)
    assert not result['partial'], 'partial'
    for x in 16384, 65536:
        runs = [r for r in result['runs'] if r['spec']['x'] == x]
        numbers = [r['spec']['repetition'] for r in runs]
        assert 6 <= len(runs) / 2 < 30 and sorted(numbers) == sorted(2 * list(range(len(runs) // 2))), numbers
    result = json.loads(cli(*run_it, '--until-time', '0.001').out)
    assert [r['spec']['repetition'] for r in result['runs']] == [0] * 4, len(result['runs'])


def overlaps():
    """--overlap runs I/O and computing alone, and says what comes of it"""
    file = path('overlap.json')
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '1M', '-q', '--repeat', '6', '--overlap',
              '--strategy', 'posix.read,thread.double-buffer', '--json', file).out
    assert 'thread.double-buffer, direct, I/O alone' in out and 'computing alone, 64K' in out, out
    assert sum(line.startswith(('thread.double-buffer, direct, 1M: ', 'thread.double-buffer, cached, 1M: '))
               for line in out.splitlines()) == 2, out
    assert 'posix.read, 1M: ' not in out, out
    with open(file, encoding='utf-8') as stored:
        parts = [r['spec'].get('part') for r in json.load(stored)['runs']]
    assert parts.count('io') == 12 and parts.count('compute') == 12 and parts.count(None) == 18, parts


def wrong_words():
    """wrong arguments are usage errors"""
    complains(2, 'one or two', arguments=['compare'])
    complains(2, 'one or two', arguments=['compare', first, first, first])
    complains(2, 'speed', arguments=['compare', '--metric', 'speed', first])
    complains(2, '--base', arguments=['compare', '--base', 'posix.read', first, first])
    complains(1, 'no.such', arguments=['compare', '--base', 'no.such', first])
    complains(2, 'two results', arguments=['compare', first, '--csv', '-'])
    complains(1, 'absent', arguments=['compare', path('absent.json')])
    complains(2, '--until-width', arguments=['run', 'count-a-letter', '--until-width', '-1'])
    complains(2, '--until-time', arguments=['run', 'count-a-letter', '--until-time', '-1'])


tap.run(compares_lines, compares_with_a_base, compares_two_results, one_repetition, says_what_differs,
        few_repetitions, repeats_until, overlaps, wrong_words)
