"""How large the docks of a window are: shares of its width and height that suit the text size, and what a hand left."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget

from chalkgrad_app.widgets.code_font import scaled

PALETTE_WIDTH, RIGHT_WIDTH, PROGRAM_WIDTH, BOTTOM_HEIGHT = 176, 304, 400, 170
"""Sizes in pixels at 100% text size; the program has its width where it stands right of the canvas."""

TALL, SHARE = 800, 0.25
"""Of what a window is higher than this, in pixels at 100% text size, the program at the bottom has such a share."""

FACTS_HEIGHT = 214
"""Room in the inspector for the first facts of a tensor, grad_fn among them, in pixels at 100% text size."""

LITTLE = 330
"""Height of both panels at the right, in pixels at 100% text size, under which they need their room one by one."""

MOST_ACROSS = {PALETTE_WIDTH: 0.18, RIGHT_WIDTH: 0.28, PROGRAM_WIDTH: 0.3}
LEAST_RIGHT, MOST_RIGHT = 171, 0.35
"""No dock takes a larger share of the width: with large text the canvas needs room, too. Where panels at the right
would be narrower than so many pixels at 100% text size, they have them up to a larger share."""

MOST_DOWN, LEAST_DOWN = 0.22, 64
"""Nor do the panels at the bottom of its height, but for a line between their bars, in pixels at 100% text size."""

ROOM = {"engine": (2, 3), "memory": (2, 3), "versions": (2, 3), "training": (1, 2), "why": (3, 2)}
"""How the panels above and below at the right share their height once one of these is asked for."""

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


class DockSizes(QObject):
    """Gives the docks of a window their sizes; ``is_wide``, ``is_low`` and ``is_slim`` say how they stand."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], lower: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._lower = lower
        """The lower panel at the right, which says how much height it needs."""
        self.is_wide = self.is_low = self.is_slim = False
        self._width, self._squeezed = 0, False
        self._height, self._pressed, self.is_shared_by_hand = 0, 0, False
        window.installEventFilter(self)

    @property
    def at_left(self) -> tuple[str, ...]:
        """What stands left of the canvas: in a slim window the palette lies behind the panels at the right."""
        return () if self.is_slim else ("palette",)

    def fit(self) -> None:
        """Give the docks their sizes at the text size in use."""
        if not self.is_wide:
            all_of_it = self._window.height()
            height = scaled(BOTTOM_HEIGHT) + round(max(0, all_of_it - scaled(TALL)) * SHARE)
            self.resize(("program",), (min(height, max(round(all_of_it * MOST_DOWN), scaled(LEAST_DOWN))),), DOWN)
        self.share_bottom()
        names = (*self.at_left, "program", "inspector") if self.is_wide else (*self.at_left, "inspector")
        wanted = {"palette": PALETTE_WIDTH, "program": PROGRAM_WIDTH, "inspector": RIGHT_WIDTH}
        self.resize(names, tuple(self._across(wanted[name]) for name in names), ACROSS)

    def share_bottom(self) -> None:
        """Give the program more of what it shares with the output."""
        self.resize(("program", "output"), (5, 2) if self.is_wide else (3, 2), DOWN if self.is_wide else ACROSS)

    def share_height(self) -> None:
        """Give the lower panel at the right no more than it needs, and the inspector the rest."""
        self.is_shared_by_hand = False
        if self.is_low:
            return
        both = self._at_right()
        needed = min(self._lower.sizeHint().height() + 2, max(both - scaled(FACTS_HEIGHT), both * 9 // 20))
        central = self._window.centralWidget()
        all_of_it = max(both, central.height() if central is not None else 0)  # with the tabs, which Qt shares, too
        self.resize(("inspector", "autograd"), (max(1, all_of_it - needed), needed), DOWN)

    def give_room(self, name: str) -> None:
        """Let a panel above at the right say more: where both have little room it gets most of it."""
        if not self.is_low:
            self.resize((name, "autograd"), ROOM["why"] if self._at_right() > scaled(LITTLE) else (3, 1), DOWN)

    def give_back(self, above: Mapping[str, QSize], sides: Mapping[str, QSize]) -> None:
        """Give panels above one another, and those at the sides, the sizes that they had."""
        if len(above) == 2 and not self.is_low:
            whole = tuple(size.height() + self._tabs_height(name) for name, size in above.items())
            self.resize(tuple(above), whole, DOWN)
        if not self.is_wide:
            self.resize(tuple(sides), tuple(size.width() for size in sides.values()), ACROSS)

    def follow(self) -> None:
        """Give back what a window took that was narrower; share the height of one that is higher or lower now.

        What somebody shared by hand stays.
        """
        self._follow_width()
        is_seen = not self._lower.visibleRegion().isEmpty()
        if self._window.height() != self._height and is_seen and not self.is_shared_by_hand:
            self.share_height()

    def remember(self) -> None:
        """The window is as large as the docks have followed it."""
        self._width, self._height = self._window.width(), self._window.height()

    def resize(self, names: tuple[str, ...], sizes: tuple[int, ...], way: Qt.Orientation) -> None:
        """Give docks sizes, or shares of what they have together."""
        self._window.resizeDocks([self._docks[name] for name in names], list(sizes), way)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See when somebody drags what divides the panels at the right: only then the window itself is pressed."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = self._docks["autograd"].height()
        elif event.type() == QEvent.Type.MouseButtonRelease and self._docks["autograd"].height() != self._pressed:
            self.is_shared_by_hand = True
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ inside

    def _follow_width(self) -> None:
        """Give the palette back what a window took from it while it was narrower; a slim one takes of the right."""
        width, palette, wanted = self._window.width(), self._docks["palette"].width(), self._across(PALETTE_WIDTH)
        if self.is_slim:
            self._squeezed, most = False, self._across(RIGHT_WIDTH)
            if width < self._width and self._docks["inspector"].width() > most:
                self.resize(("inspector",), (most,), ACROSS)
        elif width < self._width:
            self._squeezed = self._squeezed or palette < scaled(PALETTE_WIDTH)
        elif self._squeezed and palette < wanted:
            self.resize(("palette",), (wanted,), ACROSS)
            self._squeezed = wanted < scaled(PALETTE_WIDTH)

    def _at_right(self) -> int:
        return self._docks["inspector"].height() + self._docks["autograd"].height()

    def _across(self, width: int) -> int:
        shared, most = self._window.width() * MOST_ACROSS[width], self._window.width() * MOST_RIGHT
        least = min(scaled(LEAST_RIGHT), most) if width == RIGHT_WIDTH else 0
        return min(scaled(width), round(max(shared, least)))

    def _tabs_height(self, name: str) -> int:
        """How high the tabs of a panel are, which Qt shares with it; 0 for a panel that stands alone."""
        if all(dock.isHidden() for dock in self._window.tabifiedDockWidgets(self._docks[name])):
            return 0
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return max((bar.sizeHint().height() for bar in bars if bar.count()), default=0)
