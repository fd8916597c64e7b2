#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes ratios.txt beside it: ratios with their percentile bootstrap intervals, as SciPy finds them.

A line for each case: how the values belong together (paired, apart), the ratio, the least and the
most that the lower and the upper end were in 40 bootstraps of 4000 resamples, then the values of a
and of b after a colon each. Needs NumPy and SciPy (made with 1.24 and 1.10); tests/unit/ov-test-stats.c
reads the file, which needs neither.
"""
import os

import numpy
from scipy import stats

REPEATS = 40
RESAMPLES = 4000


def paired(a, b, axis=-1):
    return numpy.median(a / b, axis=axis)


def apart(a, b, axis=-1):
    return numpy.median(a, axis=axis) / numpy.median(b, axis=axis)


def ends(a, b, kind, random):
    low, high = [], []
    for _ in range(REPEATS):
        interval = stats.bootstrap(
            (a, b), paired if kind == 'paired' else apart, paired=kind == 'paired', vectorized=True,
            method='percentile', confidence_level=0.95, n_resamples=RESAMPLES,
            random_state=random).confidence_interval
        low.append(interval.low)
        high.append(interval.high)
    return min(low), max(low), min(high), max(high)


def cases(random):
    for n in 6, 7, 10, 11, 30, 101:
        for factor in 1.0, 1.06, 3.0:
            drift = numpy.cumsum(random.normal(0, 0.05, n))
            a = factor * numpy.exp(drift + random.normal(0, 0.03, n))
            b = numpy.exp(drift + random.normal(0, 0.03, n))
            yield 'paired', a, b
        yield 'apart', random.lognormal(0.1, 0.2, n), random.lognormal(0, 0.1, n + 3)
    # Ties, as whole milliseconds have.
    yield 'paired', numpy.array([12., 12, 13, 12, 14, 12, 13, 12]), numpy.array([12.] * 8)
    yield 'apart', numpy.array([12., 12, 13, 12, 14, 12, 13, 12]), numpy.array([11., 12, 12, 12, 13, 12])


def main():
    random = numpy.random.default_rng(20260)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ratios.txt')
    with open(path, 'w', encoding='ascii') as out:
        for kind, a, b in cases(random):
            a, b = numpy.round(a, 6), numpy.round(b, 6)
            statistic = paired if kind == 'paired' else apart
            figures = [statistic(a, b), *ends(a, b, kind, random)]
            out.write(' '.join([kind, *(f'{x:.12g}' for x in figures), ':', *(f'{x:.9g}' for x in a), ':',
                                *(f'{x:.9g}' for x in b)]) + '\n')


main()
