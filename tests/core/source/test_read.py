"""Reading: what each way of writing means, and what is refused where."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Dtype, Kind, Ref, Statement
from chalkgrad.source.emit import expression, line, program_text
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_expression, read_source

COURSE = """\
import torch

w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
y.backward()
print(w.grad)
"""


def test_the_course_example() -> None:
    program = read_source(COURSE)
    assert list(program) == [
        Statement(1, Kind.LEAF, "tensor", ("w",), ((1.0,),), (("requires_grad", True),)),
        Statement(2, Kind.LEAF, "tensor", ("x",), ((2.0,),), (("requires_grad", True),)),
        Statement(3, Kind.OP, "add", ("a",), (Ref(1), Ref(2))),
        Statement(4, Kind.OP, "add", ("b",), (Ref(1), 1)),
        Statement(5, Kind.OP, "mul", ("y",), (Ref(3), Ref(4))),
        Statement(6, Kind.BACKWARD, "backward", (), (Ref(5),), (), "method"),
        Statement(7, Kind.PRINT, "print", (), (Ref(1, path=("grad",)),)),
    ]
    assert program_text(program) == COURSE


def lines(text: str) -> list[str]:
    """The lines of a script, after its imports, as they are written back."""
    head = "import torch\nimport torch.nn.functional as F\n"
    head += "w = torch.tensor([1.])\nx = torch.tensor([[2., 3.], [4., 5.]])\n"
    program = read_source(head + text)
    written = program_text(program).split("\n\n", 1)[1].splitlines()
    return written[2:]


@pytest.mark.parametrize(
    "text",
    [
        "y = (x + w) * (w + 1)",
        "y = x + w * 2 - (w - (x - 1))",
        "y = -w ** 2",
        "y = (-w) ** 2",
        "y = (w ** 2) ** -x",
        "y = w ** 2 ** x",
        "y = -(w + 1)",
        "y = 2 - -1.5 * w",
        "y = (w == x) == w",
        "y = x @ (x @ w)",
        "y = x / (w / x) / w",
        "y = (x + w).sum(dim=0, keepdim=True)",
        "y = torch.sum(x, dim=(0, 1))",
        "y = x.reshape(4, 1).T @ x.view(-1)",
        "y = torch.reshape(x, (4, 1))",
        "y = x.transpose(0, 1).clone().detach()",
        "y = torch.cat([x, x], dim=1)",
        'y = F.mse_loss(x, w, reduction="sum")',
        "y = torch.softmax(x, dim=0)",
        "y = torch.add(x, w, alpha=2)",
        "y = w.grad + x.data",
        "x += 1",
        "w.data -= 0.1 * w.grad",
        "x.add_(w)",
        "y = x.mul_(2)",
        "x.grad.zero_()",
        "w.grad = None",
        "w.grad = torch.ones(1)",
        "x.requires_grad = True",
        "x.requires_grad_()",
        "x.backward()",
        "x.backward(gradient=torch.tensor([[1., 0.], [0., 1.]]), retain_graph=True, create_graph=True)",
        "x.backward(gradient=torch.ones_like(x), inputs=[x, w])",
        "torch.autograd.backward([x, w])",
        "torch.autograd.backward([x, w], grad_tensors=[x, None])",
        "gx, = torch.autograd.grad(x, w, create_graph=True)",
        "gx, gw = torch.autograd.grad(x, [x, w], grad_outputs=x, allow_unused=True)",
        "gx, _ = torch.autograd.grad(x, [x, w])",
        "y = torch.ones(2, 3) * 2",
        "y = torch.full((2, 2), 0.5, dtype=torch.float64)",
        "y = torch.zeros(())",
        "y = torch.rand(2, generator=torch.Generator().manual_seed(7), requires_grad=True)",
        "y = torch.arange(0, 6, 2)",
        'y = torch.tensor([float("inf"), -float("inf"), float("nan")])',
        "torch.manual_seed(0)",
        "g = w.grad",
        "del x",
        "print()",
        'print("is_leaf:\\n", w.is_leaf, w.grad is None, x.grad_fn, (w, x), None, 2, sep="")',
        "with torch.no_grad():\n    w -= 1\n    with torch.enable_grad():\n        y = w + 1\nz = w + 1",
        "# a remark\ny = w + 1",
        "with torch.no_grad():\n    # inside\n    y = w + 1\n    # still inside\n# outside",
        "输出 = w + 1",
    ],
)
def test_lines_that_stay_as_they_are(text: str) -> None:
    assert "\n".join(lines(text)) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("y = torch.sum(x, 0, True)", "y = torch.sum(x, dim=0, keepdim=True)"),
        ("y = torch.sum(input=x, dim=0)", "y = torch.sum(x, dim=0)"),
        ("y = torch.multiply(x, other=w)", "y = torch.mul(x, w)"),
        ("y = F.relu(x)", "y = torch.relu(x)"),
        ("y = x.reshape((4, 1))", "y = x.reshape(4, 1)"),
        ("y = torch.zeros((2, 3))", "y = torch.zeros(2, 3)"),
        ("y = x * (1 + 2) ** 2", "y = x * 9"),
        ("x.backward(torch.tensor(1.))", "x.backward(gradient=torch.tensor(1.0))"),
        ("x.backward(None, True)", "x.backward(gradient=None, retain_graph=True)"),
        ("lr = 0.5\nw.data.sub_(lr * w.grad)", "w.data.sub_(0.5 * w.grad)"),
        ("lr = 2\nlr *= 3\ny = w * lr", "y = w * 6"),
        ("y = z = w + 1", "y = w + 1\nz = y"),
        ("a, b = w + 1, w + 2", "a = w + 1\nb = w + 2"),
        ("y = torch.zeros(3, 4).requires_grad_()", "y = torch.zeros(3, 4)\ny.requires_grad_()"),
        ("print(x.backward())", "x.backward()\nprint(None)"),
        ("g = torch.autograd.grad(x, w)\nprint(g, g[0])", "g, = torch.autograd.grad(x, w)\nprint((g,), g)"),
        ("g = torch.autograd.grad(x, w)[0]", "g, = torch.autograd.grad(x, w)"),
        ("x = x.add_(1)", "x.add_(1)"),
        ("w **= 2", "w **= 2"),
        ('"""text"""\ny = w + 1', "y = w + 1"),
        ("y = w + 1  # at the end", "y = w + 1"),
        ("y: torch.Tensor = w + 1", "y = w + 1"),
        ("try:\n    x.backward()\nexcept RuntimeError as e:\n    print(e)", "x.backward()"),
        ("if __name__ == '__main__':\n    y = w + 1", "y = w + 1"),
        ("with torch.set_grad_enabled(False):\n    y = w + 1", "with torch.no_grad():\n    y = w + 1"),
        ("with torch.no_grad():\n    pass\ny = w + 1", "y = w + 1"),
        ("import warnings\nwarnings.filterwarnings('ignore', category=UserWarning)\ny = w + 1", "y = w + 1"),
        ("from math import log, pi\nimport math as m\ny = w * log(m.e) * pi", "y = w * 1.0 * 3.141592653589793"),
    ],
)
def test_other_spellings(text: str, same: str) -> None:
    assert "\n".join(lines(text)) == same


def test_names_that_are_bound_twice() -> None:
    program = read_source("import torch\ny = torch.ones(1)\nx = y * 2\ny = y + x\nz = y")
    assert program[3].refs().__next__() == Ref(1)
    assert program[4].operands == (Ref(3),)
    swapped = read_source("import torch\na = torch.ones(1)\nb = torch.zeros(1)\na, b = b, a\nc = a * 2")
    assert list(swapped)[-1].operands == (Ref(3), 2)
    assert swapped[3].operands == (Ref(2),)
    assert swapped[4].operands == (Ref(1),)


def test_a_wire_to_a_hidden_name_gets_a_name_of_its_own() -> None:
    program = Program(
        {
            1: Statement(1, Kind.LEAF, "ones", ("y",), (1,)),
            2: Statement(2, Kind.OP, "exp", ("y",), (Ref(1),)),
            3: Statement(3, Kind.OP, "add", ("z",), (Ref(1), Ref(2))),
        },
        (1, 2, 3),
    )
    assert program_text(program).splitlines()[2:] == ["y1 = torch.ones(1)", "y = torch.exp(y1)", "z = torch.add(y1, y)"]


def test_imports_under_other_names() -> None:
    text = "import torch as t\nfrom torch import ones, autograd\nimport torch.autograd as ag\nx = ones(2)\n"
    text += "g = autograd.grad(x, x)\nh = ag.grad(x, x)\nz = t.exp(x)"
    assert [statement.call for statement in read_source(text)] == ["ones", "grad", "grad", "exp"]


def test_prompts() -> None:
    notebook = "In [5]:\nimport torch\nw = torch.ones(1)\nIn [6]:\ny = w + 1"
    console = "In [1]: import torch\n\nIn [2]: with torch.no_grad():\n   ...:     y = torch.ones(1)\n   ...: \n\n"
    console += "In [3]: y\nOut[3]: tensor([1.])"
    python = (
        ">>> import torch\n>>> y = torch.ones(1)\n>>> y\ntensor([1.])\n>>> with torch.no_grad():\n...     z = y + 1\n"
    )
    for text in (notebook, console, python):
        assert "y" in read_source(text).names()
    with pytest.raises(SourceError) as error:
        read_source(">>> import torch\n>>> y = torch.nothing(1)")
    assert (error.value.line, error.value.column) == (2, 9)


def test_big_lists_become_arrays() -> None:
    values = [[float(10 * i + j) for j in range(10)] for i in range(10)]
    program = read_source(f"import torch\nx = torch.tensor({values})")
    assert program[1].operands == (Array.of(np.array(values, np.float32)),)
    assert read_source(program_text(program)) == program


REFUSED = [
    ("for i in w: pass", "for", 10),
    ("while True: pass", "while", 1),
    ("if w: pass", "if", 1),
    ("def f(): pass", "function", 1),
    ("class A: pass", "class", 1),
    ("y = [v for v in (1, 2)]", "comprehension", 5),
    ("y = f'{w}'", "f_string", 5),
    ("y = lambda: 1", "function", 5),
    ("y = torch[0]", "subscript", 5),
    ('y = w["a"]', "not_constant", 7),
    ("y = w and x", "logic", 5),
    ("y = not w", "logic", 5),
    ("y = 1 if w else 2", "if", 5),
    ("y = {'a': 1}", "dict", 5),
    ("y = w < x < w", "chain", 5),
    ("assert w", "assert", 1),
    ("raise ValueError", "raise", 1),
    ("import os", "import", 1),
    ("from torch import *", "import", 1),
    ("from os import path", "import", 1),
    ("open('x', 'w')", "unknown_function", 1),
    ("y = torch.nothing(w)", "unknown_function", 5),
    ("layer = torch.nn.Linear(2, 1)", "module", 9),
    ("y = w.nothing()", "unknown_method", 5),
    ("y = w.nothing", "unknown_attribute", 5),
    ("y = w + nothing", "unknown_name", 9),
    ("y = w in x", "unknown_operator", 5),
    ("y = torch.add(w)", "missing_argument", 5),
    ("y = torch.add(w, x, out=w)", "unknown_argument", 25),
    ("y = torch.exp(w, x)", "argument_count", 5),
    ("y = torch.zeros(w)", "not_constant", 17),
    ("y = torch.tensor([1, [2]])", "data_ragged", 5),
    ("y = torch.tensor('a')", "data_number", 5),
    ("y = 2 ** 10000", "arithmetic", 5),
    ("y = 1 / 0", "arithmetic", 5),
    ("torch = w", "reserved", 1),
    ("w.name = 1", "assign_attribute", 1),
    ("a, b = w", "unpack", 1),
    ("with open('x') as f: pass", "with", 6),
    ("try:\n    y = w + 1\nexcept RuntimeError as e:\n    pass", "try", 1),
    ("y = w.item() * 2", "not_a_tensor", 5),
    ("torch.exp(*w)", "star", 1),
    ("print(w, file=w)", "unknown_argument", 15),
    (r"print('\ud800')", "construct", 7),
    ("w.item(0)", "unknown_method", 1),
    ("w.item(a=1)", "unknown_method", 1),
    ("w.size(a=1)", "unknown_method", 1),
    ("输入 = w + 不知道", "unknown_name", 10),
    ("x: __import__('os').system('true') = 1", "construct", 1),
    ("warnings.filterwarnings(__import__('os'))", "unknown_name", 1),
    ("y = (", "syntax", 5),
    ("y = " + "(" * 300 + "w" + ")" * 300, None, None),
]


@pytest.mark.parametrize(("text", "key", "column"), REFUSED)
def test_what_is_refused(text: str, key: str | None, column: int | None) -> None:
    head = "import torch\nw = torch.ones(1)\nx = torch.ones(1)\n"
    with pytest.raises(SourceError) as error:
        read_source(head + text)
    if key is not None:
        assert error.value.text.key == f"source.{key}"
        assert (error.value.line, error.value.column) == (4, column)
    assert error.value.message != error.value.text.key


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("torch.autograd.grad(w, x, gradient=w)", "grad"),
        ("torch.autograd.backward(w, gradient=w)", "backward"),
        ("w.backward(grad_tensors=w)", "backward"),
    ],
)
def test_an_unknown_argument_is_told_with_the_function_that_was_called(call: str, name: str) -> None:
    with pytest.raises(SourceError) as error:
        read_source(f"import torch\nw = torch.ones(1)\nx = torch.ones(1)\n{call}\n")
    assert error.value.text.key == "source.unknown_argument"
    assert error.value.text.values["name"] == name


def test_deep_expressions_are_read_or_refused() -> None:
    head = "import torch\nw = torch.ones(1)\n"
    program = read_source(head + "y = " + " + ".join(["w"] * 150))
    assert read_source(program_text(program)).names() >= {"y", "w"}
    with pytest.raises(SourceError):
        read_source(head + "y = " + " + ".join(["w"] * 20_000))


def test_the_expression_field() -> None:
    made = read_expression("y = (x + w) * (w + 1)", Program(), 1)
    assert made == [
        Statement(1, Kind.LEAF, "tensor", ("x",), ((1.0,),)),
        Statement(2, Kind.LEAF, "tensor", ("w",), ((1.0,),), (("requires_grad", True),)),
        Statement(3, Kind.OP, "add", ("a",), (Ref(1), Ref(2)), (), "operator"),
        Statement(4, Kind.OP, "add", ("b",), (Ref(2), 1), (), "operator"),
        Statement(5, Kind.OP, "mul", ("y",), (Ref(3), Ref(4)), (), "operator"),
    ]


def test_the_expression_field_knows_the_program() -> None:
    program = read_source(COURSE)
    made = read_expression("ｚ ＝ ｅｘｐ（y） － a ； k = z.T", program, program.next_id)
    assert [(s.id, s.call, s.targets, s.operands) for s in made] == [
        (8, "exp", ("c",), (Ref(5),)),
        (9, "sub", ("z",), (Ref(8), Ref(3))),
        (10, "permute", ("k",), (Ref(9),)),
    ]


def test_the_expression_field_makes_leaves_of_numbers() -> None:
    made = read_expression("x1 = [1, 2]\nv = 3", Program(), 5)
    assert [(s.kind, s.targets, s.operands, s.options) for s in made] == [
        (Kind.LEAF, ("x1",), ((1.0, 2.0),), ()),
        (Kind.LEAF, ("v",), (3.0,), (("requires_grad", True),)),
    ]


@pytest.mark.parametrize(
    "text", ["y = ", "y = w +", "for", "y = foo(w)", "y = torch", "with torch.no_grad(): y = w + 1"]
)
def test_the_expression_field_refuses(text: str) -> None:
    with pytest.raises(SourceError):
        read_expression(text, Program(), 1)


def test_expressions_on_cards() -> None:
    program = read_source(COURSE + "s = (a + 1).sum(dim=0)\nw.data.sub_(2)\nw += 1")
    assert expression(program, 3) == "w + x"
    assert expression(program, 3, short=False) == "torch.add(w, x)"
    assert expression(program, 5) == "a * b"
    assert expression(program, 1) == "tensor([1.], requires_grad=True)"
    graded = read_source("import torch\nx = torch.ones(1, requires_grad=True)\ng, = torch.autograd.grad(x * 2, x)")
    assert expression(graded, graded.order[-1]) == "grad(x * 2, x)"
    assert expression(graded, graded.order[-1], short=False) == "torch.autograd.grad(x * 2, x)"
    assert [expression(program, id_) for id_ in list(program.order)[-3:]] == [
        "(a + 1).sum(dim=0)",
        "w.data.sub_(2)",
        "w += 1",
    ]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("c.view(2, 3)", "c.view(2, 3)"),
        ("c.view(2, 3).transpose(0, 1).T", "c.view(2, 3).transpose(0, 1).T"),
        ("c.sum(dim=0, keepdim=True)", "c.sum(dim=0, keepdim=True)"),
        ("c.add(1)", "c.add(1)"),
        ("torch.add(c, 1)", "c + 1"),
        ("torch.sum(c)", "sum(c)"),
        ("(c + 1).exp()", "(c + 1).exp()"),
    ],
)
def test_a_card_says_a_call_as_the_program_does(line, shown):
    program = read_source(f"import torch\nc = torch.arange(6.0)\nd = {line}")
    assert expression(program, program.order[-1]) == shown


def test_lines_that_wait_and_lines_that_fail() -> None:
    from chalkgrad.program.statement import EMPTY

    program = read_source(COURSE)
    waiting = Program(
        {**program.statements, 4: Statement(4, Kind.OP, "add", ("b",), (Ref(1), EMPTY))},
        program.order,
        {},
        program.next_id,
    )
    assert line(waiting, 4) == "# b = torch.add(w, ?)"
    assert [text[0] for text in program_text(waiting).splitlines()[2:]] == ["w", "x", "a", "#", "#", "#", "p"]
    failing = program_text(program, {5: "RuntimeError"}).splitlines()
    assert failing[6:12] == [
        "try:",
        "    y = torch.mul(a, b)",
        "except RuntimeError as e:",
        "    print(e)",
        "# y.backward()",
        "print(w.grad)",
    ]


def test_lines_that_run_again() -> None:
    program = read_source(
        "import torch\nw = torch.ones(1)\nwith torch.no_grad():\n    a = w + 1\na.add_(1)\ny = a * 2\nz = w + 2"
    )
    again = Statement(99, Kind.AGAIN, "again", (), (Ref(next(s.id for s in program if s.name == "y")),))
    longer = Program({**program.statements, 99: again}, (*program.order, 99), program.blocks, 100)
    assert line(longer, 99).splitlines() == ["with torch.no_grad():", "    a = w + 1", "a.add_(1)", "y = a * 2"]


def test_a_name_that_python_would_not_find_is_let_pass_when_running() -> None:
    text = "import torch\nx = torch.tensor(log(11), requires_grad=True)\ny = x * z + undefined.grad\n"
    assert read_source(text, lenient=True) is not None
    for hidden in ("y = z(open('f'))", "y = z.f(__import__('os'))", "y = [z, eval('1')]"):
        with pytest.raises(SourceError, match="not known"):
            read_source(f"import torch\n{hidden}\n", lenient=True)


def test_dtypes() -> None:
    program = read_source("import torch\nx = torch.ones(2, dtype=torch.double)\ny = torch.zeros(1, dtype=torch.long)")
    assert [s.option("dtype") for s in program] == [Dtype("float64"), Dtype("int64")]
