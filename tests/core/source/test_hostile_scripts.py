"""Scripts that would do more than compute with tensors: ``chalkgrad run`` refuses them before anything of them runs.

Each tries to write a file, by a way round the reader: a name that Python knows and the reader doesn't, or a call in a
place that the reader has no use for.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from chalkgrad.cli import main
from chalkgrad.source.problem import SourceError
from chalkgrad.source.script import run_script

WRITE = "open(PATH, 'w').write('reached')"
FROM_TORCH = "t.serialization.io.open(PATH, 'w').write('reached')"

SCRIPTS = {
    "a builtin": f"import torch\n{WRITE}\n",
    "the dictionary of builtins": "import torch\n__builtins__['open'](PATH, 'w').write('reached')\n",
    "a method of that dictionary": "import torch\n__builtins__.get('open')(PATH, 'w').write('reached')\n",
    "the classes of a text": "import torch\nprint(__file__.__class__.__mro__[1].__subclasses__())\n",
    "what __future__ binds": "from __future__ import annotations as a\nprint(a.__class__.__base__.__subclasses__())\n",
    "a keyword that is dropped": f"import torch\nx = torch.ones(1)\nx.item(a={WRITE})\n",
    "a keyword of size": f"import torch\nx = torch.ones(1)\nx.size(a={WRITE})\n",
    "an argument given twice": f"import torch\ntorch.autograd.backward(torch.ones(1), tensors={WRITE})\n",
    "a setting beside an unknown name": f"import torch\ntorch.optim.SGD(lr={WRITE}, params=[unknown])\n",
    "a loop of no rounds": f"import torch\nfor i in range(0):\n    {WRITE}\n",
    "a loop of no rounds, if all goes well": (
        "import torch\nn = 1\ntry:\n    a, n = torch.ones(2).sum().backward(), 0\nexcept RuntimeError as e:\n"
        f"    print(e)\nfor i in range(n):\n    {WRITE}\n"
    ),
    "a module that a failing line leaves": (
        f"import torch as t\ntry:\n    t = unknown\nexcept Exception as e:\n    print(e)\n{FROM_TORCH}\n"
    ),
    "a module that is not deleted": (
        f"import torch as t\ntry:\n    del unknown, t\nexcept Exception as e:\n    print(e)\n{FROM_TORCH}\n"
    ),
    "a function that a failing line leaves": (
        "import torch\nf = torch.load\ntry:\n    for i in range(1):\n        torch.ones(2).backward()\n"
        "        f = torch.exp\nexcept RuntimeError as e:\n    print(e)\nf(torch.ones(1))\n"
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_hostile_script_is_refused_and_nothing_of_it_runs(name, tmp_path: Path, capsys) -> None:
    script, written = tmp_path / "script.py", tmp_path / "written"
    script.write_text(SCRIPTS[name].replace("PATH", repr(str(written))), "utf-8")
    assert main(["run", str(script)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"{script}:")
    assert err.count("\n") == 1
    assert not written.exists()


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("for i in range(0):\n    y = x * math.sin(i)\n    print(y, x[i])\nprint(x)\n", "tensor([1., 1.])\n"),
        ("try:\n    x = x @ torch.ones(3)\nexcept RuntimeError as e:\n    print(e)\nprint(x)\n", "tensor([1., 1.])\n"),
        ("try:\n    y = later\nexcept Exception as e:\n    print(e)\n", "name 'later' is not defined\n"),
        ("y = torch.rand(1, generator=torch.Generator().manual_seed(7))\nprint(y.shape)\n", "torch.Size([1])\n"),
    ],
)
def test_what_only_looks_like_them_runs(script: str, printed: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "script.py"
    path.write_text(f"import math\nimport torch\nx = torch.ones(2)\n{script}", "utf-8")
    assert main(["run", str(path)]) == 0
    assert capsys.readouterr().out.endswith(printed)


ORDINARY = """import math
import torch
import torch.nn.functional as F
x = torch.rand(2, 3, generator=torch.Generator().manual_seed(7))
w = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
h = w.register_hook(lambda g: g * 2)
optimizer = torch.optim.SGD([w], lr=0.1 * math.sqrt(4))
for i in range(2):
    optimizer.zero_grad()
    loss = F.relu(w * x).sum(dim=1, keepdim=True)[0].sum() * i
    loss.backward(retain_graph=True)
with torch.no_grad():
    x[0, 1] = 5.0
try:
    z = w @ w
except RuntimeError as e:
    print(e)
(g,) = torch.autograd.grad((w * w).sum(), w)
print(w.shape, w.sum().item(), g is None, sep=",")
"""


def changed(number: int, call: ast.expr) -> Iterator[ast.Module]:
    """The ordinary script with a call put into one of its parts: in the place of an expression, or beside arguments."""
    tree = ast.parse(ORDINARY)
    part = list(ast.walk(tree))[number]
    for name, value in ast.iter_fields(part):
        if isinstance(value, ast.expr):
            setattr(part, name, call)
            yield tree
            setattr(part, name, value)
        members = value if isinstance(value, list) and value and isinstance(value[0], ast.expr) else []
        for place, member in enumerate(members):
            members[place] = call
            yield tree
            members[place] = member
    if isinstance(part, ast.Call):
        part.args.append(call)
        yield tree
        part.args.pop()
        part.keywords.append(ast.keyword("more", call))
        yield tree


def test_no_part_of_a_script_hides_a_call(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (call,) = ast.parse("open('written', 'w')").body
    assert isinstance(call, ast.Expr)
    assert run_script("script.py", ORDINARY) == 0
    tried = 0
    for number in range(len(list(ast.walk(ast.parse(ORDINARY))))):
        for tree in changed(number, call.value):
            tried += 1
            text = ast.unparse(tree)
            with contextlib.suppress(SourceError):
                run_script("script.py", text)
            assert not (tmp_path / "written").exists(), text
    assert tried > 150
