"""The keys as the list of keys shows them: those of actions by the menus in which they are, then all others."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from chalkgrad_app.actions import ACTIONS, Action
from chalkgrad_app.i18n import translate
from chalkgrad_app.menus import MENUS, SUBMENUS
from chalkgrad_app.widgets.key_list import KeyGroup


def listed_keys() -> list[KeyGroup]:
    """Every key, in the language in use. An action that is in no menu stands with the one before it."""
    menu_of = {id_: name for name, _, ids in reversed(MENUS) for id_ in _with_inner(ids)}
    groups = {name: KeyGroup(translate("Menus", title), []) for name, title, _ in MENUS}
    last = MENUS[0][0]
    for action in ACTIONS:
        last = menu_of.get(action.id, last)
        if action.keys:
            groups[last].keys.append((_written(action), action.title()))
    found = [group for group in groups.values() if group.keys]
    return [*found, KeyGroup(translate("Keys", "Cards and the program"), _cards()), _mouse()]


def _with_inner(ids: tuple[str, ...]) -> list[str]:
    """What is in a menu, and in the menus within it."""
    return [inner for id_ in ids for inner in SUBMENUS.get(id_.removeprefix("@"), (id_,))]


def _written(action: Action) -> str:
    """All keys of an action; two that this system calls the same, once."""
    return " / ".join(dict.fromkeys(_native(key) for key in action.keys))


def _cards() -> list[tuple[str, str]]:
    return [
        ("Tab / Shift+Tab", translate("MainWindow", "Next or previous card; elsewhere field or button")),
        ("Alt+↓", translate("MainWindow", "Open the list or menu of a field or button")),
        (translate("MainWindow", "Arrows"), translate("MainWindow", "Move the focus along wires")),
        (translate("MainWindow", "Shift+arrows"), translate("MainWindow", "Select along wires")),
        (translate("MainWindow", "Ctrl+arrows"), translate("MainWindow", "Move the selected cards")),
        (translate("MainWindow", "Ctrl+Shift+arrows"), translate("MainWindow", "Move them by one unit")),
        ("+ / -", translate("MainWindow", "Zoom in or out")),
        ("Shift+F10", translate("MainWindow", "Menu of the card")),
        ("Alt+↑ / ↓", translate("MainWindow", "Move lines in the program")),
        ("→ / ←", translate("MainWindow", "Unfold a backward in the program, or fold it")),
        ("/", translate("MainWindow", "Search the operators")),
        (
            translate("MainWindow", "Letters on an empty canvas"),
            translate("MainWindow", "Type an expression; A lists all operators"),
        ),
    ]


def _mouse() -> KeyGroup:
    stroke = translate("MainWindow", "Cut wires with a stroke (the right button does so too)")
    return KeyGroup(
        translate("Keys", "With the mouse"),
        [
            (translate("MainWindow", "Space+drag"), translate("MainWindow", "Pan")),
            (
                translate("MainWindow", "Drag a frame by its title or its edge"),
                translate("MainWindow", "Move it with all that lies in it"),
            ),
            (translate("MainWindow", "Alt+drag"), translate("MainWindow", "Copy cards with their wires")),
            (translate("MainWindow", "Drag, then Alt"), translate("MainWindow", "Pull cards out of their wires")),
            (translate("MainWindow", "Ctrl+Alt+drag"), stroke),
            (
                translate("MainWindow", "Drag with Ctrl"),
                translate("MainWindow", "Nothing attracts: no snapping, no joining"),
            ),
        ],
    )


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
