# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker behind a command that asks for a password at the terminal, as ssh and sudo do."""

import os
import pty
import select
import shlex
import sys
import time

import tap
from program import CLI, descendants, environment, folder, path, write

ASK = write('ask', '''#!/bin/sh
printf 'Password: ' >/dev/tty
read answer </dev/tty
[ "$answer" = secret ] || { echo "That was wrong" >&2; exit 1; }
"$@"
''')
os.chmod(ASK, 0o755)
# Reads a key from the terminal at once, as a pager does, then the pipe.
READER = write('reader.py', '''import sys
print("key", open("/dev/tty", "rb", buffering=0).read(1)); sys.stdout.flush()
print("read", len(sys.stdin.read()))
''')


class Terminal:
    """A program on a terminal of its own, and what came from it."""

    def __init__(self, *arguments):
        self.text = ''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(arguments[0], arguments, {**environment, 'PS1': ''})

    def read(self, seconds):
        """Reads for so long, or until something came; false once nobody can write any more."""
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.text += os.read(self.fd, 65536).decode(errors='replace')
            except OSError:
                return False
        return True

    def wait_for(self, *words, count=1):
        """Reads until one of the words was there so often; the limit is against hanging."""
        end = time.monotonic() + 120
        while all(self.text.count(word) < count for word in words):
            assert time.monotonic() < end, f'{words} did not come: {self.text}'
            if not self.read(0.1):
                break
        assert any(self.text.count(word) >= count for word in words), self.text

    def type(self, text):
        """Types; time for the other side to be reading is given by the words waited for."""
        os.write(self.fd, text.encode())

    def end(self):
        """Waits for the end; the exit status."""
        try:
            while True:
                self.text += os.read(self.fd, 65536).decode(errors='replace')
        except OSError:
            pass
        return self.hang_up()

    def hang_up(self):
        """Takes the terminal away, as a closed window does; the exit status."""
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def command(*arguments):
    """The words of a small run behind the asking command."""
    return [CLI, 'run', 'count-a-letter', '--target', folder, '--strategy', 'posix.read',
            '--repeat', '2', '--through', ASK, *arguments]


def one_password():
    """One password does for catalogue, target and runs"""
    terminal = Terminal(*command('--size', '100K'))
    terminal.wait_for('Password: ')
    terminal.type('secret\n')
    assert terminal.end() == 0, terminal.text
    assert terminal.text.count('Password: ') == 1, terminal.text
    assert '2 Done' in terminal.text, terminal.text


def wrong_password():
    """A wrong password ends it with what the command said"""
    terminal = Terminal(*command('--size', '100K'))
    terminal.wait_for('Password: ')
    terminal.type('wrong\n')
    assert terminal.end() == 1, terminal.text
    assert 'That was wrong' in terminal.text, terminal.text


def interrupt_while_asking():
    """Ctrl-C at the question ends it"""
    terminal = Terminal(*command('--size', '100K'))
    terminal.wait_for('Password: ')
    below = descendants(terminal.pid)
    terminal.type('\x03')
    assert terminal.end() != 0, terminal.text
    assert not [pid for pid in below if os.path.exists(f'/proc/{pid}')], 'the worker is left'


def interrupt_while_running():
    """After the question Ctrl-C is the program's again: it stops and keeps what it has"""
    terminal = Terminal(*command('--size', '256M', '--repeat', '200', '--json', path('r.json')))
    terminal.wait_for('Password: ')
    terminal.type('secret\n')
    terminal.wait_for('[1/')
    terminal.type('\x03')
    assert terminal.end() == 130, terminal.text
    assert 'Stopped in' in terminal.text, terminal.text
    assert os.path.exists(path('r.json'))


def pager():
    """A pager behind a pipe that reads from the terminal is not stopped by the question"""
    tap.need('bash')
    words = ' '.join(shlex.quote(w) for w in command('--size', '100K', '--quiet'))
    terminal = Terminal('/bin/bash', '--norc', '-i')
    terminal.type(f'{words} | {shlex.quote(sys.executable)} {READER}; echo "status $?"\n')
    terminal.wait_for('Password: ')
    # The question and the pager both read; lines are given until both have one.
    for _ in range(60):
        terminal.type('secret\n')
        time.sleep(0.5)
        terminal.read(0)
        assert 'Stopped' not in terminal.text, terminal.text
        if 'status 0' in terminal.text:
            break
    assert 'status 0' in terminal.text, terminal.text
    # A shell that edits its line may miss what is typed or sent to it at that moment.
    terminal.hang_up()


tap.run(one_password, wrong_password, interrupt_while_asking, interrupt_while_running, pager)
