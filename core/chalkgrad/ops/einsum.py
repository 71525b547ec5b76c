"""Einstein's summation: products of tensors along named dimensions, by ``bmm`` wherever something is summed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.composing import through
from chalkgrad.ops.samples import M23, M32, V2, V3, matrix
from chalkgrad.ops.slopes import of_einsum

Shape = tuple[int, ...]

_DOTS = "..."


def _terms(text: str, start: int, where: str) -> list[str]:
    """The subscripts of one operand or of the output, an ellipsis as one of them."""
    found: list[str] = []
    place = 0
    while place < len(text):
        sign = text[place]
        if sign == ".":
            if _DOTS in found:
                raise RuntimeError(f"einsum(): found '.' for {where} " + _AGAIN[where == "output"])
            if text[place : place + 3] != _DOTS:
                raise RuntimeError(
                    f"einsum(): found '.' for {where} that is not part of any ellipsis"
                    + (" (...)" if where == "output" else "")
                )
            found.append(_DOTS)
            place += 3
            continue
        if sign != " ":
            if not (sign.isascii() and sign.isalpha()):
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {start + place} in the equation string, subscripts "
                    "must be in [a-zA-Z]"
                )
            found.append(sign)
        place += 1
    return found


_AGAIN = ("for which an ellipsis was already found", "but an ellipsis (...) was already found")


def _inputs(left: str, operands: Sequence[Any]) -> list[list[str]]:
    """The subscripts of each operand; RuntimeError where they don't suit its dimensions."""
    parts = left.split(",")
    start = 0
    found = []
    for number, part in enumerate(parts):
        if number < len(operands):
            found.append(_terms(part, start, f"operand {number}"))
        start += len(part) + 1
    if len(parts) > len(operands):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(parts) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    for number, (terms, operand) in enumerate(zip(found, operands, strict=True)):
        count, ndim = len(terms) - (_DOTS in terms), len(operand.shape)
        start_text = f"einsum(): the number of subscripts in the equation ({count})"
        if _DOTS in terms and count > ndim:
            raise RuntimeError(f"{start_text} is more than the number of dimensions ({ndim}) for operand {number}")
        if _DOTS not in terms and count != ndim:
            raise RuntimeError(
                f"{start_text} does not match the number of dimensions ({ndim}) for operand {number} and no ellipsis "
                "was given"
            )
    return found


def _output(right: str | None, start: int, counts: Counter[str]) -> list[str]:
    """The subscripts of the output: those given, or all that occur once, in order, after the ellipsis."""
    if right is None:
        once = sorted(name for name, count in counts.items() if count == 1 and name != _DOTS)
        return [_DOTS, *once]
    terms: list[str] = []
    for place, sign in enumerate(right):
        if sign in " .":
            continue
        _terms(sign, start + place, "output")
        if sign in terms:
            raise RuntimeError(f"einsum(): output subscript {sign} appears more than once in the output")
        if not counts[sign]:
            raise RuntimeError(
                f"einsum(): output subscript {sign} does not appear in the equation for any input operand"
            )
        terms.append(sign)
    return _terms(right, start, "output")


def _aligned(o: Any, operand: Any, number: int, terms: list[str], order: list[str], dots: int) -> Any:
    """``operand`` with one dimension for each subscript in ``order``, of size 1 where it doesn't have that."""
    if _DOTS in terms:
        ndim = len(operand.shape) - (len(terms) - 1)
        place = terms.index(_DOTS)
        terms = [*terms[:place], *(f"{_DOTS}{dots - ndim + axis}" for axis in range(ndim)), *terms[place + 1 :]]
    axes: list[str] = []
    for name in terms:
        if name not in axes:
            axes.append(name)
            continue
        first, second = axes.index(name), len(axes)
        sizes = operand.shape[first], operand.shape[second]
        if sizes[0] != sizes[1]:
            raise RuntimeError(
                f"einsum(): subscript {name} is repeated for operand {number} but the sizes don't match, {sizes[1]} "
                f"!= {sizes[0]}"
            )
        operand = o.movedim(o.diagonal(operand, 0, first, second), -1, first)
    for name in order:
        if name not in axes:
            operand = o.unsqueeze(operand, len(axes))
            axes.append(name)
    return o.permute(operand, tuple(axes.index(name) for name in order))


def _check_sizes(tensors: Sequence[Any], order: list[str]) -> None:
    for axis, name in enumerate(order):
        seen = 1
        for number, tensor in enumerate(tensors):
            size = tensor.shape[axis]
            if size == 1 or size == seen:
                continue
            if seen != 1:
                raise RuntimeError(
                    f"einsum(): subscript {name} has size {size} for operand {number} which does not broadcast with "
                    f"previously seen size {seen}"
                )
            seen = size


def _summed_product(o: Any, left: Any, right: Any, sums: Sequence[int]) -> Any:
    """The product of two aligned tensors, summed over ``sums``, which stay as dimensions of size 1."""
    if not sums:
        return o.mul(left, right)
    both: list[int] = []
    only_left: list[int] = []
    only_right: list[int] = []
    for axis, (size, other) in enumerate(zip(left.shape, right.shape, strict=True)):
        if axis in sums:
            continue
        group = both if size != 1 and other != 1 else only_left if size != 1 else only_right
        group.append(axis)
    count, rows, columns = (
        prod(one.shape[axis] for axis in axes) for one, axes in ((left, both), (left, only_left), (right, only_right))
    )
    inner = prod(left.shape[axis] for axis in sums)
    shape = (
        *(left.shape[axis] for axis in (*both, *only_left)),
        *(1 for _ in sums),
        *(right.shape[axis] for axis in only_right),
    )
    first = o.reshape(o.permute(left, (*both, *only_left, *sums, *only_right)), (count, rows, inner))
    second = o.reshape(o.permute(right, (*both, *sums, *only_right, *only_left)), (count, inner, columns))
    order = (*both, *only_left, *sums, *only_right)
    back = tuple(order.index(axis) for axis in range(len(order)))
    return o.permute(o.view(o.bmm(first, second), shape), back)


def _pair(o: Any, left: Any, right: Any, kept: int, counts: list[int]) -> Any:
    """The product of the first two tensors that are left, summed over what no other has."""
    sums, left_sums, right_sums = [], [], []
    for axis in range(kept, len(counts)):
        if left.shape[axis] != 1 and right.shape[axis] != 1:
            counts[axis] -= 1
            if counts[axis] == 1:
                sums.append(axis)
                counts[axis] = 0
        elif counts[axis] == 1:
            if left.shape[axis] != 1:
                left_sums.append(axis)
                counts[axis] = 0
            elif right.shape[axis] != 1:
                right_sums.append(axis)
                counts[axis] = 0
    if left_sums:
        left = o.sum(left, tuple(left_sums), True)
    if right_sums:
        right = o.sum(right, tuple(right_sums), True)
    return _summed_product(o, left, right, sums)


def _einsum(o: Any, tensors: Sequence[Any], equation: str, path: Any = None) -> Any:
    left, arrow, right = equation.partition("->")
    given = _inputs(left, tensors)
    counts = Counter(name for terms in given for name in terms)
    names = _output(right if arrow else None, len(left) + 2, counts)
    dots = max(
        (len(one.shape) - len(terms) + 1 for one, terms in zip(tensors, given, strict=True) if _DOTS in terms),
        default=0,
    )
    ellipsis = [f"{_DOTS}{axis}" for axis in range(dots)]
    outputs = [name for term in names for name in (ellipsis if term == _DOTS else [term])]
    rest = [name for name in [*ellipsis, *sorted(counts)] if name != _DOTS and name not in outputs]
    order = outputs + rest
    aligned = [
        _aligned(o, one, number, terms, order, dots)
        for number, (one, terms) in enumerate(zip(tensors, given, strict=True))
    ]
    _check_sizes(aligned, order)
    return _contracted(o, aligned, len(outputs), len(order))


def _contracted(o: Any, tensors: list[Any], kept: int, ndim: int) -> Any:
    """All tensors multiplied, the dimensions from ``kept`` on summed away."""
    counts = [sum(one.shape[axis] != 1 for one in tensors) for axis in range(ndim)]
    result = tensors[0]
    for other in tensors[1:]:
        result = _pair(o, result, other, kept, counts)
    if ndim == kept:
        return result
    if len(tensors) > 1:
        return o.view(result, tuple(result.shape)[:kept])
    return o.sum(result, tuple(range(kept, ndim)))


register(
    Record(
        name="einsum",
        inputs=("tensors",),
        attributes=(
            Attribute("equation", "choice", required=True),
            Attribute("path", "size", None, positional=False),
        ),
        variadic=True,
        promotes="none",
        forward=lambda tensors, equation, path=None: through(_einsum)(tensors, equation=equation),
        compose=_einsum,
        signatures=("einsum(str equation, Tensor[] tensors, *, int[]? path=None)",),
        function="torch.einsum",
        section="matrix",
        latex=r"\sum \prod \tensors",
        varying=of_einsum,
        samples=(
            (([M23, M32], "ij,jk->ik"), {}),
            (([V2, V3], "i,j->ij"), {}),
            (([matrix((1.0, 2.0), (3.0, 4.0))], "ii"), {}),
        ),
    )
)
