# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap-cli self-cost: what measuring costs is measured, kept, and carried by the results to come."""

import json
import os

import tap
from program import cli, complains, environment, folder, path

KINDS = ['counters', 'latency', 'timeline', 'sampler', 'profile', 'window']


def result():
    """What a run says of it, on standard output and in its result."""
    file = path('result.json')
    out = cli('run', 'count-a-letter', '--target', folder, '--size', '64K', '--json', file, '-q', '--repeat', '1',
              '--strategy', 'posix.read').out
    with open(file, encoding='utf-8') as stored:
        return out, json.load(stored)


def says_that_nothing_is_known():
    """a result says so where it was never measured"""
    out, stored = result()
    assert 'not measured: overlap-cli self-cost' in out, out
    assert stored['self-cost'] is None, stored['self-cost']


def measures_itself():
    """every kind is there with its interval, or with why it was not measured; results carry it"""
    place = path('place')
    os.mkdir(place)
    out = cli('self-cost', '--pairs', '6', '--seconds', '0.05', '--no-window', '-q', '--folder', place).out
    assert os.listdir(place) == [], os.listdir(place)
    assert 'counting requests and bytes' in out and 'not measured: it was not wanted' in out, out
    out, stored = result()
    cost = stored['self-cost']
    assert cost['host'] == stored['machine']['host'], cost
    assert [kind for kind in KINDS if kind not in cost] == [], cost
    for kind in KINDS[:4]:
        assert cost[kind]['pairs'] == 6 and cost[kind]['lo'] <= cost[kind]['cost'] <= cost[kind]['hi'], (kind, cost[kind])
    assert cost['window']['pairs'] == 0 and cost['window']['cause'], cost['window']
    assert 'Cost of measuring here, of a cached request of 4K: latency of each request ' in out, out


def says_at_once_that_nothing_can_be_kept():
    """where the measurement cannot be kept this is said, with path and reason, before it is made"""
    kept = path('a-file')
    with open(kept, 'w', encoding='utf-8'):
        pass
    # Ten runs of ten seconds each would take minutes.
    usual = environment['XDG_DATA_HOME']
    environment['XDG_DATA_HOME'] = kept
    try:
        complains(1, kept, 'Not a directory', arguments=['self-cost', '--pairs', '10', '--seconds', '10', '--no-window'])
    finally:
        environment['XDG_DATA_HOME'] = usual


def wrong_words():
    """wrong arguments are usage errors"""
    complains(2, 'no arguments', arguments=['self-cost', 'all'])
    complains(2, '--pairs', arguments=['self-cost', '--pairs', '5'])
    complains(2, '--seconds', arguments=['self-cost', '--seconds', '0'])
    complains(1, 'absent', arguments=['self-cost', '--folder', path('absent')])


tap.run(says_that_nothing_is_known, measures_itself, says_at_once_that_nothing_can_be_kept, wrong_words)
