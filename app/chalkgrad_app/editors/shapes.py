"""Shapes as they are typed, and arrays given another shape."""

from __future__ import annotations

import re
from math import prod

import numpy as np

from chalkgrad.program.names import narrow
from chalkgrad.source.values import DEEP
from chalkgrad_app.i18n import translate

MOST = 100_000
"""So many numbers are written into a line where nobody has brought them: about a megabyte of it."""

DIGITS = 15
"""Of a number with more digits it is only said that it is large."""

_SIZE = r"(?:-1|[1-9]\d*)"
_BETWEEN = r"(?:\s*[,x×*]\s*|\s+)"
_SIZES = re.compile(rf"{_SIZE}(?:{_BETWEEN}{_SIZE})*")
_NONE = re.compile(r"(?:[(\[]\s*)+(?:[)\]]\s*)*")
_CALL = "torch.size(["


def read_shape(text: str) -> tuple[int, ...]:
    """The shape that was typed: ``2, 3``, ``(2, 3)``, ``2 x 3``, ``()``; -1 is what is left. ValueError for others."""
    inside = narrow(text).strip().lower().removeprefix("torch.size").strip()
    if _NONE.fullmatch(inside):
        return ()
    plain = re.sub(r"\s*,?\s*$", "", inside.strip("()[] "))  # (2,)
    if not _SIZES.fullmatch(plain):
        raise ValueError(_words())
    found = re.findall(_SIZE, plain)
    if found.count("-1") > 1:
        raise ValueError(_words())
    if len(found) > DEEP:
        raise ValueError(translate("Shapes", "At most {n} dimensions go here").format(n=DEEP))
    if max(map(len, found)) > DIGITS:
        raise too_many()
    return tuple(map(int, found))


def is_begun(text: str) -> bool:
    """True for what is no shape yet and can become one: ``2 x``, ``3, -``."""
    plain = narrow(text).strip().lower()
    if not plain or _CALL.startswith(plain):
        return True
    try:
        read_shape(plain)
    except ValueError:
        return _can_be(f"{plain}1")
    return False


def worked_out(count: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with a number in the place of -1, for so many numbers.

    ValueError where none will do, and for a shape of more numbers than there are and than may be made.
    """
    known = prod(size for size in shape if size != -1)
    if -1 not in shape:
        if known > max(MOST, count):
            raise too_many(known)
        return shape
    if count % known:
        words = translate("Shapes", "{n} numbers can't be divided so")
        if count == 1:
            words = translate("Shapes", "A single number can't be divided so")
        raise ValueError(words.format(n=count))
    return tuple(count // known if size == -1 else size for size in shape)


def resized(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The array in another shape: the same numbers where as many fit, else cut off or filled up with zeros."""
    shape = worked_out(array.size, shape)
    if prod(shape) == array.size:
        return array.reshape(shape)
    made = np.zeros(shape, array.dtype)
    if len(shape) == array.ndim:
        common = tuple(slice(0, min(one, other)) for one, other in zip(shape, array.shape, strict=True))
        made[common] = array[common]
    else:
        count = min(made.size, array.size)
        made.reshape(-1)[:count] = array.reshape(-1)[:count]
    return made


def too_many(count: int = 0) -> ValueError:
    """What is said of a shape of so many numbers; 0 where they are beyond all counting."""
    if 0 < count < 10**DIGITS:
        words = translate("Shapes", "{count} numbers are too many: at most {most} are made here")
        return ValueError(words.format(count=f"{count:,}", most=f"{MOST:,}"))
    return ValueError(translate("Shapes", "Too many numbers: at most {most} are made here").format(most=f"{MOST:,}"))


def _can_be(text: str) -> bool:
    try:
        read_shape(text)
    except ValueError:
        return False
    return True


def _words() -> str:
    return translate("Shapes", "A shape is whole numbers from 1 on: 2, 3")
