"""A monkey: what somebody can do at the window, by real events, one random act after the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from support.hands import ALT, CTRL, LEFT, PLAIN, SHIFT, process
from support.monkey_body import ALLOWED, KEYS, MODIFIERS, OPERATORS, TYPED, WIRING_KEYS
from support.monkey_checks import alive, bury, check_file, check_gone, discard
from support.monkey_slowly import Slowly

from chalkgrad_app.canvas import tidying
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.main import create_window

RIGHT = Qt.MouseButton.RightButton


class Monkey(Slowly):
    """Does one random thing after the other at one window; ``done`` is what it did."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        QApplication.setQuitOnLastWindowClosed(False)  # after that no dialog would wait for an answer
        self._others = len(QApplication.allWidgets())
        super().__init__(chance)
        self.folder = folder
        self.done: list[str] = []
        self.left: Counter[str] = Counter()
        """How many objects of each class there were when there was no window last."""
        self.acts: dict[Callable[[], str], float] = {
            self.key: 20,
            self.drop: 6,
            self.quick_add: 6,
            self.click: 8,
            self.double_click: 3,
            self.drag: 10,
            self.cut: 2,
            self.wire: 10,
            self.wire_by_keys: 3,
            self.edit: 6,
            self.annotate: 3,
            self.scrub: 3,
            self.grid: 2,
            self.options: 3,
            self.find: 1,
            self.minimap: 1,
            self.panel: 6,
            self.go_back: 1,
            self.wheel: 4,
            self.menu: 3,
            self.command: 8,
            self.look: 0.7,
            self.tidy_behind: 0.2,
            self.wait: 1,
            self.reopen: 0.4,
            **self.lesson_acts(),
            **self.outside_acts(),
            **self.around_acts(),
            **self.slow_acts(),
        }

    def act(self, reopens: bool = True) -> str:
        """One thing, in the same window where it ``reopens`` none; what it was."""
        self._activate()
        if self.is_full:
            what = self.clear()
        else:
            act = self.chance.choices(list(self.acts), list(self.acts.values()))[0]
            what = act() if reopens or act != self.reopen else self.wait()
        self.done.append(what)
        process()
        self.close_others()
        return what

    # ------------------------------------------------------------ keys and words

    def key(self) -> str:
        """A key, wherever the focus is."""
        key, keys = self.chance.choice(KEYS)
        if self.chance.random() < 0.8 and not self._is_typing():
            self.window.canvas.setFocus()
        QTest.keyClick(self._focused(), key, keys)
        return f"key {key.name} {keys.value}"

    def quick_add(self) -> str:
        """Quick-add in one of its modes, then something typed."""
        key, keys = self.chance.choice(((Qt.Key.Key_A, PLAIN), (Qt.Key.Key_A, SHIFT), (Qt.Key.Key_C, PLAIN)))
        return f"quick-add {self._at_card(key, keys)!r}"

    def edit(self) -> str:
        """A value or a name typed into a card."""
        key = self.chance.choice((Qt.Key.Key_F2, Qt.Key.Key_Return))
        return f"{key.name} {self._at_card(key)!r}"

    def annotate(self) -> str:
        """A label, or a note."""
        key = self.chance.choice((Qt.Key.Key_T, Qt.Key.Key_N))
        return f"{key.name} {self._at_card(key)!r}"

    def options(self) -> str:
        """The popover: some of its fields."""
        self._at_card(Qt.Key.Key_E, type_too=False)
        for _ in range(self.chance.randint(0, 3)):
            QTest.keyClick(self._focused(), Qt.Key.Key_Tab)
        what = self._use(self._focused())
        self._leave()
        return f"options {what}"

    def wire_by_keys(self) -> str:
        """W, then what leads to a port."""
        self._at_card(Qt.Key.Key_W, type_too=False)
        keys = [self.chance.choice(WIRING_KEYS) for _ in range(self.chance.randint(1, 5))]
        for key in keys:
            QTest.keyClick(self.window.canvas, key)
        return f"wire by {[key.name for key in keys]}"

    def grid(self) -> str:
        """The window with the numbers: keys, paste, its fields and buttons."""
        self._at_card(Qt.Key.Key_V, type_too=False)
        window = QApplication.activeWindow()
        if window is None or window.objectName() != "valueEditor":
            return "no grid"
        used = []
        for _ in range(self.chance.randint(1, 4)):
            if not window.isVisible():
                break
            if self.chance.random() < 0.5:
                QApplication.clipboard().setText(self.chance.choice(("1\t2\n3\t4", "[[1., 2.]]", "x\ty", "7")))
                QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_V, CTRL)
                used.append("paste")
            else:
                used.append(self._use(self.chance.choice(self._inputs(window))))
        process()
        self._leave()
        return f"grid {used}"

    def find(self) -> str:
        """The find bar."""
        text = self.chance.choice(TYPED)
        self._leave()
        QTest.keyClick(self.window.canvas, Qt.Key.Key_F, CTRL)
        self._type(text)
        QTest.keyClick(self._focused(), self.chance.choice((Qt.Key.Key_F3, Qt.Key.Key_Escape)))
        return f"find {text!r}"

    # ------------------------------------------------------------ mouse

    def drop(self) -> str:
        """An operator from the palette."""
        name, at = self.chance.choice(OPERATORS), self.point()
        self.hands.drop(name, at)
        return f"drop {name} at {at.toTuple()}"

    def click(self) -> str:
        """A click with or without keys held."""
        at, keys = self.point(), self.chance.choice(MODIFIERS)
        self.hands.click(at, keys)
        return f"click {at.toTuple()} {keys.value}"

    def double_click(self) -> str:
        """A double click, then typing."""
        at, text = self.point(), self.chance.choice(TYPED)
        self.hands.double_click(at)
        self._type(text)
        return f"double click {at.toTuple()} {text!r}"

    def drag(self) -> str:
        """From one point to another; Alt may come or go on the way, and Escape breaks it off."""
        start, end, keys = self.point(), self.point(), self.chance.choice(MODIFIERS)
        what = f"drag {start.toTuple()} to {end.toTuple()} {keys.value}"
        self.hands.press(start, keys)
        self.hands.move((start + end) / 2, keys)
        if self.chance.random() < 0.25:
            what += " then Alt"
            keys = PLAIN if keys == ALT else ALT
            (QTest.keyPress if keys == ALT else QTest.keyRelease)(self.window.canvas, Qt.Key.Key_Alt)
        self.hands.move(end, keys)
        if self.chance.random() < 0.15:
            what += " and Escape"
            QTest.keyClick(self.window.canvas, Qt.Key.Key_Escape)
        if self.chance.random() < 0.1:
            self.window.canvas.grab()
        self.hands.release(end, keys)
        self._answer()
        return what

    def cut(self) -> str:
        """A stroke with the right button."""
        start, end = self.point(), self.point()
        canvas = self.window.canvas
        QTest.mousePress(canvas, RIGHT, PLAIN, start)
        self.hands.move((start + end) / 2, buttons=RIGHT)
        self.hands.move(end, buttons=RIGHT)
        QTest.mouseRelease(canvas, RIGHT, PLAIN, end)
        process()
        self._leave()
        return f"cut {start.toTuple()} to {end.toTuple()}"

    def wire(self) -> str:
        """From a port to a port, or to anywhere."""
        forward = self.chance.random() < 0.7
        start = self._port(inputs=not forward)
        end = self._port(inputs=forward) if self.chance.random() < 0.8 else self.point()
        if start is None or end is None:
            return self.drop()
        self.hands.drag(start, end, self.chance.choice((PLAIN, PLAIN, PLAIN, CTRL)))
        self._answer()
        return f"wire {start.toTuple()} to {end.toTuple()}"

    def scrub(self) -> str:
        """A number dragged sideways."""
        canvas = self.window.canvas
        cards = self._cards()
        if not cards:
            return self.drop()
        rect = canvas.field_rect(Field(Part.VALUE, self.chance.choice(cards)))
        start = rect.center()
        if not canvas.rect().contains(start):
            return "nothing to scrub"
        self.hands.press(start)
        for step in (12, 40, -25):
            self.hands.move(start + QPoint(step, 0), self.chance.choice((PLAIN, SHIFT, CTRL)))
        if self.chance.random() < 0.2:
            QTest.keyClick(canvas, Qt.Key.Key_Escape)
        self.hands.release(start)
        return f"scrub at {start.toTuple()}"

    def minimap(self) -> str:
        """A click, a drag, a turn of the wheel on the minimap."""
        minimap = self.window.area.minimap
        if not minimap.isVisible():
            QTest.keyClick(self.window.canvas, Qt.Key.Key_M)
        if not minimap.isVisible():
            return "no minimap"
        at, to = self._within(minimap.rect()), self._within(minimap.rect())
        QTest.mousePress(minimap, LEFT, PLAIN, at)
        QTest.mouseMove(minimap, to)
        QTest.mouseRelease(minimap, LEFT, PLAIN, to)
        return f"minimap {at.toTuple()} to {to.toTuple()}"

    def wheel(self) -> str:
        """Zoom by a mouse's wheel, or pan by two fingers."""
        at, notch = QPointF(self.point()), self.chance.choice((-120, 120, 360, -360))
        pixels = QPoint(0, 0) if self.chance.random() < 0.6 else QPoint(notch // 3, notch // 5)
        canvas = self.window.canvas
        event = QWheelEvent(
            at,
            QPointF(canvas.mapToGlobal(at.toPoint())),
            pixels,
            QPoint(0, notch),
            Qt.MouseButton.NoButton,
            self.chance.choice((PLAIN, PLAIN, SHIFT, CTRL)),
            Qt.ScrollPhase.NoScrollPhase if pixels.isNull() else Qt.ScrollPhase.ScrollUpdate,
            False,
        )
        QApplication.sendEvent(canvas, event)
        return f"wheel {notch} {pixels.toTuple()}"

    def menu(self) -> str:
        """The menu of what lies under the pointer, and one of its entries."""
        at = self.point()
        canvas = self.window.canvas
        QTest.mouseClick(canvas, RIGHT, PLAIN, at)
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(canvas, QContextMenuEvent(reason, at, canvas.mapToGlobal(at)))
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            return f"right click {at.toTuple()}"
        return f"menu at {at.toTuple()}: {self._choose(menu)}"

    # ------------------------------------------------------------ the rest of the window

    def panel(self) -> str:
        """Something in one of the panels: a button, a field, a line of a list."""
        docks = [dock for dock in self.window.docks.by_name.values() if dock.isVisible()]
        inputs = self._inputs(self.chance.choice(docks)) if docks else []
        if not inputs:
            return "no panel"
        what = self._use(self.chance.choice(inputs))
        self._answer()
        return f"panel {what}"

    def go_back(self) -> str:
        """A click in the history."""
        self.window.docks.show_panel("history")
        history = self.window.docks.history
        row = history.model().index(self.chance.randrange(history.model().rowCount()), 0)
        history.scrollTo(row)
        QTest.mouseClick(history.viewport(), LEFT, PLAIN, history.visualRect(row).center())
        return f"history {row.row()}"

    def command(self) -> str:
        """Any action that is enabled."""
        actions = [action for action in self.window.findChildren(QAction) if action.objectName() in ALLOWED]
        allowed = sorted((action for action in actions if action.isEnabled()), key=QAction.objectName)
        action = self.chance.choice(allowed)
        action.trigger()
        self._answer()
        return action.objectName()

    def look(self) -> str:
        """Another theme, language or text size; a panel shown or hidden."""
        menu = self.window.findChild(QMenu, f"menu.{self.chance.choice(('theme', 'language', 'textSize', 'panels'))}")
        assert menu is not None
        menu.aboutToShow.emit()
        action = self.chance.choice(menu.actions())
        name = action.objectName()
        action.trigger()
        return name

    def tidy_behind(self) -> str:
        """Tidying by another process, and something done meanwhile, or nothing."""
        at_once, tidying.AT_ONCE = tidying.AT_ONCE, 2
        try:
            self._leave()
            self.window.canvas.setFocus()
            QTest.keyClick(self.window.canvas, Qt.Key.Key_L)
        finally:
            tidying.AT_ONCE = at_once
        process()
        QTest.qWait(self.chance.choice((0, 20, 1500)))
        return "tidy behind"

    def wait(self) -> str:
        """Nothing, so that what glides arrives."""
        QTest.qWait(self.chance.choice((5, 60, 300)))
        return "wait"

    def clear(self) -> str:
        """Everything deleted."""
        self._leave()
        self._press(Qt.Key.Key_Escape)  # what is still being opened is not wanted any more
        self._press(Qt.Key.Key_A, CTRL)
        self._press(Qt.Key.Key_Delete)
        if self.is_full:  # of lines that have no card
            self.window.docks.show_panel("program")
            for key, keys in ((Qt.Key.Key_A, CTRL), (Qt.Key.Key_Delete, PLAIN)):
                QTest.keyClick(self.window.docks.program.list, key, keys)
                process()
        assert not self.is_full, "not everything was deleted"
        return "clear"

    def empty(self) -> None:
        """An empty canvas, at the present, in the drawing that a new window has; nothing waits to be deleted."""
        self._leave()
        self.window.presenting.lecture(False)
        self.window.document.back_to_now()
        self._press(Qt.Key.Key_1, CTRL)
        self.clear()
        bury()

    def reopen(self) -> str:
        """Save, close, open; nothing is lost, and nothing left behind."""
        self._leave()
        path = self.folder / "monkey.chalk"
        check_file(self.window)
        self.window.filing.keeper.save(path)
        self.close()
        self.left = alive()
        self.window = create_window(path)
        self.window.document.finish()
        return "reopen"

    def close(self) -> None:
        """Throw the window away, with all it owns."""
        self._leave()
        left = discard(self.window)
        del self.window
        check_gone(left, self._others)
