"""An explanation as values: what a gradient consists of, backward by backward and path by path."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chalkgrad.explain.trail import NOWHERE, Trail
from chalkgrad.explain.writing import (
    DOTS,
    EQUALS,
    NOTHING,
    PLUS,
    Formula,
    Pieces,
    atom,
    factor,
    grouped,
    joined,
    number,
    product,
    product_pieces,
    quotient,
    row,
    row_pieces,
    together,
    total,
)

_COUNT = re.compile(r"\{n\}")
HOOKED = Formula(r"\mathrm{hook}(\ldots) = \,", "hook(...) =")
"""Leads to what came of a gradient that hooks changed on its way."""
WEIGHTS = Formula(r"v^{\top}", "v^T")
FEW = 3
"""Terms of a sum that are read at once; of more those that are not zero come first."""
SHORT = 24
"""Letters of a term within which no line breaks."""
ARRIVES = Formula("g", "g")
"""The gradient that arrives at an operator."""


class Law(NamedTuple):
    """An equation of what an operator does; ``of_gradient`` where it speaks of the gradient that arrives."""

    left: Formula
    right: Formula
    of_gradient: bool


@dataclass(frozen=True, slots=True)
class Factor:
    """One local derivative on a path: of ``of`` by ``by``.

    ``jacobian`` has a row for each element of the one and a column for each of the other; None where that is too
    large. ``rule`` is the operator's formula, empty where it has none; ``law`` is an equation that takes its place.
    ``jumps`` says that it stands for several steps, ``total`` that it is the sum over all paths between the two,
    ``direct`` that it is one step beside which other paths lead between the same two.
    """

    of: Formula
    by: Formula
    jacobian: np.ndarray | None
    rule: Formula = NOTHING
    jumps: bool = False
    total: bool = False
    direct: bool = False
    law: Law | None = None
    shapes: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Those of the one and of the other, by which the rows and columns of ``jacobian`` are called."""
    turn: int = 0
    """Of an operator that has the other as an input several times, which of these it is, from 1 on."""

    @property
    def is_unwritten(self) -> bool:
        """True for the step of an operator that has neither: all that is known are the numbers."""
        return not (self.rule or self.law or self.jumps or self.total)

    @property
    def symbol(self) -> Formula:
        """The derivative, written as one."""
        found = (total if self.total else quotient)(self.of, self.by)
        return Formula(found.latex, f"∂{atom(self.of).plain}/∂{atom(self.by).plain}") if self.direct else found

    @property
    def value(self) -> np.generic | None:
        """The number, where it is a single one."""
        return None if self.jacobian is None or self.jacobian.size != 1 else self.jacobian.ravel()[0]

    @property
    def takes_mean(self) -> bool:
        """True where the formula has an n, over which a mean is taken."""
        text = self.rule.latex or (self.law.right.latex if self.law is not None else "")
        return bool(_COUNT.search(text))

    def sentence(self) -> Pieces:
        """Symbol, rule and number, as far as there are: ``dy/da = b = 2``."""
        if self.law is not None and self.value is None:
            return (self.law.left, *_led((self.law.right,)))
        pieces: Pieces = (self.symbol,)
        if self.rule:
            pieces += _led((self.rule,))
        if self.value is not None:
            found = number(self.value)
            if found.plain != self.rule.plain:
                pieces += _led((found,))
        return pieces


@dataclass(frozen=True, slots=True)
class Path:
    """One path from ``root`` and what it gives, with the ``trail`` that it leaves on the canvas.

    Where ``left_over`` is not 0 it stands for so many that are not shown one by one.
    """

    factors: tuple[Factor, ...]
    gradient: np.ndarray
    seed: np.ndarray
    trail: Trail = NOWHERE
    root: Formula = NOTHING
    left_over: int = 0

    @property
    def stations(self) -> tuple[Formula, ...]:
        """The names on the path, from the target to the root, as the values flowed."""
        return (*(factor.by for factor in reversed(self.factors)), self.root)

    def symbols(self) -> Pieces:
        """The product in symbols, after the weights of the root where these are not simply 1."""
        if self.left_over:
            return (Formula(r"\cdots", "..."),)
        parts = [found.symbol for found in self.factors] or [quotient(self.root, self.root)]
        return product_pieces(parts if is_one(self.seed) else [weights_name(self.seed), *parts])

    def numbers(self) -> Pieces:
        """The product in numbers where all of them are single ones, else the row that comes out."""
        values = [found.value for found in self.factors]
        if self.left_over or any(value is None for value in values):
            return row_pieces(self.gradient)
        if not is_one(self.seed):
            values.insert(0, self.seed.ravel()[0])
        if len(values) < 2:
            return row_pieces(self.gradient)
        return product_pieces(factor(value) for value in values)


@dataclass(frozen=True, slots=True)
class Counted:
    """A node of a gradient's graph that is called by its count: ``#5 = #4 * x``, and its value where that is known."""

    name: Formula
    title: Formula
    value: np.ndarray | None
    trail: Trail

    def sentence(self) -> Pieces:
        """What it is and what it comes to."""
        value = () if self.value is None else _led(row_pieces(self.value))
        return (self.name, *_led((self.title,)), *value)


@dataclass(frozen=True, slots=True)
class Share:
    """What one backward gave: ``gradient`` is what the trace recorded.

    ``counted`` are the nodes that its formulas call by their count. ``number_of_paths`` counts the paths up to a limit;
    where ``by_last`` they are added up by the last step before the target. ``failure`` is what the engine said when it
    could not be worked out. Where ``earlier`` is not 0 it stands for so many that are not explained one by one.
    """

    statement: int
    pass_: int
    target: Formula
    gradient: np.ndarray
    root: Formula = NOTHING
    seed: np.ndarray | None = None
    paths: tuple[Path, ...] = ()
    counted: tuple[Counted, ...] = ()
    number_of_paths: int = 0
    by_last: bool = False
    failure: str = ""
    earlier: int = 0

    def rows(self, most: int | None = None) -> tuple[Pieces, ...]:
        """The chain rule, in symbols, then with the numbers, then what comes out; last what hooks made of it.

        Of more than ``most`` terms the first are written.
        """
        if not self.paths:
            return (row_pieces(self.gradient),)
        left = self._left()
        if self.seed is not None and not is_one(self.seed) and self.root:
            left = product([weights_name(self.seed), left])
        symbols = _terms((path.symbols() for path in self.paths), most)
        numbers = _terms((path.numbers() for path in self.paths), most)
        ruled = self._ruled()
        result = row_pieces(ruled)
        rows = [(left,) if together(symbols) == left else (left, *_led(symbols)), _led(numbers)]
        if numbers != result:
            rows.append(_led(result))
        if ruled is not self.gradient:
            rows.append((HOOKED, *row_pieces(self.gradient)))
        return tuple(rows)

    @property
    def has_direct(self) -> bool:
        """True where a direct step is one of several paths: it is not the whole derivative."""
        return any(found.direct for found in self.factors())

    def _left(self) -> Formula:
        """What all of it is the derivative of."""
        if not self.root:
            return Formula(rf"{self.target.latex}.\mathrm{{grad}}", f"{self.target.plain}.grad")
        is_sum = self.has_direct or any(found.total for found in self.factors())
        return (total if is_sum else quotient)(self.root, self.target)

    def _ruled(self) -> np.ndarray:
        """What the paths come to by the chain rule: the gradient, unless hooks changed it on its way."""
        whole = sum((path.gradient for path in self.paths), start=np.zeros_like(self.gradient))
        is_same = whole.shape != self.gradient.shape or np.allclose(whole, self.gradient, 1e-3, 1e-5, equal_nan=True)
        return self.gradient if is_same else whole

    def factors(self) -> tuple[Factor, ...]:
        """The local derivatives of all paths, each once."""
        found: dict[tuple[str, str], Factor] = {}
        for path in self.paths:
            for one in path.factors:
                found.setdefault((one.of.plain, one.by.plain), one)
        return tuple(found.values())

    def arrivals(self) -> dict[str, np.ndarray]:
        """The gradient that arrives at each station, by its name: what the rows of a Jacobian are weighted with.

        Empty where the paths don't tell: some are not shown one by one, a Jacobian is too large, a hook changed it.
        """
        if self.seed is None or self.by_last or any(path.left_over for path in self.paths):
            return {}
        if self._ruled() is not self.gradient:
            return {}
        ways: dict[tuple[str, ...], tuple[str, np.ndarray]] = {}
        for path in self.paths:
            way: tuple[str, ...] = (path.root.plain,)
            arrived = path.seed.ravel()
            for found in path.factors:
                ways[way] = (found.of.plain, arrived)
                if found.jacobian is None or len(found.jacobian) != len(arrived):
                    return {}
                arrived, way = arrived @ found.jacobian, (*way, found.by.plain)
        sums: dict[str, np.ndarray] = {}
        for name, arrived in ways.values():
            sums[name] = sums[name] + arrived if name in sums else arrived
        return sums

    def text(self, latex: bool = False) -> str:
        """All of it as lines of text, or as LaTeX."""
        sentences = [together(one.sentence()) for one in self.factors() if one.rule or one.law or one.value is not None]
        formulas = [*(together(pieces) for pieces in self.rows()), *sentences]
        formulas += [together(node.sentence()) for node in self.counted]
        return "\n".join(found.latex if latex else found.plain for found in formulas)


@dataclass(frozen=True, slots=True)
class Account:
    """Why the gradient of ``target`` is what it is: one share for each backward that it was accumulated over.

    Of several results of one ``torch.autograd.grad`` each has a share, and nothing is accumulated: no ``total``.
    """

    target: Formula
    shares: tuple[Share, ...]
    total: np.ndarray | None

    def sum(self) -> Pieces:
        """How several shares add up, in pieces between which a line may break; none where there is one."""
        if len(self.shares) < 2 or self.total is None:
            return ()
        return (*_terms(_short(share.gradient) for share in self.shares), *_led(_short(self.total)))

    def text(self, latex: bool = False) -> str:
        """All of it as lines of text, or as LaTeX."""
        parts = [share.text(latex) for share in self.shares]
        whole = self.sum()
        if whole:
            parts.append(together(whole).latex if latex else together(whole).plain)
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What a node passes on along one edge."""

    factor: Factor
    gradient: np.ndarray | None
    trail: Trail


@dataclass(frozen=True, slots=True)
class NodeStep:
    """One node of a backward at work: the gradient that came in, local derivatives, what goes out.

    ``arrives`` is what the gradient that came in is called; ``counted`` are as in :class:`Share`.
    """

    node: str
    statement: int
    of: Formula
    incoming: np.ndarray | None
    outgoing: tuple[Outgoing, ...]
    arrives: Formula = ARRIVES
    counted: tuple[Counted, ...] = ()

    def text(self, latex: bool = False) -> str:
        """All of it as lines of text, or as LaTeX."""
        found = [] if self.incoming is None else [joined(EQUALS, [self.arrives, row(self.incoming)])]
        for out in self.outgoing:
            found.append(together(out.factor.sentence()))
            if out.gradient is not None:
                symbol = product([self.arrives, out.factor.symbol])
                found.append(joined(EQUALS, [symbol, row(out.gradient)]))
        found += [together(node.sentence()) for node in self.counted]
        return "\n".join(formula.latex if latex else formula.plain for formula in found)


def is_one(seed: np.ndarray) -> bool:
    """True for the weight that a backward starts from by itself."""
    return seed.size == 1 and bool(seed.ravel()[0] == 1)


def weights_name(seed: np.ndarray) -> Formula:
    """The weights of the root: a row, or a number."""
    return WEIGHTS if seed.size != 1 else Formula("v", "v")


def _terms(formulas: Iterable[Pieces], most: int | None = None) -> Pieces:
    """All added up, or the first of them: the first piece of all but the first with a plus in front."""
    found: list[Formula] = []
    terms = list(formulas)
    shown = terms if most is None or len(terms) <= most else [*terms[:most], (DOTS,)]
    for pieces in shown:
        if not found:
            found += pieces
            continue
        first = grouped(pieces[0]) if len(pieces) == 1 else pieces[0]
        if first.cells:
            found += (PLUS, *pieces)
            continue
        found += (Formula(rf"+ \, {first.latex}", f"+ {first.plain}"), *pieces[1:])
    return tuple(found)


def _short(values: np.ndarray) -> Pieces:
    """A row as a term of a sum: in one piece where that is short."""
    pieces = row_pieces(values)
    whole = together(pieces)
    return (whole,) if len(whole.plain) <= SHORT else pieces


def _led(pieces: Pieces) -> Pieces:
    """The first with an equals sign in front."""
    if pieces[0].cells:
        return (EQUALS, *pieces)
    return (Formula(rf"= \, {pieces[0].latex}", f"= {pieces[0].plain}"), *pieces[1:])
