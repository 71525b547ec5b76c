"""The loss of a training loop over two numbers of its parameters: what an optimiser goes down, as a grid of values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Counter, Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.history import Series
from chalkgrad.session.state import State
from chalkgrad.stepwise import Steps, Work

POINTS = 25
"""So many values of each of the two."""
ROOM = 0.35
"""So much is looked at around a path, as a share of its width."""
SLICE = 4.0
"""Milliseconds that a point is worked on between two chances to stop."""
LEAST = 1e-3
"""The least width, for a path that stays where it is."""


@dataclass(frozen=True)
class Surface:
    """The loss, a row for each of ``ys``, a column for each of ``xs``; NaN where it can't be worked out."""

    xs: np.ndarray
    ys: np.ndarray
    values: np.ndarray


def surface(program: Program, state: State, loss: Ref, across: Series, up: Series, around: np.ndarray) -> Work[Surface]:
    """The loss over two elements of parameters, ``around`` the points (rows) that a path goes through.

    Whatever else is trained stays as it is at ``state``.
    """
    return Work(_surface(program, state, loss, (across, up), around))


def can_be_drawn(program: Program, loss: Ref) -> bool:
    """True where the loss is made of leaves by operators alone, in every round by the same ones."""
    lines = [program[id_] for id_ in _lines(program, loss)]
    written = [program[id_] for id_ in program.again(loss.statement)]
    return not any(map(program.writes, [*lines, *written])) and all(
        line.kind in (Kind.LEAF, Kind.OP, Kind.ALIAS)
        and not any(isinstance(operand, Counter) for operand in line.operands)
        and not any(ref.path for ref in line.refs())
        for line in lines
    )


def _lines(program: Program, loss: Ref) -> list[int]:
    wanted = {loss.statement, *program.needs(loss.statement)}
    return [id_ for id_ in program.order if id_ in wanted]


def _surface(
    program: Program, state: State, loss: Ref, series: tuple[Series, Series], around: np.ndarray
) -> Steps[Surface]:
    xs, ys = (_spread(around[:, column]) for column in (0, 1))
    values = np.full((len(ys), len(xs)), np.nan)
    lines = _lines(program, loss)
    fixed = {id_: replace(program[id_], block=None) for id_ in lines}
    leaves = {id_: _value(state, id_) for id_ in lines if program[id_].kind is Kind.LEAF}
    known = {id_: value for id_, value in leaves.items() if value is not None}
    if all(found.statement in known for found in series):
        for row, column in np.ndindex(values.shape):
            point = {id_: value.copy() for id_, value in known.items()}
            for found, number in zip(series, (xs[column], ys[row]), strict=True):
                point[found.statement].reshape(-1)[found.element] = number
            placed = {id_: _leaf(fixed[id_], value) for id_, value in point.items()}
            session = Session(Program(fixed | placed, tuple(lines), {}, program.next_id))
            while not session.advance(SLICE):
                yield
            values[row, column] = _number(session, loss)
            yield
    return Surface(xs, ys, values)


def _spread(values: np.ndarray) -> np.ndarray:
    """Places around what a path goes through."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    room = max(ROOM * (high - low), LEAST * max(1.0, abs(high)))
    return np.linspace(low - room, high + room, POINTS)


def _value(state: State, id_: int) -> np.ndarray | None:
    tensor = state.tensor(id_)
    return None if tensor is None else tensor.value


def _leaf(line: Statement, value: np.ndarray) -> Statement:
    return replace(line, call="tensor", operands=(Array.of(value),), options=())


def _number(session: Session, loss: Ref) -> float:
    tensor = session.trace.state().tensor(loss.statement, loss.output)
    return float("nan") if tensor is None or tensor.value is None or tensor.value.size != 1 else float(tensor.value)
