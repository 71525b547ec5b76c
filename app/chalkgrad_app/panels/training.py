"""The training panel: a loop's rounds, its loss and parameters as curves, and the form that makes a loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.program import training as making
from chalkgrad.program.change import Change
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.history import Series, body_of
from chalkgrad.source import emit
from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.training_form import TrainingForm
from chalkgrad_app.panels.training_map import LossMap
from chalkgrad_app.style import icons
from chalkgrad_app.training import Training
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided import ElidedButton
from chalkgrad_app.widgets.flat_button import FlatButton
from chalkgrad_app.widgets.plot import Plot
from chalkgrad_app.widgets.plot_paint import Curve

ICON = 16
"""In pixels at 100% text size."""

MOST_CURVES = 6
"""So many curves can be told apart in one plot."""


class TrainingPanel(Mirror):
    """Follows the loop in question; without one it shows the form."""

    def __init__(self, document: Document, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(document, "training", parent)
        self.training = training
        self.training.changed.connect(self.schedule)
        self.form = TrainingForm(document, self)
        self._make_controls()
        self._make_hint()
        self._make_plots()
        self._arrange()
        self._summed: tuple[int, tuple[int, ...]] | None = None
        self.restyle()
        self.begin(document.changed, document.traced, document.moved, document.selected)

    def minimumSizeHint(self) -> QSize:
        """As high as all that is shown: it can be scrolled."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def follow(self) -> None:
        """Show the rounds as they are."""
        self._summed = None
        loop = self.training.loop
        can_have_more = loop is not None and bool(making.losses(self.document.program))
        is_new = loop is None or (self.new.isChecked() and can_have_more)
        self.run.setVisible(loop is not None)
        self.form.setVisible(is_new)
        self.new.setVisible(can_have_more)
        if is_new:
            self.form.follow()
        if loop is not None:
            self._follow_rounds()
            self._follow_curves(loop)
            self._follow_sums(loop)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for button, words in (
            (self.first, self.tr("Start over: run from the start, and wait before the first round")),
            (self.back, self.tr("Previous round")),
            (self.on, self.tr("Next round")),
            (self.all, self.tr("Run all rounds that are left")),
        ):
            button.say(words)
        self.speed.setAccessibleName(self.tr("Rounds in a second"))
        self.speed.setToolTip(self.tr("Rounds in a second"))
        for index, speed in enumerate(settings.ROUND_SPEEDS):
            self.speed.setItemText(index, self.tr("{n}/s").format(n=speed))
        self.log.setText(self.tr("log scale"))
        self.log.setToolTip(self.tr("Powers of ten upwards"))
        self.log.setAccessibleName(self.tr("Powers of ten upwards"))
        self.losses.setAccessibleName(self.tr("Loss, round by round"))
        self.paths.setAccessibleName(self.tr("Parameters, round by round"))
        self.new.setText(self.tr("Another training loop"))
        self.map.retranslate()
        self.form.retranslate()

    def restyle(self) -> None:
        """Sizes of the text size in use."""
        self.form.restyle()
        self.map.restyle()

    def show_form(self) -> None:
        """Show the form and put the focus into it."""
        self.new.setChecked(True)
        self.is_stale = True
        self.catch_up()
        self.form.loss.setFocus()

    # ------------------------------------------------------------ build

    def _make_controls(self) -> None:
        self.run = QWidget(self)
        self.first = FlatButton("training.startOver", "start-over", self.training.start_over, self, ICON)
        self.back = FlatButton("training.previousRound", "step-back", self._step_back, self, ICON)
        self.play = FlatButton("training.play", "play", self.training.toggle, self, ICON)
        self.on = FlatButton("training.nextRound", "step-forward", self._step_on, self, ICON)
        self.all = FlatButton("training.runAll", "to-now", self.training.run_all, self, ICON)
        self.where = QLabel(self)
        self.where.setObjectName("training.where")
        self.where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.speed = QComboBox(self)
        self.speed.setObjectName("training.speed")
        for speed in settings.ROUND_SPEEDS:
            self.speed.addItem("", speed)
        self.speed.setCurrentIndex(self.speed.findData(self.training.speed))
        self.speed.activated.connect(self._on_speed)

    def _make_hint(self) -> None:
        self.hint = QWidget(self)
        self.hint.setObjectName("training.hint")
        self.hint_words = QLabel(self.hint)
        self.hint_words.setObjectName("training.hint.words")
        self.hint_words.setWordWrap(True)
        self.mend = ElidedButton(self.hint)
        self.mend.setObjectName("training.zeroGrad")
        self.mend.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.mend.clicked.connect(self._mend)
        column = QVBoxLayout(self.hint)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.hint_words)
        column.addWidget(self.mend)

    def _make_plots(self) -> None:
        self.losses, self.paths = Plot("training.lossPlot", self), Plot("training.parameterPlot", self)
        for plot in (self.losses, self.paths):
            plot.chosen.connect(self.training.look_at_round)
            plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            plot.customContextMenuRequested.connect(self._show_menu)
        self.log = QCheckBox(self.losses)
        self.log.setObjectName("training.log")
        self.log.toggled.connect(self.schedule)
        self.losses.set_corner(self.log)
        self.map = LossMap(self.document, self.training, self)
        self.new = QPushButton(self)
        self.new.setObjectName("training.new")
        self.new.setCheckable(True)
        self.new.toggled.connect(self.schedule)

    def _arrange(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(scaled(2))
        for widget in (self.first, self.back, self.play, self.on, self.all):
            controls.addWidget(widget)
        controls.addStretch(1)
        controls.addWidget(self.speed)
        inside = QVBoxLayout(self.run)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(scaled(3))
        inside.addLayout(controls)
        inside.addWidget(self.where)
        inside.addWidget(self.hint)
        inside.addWidget(self.losses, 1)
        inside.addWidget(self.paths, 1)
        inside.addWidget(self.map, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[scaled(8)] * 4)
        column.addWidget(self.run, 1)
        column.addWidget(self.new)
        column.addWidget(self.form)

    # ------------------------------------------------------------ follow

    def _follow_rounds(self) -> None:
        training, number = self.training, self.training.number
        total = training.rounds
        words = self.tr("round {n} of {total}").format(n=number, total=total)
        if self.document.is_running:
            words = self.tr("runs: round {n} of {total}").format(n=training.begun, total=total)
        elif self.document.session.is_held:
            first, later = self.tr("waits before round 1 of {total}"), self.tr("waits after round {n} of {total}")
            words = (later if training.begun else first).format(n=training.begun, total=total)
        self.where.setText(words)
        self.where.setToolTip(words)
        playing = training.is_playing
        words = self.tr("Pause") if playing else self.tr("Play round by round")
        self.play.setIcon(icons.icon("pause" if playing else "play"))
        self.play.say(words)
        self.back.setEnabled(number > 0)
        self.on.setEnabled(number < total)

    def _follow_curves(self, loop: int) -> None:
        program, history = self.document.program, self.training.history
        roots = _roots(program, loop)
        shown = {series: column for series, column in history.results.items() if series.statement in roots}
        number, total = self.training.number, self.training.rounds
        begin = 0 if history.parameters else 1  # a round lies at one place in both plots
        losses = list(_curves(program, shown or history.results, {}))
        self.losses.show_curves(losses, total, number, self.log.isChecked(), begin)
        first = dict(sorted(history.parameters.items(), key=lambda pair: pair[0].element))
        shapes = {id_: _shape(self.document, id_) for id_ in {series.statement for series in first}}
        paths = {series: history.path(series) for series in first}
        curves = [replace(curve, first=0) for curve in _curves(program, paths, shapes)]
        self.paths.show_curves(curves, total, number)
        names = dict(
            zip((series for series in first if series.statement in program), (c.name for c in curves), strict=False)
        )
        self.map.follow(next((Ref(id_) for id_ in roots if id_ in program), None), names)

    def _follow_sums(self, loop: int) -> None:
        """Say that gradients of several rounds are summed up, and offer the line that would zero them."""
        program, history, number = self.document.program, self.training.history, self.training.number
        at = min(number, len(history)) - 1
        counts = {leaf: counts[at] for leaf, counts in history.sums.items() if at >= 0 and leaf in program}
        per_round = max(1, sum(s.kind is Kind.BACKWARD for s in body_of(program, loop)))
        summed = tuple(leaf for leaf, count in counts.items() if count > per_round)
        self._summed = (loop, summed) if summed else None
        self.hint.setVisible(bool(summed))
        if not summed:
            return
        names = ", ".join(f"{program[leaf].name}.grad" for leaf in summed)
        words = self.tr("Nothing zeroes the gradients: by now {n} of them are added up in {names}.")
        self.hint_words.setText(words.format(names=names, n=max(counts.values())))
        lines = making.zero_lines(program, loop, summed)
        self.mend.setText("; ".join(emit.statement_text(program, line) for line in lines))
        self.mend.setToolTip(self.tr("Insert this before the backward"))

    # ------------------------------------------------------------ slots

    def _step_back(self) -> None:
        self.training.step(-1)

    def _step_on(self) -> None:
        self.training.step(1)

    def _on_speed(self, index: int) -> None:
        self.training.set_speed(settings.ROUND_SPEEDS[index])

    def _mend(self) -> None:
        self.catch_up()  # an edit may just have taken the loop away
        if self._summed is None:
            return
        loop, leaves = self._summed

        def inserted(sheet: Sheet) -> Change:
            return making.insert_zeroing(sheet, loop, leaves)

        self.document.do(inserted, self.tr("Zero the gradients in each round"))

    def _show_menu(self, at: QPoint) -> None:
        plot = self.sender()
        if not isinstance(plot, Plot):
            return
        menu = QMenu(self)
        menu.setObjectName("training.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy the numbers (CSV)"), plot.copy_numbers).setObjectName("training.menu.copyNumbers")
        menu.addAction(self.tr("Copy the picture"), plot.copy_picture).setObjectName("training.menu.copyPicture")
        menu.popup(plot.mapToGlobal(at))


def _roots(program: Program, loop: int) -> set[int]:
    """What the backwards of a loop start from."""
    backwards = (s for s in body_of(program, loop) if s.kind is Kind.BACKWARD)
    return {program.maker(ref).statement for s in backwards for ref in s.operands if isinstance(ref, Ref)}


def _shape(document: Document, id_: int) -> tuple[int, ...]:
    tensor = document.state.tensor(id_)
    return () if tensor is None else tensor.shape


def _curves(
    program: Program, columns: Mapping[Series, object], shapes: Mapping[int, tuple[int, ...]]
) -> Iterator[Curve]:
    """The first few columns as curves, each named after its tensor and, where there are several, its element."""
    known = [(series, column) for series, column in columns.items() if series.statement in program]
    for style, (series, column) in enumerate(known[:MOST_CURVES]):
        name, shape = program[series.statement].name, shapes.get(series.statement, ())
        if prod(shape) > 1:
            name += f"[{', '.join(str(int(at)) for at in np.unravel_index(series.element, shape))}]"
        yield Curve(name, np.array(column, float), style)
