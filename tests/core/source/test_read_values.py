"""Values that are typed: what they are, of which dtype, and which are none."""

from __future__ import annotations

import pytest

from chalkgrad.program.statement import Array
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        (" -2.5 ", -2.5),
        ("1e-3", 1e-3),
        ("[1 2; 3 4]", ((1, 2), (3, 4))),
        ("1 2 3", (1, 2, 3)),
        ("1,2,3", (1, 2, 3)),
        ("1 -2", (1, -2)),
        ("1 - 2", -1),
        ("[1, 2]", (1, 2)),
        ("[[1,2],[3,4]]", ((1, 2), (3, 4))),
        ("[[1 2] [3 4]]", ((1, 2), (3, 4))),
        ("1; 2", ((1,), (2,))),
        ("torch.tensor([2.])", (2.0,)),
        ("（１，２）", (1, 2)),
        ("［１．５　２；３　４］", ((1.5, 2), (3, 4))),
        ("1/4", 0.25),
        ("sqrt(4)", 2.0),
        ("pi", 3.141592653589793),
        ("True", True),
        ("-inf", float("-inf")),
        ("[]", ()),
    ],
)
def test_values(text: str, value: object) -> None:
    assert read_value(text) == value


def test_values_of_a_dtype() -> None:
    assert repr(read_value("[1 2]", "float32")) == "(1.0, 2.0)"
    assert repr(read_value("2.0", "int64")) == "2"
    assert repr(read_value("1", "bool")) == "True"
    for text, dtype in (("1.5", "int64"), ("300", "uint8"), ("inf", "int32")):
        with pytest.raises(SourceError):
            read_value(text, dtype)
    big = read_value(" ".join(map(str, range(100))), "float64")
    assert isinstance(big, Array)
    assert big.dtype == "float64"


@pytest.mark.parametrize(
    "text", ["", "w", "1 +", "[1 2; 3]", "x = 2", "'a'", "None", "torch", "__import__('os')", "9**9**9"]
)
def test_values_that_are_none(text: str) -> None:
    with pytest.raises(SourceError):
        read_value(text)
