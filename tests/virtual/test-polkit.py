#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real polkit: its daemon, pkexec and an agent ask for the password of overlap-cli's user.

Two of it run. The first one, root, starts the second one in a view of the file system and of the
processes that nobody else sees: there everything is installed, the user has a password and may
administer, and a system bus and polkit's daemon run. When the second one ends, all of that does.
"""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import termios
import time

from tap import Skip, run

PREFIX = os.environ['OVERLAP_PREFIX']
HARDWARE = os.environ['OVERLAP_INSTALLED_HARDWARE']
ACTION = 'io.github.overlap_app.Overlap.hardware'
POLKITD = next((p for p in ('/usr/lib/polkit-1/polkitd', '/usr/libexec/polkitd') if os.path.exists(p)), None)
NEEDED = ('unshare', 'setpriv', 'pkexec', 'pkttyagent', 'pkaction', 'dbus-daemon', 'chpasswd')
SIMPLE_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
AS_USER = ('setpriv', '--reuid=nobody', '--regid=65534', '--clear-groups')
PASSWORD = 'quick brown fox'
PATIENCE = 60
EXPERIMENT = {'overlap-experiment': 1, 'title': 'Asking', 'job': 'port', 'requests': 100, 'timing': 'counters',
              'strategies': ['port.asks', 'port.free'],
              'presets': [{'id': 'one', 'title': 'One', 'axes': [{'parameter': 'requests', 'values': [100]}]}]}
# What an administrator does by the package manager and by hand, where it harms nobody.
SET_UP = f'''
mount -t tmpfs -o mode=755,uid=0,gid=0 none {PREFIX}
mkdir -p {PREFIX}/bin {PREFIX}/etc {PREFIX}/actions "$(dirname {HARDWARE})" "$OVERLAP_INSTALLED_PLUGINS"
install -m 755 "$OVERLAP_HARDWARE" {HARDWARE}
install -m 644 "$OVERLAP_ASKS" "$OVERLAP_INSTALLED_PLUGINS/port.so"
install -m 755 "$OVERLAP_CLI" "$OVERLAP_WORKER" {PREFIX}/bin
cp /usr/share/polkit-1/actions/*.policy "$OVERLAP_POLICY" {PREFIX}/actions
mount --bind {PREFIX}/actions /usr/share/polkit-1/actions
cp -a /etc/. {PREFIX}/etc
mount --bind {PREFIX}/etc /etc
mkdir -p /etc/polkit-1/rules.d
echo 'polkit.addAdminRule(function (action, subject) {{ return ["unix-user:nobody"]; }});' \\
  >/etc/polkit-1/rules.d/00-test.rules
chmod 755 /etc/polkit-1/rules.d
chmod 644 /etc/polkit-1/rules.d/00-test.rules
echo 'nobody:{PASSWORD}' | chpasswd
mount -t tmpfs -o mode=755 none /run
mkdir -p /run/dbus
'''


def wait(look, what):
    """Calls look() until it gives something true."""
    end = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < end, f'waited in vain for {what}'
        time.sleep(0.05)


# ---- The first ------------------------------------------------------------------------------------

def start_again():
    """Starts the second one; does not come back."""
    missing = [p for p in NEEDED if not shutil.which(p, path=SIMPLE_PATH)] + ([] if POLKITD else ['polkitd'])
    if missing:
        raise Skip(f'not installed: {", ".join(missing)}')
    unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
    if os.geteuid() != 0 or PREFIX == '/usr' \
            or subprocess.run([*unshare, 'mount', '-t', 'tmpfs', 'none', PREFIX], stderr=subprocess.DEVNULL,
                              check=False).returncode != 0:
        raise Skip('only root can install in a private view of the file system, and nothing can be mounted here')
    sys.exit(subprocess.run([*unshare, sys.executable, __file__],
                            env={**os.environ, 'PATH': SIMPLE_PATH, 'OVERLAP_SECOND': '1'}, check=False).returncode)


# ---- The second -----------------------------------------------------------------------------------

def services():
    """Sets up, and starts the system bus and polkit's daemon."""
    subprocess.run(['sh', '-euc', SET_UP], check=True, stdin=subprocess.DEVNULL)
    for command, is_there in (
            (['dbus-daemon', '--system', '--nofork', '--nopidfile'],
             lambda: os.path.exists('/run/dbus/system_bus_socket')),
            ([POLKITD, '--no-debug'],
             lambda: subprocess.run(['pkaction', '--action-id', ACTION], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, check=False).returncode == 0)):
        # They end with this view of the processes.
        subprocess.Popen(command, stdin=subprocess.DEVNULL,  # pylint: disable=consider-using-with
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(is_there, command[0])
    pathlib.Path(PREFIX, 'asking.json').write_text(json.dumps(EXPERIMENT), encoding='utf-8')


def answer(agent, password, process):
    """Reads what the agent writes on its terminal and types the password: what it wrote."""
    written = ''
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        assert time.monotonic() < end, f'waited in vain for the end; the agent wrote {written}'
        if not select.select([agent], [], [], 0.1)[0]:
            continue
        try:
            written += os.read(agent, 4096).decode(errors='replace')
        except OSError:
            break
        if password and re.search(r'(Password|Passwort): *$', written):
            # It throws away what was typed before it has switched the echo off.
            wait(lambda: not termios.tcgetattr(agent)[3] & termios.ECHO, 'the echo to be off')
            os.write(agent, f'{password}\n'.encode())
            password = None
    return written


def ask(password, language='C.UTF-8'):
    """Runs the experiment beside an agent: what became of each strategy, what was said, what was asked."""
    env = {'PATH': f'{PREFIX}/bin:{SIMPLE_PATH}', 'LANG': language, 'HOME': PREFIX,
           'XDG_CACHE_HOME': f'{PREFIX}/none', 'OVERLAP_WORKER': f'{PREFIX}/bin/overlap-worker'}
    # It begins when its agent is there.
    with subprocess.Popen([*AS_USER, 'sh', '-c', 'read go; exec "$@"', 'sh', f'{PREFIX}/bin/overlap-cli', 'run',
                           f'{PREFIX}/asking.json', '--repeat', '1', '--quiet', '--json', '-'],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=env) as process:
        # And an agent asks for those of its own user only, who it is from now on.
        wait(lambda: os.stat(f'/proc/{process.pid}').st_uid == 65534, 'the user to be nobody')
        there, told = os.pipe()
        pid, agent = pty.fork()
        if pid == 0:
            os.set_inheritable(told, True)
            os.execvpe(AS_USER[0], [*AS_USER, 'pkttyagent', '--process', str(process.pid), '--notify-fd', str(told)],
                       env)
        os.close(told)
        os.read(there, 1)  # the end of the file, when it is registered
        os.close(there)
        process.stdin.write('\n')
        process.stdin.close()
        process.stdin = None
        asked = answer(agent, password, process)
        out, said = process.communicate()
        os.close(agent)
        os.waitpid(pid, 0)
    assert out, said
    return {r['spec']['strategy']: r for r in json.loads(out)['runs']}, said, asked


def action_is_known():
    """polkit knows the action: who must say yes, and which program it is for"""
    shown = subprocess.run(['pkaction', '--verbose', '--action-id', ACTION], check=True, stdout=subprocess.PIPE,
                           text=True).stdout
    for line in (r'implicit any: +auth_admin$', r'implicit inactive: +auth_admin$', r'implicit active: +auth_admin_keep$',
                 rf'annotation: +org.freedesktop.policykit.exec.path -> {HARDWARE}$'):
        assert re.search(line, shown, re.MULTILINE), f'{line} not in {shown}'


def right_password():
    """With the password it is given: the privileged worker runs, as the user"""
    runs, said, asked = ask(PASSWORD)
    assert ACTION in asked and 'Overlap wants to measure' in asked and '0x80' in asked, asked
    assert 'AUTHENTICATION COMPLETE' in asked, asked
    for name in ('port.asks', 'port.free'):
        assert runs[name]['state'] == 'done', f'{runs[name]["cause"]}\n{said}\n{asked}'
        assert runs[name]['effective'] == 'user=65534', runs[name]['effective']


def wrong_password():
    """With another one it is refused, with the cause, and the rest runs"""
    runs, said, asked = ask('lazy dog')
    assert 'AUTHENTICATION FAILED' in asked, asked
    assert 'Strategies that need privilege are left out.' in said, said
    assert runs['port.asks']['state'] == 'skipped', runs['port.asks']
    assert runs['port.asks']['cause'] == 'It wants privilege', runs['port.asks']
    assert runs['port.free']['state'] == 'done', runs['port.free']


def asked_in_german():
    """A German is asked in German"""
    asked = ask('falsch', 'de_DE.UTF-8')[2]
    assert 'Overlap möchte messen' in asked and '0x80' in asked, asked


if 'OVERLAP_SECOND' not in os.environ:
    try:
        start_again()
    except Skip as reason:
        print(f'1..0 # SKIP {reason}')
        sys.exit(0)
services()
run(action_is_known, right_password, wrong_password, asked_in_german)
