# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs overlap-cli as its users do, in a private folder that is gone afterwards."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile

CLI = os.environ['OVERLAP_CLI']
folder = tempfile.mkdtemp(prefix='overlap-test-')
atexit.register(shutil.rmtree, folder, ignore_errors=True)

# Nothing of the developer's own: settings, experiments, modules, language.
environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'HOME': folder,
               'XDG_DATA_HOME': os.path.join(folder, 'data'),
               'XDG_CACHE_HOME': os.path.join(folder, 'cache')}
environment.pop('LANGUAGE', None)
environment.pop('OVERLAP_PLUGIN_PATH', None)


def path(name):
    """A path in the private folder."""
    return os.path.join(folder, name)


def write(name, text):
    """A file in the private folder; its path."""
    with open(path(name), 'w', encoding='utf-8') as f:
        f.write(text if isinstance(text, str) else json.dumps(text))
    return path(name)


class Done:
    """What a run of the program gave."""

    def __init__(self, arguments, status, out, err):
        self.arguments, self.status, self.out, self.err = arguments, status, out, err

    def __str__(self):
        return (f'overlap-cli {" ".join(self.arguments)} ended with {self.status}\n'
                f'--- output\n{self.out}--- errors\n{self.err}')


def cli(*arguments, status=0, **options):
    """Runs it to its end; fails unless it ends with that status (None: any)."""
    arguments = [str(a) for a in arguments]
    options.setdefault('cwd', folder)
    done = subprocess.run([CLI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, env=environment, check=False,
                          timeout=200, **options)
    result = Done(arguments, done.returncode, done.stdout, done.stderr)
    assert status in (None, done.returncode), f'status {status} was expected: {result}'
    return result


def complains(status, *words, arguments):
    """It ends with that status, writes nothing to its output, and says these words."""
    done = cli(*arguments, status=status)
    for word in words:
        assert word in done.err, f'"{word}" is not said: {done}'
    return done


def small_run(*arguments, experiment='count-a-letter', target=None, **options):
    """Runs the experiment so that it takes moments."""
    return cli('run', experiment, '--target', target or folder, '--size', '100K', '--repeat', '1',
               '--strategy', 'posix.read', *arguments, **options)


def workers():
    """Ids of all worker processes."""
    found = []
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/comm', encoding='utf-8') as f:
                    if f.read().strip() == 'overlap-worker':
                        found.append(int(name))
            except OSError:
                pass
    return found


def descendants(pid):
    """Ids of the living processes below `pid`."""
    parents = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/stat', encoding='utf-8', errors='replace') as f:
                    parents[int(name)] = int(f.read().rsplit(')', 1)[1].split()[1])
            except OSError:
                pass
    found, front = [], [pid]
    while front:
        front = [p for p, parent in parents.items() if parent in front]
        found += front
    return found
