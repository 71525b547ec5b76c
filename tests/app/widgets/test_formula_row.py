"""A formula as a row of pictures: whatever an expression of the program consists of."""

from __future__ import annotations

import pytest

from chalkgrad.explain.writing import counted, name, quotient
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
        row.set_next()
        widths.append(row.sizeHint().width())
    assert widths[0] > widths[1]
