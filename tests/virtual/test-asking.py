#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap-cli where a strategy needs privilege: asked for, given, refused, not to be had.

Everything is installed in a private view of the file system, see test-privilege.py.
"""

import json
import os
import shutil
import subprocess

from tap import Skip, run

PREFIX = os.environ['OVERLAP_PREFIX']
NAMES = ('OVERLAP_PREFIX', 'OVERLAP_INSTALLED_HARDWARE', 'OVERLAP_INSTALLED_PLUGINS', 'OVERLAP_HARDWARE',
         'OVERLAP_WORKER', 'OVERLAP_CLI', 'OVERLAP_ASKS')
EXPERIMENT = {'overlap-experiment': 1, 'title': 'Asking', 'job': 'port', 'requests': 100,
              'timing': 'counters', 'strategies': ['port.asks', 'port.free'],
              'presets': [{'id': 'one', 'title': 'One',
                           'axes': [{'parameter': 'requests', 'values': [100]}]}]}
# The installed copy, and beside it what an ordinary user has of his own.
INSTALL = '''
mount -t tmpfs -o mode=755,uid=0,gid=0 none "$OVERLAP_PREFIX"
mkdir -p "$(dirname "$OVERLAP_INSTALLED_HARDWARE")" "$OVERLAP_INSTALLED_PLUGINS" "$OVERLAP_PREFIX/bin"
install -m 755 "$OVERLAP_HARDWARE" "$OVERLAP_INSTALLED_HARDWARE"
install -m 644 "$OVERLAP_ASKS" "$OVERLAP_INSTALLED_PLUGINS/port.so"
install -m 755 "$OVERLAP_CLI" "$OVERLAP_WORKER" "$OVERLAP_PREFIX/bin"
'''
SIMPLE_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'


def needs_root():
    """Skips where nothing can be mounted."""
    if os.geteuid() != 0 or PREFIX == '/usr' or not shutil.which('unshare') \
            or subprocess.run(['unshare', '-m', 'mount', '-t', 'tmpfs', 'none', PREFIX],
                              stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip('only root can install in a private view of the file system, and nothing can be '
                   'mounted here')


def start(before='', how=(), strategies=('port.asks', 'port.free'), **environment):
    """Runs the experiment: its result, if there is one, and what was said."""
    needs_root()
    done = subprocess.run(['unshare', '-m', '--propagation', 'private', 'sh', '-euc',
                           f'{INSTALL}\nprintf %s "$EXPERIMENT" >"$OVERLAP_PREFIX/asking.json"\n'
                           f'{before}\nexec "$@"',
                           'sh', *how, 'env', '-i', f'PATH={PREFIX}/bin:{SIMPLE_PATH}', 'LC_ALL=C.UTF-8',
                           f'HOME={PREFIX}', *(f'{k}={v}' for k, v in environment.items()),
                           f'OVERLAP_WORKER={PREFIX}/bin/overlap-worker',
                           f'{PREFIX}/bin/overlap-cli', 'run', f'{PREFIX}/asking.json',
                           '--repeat', '1', '--quiet', '--json', '-'],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, timeout=200,
                          env={'PATH': SIMPLE_PATH,
                               'EXPERIMENT': json.dumps({**EXPERIMENT, 'strategies': strategies}),
                               **{name: os.environ[name] for name in NAMES}})
    return done


def cli(**how):
    """Runs the experiment: what became of each strategy, and what was said."""
    done = start(**how)
    assert done.stdout, done.stderr
    result = json.loads(done.stdout)
    return {r['spec']['strategy']: r for r in result['runs']}, done.stderr


def sudo_gives_it():
    """Below sudo everything runs as the user, with the privilege"""
    runs, said = cli(SUDO_UID='65534')
    for name in ('port.asks', 'port.free'):
        assert runs[name]['state'] == 'done', f'{runs[name]["cause"]}\n{said}'
        assert runs[name]['effective'] == 'user=65534', runs[name]['effective']


def sudo_always_drops():
    """Below sudo nothing runs as root, also where root is denied nothing; without the worker for it nothing runs"""
    runs, said = cli(SUDO_UID='65534', strategies=('port.free',))
    assert runs['port.free']['effective'] == 'user=65534', f'{runs["port.free"]}\n{said}'
    done = start(SUDO_UID='65534', strategies=('port.free',), before='rm "$OVERLAP_INSTALLED_HARDWARE"')
    assert done.returncode == 1 and not done.stdout and 'Below sudo' in done.stderr, done


def the_user_refuses():
    """Where the user refuses, the strategy is left out and the others run"""
    as_user = ('setpriv', '--reuid=65533', '--regid=65533', '--clear-groups')
    # What pkexec says and does when its question is dismissed.
    pkexec = ('printf \'#!/bin/sh\\necho "asked to run $@" >&2\\nexit 126\\n\' >"$OVERLAP_PREFIX/bin/pkexec"\n'
              'chmod 755 "$OVERLAP_PREFIX/bin/pkexec"')
    runs, said = cli(before=pkexec, how=as_user)
    assert f'asked to run {os.environ["OVERLAP_INSTALLED_HARDWARE"]}' in said, said
    assert 'privilege, which was not given' in said, said
    assert runs['port.asks']['state'] == 'skipped', runs['port.asks']
    assert runs['port.asks']['cause'] == 'It wants privilege', runs['port.asks']
    assert runs['port.free']['state'] == 'done', runs['port.free']
    assert runs['port.free']['effective'] == 'user=65533', runs['port.free']


def nobody_can_be_asked():
    """Without pkexec the same, and it is said what is missing"""
    as_user = ('setpriv', '--reuid=65533', '--regid=65533', '--clear-groups')
    hide = 'if [ -e /usr/bin/pkexec ]; then mount --bind /dev/null /usr/bin/pkexec; fi'
    runs, said = cli(before=hide, how=as_user)
    assert 'pkexec' in said, said
    assert runs['port.asks']['state'] == 'skipped', runs['port.asks']
    assert runs['port.free']['state'] == 'done', runs['port.free']
    runs, said = cli(before='rm "$OVERLAP_INSTALLED_HARDWARE"', how=as_user)
    assert 'is not installed' in said, said
    assert runs['port.free']['state'] == 'done', runs['port.free']


run(sudo_gives_it, sudo_always_drops, the_user_refuses, nobody_can_be_asked)
