"""Names: free ones, and what may be one."""

from __future__ import annotations

import pytest

from chalkgrad.program import names
from chalkgrad.program.names import BadNameError, check_name
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.source.read import read_source
from chalkgrad.text import Text


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
    assert names.FreeNames(program("w", "w1")).like("w1") == "w2"
    assert names.FreeNames(program()).like("torch") == "torch1"


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


def test_a_name_that_another_output_has_is_not_free() -> None:
    lines = {1: Statement(1, Kind.LEAF, "ones", ("w",), (2,)), 2: Statement(2, Kind.OP, "max", ("a", "b"), (Ref(1),))}
    read, split = Program(lines, (1, 2)), 2
    names.check_free(read, split, 0, "a")
    names.check_free(read, split, 0, "c")
    for taken, line in (("w", 1), ("b", 2)):
        with pytest.raises(BadNameError) as error:
            names.check_free(read, split, 0, taken)
        assert error.value.text == Text("name.taken", name=taken, line=line)


def test_scripts_may_bind_a_name_twice() -> None:
    read = read_source("import torch\nw = torch.ones(2)\nw = w * 2\n")
    assert [statement.name for statement in read] == ["w", "w"]


def test_bindings_are_what_each_name_means_at_the_end():
    text = "import torch\nx = torch.tensor([1., 2.])\ny = x * 2\ny = y + 1\na, b = torch.split(x, 1)\ndel a\n"
    program = read_source(text)
    assert program.bindings == {name: ref for name in program.names() if (ref := program.named(name)) is not None}
    assert set(program.bindings) == {"x", "y", "b"}
    assert program.bindings["b"].output == 1
