"""The scripts whose backwards are compared with PyTorch's, node by node; the code of each by a name."""

from __future__ import annotations

import json
import random
from pathlib import Path

from support.random_programs import Maker

from chalkgrad.lessons import examples
from chalkgrad.source.emit import program_text

DATA = Path(__file__).parents[1] / "data" / "torch"
COURSE = """w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
y.backward()
"""
PROGRAMS = {
    "course": COURSE,
    "retained": COURSE.replace("y.backward()", "a.retain_grad()\ny.backward()"),
    "twice": COURSE.replace("y.backward()", "y.backward(retain_graph=True)\ny.backward()"),
    "once too often": COURSE + "y.backward()\n",
    "second derivative": "x = torch.tensor(2., requires_grad=True)\ny = x * x * x\n"
    "y.backward(create_graph=True)\nz = x.grad * x\nz.backward()\n",
    "one leaf by two ways of different length": "w = torch.tensor([2., 3.], requires_grad=True)\n"
    "a = w.exp()\nb = a.sin()\nc = b * w\nd = c + a\ny = d.sum()\ny.backward()\n",
    "several roots": "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\n"
    "a = w * v\nb = w + v\ntorch.autograd.backward([a, b])\n",
    "the same root twice": "w = torch.tensor([2.], requires_grad=True)\na = w * w\ntorch.autograd.backward([a, a])\n",
    "only some inputs": "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\n"
    "a = w * v\nb = a * w\nb.backward(inputs=[v])\n",
    "gradients asked for": "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\n"
    "a = w * v\nb = a * w\nga, gw = torch.autograd.grad(b, [a, w])\n",
    "written in place": "w = torch.tensor([2., 1.], requires_grad=True)\na = w * 3\na.add_(w)\nb = a.exp()\n"
    "y = b.sum()\ny.backward()\n",
    "overwritten": "w = torch.tensor([2., 1.], requires_grad=True)\na = w * 3\nb = a.exp()\nb.mul_(2)\n"
    "y = b.sum()\ny.backward()\n",
    "matrix": "w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\nx = torch.tensor([[1.], [2.]])\n"
    "h = w @ x\nr = torch.relu(h)\ny = r.mean()\ny.backward()\n",
    "broadcast": "w = torch.tensor([1., 2., 3.], requires_grad=True)\nx = torch.ones(2, 3)\nh = x * w\n"
    "b = torch.tensor(0.5, requires_grad=True)\ny = (h + b).sum()\ny.backward()\n",
    "several outputs": "w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\np, q = w.unbind()\n"
    "y = (p * q).sum() + p.sum()\ny.backward()\n",
}
"""Programs that the canvas can show."""

UNARY = ("exp", "sin", "tanh", "sigmoid", "relu", "neg")
BINARY = ("+", "-", "*")

OTHERWISE = {
    "lessons/checking_gradients": "gradcheck goes its own way, with other backwards in between",
    "lessons/transforms_of_functions": "PyTorch runs the backwards of torch.func on tensors of its own, out of sight",
    "lessons/recurrent": "PyTorch computes a whole LSTM in one node of its CPU library",
}
"""What differs, and why."""


def random_program(seed: int) -> str:
    """Leaves, operators that read any of what is there, and backwards from some of it."""
    chosen = random.Random(seed)
    names = [f"w{n}" for n in range(chosen.randint(1, 3))]
    lines = [f"{name} = torch.tensor([{n + 1}., -0.5], requires_grad=True)" for n, name in enumerate(names)]
    for number in range(chosen.randint(3, 14)):
        name, one, other = f"a{number}", chosen.choice(names), chosen.choice(names)
        unary = f"{one}.{chosen.choice(UNARY)}()"
        lines.append(f"{name} = {chosen.choice([unary, f'{one} {chosen.choice(BINARY)} {other}'])}")
        if chosen.random() < 0.2:
            lines.append(f"{name}.retain_grad()")
        names.append(name)
    for _ in range(chosen.randint(1, 2)):
        lines += [f"y = {chosen.choice(names[3:] or names)}.sum()", "y.backward(retain_graph=True)"]
    return "\n".join(lines) + "\n"


def programs(count: int) -> dict[str, str]:
    """The programs above, the examples without a loop, whose rounds are not all kept, and ``count`` random ones."""
    found = {f"programs/{name}": code for name, code in PROGRAMS.items()}
    for example in examples():
        if any(block.is_loop for block in example.sheet.program.blocks.values()):
            continue
        text = program_text(example.sheet.program, {})
        found[f"examples/{example.id}"] = "".join(line for line in text.splitlines(True) if line != "import torch\n")
    return found | {f"random/{seed}": random_program(seed) for seed in range(count)}


def corpus() -> dict[str, str]:
    """Everything that was written down elsewhere: lessons and claims."""
    found = {
        f"lessons/{path.stem}": path.read_text(encoding="utf-8") for path in sorted((DATA / "lessons").glob("*.py"))
    }
    claims = json.loads((DATA / "claims.json").read_text(encoding="utf-8"))["scripts"]
    return found | {f"claims/{script['id']}": script["code"] for script in claims if "backward(" in script["code"]}


def anything(seed: int, length: int = 16) -> list[str]:
    """The lines of a random program over the whole operator table."""
    return list(dict.fromkeys(Maker(seed).program(length)))
