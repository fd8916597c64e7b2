#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that every string that a user sees is translated.

check-po.py SOURCE [--complete]            without --complete, what lacks in POTFILES and in the
                                           translations is reported as known to be unfinished
check-po.py SOURCE --write-potfiles        writes po/POTFILES
check-po.py SOURCE --write-template FILE   writes all strings as a template (po/update calls both)
"""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Todo, need, output, run  # pylint: disable=wrong-import-position

SOURCE = pathlib.Path(sys.argv[1]).resolve()
COMPLETE = '--complete' in sys.argv
PO = SOURCE / 'po'
LANGUAGES = (PO / 'LINGUAS').read_text(encoding='utf-8').split()
# As po/meson.build has them: what meson's preset "glib" gives, and ours.
KEYWORDS = ['_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dcgettext:2', 'g_dngettext:2,3', 'g_dpgettext2:2c,3',
            'OV_TR']
# A call or an attribute that marks a string, in the files that may have one.
MARK = re.compile(r'(?<![\w#])(?:_|N_|C_|NC_|ngettext|OV_TR) ?\(\s*"|translatable="(?:yes|true)"')


def listed():
    """The files that POTFILES names."""
    lines = (PO / 'POTFILES').read_text(encoding='utf-8').splitlines()
    return [line for line in lines if line.strip() and not line.startswith('#')]


def extract(pot):
    """Extracts all strings into the file `pot`, as `ninja overlap-pot` does."""
    said = output('xgettext', '--from-code=UTF-8', '--add-comments', '--package-name=overlap', '--add-location=file',
                  '--flag=N_:1:pass-c-format', '--flag=C_:2:pass-c-format',
                  '--flag=NC_:2:pass-c-format', '--flag=g_dngettext:2:pass-c-format',
                  '--flag=g_strdup_printf:1:c-format', '--flag=g_string_printf:2:c-format',
                  '--flag=g_string_append_printf:2:c-format', '--flag=g_error_new:3:c-format',
                  '--flag=g_set_error:4:c-format', *(f'--keyword={k}' for k in KEYWORDS),
                  '--files-from=po/POTFILES', '-o', pot, cwd=SOURCE,
                  env={**os.environ, 'GETTEXTDATADIRS': str(SOURCE / 'data')})
    assert 'warning' not in said, said


def marked():
    """The files with strings to translate: what POTFILES should name."""
    names = [f'data/{path.name}' for path in (SOURCE / 'data').glob('*.in')
             if path.suffixes[-2:] != ['.service', '.in']]
    names += [f'data/{path.name}' for path in (SOURCE / 'data').glob('*.gschema.xml')]
    names.append('po/data-strings.c')
    for folder in ('app', 'core', 'plugins'):
        names += [str(path.relative_to(SOURCE)) for path in (SOURCE / folder).rglob('*')
                  if path.suffix in ('.c', '.h', '.ui')
                  and MARK.search(path.read_text(encoding='utf-8'))]
    return sorted(names)


def potfiles_are_complete():
    """POTFILES names every file with a string to translate, and no other"""
    differing = set(listed()) ^ set(marked())
    if differing and not COMPLETE:
        raise Todo(f'run po/update: {len(differing)} files')
    assert listed() == marked(), f'run po/update; {differing} differ'


def experiments_are_extracted():
    """The strings of the experiments are extracted"""
    output(sys.executable, PO / 'extract-data', '--check')


def strings_are_whole():
    """No string is cut off at a macro: numbers of 64 bits use PRIu64, which xgettext knows"""
    need('xgettext')
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / 'overlap.pot'
        extract(pot)
        cut = re.findall(r'^(?:msgid )?"(?:.*[^%])?%"$', pot.read_text(encoding='utf-8'), re.MULTILINE)
    # The sign alone is the unit of a figure.
    cut = [line for line in cut if line != 'msgid "%"']
    assert not cut, '\n'.join(cut)


def translations_are_sound():
    """Each translation is well-formed, with the placeholders of the original"""
    need('msgfmt')
    for language in LANGUAGES:
        output('msgfmt', '--check-format', '--check-header', '-o', '/dev/null', PO / f'{language}.po')


def translations_are_complete():
    """Each translation has every string, none fuzzy, none empty"""
    need('msgfmt', 'msgmerge', 'xgettext')
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / 'overlap.pot'
        extract(pot)
        for language in LANGUAGES:
            merged = pathlib.Path(folder) / f'{language}.po'
            output('msgmerge', '--quiet', '--no-fuzzy-matching', '-o', merged, PO / f'{language}.po', pot)
            said = output('msgfmt', '--statistics', '-o', '/dev/null', merged,
                          env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C'}).strip()
            if not re.fullmatch(r'\d+ translated messages?\.', said):
                if not COMPLETE:
                    raise Todo(f'{language}: {said}')
                left = output('msgattrib', '--untranslated', '--no-obsolete', '--no-wrap', merged) \
                    + output('msgattrib', '--only-fuzzy', '--no-obsolete', '--no-wrap', merged)
                raise AssertionError(f'{language}: {said}\n{left}')


if '--write-potfiles' in sys.argv:
    (PO / 'POTFILES').write_text('\n'.join(marked()) + '\n', encoding='utf-8')
    sys.exit()
if '--write-template' in sys.argv:
    extract(sys.argv[-1])
    sys.exit()
run(potfiles_are_complete, experiments_are_extracted, strings_are_whole,
    translations_are_sound, translations_are_complete)
