"""What tensors, factories and random numbers do, line by line, against what was recorded with PyTorch."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path

import pytest
from support.tensor_lines import lines, outcome

from chalkgrad import torch
from chalkgrad.errors import ChalkgradError

DATA = Path(__file__).parents[2] / "data" / "torch" / "tensors.json"
CASES = json.loads(DATA.read_text(encoding="utf-8"))["cases"]

KNOWN = {
    "torch.is_inference_mode_enabled": "inference mode is not offered yet",
    "x.is_inference()": "inference mode is not offered yet",
    "~torch.ones(2)": "the operator's own refusal comes first",
}
"""Parts of lines on which we differ, and why."""


def test_all_lines_are_recorded():
    assert [case["line"] for case in CASES] == lines()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:60])
def test_a_line(case):
    if any(part in case["line"] for part in KNOWN):
        pytest.xfail(next(reason for part, reason in KNOWN.items() if part in case["line"]))
    assert outcome(case["line"], torch) == case["outcome"]


@pytest.mark.parametrize(
    "line",
    [
        "torch.zeros(2, dtype=torch.float16)",
        "torch.ones(2).half()",
        "torch.ones(2).to(torch.bfloat16)",
        "torch.tensor([1, 2j])",
        "torch.zeros(2, dtype=torch.complex64)",
        "torch.tensor([1], dtype=torch.uint16)",
        "torch.HalfTensor([1])",
        "torch.from_numpy(__import__('numpy').zeros(2, 'float16'))",
        "torch.set_default_dtype(torch.float16)",
    ],
)
def test_dtypes_that_are_not_offered(line):
    with pytest.raises(ChalkgradError) as raised:
        eval(line, {"torch": torch})
    assert raised.value.text.key == "error.dtype_not_offered"


class Malicious:
    def __reduce__(self):
        return print, ("a file that is loaded must not run anything",)


def test_loading_runs_nothing(capsys):
    file = io.BytesIO()
    torch.save({"x": Malicious()}, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError, match=r"GLOBAL builtins.print was not an allowed global"):
        torch.load(file)
    assert not capsys.readouterr().out


def test_only_our_files_are_loaded():
    with pytest.raises(pickle.UnpicklingError, match=r"not a file that torch.save wrote"):
        torch.load(io.BytesIO(pickle.dumps([1])))


@pytest.mark.parametrize("change", [{"offset": 4}, {"strides": (-1,)}, {"shape": (100,)}])
def test_a_tensor_in_a_file_stays_inside_its_memory(change):
    from chalkgrad.torch import serialization

    given = {"shape": (2,), "strides": (1,), "offset": 0} | change
    place = given["shape"], given["strides"], given["offset"]
    file = io.BytesIO(pickle.dumps(_Forged(("float32", b"\0" * 16, *place, False, False))))
    with pytest.raises(pickle.UnpicklingError, match="outside of its memory"):
        serialization._Reader(file).load()


@pytest.mark.parametrize(
    "change",
    [
        {"shape": (-2, 3), "strides": (1, 1)},
        {"shape": (2.0,)},
        {"shape": (2, 2)},
        {"strides": [1]},
        {"offset": True},
        {"dtype": "float16"},
        {"dtype": "bool", "memory": b"\x02" * 16},
        {"memory": b"\0" * 15},
        {"memory": bytearray(16)},
        {"requires_grad": 1},
    ],
)
def test_what_is_no_tensor_in_a_file_is_refused(change):
    given = {"dtype": "float32", "memory": b"\0" * 16, "shape": (2,), "strides": (1,), "offset": 0} | change
    flags = given.pop("requires_grad", False), False
    order = (given[name] for name in ("dtype", "memory", "shape", "strides", "offset"))
    with pytest.raises(pickle.UnpicklingError, match="not what a tensor is written as"):
        loaded(pickle.dumps(_Forged((*order, *flags))))


def test_sizes_whose_arithmetic_comes_round_reach_no_other_memory():
    """Steps that are tensors of bytes: 199 * 200 would be 120 of them, which is inside."""
    step = _Forged(("uint8", bytes([200]), (), (), 0, False, False))
    with pytest.raises(pickle.UnpicklingError, match="not what a tensor is written as"):
        loaded(pickle.dumps(_Forged(("uint8", bytes(250), (step,), (step,), 0, False, False))))


class _Renamed:
    def __reduce__(self):
        return (*torch.float32.__reduce__(), (None, {"name": "int64"}))


def test_a_file_changes_nothing_that_was_there_before():
    with pytest.raises(TypeError, match="a dtype has no state"):
        loaded(pickle.dumps(_Renamed()))
    assert torch.float32.name == "float32"
    function = torch.float32.__reduce__()[0]
    named = pickle.dumps(function, 0).removesuffix(b".")
    with pytest.raises(AttributeError):  # BUILD with what is to become an attribute
        loaded(named + b"(N(V__defaults__\n(Vfloat64\ntdtb.")
    assert function.__defaults__ is None


def loaded(data):
    from chalkgrad.torch import serialization

    return torch.load(io.BytesIO(serialization.MAGIC + data))


class _Forged:
    def __init__(self, values):
        self.values = values

    def __reduce__(self):
        from chalkgrad.torch import serialization

        return serialization.part, self.values


def test_saved_tensors_on_one_memory_stay_on_one():
    x = torch.arange(6.0).reshape(2, 3)
    file = io.BytesIO()
    torch.save([x, x[1], x.t()], file)
    file.seek(0)
    one, row, turned = torch.load(file)
    one[1, 0] = 9
    assert row.tolist() == [9, 4, 5]
    assert turned.stride() == (1, 3)
