#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies that reach hardware, in a virtual machine that has it.

One boot of the distribution's own kernel, emulated by software, serves all points. Times in there
are an emulator's: their order is looked at, where it is far apart, and nothing else.
"""

from machine import Machine
from tap import run

shared = {}


def machine():
    """The one that is booted for all points."""
    if 'machine' not in shared:
        shared['machine'] = Machine()
    return shared['machine']


def boots():
    """A worker in a virtual machine greets, and says what it runs on"""
    hello = machine().hello['machine']
    assert hello['cpu'].startswith('QEMU'), hello
    assert hello['virtualization'] == 'QEMU', hello


def runs():
    """A run in there is done, and gives its result"""
    result = machine().run(strategy='null.memory', job='blocks', target='/init', block=4096,
                           requests=100, condition='warm', work='none')
    assert result['state'] == 'done', result


def ends():
    """The machine ends with its worker, and hands its status on"""
    status = machine().leave()
    del shared['machine']
    assert status == 0, status


try:
    run(boots, runs, ends)
finally:
    if 'machine' in shared:
        shared['machine'].kill()
