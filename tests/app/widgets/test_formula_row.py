"""A formula as a row of pictures: whatever an expression of the program consists of."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
from PySide6.QtGui import QImage, QTextDocument

from chalkgrad.explain.writing import EQUALS, Formula, counted, matrix, name, product_pieces, quotient
from chalkgrad_app.widgets import formula_row
from chalkgrad_app.widgets.formula_row import FormulaRow

SIGNS = ["a % b", "x < 3", "x > 3", "a ^ b", "a & b", "~m", "{1: 2}", "a_b", "x[0] * y", "a$b"]


@pytest.mark.parametrize("text", SIGNS)
def test_every_sign_of_an_expression_is_set(qapp, text):
    row = FormulaRow([quotient(name(text), counted("#7"))], None)
    while not row.set_next():
        pass
    assert row.text().count("<img") == 1
    assert "#7" not in row.text(), "no plain text stands amid set fractions"


def test_signs_beside_words_are_seen(qapp):
    """What the library leaves out would leave the same picture."""
    widths = []
    for text in ("x < 3", "x  3"):
        row = FormulaRow([name(text)], None)
        while not row.set_next():
            pass
        widths.append(row.sizeHint().width())
    assert widths[0] > widths[1]


def test_a_matrix_is_set_entry_by_entry(qtbot, monkeypatch):
    calls = []
    known = formula_row.formula_picture
    monkeypatch.setattr(formula_row, "formula_picture", lambda *given: calls.append(given[0]) or known(*given))
    row = FormulaRow([EQUALS, matrix(np.arange(24.0).reshape(6, 4) / 7)], None)
    qtbot.addWidget(row)
    before, is_set = 0, False
    while not is_set:
        is_set = row.set_next()
        assert len(calls) - before <= 1
        before = len(calls)
    assert len(calls) == 25
    assert row.text().count("<img") == 2


def ink(row):
    """Which pixels of the last picture of a row are inked, by rows."""
    data = re.findall(r"base64,([^\"]+)", row.text())[-1]
    image = QImage.fromData(base64.b64decode(data))
    return [[image.pixelColor(x, y).alpha() > 100 for x in range(image.width())] for y in range(image.height())]


@pytest.mark.parametrize(("shape", "brackets"), [((2, 3), 1), ((2, 2, 3), 2), ((2, 1, 2, 3), 3)])
def test_what_has_more_dimensions_stands_in_brackets_within_brackets(qtbot, shape, brackets):
    row = FormulaRow([matrix(np.zeros(shape) + 1)], None)
    qtbot.addWidget(row)
    while not row.set_next():
        pass
    inked = ink(row)
    lines = [all(line[x] for line in inked[len(inked) // 4 : len(inked) // 4 + 8]) for x in range(len(inked[0]))]
    strokes = sum(now and not before for before, now in zip([False, *lines], lines, strict=False))
    assert strokes >= 2 * brackets, "brackets at either side"
    assert all(row[0] for row in inked), "the outer one is as high as all"
    assert all(row[-1] for row in inked)


def lines_of(row):
    """The terms of a row as they stand, line by line."""
    document = QTextDocument()
    document.setDefaultFont(row.font())
    document.setDocumentMargin(0)
    document.setHtml(row.text())
    document.setTextWidth(row.width())
    document.documentLayout().documentSize()  # lays it out
    layout = document.firstBlock().layout()
    text = document.firstBlock().text()
    found, places = [], [at for at, sign in enumerate(text) if sign == "\ufffc"]
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        within = range(line.textStart(), line.textStart() + line.textLength())
        found.append([row.terms[at].plain for at, place in enumerate(places) if place in within])
    return found


def test_a_sum_breaks_before_a_plus_and_within_a_product_only_where_that_has_no_room(qtbot):
    parts = [quotient(name(of), name(by)) for of, by in ("zy", "yx", "xw")]
    pieces = product_pieces(parts)
    plus = Formula(rf"+ \, {pieces[0].latex}", f"+ {pieces[0].plain}")
    row = FormulaRow([*pieces, plus, *pieces[1:], plus, *pieces[1:]], None)
    qtbot.addWidget(row)
    while not row.set_next():
        pass
    row.show()
    one = [term.plain for term in pieces]
    more = [f"+ {one[0]}", *one[1:]]
    row.resize(1000, 100)
    assert lines_of(row) == [[*one, *more, *more]]
    whole = QTextDocument()
    whole.setDefaultFont(row.font())
    whole.setDocumentMargin(0)
    whole.setHtml(row.text())
    row.resize(round(whole.idealWidth() * 0.45), 100)
    assert lines_of(row) == [one, more, more]
    row.resize(round(whole.idealWidth() * 0.25), 100)
    assert [line[0] for line in lines_of(row) if line[0].startswith("+")] == [more[0]] * 2, "each begins a line"
    assert len(lines_of(row)) > 3
