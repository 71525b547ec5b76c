"""The menu Help."""

from __future__ import annotations

from chalkgrad_app.actions.record import Action
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP

HELP: tuple[Action, ...] = (
    Action("keys", QT_TRANSLATE_NOOP("Actions", "Keys"), "", ("F1",), method="show_keys"),
    Action("about", QT_TRANSLATE_NOOP("Actions", "About Chalkgrad"), method="show_about"),
)
