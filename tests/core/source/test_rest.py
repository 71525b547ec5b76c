"""What can be read of a text that can't all be read: nothing is taken in that would be otherwise than in the whole."""

from __future__ import annotations

import pytest

from chalkgrad.source.read import read_source
from chalkgrad.source.rest import MOST_ROWS, rest_of

HEAD = ["import torch", "w = torch.tensor([1.], requires_grad=True)"]
TEXTS = {
    "a call that binds nothing": (["print(w.numpy())", "y = w * 2"], ["print(w.numpy())"]),
    "what reads its result goes, too": (["a = w.foo()", "b = a * 2", "c = b + w", "d = w * 3"], ["a", "b", "c"]),
    "a name that is bound again is known again": (
        ["a = w.foo()", "b = a * 2", "a = w * 2", "c = a * 3"],
        ["a = w.", "b"],
    ),
    "a name keeps no older meaning": (["a = w * 2", "a = a.foo()", "b = a * 2", "c = w * 2"], ["a = a.foo", "b"]),
    "a function that is defined here": (
        ["def f(x):", "    return x * 2", "y = f(w)", "z = w * 3"],
        ["def f", "y = f"],
    ),
    "after a backward that is left out nothing is as it was": (
        ["y = w.foo()", "z = w * 2", "y.backward()", "z.backward()", "print(w.grad)"],
        ["y = w", "y.backward", "z.backward", "print"],
    ),
    "after a write that is left out neither": (["y = w * 2", "w.foo_()", "z = w * 2"], ["w.foo_", "z"]),
    "after a call of one's own function that writes neither": (
        ["def update(x):", "    x.mul_(2)", "y = w * 2", "update(w)", "z = w * 3"],
        ["def update", "update(w)", "z"],
    ),
    "a line of a loop": (
        ["for i in range(3):", "    y = (w * 2).sum()", "    print(f'{i}')", "    y.backward()", "print(w.grad)"],
        ["print(f"],
    ),
    "a round reads what the one before left": (
        ["a = w * 1", "for i in range(3):", "    y = a * 2", "    a = a.foo()", "z = w * 2"],
        ["y = a", "a = a.foo"],
    ),
    "a loop in which a write is left out goes as a whole": (
        ["y = w * 1", "for i in range(3):", "    z = y * 2", "    w.foo_()", "u = w * 2"],
        ["for i", "u"],
    ),
    "a block whose head can't be read": (["with foo():", "    y = w * 2", "z = w * 3"], ["with foo"]),
    "a line of several rows": (["y = w.foo(", "    1,", ")", "z = w * 3"], ["y = w.foo("]),
    "what shares a row": (["a = w.foo(); b = w * 2", "c = b * 2", "d = w * 2"], ["a = w.foo(); b", "c"]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_left_out(name):
    lines, wanted = TEXTS[name]
    rest = rest_of("\n".join([*HEAD, *lines]), read_source)
    assert rest is not None
    gone = [left.text for left in rest.left_out]
    assert len(gone) == len(wanted)
    assert all(line.startswith(start) for line, start in zip(gone, wanted, strict=True)), gone
    assert read_source(rest.text).order
    kept = rest.text.splitlines()
    rows = [*HEAD, *lines]
    assert all(kept[at] in (rows[at], rows[at].replace(rows[at].lstrip(), "pass"), "") for at in range(len(rows)))


@pytest.mark.parametrize(
    "text",
    ["x = foo(", "import torch\nx = torch.foo(1)\nprint(x)", "import torch\n" + "x = torch.ones(1)\n" * MOST_ROWS],
)
def test_what_is_not_offered(text):
    assert rest_of(text, read_source) is None
