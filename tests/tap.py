# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions as the points of a test and says in TAP how they went.

A point is a function whose docstring's first line is its name. It fails by an exception
(an `assert` with a message, usually), and is skipped by raising Skip with the reason.
"""

import faulthandler
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import traceback


class Skip(Exception):
    """What is missing here for this point."""


class Todo(Exception):
    """What is known not to hold yet."""


def need(*programs):
    """Skips the point unless all these programs are installed."""
    for program in programs:
        if not shutil.which(program):
            raise Skip(f'{program} is not installed')


def output(*command, status=0, **options):
    """What the command wrote (both streams); fails unless it ends with that status."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, encoding='utf-8', errors='replace', check=False, **options)
    assert done.returncode == status, \
        f'{" ".join(map(str, command))} ended with {done.returncode}:\n{done.stdout}'
    return done.stdout


def failure(e):
    """What an exception says of a point that failed."""
    return str(e) if isinstance(e, AssertionError) and str(e) else traceback.format_exc()


def in_a_process(point, tries=3):
    """The point, run in a process (and process group) of its own each time.

    For a point that stands on a library which may crash in the test's own process: what one point
    left in it does not meet the next one, and a point whose process was killed by a signal is tried
    again, with a line that says so. What the point started and did not end is killed then.
    """
    def child(writer):
        faulthandler.enable()
        os.setpgid(0, 0)
        said = []
        try:
            point()
        except Skip as e:
            said = ['Skip', str(e)]
        except Todo as e:
            said = ['Todo', str(e)]
        except Exception as e:  # pylint: disable=broad-except
            said = ['failed', failure(e)]
        with os.fdopen(writer, 'w', encoding='utf-8') as pipe:
            json.dump(said, pipe)
        sys.stdout.flush()
        sys.stderr.flush()

    @functools.wraps(point)
    def parent():
        for _ in range(tries):
            sys.stdout.flush()
            sys.stderr.flush()
            reader, writer = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(reader)
                child(writer)
                os._exit(0)
            os.close(writer)
            with os.fdopen(reader, encoding='utf-8') as pipe:
                said = pipe.read()
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if status == 0:
                break
            name = signal.Signals(-status).name if status < 0 else f'status {status}'
            print(f'# the process of {point.__name__} itself ended with {name}', flush=True)
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        else:
            raise AssertionError(f"the point's own process ended {tries} times before it was done")
        kind, text = json.loads(said) or ['', '']
        if kind:
            raise {'Skip': Skip, 'Todo': Todo}.get(kind, AssertionError)(text)
    return parent


def run(*points):
    """Runs all points; ends the program with status 1 if one failed."""
    failed = False
    print(f'1..{len(points)}', flush=True)
    for number, point in enumerate(points, 1):
        name = (point.__doc__ or point.__name__).strip().splitlines()[0].rstrip('.')
        try:
            point()
            print(f'ok {number} - {name}', flush=True)
        except Skip as e:
            print(f'ok {number} - {name} # SKIP {e}', flush=True)
        except Todo as e:
            print(f'not ok {number} - {name} # TODO {e}', flush=True)
        except Exception as e:  # pylint: disable=broad-except
            failed = True
            print(f'not ok {number} - {name}', flush=True)
            print(f'{name}: {failure(e)}', file=sys.stderr, flush=True)
    sys.exit(failed)
