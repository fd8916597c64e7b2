#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what is installed for the desktop: desktop file, metainfo, schema, icons, MIME types.

check-data.py SOURCE BUILD VERSION
"""

import configparser
import json
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Skip, need, output, run  # pylint: disable=wrong-import-position

SOURCE, BUILD, VERSION = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
APP_ID = 'io.github.overlap_app.Overlap'
DATA = SOURCE / 'data'
BUILT = BUILD / 'data'
ICON = DATA / f'icons/hicolor/scalable/apps/{APP_ID}.svg'
SYMBOLIC = DATA / f'icons/hicolor/symbolic/apps/{APP_ID}-symbolic.svg'
MIME_NS = '{http://www.freedesktop.org/standards/shared-mime-info}'


def desktop_entry():
    """The [Desktop Entry] group of the built desktop file."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=('=',), strict=True)
    parser.optionxform = str
    parser.read(BUILT / f'{APP_ID}.desktop', encoding='utf-8')
    return parser['Desktop Entry']


def metainfo():
    """The root element of the built metainfo file."""
    return ET.parse(BUILT / f'{APP_ID}.metainfo.xml').getroot()


def mime_types():
    """{type: glob} of the built MIME file."""
    root = ET.parse(BUILT / f'{APP_ID}.xml').getroot()
    return {t.get('type'): t.find(MIME_NS + 'glob').get('pattern') for t in root}


def desktop_file_is_valid():
    """Desktop file is valid"""
    need('desktop-file-validate')
    said = output('desktop-file-validate', BUILT / f'{APP_ID}.desktop')
    assert not said, said


def desktop_file_is_translated():
    """Desktop file is translated into every language"""
    entry = desktop_entry()
    for language in (SOURCE / 'po/LINGUAS').read_text(encoding='utf-8').split():
        for key in ('Name', 'GenericName', 'Comment', 'Keywords'):
            assert f'{key}[{language}]' in entry, f'no {key}[{language}]'


def metainfo_is_valid():
    """Metainfo is valid"""
    need('appstreamcli')
    output('appstreamcli', 'validate', '--no-net', '--no-color', BUILT / f'{APP_ID}.metainfo.xml')


def files_agree_on_names():
    """Desktop file, metainfo, D-Bus service and MIME types agree on their names"""
    entry, info = desktop_entry(), metainfo()
    types = set(mime_types())
    assert entry['Icon'] == APP_ID == info.findtext('id')
    assert info.findtext('launchable') == f'{APP_ID}.desktop'
    assert entry['Exec'].split()[0] == 'overlap'
    assert set(entry['MimeType'].strip(';').split(';')) == types
    assert {m.text for m in info.iter('mediatype')} == types
    service = (BUILT / f'{APP_ID}.service').read_text(encoding='utf-8')
    assert f'Name={APP_ID}\n' in service, service
    assert re.search(r'^Exec=/\S*/overlap --gapplication-service$', service, re.MULTILINE), service
    assert '@' not in service, service


def versions_agree():
    """The newest release is the same in meson.build, NEWS.md and the metainfo"""
    news = re.search(r'^## (\S+)', (SOURCE / 'NEWS.md').read_text(encoding='utf-8'), re.MULTILINE)
    assert news and news.group(1) == VERSION, f'NEWS.md begins with {news and news.group(1)}'
    release = metainfo().find('releases/release').get('version')
    assert release == VERSION, f'the metainfo begins with {release}, meson.build says {VERSION}'


def screenshots_exist():
    """The screenshots that the metainfo names are there"""
    folder = SOURCE / 'docs/screenshots'
    if not folder.is_dir():
        raise Skip('docs/screenshots has not been made yet')
    for image in metainfo().iter('image'):
        path = folder / image.text.rsplit('/', 1)[1]
        assert path.is_file(), f'{path} is missing'


def strategies_of(pattern, text):
    """Ids of strategies that the text has where the pattern, with one group, says."""
    return set(re.findall(pattern, text, re.MULTILINE))


def privilege_is_told_whole():
    """The message for which a password is typed names each strategy that asks for privilege, and no other"""
    message = ET.parse(DATA / f'{APP_ID}.policy.in.in').getroot().find('action/message').text
    named = strategies_of(r'“([a-z]+(?:\.[a-z-]+)?)”', message)
    sources = [path.read_text(encoding='utf-8') for path in sorted((SOURCE / 'plugins').glob('*/*.c'))]
    descriptors = {strategy: text for text in sources for strategy in strategies_of(r'^  \.id = "([^"]+)"', text)}
    wanted = {strategy for strategy, text in descriptors.items() if 'OV_CAP_PRIVILEGE' in text}
    # What the privileged worker gives capabilities to, such as real-time scheduling to all of "tick".
    uses = re.search(r'^} uses\[\] = \{(.*?)^\};', (SOURCE / 'core/worker/ov-privilege.c').read_text(encoding='utf-8'),
                     re.MULTILINE | re.DOTALL).group(1)
    prefixes = strategies_of(r'\{ "([^"]+)"', uses)
    assert len(wanted) >= 10 and len(prefixes) >= 4, (wanted, prefixes)
    wanted |= {strategy for strategy in descriptors if strategy.startswith(tuple(prefixes))}
    untold = {s for s in wanted if s not in named and s.split('.')[0] not in named}
    assert not untold, f'the message does not name {sorted(untold)}'
    for name in named:
        assert any(name in (s, s.split('.')[0]) for s in wanted), f'{name} asks for no privilege'


def schema_is_valid():
    """Settings schema is valid, and compiled for an uninstalled copy"""
    need('glib-compile-schemas', 'gsettings')
    said = output('glib-compile-schemas', '--strict', '--dry-run', DATA)
    assert not said, said
    environment = dict(os.environ, GSETTINGS_SCHEMA_DIR=str(BUILT), GSETTINGS_BACKEND='memory')
    keys = set(output('gsettings', 'list-keys', APP_ID, env=environment).split())
    written = {k.get('name') for k in ET.parse(DATA / f'{APP_ID}.gschema.xml').iter('key')}
    assert keys == written, f'{keys ^ written}'


def settings_are_used():
    """The window uses the keys of the schema: all of them, and no other"""
    written = {k.get('name') for k in ET.parse(DATA / f'{APP_ID}.gschema.xml').iter('key')}
    used = set()
    for path in (SOURCE / 'app/gui').glob('*.c'):
        text = path.read_text(encoding='utf-8')
        for call in re.findall(r'g_settings_(?:get|set|bind|reset|create_action)\w* *\((.*?);', text,
                               re.DOTALL):
            used |= set(re.findall(r'"([a-z-]+)"', call)[:1])
        used |= set(re.findall(r'^#define KEY_\w+ +"([a-z-]+)"', text, re.MULTILINE))
        used |= set(re.findall(r'g_settings_get\w*.*?"changed::([a-z-]+)"', text))
    assert used - written == set(), f'not in the schema: {used - written}'
    assert written - used == set(), f'used nowhere: {written - used}'


def files_are_installed():
    """What programs and desktop look for is installed where they look"""
    with open(BUILD / 'meson-info/intro-install_plan.json', encoding='utf-8') as f:
        plan = json.load(f)
    found = {entry['destination'].replace('{prefix}/share/locale', '{localedir}')
             for kind in plan.values() for entry in kind.values()}
    wanted = ['{bindir}/overlap', '{bindir}/overlap-cli', '{bindir}/overlap-worker',
              '{includedir}/overlap-strategy.h', f'{{datadir}}/applications/{APP_ID}.desktop',
              f'{{datadir}}/metainfo/{APP_ID}.metainfo.xml',
              f'{{datadir}}/mime/packages/{APP_ID}.xml',
              f'{{datadir}}/dbus-1/services/{APP_ID}.service',
              f'{{datadir}}/glib-2.0/schemas/{APP_ID}.gschema.xml', '{datadir}/icons',
              '{datadir}/overlap/experiments', '{datadir}/overlap/articles',
              '{mandir}/man1/overlap.1', '{localedir}/de/LC_MESSAGES/overlap.mo']
    assert not set(wanted) - found, f'{sorted(set(wanted) - found)} of {sorted(found)}'


def icons_are_drawn():
    """Icons are square, well-formed and not blank at 16 and 128 pixels"""
    need('xmllint', 'rsvg-convert', 'convert')
    for icon, size in ((ICON, '128'), (SYMBOLIC, '16')):
        output('xmllint', '--noout', '--nonet', icon)
        root = ET.parse(icon).getroot()
        assert root.get('viewBox') == f'0 0 {size} {size}', f'{icon}: {root.get("viewBox")}'
        for pixels in ('16', '128'):
            with tempfile.TemporaryDirectory() as folder:
                picture = pathlib.Path(folder) / 'icon.png'
                output('rsvg-convert', '-w', pixels, '-h', pixels, icon, '-o', picture)
                shape = output('convert', picture, '-alpha', 'extract', '-format',
                               '%[fx:mean] %[fx:p{0,0}]', 'info:').split()
            assert 0.2 < float(shape[0]) < 0.95, f'{icon} covers {shape[0]} of {pixels} pixels'
            assert float(shape[1]) < 0.5, f'{icon} fills its corner'


def symbolic_icon_has_one_colour():
    """Symbolic icon has one colour, which the theme replaces"""
    colours = set(re.findall(r'#[0-9a-f]{3,6}\b', SYMBOLIC.read_text(encoding='utf-8')))
    assert len(colours) == 1, f'{colours}'


def files_open_by_their_type():
    """Result and experiment files are recognised by name and open with Overlap"""
    need('update-mime-database', 'update-desktop-database', 'gio')
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / 'data/mime/packages').mkdir(parents=True)
        (home / 'data/applications').mkdir()
        (home / 'bin').mkdir()
        (home / f'data/mime/packages/{APP_ID}.xml').write_bytes((BUILT / f'{APP_ID}.xml').read_bytes())
        (home / f'data/applications/{APP_ID}.desktop').write_bytes(
            (BUILT / f'{APP_ID}.desktop').read_bytes())
        # An entry whose program is missing is not offered.
        program = home / 'bin/overlap'
        program.write_text('#!/bin/sh\n', encoding='utf-8')
        program.chmod(0o755)
        output('update-mime-database', home / 'data/mime')
        output('update-desktop-database', home / 'data/applications')
        environment = dict(os.environ, HOME=folder, XDG_DATA_HOME=str(home / 'data'),
                           XDG_CONFIG_HOME=str(home), LC_ALL='C.UTF-8',
                           PATH=f'{home}/bin:{os.environ["PATH"]}')
        for kind, pattern in mime_types().items():
            path = home / pattern.replace('*', 'x')
            path.write_text('{}\n', encoding='utf-8')
            said = output('gio', 'info', '-a', 'standard::content-type', path, env=environment)
            assert f'standard::content-type: {kind}\n' in said, f'{path.name} is not {kind}:\n{said}'
            said = output('gio', 'mime', kind, env=environment)
            assert f'{APP_ID}.desktop' in said, said


run(desktop_file_is_valid, desktop_file_is_translated, metainfo_is_valid, files_agree_on_names,
    versions_agree, screenshots_exist, schema_is_valid, settings_are_used, privilege_is_told_whole,
    files_are_installed, icons_are_drawn, symbolic_icon_has_one_colour, files_open_by_their_type)
