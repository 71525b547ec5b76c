"""Names: free ones, and what may be one."""

from __future__ import annotations

import pytest

from chalkgrad.program import names
from chalkgrad.program.names import BadNameError, check_name
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Statement


def program(*bound: str) -> Program:
    lines = {n: Statement(n, Kind.LEAF, "ones", (name,), (1,)) for n, name in enumerate(bound, 1)}
    return Program(lines, tuple(lines))


def test_free_names() -> None:
    assert names.free_tensor_name(program(), True) == "w"
    assert names.free_tensor_name(program("w", "w1"), True) == "w2"
    assert names.free_tensor_name(program("w"), False) == "x"
    assert names.free_result_name(program("a", "c")) == "b"
    assert names.free_result_name(program(), {"a", "b"}) == "c"
    assert names.free_result_name(program(*"abcdefghijklmnopqrstuvyz")) == "a1"
    assert names.free_names(program("gx"), ["gx", "gx", "gw"]) == ["gx1", "gx2", "gw"]
    assert names.free_like(program("w", "w1"), "w1") == "w2"
    assert names.free_like(program(), "torch") == "torch1"


@pytest.mark.parametrize(
    ("text", "name"), [(" w ", "w"), ("ｗ１", "w1"), ("输入", "输入"), ("loss_2", "loss_2"), ("ﬁ", "fi")]
)
def test_what_may_be_a_name(text: str, name: str) -> None:
    assert check_name(text) == name


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "empty"),
        ("　", "empty"),
        ("lambda", "keyword"),
        ("None", "keyword"),
        ("torch", "reserved"),
        ("1a", "not_a_name"),
        ("a b", "not_a_name"),
        ("a.b", "not_a_name"),
        ("a\nb", "not_a_name"),
    ],
)
def test_what_may_not(text: str, key: str) -> None:
    with pytest.raises(BadNameError) as error:
        check_name(text)
    assert error.value.text.key == f"name.{key}"


def test_narrow_keeps_the_length() -> None:
    wide = "ｙ＝（ｘ＋１）×２；【１．５，－２】。"
    assert names.narrow(wide) == "y=(x+1)*2;[1.5,-2]."
    assert len(names.narrow(wide)) == len(wide)
