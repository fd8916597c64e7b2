# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line says to wrong words, wrong files and wrong targets."""

import json
import os
import subprocess

import program
import tap
from program import cli, complains, folder, path, small_run, write


def lists_experiments():
    """list names the experiment and its presets"""
    out = cli('list').out
    assert 'count-a-letter' in out and 'article, today' in out, out


def lists_strategies():
    """list --strategies names every strategy of article 1"""
    out = cli('list', '--strategies').out
    wanted = '''stdio.getc stdio.getc-unlocked stdio.getline stdio.fscanf posix.read posix.whole-file
        posix.pread posix.lseek-read mmap.scan thread.double-buffer aio.spin aio.wait aio.callback
        aio.signal libaio.wait uring.spin uring.wait uring.eventloop'''.split()
    found = {line.split()[0] for line in out.splitlines() if line and not line.startswith(' ')}
    assert set(wanted) <= found, set(wanted) - found


def lists_options():
    """list --strategies --verbose names options and what they do"""
    out = cli('list', '--strategies', '--verbose').out
    assert '--option uring.wait:registered-buffers=' in out, out


def helps():
    """every command explains itself"""
    assert 'overlap-cli(1)' in cli('--help').out
    for command in 'list', 'run', 'chart', 'compare':
        assert 'Usage:' in cli(command, '--help').out
    assert cli('--version').out.startswith('overlap-cli ')


def wrong_words():
    """wrong commands and options are usage errors"""
    complains(2, 'dance', arguments=['dance'])
    complains(2, 'no-such', arguments=['run', '--no-such'])
    complains(2, 'name of an experiment', arguments=['run'])
    complains(2, 'one experiment', arguments=['run', 'a', 'b'])
    complains(2, 'one result', arguments=['chart'])
    complains(2, arguments=[])


def wrong_values():
    """sizes, counts and names out of range are usage errors that name the text"""
    run = ['run', 'count-a-letter']
    for text in '5X', '-1', '9223372036854775808', '', '1.3', ',2K', '99999999999999999999999':
        complains(2, '--size', text.split(',')[0], arguments=[*run, f'--size={text}'])
    complains(2, '--block', 'at least one byte', arguments=[*run, '--block', '0K'])
    complains(2, '--depth', '1000', arguments=[*run, '--depth', '1000'])
    for number in '-3', '0':
        complains(2, '--repeat', number, arguments=[*run, '--repeat', number])
        complains(2, '--depth', number, arguments=[*run, '--depth', number])
    complains(2, 'lukewarm', arguments=[*run, '--condition', 'lukewarm'])
    complains(2, 'hard', arguments=[*run, '--work', 'hard'])
    complains(2, 'stopwatch', arguments=[*run, '--timing', 'stopwatch'])
    complains(2, '--duration', arguments=[*run, '--duration', 'nan'])
    complains(2, 'NAME=VALUE', arguments=[*run, '--option', 'x'])
    complains(2, 'standard output', arguments=[*run, '--json', '-', '--csv', '-'])
    complains(2, 'standard output', arguments=[*run, '--json', '-', '--profile-csv', '-'])
    complains(2, 'same', 'only one', arguments=[*run, '--json', 'same', '--csv', 'same'])
    complains(2, '--target', arguments=[*run, '--target', ''])


def joined_values():
    """the value of a short option may stand right behind it"""
    complains(2, '--repeat', '10001', arguments=['run', 'count-a-letter', '-n10001'])
    complains(2, 'lukewarm', arguments=['run', 'count-a-letter', '-n2', '-q', '-clukewarm'])
    done = cli('run', 'count-a-letter', '-qn', '1', '-sposix.read', f'-t{folder}', '--size', '1K', '--csv', '-')
    assert done.out.count('posix.read,count') == 1, done


def unknown_experiment():
    """an unknown experiment is answered with the nearest name"""
    complains(1, '"count-a-leter"', 'did you mean count-a-letter?', arguments=['run', 'count-a-leter'])
    complains(1, 'zzzzzz', 'overlap-cli list', arguments=['run', 'zzzzzz'])


def unknown_strategy():
    """an unknown strategy is answered with the nearest names"""
    complains(2, 'posix.raed', 'posix.read',
              arguments=['run', 'count-a-letter', '--strategy', 'posix.raed'])


def unknown_option():
    """an unknown option of a strategy, or a wrong value, is named"""
    for text in 'uring.wait:nonsense=1', 'uring.wait:batch=-7', 'uring.wait:batch=many':
        complains(2, text.split('=')[0].split(':')[1],
                  arguments=['run', 'count-a-letter', '--strategy', 'uring.wait', '--option', text])


def wrong_experiment_files():
    """a wrong experiment file is refused with its path and the place"""
    good = {'overlap-experiment': 1, 'title': 'T', 'summary': 'S', 'job': 'count',
            'strategies': [{'strategy': 'posix.read'}],
            'presets': [{'id': 'a', 'title': 'A', 'axes': [{'parameter': 'size', 'values': ['100K']}]}]}
    name = write('mine.json', good)
    cli('run', name, '--repeat', '1')
    for change, words in [
            ({'strategies': [{'strategy': 'posix.read', 'blok': '4K'}]}, ['strategies[0].blok', 'block']),
            ({'strategies': 'posix.read'}, ['strategies']),
            ({'repetitions': 'ten'}, ['repetitions']),
            ({'repetitions': -1}, ['repetitions']),
            ({'block': '5X'}, ['block', '5X']),
            ({'job': 'juggle'}, ['job', 'juggle']),
            ({'nonsense': 1}, ['nonsense']),
            ({'overlap-experiment': 99}, ['newer version'])]:
        name = write('wrong.json', {**good, **change})
        complains(1, 'wrong.json', *words, arguments=['run', name])
    for text in '', '{', '[]', 'null', '{"a":1}', '\0\1\2', '{"overlap-experiment":1,}':
        complains(1, 'wrong.json', arguments=['run', write('wrong.json', text)])
    complains(1, 'missing.json', 'No such file', arguments=['run', path('missing.json')])
    complains(1, 'wrong.json', 'a result, not an experiment',
              arguments=['run', write('wrong.json', {'overlap-result': 1})])


def wrong_targets():
    """a target that cannot be used is refused with its path and the reason"""
    os.mkfifo(path('fifo'))
    os.symlink(path('nowhere'), path('dangling'))
    for target, word in [(path('fifo'), 'FIFO'), (path('dangling'), 'No such file'),
                         (path('missing'), 'No such file'), ('/dev/zero', 'character device'),
                         ('/proc/self/fd', 'proc')]:
        complains(1, target if target.startswith(folder) else '', word,
                  arguments=['run', 'count-a-letter', '--target', target, '--repeat', '1'])
    os.unlink(path('fifo'))
    os.unlink(path('dangling'))


def too_large():
    """a size that does not fit is refused before anything is read, and leaves nothing"""
    done = cli('run', 'count-a-letter', '--target', folder, '--size', '1000000G', '--repeat', '1',
               '--strategy', 'posix.read', status=3)
    assert 'free' in done.err and folder in done.err, done
    assert [n for n in os.listdir(folder) if 'overlap' in n] == []


def wrong_results():
    """chart refuses what is no result, with path and reason"""
    complains(1, 'missing.json', 'No such file', arguments=['chart', path('missing.json')])
    for text in '', '{}', '[1]', '{"overlap-result":99}', '{"overlap-experiment":1}', 'x' * 1000:
        complains(1, 'r.json', arguments=['chart', write('r.json', text)])
    complains(1, arguments=['chart', folder])


def unwritable_outputs():
    """outputs that cannot be written are named before anything is measured"""
    done = small_run('--json', path('no/such/r.json'), '--csv', path('r.csv'),
                     '--charts', write('file', 'x'), status=1)
    assert 'no/such/r.json: No such file' in done.err and 'file: Not a directory' in done.err, done
    assert done.out == '' and '[1/1]' not in done.err, done
    assert not os.path.exists(path('r.csv')) and not os.path.exists(path('no')), done
    done = small_run('--profile-csv', path('no/p.csv'), status=1)
    assert 'no/p.csv: No such file' in done.err and done.out == '', done
    done = small_run('--charts', path('new/folder'), '--csv', path('r.csv'))
    assert sorted(os.listdir(path('new'))) == ['folder'] and os.path.exists(path('r.csv')), done


def full_output():
    """a table that cannot be written is no success"""
    if not os.path.exists('/dev/full'):
        return
    with open('/dev/full', 'w', encoding='utf-8') as full:
        done = subprocess.run([program.CLI, 'run', 'count-a-letter', '-q', '-n1', '-sposix.read', '--size', '1K'],
                              stdout=full, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              cwd=folder, env=program.environment, check=False, timeout=200)
    assert done.returncode == 1 and 'No space left' in done.stderr, done
    for words in ['list'], ['--help'], ['run', '--help']:
        with open('/dev/full', 'w', encoding='utf-8') as full:
            done = subprocess.run([program.CLI, *words], stdout=full, stderr=subprocess.PIPE, env=program.environment,
                                  check=False, timeout=200)
        assert done.returncode == 1, done


def hostile_result():
    """what somebody else's result holds neither leaves the folder of the charts nor reaches the terminal"""
    small_run('--json', path('hostile.json'))
    with open(path('hostile.json'), encoding='utf-8') as f:
        result = json.load(f)
    result['experiment']['id'] = '../../' + 'x' * 300
    for run in result['runs']:
        run['spec']['variant'] = 'a\x1b[2Jb'
    write('hostile.json', json.dumps(result))
    os.makedirs(path('a/b/c'))
    done = cli('chart', path('hostile.json'), '--table', '--charts', path('a/b/c'))
    assert '\x1b' not in done.out and 'a [2Jb' in done.out, done
    assert os.listdir(path('a')) == ['b'] and os.listdir(path('a/b')) == ['c'], done
    names = os.listdir(path('a/b/c'))
    assert names and all(n.startswith('------xx') for n in names), names


def gone_reader():
    """who reads the table may be gone: the files are written"""
    end, gone = os.pipe()
    os.close(end)
    with os.fdopen(gone, 'w', encoding='utf-8') as out:
        done = subprocess.run([program.CLI, 'run', 'count-a-letter', '-q', '-n1', '-sposix.read', '--size', '1K',
                               '--json', 'kept.json', '--csv', 'kept.csv'],
                              stdout=out, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              cwd=folder, env=program.environment, check=False, timeout=200)
    assert done.returncode == 1 and 'Broken pipe' in done.stderr, done
    for name in 'kept.json', 'kept.csv':
        assert os.path.getsize(path(name)) > 0
        os.unlink(path(name))


def no_worker():
    """a worker that is missing or wrong is named"""
    for worker, word in [('/nonexistent/worker', '/nonexistent/worker'), ('/bin/true', 'worker'),
                         ('/bin/false', 'worker'), ('/bin/cat', 'worker')]:
        done = run_with_worker(worker)
        assert word in done.err, done


def run_with_worker(worker):
    """Runs with another worker."""
    old = program.environment['OVERLAP_WORKER']
    program.environment['OVERLAP_WORKER'] = worker
    try:
        return cli('run', 'count-a-letter', '--target', folder, status=1)
    finally:
        program.environment['OVERLAP_WORKER'] = old


def json_is_json():
    """--json - writes nothing but JSON to the output"""
    out = small_run('--json', '-').out
    result = json.loads(out)
    assert result['overlap-result'] == 1, out[:200]


tap.run(lists_experiments, lists_strategies, lists_options, helps, wrong_words, wrong_values,
        joined_values, unknown_experiment, unknown_strategy, unknown_option, wrong_experiment_files,
        wrong_targets, too_large, wrong_results, unwritable_outputs, full_output, hostile_result, gone_reader, no_worker, json_is_json)
