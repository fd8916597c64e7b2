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
         'OVERLAP_WORKER', 'OVERLAP_CLI', 'OVERLAP_ASKS', 'OVERLAP_PLUGIN_DIR')
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
install -m 644 "$OVERLAP_PLUGIN_DIR/tick.so" "$OVERLAP_INSTALLED_PLUGINS"
install -m 755 "$OVERLAP_CLI" "$OVERLAP_WORKER" "$OVERLAP_PREFIX/bin"
'''
SIMPLE_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
# What pkexec says and does when its question is dismissed.
REFUSING_PKEXEC = ('printf \'#!/bin/sh\\necho "asked to run $@" >&2\\nexit 126\\n\' >"$OVERLAP_PREFIX/bin/pkexec"\n'
                   'chmod 755 "$OVERLAP_PREFIX/bin/pkexec"')


def needs_root():
    """Skips where nothing can be mounted."""
    if os.geteuid() != 0 or PREFIX == '/usr' or not shutil.which('unshare') \
            or subprocess.run(['unshare', '-m', 'mount', '-t', 'tmpfs', 'none', PREFIX],
                              stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip('only root can install in a private view of the file system, and nothing can be '
                   'mounted here')


def start(before='', how=(), strategies=('port.asks', 'port.free'), experiment=EXPERIMENT, **environment):
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
                               'EXPERIMENT': json.dumps({**experiment, 'strategies': strategies}),
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
    runs, said = cli(before=REFUSING_PKEXEC, how=as_user)
    assert f'asked to run {os.environ["OVERLAP_INSTALLED_HARDWARE"]}' in said, said
    assert 'Strategies that need privilege are left out.' in said, said
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


REALTIME = {'overlap-experiment': 1, 'title': 'Real time', 'job': 'ticks', 'timing': 'counters', 'duration': 0.05,
            'presets': [{'id': 'one', 'title': 'One', 'axes': [{'parameter': 'rate', 'values': [1000]}]}]}


def real_time_is_asked_for():
    """Real-time scheduling is asked for where the user's limits refuse it, and nowhere else"""
    as_user = ('setpriv', '--reuid=65533', '--regid=65533', '--clear-groups')
    plain = {'strategy': 'tick.nanosleep', 'label': 'plain'}
    realtime = {'strategy': 'tick.nanosleep', 'label': 'real-time', 'options': {'scheduling': 'realtime'}}

    def lines(how, strategies):
        done = start(before=REFUSING_PKEXEC, how=how, strategies=strategies, experiment=REALTIME)
        assert done.stdout, done.stderr
        runs = {r['spec']['variant']: r for r in json.loads(done.stdout)['runs']}
        assert runs['plain']['state'] == 'done', runs['plain']
        return runs, f'asked to run {os.environ["OVERLAP_INSTALLED_HARDWARE"]}' in done.stderr

    runs, asked = lines(('prlimit', '--rtprio=0', *as_user), (plain, realtime))
    assert asked and runs['real-time']['state'] == 'skipped', runs['real-time']
    assert 'CAP_SYS_NICE' in runs['real-time']['cause'], runs['real-time']
    assert not lines(('prlimit', '--rtprio=0', *as_user), (plain,))[1], 'asked for nothing'
    if subprocess.run(['prlimit', '--rtprio=10', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        runs, asked = lines(('prlimit', '--rtprio=10', *as_user), (plain, realtime))
        assert not asked, runs['real-time']


run(sudo_gives_it, sudo_always_drops, the_user_refuses, nobody_can_be_asked, real_time_is_asked_for)
