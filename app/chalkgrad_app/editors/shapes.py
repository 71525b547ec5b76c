"""Shapes as they are typed, and arrays given another shape."""

from __future__ import annotations

import re

import numpy as np

from chalkgrad.program.names import narrow
from chalkgrad_app.i18n import translate


def read_shape(text: str) -> tuple[int, ...]:
    """The shape that was typed: ``2, 3``, ``(2, 3)``, ``2 x 3``, ``()``; -1 is what is left. ValueError for others."""
    inside = re.sub(r"torch\.size", " ", narrow(text).lower()).strip()
    plain = re.sub(r"[x×*]", " ", inside).strip("()[] ,")
    if not plain and not re.fullmatch(r"[(\[][()\[\]\s]*", inside):  # nothing, or a lone x, is no shape of a number
        raise ValueError(_words())
    try:
        sizes = tuple(int(size) for size in re.split(r"[\s,]+", plain) if size)
    except ValueError:
        raise ValueError(_words()) from None
    if any(size < 1 and size != -1 for size in sizes) or sizes.count(-1) > 1:
        raise ValueError(_words())
    return sizes


def worked_out(count: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with a number in the place of -1, for so many numbers; ValueError where none will do."""
    if -1 not in shape:
        return shape
    known = int(np.prod([size for size in shape if size != -1]))
    if count % known:
        words = translate("Shapes", "{n} numbers can't be divided so")
        if count == 1:
            words = translate("Shapes", "A single number can't be divided so")
        raise ValueError(words.format(n=count))
    return tuple(count // known if size == -1 else size for size in shape)


def resized(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The array in another shape: the same numbers where as many fit, else cut off or filled up with zeros."""
    shape = worked_out(array.size, shape)
    if int(np.prod(shape)) == array.size:
        return array.reshape(shape)
    made = np.zeros(shape, array.dtype)
    if len(shape) == array.ndim:
        common = tuple(slice(0, min(one, other)) for one, other in zip(shape, array.shape, strict=True))
        made[common] = array[common]
    else:
        count = min(made.size, array.size)
        made.reshape(-1)[:count] = array.reshape(-1)[:count]
    return made


def _words() -> str:
    return translate("Shapes", "A shape is whole numbers from 1 on: 2, 3")
