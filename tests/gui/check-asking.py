#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window where a strategy needs privilege: given, refused, not to be had, and Stop meanwhile.

Three of it run, each started by the one before. The first one is root: it installs everything in a
private view of the file system. The second one is root in there and gives privilege as polkit's
daemon does. The third one is an ordinary user on a screen of his own, and has a pkexec that asks it.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from tap import Skip, in_a_process, run  # pylint: disable=wrong-import-position

# Somebody who may do nothing, and is known.
NOBODY = 65534
PREFIX = pathlib.Path(os.environ['OVERLAP_PREFIX'])
HARDWARE = os.environ['OVERLAP_INSTALLED_HARDWARE']
ASKED = PREFIX / 'run/asked'
SOCKET = PREFIX / 'run/polkit'
KEPT = ('OVERLAP_PREFIX', 'OVERLAP_INSTALLED_HARDWARE')
NEEDED = ('unshare', 'setpriv', 'xvfb-run', 'xauth', 'dbus-run-session', 'xdotool')

INSTALL = '''
mount -t tmpfs -o mode=755,uid=0,gid=0 none "$OVERLAP_PREFIX"
mkdir -p "$(dirname "$OVERLAP_INSTALLED_HARDWARE")" "$OVERLAP_INSTALLED_PLUGINS" "$OVERLAP_PREFIX"/bin \
  "$OVERLAP_PREFIX"/asks "$OVERLAP_PREFIX"/schemas "$OVERLAP_PREFIX"/tests
install -d -m 1777 "$OVERLAP_PREFIX"/run
install -m 755 "$OVERLAP_HARDWARE" "$OVERLAP_INSTALLED_HARDWARE"
install -m 644 "$OVERLAP_ASKS" "$OVERLAP_INSTALLED_PLUGINS"/port.so
install -m 755 "$OVERLAP" "$OVERLAP_WORKER" "$OVERLAP_PREFIX"/bin
install -m 644 "$GSETTINGS_SCHEMA_DIR"/gschemas.compiled "$OVERLAP_PREFIX"/schemas
cp -r "$OVERLAP_DATA_DIR" "$OVERLAP_PREFIX"/data
install -m 644 "$OVERLAP_TESTS"/tap.py "$OVERLAP_PREFIX"/tests
install -D -m 755 -t "$OVERLAP_PREFIX"/tests/gui "$OVERLAP_TESTS"/gui/{atspi.py,check-asking.py,gui-run,quiet-dbus}
chmod -R a+rX "$OVERLAP_PREFIX"
if [ -e /usr/bin/pkexec ]; then mount --bind /dev/null /usr/bin/pkexec; fi
'''

# What the program meets as pkexec: it says what it was asked for, and has the second of us do it.
PKEXEC = f'''#!/usr/bin/env python3
import os, signal, socket, sys
with open('{ASKED}', 'a') as f:
    print(*sys.argv[1:], file=f)
if os.environ['ANSWER'] == 'none':
    signal.pause()
if os.environ['ANSWER'] == 'no':
    print('Error executing command as another user: Request dismissed', file=sys.stderr)
    sys.exit(126)
with socket.socket(socket.AF_UNIX) as s:
    s.connect('{SOCKET}')
    socket.send_fds(s, [sys.argv[1].encode()], [0, 1, 2])
    s.recv(1)
'''


# ---- The first: installs --------------------------------------------------------------------------

def install():
    """Starts the second one where everything is installed; does not come back."""
    missing = [p for p in NEEDED if not shutil.which(p)]
    try:
        import gi  # pylint: disable=import-outside-toplevel
        gi.require_version('Atspi', '2.0')
    except (ImportError, ValueError):
        missing.append('python3-gi with gir1.2-atspi-2.0')
    if missing:
        raise Skip(f'not installed: {", ".join(missing)}')
    if os.geteuid() != 0 or PREFIX == pathlib.Path('/usr') \
            or subprocess.run(['unshare', '-m', 'mount', '-t', 'tmpfs', 'none', str(PREFIX)],
                              stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip('only root can install in a private view of the file system, and nothing can be '
                   'mounted here')
    os.environ['OVERLAP_TESTS'] = str(HERE.parent)
    os.execvp('unshare', ['unshare', '-m', '--propagation', 'private', 'bash', '-euc',
                          INSTALL + 'exec "$0" "$OVERLAP_PREFIX"/tests/gui/check-asking.py --give', sys.executable])


# ---- The second: gives privilege ------------------------------------------------------------------

def give(listener):
    """Starts what is asked for as root, as pkexec does; it is nothing but the one program."""
    while True:
        asker, _ = listener.accept()
        with asker:
            path, fds, _, _ = socket.recv_fds(asker, 4096, 3)
            if path.decode() == HARDWARE:
                subprocess.run([HARDWARE], stdin=fds[0], stdout=fds[1], stderr=fds[2], check=False,
                               env={'PKEXEC_UID': str(NOBODY)})
            for fd in fds:
                os.close(fd)


def serve():
    """Has the third one do its points, and privilege given meanwhile; its status."""
    pkexec = PREFIX / 'bin/pkexec'
    pkexec.write_text(PKEXEC, encoding='utf-8')
    pkexec.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(SOCKET))
        os.chmod(SOCKET, 0o666)
        listener.listen()
        threading.Thread(target=give, args=(listener,), daemon=True).start()
        simple = '/usr/sbin:/usr/bin:/sbin:/bin'
        return subprocess.run(
            ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups', 'env', '-i',
             f'PATH={simple}', 'LC_ALL=C.UTF-8', 'TMPDIR=/tmp',
             *(f'{name}={os.environ[name]}' for name in KEPT),
             f'OVERLAP_WORKER={PREFIX}/bin/overlap-worker', f'OVERLAP_DATA_DIR={PREFIX}/data',
             f'GSETTINGS_SCHEMA_DIR={PREFIX}/schemas',
             str(HERE / 'gui-run'), sys.executable, str(HERE / 'check-asking.py'), '--ask'],
            cwd='/', check=False).returncode


# ---- The third: uses the window -------------------------------------------------------------------

EXPERIMENT = {'overlap-experiment': 1, 'title': 'Asking', 'summary': 'Made by a test.', 'learn': ['Read.'],
              'job': 'port', 'requests': 100, 'repetitions': 1,
              'strategies': ['port.asks', 'port.free'],
              'presets': [{'id': 'one', 'title': 'One',
                           'axes': [{'parameter': 'requests', 'values': [100]}]}]}


class Window:
    """The program with its window, and a user who answers like this when he is asked."""

    def __init__(self, answer, *arguments, path=f'{PREFIX}/bin'):
        import atspi  # pylint: disable=import-outside-toplevel
        self.ui = atspi
        home = pathlib.Path(os.environ['XDG_DATA_HOME']) / 'overlap'
        (home / 'experiments').mkdir(parents=True, exist_ok=True)
        (home / 'experiments/asking.json').write_text(json.dumps(EXPERIMENT), encoding='utf-8')
        self.results = home / 'results'
        shutil.rmtree(self.results, ignore_errors=True)
        ASKED.unlink(missing_ok=True)
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [PREFIX / 'bin/overlap', '--experiment=asking', *arguments], stderr=self.errors,
            env={**os.environ, 'ANSWER': answer, 'PATH': f'{path}:{os.environ["PATH"]}'})
        self.frame = atspi.find(atspi.program('overlap'), 'frame')

    def __enter__(self):
        self.ui.wait(lambda: self.ui.is_sensitive(self.ui.find(self.frame, 'push button', 'Run')),
                     'Run to become possible')
        return self

    def __exit__(self, kind, value, trace):
        self.process.terminate()
        self.process.wait(60)
        self.errors.seek(0)
        written = self.errors.read().decode(errors='replace')
        self.errors.close()
        assert kind or not written, f'the window wrote: {written}'

    def run(self, *starts):
        """Presses Run; waits for texts that begin so."""
        assert not ASKED.exists(), 'it asked before anything was started'
        self.ui.press('F5')
        for start in starts:
            self.ui.wait(lambda text=start: any(t.startswith(text) for t in self.ui.labels(self.frame)), start)

    def runs(self):
        """What became of each strategy in the result that was stored."""
        self.ui.wait(lambda: list(self.results.glob('*.json')), 'the result to be stored')
        stored = list(self.results.glob('*.json'))
        assert len(stored) == 1, stored
        return {r['spec']['strategy']: (r['state'], r['cause'])
                for r in json.loads(stored[0].read_text(encoding='utf-8'))['runs']}

    def quit(self):
        """Quits by the keyboard."""
        self.ui.press('ctrl+q')
        assert self.process.wait(60) == 0


def asked():
    """What the user was asked for, a line each time."""
    return ASKED.read_text(encoding='utf-8').splitlines() if ASKED.exists() else []


LEFT_OUT = 'Strategies that need privilege are left out.'


def given():
    """Privilege is asked for once, when a run is started, and given: everything runs"""
    with Window('yes') as w:
        w.run('Done in')
        assert w.runs() == {'port.asks': ('done', None), 'port.free': ('done', None)}, w.runs()
        assert asked() == [HARDWARE], asked()
        assert not any(t.startswith(LEFT_OUT) for t in w.ui.labels(w.frame))
        w.quit()


def refused():
    """Refused, the strategy is left out with the cause, the window says so, and the others run"""
    with Window('no') as w:
        w.run('Done in', LEFT_OUT)
        assert any('Request dismissed' in t for t in w.ui.labels(w.frame)), w.ui.labels(w.frame)
        assert w.runs() == {'port.asks': ('skipped', 'It wants privilege'), 'port.free': ('done', None)}, w.runs()
        assert asked() == [HARDWARE], asked()
        w.quit()


def absent():
    """Without pkexec the same, and the window says what is missing"""
    with Window('no', path='/nonexistent') as w:
        w.run('Done in', LEFT_OUT)
        assert any('pkexec' in t for t in w.ui.labels(w.frame)), w.ui.labels(w.frame)
        assert w.runs()['port.asks'][0] == 'skipped' and w.runs()['port.free'][0] == 'done', w.runs()
        assert not asked(), asked()
        w.quit()


def nothing_is_left():
    """Where nothing else was chosen, Run asks all the same, and a refusal is the end of it"""
    with Window('no', '--strategy=port.asks') as w:
        w.run('no strategy that was chosen can run here')
        assert asked() == [HARDWARE], asked()
        assert not list(w.results.glob('*.json'))
        w.ui.wait(lambda: w.ui.is_sensitive(w.ui.find(w.frame, 'push button', 'Run')), 'Run to be possible again')
        w.quit()


def stopped():
    """While the question is open, Stop takes it back, and nothing was run"""
    with Window('none') as w:
        w.run('asking for privilege')
        w.ui.wait(asked, 'the question')
        w.ui.find(w.frame, 'push button', 'Stop')
        w.ui.press('Escape')
        w.ui.wait(lambda: w.ui.is_sensitive(w.ui.find(w.frame, 'push button', 'Run')), 'Run to be possible again')
        assert not list(w.results.glob('*.json')) and len(asked()) == 1, asked()
        w.ui.press('F5')
        w.ui.wait(lambda: len(asked()) == 2, 'another question')
        w.quit()


if sys.argv[1:] == ['--ask']:
    run(*map(in_a_process, (given, refused, absent, nothing_is_left, stopped)))
if sys.argv[1:] == ['--give']:
    sys.exit(serve())
try:
    install()
except Skip as reason:
    print(f'1..0 # SKIP {reason}')
