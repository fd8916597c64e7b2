# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of overlap-cli: figures, files, checks."""

import csv
import io
import json
import os
import pty
import shutil
import subprocess
import xml.etree.ElementTree

import tap
from program import CLI, cli, complains, environment, folder, path, small_run, write

COLUMNS = ('experiment,strategy,job,target,size,block,depth,condition,repetition,state,bytes,elapsed_s,'
           'cpu_s,user_s,system_s,check,effective,stop_latency_s,teardown_s,peak_memory').split(',')


def rows(text):
    """The rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text)))


def every_strategy_counts_alike():
    """all strategies of the experiment, offered or chosen, give one count"""
    names = [line.split()[0] for line in cli('list', '-s').out.splitlines() if not line.startswith(' ')]
    names = [n for n in names if not n.startswith(('null.', 'skeleton.', 'block.', 'fwrite.', 'write.', 'copy.',
                                                    'counter.', 'mmio.', 'port.', 'tick.', 'sample.'))]
    assert len(names) >= 18, names
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '1000K', '--size', '64K', '--repeat', '2',
              '--condition', 'cold', '--strategy', ','.join(names), '--csv', '-').out
    found = rows(out)
    assert {r['strategy'] for r in found} == set(names), found
    assert {r['state'] for r in found} == {'done'}, {(r['strategy'], r['state'], r['cause']) for r in found}
    for size in '1024000', '65536':
        checks = {r['check'] for r in found if r['size'] == size}
        assert len(checks) == 1 and next(iter(checks)).startswith('count='), checks
        assert {r['bytes'] for r in found if r['size'] == size} == {size}


def blocks_are_compared():
    """single blocks: what each costs, by how much that differs, and what was set up, beside the article"""
    found = cli('run', 'set-up-once', '--target', folder, '--repeat', '2', '--size', '4M', '--condition', 'warm',
                '--no-discard', '--strategy', 'block.uring,block.uring-registered,block.pread-direct', '--csv', '-')
    lines = {r['variant']: r for r in rows(found.out)}
    assert lines['block.pread-direct']['state'] == 'skipped', lines
    assert 'bypassed' in lines['block.pread-direct']['cause'], lines
    for r in (lines['block.uring'], lines['block.uring-registered']):
        assert r['state'] == 'done' and float(r['block_s']) > 0 and float(r['block_cpu_s']) > 0, r
        assert r['block_base'] == 'block.uring-registered', r
        assert float(r['prepare_s']) > 0, r
    assert lines['block.uring']['block_change'] != '', lines
    table = found.err[found.err.index('Each block'):].splitlines()
    assert 'CPU, µs' in table[1] and 'set up once' in table[1], table
    assert any(line.startswith('OpenVMS') and '%' in line for line in table), table


def csv_columns():
    """CSV begins with the documented columns"""
    out = small_run('--csv', '/dev/stdout').out
    assert out.splitlines()[0].split(',')[:len(COLUMNS)] == COLUMNS, out.splitlines()[0]


def repetitions_alternate():
    """repetitions alternate over the strategies"""
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '64K', '--repeat', '3',
              '--strategy', 'posix.read,posix.pread,mmap.scan', '--csv', '-').out
    order = [(int(r['repetition']), r['strategy']) for r in rows(out)]
    names = [s for n, s in order if n == order[0][0]]
    assert [s for n, s in order] == names + names[::-1] + names, order


def neighbour_figures_need_a_neighbour():
    """--neighbour none: no figure of a neighbour, whatever the experiment says; with one, all are there"""
    figures = ('neighbour_moments', 'neighbour_p50_s', 'neighbour_p99_s', 'neighbour_max_s', 'neighbour_alone_p99_s')
    experiment = {'overlap-experiment': 1, 'id': 't', 'title': 'T', 'job': 'count', 'work': 'slow', 'condition': 'warm',
                  'neighbour': 'shared', 'strategies': [{'strategy': 'posix.read'}],
                  'presets': [{'id': 'p', 'axes': [{'parameter': 'size', 'values': ['1M']}]}]}
    of = write('neighbour.json', experiment)
    for arguments, mode in (('--neighbour', 'none'), None), (('--neighbour', 'free'), 'free'), ((), 'shared'):
        done = cli('run', of, '--target', folder, '--repeat', '1', '--no-discard', *arguments,
                   '--csv', '-', '--json', path('seen.json'))
        row, = rows(done.out)
        with open(path('seen.json'), encoding='utf-8') as f:
            run, = json.load(f)['runs']
        assert row['state'] == 'done', done
        assert row['neighbour'] == (mode or ''), (arguments, row)
        assert {name for name in figures if row[name] != ''} == (set(figures) if mode else set()), (arguments, row)
        assert (run.get('neighbour') or {}).get('mode') == mode, (arguments, run)
        assert run['spec'].get('neighbour', 'none') == (mode or 'none'), (arguments, run)
        assert ('neighbour' in done.err.lower()) == (mode is not None), done.err
        if not mode:
            assert row['neighbour_lost'] == '', row
    os.unlink(path('seen.json'))


def stops_are_told_at_most():
    """the table names the longest time that a run of a line took to stop, and says that it is the longest"""
    experiment = {'overlap-experiment': 1, 'id': 't', 'title': 'T', 'job': 'count', 'work': 'slow', 'condition': 'warm',
                  'stop-after': 0.02, 'strategies': [{'strategy': 'posix.read'}],
                  'presets': [{'id': 'p', 'axes': [{'parameter': 'size', 'values': ['16M']}]}]}
    done = cli('run', write('stop.json', experiment), '--target', folder, '--repeat', '4', '--csv', '-')
    took = [float(r['stop_latency_s']) for r in rows(done.out) if r['state'] == 'stopped']
    assert len(took) == 4, done
    head, line = (text for text in done.err.splitlines() if text.startswith(('strategy ', 'posix.read ')))
    column = head.index('stop, at most')
    told, unit = line[:column + len('stop, at most')].split()[-2:]
    told = float(told) * {'ns': 1e-9, 'µs': 1e-6, 'ms': 1e-3, 's': 1}[unit]
    assert abs(told / max(took) - 1) < 0.006, (told, took, done.err)


def positions_are_chosen():
    """positions come from the command line, else from the preset, and the strategy is told"""
    for given, preset, wanted in (None, 'sequential', 'sequential'), (None, 'random', 'random'), \
                                 ('random', 'sequential', 'random'), ('backward', 'random', 'backward'):
        done = cli('run', 'positions', '--target', folder, '--preset', preset, '--size', '1M', '--repeat', '1',
                   '--strategy', 'posix.pread,posix.lseek-read', '--csv', '-',
                   *(['--positions', given] if given else []))
        found = rows(done.out)
        assert {r['order'] for r in found} == {wanted} and {r['state'] for r in found} == {'done'}, found
        assert all(('advice=random' in r['effective']) == (wanted == 'random') for r in found), found
    assert 'sideways' in cli('run', 'positions', '--positions', 'sideways', status=2).err
    assert 'not larger than a block' in cli('run', 'positions', '--target', folder, '--preset', 'random', '--size', '1M',
                                            '--positions', 'strided:512', status=2).err
    assert 'has no positions' in cli('run', 'fwrite-strategies', '--target', folder, '--positions', 'random', status=2).err


def positions_are_an_axis():
    """an experiment walks through positions, and the chart has a place for each"""
    file = path('positions.json')
    found = rows(cli('run', 'positions', '--target', folder, '--preset', 'orders', '--size', '2M', '--repeat', '1',
                     '--strategy', 'posix.pread', '--json', file, '--csv', '-', '-q').out)
    assert [(r['order'], r['stride'], r['state']) for r in found] == [
        ('sequential', '', 'done'), ('backward', '', 'done'), ('strided', '1048576', 'done'), ('random', '', 'done')], found
    out = cli('chart', file, '--svg', path('positions.svg'), '--table').out
    for name in 'one behind the other', 'anywhere', 'backward', 'in strides':
        assert name in out, out


def every_order_finds_the_same():
    """whatever the order, the same letters are counted; who can read in order only is skipped"""
    for positions in 'sequential', 'random', 'backward', 'strided:512K':
        found = rows(cli('run', 'count-a-letter', '--target', folder, '--size', '1000000', '--repeat', '1', '--strategy',
                         'posix.read,posix.pread,posix.lseek-read,mmap.scan,uring.wait,thread.double-buffer,aio.wait',
                         '--positions', positions, '--csv', '-').out)
        done = [r for r in found if r['state'] == 'done']
        assert len({r['check'] for r in done}) == 1 and len(done) >= (5 if positions != 'sequential' else 6), found
        skipped = {r['strategy'] for r in found if r['state'] == 'skipped' and 'in the order' in r['cause']}
        assert skipped == (set() if positions == 'sequential' else {'posix.read'}), found
    found = rows(cli('run', 'copy-or-not', '--target', folder, '--size', '1M', '--block', '64K', '--repeat', '1', '--verify',
                     '--strategy', 'copy.direct,copy.stdio', '--positions', 'backward', '--csv', '-').out)
    assert {r['state'] for r in found} == {'done'} and len({r['check'] for r in found}) == 1, found


def smaller_pieces_are_said():
    """a block that a strategy takes in pieces is not the block that was used, and the result says so"""
    for block, said in ('1M', False), ('4M', True):
        found = rows(cli('run', 'count-a-letter', '--target', folder, '--size', '8M', '--block', block, '--repeat', '1',
                         '--strategy', 'mmap.scan,posix.read', '--csv', '-').out)
        assert {r['strategy']: 'block=1M' in r['effective'] for r in found} == {'mmap.scan': said, 'posix.read': False}, found


def figures_are_chosen():
    """the chart shows another figure that was measured, and refuses one that was not"""
    file = path('figures.json')
    small_run('--json', file, '-q')
    pictures = set()
    for name in 'elapsed', 'cpu', 'throughput', 'latency-50', 'latency-99':
        cli('chart', file, '--figure', name, '--svg', path('figure.svg'))
        with open(path('figure.svg'), 'rb') as f:
            pictures.add(f.read())
    assert len(pictures) == 5
    complains(1, 'there are: elapsed', arguments=['chart', file, '--figure', 'lost', '--svg', path('figure.svg')])
    complains(2, 'elapsed, lateness', arguments=['chart', file, '--figure', 'colour'])
    complains(2, 'for the chart of the kind', arguments=['chart', file, '--figure', 'cpu', '--kind', 'lanes'])


def older_rings():
    """a kernel that does not know the newest set-up of rings is given an older one, and the result says so"""
    tap.need('strace')
    # The sanitizers cannot look for leaks in a process that is traced already.
    untold = {**environment, 'ASAN_OPTIONS': environment.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}
    for experiment, strategy, which in ('count-a-letter', 'uring.wait', '1+2'), ('fwrite-strategies', 'write.uring', '2'):
        # Every process counts its own calls: that of a run tries a ring first, then makes the one that it uses.
        done = subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=io_uring_setup',
                               f'--inject=io_uring_setup:error=EINVAL:when={which}', CLI, 'run', experiment,
                               '--target', folder, '--size', '1M', '--repeat', '1', '--no-discard',
                               '--strategy', strategy, '--csv', '-', '--quiet'], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=untold, check=False, timeout=200)
        if 'PTRACE' in done.stderr:
            raise tap.Skip('processes may not be traced here (ptrace)')
        found = rows(done.stdout)
        assert found and {r['state'] for r in found} == {'done'}, done
        assert all('ring=coop-taskrun' in r['effective'] for r in found), found


def own_file():
    """a user's own file is read, counted, and left alone"""
    name = write('own.txt', 'eel\n' * 5000 + 'x')
    os.chmod(name, 0o444)
    os.utime(name, ns=(10 ** 18, 2 * 10 ** 18))  # read long before it was written: any reading would be noted
    before = os.stat(name)
    done = cli('run', 'count-a-letter', '--target', name, '--repeat', '1',
              '--strategy', 'stdio.getc,uring.wait,mmap.scan', '--csv', '-')
    assert ' 20001 B ' in done.err, done
    out = done.out
    assert {r['check'] for r in rows(out)} == {'count=10000'}, out
    assert {r['size'] for r in rows(out)} == {'20001'}, out
    after = os.stat(name)
    assert (before.st_atime_ns, before.st_mtime_ns, before.st_ino, before.st_size) == \
        (after.st_atime_ns, after.st_mtime_ns, after.st_ino, after.st_size)


def empty_file():
    """an own file of 0 bytes is a valid target"""
    name = write('empty.txt', '')
    out = cli('run', 'count-a-letter', '--target', name, '--repeat', '1',
              '--strategy', 'stdio.getc,uring.wait,mmap.scan', '--csv', '-').out
    assert {(r['state'], r['bytes'], r['check']) for r in rows(out)} == {('done', '0', 'count=0')}, out


def many_targets():
    """several folders in one run, each with its own session and file"""
    os.makedirs(path('a'), exist_ok=True)
    os.makedirs(path('b'), exist_ok=True)
    out = cli('run', 'count-a-letter', '--target', path('a'), '--target', path('b'), '--size', '64K',
              '--repeat', '2', '--strategy', 'posix.read', '--csv', '-').out
    assert [r['target'] for r in rows(out)].count(path('a')) == 2, out
    assert [r['target'] for r in rows(out)].count(path('b')) == 2, out


def works():
    """the work for each byte is chosen, and its check value shown"""
    checks = {}
    for work in 'none', 'plain', 'fast', 'crc32c', 'sha256', 'slow':
        out = cli('run', 'count-a-letter', '--target', folder, '--size', '300K', '--repeat', '1',
                  '--strategy', 'posix.read,uring.wait,mmap.scan,stdio.getc', '--work', work, '--csv', '-').out
        found = rows(out)
        kinds = {r['check'] for r in found if r['state'] == 'done'}
        assert len(kinds) == 1, out
        checks[work] = kinds.pop()
        by_character = [r['state'] for r in found if r['strategy'] == 'stdio.getc']
        assert by_character == (['skipped'] if work in ('crc32c', 'sha256', 'slow') else ['done']), out
    assert checks['none'] == '' and checks['plain'] == checks['fast'], checks
    assert checks['crc32c'].startswith('crc32c=') and len(checks['sha256']) == len('sha256=') + 64


def unaligned_direct_is_skipped():
    """direct I/O with a block that the device does not take is skipped with the reason"""
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '64K', '--repeat', '1', '--block', '1000',
              '--strategy', 'posix.pread', '--condition', 'bypassed', '--csv', '-').out
    row = rows(out)[0]
    if row['state'] == 'done' and 'direct=memory' in row['effective']:
        raise tap.Skip('the temporary folder is in memory')
    assert row['state'] == 'skipped' and ('multiples of' in row['cause'] or 'irect' in row['cause']), row


def options_reach_the_strategy():
    """an option changes what is really used, and the result says so"""
    effective = []
    for value in 'false', 'true':
        out = cli('run', 'count-a-letter', '--target', folder, '--size', '1M', '--repeat', '1', '--strategy',
                  'uring.wait', '--option', f'uring.wait:registered-buffers={value}', '--csv', '-').out
        row = rows(out)[0]
        if row['state'] == 'skipped':
            raise tap.Skip('io_uring: ' + row['cause'])
        effective.append(row['effective'])
    assert effective[0] != effective[1], effective


def charts_are_whole():
    """charts are written, and other programs can read them"""
    done = small_run('--charts', path('charts'), '--json', path('r.json'))
    files = sorted(os.listdir(path('charts')))
    assert [f for f in files if f.endswith('.svg')] and [f for f in files if f.endswith('.png')], files
    for name in files:
        full = os.path.join(path('charts'), name)
        assert full in done.out, done
        if name.endswith('.svg'):
            xml.etree.ElementTree.parse(full)
        else:
            with open(full, 'rb') as f:
                assert f.read(8) == b'\x89PNG\r\n\x1a\n'


def stored_results_are_drawn():
    """chart draws a stored result as SVG, PNG and PDF, and prints its table"""
    small_run('--json', path('r.json'))
    cli('chart', path('r.json'), '--svg', path('c.svg'), '--png', path('c.png'), '--pdf', path('c.pdf'))
    for name, start in ('c.svg', b'<?xml'), ('c.png', b'\x89PNG'), ('c.pdf', b'%PDF'):
        with open(path(name), 'rb') as f:
            assert f.read(5).startswith(start[:4]), name
    tap.need('pdftotext')
    text = subprocess.run(['pdftotext', path('c.pdf'), '-'], capture_output=True, text=True, check=True)
    assert 'posix.read' in text.stdout, text.stdout
    cli('chart', path('r.json'), '--png', path('c.png'), '--width', '300', '--height', '200')
    with open(path('c.png'), 'rb') as f:
        assert f.read(24)[16:] == (300).to_bytes(4, 'big') + (200).to_bytes(4, 'big')
    assert 'posix.read: really used: buffer-pages=' in cli('chart', path('r.json')).out
    assert rows(cli('chart', path('r.json'), '--csv', '-').out)[0]['strategy'] == 'posix.read'


def result_is_whole():
    """the stored result has the machine, the target, the runs and no NaN"""
    small_run('--json', path('r.json'))
    with open(path('r.json'), encoding='utf-8') as f:
        text = f.read()
    assert 'NaN' not in text and 'nan' not in text.replace('nanos', '') and 'inf' not in text.split('"runs"')[1]
    result = json.loads(text)
    assert result['machine']['cores'] >= 1 and result['machine']['memory'] > 1 << 20
    assert result['targets'][0]['path'] == folder
    run = result['runs'][0]
    assert run['state'] == 'done' and run['elapsed'] > 0 and run['cpu'] > 0 and run['bytes'] == 102400
    assert run['latency'], 'the histogram is missing'


def plain_lines():
    """piped progress is plain lines, without control characters"""
    err = small_run().err
    assert '\r' not in err and '\033' not in err and '[1/1] posix.read' in err, repr(err)


def live_line():
    """a terminal gets a live line, which is gone at the end"""
    main, side = pty.openpty()
    done = subprocess.run([CLI, 'run', 'count-a-letter', '--target', folder, '--size', '160M', '--repeat', '2',
                           '--strategy', 'stdio.getc'], stdout=subprocess.PIPE, stderr=side, text=True,
                          env=environment, check=False, timeout=200)
    os.close(side)
    text = b''
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(main)
    text = text.decode()
    assert done.returncode == 0, text
    assert '\r\033[K[0/2]' in text and 'stdio.getc' in text, repr(text)
    assert 'MB/s' in text and 'CPU' in text and 'left' in text, repr(text)
    assert text.endswith('\r\033[K'), repr(text[-200:])


def own_module():
    """thirty lines of a user's own stand in the same chart, checked like the others"""
    tap.need('cc')
    import re
    here = os.path.dirname(os.path.abspath(__file__))
    source = os.path.join(here, '..', '..', 'plugins', 'skeleton', 'skeleton.c')
    with open(source, encoding='utf-8') as f:
        text = f.read()
    text = re.sub(r'"skeleton\.read"', '"mine.read"', text)
    text = re.sub(r'(\.family = )"skeleton"', r'\1"mine"', text)
    modules = os.path.join(environment['XDG_DATA_HOME'], 'overlap', 'plugins')
    os.makedirs(modules, exist_ok=True)
    with open(path('mine.c'), 'w', encoding='utf-8') as f:
        f.write(text)
    tap.output('cc', '-shared', '-fPIC', '-O2', '-I', os.path.join(here, '..', '..', 'core', 'include'),
               '-o', os.path.join(modules, 'mine.so'), path('mine.c'))
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '500K', '--repeat', '2',
              '--strategy', 'mine.read,posix.read', '--csv', '-').out
    found = rows(out)
    assert {r['strategy'] for r in found} == {'mine.read', 'posix.read'}, out
    assert {r['state'] for r in found} == {'done'} and len({r['check'] for r in found}) == 1, out
    shutil.rmtree(os.path.join(environment['XDG_DATA_HOME'], 'overlap'))


def leaves_nothing():
    """nothing is left in the target folder"""
    os.makedirs(path('clean'), exist_ok=True)
    small_run(target=path('clean'))
    assert os.listdir(path('clean')) == []


tap.run(every_strategy_counts_alike, blocks_are_compared, csv_columns, repetitions_alternate,
        neighbour_figures_need_a_neighbour, stops_are_told_at_most,
        positions_are_chosen, positions_are_an_axis, every_order_finds_the_same, figures_are_chosen,
        smaller_pieces_are_said, older_rings, own_file, empty_file,
        many_targets, works, unaligned_direct_is_skipped, options_reach_the_strategy,
        charts_are_whole, stored_results_are_drawn, result_is_whole,
        plain_lines, live_line, own_module, leaves_nothing)
