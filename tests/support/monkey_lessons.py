"""What a monkey does as a lecturer would: programs pasted, loops, guesses, drawings, steps in time, panels, windows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from support.hands import ALT, CTRL, LEFT, PLAIN, SHIFT, process
from support.monkey_body import NEVER, TYPED, Body
from support.monkey_checks import check_gone, discard

from chalkgrad.engine.record import OPS
from chalkgrad.lessons import examples
from chalkgrad.program import files
from chalkgrad_app.clipboard import MIME
from chalkgrad_app.filing import open_windows
from chalkgrad_app.panels.palette import PalettePanel
from chalkgrad_app.panels.scrubber import Scrubber
from chalkgrad_app.panels.tiles import Tile
from chalkgrad_app.widgets.command_palette import CommandPalette

Key = Qt.Key

TRAINING = """x = torch.tensor([1., 2., 3.])
w = torch.tensor(0., requires_grad=True)
for step in range(4):
    loss = ((w * x - 2 * x) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
"""
OPTIMISED = """v = torch.tensor([1., -1.], requires_grad=True)
optimizer = torch.optim.SGD([v], lr=0.1, momentum=0.9)
for i in range(3):
    for j in range(2):
        optimizer.zero_grad()
        cost = (v ** 2).sum() + i * j
        cost.backward()
        optimizer.step()
print(v)
"""
HOOKED = """u = torch.tensor([2.], requires_grad=True)
h = u * 3
h.register_hook(lambda g: g * 2)
h.register_hook(print)
h.retain_grad()
r = h ** 2
r.backward(retain_graph=True)
r.backward()
r.backward()
"""
SECOND = """p = torch.tensor([1., 2.], requires_grad=True)
q = (p ** 3).sum()
g, = torch.autograd.grad(q, p, create_graph=True)
g.sum().backward()
print(p.grad, g.grad_fn)
"""
IN_PLACE = """m = torch.ones(2, 2, requires_grad=True)
n = m * 2
k = n.exp()
n.add_(1)
s = n[0]
s.mul_(3)
k.sum().backward()
"""
PROGRAMS = (TRAINING, OPTIMISED, HOOKED, SECOND, IN_PLACE)
TEXTS = (
    *(*PROGRAMS, "a = torch.ones(2, 3)\nb = a.t() @ a", "with torch.no_grad():\n"),
    *("1\t2\t3\n4\t5\t6", "0,5;1\n2;3", "[[1, 2], [3, 4]]", "x1,y1\n1,2\n3,4", "7", "import os", "y = ", "for i in x:"),
)
"""Programs, spreadsheets, and what nobody can read."""
DRAWN_AS = (Key.Key_1, Key.Key_2, Key.Key_3)
IN_TIME = (
    *((Key.Key_F5, PLAIN), (Key.Key_F7, PLAIN), (Key.Key_F7, SHIFT), (Key.Key_F8, PLAIN), (Key.Key_F8, SHIFT)),
    *((Key.Key_F9, PLAIN), (Key.Key_F9, SHIFT), (Key.Key_Right, ALT), (Key.Key_Left, ALT), (Key.Key_PageUp, PLAIN)),
    *((Key.Key_PageDown, CTRL), (Key.Key_PageUp, CTRL), (Key.Key_F5, CTRL), (Key.Key_F5, SHIFT), (Key.Key_End, PLAIN)),
    *((Key.Key_F5, CTRL | SHIFT), (Key.Key_PageDown, PLAIN), (Key.Key_Period, CTRL)),
)
SOUGHT = ("", "tidy", "draw", "dark", "predict", "中", "round", "panel", "125", "warp", "no_grad")
SIZES = ((1280, 800), (900, 560), (1024, 640), (900, 560))
PREDICTED = ("predictGradients", "predictFlags", "predictOutcomes")


class Lessons(Body):
    """The acts of a lesson; each says what it did."""

    def lesson_acts(self) -> dict[Callable[[], str], float]:
        """The acts and how often each is done, compared with others."""
        return {
            self.paste_text: 3,
            self.paste_example: 1,
            self.drop_text: 1,
            self.drop_tile: 2,
            self.draw_as: 2,
            self.train: 2,
            self.predict: 2,
            self.go_in_time: 5,
            self.slide: 3,
            self.call: 4,
            self.frame: 2,
            self.ask_panel: 3,
            self.resize: 0.5,
            self.second_window: 0.3,
        }

    # ------------------------------------------------------------ what comes from elsewhere

    def paste_text(self) -> str:
        """A program or a spreadsheet that was copied elsewhere."""
        text = self.chance.choice(TEXTS)
        QApplication.clipboard().setText(text)
        self._press(Key.Key_V, CTRL)
        return f"paste {text!r}"

    def paste_example(self) -> str:
        """The cards of an example, as if copied in another window."""
        example = self.chance.choice(examples())
        data = QMimeData()
        data.setData(MIME, files.save(example.sheet).encode())
        QApplication.clipboard().setMimeData(data)
        self._press(Key.Key_V, CTRL)
        return f"paste example {example.id}"

    def drop_text(self) -> str:
        """Text dragged from an editor."""
        data, at = QMimeData(), self.point()
        data.setText(self.chance.choice((*TEXTS, *TYPED)))
        self.hands.drop_data(data, at)
        return f"drop {data.text()!r} at {at.toTuple()}"

    def drop_tile(self) -> str:
        """Any operator, looked for in the palette, then dragged."""
        palette = self.window.findChild(PalettePanel)
        assert palette is not None
        self._leave()
        palette.search.setFocus()
        palette.search.selectAll()
        QTest.keyClicks(palette.search, self.chance.choice(sorted(OPS)))
        process()
        tiles = [tile for tile in palette.findChildren(Tile) if tile.isVisible()]
        QTest.keyClick(palette.search, Key.Key_Escape)
        if not tiles:
            return "no tile"
        tile, at = self.chance.choice(tiles), self.point()
        drag = tile.drag()
        self.hands.drop_data(drag.mimeData(), at)
        drag.deleteLater()
        self._answer()
        return f"drop tile {tile.name} at {at.toTuple()}"

    # ------------------------------------------------------------ drawings, frames, time

    def draw_as(self) -> str:
        """Another drawing."""
        key = self.chance.choice(DRAWN_AS)
        self._press(key, CTRL)
        return f"draw as {key.name}"

    def frame(self) -> str:
        """Several cards framed, the frame named, folded, opened."""
        cards = self._cards()
        if not cards:
            return "nothing to frame"
        self._leave()
        self.window.document.select(self.chance.sample(cards, min(len(cards), self.chance.randint(1, 5))))
        self._press(Key.Key_G, CTRL)
        self._type(self.chance.choice(TYPED))
        folds = self.chance.randint(0, 3)
        for _ in range(folds):
            self._press(Key.Key_C, SHIFT)
        return f"frame, folded {folds} times"

    def go_in_time(self) -> str:
        """A key that goes to another event, line or round, or plays."""
        key, keys = self.chance.choice(IN_TIME)
        self._press(key, keys)
        if self.chance.random() < 0.3:
            QTest.qWait(60)
        return f"time {key.name} {keys.value}"

    def slide(self) -> str:
        """The scrubber: dragged, turned at, moved by keys."""
        scrubber = self.window.findChild(Scrubber)
        if scrubber is None or not scrubber.isVisible() or not scrubber.isEnabled():
            return "no scrubber"
        at, to = self._within(scrubber.rect()), self._within(scrubber.rect())
        QTest.mousePress(scrubber, LEFT, PLAIN, at)
        for part in (0.3, 0.7, 1.0):
            QTest.mouseMove(scrubber, at + (to - at) * part)
            process()
        QTest.mouseRelease(scrubber, LEFT, PLAIN, to)
        turn_wheel(scrubber, to, self.chance.choice((-120, 120, 240)))
        QTest.keyClick(scrubber, self.chance.choice((Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_PageUp)))
        return f"slide {at.x()} to {to.x()}"

    # ------------------------------------------------------------ loops and guesses

    def train(self) -> str:
        """A training loop from the form, or cards repeated in a loop."""
        if self.chance.random() < 0.5:
            self._at_card(Key.Key_R, SHIFT, type_too=False)
            self._type(self.chance.choice(("2", "5", "0", "x")))
            return "loop"
        self._leave()
        self._press(Key.Key_L, CTRL)
        form = self.window.docks.training.form
        used = [self._use(self.chance.choice(inputs)) for inputs in [self._inputs(form)] if inputs]
        if form.make.isVisible() and form.make.isEnabled():
            QTest.mouseClick(form.make, LEFT, PLAIN, form.make.rect().center())
            used.append("made")
        return f"train {used}"

    def predict(self) -> str:
        """Ask for something before it is shown, or answer the next question."""
        self._leave()
        if self.chance.random() < 0.4:
            name = self.chance.choice(PREDICTED)
            self.window.actions_by_id[name].trigger()
            return name
        self._press(Key.Key_P)
        asked = self.window.canvas.findChild(QWidget, "canvas.question")
        used = []
        for _ in range(self.chance.randint(0, 3)):
            inputs = [] if asked is None else self._inputs(asked)
            if inputs:
                used.append(self._use(self.chance.choice(inputs)))
        return f"answer {used}"

    # ------------------------------------------------------------ the window

    def call(self) -> str:
        """A command looked for in the list of all commands."""
        self._leave()
        self._press(Key.Key_P, CTRL | SHIFT)
        palette = QApplication.activePopupWidget()
        if not isinstance(palette, CommandPalette):
            return "no commands"
        typed = self.chance.choice(
            ("", "tidy", "draw", "dark", "predict", "中", "round", "panel", "125", "warp", "no_grad")
        )
        self._write(palette.field, typed)
        for _ in range(self.chance.randint(0, 12)):
            QTest.keyClick(
                palette.field, self.chance.choice((Key.Key_Down, Key.Key_Down, Key.Key_PageDown, Key.Key_Up))
            )
        item = palette.list.currentItem()
        chosen = "" if item is None else item.text(0)
        if not chosen or self._is_never(chosen):
            palette.close()
            return f"commands {typed!r}"
        QTest.keyClick(palette.field, Key.Key_Return)
        self._answer()
        return f"command {chosen!r}"

    def ask_panel(self) -> str:
        """A panel asked for, and something in it used."""
        name = self.chance.choice(sorted(self.window.docks.by_name))
        self.window.docks.show_panel(name)
        process()
        inputs = self._inputs(self.window.docks.by_name[name])
        what = self._use(self.chance.choice(inputs)) if inputs else "nothing"
        self._answer()
        return f"panel {name}: {what}"

    def resize(self) -> str:
        """Another size of the window."""
        size = self.chance.choice(SIZES)
        self.window.resize(*size)
        process()
        return f"resize {size}"

    def second_window(self) -> str:
        """A copy in a window of its own, which is drawn on and thrown away."""
        self._leave()
        self.window.actions_by_id["duplicateDocument"].trigger()
        process()
        copy = next(window for window in open_windows() if window is not self.window)
        copy.canvas.setFocus()
        for key, keys in ((Key.Key_A, CTRL), (Key.Key_D, CTRL), (Key.Key_2, CTRL), (Key.Key_Delete, PLAIN)):
            QTest.keyClick(copy.canvas, key, keys)
            process()
        QTest.keyClick(copy.canvas, Key.Key_Z, CTRL)
        return "second window"

    def close_others(self) -> None:
        """Throw away the windows beside one's own: examples open in windows of their own."""
        others = [window for window in open_windows() if window is not self.window]
        while others:
            left = discard(others.pop())
            self.window.activateWindow()
            check_gone(left)

    # ------------------------------------------------------------ inside

    def _write(self, field: QWidget, text: str) -> None:
        """Type into a field that may not have the focus of the window."""
        field.setFocus()
        if text.isascii():
            QTest.keyClicks(field, text)
        else:
            self.hands.type(text)

    def _is_never(self, title: str) -> bool:
        """A command that opens windows or dialogs, or a file."""
        menus = [self.window.findChild(QMenu, f"menu.{name}") for name in ("recent", "examples")]
        titles = [menu.title() for menu in menus if menu is not None]
        never = {self.window.actions_by_id[name].text().replace("&", "") for name in NEVER}
        return title in never or title.startswith(tuple(titles))


def turn_wheel(widget: QWidget, at: QPoint, notch: int) -> None:
    """Turn the wheel over a widget."""
    none = Qt.MouseButton.NoButton
    where, everywhere = QPointF(at), QPointF(widget.mapToGlobal(at))
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(where, everywhere, QPoint(), QPoint(0, notch), none, PLAIN, phase, False)
    QApplication.sendEvent(widget, event)
