"""Of many elements some operators choose and add up in a quicker way than of few; nothing but the time may tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch
from chalkgrad.ops import adding_at, selecting, special_values

ROWS, COLUMNS = 96, 64
SPECIAL = (np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -3.0, 3.0, 6.0)
functional = torch.nn.functional


def numbers(seed: int, dtype: str = "float32") -> np.ndarray:
    """A matrix of enough numbers, every tenth of them a special one."""
    made = np.random.default_rng(seed).normal(0, 3, (ROWS, COLUMNS)).astype(dtype)
    places = made.reshape(-1)[::10]
    places[:] = np.resize(np.array(SPECIAL, dtype), places.size)
    return made


OPERATORS = {
    "relu": functional.relu,
    "relu6": functional.relu6,
    "leaky_relu": lambda x: functional.leaky_relu(x, 0.2),
    "hardtanh": lambda x: functional.hardtanh(x, -0.5, 2.0),
    "hardshrink": lambda x: functional.hardshrink(x, 1.0),
    "softshrink": lambda x: functional.softshrink(x, 1.0),
    "hardswish": functional.hardswish,
    "hardsigmoid": functional.hardsigmoid,
    "threshold": lambda x: functional.threshold(x, 0.5, -7.0),
    "elu": lambda x: functional.elu(x, 1.5),
    "selu": functional.selu,
    "logsigmoid": functional.logsigmoid,
    "clamp": lambda x: x.clamp(-1.0, 2.0),
    "clamp_min": lambda x: x.clamp(min=-0.0),
    "where": lambda x: torch.where(x > 0, x * 2, x),
    "where_number": lambda x: torch.where(x > 0, x, 5.0),
    "masked_fill": lambda x: x.masked_fill(x > 1, -2.5),
}


def outcome(operator, values: np.ndarray) -> list[np.ndarray]:
    """The bits of a result and of its gradient."""
    x = torch.from_numpy(values.copy()).requires_grad_()
    y = operator(x)
    y.backward(torch.from_numpy((values[::-1] if values.ndim > 1 else values).copy()))
    return [y.detach().numpy(), x.grad.numpy()]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPERATORS)
def test_many_at_once_give_what_they_give_one_row_at_a_time(name, dtype):
    values = numbers(1, dtype)
    assert values.size >= selecting.MANY > values.shape[1]
    whole = outcome(OPERATORS[name], values)
    for row in range(ROWS):
        part = torch.from_numpy(values[row].copy()).requires_grad_()
        made = OPERATORS[name](part)
        made.backward(torch.from_numpy(values[::-1][row].copy()))
        for found, wanted in zip(whole, (made.detach().numpy(), part.grad.numpy()), strict=True):
            assert np.array_equal(found[row], wanted, equal_nan=True)
            assert np.array_equal(np.signbit(found[row]), np.signbit(wanted))


@pytest.mark.parametrize("name", OPERATORS)
def test_a_transposed_tensor_gives_what_its_copy_gives(name):
    values = numbers(2)
    turned, plain = torch.from_numpy(values).t(), torch.from_numpy(values.T.copy())
    found, wanted = OPERATORS[name](turned), OPERATORS[name](plain)
    assert found.stride() == turned.stride() or name in ("masked_fill", "logsigmoid")  # as in PyTorch
    assert np.array_equal(found.numpy(), wanted.numpy(), equal_nan=True)


def test_many_are_chosen_without_a_branch(monkeypatch):
    def refuse(*_):
        raise AssertionError("np.where was called")

    monkeypatch.setattr(np, "where", refuse)
    x = torch.from_numpy(numbers(3)).requires_grad_()
    functional.leaky_relu(x).sum().backward()
    with pytest.raises(AssertionError):
        functional.leaky_relu(x[0])


@pytest.mark.parametrize(
    ("one", "other", "mask"),
    [
        (np.arange(6000), np.zeros(6000, int), np.arange(6000) % 3 == 0),
        (np.ones((80, 80)), np.zeros((80, 80), "float32"), np.eye(80) > 0),
        (np.ones((80, 80), "float16"), np.float16(2), np.eye(80) > 0),
        (np.ones(80), np.zeros((80, 1)), np.eye(80) > 0),
        (np.ones((80, 80)).T[:, ::-1], np.zeros((80, 80)), np.eye(80) > 0),
        (np.float32(1), np.float32(-0.0), np.eye(80) > 0),
    ],
)
def test_what_is_chosen_is_what_numpy_chooses(one, other, mask):
    found, wanted = selecting.choose(mask, one, other), np.where(mask, one, other)
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted)
    assert np.array_equal(np.signbit(found), np.signbit(wanted))


PLACES = {
    "each once": np.random.default_rng(4).permutation(ROWS),
    "some twice": np.random.default_rng(5).integers(-ROWS, ROWS, 150),
    "one very often": np.repeat([3, 7, -1], [100, 2, 1]),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", PLACES)
def test_slices_are_added_in_their_order(name, axis):
    places = PLACES[name]
    shape = [5, 5, 5]
    shape[axis] = ROWS
    target = np.random.default_rng(6).normal(size=shape).astype("float32")
    shape[axis] = len(places)
    values = np.random.default_rng(7).normal(size=shape).astype("float32")
    values = np.repeat(values, 2, axis=(axis + 1) % 3)
    target = np.repeat(target, 2, axis=(axis + 1) % 3)
    assert values.size >= adding_at.MANY
    wanted = target.copy()
    np.add.at(wanted, (slice(None),) * axis + (places,), values)
    adding_at.add_at(target, places, values, axis)
    assert np.array_equal(target, wanted)


def test_rows_that_were_taken_several_times_get_all_their_gradients():
    values, places = numbers(8, "float64"), np.random.default_rng(9).integers(0, ROWS, 200)
    values[~np.isfinite(values)] = 1
    weight = np.random.default_rng(10).normal(size=(200, COLUMNS))
    wanted = np.zeros_like(values)
    np.add.at(wanted, places, weight)
    for take in (
        lambda x, index: x[index],
        lambda x, index: x.index_select(0, index),
        lambda x, index: functional.embedding(index, x),
    ):
        x = torch.from_numpy(values).requires_grad_()
        take(x, torch.from_numpy(places)).backward(torch.from_numpy(weight))
        assert np.array_equal(x.grad.numpy(), wanted)
    x = torch.from_numpy(values).requires_grad_()
    x.t()[:, torch.from_numpy(places)].backward(torch.from_numpy(weight.T.copy()))
    assert np.array_equal(x.grad.numpy(), wanted)


def test_erf_of_many_is_right_to_the_last_places():
    random = np.random.default_rng(11)
    near, tiny, grid = random.normal(0, 1.5, 20_000), random.normal(0, 1e-3, 2_000), np.linspace(-7, 7, 14_337)
    values = np.concatenate([near, tiny, grid, [0.0, -0.0, np.inf, -np.inf, 5e-324, 1e-300, 1e300]])
    wanted = np.array([math.erf(value) for value in values])
    found = torch.erf(torch.from_numpy(values)).numpy()
    assert np.all(np.abs(found - wanted) <= 2 * np.spacing(np.abs(wanted)))
    assert np.array_equal(np.signbit(found), np.signbit(values))


@pytest.mark.filterwarnings("error")
def test_erf_of_many_leaves_what_is_no_number():
    values = numbers(12).T
    found = torch.erf(torch.from_numpy(values)).numpy()
    assert values.size >= special_values.MANY
    assert np.array_equal(np.isnan(found), np.isnan(values))
    assert found.dtype == np.float32
    assert found.strides == values.strides
