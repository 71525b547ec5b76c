"""Where everything stands in the autograd drawing: cards, nodes, lines and arrows, and that it stays there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from support.drawn import AUTOGRAD, CHAIN, Drawn
from support.figures import PROGRAMS
from support.ways import through

from chalkgrad.program.board import Board, Frame, Place
from chalkgrad.source import emit
from chalkgrad_app.picture.autograd_face import AutogradFace
from chalkgrad_app.picture.autograd_shape import operator_box
from chalkgrad_app.picture.card_arrays import EMPTY_STATE
from chalkgrad_app.picture.code_lines import HEIGHT, LONGEST
from chalkgrad_app.picture.function_ways import tracks
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.picture import Picture

WIDE = "\n".join(
    [f"w{number} = torch.tensor({number}., requires_grad=True)" for number in range(1, 6)]
    + ["x = torch.tensor(2.)", "h1 = torch.tanh(w1 * x + w2 * x)", "h2 = torch.tanh(w3 * x + w4 * x)"]
    + ["out = h1 * w5 + h2", "loss = (out - 1) ** 2", "loss.backward()"]
)


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
def test_the_line_of_what_writes_in_place_is_seen_from_some_distance(qapp, zoom: float) -> None:
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


def test_arrows_in_one_channel_run_beside_each_other() -> None:
    channel = np.array([5.0, 5.0, 5.0, 9.0])
    one, other = np.array([0.0, 10.0, 60.0, 0.0]), np.array([50.0, 40.0, 90.0, 90.0])
    assert tracks(channel, one, other) == [0, 1, 0, 0]


def test_lines_of_folded_cards_stand_in_the_order_of_the_program_beside_their_node() -> None:
    drawn = Drawn("w = torch.tensor([1.], requires_grad=True)\na = w * w\nb = w + 1")
    cards = tuple(drawn.id(name) for name in "wab")
    frame = Frame(900, "all", 0.0, 0.0, 400.0, 300.0)
    board = Board(drawing="autograd", frames={900: frame}, folds={900: cards})
    followed, made = Picture(), Picture()
    followed.update(drawn.program, board, EMPTY_STATE)
    for picture in (followed, made):
        picture.update(drawn.program, board, drawn.session.trace.state())
    rects = [followed.lines.rect(key) for key in followed.lines.keys]
    assert rects == [made.lines.rect(key) for key in made.lines.keys]
    (fold,) = followed.folds
    assert [rect.top() - fold.rect.top() for rect in rects] == [HEIGHT * number for number in range(len(rects))]


LOOP_LINES = """x = torch.tensor([3.])
w = torch.tensor([0.], requires_grad=True)
for step in range(3):
    p = w * x
    loss = ((p - 6) ** 2).sum()
    loss.backward()
"""


@pytest.mark.parametrize("is_folded", [False, True])
def test_lines_of_a_loop_stand_in_the_order_of_the_program(is_folded) -> None:
    drawn = Drawn(LOOP_LINES)
    (block,) = drawn.program.blocks
    board = Board(drawing="autograd", folds={block: ()} if is_folded else {})
    picture = Picture()
    picture.update(drawn.program, board, drawn.session.trace.state())
    assert bool(picture.folds) == is_folded
    shown = sorted(range(len(picture.lines)), key=picture.lines.y.__getitem__)
    words = [picture.lines.text(row).split()[0] for row in shown]
    assert words == ["x", "w", "for", "p", "loss", "loss.backward()"]


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


SKIPPING = """
x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
z = x * y
u = z + x
v = u * z
"""


def test_what_comes_down_a_lane_moves_no_operator_aside_and_comes_in_from_the_side_of_its_port() -> None:
    drawn = Drawn(SKIPPING)
    picture = drawn.picture
    assert len({picture.rect(drawn.id(name)).center().x() for name in "xzuv"}) == 1
    for source, target in ("xu", "zv"):
        row = next(
            row
            for row, wire in enumerate(picture.wires)
            if (wire.source, wire.target) == (drawn.id(source), drawn.id(target))
        )
        points = picture.cubics[picture.pieces_of(np.array([row]))].reshape(-1, 2)
        assert picture.wires[row].port == 1, "at the right"
        assert points[:, 0].min() >= picture.rect(drawn.id(target)).center().x() - 1
