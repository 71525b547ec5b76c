"""Every operator that the reader of code understands is found by the name that PyTorch has for it, and placed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt

from chalkgrad.engine.record import OPS
from chalkgrad.program import building
from chalkgrad.program.names import narrow
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import emit
from chalkgrad.source.calls import by_function, by_method
from chalkgrad.source.read import read_source
from chalkgrad_app import catalogue, fuzzy
from chalkgrad_app.canvas import known_names
from chalkgrad_app.canvas.offers import Request, offered

ENTER = Qt.Key.Key_Return


def type_into_quick_add(hands, typed):
    hands.canvas.quick_add_at(QPointF(420, 300))
    hands.type(typed)


def test_every_name_that_code_may_have_is_found(hands):
    document = hands.document
    offers = offered(Request(), document.program, document.state, "en")
    names = [name for name in (*by_function(), *by_method()) if not name.rpartition(".")[2].startswith("_")]
    assert len(names) > 900
    for name in names:
        wanted = catalogue.plain(name)
        assert any(wanted in entry.exact for entry in catalogue.ranked(name, offers)[:8]), name


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("permute", "permute"),
        ("torch.permute", "permute"),
        ("movedim", "movedim"),
        ("quantile", "quantile"),
        ("one_hot", "one_hot"),
        ("exp2_", "exp2_"),
        ("torch.linalg.svd", "linalg_svd"),
        ("linalg.solve", "linalg_solve"),
        ("contiguous", "to_contiguous"),
        ("expand", "expand"),
    ],
)
def test_what_the_palette_leaves_out_is_found_by_name(hands, typed, first):
    type_into_quick_add(hands, typed)
    assert hands.offered()[0] == first
    assert catalogue.signature(first).split("(")[0] in hands.canvas.quick.preview.text()


def test_what_is_left_out_comes_after_all_else_where_nothing_is_typed(hands):
    document = hands.document
    names = [entry.name for entry, _ in offered(Request(), document.program, document.state, "en")]
    rare = [catalogue.is_rare(name) for name in names]
    assert any(rare)
    assert rare == sorted(rare)


def test_rows_have_the_names_that_pytorch_has():
    labels = {entry.name: entry.label for entry in catalogue.rare_entries("en")}
    assert labels["to_float"] == "float"
    assert labels["linalg_svdvals"] == "svdvals"
    assert (labels["qr"], labels["linalg_qr"]) == ("qr", "linalg_qr")
    for label in labels.values():
        assert not catalogue.is_expression(label), label


def test_permute_is_placed_like_any_operator(course):
    course.click(course.header("a"))
    type_into_quick_add(course, "permute")
    assert "Puts the dimensions into another order" in course.canvas.quick.preview.text()
    course.key(ENTER)
    made = course.document.program[course.document.selected_statements[0]]
    assert (made.call, made.style) == ("permute", "method")


def test_a_permute_stays_as_it_is_typed(hands):
    type_into_quick_add(hands, "x = torch.ones(2, 3)")
    hands.key(ENTER)
    for line in ("y = x.permute(1, 0)", "z = x.T", "k = torch.permute(x, (1, 0))"):
        type_into_quick_add(hands, line)
        hands.key(ENTER)
        assert line in emit.program_text(hands.document.program)


@pytest.mark.parametrize("name", sorted(name for name in OPS if catalogue.is_rare(name)))
def test_each_is_placed_with_open_ports(name):
    built = building.operator(Sheet(), OPS[name], (), 0, None)
    program = Sheet().apply(built.change).program
    assert emit.line(program, built.ids[0])


def test_the_name_of_a_tensor_leads_to_its_card(course):
    document = course.document
    document.select([course.id("y")])
    before = course.lines()
    type_into_quick_add(course, "w")
    assert course.offered()[0] == "name:w"
    course.key(ENTER)
    assert course.lines() == before
    assert document.selected_statements == (course.id("w"),)
    course.canvas.quick_add_at(QPointF(420, 300))
    assert "name:w" not in course.offered()  # only where it was typed


def test_the_name_of_a_tensor_is_wired_to_the_input_that_waits(course):
    port = course.port("b", 1)
    course.drag(port, course.free())
    assert course.canvas.quick.isVisible()
    course.type("x")
    assert course.offered()[0] == "name:x"
    course.key(ENTER)
    assert course.lines()[3] == "b = torch.add(w, x)"
    assert course.document.undo_stack.count() == 1


@pytest.mark.parametrize(("typed", "first"), [("对数", "log"), ("指数", "exp"), ("平均", "mean")])
def test_of_names_in_chinese_the_shortest_comes_first(hands, typed, first):
    type_into_quick_add(hands, typed)
    assert hands.offered()[0] == first


def test_random_tensors_come_before_what_does_something_at_random(hands):
    type_into_quick_add(hands, "随机")
    offered = hands.offered()
    assert offered.index("randn") < offered.index("dropout")


def test_of_many_names_only_those_with_the_letters_typed_are_compared(monkeypatch):
    names = [f"a{number}" for number in range(50)]
    code = "import torch\n" + "".join(f"{name} = torch.ones(1)\n" for name in (*names, "my_loss", "Linear"))
    program, compared = read_source(code), []
    real = fuzzy.match

    def match(typed, text):
        compared.append(text)
        return real(typed, text)

    monkeypatch.setattr(fuzzy, "match", match)
    offers = [(entry, 0) for entry in known_names.entries(program, wires=False)]
    for typed in ("loss", "my loss", "my-loss", "myloss", "ml", "MY_LOSS"):
        compared.clear()
        assert [entry.label for entry in catalogue.ranked(typed, offers)] == ["my_loss"], typed
        assert set(compared) == {"my_loss"}, typed
    assert [entry.label for entry in catalogue.ranked("lnr", offers)] == ["Linear"]
    assert [entry.label for entry in catalogue.ranked("a4", offers)][:2] == ["a4", "a40"]
    assert not catalogue.ranked("zz", offers)


@pytest.mark.parametrize("typed", ["v", "K2", "ｖ"])
def test_a_short_name_that_nothing_has_is_a_new_tensor(course, typed):
    course.canvas.quick_add_at(QPointF(420, 300))
    course.type(typed)
    assert course.offered()[0] == "new tensor"
    assert "torch.tensor([1.]" in course.canvas.quick.preview.text()
    course.key(Qt.Key.Key_Return)
    assert not course.canvas.quick.isVisible()
    assert course.lines()[-1].startswith(f"{narrow(typed)} = torch.tensor([1.]")


@pytest.mark.parametrize(("typed", "first"), [("x", "name:x"), ("t", "t"), ("su", "sub")])
def test_a_name_that_something_has_and_the_beginning_of_one_mean_that(course, typed, first):
    course.canvas.quick_add_at(QPointF(420, 300))
    course.type(typed)
    assert course.offered()[0] == first
    assert "new tensor" not in course.offered()
