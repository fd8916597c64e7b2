# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs functions as the points of a test and says in TAP how they went.

A point is a function whose docstring's first line is its name. It fails by an exception
(an `assert` with a message, usually), and is skipped by raising Skip with the reason.
"""

import shutil
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
            text = str(e) if isinstance(e, AssertionError) and str(e) else traceback.format_exc()
            print(f'not ok {number} - {name}', flush=True)
            print(f'{name}: {text}', file=sys.stderr, flush=True)
    sys.exit(failed)
