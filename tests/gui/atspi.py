# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives a GTK 4 window through the accessibility tree, as a screen reader sees it, and by keys.

What GTK 4.8 does in its own way: a button's `click` takes effect 250 ms later; all actions of a
window are actions of its frame and take effect at once; lists and check boxes have no action and
want keys or the pointer; states are cached and must be asked for anew.
"""

import subprocess
import time

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # pylint: disable=wrong-import-position

PATIENCE = 60


def wait(look, what, seconds=PATIENCE):
    """Calls look() until it gives something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = look()
        except GLib.Error:
            found = None  # the object is gone, or being built
        if found:
            return found
        assert time.monotonic() < end, f'waited in vain for {what}'
        time.sleep(0.05)


def program(name):
    """The program on the accessibility bus, once it has a window."""
    def look():
        # What was asked for while the program was starting is kept, and would stay empty for good.
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for i in range(desktop.get_child_count()):
            found = desktop.get_child_at_index(i)
            if not found:
                continue
            found.clear_cache()
            if found.get_name() == name and found.get_child_count() > 0:
                return found
        return None
    return wait(look, f'the program {name}')


def is_visible(node):
    """Whether the object was not hidden. (A page that is not in front counts as visible.)"""
    node.clear_cache()
    return node.get_state_set().contains(Atspi.StateType.VISIBLE)


def walk(node):
    """All objects below that are not hidden."""
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child and is_visible(child):
            yield from walk(child)


def role_of(node):
    """The name of its role; that of a button changed in at-spi2-core 2.54."""
    name = node.get_role_name()
    return 'push button' if name == 'button' else name


def look_for(root, role, name=''):
    """The first object of that role whose name holds `name`, or None."""
    for node in walk(root):
        if role_of(node) == role and name in (node.get_name() or ''):
            return node
    return None


def find(root, role, name='', seconds=PATIENCE):
    """As look_for(), waiting for it."""
    return wait(lambda: look_for(root, role, name), f'{role} “{name}”', seconds)


def text(node):
    """The text of an entry or label."""
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def labels(root):
    """The texts of all labels below that are not hidden."""
    return [text(n) for n in walk(root) if role_of(n) == 'label']


def actions(node):
    """Names of the object's actions."""
    return [node.get_action_name(i) for i in range(node.get_n_actions())]


def do(node, action):
    """Does an action of an object; of a frame, "win.NAME" or "app.NAME"."""
    assert action in actions(node), f'no action {action}, only {", ".join(actions(node))}'
    node.do_action(actions(node).index(action))


def has_state(node, state):
    """Whether the object has the state now."""
    node.clear_cache()
    return node.get_state_set().contains(state)


def is_sensitive(node):
    """Whether the object can be used."""
    return has_state(node, Atspi.StateType.SENSITIVE)


def press(*keys):
    """Presses keys, by their names in X."""
    subprocess.run(['xdotool', 'key', '--clearmodifiers', *keys], check=True)


def type_text(string):
    """Types a text."""
    subprocess.run(['xdotool', 'type', '--delay', '5', string], check=True)


def focused(root):
    """The object that has the keyboard, or None."""
    for node in walk(root):
        if has_state(node, Atspi.StateType.FOCUSED):
            return node
    return None
