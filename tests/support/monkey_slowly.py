"""What a monkey does before the window has caught up: runs, pictures, files and pastes that take many turns.

In a large program they do; here each turn of the event loop is given so little time that a small one takes as many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from unittest.mock import patch

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from support.hands import CTRL, process
from support.monkey_around import Around

from chalkgrad_app import clipboard, filing, running_sheet
from chalkgrad_app.canvas import following, redrawing
from chalkgrad_app.widgets import slices

LITTLE: tuple[tuple[ModuleType, dict[str, float]], ...] = (
    (running_sheet, {"SLICE_MS": 0.0, "AT_ONCE": 1, "PATIENCE": 1000}),
    (slices, {"SLICE_MS": 0.0}),
    (following, {"PORTION": 2, "BESIDE": 1}),
    (redrawing, {"AT_ONCE": 1}),
    (clipboard, {"AT_ONCE": 1, "MANY": 0}),
    (filing, {"AT_ONCE": 1}),
)
"""How much is done at a time meanwhile: as little as there is."""
MEANWHILE = 4
"""So many acts come at most before there is time again."""
TEXTS = (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description)


class Slowly(Around):
    """The acts that meet what is under way; each says what it did."""

    acts: dict[Callable[[], str], float]

    def slow_acts(self) -> dict[Callable[[], str], float]:
        """The acts and how often each is done, compared with others."""
        return {self.slowly: 5, self.listen: 2}

    def slowly(self) -> str:
        """Something that takes its time, and other acts before it is over."""
        with little_time():
            begun = self.chance.choice((self.draw_as, self.drop_file, self.copy_all, self.scrub, self.edit, self.undo))
            done = [begun()]
            for _ in range(self.chance.randint(1, MEANWHILE)):
                done.append(self.chance.choices(list(self._quick), list(self._quick.values()))[0]())
                if self.chance.random() < 0.3:
                    process()
                self.close_others()
        return f"slowly: {'; '.join(done)}"

    def copy_all(self) -> str:
        """All that there is copied and pasted."""
        for key in (Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V):
            self._press(key, CTRL)
        return "copy all"

    def undo(self) -> str:
        """Several steps back or forth in one go, as a click in the history."""
        stack = self.window.document.undo_stack
        stack.setIndex(self.chance.randint(max(0, stack.index() - 5), min(stack.count(), stack.index() + 5)))
        return f"undo to {stack.index()}"

    def listen(self) -> str:
        """A screen reader goes over what is on the canvas, before and after something is done; it may press a thing."""
        heard = self._things()
        self._say(heard)
        done = self.chance.choice((self.key, self.undo, self.command))()
        self._say([*heard, *self._things()])
        canvas = self.window.canvas
        point = canvas.mapToGlobal(self.point())
        at = QAccessible.queryAccessibleInterface(canvas).childAt(point.x(), point.y())
        pressed = self.chance.choice([*heard, at]) if self.chance.random() < 0.5 else at
        actions = None if pressed is None else pressed.actionInterface()
        if actions is None:
            return f"listen, meanwhile {done}"
        name = self.chance.choice(actions.actionNames())
        actions.doAction(name)
        self._answer()
        return f"listen, meanwhile {done}; then {name}"

    # ------------------------------------------------------------ inside

    @property
    def _quick(self) -> dict[Callable[[], str], float]:
        """The acts that leave the window open, and don't say when what is under way is over."""
        never = (self.slowly, self.reopen, self.recover, self.change_file, self.ask_for_file, self.wait)
        return {act: often for act, often in self.acts.items() if act not in never}

    def _things(self) -> list[QAccessibleInterface]:
        """What a screen reader finds on the canvas."""
        canvas = QAccessible.queryAccessibleInterface(self.window.canvas)
        found = [canvas.child(number) for number in range(canvas.childCount())]
        return [thing for thing in found if thing is not None]

    def _say(self, things: list[QAccessibleInterface]) -> None:
        """Ask for all that can be said of things; some may be gone."""
        canvas = QAccessible.queryAccessibleInterface(self.window.canvas)
        for thing in things:
            if thing.isValid():
                assert all(isinstance(thing.text(kind), str) for kind in TEXTS)
                thing.state(), thing.role(), thing.rect(), thing.relations(), canvas.indexOfChild(thing)
        canvas.focusChild()

    def reopen(self) -> str:
        """Close and open; what under way is, is not told of."""
        raise NotImplementedError


@contextmanager
def little_time() -> Iterator[None]:
    """While it lasts, what goes on in turns of the event loop takes as many as it can."""
    with ExitStack() as stack:
        for module, values in LITTLE:
            for name, value in values.items():
                stack.enter_context(patch.object(module, name, value))
        yield
