from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.sheets import FORWARD

from chalkgrad.program import edits
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Program
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import Saved, State, Status
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.card import Hue, face
from chalkgrad_app.picture.card_parts import error_words
from chalkgrad_app.picture.look import card_words
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")


def run(program: Program) -> State:
    session = Session(program)
    session.finish()
    return session.trace.state()


def picture_of(source: str, board: Board | None = None) -> Picture:
    program = read_source(source)
    picture = Picture()
    picture.update(program, board or Board(), run(program))
    return picture


def ids(picture: Picture) -> dict[str, int]:
    return {s.name: s.id for s in picture.program if s.name}


def faces(source: str) -> dict[str, object]:
    picture = picture_of(source)
    return {name: picture.face(id_) for name, id_ in ids(picture).items() if id_ in picture.index}


def test_the_course_example_has_five_cards_and_five_wires() -> None:
    picture = picture_of(FORWARD)
    named = ids(picture)
    assert picture.ids == [named[name] for name in "wxaby"]
    found = {(wire.source, wire.target, wire.port) for wire in picture.wires}
    assert found == {
        (named["w"], named["a"], 0),
        (named["x"], named["a"], 1),
        (named["w"], named["b"], 0),
        (named["a"], named["y"], 0),
        (named["b"], named["y"], 1),
    }


def test_thick_wires_are_those_through_which_gradient_will_flow() -> None:
    picture = picture_of(FORWARD)
    named = ids(picture)
    thick = {(w.source, w.target) for w, is_thick in zip(picture.wires, picture.thick, strict=True) if is_thick}
    assert thick == {(named[s], named[t]) for s, t in ("wa", "wb", "ay", "by")}


def test_cards_say_the_facts_in_the_words_of_the_course() -> None:
    said = faces(FORWARD + "a.retain_grad()\ny.backward()\n")
    assert (said["w"].digits, said["w"].hue, said["w"].leaf, said["w"].requires_grad) == (1, Hue.LEAF_GRAD, True, True)
    assert said["w"].rows[0].value.lines == ("[1.]",)
    assert said["w"].rows[0].grad.value.lines == ("[5.]",)
    assert said["w"].foot is None
    assert said["x"].hue is Hue.LEAF
    assert said["x"].rows[0].grad is None
    assert (said["y"].expression, said["y"].hue, said["y"].leaf) == ("a * b", Hue.INTERMEDIATE, False)
    assert said["y"].rows[0].grad.value is None
    assert (said["y"].foot.name, said["y"].foot.saved, said["y"].foot.count) == ("Mul", Saved.FREED, 2)
    assert (said["a"].foot.saved, said["a"].rows[0].grad.kept) == (Saved.NOTHING, True)
    assert said["a"].rows[0].grad.value.lines == ("[2.]",)
    assert [(f.port, f.text) for f in said["b"].fields] == [(1, "1")]


def test_accumulated_gradients_say_how_often() -> None:
    said = faces(FORWARD + "y.backward(retain_graph=True)\ny.backward()\n")
    assert said["w"].rows[0].grad.times == 2
    assert said["w"].rows[0].grad.value.lines == ("[10.]",)


def test_cards_have_the_sizes_of_the_design() -> None:
    picture = picture_of(FORWARD)
    named = ids(picture)
    for name in "aby":
        rect = picture.rect(named[name])
        assert (rect.width(), rect.height()) == (176, 96)
    assert picture.rect(named["w"]).height() == 80
    assert picture.rect(named["x"]).height() == 56


def test_cards_grow_with_what_they_show() -> None:
    picture = picture_of("import torch\nm = torch.eye(4, requires_grad=True)\nv = torch.ones(64, 784)\n")
    named = ids(picture)
    matrix, large = picture.rect(named["m"]), picture.rect(named["v"])
    assert matrix.height() > 96
    assert matrix.width() >= 176
    assert large.height() > 80
    assert large.width() % 8 == 0


def test_an_in_place_operator_is_a_card_that_later_readers_are_wired_to() -> None:
    picture = picture_of("import torch\na = torch.ones(2)\nb = a * 1\nb.add_(1)\nc = b * 2\n")
    named = ids(picture)
    writer = next(s.id for s in picture.program if s.call == "add_")
    assert (named["b"], writer) in {(w.source, w.target) for w in picture.wires}
    assert {w.source for w in picture.wires if w.target == named["c"]} == {writer}
    said = picture.face(writer)
    assert said.in_place
    assert "add_" in said.expression
    assert said.rows[0].version == 1


def test_detach_and_data_are_tags_and_grad_starts_at_its_row() -> None:
    picture = picture_of(FORWARD + "y.backward()\nd = y.detach() * 2\ne = w.data * 2\ng = w.grad\n")
    named = ids(picture)
    wires = {w.target: w for w in picture.wires}
    assert wires[named["d"]].source == named["y"]
    assert wires[named["d"]].tags == (".detach()",)
    assert wires[named["e"]].tags == (".data",)
    assert wires[named["g"]].from_grad
    row = picture.wires.index(wires[named["g"]])
    grad_port = next(p for p in picture.ports(named["w"]) if p.kind == "grad")
    assert picture.ends[row, 1] == grad_port.y
    assert not picture.thick[picture.wires.index(wires[named["d"]])]


def test_zeroing_a_gradient_is_no_card() -> None:
    program = read_source(FORWARD + "y.backward()\nw.grad.zero_()\n")
    assert not has_card(program, next(s for s in program if s.call == "zero_"))


def test_what_has_not_run_is_dotted_and_keeps_its_size() -> None:
    program = read_source(FORWARD)
    session = Session(program)
    session.finish()
    picture = Picture()
    picture.update(program, Board(), session.trace.state())
    before = picture.h.copy()
    named = ids(picture)
    picture.update(program, Board(), session.trace.state(session.trace.end_of(named["x"])))
    assert picture.face(named["y"]).status is Status.TO_COME
    assert picture.facts[picture.index[named["y"]]] & Fact.GHOST
    assert not picture.facts[picture.index[named["w"]]] & Fact.GHOST
    np.testing.assert_array_equal(picture.h, before)
    assert picture.dotted[-1]


OVERWRITTEN = """import torch
x = torch.ones(2, requires_grad=True)
a = x * 3
y = a * a
a.add_(1)
z = y.exp()
z.sum().backward()
"""


def test_wires_along_which_an_error_came_are_told_from_others() -> None:
    program = replace(read_source(OVERWRITTEN), stops=False)
    session = Session(program)
    session.finish()
    picture = Picture()
    picture.update(program, Board(), session.trace.state())
    names = {id_: program[id_].name or program[id_].call for id_ in program.order}
    wires = {(names[wire.source], names[wire.target]): row for row, wire in enumerate(picture.wires)}
    faulty = {ends for ends, row in wires.items() if picture.faulty[row]}
    assert faulty == {
        ("a", "y"),
        ("a", "add_"),
    }  # one saved what the other wrote; the way on to the root is not at fault
    picture.update(program, Board(), session.trace.state(session.trace.end_of(ids(picture)["z"])))
    assert not picture.faulty.any()


def test_an_open_port_waits() -> None:
    program = Program(
        {
            1: Statement(1, Kind.LEAF, "tensor", ("w",), ((1.0,),)),
            2: Statement(2, Kind.OP, "add", ("a",), (Ref(1), EMPTY)),
        },
        (1, 2),
    )
    said = face(program, run(program), 2)
    assert said.status is Status.WAITING
    assert [(f.port, f.text) for f in said.fields] == [(1, "")]
    assert said.anatomy.height == 96


def test_an_error_shows_on_the_card_at_fault_with_its_first_line() -> None:
    picture = picture_of(FORWARD + "y.backward()\ny.backward()\n")
    said = picture.face(ids(picture)["y"])
    assert said.error.startswith("Trying to backward through the graph a second time")
    assert "\n" not in said.error
    assert said.at_fault
    assert picture.facts[picture.index[ids(picture)["y"]]] & Fact.ERROR


def test_in_a_conflict_of_versions_each_card_says_what_was_done_there() -> None:
    source = "a = w * 2\nb = a * a\na.add_(1)\na.add_(1)\nc = b.sum()\nc.backward()\n"
    picture = picture_of("import torch\nw = torch.tensor([1., 2.], requires_grad=True)\n" + source)
    program = picture.program
    writer, saver = (next(s.id for s in reversed(list(program)) if s.call == call) for call in ("add_", "mul"))
    root = ids(picture)["c"]
    english = [error_words(picture.face(id_), card_words("en")) for id_ in (writer, saver, root)]
    assert english[:2] == ["wrote v2", "saved v0"]
    assert english[2].startswith("one of the variables needed for gradient computation")
    chinese = [error_words(picture.face(id_), card_words("zh_CN")) for id_ in (writer, saver)]
    assert chinese == ["改写为 v2", "保存了 v0"]


def test_covered_gradients_are_not_in_the_faces_far_marks() -> None:
    program = read_source(FORWARD + "y.backward()\n")
    state = run(program)
    covered = State(**{**vars(state), "covered": lambda _number: True})
    picture = Picture()
    picture.update(program, Board(), covered)
    row = picture.index[ids(picture)["w"]]
    assert picture.face(ids(picture)["w"]).rows[0].grad.covered
    assert picture.facts[row] & Fact.COVERED
    assert not picture.facts[row] & Fact.GRAD


def test_a_card_that_comes_back_says_what_it_said() -> None:
    picture = picture_of(FORWARD)
    program, board, state, y = picture.program, picture.board, picture.state, ids(picture)["y"]
    before = picture.look_at_face(y).serial
    removal = remove(Sheet(program, board), [y])
    fewer = program.apply(removal.change)
    picture.update(fewer, board, run(fewer))
    assert y not in picture.ids
    picture.update(program, board, state)
    assert picture.look_at_face(y).serial == before


def test_faces_that_say_the_same_keep_their_serial() -> None:
    picture = picture_of(FORWARD)
    named = ids(picture)
    before = {name: picture.look_at_face(id_).serial for name, id_ in named.items()}
    program = read_source(FORWARD.replace("[2.]", "[3.]"))
    picture.update(program, Board(), run(program))
    after = {name: picture.look_at_face(id_).serial for name, id_ in named.items()}
    assert {name for name in named if before[name] != after[name]} == {"x", "a", "y"}
    assert picture.changed == {named["x"], named["a"], named["y"]}


def test_shift_moves_cards_and_their_wires_until_the_board_is_set() -> None:
    board = Board({("cards", id_): Place(100.0 * id_, 0.0) for id_ in range(1, 6)}, {9: Note(9, (("", "n"),), 0, 200)})
    picture = picture_of(FORWARD, board)
    named = ids(picture)
    ends = picture.ends.copy()
    picture.shift([named["a"], 9], 8.0, 16.0)
    assert picture.rect(named["a"]).top() == 16
    assert picture.notes[0].y == 216
    moved = picture.wires_of([named["a"]])
    assert len(moved) == 3
    assert not np.array_equal(picture.ends[moved], ends[moved])
    picture.shift((), 0.0, 0.0)
    np.testing.assert_array_equal(picture.ends, ends)


def test_a_block_frames_its_cards_and_bounds_take_in_notes_and_frames() -> None:
    board = Board(frames={40: Frame(40, "Inputs", -500, -50, 100, 80)})
    picture = picture_of("import torch\nw = torch.ones(1)\nwith torch.no_grad():\n    c = w * 2\n", board)
    block = next(frame for frame in picture.frames if frame.block)
    assert block.title == "no_grad"
    assert block.rect.contains(picture.rect(ids(picture)["c"]))
    assert not block.rect.contains(picture.rect(ids(picture)["w"]))
    assert picture.bounds().left() == -500


def test_cards_without_a_place_do_not_lie_on_each_other() -> None:
    picture = picture_of(FORWARD + "z = y * 2\nt = w + x\n")
    rects = [picture.rect(id_) for id_ in picture.ids]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[i + 1 :])


def test_several_outputs_have_a_row_and_a_port_each() -> None:
    picture = picture_of(FORWARD + "ga, gw = torch.autograd.grad(y, (a, w))\n")
    grad = next(s.id for s in picture.program if s.kind is Kind.GRAD)
    said = picture.face(grad)
    assert [row.label for row in said.rows] == ["ga", "gw"]
    ports = [port for port in picture.ports(grad) if port.kind == "value"]
    assert [port.index for port in ports] == [0, 1]
    assert ports[0].y < ports[1].y
    assert len([port for port in picture.ports(grad) if port.kind == "input"]) == 3


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_ports_lie_on_the_card(count: int) -> None:
    names = [f"t{index}" for index in range(count)]
    lines = "".join(f"{name} = torch.ones(1)\n" for name in names)
    program = read_source(f"import torch\n{lines}")
    made = Statement(99, Kind.OP, "cat", ("c",), (tuple(Ref(s.id) for s in program),))
    program = Program({**program.statements, 99: made}, (*program.order, 99))
    picture = Picture()
    picture.update(program, Board(), State(0, {}))
    rect = picture.rect(99)
    inputs = [port for port in picture.ports(99) if port.kind == "input"]
    assert len(inputs) == count
    assert all(rect.top() + 28 < port.y < rect.bottom() for port in inputs)


def test_a_card_that_holds_the_same_in_another_object_has_not_changed() -> None:
    text = FORWARD + "big = torch.ones(64, 784)\n"
    picture = picture_of(text)
    for id_ in picture.ids:
        picture.face(id_)
    first = picture.state.tensor(ids(picture)["big"]).number
    program = read_source(text.replace("b = w + 1", "b = w + 1 + 1"))
    picture.update(program, Board(), run(program))
    named = ids(picture)
    assert picture.state.tensor(named["big"]).number != first
    assert named["big"] not in picture.changed


def test_a_card_whose_flag_alone_differs_has_changed() -> None:
    picture = picture_of(FORWARD)
    named = ids(picture)
    for id_ in picture.ids:
        picture.face(id_)
    program = read_source(FORWARD.replace("tensor([2.])", "tensor([2.], requires_grad=True)"))
    picture.update(program, Board(), run(program))
    assert picture.changed == {named["x"]}


def test_gradient_flows_on_to_the_tensor_whose_data_was_written() -> None:
    picture = picture_of("import torch\nw = torch.tensor([1.], requires_grad=True)\nw.data -= 0.5\ny = w * w\n")
    _, writer, last = picture.ids
    rows = [row for row, wire in enumerate(picture.wires) if wire.target == last]
    assert {picture.wires[row].source for row in rows} == {writer}
    assert picture.thick[rows].all()


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_a_card_to_come_has_the_ports_of_what_it_is_changed_into(drawing: str) -> None:
    program = read_source("import torch\nx = torch.tensor([1.0])\ny = x * x\n")
    picture, board = Picture(), Board(drawing=drawing)
    picture.update(program, board, run(program))
    made = program.named("y")
    assert made is not None
    other = replace(
        program[made.statement], call="where", operands=(EMPTY, *program[made.statement].operands), style="function"
    )
    changed = program.apply(edits.put(program, other))
    session = Session(changed)
    session.finish()
    picture.update(changed, board, session.trace.state(0), ())
    kinds = [port.kind for port in picture.ports(made.statement)]
    assert kinds.count("input") == 3
