"""Guessing a gradient: what a typed guess is worth, and hints that unfold the chain rule without telling the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from chalkgrad.explain.account import Account, Factor, Path, Share
from chalkgrad.explain.trail import NOWHERE, Trail
from chalkgrad.explain.trail import joined as all_of
from chalkgrad.explain.writing import EQUALS, Formula, Pieces, joined, number, row_pieces, together
from chalkgrad.program.names import narrow
from chalkgrad.program.statement import Array
from chalkgrad.source import read
from chalkgrad.source.problem import SourceError
from chalkgrad.text import Text

EXACT = 1e-4
"""How far a guess may be from the number, relative to it, whatever digits were typed."""
ROUNDED = 0.02
"""How far a guess may be that is the number rounded to the digits that were typed."""
MOST_ROWS = 4
"""Of a larger Jacobian a hint shows the first rows."""
COMMA = r",\;\;"

_LITERAL = re.compile(r"\d*\.(\d+)(?![\d.]|e)|\d+\.?(?:\d*e[-+]?\d+)?", re.IGNORECASE)
_NONE = frozenset({"none", "null", "没有", "无"})


class Verdict(StrEnum):
    """What a guess is worth."""

    RIGHT = "right"
    NEARLY = "nearly"  # right in part, which is said
    WRONG = "wrong"
    UNREADABLE = "unreadable"  # no guess at all


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and a sentence about it."""

    verdict: Verdict
    said: Text


@dataclass(frozen=True, slots=True)
class Hint:
    """One more step towards a gradient: a sentence, formulas, and what to light up on the canvas."""

    said: Text
    rows: tuple[Pieces, ...] = ()
    trail: Trail = NOWHERE


def judge(
    typed: str, truth: np.ndarray | None, parts: Sequence[np.ndarray] = (), account: Account | None = None
) -> Judgement:
    """What ``typed`` is worth as a guess at ``truth``, a gradient or None.

    ``parts`` are what several backwards gave one after another; ``account`` is its explanation, where it is known.
    """
    bare = narrow(typed).strip()
    if bare.lower() in _NONE:
        return _right("guess.none") if truth is None else Judgement(Verdict.WRONG, Text("guess.is_there"))
    guess = _read(bare)
    if guess is None:
        return Judgement(Verdict.UNREADABLE, Text("guess.unreadable"))
    if truth is None:
        is_zero = guess.size > 0 and not guess.any()
        return (
            Judgement(Verdict.NEARLY, Text("guess.zero")) if is_zero else Judgement(Verdict.WRONG, Text("guess.wrong"))
        )
    return _judged(guess, truth, _decimals(bare, guess.size), parts, account)


def judge_flags(guess: dict[str, bool], truth: dict[str, bool]) -> Judgement:
    """What a guess at some flags is worth."""
    wrong = [key for key, value in truth.items() if guess.get(key) is not value]
    if not wrong:
        return _right("guess.right")
    if len(wrong) < len(truth):
        return Judgement(Verdict.NEARLY, Text("guess.flag", flag=wrong[0]))
    return Judgement(Verdict.WRONG, Text("guess.wrong"))


def hints(account: Account) -> tuple[Hint, ...]:
    """The chain rule of a gradient, step by step: paths, factors, rules, numbers; what it comes to is left to find."""
    shares = [share for share in account.shares if share.paths]
    if not shares:
        return ()
    found: list[Hint] = []
    if len(account.shares) > 1:
        found.append(Hint(Text("hint.accumulated", count=sum(share.earlier or 1 for share in account.shares))))
    share = shares[-1]
    found += [_paths(share), Hint(Text("hint.product" if len(share.paths) == 1 else "hint.sum"), share.rows()[:1])]
    factors = share.factors()
    rules = [_rule(factor) for factor in factors if factor.rule or factor.law]
    if rules:
        found.append(Hint(Text("hint.rules"), (_listed(rules),)))
    values = [_value(factor) for factor in factors if factor.jacobian is not None]
    if values:
        found.append(Hint(Text("hint.numbers"), (_listed(values),)))
    return tuple(found)


# ------------------------------------------------------------ a guess


def _read(text: str) -> np.ndarray | None:
    """The numbers typed; None where they are none."""
    try:
        value = read.read_value(f"torch.{text}" if text.startswith("tensor(") else text)
        found = value.numpy() if isinstance(value, Array) else np.array(value, np.float64)
    except (SourceError, TypeError, ValueError):
        return None
    return found if found.dtype.kind in "fiub" and found.size else None


def _decimals(text: str, size: int) -> np.ndarray:
    """How many digits after the point each number was typed with; 0 for all where they can't be told apart."""
    found = [len(match[1] or "") for match in _LITERAL.finditer(text)]
    return np.array(found if len(found) == size else [0] * size)


def _judged(
    guess: np.ndarray, truth: np.ndarray, decimals: np.ndarray, parts: Sequence[np.ndarray], account: Account | None
) -> Judgement:
    try:
        spread, digits = (
            np.broadcast_to(guess, truth.shape),
            np.broadcast_to(decimals.reshape(guess.shape), truth.shape),
        )
    except ValueError:
        return _of_another_shape(guess, truth, decimals)
    fits = _fits(spread, truth, digits)
    if fits.all():
        return _right("guess.right") if guess.shape == truth.shape else _right_for_all(guess, truth)
    return _wrong(spread, truth, fits, parts, account)


def _fits(guess: np.ndarray, truth: np.ndarray, decimals: np.ndarray) -> np.ndarray:
    """Where the guess is as near as the digits typed allow."""
    with np.errstate(invalid="ignore"):
        away = np.abs(guess - truth)
        rounded = (decimals > 0) & (away <= 0.5 * 10.0**-decimals * (1 + EXACT)) & (away <= ROUNDED * np.abs(truth))
        exact = away <= np.maximum(EXACT * np.abs(truth), EXACT * EXACT)
    return np.asarray(exact | rounded | (guess == truth) | (np.isnan(guess) & np.isnan(truth)), bool)


def _right(key: str, **values: object) -> Judgement:
    return Judgement(Verdict.RIGHT, Text(key, **values))


def _right_for_all(guess: np.ndarray, truth: np.ndarray) -> Judgement:
    """The guess holds for every element, though its shape is another one."""
    key = "guess.spread" if guess.size > 1 else "guess.one_element" if truth.size == 1 else "guess.each_element"
    return _right(key, count=truth.size, shape=str(truth.shape))


def _of_another_shape(guess: np.ndarray, truth: np.ndarray, decimals: np.ndarray) -> Judgement:
    shape = str(truth.shape)
    if guess.size == truth.size and _fits(guess.ravel(), truth.ravel(), decimals).all():
        if truth.size == 1:
            return _right_for_all(guess, truth)
        return Judgement(Verdict.NEARLY, Text("guess.wrong_shape", shape=shape, typed=str(guess.shape)))
    return Judgement(Verdict.WRONG, Text("guess.shape_differs", shape=shape, typed=str(guess.shape)))


def _wrong(
    guess: np.ndarray, truth: np.ndarray, fits: np.ndarray, parts: Sequence[np.ndarray], account: Account | None
) -> Judgement:
    """What can be said about numbers that are not the ones."""
    if np.allclose(guess, -truth, EXACT, EXACT * EXACT):
        return Judgement(Verdict.NEARLY, Text("guess.sign"))
    if len(parts) > 1 and np.allclose(guess, parts[-1], EXACT):
        return Judgement(Verdict.NEARLY, Text("guess.last_only", count=len(parts)))
    for share in account.shares if account is not None else ():
        if len(share.paths) > 1 and any(np.allclose(guess, path.gradient, EXACT) for path in share.paths):
            return Judgement(Verdict.NEARLY, Text("guess.one_path", count=len(share.paths)))
    if fits.any():
        return Judgement(Verdict.NEARLY, Text("guess.some", right=int(fits.sum()), count=truth.size))
    if np.allclose(guess, truth, 10 * ROUNDED, EXACT):
        return Judgement(Verdict.NEARLY, Text("guess.digits"))
    return Judgement(Verdict.WRONG, Text("guess.wrong"))


# ------------------------------------------------------------ a hint


def _paths(share: Share) -> Hint:
    shown = [path for path in share.paths if path.stations and not path.left_over]
    count = share.number_of_paths
    key = "hint.one_path" if count == 1 else "hint.paths"
    rows = tuple(_way(path) for path in shown)
    return Hint(Text(key, count=count, target=share.target.plain), rows, all_of(path.trail for path in shown))


def _way(path: Path) -> Pieces:
    """The names on a path, from the root back to the target."""
    stations = tuple(reversed(path.stations))
    return (stations[0], *(Formula(rf"\to {found.latex}", f"-> {found.plain}") for found in stations[1:]))


def _listed(formulas: Sequence[Pieces]) -> Pieces:
    """Formulas after one another, in pieces between which a line may break."""
    last = len(formulas) - 1
    whole = (together(pieces) for pieces in formulas)
    return tuple(
        Formula(rf"{found.latex}{'' if place == last else COMMA}", f"{found.plain}{'' if place == last else ','}")
        for place, found in enumerate(whole)
    )


def _rule(factor: Factor) -> Pieces:
    if factor.law is not None:
        return (factor.law.left, EQUALS, factor.law.right)
    return (factor.symbol, EQUALS, factor.rule)


def _value(factor: Factor) -> Pieces:
    """The number of a local derivative; of one with several, those on the diagonal, or its rows."""
    jacobian = factor.jacobian
    assert jacobian is not None
    if factor.value is not None:
        return (factor.symbol, EQUALS, number(factor.value))
    if jacobian.shape[0] == jacobian.shape[1] and np.array_equal(jacobian, np.diag(np.diagonal(jacobian))):
        return (factor.symbol, EQUALS, Formula(r"\mathrm{diag}", "diag"), *row_pieces(np.diagonal(jacobian)))
    rows = [together(row_pieces(line)) for line in jacobian[:MOST_ROWS]]
    more = [Formula(r"\cdots", "...")] if len(jacobian) > MOST_ROWS else []
    return (factor.symbol, EQUALS, joined(Formula(";", ";"), [*rows, *more]))
