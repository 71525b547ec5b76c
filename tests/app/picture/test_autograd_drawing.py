"""The autograd drawing: what its cards and Function nodes say, compared with PyTorch, and where everything stands."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from support.figures import DATA, PROGRAMS
from support.ways import through

from chalkgrad.program.board import Board, Frame, Place
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.masking import without_flags
from chalkgrad.session.state import State
from chalkgrad.source import emit
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.picture.autograd_face import AutogradFace, Manner
from chalkgrad_app.picture.autograd_shape import operator_box
from chalkgrad_app.picture.card_arrays import EMPTY_STATE
from chalkgrad_app.picture.code_lines import LONGEST
from chalkgrad_app.picture.function_face import FunctionFace, function_face
from chalkgrad_app.picture.function_ways import tracks
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")

AUTOGRAD = Board(drawing="autograd")
RECORDED = json.loads(DATA.read_text(encoding="utf-8"))["figures"]
CHAIN = "x = torch.tensor(1.0, requires_grad=True)\n" + "\n".join(
    f"v{number} = {'x' if number == 0 else f'v{number - 1}'} * x" for number in range(40)
)

WIDE = "\n".join(
    [f"w{number} = torch.tensor({number}., requires_grad=True)" for number in range(1, 6)]
    + ["x = torch.tensor(2.)", "h1 = torch.tanh(w1 * x + w2 * x)", "h2 = torch.tanh(w3 * x + w4 * x)"]
    + ["out = h1 * w5 + h2", "loss = (out - 1) ** 2", "loss.backward()"]
)


class Drawn:
    """A program in the autograd drawing, with its session."""

    def __init__(self, source: str, board: Board = AUTOGRAD) -> None:
        self.program = read_source(f"import torch\n{source}")
        self.session = Session(self.program)
        self.session.finish()
        self.board = board
        self.picture = Picture()
        self.look(self.session.trace.state())

    def look(self, state: State) -> None:
        self.picture.update(self.program, self.board, state)

    def id(self, name: str) -> int:
        return next(s.id for s in self.program if name in s.targets)

    def end_of(self, name: str) -> State:
        return self.session.trace.state(self.session.trace.end_of(self.id(name)))

    def face(self, name: str) -> AutogradFace:
        face = self.picture.face(self.id(name))
        assert isinstance(face, AutogradFace)
        return face

    def rows(self, name: str) -> dict[str, str]:
        face = self.face(name)
        at = face.titles.index(name)
        return {attribute.name: attribute.text for attribute in face.attributes[at]}

    def function(self, name: str) -> FunctionFace:
        tensor = self.picture.state.names[name]
        assert tensor.node is not None
        return function_face(self.picture, self.picture.functions.index[NODE, tensor.node])

    def functions(self) -> list[FunctionFace]:
        return [function_face(self.picture, row) for row in range(len(self.picture.functions))]


@pytest.fixture
def more() -> None:
    settings.MORE_ROWS.set(True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_and_functions_are_those_of_pytorch(name: str, more: None) -> None:
    drawn = Drawn(PROGRAMS[name])
    for tensor, wanted in RECORDED[name].items():
        rows = drawn.rows(tensor)
        for attribute in ("is_leaf", "requires_grad", "retains_grad", "_version", "grad_fn"):
            assert rows[attribute] == str(wanted[attribute]), (tensor, attribute)
        state = drawn.picture.state.names[tensor]
        assert (None if state.grad is None else state.grad.value.tolist()) == wanted["grad"]
        np.testing.assert_allclose(state.value, wanted["data"], rtol=1e-6)
        if wanted["grad_fn"] is None:
            continue
        function = drawn.function(tensor)
        assert function.name == wanted["grad_fn"]
        assert list(function.functions) == [f"({into}, {port})" for into, port in wanted["next_functions"]]
        if wanted["saved"] is None:
            assert function.freed
        else:
            assert not function.freed
            assert sorted(function.saved) == wanted["saved"]


def test_the_figure_of_the_notes_has_two_functions_and_one_accumulate_grad() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    assert [face.name for face in drawn.functions()] == ["AccumulateGrad", "MulBackward0", "MulBackward0"]
    assert drawn.functions()[0].variable == "c"
    assert drawn.face("c").operator == "mul"
    assert drawn.face("a").operator == ""
    assert drawn.face("e").saves == ("d",)


def test_what_says_true_or_false_says_so_without_colour() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    manners = {attribute.name: attribute.manner for attribute in drawn.face("e").attributes[0]}
    assert manners == {"grad_fn": Manner.FUNCTION, "is_leaf": Manner.FALSE, "requires_grad": Manner.TRUE}


def test_rows_on_demand_make_cards_higher() -> None:
    few = Drawn(PROGRAMS["figure"])
    settings.MORE_ROWS.set(True)
    many = Drawn(PROGRAMS["figure"])
    assert many.rows("e")["shape"] == "()"
    assert many.rows("e")["dtype"] == "torch.float32"
    assert (many.picture.h > few.picture.h).all()


def test_operators_stand_above_what_reads_them_and_chains_are_columns() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    picture = drawn.picture
    for wire in picture.wires:
        assert picture.rect(wire.source).bottom() < picture.rect(wire.target).top()
    assert len({picture.rect(drawn.id(name)).left() for name in "aceg"}) == 1
    heads = {name: picture.rect(drawn.id(name)).top() + picture.anatomy(drawn.id(name)).header.top for name in "cdef"}
    assert heads["c"] == heads["d"]
    assert heads["e"] == heads["f"]


def test_nothing_lies_on_anything_else() -> None:
    picture = Drawn(PROGRAMS["course"] + PROGRAMS["several outputs"]).picture
    functions = picture.functions
    boxes = [picture.rect(id_) for id_ in picture.ids] + [functions.rect(key) for key in functions.keys]
    boxes += [functions.disc(row) for row in np.flatnonzero(functions.saves).tolist()]
    boxes += [picture.lines.rect(key) for key in picture.lines.keys]
    for number, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[:number])


def test_arrows_lead_from_rows_to_nodes_and_back_to_the_grad() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    picture, ways = drawn.picture, drawn.picture.function_ways
    functions = picture.functions
    for arrow, way in zip(ways.arrows, ways.ways, strict=True):
        if arrow.target >= 0 and not arrow.saves:
            assert functions.rect(functions.keys[arrow.target]).adjusted(-1, -1, 1, 1).contains(*way[-1].tolist())
        if arrow.target < 0:
            port = next(port for port in picture.ports(drawn.id("c")) if port.kind == "grad")
            assert way[-1].tolist() == pytest.approx([port.x + 5, port.y])
    assert sum(arrow.saves for arrow in ways.arrows) == 4


def test_every_line_stands_beside_what_it_speaks_of() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    lines = drawn.picture.lines
    texts = [lines.text(row) for row in range(len(lines))]
    assert texts == [line for line in PROGRAMS["figure"].splitlines() if line]
    at = texts.index("c.requires_grad = True")
    assert lines.cards[at] == drawn.id("c")
    assert lines.y[at] > lines.y[texts.index("c = a * b")]
    assert (lines.x + lines.w <= drawn.picture.x.min()).all()


IN_PLACE = """
a = torch.tensor([1., 2., 3.], requires_grad=True)
b = a * 2
v = b[0:2]
s = b.sum()
v.mul_(3)
t = b.sum()
t.backward()
u = a + 1
"""
TRAINED = """
x = torch.tensor([1., 2.])
w = torch.tensor([0.5], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(2):
    with torch.no_grad():
        m = w * 1
    y = x * w - m
    loss = (y ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
p = w * 2
"""


@pytest.mark.parametrize("source", [IN_PLACE, TRAINED, *PROGRAMS.values()])
def test_lines_stand_in_the_order_of_the_program_all_of_them(source: str) -> None:
    drawn = Drawn("torch.manual_seed(0)\n" + source)
    lines = drawn.picture.lines
    written = [line.strip() for line in emit.program_text(drawn.program).splitlines()[1:] if line.strip()]
    for row, text in enumerate(written):
        assert lines.text(row) == (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    assert len(lines) == len(written)
    assert (np.diff(lines.y) >= lines.h[:-1]).all()
    for key, top in zip(lines.keys, lines.y.tolist(), strict=True):
        if key[1] in drawn.picture.index:
            card = drawn.picture.rect(key[1])
            assert card.top() <= top <= card.bottom()


def test_a_write_in_place_stands_below_what_read_before_and_above_what_reads_after() -> None:
    drawn = Drawn(IN_PLACE)
    picture = drawn.picture
    write = next(made.id for made in drawn.program if made.call == "mul_")
    tops = {name: picture.rect(drawn.id(name)).top() for name in "vst"}
    assert max(tops["v"], tops["s"]) < picture.rect(write).top() < tops["t"]


def test_a_block_is_opened_by_a_line_at_the_top_of_its_frame_which_has_no_title() -> None:
    drawn = Drawn(TRAINED)
    lines, frames = drawn.picture.lines, {frame.id: frame for frame in drawn.picture.frames}
    for block in drawn.program.blocks.values():
        row = lines.index["line", block.id]
        assert lines.text(row) == block.heading
        assert lines.y[row] == frames[block.id].rect.top()
        assert lines.x[row] + lines.w[row] < frames[block.id].rect.left()


def test_arrows_run_through_nothing_and_have_room_for_their_heads() -> None:
    drawn = Drawn(WIDE)
    picture, ways = drawn.picture, drawn.picture.function_ways
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    assert ways.is_done(None)
    assert len({int(x) for x in picture.functions.x}) > 1, "all in one column: nothing could be in the way"
    assert through(picture) == []
    for place, arrow in enumerate(ways.arrows):
        if arrow.source >= 0 and arrow.target >= 0 and not arrow.saves:
            *_, turn, tip = ways.corners_of(place)
            assert (turn - tip).manhattanLength() >= 16


def test_a_card_that_somebody_moved_has_its_arrows_led_round() -> None:
    drawn = Drawn(WIDE)
    picture = drawn.picture
    last = picture.rect(drawn.id("loss"))
    places = {"h1": (last.left(), last.bottom() + 80), "loss": (-900.0, 300.0), "w5": (-500.0, 0.0)}
    drawn.board = replace(drawn.board, places={("autograd", drawn.id(name)): Place(*at) for name, at in places.items()})
    drawn.look(picture.state)
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    assert through(picture) == []


@pytest.mark.parametrize("zoom", [0.3, 0.5])
def test_the_line_of_what_writes_in_place_is_seen_from_some_distance(zoom: float) -> None:
    drawn = Drawn(IN_PLACE)
    write = next(made.id for made in drawn.program if made.call == "mul_")
    face, box = drawn.picture.face(write), operator_box(drawn.picture.anatomy(write))
    assert isinstance(face, AutogradFace)
    assert box is not None
    images = []
    for name in ("_", ""):
        image = QImage(400, 400, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        painter.scale(4 * zoom, 4 * zoom)
        drawn.picture.drawing.paint(painter, replace(face, operator=name), Look(zoom=zoom))
        painter.end()
        images.append(image)
    rows = range(round((box.top + box.height - 7) * 4 * zoom))
    columns = range(round(box.left * 4 * zoom), round((box.left + box.width) * 4 * zoom))
    with_line, without = images
    assert any(with_line.pixel(x, y) != without.pixel(x, y) for y in rows for x in columns)


def test_what_is_to_come_is_where_it_will_be() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    picture = drawn.picture
    places = picture.functions.x.copy(), picture.functions.y.copy(), picture.x.copy(), picture.y.copy()
    drawn.look(drawn.end_of("d"))
    assert picture.functions.to_come.all()
    drawn.look(drawn.end_of("e"))
    assert picture.functions.to_come.tolist() == [False, False, True]
    now = picture.functions.x, picture.functions.y, picture.x, picture.y
    for before, after in zip(places, now, strict=True):
        np.testing.assert_array_equal(before, after)


TWICE = """
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
y.mul_(3)
z = y.exp() + y
z.sum().backward(retain_graph=True)
for i in range(2):
    s = (z * x).sum()
    s.backward(retain_graph=True)
"""


@pytest.mark.parametrize("source", [TWICE, CHAIN + "\nv39.backward()"])
def test_what_there_is_is_the_same_wherever_the_cursor_was_before(source: str) -> None:
    drawn = Drawn(source)
    trace = drawn.session.trace
    chosen = random.Random(3)
    for _ in range(60):
        at = chosen.randrange(len(trace) + 1)
        state = trace.state(at)
        drawn.picture.update(drawn.program, drawn.board, state, trace.touched(drawn.picture.state.position, at))
        fresh = Picture()
        fresh.update(drawn.program, drawn.board, trace.state())
        fresh.update(drawn.program, drawn.board, state)
        found, expected = drawn.picture.functions, fresh.functions
        assert (found.keys, found.cards, found.outlets) == (expected.keys, expected.cards, expected.outlets)
        assert found.to_come.tolist() == expected.to_come.tolist()


def test_a_card_looked_at_later_does_not_hold_the_nodes_of_what_has_not_begun() -> None:
    drawn = Drawn(CHAIN)
    trace, seen = drawn.session.trace, [drawn.id(f"v{number}") for number in range(10, 20)]
    state = trace.state(trace.end_of(drawn.id("v4")))
    drawn.picture.update(drawn.program, drawn.board, state, seen)
    functions = drawn.picture.functions
    coming = {card: bool(functions.to_come[row]) for row, card in enumerate(functions.cards)}
    assert all(coming[id_] for id_ in seen)
    assert not coming[drawn.id("v4")]


def test_nothing_moves_at_any_position_of_the_forward() -> None:
    drawn = Drawn(CHAIN)
    trace, picture = drawn.session.trace, drawn.picture
    before = np.stack([picture.x, picture.y, picture.w, picture.h])
    sizes = picture.sizes_serial
    for at in range(1, len(trace) + 1):
        drawn.look(trace.state(at))
        assert (np.stack([picture.x, picture.y, picture.w, picture.h]) == before).all(), at
    assert picture.sizes_serial == sizes


def test_from_afar_only_lines_that_can_be_seen_are_drawn() -> None:
    ways = Drawn(CHAIN).picture.function_ways
    lengths = np.abs(ways.far[:, 2:] - ways.far[:, :2]).sum(axis=1)
    assert len(ways.far) == 5 * len([arrow for arrow in ways.arrows if not arrow.saves])
    for shortest in (0.0, 30.0, 500.0):
        longer = ways.far[lengths > shortest]
        assert 0 < len(longer) < len(ways.far)
        assert ways.seen(shortest).tolist() == longer.tolist()


def test_buffers_are_freed_node_after_node() -> None:
    drawn = Drawn(PROGRAMS["figure, backward"])
    trace = drawn.session.trace
    freed = []
    for position in range(trace.end_of(drawn.id("g")), len(trace) + 1):
        drawn.look(trace.state(position))
        freed.append(sum(face.freed for face in drawn.functions()))
    assert freed[0] == 0
    assert freed[-1] == 2
    assert freed == sorted(freed)


def test_a_card_that_somebody_placed_stays_and_the_others_do_not_care() -> None:
    plain = Drawn(PROGRAMS["figure"])
    id_ = plain.id("f")
    placed = Drawn(PROGRAMS["figure"], replace(AUTOGRAD, places={("autograd", id_): Place(-400.0, 800.0)}))
    assert placed.picture.rect(id_).topLeft().toTuple() == (-400.0, 800.0)
    others = [other for other in plain.picture.ids if other != id_]
    assert [placed.picture.rect(other) for other in others] == [plain.picture.rect(other) for other in others]


def test_places_of_the_cards_mean_nothing_here() -> None:
    plain, other = Drawn(PROGRAMS["figure"]), Drawn(PROGRAMS["figure"])
    other.board = replace(AUTOGRAD, places={("cards", id_): Place(1000.0, 1000.0) for id_ in other.picture.ids})
    other.look(other.picture.state)
    np.testing.assert_array_equal(plain.picture.x, other.picture.x)


def test_the_members_of_a_block_stand_together() -> None:
    drawn = Drawn(
        "w = torch.tensor(1.0, requires_grad=True)\na = w * 2\nwith torch.no_grad():\n    p = a + 1\n    q = p * w\n"
        "b = a * 3\nc = b * q\n"
    )
    picture = drawn.picture
    block = next(frame for frame in picture.frames if frame.block)
    inside = {id_ for id_ in picture.ids if block.rect.contains(picture.rect(id_))}
    touched = {id_ for id_ in picture.ids if block.rect.intersects(picture.rect(id_))}
    assert inside == touched == {drawn.id("p"), drawn.id("q")}


def test_a_chain_goes_back_to_one_accumulate_grad() -> None:
    drawn = Drawn(CHAIN)
    names = [face.name for face in drawn.functions()]
    assert names.count("AccumulateGrad") == 1
    assert names.count("MulBackward0") == 40


def test_other_drawings_have_no_functions() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    drawn.board = Board()
    drawn.look(drawn.picture.state)
    assert len(drawn.picture.functions) == len(drawn.picture.lines) == 0
    assert len(drawn.picture.function_ways.ways) == 0


def test_arrows_in_one_channel_run_beside_each_other() -> None:
    channel = np.array([5.0, 5.0, 5.0, 9.0])
    one, other = np.array([0.0, 10.0, 60.0, 0.0]), np.array([50.0, 40.0, 90.0, 90.0])
    assert tracks(channel, one, other) == [0, 1, 0, 0]


def test_cards_that_were_looked_at_in_another_run_lead_to_the_nodes_of_this_one() -> None:
    drawn = Drawn(CHAIN)
    shorter = read_source("import torch\n" + "\n".join(CHAIN.splitlines()[:8]))
    session = Session(shorter)
    session.finish()
    drawn.picture.update(shorter, AUTOGRAD, session.trace.state(), set())
    names = [function_face(drawn.picture, row).name for row in range(len(drawn.picture.functions))]
    assert names == ["AccumulateGrad", *["MulBackward0"] * 7]


def test_what_was_saved_is_called_as_the_program_calls_it_now() -> None:
    drawn = Drawn("w = torch.tensor(2.0, requires_grad=True)\nz = (w * 3).exp() ** 2")
    power = drawn.id("z")
    assert drawn.picture.face(power).saves == ("exp(w * 3)",)
    product = next(statement for statement in drawn.program if statement.call == "mul")
    named = {**drawn.program.statements, product.id: replace(product, targets=("p",))}
    drawn.picture.update(Program(named, drawn.program.order), AUTOGRAD, drawn.picture.state, set())
    assert drawn.picture.face(power).saves == ("exp(p)",)


def test_flags_that_are_to_be_guessed_are_told_by_nothing() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    drawn.look(without_flags(drawn.session.trace.state(), lambda _tensor: True))
    assert len(drawn.picture.functions) == 0
    assert set(drawn.rows("e").values()) == {"?"}
    e = drawn.session.trace.state().names["e"].number
    drawn.look(without_flags(drawn.session.trace.state(), lambda tensor: tensor.number == e))
    assert [face.name for face in drawn.functions()] == ["AccumulateGrad", "MulBackward0"]
    assert drawn.functions()[-1].functions == ("(?, 0)", "(None, 0)")


def test_lines_of_folded_cards_follow_a_run_that_leaves_their_node_as_large_as_it_was() -> None:
    drawn = Drawn("w = torch.tensor([1.], requires_grad=True)\na = w * w\nb = w + 1")
    cards = tuple(drawn.id(name) for name in "wab")
    frame = Frame(900, "all", 0.0, 0.0, 400.0, 300.0)
    board = Board(drawing="autograd", frames={900: frame}, folds={900: cards})
    followed, made = Picture(), Picture()
    followed.update(drawn.program, board, EMPTY_STATE)
    before = [followed.lines.rect(key) for key in followed.lines.keys]
    for picture in (followed, made):
        picture.update(drawn.program, board, drawn.session.trace.state())
    after = [followed.lines.rect(key) for key in followed.lines.keys]
    assert after == [made.lines.rect(key) for key in made.lines.keys]
    assert after != before


def test_arrows_to_what_was_saved_begin_at_the_operator_also_where_its_result_was_overwritten() -> None:
    drawn = Drawn("x = torch.ones(2, requires_grad=True)\na = x * 3\ny = a * a\na.add_(1)\n")
    picture, ways = drawn.picture, drawn.picture.function_ways
    found = [
        (arrow.card, way[0]) for arrow, way in zip(ways.arrows, ways.ways, strict=True) if arrow.saves and arrow.card
    ]
    assert {id_ for id_, _ in found} == {drawn.id("a"), drawn.id("y")}
    for id_, (x, y) in found:
        box = operator_box(picture.anatomy(id_))
        corner = picture.rect(id_).topLeft()
        assert 0 <= corner.x() + box.left + box.width - x <= 8
        assert corner.y() + box.top < y < corner.y() + box.top + box.height
