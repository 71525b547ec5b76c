"""Finding cards: what is typed is shown, Enter and F3 go on, Escape goes back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import CTRL, SHIFT, key, settle

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import finding

Key = Qt.Key


def search_ends(window) -> None:
    while window.area.find_bar.is_searching:
        QApplication.processEvents()


def look_for(window, text: str) -> None:
    bar = window.area.find_bar
    bar.field.clear()
    if text.isascii():
        QTest.keyClicks(bar.field, text)
    else:  # from an input method
        typed = QInputMethodEvent()
        typed.setCommitString(text)
        QApplication.sendEvent(bar.field, typed)
    settle()
    search_ends(window)
    window.canvas.glide.finish()


def names(window) -> list[str]:
    program = window.document.program
    return [program[id_].name for id_ in window.area.find_bar.found]


def selected(window) -> list[str]:
    return [window.document.program[id_].name for id_ in window.document.selected_statements]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("w", ["w", "a", "b"]),  # the name itself, then the lines that read it
        ("mul", ["y"]),
        ("4", ["b"]),
        ("(1,)", ["w", "x", "a", "b", "y"]),
        ("Ｙ", ["y"]),
        ("= a * b", ["y"]),
        ("nobody", []),
        ("h", []),  # that of torch is in every line
        ("torch.mul", ["y"]),
    ],
)
def test_names_lines_operators_and_shapes_are_found(course_shown, typed, expected):
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, typed)
    assert names(course_shown)[: len(expected)] == expected or sorted(names(course_shown)) == sorted(expected)
    assert selected(course_shown) == expected[:1]
    words = course_shown.area.find_bar.count.text()
    assert words == (f"1 of {len(names(course_shown))}" if expected else "nothing")


def test_enter_and_f3_go_round(course_shown):
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, "torch.add")
    assert selected(course_shown) == ["a"]
    key(course_shown, Key.Key_Return)
    assert selected(course_shown) == ["b"]
    key(course_shown, Key.Key_F3)
    assert selected(course_shown) == ["a"]
    key(course_shown, Key.Key_F3, SHIFT)
    assert selected(course_shown) == ["b"]
    assert course_shown.area.find_bar.count.text() == "2 of 2"
    key(course_shown, Key.Key_Escape)
    assert course_shown.area.find_bar.isHidden()
    assert course_shown.focusWidget() is course_shown.canvas
    assert course_shown.document.program[course_shown.canvas.keyboard.card].name == "b"
    key(course_shown, Key.Key_F3)
    assert not course_shown.area.find_bar.isHidden()
    assert selected(course_shown) == ["a"]


def test_escape_keeps_what_was_typed_for_and_arrows_go_on_from_it(course_shown):
    canvas = course_shown.canvas
    course_shown.document.select([2])
    canvas.set_zoom_percent(20)
    canvas.pan_by(3000, 0)
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, "y")
    assert canvas.rect().contains(canvas.node_rect("y"))
    assert canvas.zoom_percent >= 70
    key(course_shown, Key.Key_Escape)
    canvas.glide.finish()
    assert course_shown.focusWidget() is canvas
    assert selected(course_shown) == ["y"]
    assert canvas.rect().contains(canvas.node_rect("y"))
    key(course_shown, Key.Key_Left)
    assert selected(course_shown)[0] in ("a", "b")


@pytest.mark.parametrize("typed", ["", "nobody"])
def test_escape_where_nothing_was_found_puts_everything_back(course_shown, typed):
    canvas = course_shown.canvas
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, "y")  # is there to be typed over next time
    key(course_shown, Key.Key_Escape)
    course_shown.document.select([2])
    canvas.set_zoom_percent(20)
    canvas.pan_by(3000, 0)
    corner = canvas.to_scene(canvas.rect().topLeft().toPointF())
    key(course_shown, Key.Key_F, CTRL)
    settle()
    search_ends(course_shown)
    if typed:
        look_for(course_shown, typed)
    key(course_shown, Key.Key_Escape)
    canvas.glide.finish()
    assert selected(course_shown) == ["x"]
    assert canvas.zoom_percent == pytest.approx(20)
    assert (canvas.to_scene(canvas.rect().topLeft().toPointF()) - corner).manhattanLength() < 10


@pytest.mark.parametrize("typed", ["line 4", "Line4", "行 4", "第 4 行", "第4行"])
def test_a_line_is_found_as_one_says_it(course_shown, typed):
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, typed)
    assert selected(course_shown) == ["b"]


PRODUCT = "import torch\nw = torch.ones(2, 2, requires_grad=True)\ny = w @ w\nz = (y / 2).sum()\n"


def test_an_operator_is_found_by_its_name_though_its_line_has_a_sign(window):
    window.document.begin(Sheet(read_source(PRODUCT)))
    settle(window)
    window.canvas.setFocus()
    key(window, Key.Key_F, CTRL)
    look_for(window, "matmul")
    assert selected(window) == ["y"]


def test_nodes_of_the_backward_graph_are_found_and_kept(window):
    window.document.begin(Sheet(read_source(PRODUCT)))
    settle(window)
    canvas, document = window.canvas, window.document
    canvas.setFocus()
    key(window, Key.Key_3, CTRL)
    settle(window)
    key(window, Key.Key_F, CTRL)
    look_for(window, "matmul")
    assert selected(window) == ["y"]
    for name in ("MmBackward0", "accumulategrad"):
        look_for(window, name)
        assert document.session.trace.nodes[document.node].name.casefold() == name.casefold()
        chosen = canvas.nodes.chosen()
        assert canvas.rect().contains(canvas.nodes.view_rect(chosen))
    key(window, Key.Key_Escape)
    assert window.focusWidget() is canvas
    assert canvas.nodes.chosen() == chosen


def test_what_is_found_does_not_lie_under_the_bar(course_shown):
    canvas, bar = course_shown.canvas, course_shown.area.find_bar
    key(course_shown, Key.Key_F, CTRL)
    canvas.zoom_100()
    under = canvas.node_rect("y").center() - bar.geometry().center()
    canvas.pan_by(-under.x(), -under.y())
    look_for(course_shown, "y")
    assert not canvas.node_rect("y").intersects(bar.geometry())


def test_it_follows_the_document(course_shown):
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, "torch.add")
    assert len(names(course_shown)) == 2
    course_shown.document.delete([4])
    settle(course_shown)
    search_ends(course_shown)
    assert names(course_shown) == ["a"]


def test_every_button_has_a_name_and_can_be_clicked(course_shown):
    key(course_shown, Key.Key_F, CTRL)
    look_for(course_shown, "torch.add")
    bar = course_shown.area.find_bar
    for button in (bar.previous, bar.next, bar.close_button):
        assert button.accessibleName()
    QTest.mouseClick(bar.next, Qt.MouseButton.LeftButton)
    assert selected(course_shown) == ["b"]
    QTest.mouseClick(bar.previous, Qt.MouseButton.LeftButton)
    assert selected(course_shown) == ["a"]
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert bar.isHidden()


def test_enter_while_the_search_goes_on_steps_when_it_is_over(window, monkeypatch):
    monkeypatch.setattr("chalkgrad_app.canvas.find_bar.SLICE_MS", 0)
    lines = "\n".join(f"x{n} = torch.tensor([{n}.])" for n in range(100))
    window.document.begin(Sheet(read_source(f"import torch\n{lines}\n")))
    settle(window)
    window.canvas.setFocus()
    key(window, Key.Key_F, CTRL)
    bar = window.area.find_bar
    QTest.keyClicks(bar.field, "x9")
    QTest.keyClick(bar.field, Key.Key_Return)
    assert bar.is_searching
    search_ends(window)
    assert selected(window) == ["x9"]
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert selected(window) == ["x9"]  # it was stepped to: Escape does not take it back


def test_a_name_comes_before_a_line_number_before_the_rest(window):
    lines = "\n".join(f"x{n} = torch.tensor([{n}.])" for n in range(30))
    window.document.begin(Sheet(read_source(f"import torch\n{lines}\n")))
    settle(window)
    document, picture = window.document, window.canvas.picture
    typed = finding.folded("X7 ")
    ranked = sorted(
        (rank, id_)
        for id_ in picture.ids
        if (rank := finding.rank(typed, finding.entry_of(document, picture, id_))) is not None
    )
    assert document.program[ranked[0][1]].name == "x7"
    typed = finding.folded("12")
    best = min(picture.ids, key=lambda id_: finding.rank(typed, finding.entry_of(document, picture, id_)) or (9, 9))
    assert document.program.lines[best] == 12


def test_an_operator_written_with_a_sign_is_found_by_its_name(window):
    window.document.begin(Sheet(read_source("import torch\nm = torch.ones(2, 2)\nc = m @ m\n")))
    settle(window)
    window.canvas.setFocus()
    key(window, Key.Key_F, CTRL)
    look_for(window, "matmul")
    assert names(window) == ["c"]
