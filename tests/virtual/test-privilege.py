#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The privileged worker: who may start it, what it gives up, what it refuses.

It is started as sudo does, in a private view of the file system where it is installed as root's
own, so that nothing of the machine is touched.
"""

import json
import os
import shutil
import subprocess
import tempfile

from machine import Machine
from tap import Skip, run

PROGRAM = os.environ['OVERLAP_HARDWARE']
PLUGINS = os.environ['OVERLAP_PLUGIN_DIR']
PREFIX = os.environ['OVERLAP_PREFIX']
INSTALLED = os.environ['OVERLAP_INSTALLED_HARDWARE']
MODULES = os.environ['OVERLAP_INSTALLED_PLUGINS']
# Somebody who may do nothing.
NOBODY = '65534'
AS_SUDO = {'SUDO_UID': NOBODY}

# Files are installed on a file system in memory that this process alone sees.
INSTALL = '''
mount -t tmpfs -o mode=755,uid=0,gid=0 none "$PREFIX"
mkdir -p "$(dirname "$INSTALLED")" "$MODULES"
install -m 755 "$PROGRAM" "$INSTALLED"
install -m 644 "$PLUGINS"/counter.so "$PLUGINS"/port.so "$PLUGINS"/posix.so "$MODULES"
'''


def needs_root():
    """Skips where nothing can be mounted."""
    if os.geteuid() != 0:
        raise Skip('only root can start the privileged worker')
    if not shutil.which('unshare'):
        raise Skip('unshare is not installed')
    if PREFIX == '/usr':
        raise Skip('the folders of the system itself cannot be hidden (configure another prefix)')
    if subprocess.run(['unshare', '-m', 'mount', '-t', 'tmpfs', 'none', PREFIX],
                      stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip('nothing can be mounted in a private view of the file system here')


def start(environment=None, before='', arguments=(), user=None):
    """Starts it; `before`: commands of a shell after installing."""
    needs_root()
    names = {'PREFIX': PREFIX, 'INSTALLED': INSTALLED, 'MODULES': MODULES, 'PROGRAM': PROGRAM,
             'PLUGINS': PLUGINS, 'PATH': '/usr/sbin:/usr/bin:/sbin:/bin'}
    environment = AS_SUDO if environment is None else environment
    words = [f'{key}={value}' for key, value in environment.items()]
    how = ['setpriv', f'--reuid={user}', '--clear-groups'] if user else []
    return subprocess.Popen(['unshare', '-m', '--propagation', 'private', 'sh', '-euc',
                             f'{INSTALL}\n{before}\nexec "$@"', 'sh', *how, 'env', '-i', *words,
                             INSTALLED, *arguments],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=names)


class Session:
    """A started one, spoken to."""

    def __init__(self, **how):
        self.process = start(**how)
        self.last_id = 0
        self.put({'overlap-protocol': 1, 'program': 'test'})
        self.hello = self.next()
        assert self.hello.get('event') == 'hello', self.hello

    def put(self, message):
        """Sends a message, or bytes as they are."""
        if not isinstance(message, bytes):
            message = json.dumps(message).encode() + b'\n'
        self.process.stdin.write(message)
        self.process.stdin.flush()

    def next(self):
        """The next event."""
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode()
        return json.loads(line)

    def ask(self, command, until, **fields):
        """The events that answer a command."""
        self.last_id += 1
        self.put({'cmd': command, 'id': self.last_id, **fields})
        events = []
        while not events or events[-1]['event'] not in (until, 'error'):
            event = self.next()
            if event.get('id') == self.last_id:
                events.append(event)
        return events

    def leave(self):
        """Ends its input; what else it says, and its status."""
        out, err = self.process.communicate(timeout=60)
        return out.decode(), err.decode(), self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def refuses_to_start():
    """It starts for a user whom sudo or pkexec names, in an environment that changes nothing"""
    table = [
        ('no caller', {}, {}),
        ('root as the caller', {'SUDO_UID': '0'}, {}),
        ('a caller who is no number', {'SUDO_UID': 'root'}, {}),
        ('half a number', {'SUDO_UID': '65534x'}, {}),
        ('a negative number', {'SUDO_UID': '-2'}, {}),
        ('a number beyond all users', {'SUDO_UID': '4294967295'}, {}),
        ('a user who is not there', {'PKEXEC_UID': '1234567'}, {}),
        ('pkexec naming root', {'PKEXEC_UID': '0', **AS_SUDO}, {}),
        ('pkexec and sudo naming different users', {'PKEXEC_UID': '1', **AS_SUDO}, {}),
        ('LD_PRELOAD', {**AS_SUDO, 'LD_PRELOAD': '/tmp/evil.so'}, {}),
        ('LD_LIBRARY_PATH', {**AS_SUDO, 'LD_LIBRARY_PATH': '/tmp'}, {}),
        ('LD_AUDIT', {**AS_SUDO, 'LD_AUDIT': '/tmp/evil.so'}, {}),
        ('GCONV_PATH', {**AS_SUDO, 'GCONV_PATH': '/tmp'}, {}),
        ('GIO_EXTRA_MODULES', {**AS_SUDO, 'GIO_EXTRA_MODULES': '/tmp'}, {}),
        ('a foreign module folder', {**AS_SUDO, 'OVERLAP_PLUGIN_DIR': PLUGINS}, {}),
        ('more module folders', {**AS_SUDO, 'OVERLAP_PLUGIN_PATH': PLUGINS}, {}),
        ('foreign translations', {**AS_SUDO, 'OVERLAP_LOCALE_DIR': '/tmp'}, {}),
        ('no input', AS_SUDO, {'before': 'exec 0<&-'}),
        ('an argument', AS_SUDO, {'arguments': ['/etc/passwd']}),
        ('an option', AS_SUDO, {'arguments': ['--help']}),
        ('somebody who is not root', AS_SUDO, {'user': NOBODY}),
        ('a program that others may write', AS_SUDO, {'before': 'chmod o+w "$INSTALLED"'}),
        ('a program of somebody else', AS_SUDO, {'before': f'chown {NOBODY} "$INSTALLED"'}),
        ('a folder that a group may write', AS_SUDO,
         {'before': 'chmod g+w "$(dirname "$INSTALLED")"'}),
        ('a folder of somebody else', AS_SUDO, {'before': f'chown {NOBODY} "$PREFIX"'}),
    ]
    for what, environment, how in table:
        process = start(environment, **how)
        out, err = process.communicate(b'{"overlap-protocol":1}\n', timeout=60)
        assert process.returncode == 2 and not out, f'{what}: {process.returncode} {out} {err}'
        assert b'overlap-hardware: ' in err, f'{what}: {err}'


def inherits_no_signals():
    """Signals that its parent ignores or blocks are what they are elsewhere: it sees its children end"""
    with Session(before="trap '' CHLD XCPU") as session:
        assert session.ask('describe', 'described')[-1]['event'] == 'described'


def gives_up_root():
    """It is the caller's user then, may regain three capabilities, and has a filter"""
    with Session() as session:
        # Its own number: that of the session, which unshare, sh and env became.
        with open(f'/proc/{session.process.pid}/status', encoding='utf-8') as f:
            status = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
        assert session.hello['pid'] == session.process.pid
        assert status['Uid'].split() == [NOBODY] * 4, status['Uid']
        assert '0' not in status['Gid'].split(), status['Gid']
        assert status['Groups'].strip() == '', status['Groups']
        with open('/proc/self/status', encoding='utf-8') as f:
            own = int(next(line for line in f if line.startswith('CapPrm')).split()[1], 16)
        wanted = (1 << 17 | 1 << 23 | 1 << 24) & own  # raw ports, nice, resources
        assert int(status['CapPrm'], 16) == wanted, status['CapPrm']
        assert int(status['CapEff'], 16) == 0, status['CapEff']
        assert int(status['CapInh'], 16) == 0, status['CapInh']
        assert int(status['CapBnd'], 16) == wanted, status['CapBnd']
        assert int(status['CapAmb'], 16) == 0, status['CapAmb']
        assert status['Seccomp'] == '2' and status['NoNewPrivs'] == '1', status
        out, err, code = session.leave()
        assert code == 0 and not err, (out, err, code)


def loads_what_is_roots_own():
    """It loads installed modules for hardware that nobody but root can have changed, and no others"""
    table = [('', {'counter', 'port'}),
             ('chmod o+w "$MODULES/port.so"', {'counter'}),
             ('chmod g+w "$MODULES/port.so"', {'counter'}),
             (f'chown {NOBODY} "$MODULES/port.so"', {'counter'}),
             ('mv "$MODULES/port.so" "$PREFIX"; ln -s "$PREFIX/port.so" "$MODULES"', {'counter'}),
             ('chmod o+w "$MODULES"', set()),
             (f'chown {NOBODY} "$(dirname "$MODULES")"', set()),
             ('mv "$MODULES" "$PREFIX/m"; ln -s "$PREFIX/m" "$MODULES"', set())]
    for before, wanted in table:
        with Session(before=before) as session:
            events = session.ask('describe', 'described')
            found = {s['family'] for e in events for s in e.get('strategies', ())}
            assert found == wanted, f'{before}: {events}'


RUN = {'strategy': 'counter.tsc', 'job': 'port', 'target': 'machine:', 'requests': 1000,
       'access': 'read', 'width': 1}

TICKS = {'strategy': 'tick.nanosleep', 'job': 'ticks', 'rate': 1000}
SAMPLES = {'strategy': 'sample.vdso', 'job': 'samples', 'rate': 1000}

REFUSED = [
    # paths
    ('run', {'spec': {**RUN, 'target': '/etc/passwd'}}),
    ('run', {'spec': {**RUN, 'target': '..'}}),
    ('run', {'spec': {**RUN, 'target': 'machine:/../etc/shadow'}}),
    ('run', {'spec': {**RUN, 'target': '/dev/mem'}}),
    ('run', {'spec': {**RUN, 'target': 'simulated:disk-1995'}}),
    ('run', {'spec': {**RUN, 'file': 'scratch'}}),
    ('run', {'spec': {**RUN, 'strategy': '../../../tmp/evil'}}),
    ('run', {'spec': {**RUN, 'strategy': 'counter.../../evil'}}),
    ('run', {'spec': {**RUN, 'strategy': 'counter..tsc'}}),
    ('run', {'spec': {**RUN, 'strategy': '/tmp/evil.so'}}),
    ('run', {'spec': {**RUN, 'strategy': ''}}),
    ('preflight', {'target': '/etc/shadow'}),
    ('preflight', {'target': '../..'}),
    ('preflight', {'target': 'simulated:disk-1995'}),
    ('preflight', {}),
    # other jobs, and strategies of other families
    *[('run', {'spec': {**RUN, 'job': job}}) for job in ('count', 'write', 'blocks', 'transfer')],
    ('run', {'spec': {**RUN, 'job': 'exec'}}),
    ('run', {'spec': {**RUN, 'strategy': 'posix.read'}}),
    ('run', {'spec': {**RUN, 'strategy': 'mine.port'}}),
    ('layout', {'target': '/tmp', 'file': 'x', 'size': 4096}),
    ('forget', {'file': 'x'}),
    ('exec', {'argv': '/bin/sh'}),
    ('', {}),
    # other ports
    *[('run', {'spec': {**RUN, 'strategy': 'port.direct', 'address': port}})
      for port in (0x60, 0x64, 0x70, 0x71, 0x7f, 0x81, 0x377, 0x37b, 0x3f8, 0xcf8, 0xffff, 0x10080,
                   (1 << 32) + 0x80, (1 << 63) - 1)],
    # ports that are on the list, in a way that reaches others or makes a printer print
    *[('run', {'spec': {**RUN, 'strategy': 'port.gate', 'address': port, 'width': width}})
      for port, width in ((0x80, 2), (0x80, 4), (0x378, 4), (0x378, 3), (0x379, 4), (0x37a, 2), (0x37a, 4),
                          (0x378, 8), (0x378, 0))],
    *[('run', {'spec': {**RUN, 'strategy': 'port.gate', 'address': port, 'access': 'write', 'width': width}})
      for port, width in ((0x379, 1), (0x37a, 1), (0x378, 2), (0x80, 2))],
    # a port for a job that has none
    ('run', {'spec': {**RUN, **TICKS, 'address': 0x80}}),
    ('run', {'spec': {**RUN, **SAMPLES, 'strategy': 'sample.port', 'address': 0x70}}),
    ('run', {'spec': {**RUN, **SAMPLES, 'strategy': 'sample.port', 'address': 0x378}}),
    # clocks that never end, and rates that are none
    *[('run', {'spec': {**RUN, **job, 'rate': rate}})
      for job in (TICKS, SAMPLES) for rate in (0, -1, 1e9, 1e300, '64', None)],
    ('run', {'spec': {**RUN, **TICKS, 'rate': 1, 'requests': 601}}),
    ('run', {'spec': {**RUN, **SAMPLES, 'rate': 1e-300}}),
    # too much
    *[('run', {'spec': {**RUN, 'requests': n}}) for n in (0, -1, 10 ** 9 + 1, (1 << 63) - 1)],
    ('run', {'spec': {**RUN, 'time-limit': (1 << 63) - 1}}),
    ('run', {'spec': {**RUN, 'depth': 1 << 31}}),
    ('run', {'spec': {**RUN, 'block': 1 << 60}}),
    ('run', {'spec': {**RUN, 'log-capacity': 1 << 40}}),
    ('run', {'spec': {**RUN, 'timing': 'timeline'}}),
    ('run', {'spec': {**RUN, 'profile': True}}),
    ('run', {'spec': {**RUN, 'neighbour': 'free'}}),
    # no request
    ('run', {}),
    ('run', {'spec': None}),
    ('run', {'spec': 5}),
    ('run', {'spec': 'counter.tsc'}),
    ('run', {'spec': []}),
    ('run', {'spec': {}}),
]


def refuses_requests():
    """What is not on its list is refused, and the next request is served"""
    with Session() as session:
        for command, fields in REFUSED:
            last = session.ask(command, 'result', **fields)[-1]
            assert last['event'] == 'error' and last['code'] == 'permission', \
                f'{command} {fields}: {last}'
        done = session.ask('run', 'result', spec=RUN)[-1]['run']
        assert done['state'] == 'done' and done['completed'] == 1000, done
        assert session.leave()[2] == 0


def ends_on_nonsense():
    """It ends where what comes is no request at all"""
    table = [('a huge request', json.dumps({'cmd': 'run', 'id': 1, 'spec': {'x': 'y' * 20000}})),
             ('a request without an end', 'x' * (5 << 20)),
             ('no message', 'rm -rf /'),
             ('half a message', '{"cmd":"run"'),
             ('a deep one', '[' * 10000)]
    for what, text in table:
        with Session() as session:
            try:
                session.put(text.encode() + b'\n')
            except BrokenPipeError:
                pass
            out, _, code = session.leave()
            assert code == 1 and '"error"' in out, f'{what}: {code} {out[:300]}'
    for nothing in (b'', b'\n'):
        process = start()
        out, err = process.communicate(nothing, timeout=60)
        assert process.returncode in (0, 1) and not err, (process.returncode, err)


def reaches_ports():
    """In a machine that has ports and a clock it reaches them, with what each needs and as nobody"""
    os.environ['OVERLAP_WORKER'] = PROGRAM
    machine = Machine()
    try:
        for name in ('port.direct', 'port.direct-iopl', 'port.gate', 'port.driver', 'mmio.hpet',
                     'mmio.hpet-gate', 'mmio.pci'):
            result = machine.run(**{**RUN, 'strategy': name})
            assert result['state'] == 'done', f'{name}: {result["cause"]}'
            assert result['completed'] == 1000, result
        # The clock's device is root's own, and rates above 64 Hz want a capability; so does real time.
        for name, rate, options in (('tick.rtc', 64, {}), ('tick.rtc', 8192, {}),
                                    ('tick.rtc', 1024, {'scheduling': 1}),
                                    ('tick.nanosleep', 1000, {'scheduling': 1})):
            result = machine.run(**{**RUN, **TICKS, 'strategy': name, 'rate': rate, 'requests': rate // 4,
                                    'options': options})
            assert result['state'] == 'done', f'{name}, {rate} Hz: {result["cause"]}'
            assert result['completed'] + result['missed'] == rate // 4, result
            assert ('SCHED_FIFO' in result['effective']) == bool(options), result['effective']
        for name in ('sample.port', 'sample.port-gate', 'sample.hpet'):
            result = machine.run(**{**RUN, **SAMPLES, 'strategy': name, 'requests': 200})
            assert result['state'] == 'done', f'{name}: {result["cause"]}'
            assert result['completed'] + result['missed'] == 200, result
        # What the session would refuse is refused below it, too: see tests of the strategies.
        error = machine.ask('run', 'result',
                            spec={**RUN, 'strategy': 'port.direct', 'address': 0x70})[-1]
        assert error['event'] == 'error' and error['code'] == 'permission', error
        assert machine.leave() == 0, machine.errors
    finally:
        machine.kill()


def stop_at_work(machine, force):
    """Stops a run while the clock interrupts, by the flag or by SIGKILL; its result."""
    machine.put_run(**{**RUN, **TICKS, 'strategy': 'tick.rtc', 'rate': 8192, 'requests': 8192 * 60,
                       'discard': False})
    # Ticks that came are the proof that it is at work.
    while True:
        event = machine.next()
        assert event['event'] not in ('result', 'error'), event
        if event['event'] == 'snapshot' and event['completed'] > 0:
            return machine.ask('abort', 'result', force=force, others=True)[-1]['run']


def clock_is_given_back():
    """A run that is stopped or killed while the clock interrupts leaves it quiet, at the rate it had"""
    modules = os.environ['OVERLAP_PLUGIN_DIR']
    with tempfile.TemporaryDirectory(prefix='overlap-test-') as folder:
        # The module in the counters' place looks at the clock, as a child with the same rights.
        shutil.copy(os.environ['OVERLAP_CLOCK'], os.path.join(folder, 'counter.so'))
        shutil.copy(os.path.join(modules, 'tick.so'), folder)
        os.environ['OVERLAP_WORKER'] = PROGRAM
        os.environ['OVERLAP_PLUGIN_DIR'] = folder
        machine = None
        try:
            machine = Machine()
            look = {**RUN, **TICKS, 'strategy': 'counter.clock', 'requests': 10, 'discard': False}
            before = machine.run(**look)['effective']
            assert before.startswith('clock=') and before.endswith(' Hz, quiet'), before
            assert '8192' not in before, before
            for force in (False, True):
                result = stop_at_work(machine, force)
                assert result['state'] == 'stopped', result
                after = machine.run(**look)['effective']
                print(f'# {"killed" if force else "stopped"}: {after}', flush=True)
                assert after == before, f'{after}, it was {before}'
            assert machine.leave() == 0, machine.errors
        finally:
            os.environ['OVERLAP_PLUGIN_DIR'] = modules
            if machine:
                machine.kill()


run(refuses_to_start, inherits_no_signals, gives_up_root, loads_what_is_roots_own, refuses_requests, ends_on_nonsense,
    reaches_ports, clock_is_given_back)
