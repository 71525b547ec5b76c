"""Wires go round cards: what is drawn, hit and marked with tags is the same curve."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QApplication

from chalkgrad import stepwise
from chalkgrad.layout import detours
from chalkgrad.layout.cards import card_wires
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.hit import HitKind, hit
from chalkgrad_app.picture import routing
from chalkgrad_app.picture.card import fields_of
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.tags import tag_rect
from chalkgrad_app.picture.wires import FINE, flatten, wires

ROW = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w + 1
y = w.detach() * a
"""
PLACES = {"w": (0.0, 0.0), "a": (300.0, -10.0), "y": (600.0, 0.0)}


def picture_of(source: str = ROW, places: dict[str, tuple[float, float]] | None = None) -> Picture:
    program = read_source(source)
    session = Session(program)
    session.finish()
    where = places or PLACES
    board = Board({("cards", s.id): Place(*where[s.name]) for s in program if s.name in where})
    picture = Picture()
    picture.update(program, board, session.trace.state())
    return picture


def id_of(picture: Picture, name: str) -> int:
    ref = picture.program.named(name)
    assert ref is not None
    return ref.statement


def long_wire(picture: Picture) -> int:
    ends = (id_of(picture, "w"), id_of(picture, "y"))
    return next(row for row, wire in enumerate(picture.wires) if (wire.source, wire.target) == ends)


def points_of(picture: Picture, row: int) -> np.ndarray:
    return flatten(picture.cubics[picture.pieces_of(np.array([row]))], FINE).reshape(-1, 2)


def crosses(picture: Picture, row: int, name: str) -> bool:
    rect = picture.rect(id_of(picture, name))
    return any(rect.contains(QPointF(x, y)) for x, y in points_of(picture, row).tolist())


def test_a_long_wire_goes_round_the_card_in_its_way_and_ends_at_its_ports() -> None:
    picture = picture_of()
    row = long_wire(picture)
    points = points_of(picture, row)
    assert len(picture.pieces_of(np.array([row]))) > 1
    assert not crosses(picture, row, "a")
    np.testing.assert_array_equal([*points[0], *points[-1]], picture.ends[row])


def test_a_wire_with_nothing_in_its_way_is_one_curve() -> None:
    picture = picture_of(places={**PLACES, "a": (300.0, 400.0)})
    assert len(picture.cubics) == len(picture.wires)


def with_note(picture: Picture, x: float, y: float) -> Note:
    note = Note(99, (("", "text"),), x, y, 160.0, 60.0)
    picture.set_board(replace(picture.board, notes={99: note}))
    return note


def lies_under_wire(picture: Picture, note: Note) -> bool:
    rect = QRectF(note.x, note.y, note.width, note.height)
    points = np.concatenate([points_of(picture, row) for row in range(len(picture.wires))])
    return any(rect.contains(QPointF(x, y)) for x, y in points.tolist())


def test_no_wire_runs_over_a_note(qapp: QApplication) -> None:
    picture = picture_of(places={"w": (0.0, 0.0), "a": (300.0, 400.0), "y": (600.0, 0.0)})
    x, y = points_of(picture, long_wire(picture))[FINE // 2].tolist()
    assert not lies_under_wire(picture, with_note(picture, x - 80, y - 30))
    moved = with_note(picture, x - 80, y + 600)
    assert len(picture.cubics) == len(picture.wires)
    assert not lies_under_wire(picture, moved)


def test_a_note_that_lies_on_a_card_keeps_no_wire_from_it(qapp: QApplication) -> None:
    picture = picture_of(places={"w": (0.0, 0.0), "a": (300.0, 400.0), "y": (600.0, 0.0)})
    before = picture.cubics.copy()
    with_note(picture, 560.0, -20.0)
    np.testing.assert_array_equal(picture.cubics, before)


def test_no_wire_cuts_a_round_corner_of_a_frame(qapp: QApplication) -> None:
    picture = picture_of(places={"w": (0.0, 0.0), "a": (300.0, 400.0), "y": (600.0, 0.0)})
    row = next(row for row, wire in enumerate(picture.wires) if picture.wires[row].target == id_of(picture, "a"))
    x, y = points_of(picture, row)[FINE // 2].tolist()
    for left, top in ((x - 4, y - 300), (x - 396, y - 300), (x - 396, y - 4)):
        frame = Frame(99, "title", left, top, 400.0, 304.0)
        picture.set_board(replace(picture.board, frames={99: frame}))
        right, bottom = left + 400, top + 304
        cut = [QRectF(at, bottom - 6, 6, 6) for at in (left, right - 6)] + [QRectF(right - 6, top, 6, 6)]
        points = points_of(picture, row).tolist()
        assert not any(corner.contains(QPointF(*point)) for corner in cut for point in points)


def test_boxes_hold_the_whole_way() -> None:
    picture = picture_of()
    for row in range(len(picture.wires)):
        points = points_of(picture, row)
        assert (points.min(axis=0) >= picture.boxes[row, :2] - 1e-9).all()
        assert (points.max(axis=0) <= picture.boxes[row, 2:] + 1e-9).all()


def test_the_way_is_what_is_hit_and_bears_the_tag(qapp: QApplication) -> None:
    picture = picture_of()
    row = long_wire(picture)
    points = points_of(picture, row)
    found = hit(picture, QPointF(*points[len(points) // 3].tolist()))
    assert (found.kind, found.wire) == (HitKind.WIRE, row)
    middle = tag_rect(picture, row).center()
    assert np.hypot(*(points - (middle.x(), middle.y())).T).min() < 8
    assert hit(picture, middle).kind is HitKind.TAG


def test_a_tag_stands_beside_the_place_at_which_another_wire_crosses_its_own(qapp: QApplication) -> None:
    places = {"w": (0.0, 0.0), "v": (0.0, 300.0), "a": (400.0, 320.0), "b": (400.0, -10.0)}
    source = """import torch
w = torch.tensor([1.], requires_grad=True)
v = torch.ones(1)
a = w.detach() + 1
b = v + 1
"""
    picture = picture_of(source, places)
    row, other = (
        next(row for row, wire in enumerate(picture.wires) if wire.target == id_of(picture, name)) for name in "ab"
    )
    assert picture.tagged.tolist() == [row]
    rect, points = tag_rect(picture, row), points_of(picture, row)
    assert np.hypot(*(points - (rect.center().x(), rect.center().y())).T).min() < 8
    assert not any(rect.contains(QPointF(*point)) for point in points_of(picture, other).tolist())
    picture.shift([id_of(picture, "b"), id_of(picture, "v")], 0.0, -900.0)
    middle, center = points[len(points) // 2], tag_rect(picture, row).center()
    assert np.hypot(*(middle - (center.x(), center.y()))) < 12


def test_while_a_card_is_dragged_only_its_own_wires_are_plain() -> None:
    picture = picture_of()
    row = long_wire(picture)
    before = points_of(picture, row)
    picture.shift([id_of(picture, "a")], 0.0, 300.0)
    np.testing.assert_array_equal(points_of(picture, row), before)
    picture.shift([id_of(picture, "y")], 8.0, 0.0)
    assert len(picture.pieces_of(np.array([row]))) == 1


def test_a_drag_leaves_every_wire_where_a_fresh_picture_has_it() -> None:
    picture = picture_of(places={**PLACES, "a": (300.0, 400.0)})
    names = [id_of(picture, name) for name in "way"]
    for ids, dx, dy in (
        [names[:1], 8.0, 16.0],
        [names[1:], 40.0, -8.0],
        [names[2:], 0.0, 0.0],
        [names[:2], -8.0, 64.0],
    ):
        picture.shift(ids, dx, dy)
        for row, wire in enumerate(picture.wires):
            start = next(p for p in picture.ports(wire.source) if p.kind == "value")
            end = next(p for p in picture.ports(wire.target) if (p.kind, p.index) == ("input", wire.port))
            assert picture.ends[row].tolist() == [start.x, start.y, end.x, end.y]
            np.testing.assert_array_equal(points_of(picture, row)[[0, -1]].ravel(), picture.ends[row])


def test_ways_are_kept_until_something_moves() -> None:
    picture = picture_of()
    row = long_wire(picture)
    before = points_of(picture, row)
    picture.update(picture.program, picture.board, picture.state)
    np.testing.assert_array_equal(points_of(picture, row), before)
    picture.set_board(Board({**picture.board.places, ("cards", id_of(picture, "a")): Place(300.0, 400.0)}))
    assert len(picture.cubics) == len(picture.wires)


def test_a_wire_that_runs_back_goes_round_its_own_cards() -> None:
    picture = picture_of(places={"w": (600.0, 0.0), "a": (300.0, 300.0), "y": (0.0, 20.0)})
    row = long_wire(picture)
    picture.find_ways(np.arange(len(picture.wires)), 5.0)
    assert picture.has_ways(np.arange(len(picture.wires)))
    shrunk = [picture.rect(id_).adjusted(1, 1, -1, -1) for id_ in picture.ids]
    assert not any(rect.contains(QPointF(x, y)) for rect in shrunk for x, y in points_of(picture, row).tolist())


def test_a_way_keeps_clear_of_the_line_with_an_error() -> None:
    source = ROW + "s = a * a\ns.backward()\ns.backward()\n"
    picture = picture_of(source, {**PLACES, "s": (300.0, -80.0), "a": (300.0, -500.0)})
    assert picture.face(id_of(picture, "s")).error
    points = points_of(picture, long_wire(picture))
    below = picture.rect(id_of(picture, "s"))
    strip = below.adjusted(0, 0, 0, 30)
    assert not any(strip.contains(QPointF(x, y)) for x, y in points.tolist())


def many(count: int) -> Picture:
    """A row of cards of which each reads the last but one: every wire has a card in its way."""
    statements = {1: Statement(1, Kind.LEAF, "tensor", ("x1",), ((1.0,),))}
    statements |= {i: Statement(i, Kind.OP, "tanh", (f"x{i}",), (Ref(max(1, i - 2)),)) for i in range(2, count + 1)}
    board = Board({("cards", i): Place(240.0 * i, 0.0) for i in statements})
    picture = Picture()
    picture.update(Program(statements, tuple(statements)), board, State(0, {}))
    return picture


def slice_by_slice(picture: Picture, seconds: float = 0.001) -> int:
    """Lead the wires as a canvas does; returns how many slices that took."""
    wires, slices = np.arange(len(picture.wires)), 0
    while not picture.has_ways(wires):
        picture.find_ways(wires, seconds)
        slices += 1
    return slices


def test_what_takes_longer_than_a_turn_is_led_in_slices_to_the_same_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routing, "AT_ONCE", 60.0)
    at_once = many(120)
    slice_by_slice(at_once)
    assert len(at_once.cubics) > len(at_once.wires)
    monkeypatch.setattr(routing, "AT_ONCE", 0.0)
    later = many(120)
    assert len(later.cubics) == len(later.wires)
    assert slice_by_slice(later) > 2
    np.testing.assert_array_equal(later.cubics, at_once.cubics)
    np.testing.assert_array_equal(later.piece_wire, at_once.piece_wire)


def test_what_is_led_later_goes_all_round_in_the_same_slice_where_there_is_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routing, "AT_ONCE", 0.0)
    picture = picture_of(places={"w": (600.0, 0.0), "a": (300.0, 300.0), "y": (0.0, 20.0)})
    assert slice_by_slice(picture, 60.0) == 1
    assert len(picture.pieces_of(np.array([long_wire(picture)]))) > 1


def test_one_way_all_round_is_gone_on_with_in_the_next_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"w": (600.0, 0.0), "a": (300.0, 300.0), "y": (0.0, 20.0)}
    at_once = picture_of(places=places)
    slice_by_slice(at_once)
    clock = count(0.0, 0.001)  # that goes on with each look at it
    for module in (routing, stepwise):
        monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(routing, "AT_ONCE", 60.0)
    monkeypatch.setattr(routing, "ROUND_AT_ONCE", 0.0)
    monkeypatch.setattr(detours, "PORTION", 1)
    later = picture_of(places=places)
    row = long_wire(later)
    assert len(later.pieces_of(np.array([row]))) == 1
    assert slice_by_slice(later, 0.01) > 2
    np.testing.assert_array_equal(points_of(later, row), points_of(at_once, row))


def test_until_wires_are_led_anew_those_that_join_what_they_did_keep_their_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = many(40)
    slice_by_slice(picture)
    monkeypatch.setattr(routing, "AT_ONCE", 0.0)
    program, places, before = picture.program, picture.board.places, points_of(picture, 20)
    statements = {id_: program[id_] for id_ in program.order if id_ != 5}
    statements[7] = Statement(7, Kind.OP, "tanh", ("x7",), (Ref(4),))
    board = Board({**places, ("cards", 39): Place(240.0 * 39, 400.0)})
    picture.update(Program(statements, tuple(statements)), board, picture.state)
    row = next(row for row, wire in enumerate(picture.wires) if wire.target == picture.ids[-20])
    moved = next(row for row, wire in enumerate(picture.wires) if wire.target == 39)
    kept = [row for row in range(len(picture.wires)) if len(picture.pieces_of(np.array([row]))) > 1]
    assert row in kept
    assert moved not in kept
    assert before.shape == points_of(picture, row).shape
    slice_by_slice(picture)
    monkeypatch.setattr(routing, "AT_ONCE", 60.0)
    fresh = Picture()
    fresh.update(picture.program, board, picture.state)
    slice_by_slice(fresh)
    np.testing.assert_array_equal(picture.cubics[: len(picture.wires)], fresh.cubics[: len(fresh.wires)])
    assert len(picture.cubics) == len(fresh.cubics)


def test_among_many_cards_the_wires_that_are_looked_at_go_round() -> None:
    picture = many(routing.MOST + 1)
    assert len(picture.cubics) == len(picture.wires)
    seen = np.arange(10, 20)
    assert not picture.has_ways(seen)
    assert picture.find_ways(seen, 5.0)
    assert picture.has_ways(seen)
    assert set(picture.piece_wire[len(picture.wires) :].tolist()) == set(seen.tolist())
    for row in seen.tolist():
        between = picture.ids[picture.wire_source[row] + 1]
        assert not any(picture.rect(between).contains(QPointF(x, y)) for x, y in points_of(picture, row).tolist())


def test_among_many_cards_a_move_leaves_the_ways_elsewhere() -> None:
    picture = many(routing.MOST + 1)
    picture.find_ways(np.arange(10, 20), 5.0)
    before = points_of(picture, 12)
    places = {**picture.board.places, ("cards", picture.ids[200]): Place(48_000.0, 500.0)}
    picture.set_board(Board(places))
    np.testing.assert_array_equal(points_of(picture, 12), before)
    picture.set_board(Board({**places, ("cards", picture.ids[picture.wire_source[12] + 1]): Place(0.0, 900.0)}))
    assert len(picture.pieces_of(np.array([12]))) == 1


@pytest.mark.parametrize(
    "source",
    [
        ROW,
        "import torch\nm = torch.eye(2)\nv = m.T @ (m + 1).view(4).view(2, 2)\nv.add_(m.data)\nu = v.detach() * v\n",
        ROW + "y.backward()\ng = w.grad\nh = g * w.grad\nw.grad.zero_()\nk, = torch.autograd.grad(w * w, w)\n",
    ],
)
def test_canvas_and_layout_see_the_same_wires(source: str) -> None:
    program = read_source(source)
    seen = [(w.source, w.output, w.from_grad, w.target, w.port) for w in wires(program)]
    laid = [
        (w.source.statement, w.source.output, "grad" in w.source.path, w.target, w.port) for w in card_wires(program)
    ]
    assert seen == laid


BACK = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w + 1
b = a * 2
c = b + 3
"""
BACK_PLACES = {"w": (600.0, 0.0), "a": (0.0, 220.0), "b": (280.0, 220.0), "c": (560.0, 220.0)}


def ways_of(picture: Picture) -> list[list[list[float]]]:
    """All ways, looked for to the end."""
    slice_by_slice(picture)
    return [points_of(picture, row).tolist() for row in range(len(picture.wires))]


def put(picture: Picture, name: str, x: float, y: float) -> None:
    picture.set_board(Board({**picture.board.places, ("cards", id_of(picture, name)): Place(x, y)}))


def test_a_card_put_where_it_was_leaves_every_wire_as_it_was() -> None:
    picture = picture_of(BACK, BACK_PLACES)
    before = ways_of(picture)
    put(picture, "b", 280.0, 130.0)
    assert ways_of(picture)[0] != before[0]
    put(picture, "b", *BACK_PLACES["b"])
    assert ways_of(picture) == before


def numbers_of(picture: Picture, name: str) -> list[QRectF]:
    id_ = id_of(picture, name)
    card, corner = picture.anatomy(id_), picture.rect(id_).topLeft()
    numbers = fields_of(picture.program[id_])
    return [field_rect(card, number.port, number.text).translated(corner) for number in numbers]


@pytest.mark.parametrize("below", [-300.0, 300.0, 600.0])
def test_a_wire_from_above_or_below_keeps_clear_of_the_number_at_the_other_port(below: float) -> None:
    picture = picture_of(places={"w": (0.0, below), "a": (260.0, 0.0), "y": (600.0, 0.0)})
    (number,) = numbers_of(picture, "a")
    ways_of(picture)
    points = np.concatenate([points_of(picture, row) for row in range(len(picture.wires))])
    assert not any(number.contains(QPointF(x, y)) for x, y in points.tolist())


def test_a_wire_round_cards_keeps_clear_of_the_numbers_of_all() -> None:
    picture = picture_of(BACK, {**BACK_PLACES, "b": (280.0, 130.0)})
    ways_of(picture)
    points = np.concatenate([points_of(picture, row) for row in range(len(picture.wires))]).tolist()
    numbers = [number for name in "abc" for number in numbers_of(picture, name)]
    assert len(numbers) == 3
    assert not any(number.contains(QPointF(x, y)) for number in numbers for x, y in points)


def test_a_longer_number_at_a_port_has_wires_led_anew() -> None:
    places = {"w": (0.0, 300.0), "a": (260.0, 0.0), "y": (600.0, 0.0)}
    picture, longer = picture_of(places=places), picture_of(ROW.replace("w + 1", "w + 12345.5"), places)
    wanted = ways_of(longer)
    picture.update(longer.program, picture.board, longer.state)
    assert ways_of(picture) == wanted


PAST = """import torch
w = torch.tensor([1.], requires_grad=True)
with torch.no_grad():
    a = w * 2
    b = a * 2
y = w.exp()
"""


def test_a_wire_passes_beside_a_frame_with_which_it_has_nothing_to_do(qapp: QApplication) -> None:
    picture = picture_of(PAST, {"w": (0.0, 40.0), "a": (320.0, 40.0), "b": (560.0, 60.0), "y": (900.0, 60.0)})
    (frame,) = (frame for frame in picture.frames if frame.block)
    ends = [(wire.source, wire.target) for wire in picture.wires]
    past = points_of(picture, ends.index((id_of(picture, "w"), id_of(picture, "y")))).tolist()
    assert not any(frame.rect.contains(QPointF(x, y)) for x, y in past)
    into = points_of(picture, ends.index((id_of(picture, "w"), id_of(picture, "a")))).tolist()
    assert any(frame.rect.contains(QPointF(x, y)) for x, y in into)


def test_a_wire_runs_through_a_frame_that_is_a_long_way_round(qapp: QApplication) -> None:
    source = PAST.replace("    b = a", "".join(f"    a{n} = w + {n}\n" for n in range(12)) + "    b = a")
    places = {"w": (0.0, 640.0), "a": (320.0, 0.0), "b": (560.0, 0.0), "y": (900.0, 660.0)}
    places |= {f"a{n}": (320.0, 120.0 * (n + 1)) for n in range(12)}
    picture = picture_of(source, places)
    (frame,) = (frame for frame in picture.frames if frame.block)
    ends = [(wire.source, wire.target) for wire in picture.wires]
    past = points_of(picture, ends.index((id_of(picture, "w"), id_of(picture, "y"))))
    assert frame.rect.top() < past[:, 1].min()
    assert past[:, 1].max() < frame.rect.bottom()


NEAR_A_FOLD = """import torch
w = torch.tensor([1.], requires_grad=True)
x = w * 2
with torch.no_grad():
    a = x * 2
    b = a * x
"""
NEAR_PLACES = {"w": (0.0, 40.0), "x": (260.0, 0.0), "a": (448.0, -60.0), "b": (700.0, -60.0)}


def folded(picture: Picture, is_folded: bool = True) -> None:
    """Fold all blocks of a picture, or open them."""
    folds: dict[int, tuple[int, ...]] = dict.fromkeys(picture.program.blocks, ()) if is_folded else {}
    picture.set_board(replace(picture.board, folds=folds))


def test_what_a_folded_node_hides_keeps_no_wire_from_it(qapp: QApplication) -> None:
    picture = picture_of(NEAR_A_FOLD, NEAR_PLACES)
    ways = ways_of(picture)
    folded(picture)
    ways_of(picture)
    assert len(picture.cubics) == len(picture.wires), "all are as short as can be"
    folded(picture, False)
    assert ways_of(picture) == ways, "they mind the numbers that are seen again"
