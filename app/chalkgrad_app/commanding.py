"""What the command palette lists: every action and all that menus offer to choose, those used last first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtGui import QAction

from chalkgrad_app import settings
from chalkgrad_app.actions import ACTIONS, Action
from chalkgrad_app.i18n import in_every_language
from chalkgrad_app.widgets.command_palette import Command


def commands(actions: Mapping[str, QAction], choices: Mapping[str, Sequence[QAction]]) -> list[Command]:
    """Every action of a window, made from ``actions`` by their ids, then ``choices`` by the titles of their menus."""
    found = [_command(record, actions[record.id]) for record in ACTIONS]
    found += [_choice(menu, action) for menu, chosen in choices.items() for action in chosen]
    order = {id_: at for at, id_ in enumerate(settings.recent_commands())}
    return sorted(found, key=lambda command: order.get(command.id, len(order)))


def _command(record: Action, action: QAction) -> Command:
    names = [action.text(), record.id, *in_every_language("Actions", record.text)]
    hints = in_every_language("Actions", record.hint) if record.hint else ()
    why = "" if action.isEnabled() else record.why_not()
    return Command(record.id, action, _folded(names), _folded(hints), why)


def _choice(menu: str, action: QAction) -> Command:
    text = action.text().replace("&&", "&")
    return Command(action.objectName(), action, _folded([f"{menu}: {text}", text]), menu=menu)


def _folded(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text.casefold() for text in texts)
