#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the documents: manual pages, links, and the code in the README.

check-docs.py SOURCE BUILD COMPILER...
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Skip, need, output, run  # pylint: disable=wrong-import-position

SOURCE, BUILD, CC = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
MAN = SOURCE / 'docs/man'


def pages_are_clean():
    """Manual pages are set without a warning"""
    need('groff')
    for page in sorted(MAN.glob('*.1')):
        said = output('groff', '-ww', '-mandoc', '-Tutf8', '-z', page)
        assert not said, said


def page_options(page):
    """The long options that a manual page describes."""
    text = page.read_text(encoding='utf-8')
    return set(re.findall(r'(?<=[ ,])-([a-z][a-z0-9-]+)', ' '.join(
        re.findall(r'^\.It.*Fl.*', text, re.MULTILINE))))


def helped_options(program, *commands):
    """The long options that --help lists, where they stand at the start of a line or in brackets;
    elsewhere they are only spoken of."""
    helped = set()
    for command in commands:
        text = output(program, *command, '--help', env=dict(os.environ, LC_ALL='C.UTF-8'))
        helped |= set(re.findall(r'^ +(?:-\w, )?--([a-z][a-z0-9-]*)', text, re.MULTILINE))
        for bracket in re.findall(r'\[(--[a-z-]+(?: \| --[a-z-]+)*)\]', text):
            helped |= set(re.findall(r'--([a-z-]+)', bracket))
    # GLib's own, and what every program has though not every --help lists it.
    return helped - {'help-all', 'help-gapplication'} | {'help', 'version'}


def pages_know_every_option():
    """The manual page of each program has the options that its --help lists, and no other"""
    commands = {'app/cli/overlap-cli': ([], ['list'], ['run'], ['chart'], ['compare'], ['self-cost']),
                'app/gui/overlap': ([],), 'core/worker/overlap-worker': ([],)}
    for path, of_program in commands.items():
        program = BUILD / path
        if not program.exists():
            raise Skip(f'{program.name} is not built')
        helped = helped_options(program, *of_program)
        described = page_options(MAN / f'{program.name}.1')
        assert helped == described, f'{program.name}: only in --help: {helped - described}; ' \
                                    f'only in the page: {described - helped}'
        output(program, '--version')


def links_lead_somewhere():
    """Links between documents lead to files that are there"""
    for document in [*SOURCE.glob('*.md'), *(SOURCE / 'docs').glob('*.md')]:
        for link in re.findall(r'\]\((?!https?:|#)([^)#]+)', document.read_text(encoding='utf-8')):
            assert (document.parent / link).exists(), f'{document.name}: {link} is not there'


def readme_strategy_compiles():
    """The strategy in the README compiles without a warning and exports its symbol"""
    code = re.search(r'^```c\n(.*?)^```$', (SOURCE / 'README.md').read_text(encoding='utf-8'),
                     re.MULTILINE | re.DOTALL)
    assert code, 'there is no code in README.md'
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / 'mine.c'
        source.write_text(code.group(1), encoding='utf-8')
        output(*CC, '-Wall', '-Wextra', '-Werror', '-O2', '-fPIC', '-shared',
               '-I', SOURCE / 'core/include', source, '-o', source.with_suffix('.so'))
        symbols = subprocess.run(['nm', '-D', source.with_suffix('.so')], capture_output=True,
                                 text=True, check=True).stdout
        assert ' T overlap_strategies' in symbols, symbols


run(pages_are_clean, pages_know_every_option, links_lead_somewhere, readme_strategy_compiles)
