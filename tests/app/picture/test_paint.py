"""What is painted tells facts apart without colour, at every level of detail."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from chalkgrad.program.board import Board, Place
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import Contribution, Problem, Saved, SavedValue, State, StatementState, Status, TensorState
from chalkgrad_app.picture import wires
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.look import Level, Look, level_at
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import cubics, dots_within, flatten, lines_within
from chalkgrad_app.style.theme import NAMES, load

ONE = np.array([1.0], np.float32)
TWO = (SavedValue("self", False), SavedValue("other", False))


def tensor(**changes: object) -> TensorState:
    facts: dict[str, object] = {
        "number": 1,
        "shape": (1,),
        "dtype": "float32",
        "value": ONE,
        "is_leaf": True,
        "requires_grad": False,
        "retains_grad": False,
        "version": 0,
        "grad_fn": None,
        "grad": None,
        "saved": Saved.NONE,
    }
    return TensorState(**{**facts, **changes})


def inner(**changes: object) -> TensorState:
    made = {
        "is_leaf": False,
        "requires_grad": True,
        "grad_fn": "MulBackward0",
        "saved": Saved.KEPT,
        "saved_values": TWO,
    }
    return tensor(**{**made, **changes})


def done(made: TensorState) -> StatementState:
    return StatementState(Status.OK, (made,), passes=1)


GRAD = tensor(value=ONE)
STATES = {
    "leaf": done(tensor()),
    "leaf, requires_grad": done(tensor(requires_grad=True)),
    "leaf with grad": done(tensor(requires_grad=True, grad=GRAD)),
    "leaf, twice": done(tensor(requires_grad=True, grad=GRAD, sum_of=(Contribution(9, 0, ONE),) * 2)),
    "intermediate": done(inner()),
    "freed": done(inner(saved=Saved.FREED)),
    "saves nothing": done(inner(saved=Saved.NOTHING, saved_values=())),
    "kept grad": done(inner(retains_grad=True, grad=GRAD)),
    "grad not kept by a pin": done(inner(grad=GRAD)),
    "version": done(inner(version=1)),
    "waiting": StatementState(Status.WAITING),
    "not reached": StatementState(Status.NOT_REACHED),
    "to come": StatementState(Status.TO_COME),
    "failed": StatementState(Status.FAILED, problem=Problem(1, "RuntimeError", "shapes differ")),
}
NOT_FAR = {"leaf, twice", "saves nothing", "kept grad", "grad not kept by a pin", "version", "waiting", "not reached"}
NOT_MIDDLE = {"saves nothing", "not reached"}


def card(name: str, zoom: float, theme: str = "light", *, covered: bool = False) -> QImage:
    """One card in a state, painted at a zoom."""
    leaf = name.startswith("leaf")
    first = Statement(1, Kind.LEAF, "tensor", ("t",), ((1.0,),))
    made = first if leaf else Statement(1, Kind.OP, "mul", ("t",), (2.0, 3.0), style="operator")
    state = State(1, {1: STATES[name]}, covered=(lambda _number: True) if covered else None)
    picture = Picture()
    picture.update(Program({1: made}, (1,)), Board({("cards", 1): Place(0, 0)}), state)
    size = QRectF(0, 0, 280 * zoom, 160 * zoom)
    image = QImage(size.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    look = Look(theme=load(theme), zoom=zoom, origin=(-80.0, -32.0))
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    try:
        paint(painter, picture, look, size, Brushes())
    finally:
        painter.end()
    return image


def grey_after_projector(image: QImage) -> np.ndarray:
    """Lightness of each pixel, mixed with 45% white as by the light of a room."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return 0.55 * rows[:, : grey.width()] / 255 + 0.45


def differs(one: np.ndarray, other: np.ndarray) -> bool:
    """True where the difference is seen: several pixels by at least a tenth."""
    return int((np.abs(one - other) >= 0.1).sum()) >= 4


MISSING = [(1.0, set()), (0.45, NOT_MIDDLE), (0.2, NOT_FAR)]


@pytest.mark.parametrize("theme", NAMES)
@pytest.mark.parametrize(("zoom", "missing"), MISSING)
def test_states_differ_in_grey_on_a_washed_out_projector(qapp, zoom: float, missing: set[str], theme: str) -> None:
    seen = {name: grey_after_projector(card(name, zoom, theme)) for name in STATES if name not in missing}
    alike = [(a, b) for a, b in itertools.combinations(seen, 2) if not differs(seen[a], seen[b])]
    assert alike == []


DEUTERANOPIA = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])
"""Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB."""


def deuteranope(image: QImage) -> np.ndarray:
    """Lightness of each pixel to someone without the middle cones, mixed with 45% white."""
    made = image.convertToFormat(QImage.Format.Format_RGB32)
    shape = (made.height(), made.bytesPerLine() // 4, 4)
    rgb = np.frombuffer(made.constBits(), np.uint8).reshape(shape)[:, : made.width(), 2::-1] / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ DEUTERANOPIA.T, 0, 1)
    return 0.55 * (seen @ (0.2126, 0.7152, 0.0722)) ** (1 / 2.2) + 0.45


@pytest.mark.parametrize("theme", NAMES)
@pytest.mark.parametrize(("zoom", "missing"), MISSING)
def test_states_differ_for_a_deuteranope(qapp, zoom: float, missing: set[str], theme: str) -> None:
    seen = {name: deuteranope(card(name, zoom, theme)) for name in STATES if name not in missing}
    alike = [(a, b) for a, b in itertools.combinations(seen, 2) if not differs(seen[a], seen[b])]
    assert alike == []


@pytest.mark.parametrize("zoom", [1.0, 0.45, 0.2])
def test_a_covered_gradient_shows_nothing_of_itself(qapp, zoom: float) -> None:
    assert card("leaf with grad", zoom, covered=True) == card("leaf, requires_grad", zoom, covered=True)
    assert card("leaf with grad", zoom, covered=True) != card("leaf with grad", zoom)


@pytest.mark.parametrize(("zoom", "level"), [(0.6, Level.NEAR), (0.59, Level.MIDDLE), (0.25, Level.MIDDLE), (0.24, 0)])
def test_three_levels(zoom: float, level: Level) -> None:
    assert level_at(zoom) == level


@pytest.mark.parametrize("name", list(STATES))
def test_nothing_is_painted_outside_what_the_sprite_holds(qapp, name: str) -> None:
    from chalkgrad_app.picture.drawings import DRAWINGS
    from chalkgrad_app.picture.sprites import paint_card

    statement = Statement(1, Kind.OP, "mul", ("t" * 60,), (2.0, 123456789.25), style="operator")
    picture = Picture()
    problem = Problem(1, "RuntimeError", "a message " * 30)
    state = State(1, {1: STATES[name]}, problems=(problem,))
    picture.update(Program({1: statement}, (1,)), Board(), state)
    said = picture.face(1)
    extent = DRAWINGS["cards"].extent(said)
    image = QImage(600, 400, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        painter.translate(150, 100)
        paint_card(painter, DRAWINGS["cards"], said, 1, Look())
    finally:
        painter.end()
    alpha = np.frombuffer(image.constBits(), np.uint8).reshape(400, 600, 4)[:, :, 3]
    down, across = np.nonzero(alpha)
    assert across.min() - 150 >= extent.left() - 1
    assert across.max() - 150 <= extent.right() + 1
    assert down.min() - 100 >= extent.top() - 1
    assert down.max() - 100 <= extent.bottom() + 1


def test_flattened_wires_run_from_end_to_end() -> None:
    ends = np.array([[0.0, 0.0, 100.0, 50.0], [200.0, 0.0, 0.0, 300.0]])
    points = flatten(cubics(ends))
    np.testing.assert_allclose(points[:, 0], ends[:, :2])
    np.testing.assert_allclose(points[:, -1], ends[:, 2:])


def test_segments_outside_are_dropped() -> None:
    points = flatten(cubics(np.array([[0.0, 0.0, 1000.0, 0.0]])))
    kept = lines_within(points, (400.0, -10.0, 500.0, 10.0))
    assert 1 <= len(kept) < 20
    assert lines_within(points, (0.0, 50.0, 1000.0, 60.0)).shape == (0, 4)


def test_dots_are_evenly_spread_whatever_the_pieces() -> None:
    points = flatten(cubics(np.array([[0.0, 0.0, 300.0, 0.0]])))
    dots = dots_within(points, (-10.0, -10.0, 400.0, 10.0), 2.0, 6.0)
    assert len(dots) == 50
    np.testing.assert_allclose(np.diff(dots[:, 0]), 6.0, atol=1e-9)
    np.testing.assert_allclose(dots[:, 2] - dots[:, 0], 2.0, atol=1e-9)


def test_of_a_wire_a_thousand_times_as_long_as_the_view_only_the_dots_that_are_seen_are_made() -> None:
    points = flatten(cubics(np.array([[-2e5, 40.0, 2e5, 60.0]])))
    box = (100.0, 0.0, 900.0, 100.0)
    everywhere = dots_within(points, (-3e5, -1e5, 3e5, 1e5), 2.0, 6.0)
    seen = (everywhere[:, 2] >= box[0]) & (everywhere[:, 0] <= box[2])
    dots = dots_within(points, box, 2.0, 6.0)
    assert seen.sum() <= len(dots) <= seen.sum() + 2
    apart = np.abs(dots[:, None, 0] - everywhere[seen][None, :, 0]).min(axis=0)
    np.testing.assert_allclose(apart, 0.0, atol=1e-6)


def test_of_very_many_dots_that_lie_on_each_other_one_is_painted(monkeypatch) -> None:
    one = flatten(cubics(np.array([[0.0, 0.0, 300.0, 40.0]])))
    beside = flatten(cubics(np.array([[0.0, 1.0, 300.0, 41.0]])))
    box = (-10.0, -10.0, 400.0, 60.0)
    alone = dots_within(np.concatenate([one, beside]), box, 2.0, 6.0)
    many = np.concatenate([*[one] * 600, beside])
    np.testing.assert_array_equal(np.unique(dots_within(many, box, 2.0, 6.0), axis=0), np.unique(alone, axis=0))
    assert len(dots_within(many, box, 2.0, 6.0)) == len(alone)
    monkeypatch.setattr(wires, "CROWDED", 10**9)
    assert len(dots_within(many, box, 2.0, 6.0)) > 100 * len(alone)


def test_a_picture_of_twenty_thousand_cards_is_painted_in_batches(qapp) -> None:
    count = 20_000
    leaf = {i: Statement(i, Kind.LEAF, "tensor", (f"x{i}",), ((1.0,),)) for i in range(1, 3)}
    ops = {i: Statement(i, Kind.OP, "relu", (f"a{i}",), (Ref(i - 1),)) for i in range(3, count + 1)}
    program = Program({**leaf, **ops}, tuple(range(1, count + 1)))
    places = {("cards", i): Place((i % 150) * 240.0, (i // 150) * 128.0) for i in program.order}
    picture = Picture()
    picture.update(program, Board(places), State(0, dict.fromkeys(program.order, STATES["intermediate"])))
    image = QImage(800, 500, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        paint(painter, picture, Look(zoom=0.02), QRectF(0, 0, 800, 500), Brushes())
    finally:
        painter.end()
    assert image.pixelColor(400, 200) != Qt.GlobalColor.white
    assert not picture.faces_known, "seen from afar, no card was looked at one by one"
