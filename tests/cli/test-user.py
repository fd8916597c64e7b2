# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed copy, as an ordinary user: root would hide faults of permission and limits."""

import csv
import io
import os
import resource
import shutil
import subprocess

import program
import tap
from program import folder, path

NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all']
ROOT = os.geteuid() == 0


def install():
    """Installs into the private folder; environment that finds the copy's parts."""
    where = path('installed')
    subprocess.run(['meson', 'install', '-C', os.environ['OVERLAP_BUILD'], '--no-rebuild', '--quiet',
                    '--destdir', where], check=True, stdout=subprocess.DEVNULL)
    found = {}
    for top, _, files in os.walk(where):
        for name in files:
            found.setdefault(name, os.path.join(top, name))
    os.chmod(folder, 0o755)
    environment = {'LC_ALL': 'C.UTF-8', 'PATH': os.environ['PATH'], 'HOME': path('home'),
                   'OVERLAP_WORKER': found['overlap-worker'],
                   'OVERLAP_PLUGIN_DIR': os.path.dirname(found['posix.so']),
                   'OVERLAP_DATA_DIR': os.path.dirname(os.path.dirname(found['count-a-letter.json']))}
    os.makedirs(path('home'), exist_ok=True)
    os.makedirs(path('scratch'), exist_ok=True)
    if ROOT:
        for name in 'home', 'scratch':
            os.chown(path(name), 65534, 65534)
    return found['overlap-cli'], environment


CLI, ENVIRONMENT = install()


def cli(*arguments, status=0, limits=()):
    """Runs the installed program as the user."""
    def limit():
        for which, value in limits:
            resource.setrlimit(which, (value, value))
    command = ([*NOBODY] if ROOT else []) + [CLI, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=path('scratch'),
                          env=ENVIRONMENT, check=False, timeout=200, preexec_fn=limit)
    result = program.Done(list(map(str, arguments)), done.returncode, done.stdout, done.stderr)
    assert done.returncode == status, f'status {status} was expected: {result}'
    return result


def small(*arguments, target=None, strategy='posix.read', **options):
    """A run that takes moments."""
    return cli('run', 'count-a-letter', '--target', target or path('scratch'), '--size', '200K', '--repeat', '1',
               '--strategy', strategy, *arguments, **options)


def rows(text):
    """The rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text)))


def runs():
    """the installed program runs every default strategy"""
    out = cli('run', 'count-a-letter', '--repeat', '1', '--size', '200K', '--csv', '-').out
    states = {r['strategy']: (r['state'], r['cause']) for r in rows(out)}
    assert all(state in ('done', 'skipped') for state, _ in states.values()), states
    assert states['posix.read'][0] == states['stdio.getc'][0] == 'done', states
    assert os.listdir(path('scratch')) == []


def unwritable_folder():
    """a folder that may not be written is refused with path and reason"""
    if not ROOT:
        raise tap.Skip('only root can make a folder of another user')
    os.makedirs(path('closed'), exist_ok=True)
    os.chmod(path('closed'), 0o755)
    done = small(target=path('closed'), status=1)
    assert path('closed') in done.err and 'Permission denied' in done.err, done


def unreadable_file():
    """a file that may not be read is refused with path and reason"""
    if not ROOT:
        raise tap.Skip('only root can make a file of another user')
    with open(path('secret'), 'w', encoding='utf-8') as f:
        f.write('eel')
    os.chmod(path('secret'), 0o600)
    done = cli('run', 'count-a-letter', '--target', path('secret'), '--repeat', '1', status=1)
    assert path('secret') in done.err and 'Permission denied' in done.err, done


def foreign_file_residency():
    """of a file that the user may not write, the cache's state is unknown, not wrong"""
    if not ROOT:
        raise tap.Skip('only root can make a file of another user')
    with open(path('foreign'), 'w', encoding='utf-8') as f:
        f.write('eel\n' * 50000)
    os.chmod(path('foreign'), 0o644)
    out = cli('run', 'count-a-letter', '--target', path('foreign'), '--repeat', '1', '--strategy', 'posix.read',
              '--condition', 'cold', '--csv', '-').out
    row = rows(out)[0]
    assert row['state'] == 'done' and row['check'] == 'count=100000', row
    assert row['resident_before'] == '', row


def no_locked_memory():
    """without locked memory registered buffers fall back, and the result says so"""
    wanted = ['--option', 'uring.wait:registered-buffers=true', '--block', '4M', '--csv', '-']
    out = small(*wanted, strategy='uring.wait', limits=[(resource.RLIMIT_MEMLOCK, 1 << 20)]).out
    row = rows(out)[0]
    if row['state'] == 'skipped':
        raise tap.Skip('io_uring: ' + row['cause'])
    assert row['state'] == 'done' and 'registered-buffers=no (the limit' in row['effective'], row
    allowed = rows(small(*wanted, strategy='uring.wait').out)[0]
    assert 'registered-buffers=yes' in allowed['effective'], allowed


def small_files_only():
    """the limit of the file size is told, and nothing is left"""
    done = small(status=3, limits=[(resource.RLIMIT_FSIZE, 100000)])
    assert 'too large' in done.err and path('scratch') in done.err, done
    assert os.listdir(path('scratch')) == []


def on_a_small_file_system():
    """a file system that is full, or read-only, is told with path and reason, and left empty"""
    if not ROOT:
        raise tap.Skip('only root mounts')
    os.makedirs(path('mnt'), exist_ok=True)
    done = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1M,mode=1777', 'overlap-test', path('mnt')],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise tap.Skip('mounting is not allowed: ' + done.stderr.strip())
    try:
        done = cli('run', 'count-a-letter', '--target', path('mnt'), '--size', '5000K', '--repeat', '1',
                   '--strategy', 'posix.read', status=3)
        assert path('mnt') in done.err and 'free' in done.err, done
        assert os.listdir(path('mnt')) == [] and shutil.disk_usage(path('mnt')).used == 0
        out = cli('run', 'count-a-letter', '--target', path('mnt'), '--size', '500K', '--repeat', '1',
                  '--strategy', 'posix.read', '--condition', 'bypassed', '--csv', '-').out
        row = rows(out)[0]
        assert 'direct=memory' in row['effective'] or row['state'] == 'skipped', row
        subprocess.run(['mount', '-o', 'remount,ro', path('mnt')], check=True)
        done = small(target=path('mnt'), status=1)
        assert path('mnt') in done.err and 'Read-only file system' in done.err, done
    finally:
        subprocess.run(['umount', path('mnt')], check=True)


tap.run(runs, unwritable_folder, unreadable_file, foreign_file_residency, no_locked_memory, small_files_only,
        on_a_small_file_system)
