#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses the window as a person would, by keys and through the accessibility tree, with a real worker.

check-window.py SOURCE OVERLAP [PICTURES]

Without a display of its own it starts again below gui-run. PICTURES is a folder for pictures of the
window, which are checked for their size and kept.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
OVERLAP = pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None

NEEDED = ['xvfb-run', 'xauth', 'dbus-run-session', 'xdotool']
MISSING = [p for p in NEEDED if not shutil.which(p)]
try:
    import gi
    gi.require_version('Atspi', '2.0')
except (ImportError, ValueError):
    MISSING.append('python3-gi with gir1.2-atspi-2.0')
if MISSING:
    print(f'1..0 # SKIP not installed: {", ".join(MISSING)}')
    sys.exit(0)
if os.environ.get('OVERLAP_GUI_RUN') != '1':
    os.environ['OVERLAP_GUI_RUN'] = '1'
    runner = str(SOURCE / 'tests/gui/gui-run')
    sys.exit(subprocess.run([runner, sys.executable, *sys.argv], check=False).returncode)

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / 'tests'))
sys.path.insert(0, str(SOURCE / 'tests/gui'))
import atspi as ui  # pylint: disable=wrong-import-position
from tap import in_a_process, run  # pylint: disable=wrong-import-position

DATA_HOME = pathlib.Path(os.environ['XDG_DATA_HOME'])
RESULTS = DATA_HOME / 'overlap/results'
SCRATCH = pathlib.Path(os.environ['XDG_CACHE_HOME'])
STOPPED = ['Stopped in', 'Stopped after']


def experiment(name, title, sizes, strategies, repetitions):
    """Writes an experiment of the user's own."""
    folder = DATA_HOME / 'overlap/experiments'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f'{name}.json').write_text(json.dumps({
        'overlap-experiment': 1, 'title': title, 'summary': f'{title}: made by a test.',
        'learn': ['A paragraph to read.'], 'job': 'count', 'condition': 'warm',
        'repetitions': repetitions, 'strategies': [{'strategy': s} for s in strategies],
        'presets': [{'id': 'only', 'title': 'Only',
                     'axes': [{'parameter': 'size', 'values': sizes}]}],
    }), encoding='utf-8')


def below(pid):
    """Processes that descend from `pid`, as names with their numbers."""
    parents, names = {}, {}
    for stat in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            line = stat.read_text(encoding='utf-8', errors='replace')
        except OSError:
            continue
        number, rest = line.split(' ', 1)
        name, fields = rest[1:].rsplit(') ', 1)
        if fields.split()[0] != 'Z':
            parents[int(number)] = int(fields.split()[1])
            names[int(number)] = name
    found, grown = {pid}, True
    while grown:
        more = {p for p, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return [f'{names[p]} {p}' for p in sorted(found - {pid})]


class Window:
    """The program, started for one point and gone after it."""

    def __init__(self, *arguments, **environment):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(OVERLAP), *map(str, arguments)], env={**os.environ, **environment},
            stderr=self.errors)
        self.app = ui.program('overlap')
        self.frame = ui.find(self.app, 'frame')

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.errors.seek(0)
        written = self.errors.read().decode(errors='replace')
        self.errors.close()
        assert kind or not written, f'the window wrote: {written}'

    def button(self, name):
        """A button by its name."""
        return ui.find(self.frame, 'push button', name)

    def wait_for_run(self):
        """Waits until the strategies are known and Run can be pressed."""
        ui.wait(lambda: ui.is_sensitive(self.button('Run')), 'Run to become possible')

    def wait_for_first_run(self):
        """Waits until a run of the long experiment has ended, and so there is something to keep."""
        ui.wait(lambda: any(re.search(r'\b[1-9]\d* of 1000', t) for t in self.labels()),
                'the first run to end')

    def labels(self):
        """Texts on the screen."""
        return ui.labels(self.frame)

    def wait_for_label(self, *starts):
        """The first text that begins with one of these."""
        return ui.wait(lambda: next((t for t in self.labels() if t.startswith(tuple(starts))), None),
                       ' or '.join(starts))

    def wait_for_end(self):
        """Waits until the program has ended by itself, and nothing of it is left."""
        left = below(self.process.pid)
        assert self.process.wait(30) == 0, self.process.returncode
        # A worker that was looking at something ends when it sees that nobody listens any more.
        ui.wait(lambda: not [p for p in left if pathlib.Path(f'/proc/{p.split()[-1]}/stat').exists()
                             and p.split()[0].startswith('overlap')], f'the end of all of {left}')


def stored():
    """The stored results, oldest first."""
    return sorted(RESULTS.glob('*.json')) if RESULTS.is_dir() else []


def nothing_is_run_by_looking():
    """Selecting an experiment runs nothing, and shows what it is about"""
    with Window() as w:
        w.wait_for_run()
        ui.press('alt+1')
        w.wait_for_label('Count a letter')
        w.wait_for_label('Reads a text file')
        source = ui.find(w.frame, 'text', 'Source of the strategy')
        assert 'SPDX-License-Identifier' in ui.text(source)
        ui.press('alt+2')
        ui.wait(lambda: not [p for p in below(w.process.pid) if 'overlap-worker' in p],
                'the workers that were only asked to end')
        assert not stored()
        do_quit(w)


def do_quit(w):
    """Quits by the keyboard."""
    ui.press('ctrl+q')
    w.wait_for_end()


def runs_and_stores():
    """A run by the keyboard fills table and charts, and its result is stored"""
    experiment('quick', 'Quick look', ['256K', '512K'], ['posix.read', 'mmap.scan'], 2)
    with Window('--experiment=quick') as w:
        w.wait_for_run()
        chart = ui.find(w.frame, 'image', 'Elapsed time')
        live = ui.find(w.frame, 'image', 'Throughput and CPU')
        before = chart.get_description(), live.get_description()
        ui.press('F5')
        w.wait_for_label('Done in')
        ui.wait(lambda: chart.get_description() != before[0]
                and live.get_description() != before[1], 'the descriptions of the charts to change')
        assert 'posix.read' in chart.get_description(), chart.get_description()
        assert 'posix.read' in live.get_description(), live.get_description()
        texts = w.labels()
        assert texts.count('2 of 2') == 2, texts
        assert sum(t.endswith('✓') for t in texts) == 2, texts
        ui.wait(lambda: len(stored()) == 1, 'the result to be stored')
        runs = json.loads(stored()[0].read_text(encoding='utf-8'))['runs']
        assert len(runs) == 8, len(runs)
        do_quit(w)


def a_result():
    """The first stored result; where a point runs alone, one that is made for it."""
    if not stored():
        runs_and_stores()
    return stored()[0]


def opens_and_deletes_results():
    """A stored result is opened again, deleted, and brought back by Undo"""
    path = a_result()
    with Window() as w:
        ui.press('alt+4')
        row = ui.wait(lambda: next((n for n in ui.walk(w.frame) if ui.role_of(n) == 'push button'
                                    and 'Delete' in (n.get_name() or '')), None),
                      'the result in the list')
        ui.do(row, 'click')
        ui.wait(lambda: not path.exists(), 'the file to be gone')
        ui.do(ui.find(w.frame, 'push button', 'Undo'), 'click')
        ui.wait(path.exists, 'the file to be back')
        do_quit(w)
    with Window(path) as w:
        w.wait_for_label('2 of 2')
        w.wait_for_label('posix.read')
        do_quit(w)
    with tempfile.TemporaryDirectory() as folder:
        with Window(shutil.copy(path, folder)) as w:
            w.wait_for_label('2 of 2')
            marked = [n.get_name() for n in ui.walk(w.frame) if ui.role_of(n) == 'list item'
                      and ui.has_state(n, ui.Atspi.StateType.SELECTED)]
            assert not marked, f'a file from elsewhere is shown, and the list marks {marked}'
            do_quit(w)


def stops():
    """Stop ends a run at once, keeps what was measured and leaves nothing"""
    experiment('long', 'Long look', ['8M'], ['posix.read', 'stdio.getc'], 1000)
    before = len(stored())
    with Window('--experiment=long') as w:
        w.wait_for_run()
        live = ui.find(w.frame, 'image', 'Throughput and CPU')
        empty = live.get_description()
        ui.do(w.frame, 'win.run')
        ui.wait(lambda: live.get_description() != empty, 'the live chart to change')
        w.wait_for_first_run()
        ui.find(w.frame, 'push button', 'Stop')
        ui.press('Escape')
        w.wait_for_label(*STOPPED)
        w.button('Run')
        ui.wait(lambda: len(stored()) == before + 1, 'the partial result to be stored')
        assert json.loads(stored()[-1].read_text(encoding='utf-8'))['partial']
        ui.wait(lambda: not [p for p in below(w.process.pid) if 'overlap-worker' in p],
                'the workers to end')
        assert not [p for p in SCRATCH.rglob('*overlap*') if p.is_file()], list(SCRATCH.rglob('*'))
        do_quit(w)


def closes_while_running():
    """Closing the window stops what runs, keeps it and leaves nothing"""
    before = len(stored())
    with Window('--experiment=long') as w:
        w.wait_for_run()
        ui.press('ctrl+r')
        w.wait_for_first_run()
        do_quit(w)
    assert len(stored()) == before + 1


def says_that_it_could_not_store():
    """A window that was closed comes back when the result of its run could not be stored"""
    experiment('long', 'Long look', ['8M'], ['posix.read', 'stdio.getc'], 1000)
    home = pathlib.Path(tempfile.mkdtemp(prefix='overlap-home-'))
    (home / 'overlap').mkdir()
    (home / 'overlap/results').write_text('A file where the folder should be.', encoding='utf-8')
    with Window(f'--experiment={DATA_HOME}/overlap/experiments/long.json', XDG_DATA_HOME=str(home)) as w:
        w.wait_for_run()
        ui.press('ctrl+r')
        w.wait_for_first_run()
        ui.press('ctrl+q')
        ui.wait(lambda: any(t.startswith('The result could not be stored') for t in ui.labels(w.app)),
                'the window to come back')
        do_quit(w)
    shutil.rmtree(home)


def exports(w, action, path):
    """Exports by the dialogs, and returns the file's bytes."""
    ui.do(w.frame, action)
    ui.do(ui.find(w.app, 'push button', 'Export…'), 'click')
    entry = ui.find(w.app, 'text', 'Name')
    entry.set_text_contents(str(path))
    dialog = entry
    while dialog.get_parent() != w.app:
        dialog = dialog.get_parent()
    button = ui.wait(lambda: next((n for n in ui.walk(dialog) if ui.role_of(n) == 'push button'
                                   and (n.get_name() or '').endswith('Export')), None),
                     'the button of the file dialog')
    ui.do(button, 'click')
    ui.wait(lambda: path.exists() and path.stat().st_size > 0, f'{path}')
    w.wait_for_label('Exported to')
    return path.read_bytes()


def exports_charts_and_data():
    """Charts and data are exported through the dialogs"""
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        with Window(a_result()) as w:
            w.wait_for_label('2 of 2')
            png = exports(w, 'win.export-result-chart', folder / 'chart.png')
            assert png[:8] == b'\x89PNG\r\n\x1a\n' and struct.unpack('>I', png[16:20])[0] > 300
            svg = exports(w, 'win.export-time-chart', folder / 'time.svg')
            assert b'<svg' in svg[:400]
            assert exports(w, 'win.export-result-chart', folder / 'chart.pdf')[:5] == b'%PDF-'
            rows = list(csv.DictReader(
                exports(w, 'win.export-runs', folder / 'runs.csv').decode().splitlines()))
            assert len(rows) == 8 and {r['state'] for r in rows} == {'done'}, rows
            data = json.loads(exports(w, 'win.export-result', folder / 'result.json'))
            assert len(data['runs']) == 8
            do_quit(w)
    finally:
        shutil.rmtree(folder)


def tells_bad_files():
    """A file that is neither a result nor an experiment is refused with a sentence"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'nonsense.json'
        path.write_text('{"nonsense": true}', encoding='utf-8')
        with Window(path) as w:
            ui.wait(lambda: any('nonsense' in t for t in w.labels()), 'the sentence about the file')
            do_quit(w)


def tables_can_be_read():
    """The figures of each chart are there as a table"""
    with Window(a_result()) as w:
        w.wait_for_label('2 of 2')
        for action, word in (('win.show-result-table', '256K'), ('win.show-time-table', 'posix.read')):
            ui.do(w.frame, action)
            dialog = ui.wait(lambda: next(
                (w.app.get_child_at_index(i) for i in range(w.app.get_child_count())
                 if w.app.get_child_at_index(i) != w.frame), None), 'the dialog')
            table = ui.find(dialog, 'tree table')
            ui.wait(lambda: any(word in t for t in ui.labels(table)), f'{word} in the table')
            ui.press('Escape')
            ui.wait(lambda: w.app.get_child_count() == 1, 'the dialog to close')
        do_quit(w)


def place(node):
    """Where an object stands: its ancestors, nearest first."""
    while node:
        yield f'{ui.role_of(node)} “{node.get_name()}”'
        node = node.get_parent()


def everything_has_a_name():
    """Every button has a name, and charts have names and descriptions"""
    with Window(a_result()) as w:
        w.wait_for_label('2 of 2')
        buttons = [n for n in ui.walk(w.frame) if ui.role_of(n) in ('push button', 'button', 'toggle button')]
        nameless = [n for n in buttons if (n.get_name() or 'Gtk').startswith('Gtk')]
        assert not nameless, [list(place(n)) for n in nameless]
        assert any(n.get_name().startswith('Figures for: ') for n in buttons), [n.get_name() for n in buttons]
        charts = [n for n in ui.walk(w.frame) if ui.role_of(n) == 'image' and n.get_description()]
        assert len(charts) >= 2 and all(n.get_name() for n in charts)
        do_quit(w)


def keyboard_is_enough():
    """Tab reaches the list, the button, the charts and the table"""
    with Window(a_result()) as w:
        w.wait_for_label('2 of 2')
        w.wait_for_run()
        seen = set()
        for _ in range(100):  # every experiment in the list is a step
            ui.press('Tab')
            node = ui.focused(w.frame)
            if node:
                seen.add((ui.role_of(node), node.get_name() or ''))
        names = {name for _, name in seen}
        assert 'Run' in names, seen
        assert {'Elapsed time', 'Throughput and CPU'} <= names, seen
        do_quit(w)


def two_results(folder):
    """Writes two results of one experiment: B takes twice as long in one line and did other work in the other."""
    base = json.loads(a_result().read_text(encoding='utf-8'))
    one = [r for r in base['runs'] if r['spec']['x'] == 262144]
    paths = []
    for letter, factor, condition in (('a', 1, 'warm'), ('b', 2, 'cold')):
        result = {**base, 'date': base['date'] + 60 * factor, 'runs': []}
        result['machine'] = {**base['machine'], 'host': {'a': 'alder', 'b': 'birch'}[letter]}
        for repetition in range(7):
            for line in 'posix.read', 'mmap.scan':
                run_ = json.loads(json.dumps(next(r for r in one if r['spec']['variant'] == line)))
                run_['spec'].update(repetition=repetition, index=len(result['runs']))
                run_['elapsed'] = factor * (1000000 + 1000 * repetition)
                if line == 'mmap.scan':
                    run_['spec']['condition'] = condition
                result['runs'].append(run_)
        paths.append(folder / f'{letter}.json')
        paths[-1].write_text(json.dumps(result), encoding='utf-8')
    return paths


def compares_two_results():
    """Two results stand side by side, line by line, are chosen by keys, swapped and exported"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in two_results(folder):
            shutil.copy(path, RESULTS)
        try:
            with Window(RESULTS / 'b.json') as w:
                w.wait_for_label('7 of 7')
                ui.press('alt+3')
                ui.press('alt+t')
                w.wait_for_label('Lines of both: 2.')
                texts = w.labels()
                # The newest other one of the experiment was proposed.
                assert any('birch' in t for t in texts) and any('alder' in t for t in texts), texts
                assert '2.000' in texts and 'slower' in texts, texts
                assert 'not compared: page cache: cold against warm' in texts, texts
                assert 'differs' in texts and 'What they were made on' in texts, texts
                chart = ui.find(w.frame, 'image', 'Both results')
                ui.wait(lambda: {'birch', 'alder', 'posix.read'} <= set(re.findall(r'[\w.]+', chart.get_description())), 'the chart of both')
                data = json.loads(exports(w, 'win.export-comparison', folder / 'both.json'))
                assert sorted(line['kind'] for line in data['lines']) == ['more', 'other-work'], data
                assert b'<svg' in exports(w, 'win.export-comparison', folder / 'both.svg')[:400]
                ui.press('alt+w')
                ui.wait(lambda: '0.500' in w.labels(), 'the sides to be swapped')
                do_quit(w)
        finally:
            for letter in 'ab':
                (RESULTS / f'{letter}.json').unlink(missing_ok=True)


def lanes_by_keyboard():
    """The request lanes are reached, zoomed, moved and read out by the keyboard alone"""
    experiment('lanes', 'Lanes', ['1M'], ['posix.read'], 1)
    with Window('--experiment=lanes', '--timing=timeline') as w:
        w.wait_for_run()
        ui.press('F5')
        w.wait_for_label('Done in')
        lanes = ui.find(w.frame, 'image', 'Requests of a run')
        whole = ui.wait(lanes.get_description, 'the lanes to be described')
        focused, trail = ui.Atspi.StateType.FOCUSED, []
        for _ in range(200):
            node = ui.wait(lambda: ui.focused(w.frame), 'something to have the keyboard')
            if ui.has_state(lanes, focused):
                break
            trail.append(f'{ui.role_of(node)} {node.get_name()}')
            ui.press('Tab')
            # One step at a time: a busy window would be overtaken. What gets the keyboard says so later.
            ui.wait(lambda node=node: not ui.has_state(node, focused), 'Tab to move the keyboard on')
        else:
            raise AssertionError(f'Tab does not reach the lanes: {trail}')

        def changes(before, what, *keys):
            ui.press(*keys)
            return ui.wait(lambda: lanes.get_description() not in ('', before) and lanes.get_description(), what)
        shorter = changes(whole, 'the lanes to be zoomed', 'plus', 'plus', 'plus')
        assert 'of 16 requests' in shorter, (whole, shorter)
        changes(shorter, 'the lanes to be moved', 'End')
        ui.press('Right')
        ui.wait(lambda: 'buffer 1, request ' in lanes.get_description(), 'a request to be read out')
        said = lanes.get_description()
        changes(said, 'the next request to be read out', 'Right')
        ui.press('0')
        ui.wait(lambda: '\n16 requests' in lanes.get_description(), 'the whole run to be shown again')
        do_quit(w)


def measures_what_measuring_costs():
    """What measuring costs is shown, measured from the window, and stopped there"""
    place_ = DATA_HOME / 'overlap/self-cost.json'
    one = {'pairs': 12, 'cost': 0.0123, 'lo': 0.01, 'hi': 0.02, 'cause': None}
    place_.parent.mkdir(parents=True, exist_ok=True)
    place_.write_text(json.dumps({'date': 1790000000, 'host': socket.gethostname(), 'latency': one}), encoding='utf-8')
    before = place_.read_bytes()
    try:
        with Window() as w:
            w.wait_for_run()
            ui.do(w.frame, 'win.self-cost')
            ui.wait(lambda: '1.23 %' in ui.labels(w.app), 'the figures of this machine')
            ui.do(ui.find(w.app, 'push button', 'Measure'), 'click')
            ui.find(w.app, 'progress bar')
            ui.wait(lambda: [p for p in below(w.process.pid) if p.startswith('overlap-worker')], 'a worker to measure')
            ui.do(ui.find(w.app, 'push button', 'Stop'), 'click')
            ui.wait(lambda: any(t.startswith('Stopped') for t in ui.labels(w.app)), 'the measuring to stop')
            assert not [p for p in below(w.process.pid) if p.startswith('overlap-cli')], below(w.process.pid)
            assert place_.read_bytes() == before
            ui.press('Escape')
            do_quit(w)
    finally:
        place_.unlink()


def answers_while_a_worker_hangs():
    """The window answers while a worker hangs, and says so in the end"""
    with tempfile.TemporaryDirectory() as folder:
        silent = pathlib.Path(folder) / 'overlap-worker'
        silent.write_text('#!/bin/sh\nexec sleep 1000\n', encoding='utf-8')
        silent.chmod(0o755)
        with Window(OVERLAP_WORKER=str(silent)) as w:
            for view in ('alt+1', 'alt+3', 'alt+4', 'alt+2') * 3:
                ui.press(view)
            ui.find(w.frame, 'image', 'Elapsed time')
            assert not ui.is_sensitive(w.button('Run'))
            ui.find(w.frame, 'push button', 'Try')
            do_quit(w)


def forces_a_worker_that_hangs():
    """A worker that hangs during a run is ended by force, and the window answers meanwhile"""
    experiment('long', 'Long look', ['8M'], ['posix.read', 'stdio.getc'], 1000)
    with Window('--experiment=long') as w:
        w.wait_for_run()
        live = ui.find(w.frame, 'image', 'Throughput and CPU')
        empty = live.get_description()
        ui.press('F5')
        ui.wait(lambda: live.get_description() != empty, 'the live chart to change')
        for worker in below(w.process.pid):
            os.kill(int(worker.split()[-1]), signal.SIGSTOP)
        ui.press('Escape')
        ui.find(w.frame, 'push button', 'Force')
        ui.press('alt+1')
        ui.press('alt+2')
        ui.press('Escape')
        w.wait_for_run()
        do_quit(w)


def picture(name, size, *arguments, **environment):
    """Has the window save a picture of itself, and checks that it has that size."""
    folder = PICTURES or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f'{name}.png'
    path.unlink(missing_ok=True)
    done = subprocess.run([str(OVERLAP), f'--screenshot={path}', f'--window-size={size[0]}x{size[1]}',
                           *map(str, arguments)], env={**os.environ, **environment}, timeout=300,
                          stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr.decode(errors='replace')
    data = path.read_bytes()
    if not PICTURES:
        shutil.rmtree(folder)
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    assert struct.unpack('>II', data[16:24]) == size, struct.unpack('>II', data[16:24])
    return data


def pictures_in_every_look():
    """The window shows itself light, dark, in high contrast, narrow, and in German"""
    experiment('quick', 'Quick look', ['256K', '512K'], ['posix.read', 'mmap.scan'], 2)
    run_it = ('--experiment=quick', '--run', '--quit-after-run')
    looks = [
        picture('light', (1240, 860), *run_it),
        picture('dark', (1240, 860), *run_it, ADW_DEBUG_COLOR_SCHEME='prefer-dark'),
        picture('high-contrast', (1240, 860), *run_it, ADW_DEBUG_HIGH_CONTRAST='1'),
        picture('narrow', (500, 860), *run_it),
        picture('german', (1240, 860), *run_it, LANGUAGE='de'),
        picture('learn', (1240, 860), '--experiment=count-a-letter', '--view=learn'),
        picture('results', (900, 700), '--experiment=quick', '--view=results'),
    ]
    assert len(set(looks)) == len(looks)


def runs_in_several_folders():
    """Folders that it is started with are run in side by side, as bars of one chart"""
    experiment('beside', 'Side by side', ['256K'], ['posix.read', 'mmap.scan'], 2)
    places = [tempfile.mkdtemp(prefix='overlap-here-'), tempfile.mkdtemp(prefix='overlap-there-')]
    wanted = ['--experiment=beside', *(f'--target={place}' for place in places), '--run', '--quit-after-run']
    before = stored()
    picture('folders', (1240, 860), *wanted)
    new = [path for path in stored() if path not in before]
    assert len(new) == 1, new
    result = json.loads(new[0].read_text(encoding='utf-8'))
    assert [t['path'] for t in result['targets']] == places, result['targets']
    assert sorted({r['spec']['target'] for r in result['runs']}) == sorted(places)
    with Window(DATA_HOME / 'overlap/experiments/beside.json', *places) as w:
        w.wait_for_run()
        ui.wait(lambda: all(any(os.path.basename(p) in t for t in w.labels()) for p in places), 'both folders to be named')
        do_quit(w)
    for place in places:
        os.rmdir(place)


def shows_other_figures():
    """The chart beside the table shows another figure when that is chosen"""
    experiment('quick', 'Quick look', ['256K', '512K'], ['posix.read', 'mmap.scan'], 2)
    run_it = ('--experiment=quick', '--run', '--quit-after-run')
    looks = [picture(f'figure-{name}', (1240, 860), *run_it, f'--figure={name}') for name in ('cpu', 'throughput')]
    assert looks[0] != looks[1]


def says_up_to_which_rate():
    """What the window says of a sweep over rates is said of all of them, whichever the table shows"""
    folder = DATA_HOME / 'overlap/experiments'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'rates.json').write_text(json.dumps({
        'overlap-experiment': 1, 'title': 'Two rates', 'summary': 'Made by a test.', 'learn': ['A paragraph to read.'],
        'job': 'ticks', 'duration': 0.05, 'repetitions': 1, 'chart': 'delivered',
        'strategies': [{'strategy': 'tick.nanosleep'}],
        'presets': [{'id': 'only', 'title': 'Only', 'axes': [{'parameter': 'rate', 'values': [200, 1000]}]}],
    }), encoding='utf-8')
    before = stored()
    picture('rates', (1240, 860), '--experiment=rates', '--run', '--quit-after-run')
    path = next(each for each in stored() if each not in before)
    result = json.loads(path.read_text(encoding='utf-8'))
    assert len(result['runs']) == 2, result['runs']
    for each in result['runs']:
        each['missed'] = 0 if each['spec']['rate'] == 200 else 25
    path.write_text(json.dumps(result), encoding='utf-8')
    with Window(path) as w:
        w.wait_for_label('tick.nanosleep: fewer than 0.1 % missed up to 200 Hz.')
        do_quit(w)
    path.unlink()


POINTS = (nothing_is_run_by_looking, runs_and_stores, opens_and_deletes_results, stops,
          closes_while_running, says_that_it_could_not_store, exports_charts_and_data,
          tells_bad_files, tables_can_be_read, everything_has_a_name,
          keyboard_is_enough, compares_two_results, lanes_by_keyboard,
          measures_what_measuring_costs, answers_while_a_worker_hangs,
          forces_a_worker_that_hangs, runs_in_several_folders, shows_other_figures, says_up_to_which_rate,
          pictures_in_every_look)
CHOSEN = os.environ.get('POINTS')
# The library that speaks to the accessibility bus has crashed here, in the test and not in the window,
# when a program that it still knew was gone.
run(*[in_a_process(p) for p in POINTS if not CHOSEN or p.__name__ in CHOSEN.split(',')])
