"""What the command palette lists: every action, searchable in every language, those used last first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtGui import QAction

from chalkgrad_app import settings
from chalkgrad_app.actions import ACTIONS, Action
from chalkgrad_app.i18n import in_every_language
from chalkgrad_app.widgets.command_palette import Command


def commands(actions: Mapping[str, QAction]) -> list[Command]:
    """Every action of a window, made from ``actions`` by their ids."""
    recent = settings.recent_commands()
    order = {id_: at for at, id_ in enumerate(recent)}
    records = sorted(ACTIONS, key=lambda record: order.get(record.id, len(order)))
    return [_command(record, actions[record.id]) for record in records]


def _command(record: Action, action: QAction) -> Command:
    names = [action.text(), record.id, *in_every_language("Actions", record.text)]
    hints = in_every_language("Actions", record.hint) if record.hint else ()
    why = "" if action.isEnabled() else record.why_not()
    return Command(record.id, action, _folded(names), _folded(hints), why)


def _folded(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text.casefold() for text in texts)
