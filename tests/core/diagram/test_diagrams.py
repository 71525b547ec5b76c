"""Diagrams as text: what they say, and that whatever a name or a value holds, they stay readable to their tools."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalkgrad import diagram, ops
from chalkgrad.diagram import dot, mermaid, tikz
from chalkgrad.engine.record import OPS
from chalkgrad.program.board import Board, Place
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import Saved, State, StatementState, Status, TensorState

NASTY = 'a"b\\c<d>&{e}[f]|g#h%i$j_k^l~m`n\n中文'


def leaf(id_, name, grad=True):
    options = (("requires_grad", True),) if grad else ()
    return Statement(id_, Kind.LEAF, "tensor", (name,), ((1.0,),), options)


def op(id_, call, name, *operands, style="function"):
    return Statement(id_, Kind.OP, call, (name,), operands, style=style)


def program(*statements):
    return Program({s.id: s for s in statements}, tuple(s.id for s in statements))


COURSE = program(
    leaf(1, "w"),
    leaf(2, "x", grad=False),
    op(3, "add", "a", Ref(1), Ref(2)),
    op(4, "add", "b", Ref(1), 1),
    op(5, "mul", "y", Ref(3), Ref(4)),
    Statement(6, Kind.BACKWARD, "backward", (), (Ref(5),), style="method"),
)


def tensor(number, value, grad=None, grad_fn=None, requires_grad=True):
    array = np.array(value, dtype=np.float32)
    held = None if grad is None else tensor(90 + number, grad, requires_grad=False)
    saved = Saved.NONE if grad_fn is None else Saved.KEPT
    return TensorState(
        number, array.shape, "float32", array, grad_fn is None, requires_grad, False, 0, grad_fn, held, saved
    )


def state(covered=None):
    made = {
        1: tensor(1, [1.0], grad=[5.0]),
        2: tensor(2, [2.0], requires_grad=False),
        3: tensor(3, [3.0], grad_fn="AddBackward0"),
        4: tensor(4, [2.0], grad_fn="AddBackward0"),
        5: tensor(5, [6.0], grad_fn="MulBackward0"),
    }
    return State(9, {id_: StatementState(Status.OK, (held,)) for id_, held in made.items()}, covered=covered)


def test_operators_are_known():
    assert {"add", "mul"} <= set(OPS)
    assert ops


def test_cards_say_what_the_canvas_says():
    plain = {card.name: card for card in diagram.cards(COURSE)}
    assert [card.title for card in plain.values()] == ["w", "x", "a = w + x", "b = w + 1", "y = a * b"]
    assert [card.style for card in plain.values()] == ["parameter", "leaf", *["intermediate"] * 3]
    known = {card.name: card for card in diagram.cards(COURSE, state())}
    assert known["w"].rows() == ["w", "[1.]", "grad [5.]"]
    assert known["x"].rows() == ["x", "[2.]"]
    assert known["y"].rows() == ["y = a * b", "[6.]", "grad None", "Mul"]


def test_covered_gradients_stay_covered():
    known = diagram.cards(COURSE, state(covered=lambda number: number == 1))
    assert known[0].grad == "?"
    for text in (diagram.to_dot, diagram.to_mermaid, diagram.to_json):
        assert "5." not in text(COURSE, state(covered=lambda _: True))


def test_wires_are_thick_where_a_gradient_will_flow():
    thick = {(wire.source, wire.target): wire.requires_grad for wire in diagram.wires(COURSE)}
    assert thick == {(1, 3): True, (2, 3): False, (1, 4): True, (3, 5): True, (4, 5): True}


def test_a_detached_wire_is_thin_and_says_so():
    made = program(leaf(1, "w"), op(2, "detach", "", Ref(1), style="method"), op(3, "mul", "y", Ref(2), 2))
    assert diagram.wires(made) == [diagram.Wire(1, 3, 0, False, ".detach()")]
    assert 'label=".detach()"' in diagram.to_dot(made)


def dot_statements(text):
    """DOT's nodes and edges, with every quoted string taken for one word."""
    assert text.startswith("digraph ")
    assert text.endswith("}\n")
    body = text[text.index("{") + 1 : -2]
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', "S", body)
    assert '"' not in plain
    assert plain.count("[") == plain.count("]")
    nodes = re.findall(r"^\s*(n\d+) \[label=S", plain, re.MULTILINE)
    edges = re.findall(r"(n\d+) -> (n\d+)", plain)
    return nodes, edges


def test_dot():
    nodes, edges = dot_statements(diagram.to_dot(COURSE, state()))
    assert nodes == ["n1", "n2", "n3", "n4", "n5"]
    assert edges == [("n1", "n3"), ("n2", "n3"), ("n1", "n4"), ("n3", "n5"), ("n4", "n5")]
    assert r'label="y = a * b\n[6.]\ngrad None\nMul"' in diagram.to_dot(COURSE, state())


@given(st.text())
def test_a_dot_string_reads_back(text):
    quoted = dot.quoted(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', quoted, re.DOTALL)
    back = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], quoted[1:-1], flags=re.DOTALL)
    assert back == text


def test_mermaid():
    lines = diagram.to_mermaid(COURSE, state()).splitlines()
    assert lines[0] == "flowchart LR"
    assert '  n1["w<br/>#91;1.#93;<br/>grad #91;5.#93;"]:::parameter' in lines
    assert "  n1 ==> n3" in lines
    assert "  n2 --> n3" in lines
    styles = {line.split()[1] for line in lines if line.startswith("  classDef")}
    assert styles == {"leaf", "parameter", "intermediate"}


@given(st.text())
def test_mermaid_reads_back(text):
    escaped = mermaid.escaped(text)
    assert not set(escaped.replace("<br/>", "")) & set('"&<>`[]()|\\\n')
    back = re.sub(r"#(\d+);|<br/>", lambda m: chr(int(m[1])) if m[1] else "\n", escaped)
    assert back == text


def tex_is_balanced(text):
    depth = 0
    for mark in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        assert depth >= 0
    return depth == 0


def test_tikz():
    text = diagram.to_tikz(COURSE, state=state())
    assert tex_is_balanced(text)
    assert text.count(r"\node[") == 5
    assert text.count(r"\draw[->") == 5
    assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
    assert r"y = a * b\\{[}6.{]}" in text
    assert r"\documentclass" not in diagram.to_tikz(COURSE, document=False)


def test_tikz_draws_cards_where_they_lie():
    board = Board({("cards", id_): Place(id_ * 300.0, 16.0) for id_ in range(1, 6)})
    found = re.findall(r"\(n(\d)\) at \((\d+),(\d+)\)", diagram.to_tikz(COURSE, board))
    assert found == [(str(id_), str(id_ * 300), "16") for id_ in range(1, 6)]


@given(st.text())
def test_tikz_text_is_balanced_and_free_of_commands(text):
    escaped = tikz.escaped(text)
    assert tex_is_balanced(escaped)
    allowed = (
        r"\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textquotedbl)\{\}|\\[{}$&#%_]"
    )
    bare = re.sub(allowed, "", escaped)
    assert not re.search(r"[\\$&#%_^~]", bare)


def test_json():
    found = json.loads(diagram.to_json(COURSE, state()))
    assert [card["name"] for card in found["cards"]] == ["w", "x", "a", "b", "y"]
    assert found["cards"][4]["value"] == "[6.]"
    assert found["wires"][1] == {"source": 2, "target": 3, "port": 1, "requires_grad": False, "label": ""}


@pytest.mark.parametrize("write", [diagram.to_dot, diagram.to_mermaid, diagram.to_tikz, diagram.to_json])
def test_any_name_and_an_empty_program(write):
    assert write(Program())
    named = program(leaf(1, NASTY), op(2, "exp", "y", Ref(1)))
    text = write(named)
    if write is diagram.to_dot:
        assert dot_statements(text) == (["n1", "n2"], [("n1", "n2")])
    if write is diagram.to_tikz:
        assert tex_is_balanced(text)
    if write is diagram.to_json:
        assert json.loads(text)["cards"][0]["name"] == NASTY


def test_what_failed_has_no_value():
    failed = State(9, {3: StatementState(Status.FAILED)})
    cards = {card.id: card for card in diagram.cards(COURSE, failed)}
    assert cards[3].value is None
    assert cards[3].status == "failed"
    assert cards[5].status == "to come"
