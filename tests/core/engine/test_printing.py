"""Tensors are written as PyTorch writes them."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalkgrad.engine import printing

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "torch" / "printing.json").read_text(encoding="utf-8"))
DTYPES = ("float32", "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "bool")


@pytest.fixture(autouse=True)
def default_options():
    printing.set_printoptions(profile="default")
    yield
    printing.set_printoptions(profile="default")


def test_prints_what_was_recorded():
    for case in RECORDED["cases"]:
        array = np.frombuffer(base64.b64decode(case["bytes"]), case["dtype"]).reshape(case["shape"])
        printing.set_printoptions(profile="default")
        printing.set_printoptions(**case["options"])
        assert printing.tensor_text(array, **case["flags"]) == case["text"]


def test_suffixes_of_a_result_and_of_a_leaf():
    matrix = np.array([[1, 2]], np.float32)
    assert printing.tensor_text(matrix, requires_grad=True) == "tensor([[1., 2.]], requires_grad=True)"
    scalar = np.array(6.5, np.float32)
    assert printing.tensor_text(scalar, grad_fn="MulBackward0") == "tensor(6.5000, grad_fn=<MulBackward0>)"
    assert printing.tensor_text(scalar, requires_grad=True, grad_fn="MulBackward0").count("grad") == 1


def test_the_dtype_may_be_named():
    text = printing.tensor_text(np.array([1.0], np.float32), dtype_name="bfloat16")
    assert text == "tensor([1.], dtype=torch.bfloat16)"


def test_values_stand_without_the_word_tensor():
    assert printing.values_text(np.array([5.0], np.float32)) == "[5.]"
    assert printing.values_text(np.array(6.0)) == "6."
    assert printing.values_text(np.zeros((0, 3))) == "[]"
    assert printing.values_text(np.eye(2)) == "[[1., 0.],\n [0., 1.]]"


@pytest.mark.parametrize(
    "value, text",
    [
        *[(6.0, "6."), (6.5, "6.5000"), (3, "3"), (True, "True"), (np.float32(0.1), "0.1000"), (np.int64(-2), "-2")],
        *[(np.True_, "True"), (float("nan"), "nan"), (1e-9, "1.0000e-09")],
    ],
)
def test_scalar(value, text):
    assert printing.scalar_text(value) == text


def test_arrays_of_something_else_are_refused():
    with pytest.raises(TypeError, match="complex64"):
        printing.tensor_text(np.ones(2, np.complex64))
    with pytest.raises(TypeError, match="object"):
        printing.tensor_text(np.array([None]))


def test_sci_mode_lasts_until_the_next_call_and_the_rest_until_changed():
    printing.set_printoptions(sci_mode=True, precision=1)
    assert printing.tensor_text(np.array([2.5], np.float32)) == "tensor([2.5e+00])"
    printing.set_printoptions()
    assert printing.tensor_text(np.array([2.5], np.float32)) == "tensor([2.5])"
    printing.set_printoptions(profile="default")
    assert printing.tensor_text(np.array([2.5], np.float32)) == "tensor([2.5000])"


FLOATS = st.one_of(
    st.floats(width=32),
    st.floats(-10, 10, width=32),
    st.integers(-2000, 2000).map(float),
    st.sampled_from([0.0, -0.0, float("inf"), float("nan"), 1e8, 1e-4, 1000.0, 1.0]),
)


@st.composite
def tensors(draw):
    shape = tuple(draw(st.lists(st.integers(0, 9), max_size=4)))
    pool = draw(st.lists(FLOATS, min_size=1, max_size=8))
    # A pool keeps big arrays cheap to draw; what is printed depends on the values, not on their number.
    flat = np.resize(np.array(pool), int(np.prod(shape)))
    with np.errstate(all="ignore"):
        return np.array(np.nan_to_num(flat, nan=3.0) if draw(st.booleans()) else flat).reshape(shape)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 8),
        "threshold": st.sampled_from([0, 3, 20, 1000, float("inf")]),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(8, 120),
        "sci_mode": st.sampled_from([None, True, False]),
        "profile": st.sampled_from(["default", "short", "full"]),
    },
)


@given(
    tensors(), st.sampled_from(DTYPES), OPTIONS, st.booleans(), st.booleans(), st.sampled_from(["float32", "float64"])
)
def test_prints_what_live_pytorch_prints(array, dtype, options, requires_grad, cloned, default):
    torch = pytest.importorskip("torch")
    with np.errstate(all="ignore"):
        wide = array if dtype.startswith("float") else np.nan_to_num(array).clip(-100, 100)
        array = np.asarray(wide, dtype)
    floating = array.dtype.kind == "f"
    tensor = torch.from_numpy(array.copy()).requires_grad_(requires_grad and floating)
    tensor = tensor.clone() if cloned else tensor
    name = type(tensor.grad_fn).__name__ if tensor.grad_fn else None
    flags = {"requires_grad": tensor.requires_grad, "grad_fn": name, "default_dtype": default}
    before = torch.get_default_dtype()
    try:
        for module in (torch, printing):
            module.set_printoptions(profile="default")
            module.set_printoptions(**options)
        torch.set_default_dtype(getattr(torch, default))
        assert printing.tensor_text(array, **flags) == repr(tensor)
    finally:
        torch.set_printoptions(profile="default")
        printing.set_printoptions(profile="default")
        torch.set_default_dtype(before)
