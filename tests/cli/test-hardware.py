# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs without a file: counts and order on this very machine, never absolute times."""

import csv
import io
import json
import os
import signal
import subprocess
import time

import tap
from program import CLI, cli, complains, descendants, environment, folder, path, write


def rows(done):
    """The rows of the CSV that it wrote."""
    return list(csv.DictReader(io.StringIO(done.out)))


def run(experiment, *arguments, **options):
    """The rows of a run whose CSV goes to the output."""
    return rows(cli('run', experiment, '--quiet', '--csv', '-', *arguments, **options))


def number(row, key):
    """A figure of a row."""
    return float(row[key])


def accesses_are_counted():
    """Every access is counted, in the table, the CSV and the result"""
    names = 'counter.tsc,counter.vdso,counter.syscall'
    done = cli('run', 'port-or-gate', '--quiet', '--requests', 30000, '--repeat', 2, '--strategy', names,
               '--csv', '-', '--json', path('port.json'))
    found = rows(done)
    # A strategy is skipped only where this processor has no such counter.
    ran = [r for r in found if r['state'] == 'done']
    assert {r['strategy'] for r in ran} >= {'counter.vdso', 'counter.syscall'}, done
    for r in ran:
        assert (r['completed'], r['check']) == ('30000', 'accesses=30000'), r
        assert (r['target'], r['condition'], r['bytes'], r['bytes_per_s']) == ('machine:', '', '', ''), r
        assert (r['access'], r['width']) == ('read', '1'), r
    assert 'B/s' not in done.err and 's/GB' not in done.err and 'ns by access' in done.err, done
    with open(path('port.json'), encoding='utf-8') as f:
        result = json.load(f)
    assert result['targets'][0]['kind'] == 'machine', result['targets']
    assert all(r['spec']['access'] == 'read' for r in result['runs']), result['runs'][0]['spec']
    again = cli('compare', path('port.json'))
    assert 'counter.vdso' in again.out, again


def gate_is_dearer():
    """A reading through the gate takes far more CPU time than one by an instruction"""
    cost = {}
    for r in run('port-or-gate', '--requests', 100000, '--repeat', 3, '--strategy', 'counter.tsc,counter.syscall'):
        if r['state'] == 'done':
            cost.setdefault(r['strategy'], []).append(number(r, 'cpu_s'))
    if 'counter.tsc' not in cost:
        raise tap.Skip('this processor has no counter that the strategy knows')
    assert min(cost['counter.syscall']) > 2 * min(cost['counter.tsc']), cost


def what_is_missing_is_named():
    """A strategy that cannot run here says why and how to lift it; the rest runs"""
    found = run('port-or-gate', '--requests', 1000, '--repeat', 1)
    skipped = [r for r in found if r['state'] == 'skipped']
    assert any(r['state'] == 'done' for r in found)
    assert all(r['state'] in ('done', 'skipped') for r in found), found
    for r in skipped:
        assert len(r['cause']) > 20, r


def no_target_is_taken():
    """A folder for such a job is refused, and so is the machine for a job with a file"""
    complains(2, 'has no file', arguments=('run', 'port-or-gate', '--target', folder))
    complains(2, 'needs a folder or a file', arguments=('run', 'count-a-letter', '--target', 'machine:'))
    axis = {'overlap-experiment': 1, 'title': 'x', 'job': 'ticks', 'strategies': ['tick.nanosleep'],
            'presets': [{'id': 'p', 'axes': [{'parameter': 'block', 'values': [512]}]}]}
    complains(1, 'no “block” to walk through', arguments=('run', write('axis.json', axis)))


def events_arrive():
    """At low rates nearly every event is delivered, and each is accounted for"""
    # A machine may be so busy that some are lost; most of them never are. A busy loop gets no
    # processor of its own and is only asked to account for all.
    found = run('interrupt-rate', '--rate', '20,50', '--duration', 0.4, '--repeat', 1, '--strategy',
                'tick.timerfd,tick.posix-timer,tick.nanosleep,tick.spin')
    assert len(found) == 8, found
    for r in found:
        asked = round(number(r, 'rate_hz') * 0.4)
        delivered, missed = int(r['completed']), int(r['missed'])
        assert r['state'] == 'done' and r['check'] == f'events={asked}', r
        assert delivered + missed == asked and int(r['requests']) == asked, r
        assert int(r['late']) <= delivered and (missed > 0) == (int(r['gaps']) > 0), r
        assert 'scheduling=SCHED_OTHER' in r['effective'], r
        if r['strategy'] != 'tick.spin':
            assert delivered >= asked / 2, r
        # No event can come before its time.
        assert number(r, 'elapsed_s') >= 0.4 * (asked - 1) / asked, r


def table_tells_what_is_held():
    """A sweep says up to which rate fewer than one in a thousand are missed"""
    done = cli('run', 'interrupt-rate', '--quiet', '--rate', '10,20', '--duration', 0.3, '--repeat', 1,
               '--strategy', 'tick.nanosleep')
    assert 'percent missed' in done.out and '0.1 %' in done.out, done
    assert 'fastest' not in done.out, done


def samples_are_taken():
    """Samples and gaps make up what was asked for; the instruction gets further than the gate"""
    taken = {}
    for r in run('sampling-rate', '--rate', '1k,10M', '--duration', 0.2, '--repeat', 2):
        if r['state'] == 'skipped':
            continue
        asked = round(number(r, 'rate_hz') * 0.2)
        assert r['check'] == f'samples={asked}' and int(r['completed']) + int(r['missed']) == asked, r
        if r['rate_hz'] == '10000000':
            # By the CPU time that it got: others may have had the processor.
            taken.setdefault(r['strategy'], []).append(int(r['completed']) / number(r, 'cpu_s'))
    assert max(taken['sample.vdso']) > 1.5 * max(taken['sample.syscall']), taken


def machines_side_by_side():
    """Results of two machines are put into one table and one chart, lines named by machine"""
    names = []
    for host in 'alder', 'birch':
        names.append(path(f'{host}.json'))
        cli('run', 'interrupt-rate', '--quiet', '--rate', '20,40', '--duration', 0.2, '--repeat', 1,
            '--strategy', 'tick.nanosleep', '--json', names[-1])
        with open(names[-1], encoding='utf-8') as f:
            result = json.load(f)
        result['machine']['host'] = host
        write(f'{host}.json', result)
    done = cli('compare', *names, '--chart', path('both.svg'))
    for host in 'alder', 'birch':
        assert f'tick.nanosleep, {host}' in done.out, done
    assert os.path.getsize(path('both.svg')) > 1000
    # The same machine twice is told apart too.
    done = cli('compare', names[0], names[0])
    assert 'alder (A)' in done.out and 'alder (B)' in done.out, done
    complains(2, 'two results', arguments=('compare', names[0], '--chart', path('one.svg')))


def realtime_or_cause():
    """Real-time scheduling is used, or refused with the way to lift it"""
    for r in run('interrupt-rate', '--rate', '100', '--duration', 0.1, '--repeat', 1, '--strategy',
                 'tick.nanosleep', '--option', 'scheduling=realtime'):
        if r['state'] == 'skipped':
            assert 'rtprio' in r['cause'] or 'bound' in r['cause'], r
        else:
            assert r['state'] == 'done' and 'scheduling=SCHED_FIFO' in r['effective'], r


def stop(experiment, strategy, rate):
    """Stops a long run in its middle: its runs."""
    out = path('stop.json')
    two = {'overlap-experiment': 1, 'title': 'x', 'id': experiment, 'job': experiment, 'duration': 120,
           'strategies': [strategy], 'repetitions': 20,
           'presets': [{'id': 'p', 'axes': [{'parameter': 'rate', 'values': [rate]}]}]}
    with subprocess.Popen([CLI, 'run', write('stop-experiment.json', two), '--json', out], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment,
                          cwd=folder) as program:
        # The session has one child while it looks at modules and none between; a run's is the only one
        # that lasts.
        for _ in range(600):
            before = descendants(program.pid)
            time.sleep(0.3)
            if len(before) >= 2 and before == descendants(program.pid):
                break
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=60)
    assert program.returncode == 130, (program.returncode, err)
    with open(out, encoding='utf-8') as f:
        return json.load(f)['runs']


def stops_in_the_middle():
    """Stop ends ticks and samples at once, each by itself and not by force"""
    for job, strategy, rate in (('ticks', 'tick.timerfd', 1), ('ticks', 'tick.posix-timer', 1),
                                ('ticks', 'tick.nanosleep', 1), ('ticks', 'tick.spin', 1),
                                ('samples', 'sample.vdso', 100000)):
        stopped = [r for r in stop(job, strategy, rate) if r['state'] == 'stopped']
        assert len(stopped) == 1, (strategy, stopped)
        # A run that had to be killed says so.
        assert stopped[0]['cause'] is None and stopped[0]['completed'] is not None, stopped
        os.unlink(path('stop.json'))


tap.run(accesses_are_counted, gate_is_dearer, what_is_missing_is_named, no_target_is_taken, events_arrive,
        table_tells_what_is_held, samples_are_taken, machines_side_by_side, realtime_or_cause, stops_in_the_middle)
