"""A Jacobian in the panel Why: a button with its size, and the matrix that it opens."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from chalkgrad.explain import Factor, Formula
from chalkgrad.explain.writing import atom, number
from chalkgrad_app.i18n import translate
from chalkgrad_app.panels.unfolding import as_link
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.number_table import NumberTable


class JacobianView(QWidget):
    """A button that names a Jacobian; under it, once pressed, the matrix, what its rows are weighted with, the sums.

    ``gradient`` is that of the target where the step leads there, ``is_root`` says that it begins at the root.
    """

    def __init__(
        self,
        factor: Factor,
        weights: np.ndarray | None,
        gradient: np.ndarray | None,
        is_root: bool,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        assert factor.jacobian is not None
        self._factor = factor
        self._jacobian = factor.jacobian
        self._weights = None if weights is None or weights.size != len(factor.jacobian) else weights.ravel()
        self._gradient = gradient
        self._is_root = is_root
        self._shown: QWidget | None = None
        rows, columns = factor.jacobian.shape
        self.button = QToolButton(self)
        self.button.setObjectName("why.jacobian")
        as_link(self.button)
        self.button.setText(translate("Why", "Jacobian, {rows} × {columns}").format(rows=rows, columns=columns))
        self.button.setAccessibleName(f"{self.button.text()}: {factor.symbol.plain}")
        self.button.toggled.connect(self._on_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(scaled(8), 0, 0, 0)
        column.addWidget(self.button)

    def _on_toggled(self, on: bool) -> None:
        layout = self.layout()
        if self._shown is None and layout is not None:
            self._shown = self._made()
            layout.addWidget(self._shown)
        if self._shown is not None:
            self._shown.setVisible(on)

    def _made(self) -> QWidget:
        """The matrix, and what it does to the weights."""
        shown = QWidget(self)
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        table = self._table(shown)
        QWidget.setTabOrder(self.button, table)
        column.addWidget(table)
        if self._weights is not None:
            label = QLabel(self._words(self._weights @ self._jacobian), shown)
            label.setObjectName("why.weighted")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            tint(label, "muted")
            column.addWidget(label)
        return shown

    def _table(self, parent: QWidget) -> NumberTable:
        """The matrix; with the weights in the first column and the weighted sum of its rows below."""
        of, by = self._factor.shapes
        rows, columns = _elements(self._factor.of.plain, of), _elements(self._factor.by.plain, by)
        texts = [[number(value).plain for value in line] for line in self._jacobian]
        if self._weights is not None:
            columns = ["v", *columns]
            texts = [[number(v).plain, *line] for v, line in zip(self._weights, texts, strict=True)]
            rows.append("vᵀ J")
            texts.append(["", *(number(value).plain for value in self._weights @ self._jacobian)])
        table = NumberTable(rows, columns, texts, parent)
        table.setAccessibleName(self.button.accessibleName())
        return table

    def _words(self, sums: np.ndarray) -> str:
        """What the weights are, and what becomes of the sums."""
        if self._is_root:
            weights = translate("Why", "v are the weights that the backward was given.")
        else:
            weights = translate("Why", "v is the gradient that arrived at {name}.").format(name=self._factor.of.plain)
        on = translate("Why", "Each row times its weight, added up column by column, is what goes on to {name}.")
        if self._gradient is not None and np.allclose(sums, self._gradient.ravel(), 1e-3, 1e-5, equal_nan=True):
            on = translate(
                "Why", "Each row times its weight, added up column by column: that is the gradient of {name}."
            )
        return f"{weights} {on.format(name=self._factor.by.plain)}"


def _elements(name: str, shape: tuple[int, ...]) -> list[str]:
    """What the elements of a tensor are called, as one writes it."""
    if math.prod(shape) == 1:
        return [name]
    return [f"{atom(Formula(name, name)).plain}[{', '.join(map(str, place))}]" for place in np.ndindex(shape)]
