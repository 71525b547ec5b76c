"""Random numbers are PyTorch's, bit for bit."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalkgrad.engine import generator as random
from chalkgrad.engine.generator import Generator

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "torch" / "generator.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: str(case["seed"]))
def test_draws_what_was_recorded(case):
    generator = Generator().manual_seed(case["seed"])
    assert generator.initial_seed() == case["initial_seed"]
    for (name, *arguments), expected in zip(case["calls"], case["results"], strict=True):
        result = getattr(generator, name)(*arguments)
        assert result.dtype.name == expected["dtype"]
        assert result.tobytes() == base64.b64decode(expected["bytes"]), (name, arguments)


SIZES = st.sampled_from([0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 100])
FLOATS = st.sampled_from(["float32", "float64"])
CALLS = st.one_of(
    st.tuples(st.sampled_from(["rand", "randn"]), SIZES, FLOATS),
    st.tuples(st.just("randint"), st.integers(-100, 100), st.sampled_from([1, 2, 10, 2**28 - 1, 2**28, 2**40]), SIZES),
    st.tuples(st.just("randperm"), SIZES),
)


def on_ours(generator, name, *arguments):
    if name == "randint":
        low, span, size = arguments
        return generator.randint(low, low + span, (size,))
    if name == "randperm":
        return generator.randperm(*arguments)
    size, dtype = arguments
    return getattr(generator, name)((size,), dtype)


def on_pytorch(torch, generator, name, *arguments):
    if name == "randint":
        low, span, size = arguments
        return torch.randint(low, low + span, (size,), generator=generator).numpy()
    if name == "randperm":
        return torch.randperm(*arguments, generator=generator).numpy()
    size, dtype = arguments
    return getattr(torch, name)(size, dtype=getattr(torch, dtype), generator=generator).numpy()


@given(st.integers(-(2**63), 2**64 - 1), st.lists(CALLS, min_size=1, max_size=8))
def test_draws_what_live_pytorch_draws(seed, calls):
    torch = pytest.importorskip("torch")
    ours, theirs = Generator().manual_seed(seed), torch.Generator().manual_seed(seed)
    assert ours.initial_seed() == theirs.initial_seed()
    for call in calls:
        result, expected = on_ours(ours, *call), on_pytorch(torch, theirs, *call)
        assert result.dtype == expected.dtype
        assert result.tobytes() == expected.tobytes(), call


def test_a_generator_without_a_seed_has_pytorchs():
    assert Generator().initial_seed() == 67280421310721
    assert Generator().rand((3,)).tolist() == Generator().rand((3,)).tolist()


def test_manual_seed_starts_over_and_forgets_the_spare_normal():
    generator = Generator().manual_seed(3)
    first = generator.randn((3,)).tolist()
    assert generator.manual_seed(3) is generator
    assert generator.randn((3,)).tolist() == first


def test_a_generator_keeps_its_own_stream():
    one, other = Generator().manual_seed(1), Generator().manual_seed(1)
    other.rand((5,))
    assert one.rand((2,)).tolist() == Generator().manual_seed(1).rand((2,)).tolist()


def test_shapes():
    generator = Generator().manual_seed(0)
    assert generator.rand(()).shape == ()
    assert generator.randn((2, 0, 3)).shape == (2, 0, 3)
    assert generator.randn((4, 5)).shape == (4, 5)
    assert generator.randint(0, 3, (2, 2)).shape == (2, 2)


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
def test_seeds_out_of_range(seed):
    with pytest.raises(ValueError, match=r"^Overflow when unpacking long long$"):
        Generator().manual_seed(seed)


def test_bad_arguments_raise_what_pytorch_raises():
    with pytest.raises(RuntimeError, match=r"^random_ expects 'from' to be less than 'to', but got from=5 >= to=5$"):
        Generator().manual_seed(0).randint(5, 5, (1,))
    with pytest.raises(RuntimeError, match=r"^Trying to create tensor with negative dimension -1: \[-1\]$"):
        Generator().manual_seed(0).randperm(-1)
    with pytest.raises(TypeError, match="int64"):
        Generator().manual_seed(0).rand((1,), np.int64)


def test_the_global_stream():
    started = random.default_generator.initial_seed()
    try:
        assert random.manual_seed(5) is random.default_generator
        assert random.default_generator.rand((2,)).tolist() == Generator().manual_seed(5).rand((2,)).tolist()
        assert random.default_generator.seed() == random.default_generator.initial_seed() != 5
    finally:
        random.manual_seed(started)
