# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs that write: the bytes, the figures, the system calls, and what goes wrong."""

import collections
import contextlib
import csv
import ctypes
import glob
import io
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

import tap
from program import CLI, cli, complains, environment, folder, path, workers, write

WAYS = ['fwrite.putc', 'fwrite.bulk', 'fwrite.blocks', 'fwrite.memcpy-align', 'fwrite.libc',
        'fwrite.libc-setvbuf', 'write.uring']


def rows(text):
    """The rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text)))


def run(*arguments, targets=None, strategies=None, size='300K', status=0, **options):
    """The rows of a short run of the experiment about fwrite()."""
    where = [word for t in (targets or [folder]) for word in ('--target', t)]
    done = cli('run', 'fwrite-strategies', *where, '--size', size, '--block', '5K', '--repeat', '1',
               '--strategy', ','.join(strategies or WAYS), *arguments, '--csv', '-', status=status, **options)
    return rows(done.out)


def nothing_left(where=None):
    """No file is left in the folder, and no worker."""
    names = [n for n in os.listdir(where or folder) if n.startswith('.overlap')]
    assert not names, names
    for _ in range(100):
        if not workers():
            return
        time.sleep(0.1)


def check_rows(found):
    """All done, with one checksum."""
    assert {r['state'] for r in found} == {'done'}, {(r['strategy'], r['state'], r['cause']) for r in found}
    checks = {r['check'] for r in found}
    assert len(checks) == 1 and next(iter(checks)).startswith('crc32c='), checks


def same_bytes():
    """every strategy leaves the bytes of the generator, read back and compared"""
    found = run('--verify')
    assert {r['strategy'] for r in found} == set(WAYS)
    check_rows(found)
    assert all('read-back=' in r['effective'] for r in found), found
    assert {r['bytes'] for r in found} == {str(300 * 1024)}
    assert {r['strategy'] for r in found if 'length=set first' in r['effective']} == {'write.uring'}, found


def direct():
    """O_DIRECT writes a file that is no whole number of sectors"""
    found = run('--verify', '--condition', 'bypassed', '--block', '8K', strategies=['write.direct', 'write.uring'],
                size='100001')
    skipped = [r for r in found if r['state'] == 'skipped']
    if skipped:
        raise tap.Skip(skipped[0]['cause'])
    check_rows(found)


def two_figures():
    """the time until the last call and the one until stable storage, with every durability"""
    for durability in 'none', 'fdatasync', 'dsync':
        found = run('--durability', durability, '--no-verify', strategies=['fwrite.bulk', 'write.uring'])
        assert {r['durability'] for r in found} == {durability}
        for r in found:
            assert r['state'] == 'done' and r['check'] == f'length={300 * 1024}', r
            if 'storage=memory' in r['effective']:
                assert r['stable_s'] == '', r
            elif durability == 'fdatasync':
                assert r['stable_s'] == r['elapsed_s'], r
            else:
                assert float(r['stable_s']) > float(r['elapsed_s']), r


def durability_of_a_line():
    """a line of its own says when its bytes must be durable, whatever the others do"""
    lines = ['fwrite.bulk', 'fwrite.bulk, fdatasync', 'fwrite.bulk, O_DSYNC']
    found = run('--no-verify', strategies=lines)
    assert {r['variant']: r['durability'] for r in found} == dict(zip(lines, ['none', 'fdatasync', 'dsync'])), found
    assert {r['state'] for r in found} == {'done'}, found


def memory_is_said():
    """several folders in one run; a file system in memory is called so, and has no second figure"""
    if not os.path.isdir('/dev/shm') or not os.access('/dev/shm', os.W_OK):
        raise tap.Skip('/dev/shm cannot be used')
    name = f'/dev/shm/overlap-test-{os.getpid()}'
    os.mkdir(name)
    try:
        done = cli('run', 'fwrite-strategies', '--target', folder, '--target', name, '--size', '64K', '--repeat', '1',
                   '--strategy', 'fwrite.bulk', '--verify')
        assert f'{name} (tmpfs, memory)' in done.out and ' memory ' in done.out, done
        assert done.out.count('fwrite.bulk') >= 6, done
        found = run('--verify', targets=[folder, name], strategies=['fwrite.bulk'])
        assert {r['target'] for r in found} == {folder, name}
        memory = [r for r in found if r['target'] == name]
        assert all(r['stable_s'] == '' and 'read-back=memory' in r['effective'] for r in memory), memory
        assert not os.listdir(name), os.listdir(name)
    finally:
        shutil.rmtree(name)


def own_file():
    """a user's own file is refused"""
    name = write('mine.txt', 'mine\n')
    complains(2, 'never written', arguments=['run', 'fwrite-strategies', '--target', name])
    with open(name, encoding='utf-8') as f:
        assert f.read() == 'mine\n'


# ---- System calls

def traced(strategy, block, *arguments, experiment='fwrite-strategies', size=100000):
    """Calls with the scratch file that one pass makes, in their order: (name, what it returned); and the whole trace."""
    tap.need('strace')
    worker = write('traced-worker', '#!/bin/sh\nexec strace -ff -y -qq -s 0 -e trace=write,pwrite64,writev,read,pread64,readv,'
                   'io_uring_enter,mlock,munlock '
                   f'-o "{path("trace")}" "{os.environ["OVERLAP_WORKER"]}" "$@"\n')
    os.chmod(worker, 0o755)
    done = subprocess.run([CLI, 'run', experiment, '--target', folder, '--size', str(size), '--block', str(block),
                           '--repeat', '1', '--no-discard', '--no-verify', '--strategy', strategy, *arguments,
                           '--csv', '-'], env={**environment, 'OVERLAP_WORKER': worker}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=200)
    trace = ''
    for name in glob.glob(path('trace.*')):  # one for each process, so that no line is cut in two
        with open(name, encoding='utf-8', errors='replace') as f:
            trace += f.read()
        os.unlink(name)
    if 'ptrace' in done.stderr and 'not permitted' in done.stderr:
        raise tap.Skip('processes cannot be traced here')
    assert done.returncode == 0, done
    found = rows(done.stdout)
    if {r['state'] for r in found} == {'skipped'}:
        raise tap.Skip(found[0]['cause'])
    assert {r['state'] for r in found} == {'done'}, done.stdout
    return [(name, int(n)) for name, n in re.findall(
        r'^(p?(?:write|read)\w*)\(\d+</(?!memfd:)[^>]*>\(deleted\),.* = (\d+)$', trace, re.M)], trace


def calls(strategy, block, *arguments):
    """Sizes of the writes of a strategy that writes, which reads nothing; and how often a ring was entered."""
    found, trace = traced(strategy, block, *arguments)
    assert not [name for name, _ in found if 'read' in name], (strategy, found)
    return [n for _, n in found], trace.count('io_uring_enter(')


def one_call_for_each_buffer():
    """putc and blocks make one call for each block, whatever a call of the caller gives"""
    for strategy in 'fwrite.putc', 'fwrite.blocks':
        for block in 5120, 100000:
            sizes, _ = calls(strategy, block)
            assert sizes == [4096] * 24 + [1696], (strategy, block, sizes)


def one_call_for_all():
    """bulk makes one call for all whole blocks, and one for the rest"""
    for strategy in 'fwrite.bulk', 'fwrite.memcpy-align':
        sizes, _ = calls(strategy, 100000)
        assert sizes == [98304, 1696], (strategy, sizes)
        sizes, _ = calls(strategy, 100000, '--option', 'start=5')
        assert sizes == [4096, 94208, 1696], (strategy, sizes)
    sizes, _ = calls('fwrite.memcpy-align', 100000, '--option', 'whole-blocks=blocks')
    assert sizes == [4096] * 24 + [1696], sizes


def library_calls():
    """the C library's buffer decides how many calls there are, setvbuf() makes them fewer"""
    small, _ = calls('fwrite.libc', 5120)
    large, _ = calls('fwrite.libc-setvbuf', 5120)
    assert sum(small) == sum(large) == 100000
    assert len(small) > 3 * len(large), (small, large)
    assert max(large) <= 32768 + 5120, large


def ring_calls():
    """io_uring writes without write()"""
    sizes, enters = calls('write.uring', 5120)
    if not enters:
        raise tap.Skip('io_uring cannot be used here')
    assert not sizes, sizes


def direct_calls():
    """O_DIRECT writes whole sectors from the caller's memory with one call for each block, and cuts off what is too much"""
    sizes, _ = calls('write.direct', 32768)
    assert sizes[:3] == [32768] * 3 and 100000 <= sum(sizes) < 100000 + 4096 and len(sizes) <= 5, sizes


def copy_calls():
    """each way of copying makes one call for each chunk each way, and reads nothing before all is written"""
    chunks, chunk = 8, 65536
    for way in 'direct', 'bytes', 'memcpy', 'pinned', 'odirect', 'stdio', 'registered':
        found, trace = traced(f'copy.{way}', chunk, experiment='copy-or-not', size=chunks * chunk)
        names = [re.sub('^p|64$|v$', '', name) for name, _ in found]
        if way == 'registered':
            # A few more, of other rings, look whether strategies can work at all.
            rings = collections.Counter(re.findall(r'io_uring_enter\((\d+)<', trace))
            assert not found and max(rings.values()) == 2 * chunks, (way, found, rings)
        elif way == 'stdio':
            assert sum(n for name, n in found if 'write' in name) == chunks * chunk, found
            assert sum(n for name, n in found if 'read' in name) >= chunks * chunk, found
        else:
            assert found == [('pwrite64', chunk)] * chunks + [('pread64', chunk)] * chunks, (way, found)
        assert names == sorted(names, reverse=True), (way, found)
        # One more where it is tried, before the run, whether memory may be locked at all.
        # (The address sanitizer makes both do nothing.)
        locks = 2 * chunks + 1 if way == 'pinned' and 'ASAN_OPTIONS' not in os.environ else 0
        assert (trace.count('mlock('), trace.count('munlock(')) == (locks, locks), (way, trace)


# ---- What goes wrong

def too_large():
    """a file that may not grow so large: a clear end, nothing left"""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    done = cli('run', 'fwrite-strategies', '--target', folder, '--size', '300K', '--block', '5K', '--repeat', '1',
               '--strategy', ','.join(WAYS), status=3, preexec_fn=limit)
    assert done.out.count('File too large') >= len(WAYS) - 1, done
    nothing_left()


def forbid_io_uring():
    """Sets a seccomp filter that refuses io_uring_setup (number 425 everywhere)."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    program = b''.join(struct.pack('HBBI', *code) for code in (
        (0x20, 0, 0, 0),             # load the number of the call
        (0x15, 0, 1, 425),           # io_uring_setup?
        (0x06, 0, 0, 0x00050001),    # EPERM
        (0x06, 0, 0, 0x7fff0000)))   # else allow
    buffer = ctypes.create_string_buffer(program, len(program))
    filters = struct.pack('HxxxxxxP', 4, ctypes.addressof(buffer))
    if prctl(38, 1, 0, 0, 0) != 0 or prctl(22, 2, filters, 0, 0) != 0:
        os._exit(77)


def no_io_uring():
    """io_uring forbidden by a filter: skipped with the cause, the others run"""
    done = cli('run', 'fwrite-strategies', '--target', folder, '--size', '64K', '--repeat', '1',
               '--strategy', 'write.uring,fwrite.bulk', preexec_fn=forbid_io_uring)
    assert '1 Skipped' in done.out and 'io_uring' in done.out and '1 Done' in done.out, done


def interrupt():
    """Ctrl-C in whatever phase: stopped at once, nothing left"""
    for seconds in 0.5, 1.0, 1.5:
        with subprocess.Popen([CLI, 'run', 'fwrite-strategies', '--target', folder, '--size', '200M', '--block', '4K',
                               '--strategy', 'fwrite.putc,write.uring', '--verify', '--quiet', '--json', path('stopped.json')],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=100)
        assert process.returncode == 130, (process.returncode, out, err)
        if os.path.exists(path('stopped.json')):
            with open(path('stopped.json'), encoding='utf-8') as f:
                assert json.load(f)['partial'] is True
    nothing_left()


# ---- Other file systems

@contextlib.contextmanager
def mounted(*arguments, unmount=('umount',)):
    """A folder on which something is mounted; Skip where that is not allowed."""
    where = path(f'mount-{len(os.listdir(folder))}-{time.monotonic_ns()}')
    os.mkdir(where)
    done = subprocess.run([*arguments, where], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        os.rmdir(where)
        raise tap.Skip(f'nothing can be mounted here ({" ".join(arguments[:3])}): {done.stdout.strip()}')
    try:
        yield where
    finally:
        for _ in range(50):
            if subprocess.run([*unmount, where], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                break
            time.sleep(0.1)
        os.rmdir(where)


@contextlib.contextmanager
def image(kind, size, *make):
    """A new file system of that kind in a sparse file."""
    tap.need(make[0])
    name = path(f'{kind}.img')
    with open(name, 'wb') as f:
        f.truncate(size)
    try:
        tap.output(*make, name)
        with mounted('mount', '-o', 'loop', name) as where:
            yield where
    finally:
        os.unlink(name)


def check_file_system(where):
    """The strategies' own test in that folder, then a run whose bytes are read back."""
    test = os.path.join(os.environ['OVERLAP_BUILD'], 'tests', 'unit', 'ov-test-writes')
    points = [word for s in WAYS + ['write.direct'] for point in ('ranges', 'direct', 'stop')
              for word in ('-p', f'/writes/{s}/{point}')]
    tap.output(test, '--tap', *points, env={**environment, 'OVERLAP_TEST_FOLDER': where})
    check_rows(run('--verify', targets=[where], size='1000001', strategies=WAYS))
    nothing_left(where)


def on_ext4():
    """ext4 in a loop image"""
    with image('ext4', 64 << 20, 'mkfs.ext4', '-q', '-F') as where:
        check_file_system(where)


def on_xfs():
    """xfs in a loop image"""
    with image('xfs', 300 << 20, 'mkfs.xfs', '-q', '-f') as where:
        check_file_system(where)


def on_btrfs():
    """btrfs in a loop image, called copy-on-write"""
    with image('btrfs', 110 << 20, 'mkfs.btrfs', '-q', '-f') as where:
        check_file_system(where)
        done = cli('run', 'fwrite-strategies', '--target', where, '--size', '64K', '--repeat', '1', '--strategy',
                   'fwrite.bulk')
        assert 'btrfs, copy-on-write' in done.out, done


def on_tmpfs():
    """tmpfs"""
    with mounted('mount', '-t', 'tmpfs', '-o', 'size=64M', 'none') as where:
        check_file_system(where)


def on_bindfs():
    """a FUSE file system (bindfs)"""
    tap.need('bindfs')
    if not os.path.exists('/dev/fuse'):
        raise tap.Skip('there is no /dev/fuse')
    below = path('below')
    os.makedirs(below, exist_ok=True)
    with mounted('bindfs', below, unmount=('fusermount3', '-u') if shutil.which('fusermount3') else ('umount',)) as where:
        check_file_system(where)
    assert not os.listdir(below), os.listdir(below)


def no_space():
    """a file system that is too small: refused with the figures"""
    with mounted('mount', '-t', 'tmpfs', '-o', 'size=1M', 'none') as where:
        done = cli('run', 'fwrite-strategies', '--target', where, '--size', '8M', '--repeat', '1', '--strategy', 'fwrite.bulk',
                   status=3)
        assert '8.39 MB' in done.out and 'free' in done.out, done
        test = os.path.join(os.environ['OVERLAP_BUILD'], 'tests', 'unit', 'ov-test-writes')
        points = [word for s in WAYS for word in ('-p', f'/writes/{s}/no-space')]
        tap.output(test, '--tap', *points, env={**environment, 'OVERLAP_TEST_FOLDER': where, 'OVERLAP_TEST_NO_SPACE': '1'})
        nothing_left(where)


def read_only():
    """a file system that is read only: refused with the system's reason"""
    with mounted('mount', '-t', 'tmpfs', '-o', 'ro,size=1M', 'none') as where:
        done = subprocess.run([CLI, 'run', 'fwrite-strategies', '--target', where, '--size', '64K', '--repeat', '1'],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        assert done.returncode not in (0, 130) and 'Read-only file system' in done.stdout, done


if __name__ == '__main__':
    tap.run(same_bytes, direct, two_figures, durability_of_a_line, memory_is_said, own_file,
            one_call_for_each_buffer, one_call_for_all,
            library_calls, ring_calls, direct_calls, copy_calls, too_large, no_io_uring, interrupt, on_ext4, on_xfs, on_btrfs, on_tmpfs, on_bindfs,
            no_space, read_only)
