#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./test says about a run of the suite, beyond meson's own words.

report.py select DIR [NAME...]  the tests that belong to these suites or have these names, one a line
report.py count DIR             the skipped tests with their reasons; then, as the last line,
                                "N passed, N failed, N skipped"; fails if any failed or none ran

A test that speaks TAP counts by its own points, any other test counts once.
"""

import json
import re
import sys

POINT = re.compile(r'(not )?ok\b *(?:\d+)? *(?:- *)?([^#]*)(?:# *(SKIP|TODO)\S*(.*))?', re.IGNORECASE)
# What GLib says of a point that the command line leaves out: it runs in another entry of the log.
LEFT_OUT = 'by request (-s option)'
PLAN = re.compile(r'1\.\.(\d+)')


def select(build, wanted):
    """Prints the names of the tests that `wanted` (suites or tests) means; complains about the others."""
    with open(build + '/meson-info/intro-tests.json', encoding='utf-8') as f:
        tests = json.load(f)
    chosen = []
    for name in wanted:
        found = [t['name'] for t in tests
                 if name == t['name'] or name in (s.split(':')[-1] for s in t['suite'])]
        if not found:
            suites = sorted({s.split(':')[-1] for t in tests for s in t['suite']})
            sys.exit(f'There is no test or suite "{name}". Suites: {", ".join(suites)}. '
                     f'Tests: {", ".join(sorted({t["name"] for t in tests}))}.')
        chosen += found
    for name in dict.fromkeys(chosen):
        print(name)


def last_line(entry):
    """The reason that a skipped or broken test gave: the last line that it wrote."""
    text = (entry.get('stdout') or '') + '\n' + (entry.get('stderr') or '')
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else 'no reason given'


def tally(entry):
    """Counts one line of meson's log: (passed, [failed names], [(skipped name, reason)])."""
    name, result = entry['name'].split(' / ')[-1], entry['result']
    passed, failed, skipped, planned, points = 0, [], [], None, 0
    for line in (entry.get('stdout') or '').splitlines():
        if plan := PLAN.match(line):
            planned = int(plan.group(1))
        elif (point := POINT.match(line)) and (planned is not None or point.group(2).strip()):
            points += 1
            bad, what, directive, reason = point.groups()
            if directive and LEFT_OUT in reason:
                continue
            what = f'{name}: {what.strip()}'
            if (directive or '').upper() == 'SKIP' or (directive and bad):
                skipped.append((what, reason.strip() or 'no reason given'))
            elif bad:
                failed.append(what)
            else:
                passed += 1
    if planned is None:
        passed, failed, skipped, points = 0, [], [], 0
    good = result in ('OK', 'EXPECTEDFAIL')
    if points == 0:
        if result == 'SKIP':
            skipped.append((name, last_line(entry)))
        elif good:
            passed = 1
    if not good and result != 'SKIP' and not failed:
        rest = f', {planned - points} of {planned} not reached' if (planned or 0) > points else ''
        failed.append(f'{name}: {result.lower()}{rest}')
    return passed, failed, skipped


def count(build):
    """Prints the summary of the last `meson test`; returns the exit status."""
    passed, failed, skipped = 0, [], []
    try:
        with open(build + '/meson-logs/testlog.json', encoding='utf-8') as f:
            for line in f:
                p, f_, s = tally(json.loads(line))
                passed, failed, skipped = passed + p, failed + f_, skipped + s
    except FileNotFoundError:
        pass
    print()
    for what, reason in skipped:
        print(f'skipped  {what}: {reason}')
    for what in failed:
        print(f'failed   {what}')
    if failed:
        print(f'         whole log: {build}/meson-logs/testlog.txt')
    print(f'{passed} passed, {len(failed)} failed, {len(skipped)} skipped')
    return 0 if passed and not failed else 1


if __name__ == '__main__':
    if len(sys.argv) >= 3 and sys.argv[1] == 'select':
        select(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 3 and sys.argv[1] == 'count':
        sys.exit(count(sys.argv[2]))
    else:
        sys.exit(__doc__)
