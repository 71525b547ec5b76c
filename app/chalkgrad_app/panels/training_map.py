"""The loss over two parameters as a map with the path of the rounds on it: worked out when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.explain import Surface, can_be_drawn, surface
from chalkgrad.program.statement import Ref
from chalkgrad.session.history import Series
from chalkgrad_app.document import Document
from chalkgrad_app.panels.sliced import SlicedWork
from chalkgrad_app.training import Training
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.contour import ContourPlot, Map
from chalkgrad_app.widgets.later import Later

LAID_OUT_MS = 30
"""After so long the map has its place."""


class LossMap(QWidget):
    """A switch; with it on two choices of parameters and the map."""

    def __init__(self, document: Document, training: Training, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._training = training
        self._names: Mapping[Series, str] = {}
        self._loss: Ref | None = None
        self._asked: tuple[object, ...] | None = None
        self._found: Surface | None = None
        self._working = SlicedWork(self)
        self._opening = Later(self, self._come_into_view, LAID_OUT_MS)
        self._working.found.connect(self._on_found)
        self.switch = QCheckBox(self)
        self.switch.setObjectName("training.map")
        self.switch.toggled.connect(self._on_switched)
        self.across, self.up = self._choice("across"), self._choice("up")
        self.across_label, self.up_label = QLabel(self), QLabel(self)
        self.words = QLabel(self)
        self.words.setObjectName("training.map.words")
        self.words.setWordWrap(True)
        self.stop = QPushButton(self)
        self.stop.setObjectName("training.map.stop")
        self.stop.clicked.connect(self._on_stop)
        self.plot = ContourPlot("training.map.plot", self)
        self.plot.chosen.connect(training.look_at_round)
        self._arrange()

    def follow(self, loss: Ref | None, names: Mapping[Series, str]) -> None:
        """The loop trains these parameters, and goes down this loss; None: there is nothing to map."""
        document = self._document
        can_map = loss is not None and len(names) > 1 and can_be_drawn(document.program, loss)
        self.setVisible(can_map)
        self._loss = loss if can_map else None
        if names != self._names:
            self._names = dict(names)
            self._fill()
        self._refresh()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.switch.setText(self.tr("Loss over two parameters"))
        self.switch.setToolTip(self.tr("A map of the loss, with the way that the rounds go on it"))
        self.across_label.setText(self.tr("across"))
        self.up_label.setText(self.tr("up"))
        self.across.setAccessibleName(self.tr("Parameter across"))
        self.up.setAccessibleName(self.tr("Parameter up"))
        self.stop.setText(self.tr("Cancel"))
        self.plot.setAccessibleName(self.tr("Loss over two parameters"))

    def restyle(self) -> None:
        """Fonts of the text size in use."""
        for widget in (self.across, self.up):
            widget.setFont(code_font(ratio=SMALL))

    @property
    def is_working(self) -> bool:
        """True while the map is worked out."""
        return self._working.is_working

    # ------------------------------------------------------------ inside

    def _choice(self, name: str) -> QComboBox:
        made = QComboBox(self)
        made.setObjectName(f"training.map.{name}")
        made.activated.connect(self._refresh)
        return made

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(scaled(4))
        for column, widget in enumerate((self.across_label, self.across, self.up_label, self.up)):
            grid.addWidget(widget, 0, column)
            grid.setColumnStretch(column, column % 2)
        grid.addWidget(self.words, 1, 0, 1, 3)
        grid.addWidget(self.stop, 1, 3, Qt.AlignmentFlag.AlignRight)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, 0, 0, 0)
        column_.setSpacing(scaled(4))
        column_.addWidget(self.switch)
        column_.addLayout(grid)
        column_.addWidget(self.plot, 1)

    def _fill(self) -> None:
        """Offer the parameters; the first two at the beginning."""
        series = list(self._names)
        for place, box in enumerate((self.across, self.up)):
            before = box.currentText()
            with QSignalBlocker(box):
                box.clear()
                for found in series:
                    box.addItem(self._names[found], found)
                at = box.findText(before)
                box.setCurrentIndex(at if at >= 0 else min(place, len(series) - 1))

    def _pair(self) -> tuple[Series, Series] | None:
        """The two that are chosen, if they are two."""
        series = list(self._names)
        places = self.across.currentIndex(), self.up.currentIndex()
        return None if min(places) < 0 or places[0] == places[1] else (series[places[0]], series[places[1]])

    @Slot(bool)
    def _on_switched(self, on: bool) -> None:
        self._refresh()
        if on:
            self._opening.schedule()

    @Slot()
    def _come_into_view(self) -> None:
        """Scroll to the map, which lies below the curves."""
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if around is not None:
            around.ensureWidgetVisible(self.plot)

    @Slot()
    def _refresh(self) -> None:
        """Work the map out where it is wanted and another one; show the round looked at."""
        is_on, pair = self.switch.isChecked() and self._loss is not None, self._pair()
        for widget in (self.across, self.up, self.across_label, self.up_label):
            widget.setVisible(is_on and len(self._names) > 2)
        self.plot.setVisible(is_on)
        tall = QSizePolicy.Policy.Preferred if is_on else QSizePolicy.Policy.Fixed  # without a map the curves get all
        self.setSizePolicy(QSizePolicy.Policy.Preferred, tall)
        document = self._document
        asked = (document.program, self._loss, pair, len(self._training.history)) if is_on else None
        if document.is_running:
            return
        if asked != self._asked:
            self._asked, self._found = asked, None
            self._begin(pair if is_on else None)
        self._show()

    def _begin(self, pair: tuple[Series, Series] | None) -> None:
        self._working.stop()
        if pair is not None and self._loss is not None:
            document = self._document
            state = document.session.trace.state()
            self._working.begin(surface(document.program, state, self._loss, *pair, self._path(pair)))

    def _path(self, pair: Sequence[Series]) -> np.ndarray:
        """Where the two parameters were before the first round and after each, a row each."""
        return np.stack([np.array(self._training.history.path(found), float) for found in pair], axis=1)

    @Slot(object)
    def _on_found(self, found: Surface) -> None:
        self._found = found
        self._show()

    @Slot()
    def _on_stop(self) -> None:
        """Give the map up."""
        self._working.stop()
        self.switch.setChecked(False)

    def _show(self) -> None:
        pair, found = self._pair(), self._found
        self.words.setVisible(self.is_working)
        self.stop.setVisible(self.is_working)
        self.words.setText(self.tr("Working it out..."))
        if found is None or pair is None or self._loss is None:
            self.plot.show_map(None, np.zeros((0, 2)), 0)
            return
        loss = self._document.program[self._loss.statement].name
        names = (self._names[pair[0]], self._names[pair[1]], loss)
        self.plot.show_map(Map(found.xs, found.ys, found.values, names), self._path(pair), self._training.number)
