# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker in a virtual machine, which is booted once for a whole test."""

import json
import os
import platform
import queue
import shutil
import subprocess
import threading

from tap import Skip

HERE = os.path.dirname(os.path.abspath(__file__))
# Far above what a busy machine needs: this is no measure of speed, but the end of all hope.
PATIENCE = 240


def kernel():
    """Path of a kernel that can be booted; skips where there is none and none can be fetched."""
    if platform.machine() != 'x86_64':
        raise Skip(f'the virtual machine is a PC, and this is a {platform.machine()}')
    if not shutil.which('qemu-system-x86_64'):
        raise Skip('qemu-system-x86_64 is not installed (package qemu-system-x86)')
    if 'OVERLAP_KERNEL' in os.environ:
        return os.environ['OVERLAP_KERNEL']
    folder = os.path.join(os.environ['OVERLAP_BUILD'], 'tests', 'virtual', 'kernel')
    done = subprocess.run([os.path.join(HERE, 'get-kernel'), folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Skip(done.stdout.strip() or 'no kernel could be fetched')
    boot = os.path.join(folder, 'boot')
    return os.path.join(boot, sorted(os.listdir(boot))[-1])


def environment():
    """The environment for programs that boot a machine."""
    return {**os.environ, 'OVERLAP_KERNEL': kernel(), 'LC_ALL': 'C.UTF-8'}


class Machine:
    """One boot, one session of the worker in it."""

    def __init__(self):
        self.last_id = 0
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [os.environ['OVERLAP_VIRTUAL'], os.environ['OVERLAP_WORKER']], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.lines = queue.Queue()
        self.errors = []
        self.readers = [threading.Thread(target=self._read), threading.Thread(target=self._listen)]
        for reader in self.readers:
            reader.start()
        self._put({'overlap-protocol': 1, 'program': 'test'})
        self.hello = self.next()
        assert self.hello.get('event') == 'hello', self.hello

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def _listen(self):
        for line in self.process.stderr:
            self.errors.append(line.decode(errors='replace'))

    def _put(self, message):
        self.process.stdin.write((json.dumps(message) + '\n').encode())
        self.process.stdin.flush()

    def next(self):
        """The next event."""
        try:
            event = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            self.kill()
            raise AssertionError('the machine says nothing: ' + ''.join(self.errors)) from None
        assert event is not None, 'the machine is gone: ' + ''.join(self.errors)
        return event

    def ask(self, command, until, others=False, **fields):
        """Sends a command; the events that answer it, or all with `others`, the last one being
        `until` or an error."""
        self.last_id += 1
        self._put({'cmd': command, 'id': self.last_id, **fields})
        events = []
        while not events or events[-1]['event'] not in (until, 'error'):
            event = self.next()
            if others or event.get('id') == self.last_id:
                events.append(event)
        return events

    def put_run(self, **spec):
        """Begins a run and waits for nothing."""
        self.last_id += 1
        self._put({'cmd': 'run', 'id': self.last_id, 'spec': spec})

    def run(self, **spec):
        """A run; its result."""
        last = self.ask('run', 'result', spec=spec)[-1]
        assert last['event'] == 'result', last
        return last['run']

    def leave(self):
        """Ends it as the engine does; its exit status."""
        self._put({'cmd': 'bye', 'id': self.last_id + 1})
        return self._end()

    def kill(self):
        """Ends it, whatever it does."""
        if self.process.stdin.closed:
            return self.process.returncode
        self.process.kill()
        return self._end()

    def _end(self):
        status = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        return status
