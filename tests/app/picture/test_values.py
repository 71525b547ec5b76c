from __future__ import annotations

import numpy as np
import pytest

from chalkgrad.session.state import Saved, TensorState
from chalkgrad_app.picture.values import Form, form_of, grid_cells, shown, statistics, thumbnail, vector_lines


def tensor(values: object, dtype: str = "float32") -> TensorState:
    array = np.asarray(values, dtype)
    return TensorState(1, array.shape, dtype, array, True, False, False, 0, None, None, Saved.NONE)


@pytest.mark.parametrize(
    ("shape", "form"),
    [
        ((), Form.NUMBER),
        ((1,), Form.NUMBER),
        ((1, 1), Form.NUMBER),
        ((0,), Form.NUMBER),
        ((2,), Form.VECTOR),
        ((6,), Form.VECTOR),
        ((1, 6), Form.VECTOR),
        ((7,), Form.LARGE),
        ((6, 1), Form.LARGE),
        ((2, 2), Form.GRID),
        ((4, 4), Form.GRID),
        ((4, 1), Form.GRID),
        ((4, 5), Form.LARGE),
        ((2, 2, 2), Form.LARGE),
        ((64, 784), Form.LARGE),
    ],
)
def test_the_size_decides_the_form(shape: tuple[int, ...], form: Form) -> None:
    assert form_of(shape) is form


def test_numbers_and_vectors_lose_their_tensor_and_brackets_stay() -> None:
    assert shown(tensor([5.0])).lines == ("[5.]",)
    assert shown(tensor(6.0)).lines == ("6.",)
    assert shown(tensor([1.0, 2.5])).lines == ("[1.0000, 2.5000]",)


def test_a_long_vector_takes_two_lines_and_loses_nothing() -> None:
    text = "[-1.2345, -2.3456, -3.4567, -4.5678, -5.6789, -6.7891]"
    lines = vector_lines(text)
    assert len(lines) == 2
    assert " ".join(line.strip() for line in lines) == text


def test_a_matrix_is_cut_into_cells() -> None:
    assert shown(tensor([[1.0, -2.0], [3.0, 4.5]])).cells == (("1.0000", "-2.0000"), ("3.0000", "4.5000"))
    assert grid_cells("[[1],\n [2]]") == (("1",), ("2",))


def test_large_ones_show_shape_statistics_and_a_thumbnail() -> None:
    value = shown(tensor(np.linspace(-2.1, 2.3, 64 * 784).reshape(64, 784)))
    assert value.shape == "(64, 784)"
    assert value.stats == "min -2.1  mean 0.1  max 2.3"
    assert value.thumbnail is not None
    assert (value.thumbnail.width, value.thumbnail.height) == (32, 8)
    assert value.thumbnail.data[0] == 0
    assert value.thumbnail.data[-1] == 255


@pytest.mark.parametrize(
    ("shape", "cells"),
    [((30, 30), (20, 20)), ((64, 64), (20, 20)), ((12, 12), (12, 12)), ((1000, 2), (2, 20)), ((8, 640), (32, 8))],
)
def test_a_thumbnail_is_as_wide_for_its_height_as_the_matrix(shape: tuple[int, int], cells: tuple[int, int]) -> None:
    made = thumbnail(np.arange(shape[0] * shape[1], dtype=float).reshape(shape))
    assert made is not None
    assert (made.width, made.height) == cells


def test_statistics_and_thumbnail_survive_nan_and_constants() -> None:
    assert statistics(np.array([np.nan, 1.0] * 8)) == "min nan  mean nan  max nan"
    assert thumbnail(np.full((3, 5), 2.0)).data == bytes([127]) * 15
    assert thumbnail(np.full((3, 5), np.inf)) is not None
    assert thumbnail(np.empty((0, 5))) is None


def test_a_value_that_is_not_known_shows_its_shape() -> None:
    unknown = TensorState(1, (3,), "float32", None, True, False, False, 0, None, None, Saved.NONE)
    assert shown(unknown).lines == ("?",)
    assert shown(unknown).shape == "(3,)"
