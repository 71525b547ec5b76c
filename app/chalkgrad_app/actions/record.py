"""What an action is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chalkgrad_app.actions.conditions import NOTHING_TO_DO, WHY_NOT, Enabled
from chalkgrad_app.i18n import translate


class Action(NamedTuple):
    """One thing a person can do.

    ``target`` is the window's part that does it (``"document"``, ``"canvas"``, ``"filing"``, ``"clipboard"``,
    ``"presenting"``, ``"showing"``, ``"window"`` itself) or ``"steps"``: a function of
    :mod:`chalkgrad_app.steps`, whose lines are appended. ``method`` is its name there. ``on_canvas``: the key works
    while the canvas has the focus only. ``argument`` is passed to the method where it is not None. ``checked`` tells
    whether a checkable one is on, ``is_on`` whether it is for a document; of those with the same ``group`` one is on.
    """

    id: str
    text: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    target: str = "window"
    method: str = ""
    argument: object = None
    on_canvas: bool = False
    checkable: bool = False
    checked: Callable[[], bool] | None = None
    is_on: Enabled | None = None
    group: str = ""
    enabled: Enabled | None = None
    hint: str = ""

    @property
    def object_name(self) -> str:
        """The name for automation and screen readers."""
        return f"action.{self.id}"

    def title(self) -> str:
        """The text in the language in use."""
        return translate("Actions", self.text)

    def why_not(self) -> str:
        """Why it can't be done now, where ``enabled`` says so, in the language in use."""
        return translate("Actions", WHY_NOT.get(self.enabled, NOTHING_TO_DO) if self.enabled else NOTHING_TO_DO)

    def tip(self) -> str:
        """The sentence of the tooltip in the language in use."""
        return translate("Actions", self.hint or self.text)
