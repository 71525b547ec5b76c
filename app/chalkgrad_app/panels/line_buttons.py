"""Buttons that show lines of code, two a row where they have room beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout

from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided import ElidedButton

GAP, BETWEEN = 2, 4
"""Between rows, and between buttons in one, in pixels at 100% text size."""


class LineButtons:
    """Lays out ``short`` lines in two columns or one, and below them ``wide`` ones, each in a row of its own."""

    def __init__(self, short: Sequence[ElidedButton], wide: Sequence[ElidedButton]) -> None:
        self.layout = QGridLayout()
        self._short, self._wide = short, wide
        self._is_one_column = False
        self._shares = (0, 0)

    def fill(self) -> None:
        """Put the buttons into the layout, which has its own place by now."""
        self._share((1, 1))
        self._place()

    def restyle(self) -> None:
        """Room between them at the text size in use."""
        self.layout.setHorizontalSpacing(scaled(BETWEEN))
        self.layout.setVerticalSpacing(scaled(GAP))

    def fit(self, width: int) -> None:
        """Two a row while both columns have room for all of theirs: the halves of a row, if need be other shares."""
        needed, room = [button.least_width() for button in self._short], width - scaled(BETWEEN)
        left, right = max(needed[::2]), max(needed[1::2])
        self._share((1, 1) if max(left, right) <= room // 2 else (left, right))
        is_one_column = left + right > room
        if is_one_column != self._is_one_column:
            self._is_one_column = is_one_column
            self._place()

    def _share(self, shares: tuple[int, int]) -> None:
        if shares != self._shares:
            self._shares = shares
            for column, share in enumerate(shares):
                self.layout.setColumnStretch(column, share)

    def _place(self) -> None:
        across = 1 if self._is_one_column else 2
        for index, button in enumerate(self._short):
            self.layout.addWidget(button, index // across, index % across, 1, 3 - across)
        for row, wide_button in enumerate(self._wide, start=-(-len(self._short) // across)):
            self.layout.addWidget(wide_button, row, 0, 1, 2)
