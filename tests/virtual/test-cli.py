#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap-cli run --virtual: an emulated machine instead of this one, and what it says about it."""

import json
import os

import machine
import program
import tap

environment = program.environment


def runs_and_is_labelled():
    """Table, charts and result say that the machine is emulated"""
    environment['OVERLAP_KERNEL'] = machine.kernel()
    done = program.cli('run', 'port-or-gate', '--virtual', '--repeat', '1', '--preset', 'few', '--quiet',
                       '--strategy', 'port.direct,port.gate,port.driver', '--json', 'result.json',
                       '--charts', 'charts', cwd=program.folder)
    assert 'emulated: ratios only' in done.out, done
    with open(program.path('result.json'), encoding='utf-8') as f:
        result = json.load(f)
    assert result['machine']['emulated'] is True, result['machine']
    assert result['machine']['host'] == 'emulated', result['machine']
    states = {r['spec']['strategy']: (r['state'], r['cause']) for r in result['runs']}
    assert states == {f'port.{name}': ('done', None) for name in ('direct', 'gate', 'driver')}, states
    charts = [name for name in os.listdir(program.path('charts')) if name.endswith('.svg')]
    assert charts, done


def says_what_is_missing():
    """What is missing is named, with the way to get it"""
    run = ('run', 'port-or-gate', '--virtual')
    where = environment['PATH']
    environment['OVERLAP_KERNEL'] = '/no/such/vmlinuz'
    try:
        machine.kernel()
        program.complains(1, '/no/such/vmlinuz', arguments=run)
    except tap.Skip:
        pass
    environment['PATH'] = '/nonexistent'
    program.complains(1, 'QEMU is not installed', 'qemu-system-x86', arguments=run)
    environment['PATH'] = where
    environment['OVERLAP_VIRTUAL'] = '/nonexistent'
    program.complains(1, 'overlap-virtual', arguments=run)
    environment['OVERLAP_VIRTUAL'] = os.environ['OVERLAP_VIRTUAL']


def only_for_hardware():
    """It is refused where it has no meaning"""
    program.complains(2, 'experiments with hardware', arguments=('run', 'count-a-letter', '--virtual'))
    program.complains(2, '--through', arguments=('run', 'port-or-gate', '--virtual', '--through', 'ssh x'))
    program.complains(2, '--target', arguments=('run', 'port-or-gate', '--virtual', '--target', '.'))


tap.run(runs_and_is_labelled, says_what_is_missing, only_for_hardware)
