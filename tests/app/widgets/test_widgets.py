"""The small widgets, each by itself."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from chalkgrad.engine.record import OPS
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.elided import ElidedButton
from chalkgrad_app.widgets.formula import formula_html, formula_picture
from chalkgrad_app.widgets.highlight import spans
from chalkgrad_app.widgets.message_edit import MessageEdit

LONG = "gw, gx = torch.autograd.grad(y, [w, x], grad_outputs=torch.tensor([1., 1.]))"


def test_a_long_line_is_elided_in_its_middle_and_whole_in_the_tooltip(qtbot):
    button = ElidedButton()
    qtbot.addWidget(button)
    button.setToolTip("What it does")
    button.setText(LONG)
    button.resize(200, 24)
    button.show()
    assert "…" in button.text()
    assert button.text().startswith("gw")
    assert button.text().endswith(")")
    assert button.toolTip() == f"{LONG}\nWhat it does"
    assert (button.line(), button.accessibleName()) == (LONG, LONG)
    button.resize(900, 24)
    assert button.text() == LONG


def test_of_several_statements_the_first_is_whole(qtbot):
    button = ElidedButton()
    qtbot.addWidget(button)
    line = "a.retain_grad(); b.retain_grad(); c.retain_grad()"
    button.setText(line)
    button.resize(190, 24)
    button.show()
    assert button.text() == "a.retain_grad(); …"
    assert (button.line(), button.toolTip()) == (line, line)
    button.resize(600, 24)
    assert button.text() == line


def test_room_grows_with_the_text_size(qtbot, qapp):
    button = ElidedButton()
    qtbot.addWidget(button)
    button.set_room(200)
    button.setText(LONG)
    button.show()
    try:
        narrow = button.sizeHint().width()
        theme.apply(qapp, theme.load("light"), 200)
        assert narrow == 200
        assert button.sizeHint().width() == 400
    finally:
        theme.apply(qapp, theme.load("light"), 100)


def test_an_ampersand_is_no_shortcut(qtbot):
    button = ElidedButton()
    qtbot.addWidget(button)
    button.resize(300, 24)
    button.setText("a & b")
    button.show()
    assert button.text() == "a && b"


def test_a_field_says_what_is_wrong_under_it(qtbot):
    edit = MessageEdit("some.field")
    qtbot.addWidget(edit)
    edit.show()
    assert not edit.message.isVisible()
    edit.say("No")
    assert (edit.message.isVisible(), edit.field.accessibleDescription()) == (True, "No")
    edit.say("")
    assert not edit.message.isVisible()
    QTest.keyClicks(edit.field, " 1 ")
    assert edit.text() == "1"


@pytest.mark.parametrize(
    "line, coloured",
    [
        (
            "w = torch.tensor([1., 2e-5], requires_grad=True)  # a",
            {"tensor": "call", "1.": "number", "2e-5": "number", "True": "keyword", "# a": "comment"},
        ),
        ('print("grad # 1", w.grad)', {"print": "call", '"grad # 1"': "string"}),
        ("a1 = x2 @ y.T", {}),
        ("with torch.no_grad():", {"with": "keyword", "no_grad": "call"}),
    ],
)
def test_code_is_coloured_by_its_tokens(line, coloured):
    found = {line[start : start + length]: role for start, length, role in spans(line)}
    assert found == {text: f"code_{role}" for text, role in coloured.items()}
    for role in found.values():
        assert theme.load("light").color(role).isValid()


def test_every_formula_of_the_table_can_be_set(qtbot):
    for record in OPS.values():
        if not record.hidden:
            image = formula_picture(record.formula({name: name for name in record.inputs}), "#102030", 16).image
            inked = {image.pixelColor(x, y).alpha() for x in range(image.width()) for y in range(image.height())}
            assert max(inked) > 200, record.name


def test_a_formula_is_a_picture_in_rich_text(qtbot):
    shown = formula_html(r"\frac{self}{other}", "#102030", 16)
    assert shown.startswith("<img width=")
    assert "base64," in shown
    assert formula_html("", "#102030", 16) == ""


def test_of_several_statements_a_button_with_little_room_is_as_wide_as_the_first(qtbot):
    button = ElidedButton()
    qtbot.addWidget(button)
    button.set_room(240)
    button.setText("w.grad = None")
    alone = button.sizeHint().width()
    button.setText("w.grad = None; " + "; ".join(f"w{number}.grad = None" for number in range(20)))
    assert button.text() == "w.grad = None; …"
    assert alone < button.sizeHint().width() < alone + 40
