"""Of many elements some operators choose and add up in a quicker way than of few; nothing but the time may tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch
from chalkgrad.ops import adding_at, orders, selecting, special_values

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
    "clamp_max": lambda x: x.clamp(max=3.0),
    "nan_to_num": lambda x: x.nan_to_num(posinf=2.0),
    "prelu": lambda x: functional.prelu(x, torch.tensor(-0.25, dtype=x.dtype)),
    "lerp": lambda x: torch.lerp(x, x.detach() * 0.5, 0.75),
    "lerp_tensor": lambda x: torch.lerp(x, x.detach() * 0.5, x.detach().sin()),
    "smooth_l1": lambda x: functional.smooth_l1_loss(x, torch.zeros_like(x), reduction="none", beta=3.0),
    "huber": lambda x: functional.huber_loss(x, torch.zeros_like(x), reduction="none", delta=3.0),
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
    "each twice": np.arange(2 * ROWS) // 2,
    "round again": np.arange(2 * ROWS - 30) % ROWS,
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


def test_what_is_evenly_spaced_is_added_without_looking_for_places():
    for wanted in (slice(0, 5, 1), slice(3, 12, 4), slice(7, 8, 1)):
        assert adding_at._evenly(np.arange(20)[wanted]) == wanted
    for places in ([0, 2, 3], [3, 2, 1], [4, 4], [-2, -1, 0]):
        assert adding_at._evenly(np.array(places)).tolist() == places


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


def test_erfc_of_many_is_exact_where_it_is_small():
    values = np.concatenate([np.random.default_rng(11).normal(0, 2, 20_000), np.linspace(-8, 30, 20_001), SPECIAL])
    wanted = np.array([math.erfc(value) for value in values])
    found = torch.special.erfc(torch.from_numpy(values)).numpy()
    assert np.allclose(found, wanted, rtol=1e-12, atol=0, equal_nan=True)
    few = values[: special_values.MANY - 1]
    assert np.array_equal(torch.special.erfc(torch.from_numpy(few)).numpy(), wanted[: len(few)])


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_many_are_not_computed_one_by_one(name, monkeypatch):
    function = getattr(torch.special, name)
    function(torch.from_numpy(numbers(20)))  # makes the table

    def refuse(function, values):
        assert values.size < 200, "not only those far out"
        return values

    monkeypatch.setattr(special_values, "_each", refuse)
    function(torch.linspace(-8, 6.2, 8192))


@pytest.mark.filterwarnings("error")
def test_erf_of_many_leaves_what_is_no_number():
    values = numbers(12).T
    found = torch.erf(torch.from_numpy(values)).numpy()
    assert values.size >= special_values.MANY
    assert np.array_equal(np.isnan(found), np.isnan(values))
    assert found.dtype == np.float32
    assert found.strides == values.strides


LINES = {
    "all different": np.random.default_rng(13).permutation(9 * 300).reshape(9, 300).astype("float32"),
    "some twice": np.random.default_rng(14).integers(0, 2000, (9, 300)).astype("float64"),
    "many equal": np.random.default_rng(15).integers(-3, 4, (9, 300)),
    "special": numbers(16)[:, :40],
    "short": np.random.default_rng(17).integers(0, 9, (20, 8)).astype("float32"),
}


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("name", LINES)
def test_lines_are_sorted_at_once_as_each_by_itself(name, descending):
    lines = LINES[name]
    for stable in (False, True):
        wanted = [orders.sort_order(line, descending, stable) for line in lines]
        assert np.array_equal(orders.sorted_places(lines, descending, stable), wanted)


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("name", LINES)
def test_the_first_of_all_lines_are_found_at_once_as_of_each_by_itself(name, largest):
    lines = LINES[name]
    for count in (0, 1, 4, lines.shape[1] - 1, lines.shape[1]):
        for in_order in (True, False):
            wanted = [orders.top_order(line, count, largest, in_order) for line in lines]
            found = orders.top_places(lines, count, largest, in_order)
            assert np.array_equal(found, np.array(wanted).reshape(len(lines), count))
    for k in (0, 3, lines.shape[1] - 1):
        assert orders.kth_places(lines, k).ravel().tolist() == [orders.kth_place(line, k) for line in lines]


def test_only_lines_with_equal_elements_are_gone_through_one_by_one(monkeypatch):
    def refuse(*_):
        raise AssertionError("a line was looked at alone")

    for name in ("sort_order", "top_order", "kth_place"):
        monkeypatch.setattr(orders, name, refuse)
    x = torch.from_numpy(LINES["all different"])
    assert x.sort(1, descending=True).values[:, 0].equal(x.amax(1))
    assert x.topk(3).values[:, 0].equal(x.amax(1))
    assert x.kthvalue(1).values.equal(x.amin(1))
    with pytest.raises(AssertionError):
        torch.from_numpy(LINES["many equal"]).topk(3)


@pytest.mark.parametrize("skip_nan", [False, True])
@pytest.mark.parametrize("name", LINES)
def test_medians_of_all_lines_are_those_of_each(name, skip_nan):
    x = torch.from_numpy(LINES[name])
    find = torch.nanmedian if skip_nan else torch.median
    found = find(x, 1)
    for line, value, place in zip(x, found.values, found.indices, strict=True):
        wanted = find(line, 0)
        assert place == wanted.indices
        assert value.equal(wanted.values) or (value.isnan() and wanted.values.isnan())
        assert find(line).equal(value) or value.isnan()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("dims", [None, 0, 1, (0, 1)])
def test_norms_are_added_up_in_double_precision(dims, dtype):
    values = np.random.default_rng(18).normal(0, 1, (ROWS, COLUMNS)).astype(dtype)
    wanted = np.sqrt(np.square(values.astype(np.longdouble)).sum(axis=dims))
    for keepdim in (False, True):
        found = torch.linalg.vector_norm(torch.from_numpy(values), dim=dims, keepdim=keepdim)
        assert found.numpy().ndim == (2 if keepdim else np.ndim(wanted))
        assert np.allclose(found.numpy().ravel(), wanted.ravel(), rtol=np.finfo(dtype).eps * 4, atol=0)
    assert torch.linalg.vector_norm(torch.tensor(1e-23)).item() == pytest.approx(1e-23)  # its square is 0 in float32
