# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C, a second one, a terminal that goes away: it stops, keeps what it has, leaves nothing."""

import json
import os
import signal
import subprocess
import time

import tap
from program import CLI, descendants, environment, folder, path


def start(*arguments):
    """Starts a run that takes long enough to be stopped."""
    return subprocess.Popen([CLI, 'run', 'count-a-letter', '--target', folder, '--json', path('r.json'),
                             '--csv', path('r.csv'), *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)


def wait_for(what, condition):
    """Waits until the condition holds; a limit against hanging, not a measure."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f'{what} did not come')


def scratch_of(pid):
    """Bytes in nameless files of the folder that the process holds open."""
    size = 0
    try:
        for name in os.listdir(f'/proc/{pid}/fd'):
            full = f'/proc/{pid}/fd/{name}'
            if os.readlink(full).startswith(folder) and '(deleted)' in os.readlink(full):
                size += os.stat(full).st_size
    except OSError:
        pass
    return size


def scratch_size(pid):
    """Bytes in nameless files of the folder that the processes below `pid` hold open."""
    return sum(scratch_of(child) for child in descendants(pid))


def holders(pid):
    """Processes below `pid` that hold a nameless file of the folder, the oldest first."""
    return sorted(child for child in descendants(pid) if scratch_of(child) > 0)


def gone(pids):
    """Whether none of these processes is left (a zombie is)."""
    return not any(os.path.exists(f'/proc/{pid}') for pid in pids)


def first_line(process):
    """The first line of its progress: a run has ended."""
    line = process.stderr.readline()
    assert '[1/' in line, line
    return line


def stop_keeps_the_partial_result():
    """Ctrl-C in the middle keeps what was measured and marks it"""
    for name in 'r.json', 'r.csv':
        if os.path.exists(path(name)):
            os.unlink(path(name))
    process = start('--size', '64K,256M', '--repeat', '200', '--strategy', 'posix.read,stdio.getc')
    first_line(process)
    below = descendants(process.pid)
    assert below, 'there is no worker'
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (process.returncode, err)
    # "Stopped in", unless no run was going on just then.
    assert 'Stopped' in err, err
    assert 'posix.read' in out, out
    with open(path('r.json'), encoding='utf-8') as f:
        result = json.load(f)
    assert result['partial'] is True
    assert [r for r in result['runs'] if r['state'] == 'done'], 'nothing was kept'
    assert os.path.exists(path('r.csv'))
    wait_for('the end of the worker', lambda: gone(below))
    assert [n for n in os.listdir(folder) if n.startswith('.overlap')] == []


def stop_while_laying_out():
    """Ctrl-C while the scratch file is laid out stops and gives the space back"""
    process = start('--size', '4G', '--repeat', '1', '--strategy', 'posix.read')
    wait_for('a scratch file', lambda: scratch_size(process.pid) > 0)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, (process.returncode, err)
    wait_for('the end of the worker', lambda: gone(below))
    assert [n for n in os.listdir(folder) if n.startswith('.overlap')] == []


def holder_dies():
    """the file is laid out once more when the process that holds it is killed; three times, then it is told"""
    for kills in 1, 4:
        process = start('--size', '2M', '--repeat', '40', '--no-discard', '--strategy', 'stdio.getc,stdio.fscanf')
        killed = set()
        first_line(process)
        while len(killed) < kills:
            wait_for('a holder', lambda: process.poll() is not None or set(holders(process.pid)[:1]) - killed)
            assert process.poll() is None, f'it ended after {len(killed)} of {kills} kills'
            for pid in holders(process.pid)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            for _ in range(2):  # the run that was going on, and one with the file laid out anew
                process.stderr.readline()
        out, err = process.communicate(timeout=60)
        with open(path('r.json'), encoding='utf-8') as f:
            runs = json.load(f)['runs']
        assert len(runs) == 80
        if kills == 1:
            assert process.returncode == 0, (process.returncode, out, err)
            assert {r['state'] for r in runs} == {'done'}, err
        else:
            causes = {r['cause'] for r in runs if r['state'] == 'failed'}
            assert process.returncode == 3 and causes, (process.returncode, out, err)
            assert all('held it has ended' in cause for cause in causes), causes


def stop_while_writing():
    """Ctrl-C while a file is written stops, keeps the figures, and gives the space back"""
    process = subprocess.Popen([CLI, 'run', 'fwrite-strategies', '--target', folder, '--size', '512M',
                                '--block', '512', '--strategy', 'fwrite.putc', '--repeat', '3',
                                '--json', path('w.json')],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    wait_for('a file that grows', lambda: scratch_size(process.pid) > 1 << 20)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, (process.returncode, err)
    assert 'Stopped in' in err, err
    wait_for('the end of the worker', lambda: gone(below))
    assert [n for n in os.listdir(folder) if n.startswith('.overlap')] == []


def stop_while_waiting_for_a_worker():
    """Ctrl-C while no worker answers ends what was started, and leaves nothing"""
    process = start('--strategy', 'posix.read', '--through', "sh -c 'sleep 1000'")
    wait_for('the sleeper', lambda: len(descendants(process.pid)) == 2)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    assert process.returncode == 130, process.returncode
    wait_for('the end', lambda: gone(below))


def stop_a_list():
    """Ctrl-C while \"list\" waits for a worker ends what was started, and leaves nothing"""
    process = subprocess.Popen([CLI, 'list', '--strategies', '--through', "sh -c 'sleep 1000'"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    wait_for('the sleeper', lambda: len(descendants(process.pid)) == 2)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    assert process.returncode == 130, process.returncode
    wait_for('the end', lambda: gone(below))


def second_press_forces():
    """a second Ctrl-C forces"""
    process = start('--size', '256M', '--repeat', '5', '--strategy', 'stdio.getc')
    wait_for('a worker with children', lambda: len(descendants(process.pid)) >= 3)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, (process.returncode, err)
    wait_for('the end of the worker', lambda: gone(below))


def killed_command_leaves_nothing():
    """SIGKILL to the command ends the worker and all below it"""
    process = start('--size', '256M', '--repeat', '5', '--strategy', 'stdio.getc')
    wait_for('a worker with children', lambda: len(descendants(process.pid)) >= 3)
    below = descendants(process.pid)
    process.kill()
    process.communicate(timeout=60)
    wait_for('the end of the worker', lambda: gone(below))
    assert [n for n in os.listdir(folder) if n.startswith('.overlap')] == []


def killed_worker_is_told():
    """a worker that is killed again and again ends the run with a message, not with a hang"""
    process = start('--size', '256M', '--repeat', '5', '--strategy', 'stdio.getc')
    deadline = time.monotonic() + 100
    while process.poll() is None and time.monotonic() < deadline:
        for pid in descendants(process.pid):
            try:
                with open(f'/proc/{pid}/stat', encoding='utf-8') as f:
                    parent = int(f.read().rsplit(')', 1)[1].split()[1])
                if parent == process.pid:
                    os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.2)
    _, err = process.communicate(timeout=10)
    assert process.returncode in (1, 3), (process.returncode, err)
    assert 'worker' in err, err


tap.run(stop_keeps_the_partial_result, stop_while_laying_out, holder_dies, stop_while_writing, stop_while_waiting_for_a_worker,
        stop_a_list, second_press_forces, killed_command_leaves_nothing, killed_worker_is_told)
