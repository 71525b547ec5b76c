"""Wires: derived from the program, drawn as cubics, flattened in one go.

A wire runs from the last statement that wrote the tensor before its reader (in-place operators make no object), past
the operators that are written inline in the reader's line and ``.data``, which are tags on it. A ``.grad`` operand
starts at the grad row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.curves import CLOSE, SHORT, STEEP, TINY
from chalkgrad.program.cards import has_card, is_tag
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Operand, Ref, Statement
from chalkgrad.source import emit
from chalkgrad.stepwise import Stepwise, finished
from chalkgrad_app.picture.anatomy import Anatomy, Point
from chalkgrad_app.picture.card import input_ports

Writers = dict[tuple[int, int], int]
"""The statement that wrote an output (statement, number) last."""


class Wire(NamedTuple):
    """One wire: from ``output`` of ``source`` (its grad row if ``from_grad``) to ``port`` of ``target``.

    ``tensor`` is the card whose tensor is read where that is another than ``source``: who wrote to ``w.data`` wrote new
    numbers under ``w``, and gradient flows to ``w`` as before.
    """

    source: int
    output: int
    from_grad: bool
    target: int
    port: int
    tags: tuple[str, ...] = ()
    tensor: int | None = None


class _End(NamedTuple):
    """Where following an operand back arrived: a card, its output, whether at the grad row, and the tags passed."""

    ref: Ref
    tags: tuple[str, ...]


def wires(program: Program, cards: Collection[int] | None = None) -> list[Wire]:
    """All wires of a program, in the order of their readers. One pass: linear in the number of statements.

    ``cards`` are the statements that have a card, worked out here when None.
    """
    if cards is None:
        cards = {statement.id for statement in program if has_card(program, statement)}
    return finished(finding_wires(program, cards))


def finding_wires(program: Program, cards: Collection[int]) -> Stepwise[list[Wire]]:
    """The same in steps, a statement at each."""
    found: list[Wire] = []
    writers: Writers = {}
    for place, statement in enumerate(program):
        if statement.id in cards:
            found += wires_into(program, statement, cards, writers)
            _remember_write(program, statement, writers)
            yield place / len(program)
    return found


def wires_into(program: Program, target: Statement, cards: Collection[int], writers: Writers) -> list[Wire]:
    """The wires into one card; ``writers`` are the statements before it that wrote an output last, in place."""
    found, statements = [], program.statements
    for port, operand in input_ports(target):
        if not isinstance(operand, Ref):
            continue
        id_ = operand.statement
        if not writers and not operand.path and id_ in cards and not program.writes(statements[id_]):
            if id_ != target.id:
                found.append(Wire(id_, operand.output, False, target.id, port))
            continue
        for end in _ends(program, operand, ()):
            made = program.maker(end.ref)
            from_grad = "grad" in made.path
            tags = tuple(f".{step}" for step in made.path if step != "grad") + end.tags
            source, output, tensor = made.statement, made.output, None
            if not from_grad and (source, output) in writers:
                tensor = source if source in cards and _is_beside(program[writers[source, output]]) else None
                source, output = writers[source, output], 0
            if source in cards and source != target.id:
                found.append(Wire(source, output, from_grad, target.id, port, tags, tensor))
    return found


def _ends(program: Program, operand: Operand, tags: tuple[str, ...]) -> Iterator[_End]:
    """The cards that an operand comes from, through the tags on its wire."""
    if not isinstance(operand, Ref) or operand.statement not in program:
        return
    passed = program[operand.statement]
    if is_tag(program, passed):
        yield from _ends(program, passed.operands[0], (emit.tag(passed), *tags))
    else:
        yield _End(operand, tags)


def _remember_write(program: Program, statement: Statement, writers: Writers) -> None:
    first = statement.operands[0] if statement.operands else None
    if program.writes(statement) and isinstance(first, Ref):
        made = program.maker(first)
        writers[made.statement, made.output] = statement.id


def _is_beside(writer: Statement) -> bool:
    """True for a write to ``.data``, past the tensor that holds the numbers."""
    written = writer.operands[0]
    return isinstance(written, Ref) and "data" in written.path


def start_of(shape: Anatomy, wire: Wire) -> Point:
    """Where a wire leaves a card of this anatomy, from its top left corner."""
    row = shape.row(wire.output)
    return row.grad_port if wire.from_grad else row.value_port


# ---------------------------------------------------------------- curves

COARSE, SEGMENTS, FINE = 8, 20, 40
"""How many pieces a cubic is flattened into: seen from afar, near, and enlarged."""
CROWDED = 20_000
"""Of more dots than this many lie on each other: they would take longer to paint than all else."""
SLOTS, SPREAD = 20, np.uint64(0x9E3779B97F4A7C15)
"""Of a table that finds dots at one place: how many bits its numbers have, and what places are multiplied by."""
OVERLAP = 0.45
"""How far a piece reaches into its neighbours, in pixels."""


def _basis(segments: int) -> np.ndarray:
    """Bernstein polynomials of degree 3 at ``segments + 1`` places: 4 rows."""
    t = np.linspace(0.0, 1.0, segments + 1)
    return np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3])


_BASES = {segments: _basis(segments) for segments in (COARSE, SEGMENTS, FINE)}


def handles(ax: np.ndarray, ay: np.ndarray, bx: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Length of the horizontal handles of each cubic from a to b.

    Half the way where the wire goes right; where it goes back it swings out, more the further it goes back.
    """
    dx, dy = bx - ax, np.abs(by - ay)
    back = np.minimum(-dx * 0.6 + 40.0, np.where(dx < -SHORT, 240.0, dy * 0.5))
    return np.asarray(np.maximum(np.where(dx >= 0, dx * 0.5, back), np.minimum(dy * 0.25, 48.0)))


def turned(points: np.ndarray) -> np.ndarray:
    """The same with x and y exchanged; each row holds points, x before y. What runs right runs down then."""
    return points.reshape(len(points), points.shape[1] // 2, 2)[..., ::-1].reshape(points.shape)


def cubics(ends: np.ndarray, down: bool = False) -> np.ndarray:
    """The plain curves of wires: rows of four points; ``ends`` has rows (ax, ay, bx, by).

    They are level at both ends, or upright where wires run ``down``. Short ones that run back without the room to
    swing out are straight.
    """
    if down:
        return turned(cubics(turned(ends)))
    found = np.empty((len(ends), 8))
    ax, ay, bx, by = ends.T
    reach = handles(ax, ay, bx, by)
    found[:, 0:2], found[:, 6:8] = ends[:, 0:2], ends[:, 2:4]
    found[:, 2], found[:, 3] = ax + reach, ay
    found[:, 4], found[:, 5] = bx - reach, by
    back, down = ax - bx, np.abs(by - ay)
    straight = (back <= SHORT) & (back > -CLOSE) & ((back * STEEP > down) | (down < TINY))
    if straight.any():
        way = ends[straight, 2:] - ends[straight, :2]
        found[straight, 2:4], found[straight, 4:6] = ends[straight, :2] + way / 3, ends[straight, :2] + way * (2 / 3)
    return found


def flatten(cubics: np.ndarray, segments: int = SEGMENTS) -> np.ndarray:
    """Points on each cubic, shape (n, segments + 1, 2); ``cubics`` has rows of four points."""
    basis = _BASES[segments]
    return np.stack([cubics[:, 0::2] @ basis, cubics[:, 1::2] @ basis], axis=-1)


def middle_of(cubics: np.ndarray) -> tuple[float, float]:
    """The point half-way along a wire that consists of these pieces."""
    points = flatten(cubics, FINE).reshape(-1, 2)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    x, y = (float(np.interp(along[-1] / 2, along, points[:, axis])) for axis in (0, 1))
    return x, y


def lines_within(points: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    """The segments of flattened cubics that touch ``box`` (left, top, right, bottom), rows (x1, y1, x2, y2).

    Each is a little longer than it should be: flat ends that merely meet leave seams when antialiased.
    """
    flat = np.concatenate([points[:, :-1], points[:, 1:]], axis=-1).reshape(-1, 4)
    flat = flat[_touching(flat, box)]
    along = flat[:, 2:4] - flat[:, 0:2]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)
    extra = along * (OVERLAP / length)[:, None]
    flat[:, 0:2] -= extra
    flat[:, 2:4] += extra
    return np.asarray(flat)


def dots_within(points: np.ndarray, box: tuple[float, float, float, float], size: float, gap: float) -> np.ndarray:
    """Dots along flattened cubics as short segments ``size`` long, ``gap`` from one to the next, where they are seen.

    Wires may be a thousand times as long as what is seen of them.
    """
    along = points[:, 1:] - points[:, :-1]
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-6)
    reached = np.cumsum(length, axis=1)
    flat = np.concatenate([points[:, :-1], points[:, 1:]], axis=-1).reshape(-1, 4)
    kept = np.flatnonzero(_touching(flat, box))
    begins, length = (reached - length).reshape(-1)[kept], length.reshape(-1)[kept]
    begin, end = _parts_within(flat[kept], box, size)
    # Dot number k of a wire lies k gaps from its beginning, whatever pieces it was flattened into.
    first = np.ceil((begins + begin * length) / gap)
    counts = np.maximum(np.ceil((begins + end * length) / gap) - first, 0).astype(np.intp)
    number = np.arange(counts.sum()) - (np.cumsum(counts) - counts).repeat(counts)
    ways = along.reshape(-1, 2)[kept] / length[:, None]
    starts = flat[kept, :2] + ways * (first * gap - begins)[:, None]
    found = np.empty((len(number), 4))
    for axis in (0, 1):  # tens of thousands: column by column takes half as long
        way = ways[:, axis].repeat(counts)
        found[:, axis] = starts[:, axis].repeat(counts) + way * (number * gap)
        found[:, axis + 2] = found[:, axis] + way * size
    return found if len(found) < CROWDED else _apart(found)


def _apart(dots: np.ndarray) -> np.ndarray:
    """One of those dots that lie on each other, to a sixty-fourth of a pixel."""
    place = np.round(dots[:, :2] * 64).astype(np.int64)
    where = (place[:, 0] << 32) + place[:, 1]
    slot = (where.astype(np.uint64) * SPREAD) >> np.uint64(64 - SLOTS)
    numbers = np.arange(len(dots))
    last = np.empty(1 << SLOTS, np.intp)
    last[slot] = numbers
    other = last[slot]
    return np.asarray(dots[(other == numbers) | (where[other] != where)])


def _parts_within(
    flat: np.ndarray, box: tuple[float, float, float, float], margin: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which part of each segment (from 0 to 1) lies in a box with a margin around it: where it begins and ends."""
    begin, end = np.zeros(len(flat)), np.ones(len(flat))
    for axis in (0, 1):
        start, way = flat[:, axis], flat[:, axis + 2] - flat[:, axis]
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        one, other = (box[axis] - margin - start) / way, (box[axis + 2] + margin - start) / way
        begin, end = np.maximum(begin, np.minimum(one, other)), np.minimum(end, np.maximum(one, other))
    return begin, np.maximum(begin, end)


def _touching(flat: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    left, top, right, bottom = box
    low_x, high_x = np.minimum(flat[:, 0], flat[:, 2]), np.maximum(flat[:, 0], flat[:, 2])
    low_y, high_y = np.minimum(flat[:, 1], flat[:, 3]), np.maximum(flat[:, 1], flat[:, 3])
    return np.asarray((low_x <= right) & (high_x >= left) & (low_y <= bottom) & (high_y >= top))


def boxes(cubics: np.ndarray) -> np.ndarray:
    """A rectangle around each cubic: rows (left, top, right, bottom)."""
    xs, ys = cubics[:, 0::2], cubics[:, 1::2]
    return np.stack([xs.min(axis=1), ys.min(axis=1), xs.max(axis=1), ys.max(axis=1)], axis=1)


def points_on(cubics: np.ndarray, steps: int = 16) -> np.ndarray:
    """Points on each cubic from its start to its end: shape (n, steps + 1, 2); its handles are beside it."""
    part = np.linspace(0.0, 1.0, steps + 1)
    weights = np.stack([(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3], axis=1)
    return np.asarray(weights @ cubics.reshape(-1, 4, 2))
