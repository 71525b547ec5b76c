"""Random little PyTorch programs, and running one of them line by line on PyTorch or on ours."""

from __future__ import annotations

import random
import warnings
from types import ModuleType
from typing import Any

import numpy as np

SHAPES = ("()", "(1,)", "(2,)", "(3,)", "(2, 3)", "(3, 2)", "(2, 2)")
BINARY = ("+", "-", "*", "/")
UNARY = ("exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "neg", "clone", "t", "reciprocal")
NUMBERS = ("2", "3.0", "-1", "0.5", "1")
WRITERS = ("add_", "sub_", "mul_", "div_", "copy_")
QUIET = ("zero_", "exp_", "relu_", "neg_", "tanh_", "sigmoid_")


class Maker:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []

    def program(self, length: int) -> list[str]:
        """Leaves first, then ``length`` random lines."""
        lines = [self.leaf() for _ in range(self.random.randint(2, 4))]
        lines += [self.line() for _ in range(length)]
        return lines

    def new(self) -> str:
        """A fresh name."""
        self.names.append(f"v{len(self.names)}")
        return self.names[-1]

    def any(self) -> str:
        """A name that exists, rather a late one."""
        return self.random.choice(self.names[-6:] if self.random.random() < 0.7 else self.names)

    def leaf(self) -> str:
        """A new leaf."""
        shape = self.random.choice(SHAPES)
        kind = self.random.choices(("float32", "float64", "int64", "bool"), (8, 2, 1, 0.3))[0]
        grad = kind.startswith("float") and self.random.random() < 0.7
        values = [round(self.random.uniform(-2, 2), 2) for _ in range(6)]
        base = f"torch.tensor({values}[:max(1, {_size(shape)})], dtype=torch.float64).reshape({shape}).to(torch.{kind})"
        name = self.new()
        return f"{name} = {base}.requires_grad_({grad})" if grad else f"{name} = {base}"

    def line(self) -> str:
        """Any line."""
        makers = (
            (self.binary, 10),
            (self.unary, 8),
            (self.shaped, 6),
            (self.reduced, 5),
            (self.written, 6),
            (self.flags, 3),
            (self.backward, 7),
            (self.gradients, 2),
            (self.cut, 3),
        )
        chosen = self.random.choices([maker for maker, _ in makers], [weight for _, weight in makers])[0]
        line = chosen()
        return f"with torch.no_grad(): {line}" if self.random.random() < 0.08 else line

    def binary(self) -> str:
        """Two operands."""
        r, a, b = self.random, self.any(), self.any()
        form = r.random()
        name = self.new()
        if form < 0.45:
            return f"{name} = {a} {r.choice(BINARY)} {b}"
        if form < 0.65:
            return f"{name} = {a} {r.choice((*BINARY, '**'))} {r.choice(NUMBERS)}"
        if form < 0.75:
            return f"{name} = {r.choice(NUMBERS)} {r.choice((*BINARY, '**'))} {a}"
        if form < 0.8:
            return f"{name} = {a} ** {b}"
        if form < 0.9:
            return f"{name} = {a} @ {b}"
        if form < 0.94:
            return f"{name} = torch.cat([{a}, {b}])"
        if form < 0.97:
            return f"{name} = torch.nn.functional.mse_loss({a}, {b}, reduction={r.choice(['mean', 'sum', 'none'])!r})"
        return f"{name} = torch.add({a}, {b}, alpha={r.choice(NUMBERS)})"

    def unary(self) -> str:
        """One operand."""
        a = self.any()
        return f"{self.new()} = {a}.{self.random.choice(UNARY)}()"

    def shaped(self) -> str:
        """Another shape, a part, softmax."""
        a = self.any()
        r = self.random
        what = r.choice(
            (
                ".view(-1)",
                ".reshape(-1)",
                ".reshape(2, -1)",
                ".transpose(0, 1)",
                ".transpose(0, -1)",
                ".T",
                "[0]",
                "[-1]",
                "[0:1]",
                "[1:]",
                "[:, 1]",
                "[None]",
                ".softmax(0)",
                ".softmax(-1)",
            )
        )
        return f"{self.new()} = {a}{what}"

    def reduced(self) -> str:
        """A sum or a mean."""
        a = self.any()
        what = self.random.choice(("sum()", "mean()", "sum(0)", "mean(-1)", "sum(1, keepdim=True)", "mean((0, 1))"))
        return f"{self.new()} = {a}.{what}"

    def written(self) -> str:
        """An in-place operator."""
        r, a, b = self.random, self.any(), self.any()
        form = r.random()
        if form < 0.35:
            return f"{a}.{r.choice(WRITERS)}({b})"
        if form < 0.5:
            return f"{a}.{r.choice(WRITERS[:4])}({r.choice(NUMBERS)})"
        if form < 0.7:
            return f"{a}.{r.choice(QUIET)}()"
        if form < 0.78:
            return f"{a}.fill_({r.choice((*NUMBERS, b))})"
        if form < 0.88:
            return f"{a}[0] = {r.choice((*NUMBERS, b))}"
        if form < 0.94:
            return f"{a}.data.mul_(2)"
        return f"{a} {r.choice(('+=', '-=', '*=', '/='))} {r.choice((*NUMBERS, b))}"

    def flags(self) -> str:
        """What a tensor is asked for."""
        a = self.any()
        what = self.random.choice(
            (".retain_grad()", ".retain_grad()", ".requires_grad_()", ".requires_grad_(False)", ".detach_()")
        )
        return self.random.choice((f"{a}{what}", f"{a}.grad = None", f"{a}{what}"))

    def backward(self) -> str:
        """A backward with random options."""
        r, a = self.random, self.any()
        root = r.choice((a, f"{a}.sum()", f"{a}.sum()", f"({a} * {self.any()}).sum()"))
        options = []
        if root == a and r.random() < 0.6:
            options.append(f"torch.ones_like({a})")
        if r.random() < 0.4:
            options.append(f"retain_graph={r.choice((True, False))}")
        if r.random() < 0.15:
            options.append("create_graph=True")
        if r.random() < 0.15:
            options.append(f"inputs=[{self.any()}]")
        return f"{root}.backward({', '.join(options)})"

    def gradients(self) -> str:
        """``autograd.grad``."""
        r, a = self.random, self.any()
        options = f"allow_unused={r.random() < 0.7}"
        if r.random() < 0.4:
            options += ", create_graph=True"
        if r.random() < 0.3:
            options += ", retain_graph=True"
        return f"{self.new()}, = torch.autograd.grad({a}.sum(), [{self.any()}], {options})"

    def cut(self) -> str:
        """Something without history."""
        a = self.any()
        return f"{self.new()} = {a}{self.random.choice(('.detach()', '.data', '.detach().clone()'))}"


def _size(shape: str) -> int:
    return int(np.prod(eval(shape), dtype=int))


def outcome(module: ModuleType, lines: list[str]) -> list[tuple[str, str | None, dict[str, Any]]]:
    """After each line: the line, what it raised, and the facts about all tensors."""
    names: dict[str, Any] = {"torch": module}
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            error = None
            try:
                exec(line, names)
            except Exception as raised:
                error = f"{type(raised).__name__}: {str(raised).splitlines()[0] if str(raised) else ''}"
            facts = {name: tensor_facts(value) for name, value in names.items() if name[0] == "v" and name != "v"}
            found.append((line, error, facts))
    return found


def tensor_facts(tensor: Any) -> tuple[Any, ...]:
    """All that can be seen of a tensor."""
    if tensor is None:
        return (None,)
    try:
        grad_fn = None if tensor.grad_fn is None else tensor.grad_fn.name()
    except RuntimeError as error:
        grad_fn = str(error).splitlines()[0]
    try:
        is_leaf = tensor.is_leaf
    except RuntimeError as error:
        is_leaf = str(error).splitlines()[0]
    try:
        grad = tensor.grad
    except RuntimeError:
        grad = None
    return (
        values(tensor),
        str(tensor.dtype),
        tuple(tensor.shape),
        is_leaf,
        tensor.requires_grad,
        grad_fn,
        tensor._version,
        None if grad is None else (values(grad), str(grad.dtype), grad._version, grad.grad_fn is not None),
    )


def values(tensor: Any) -> list[float]:
    """The elements as one flat list."""
    flat = tensor.detach().reshape(-1).tolist()
    return [float(number) for number in flat]


def same(ours: Any, theirs: Any) -> bool:
    """Equality that forgives the last digits of floats."""
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and bool(np.allclose(ours, theirs, rtol=2e-4, atol=1e-5, equal_nan=True))
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    return bool(ours == theirs)


def first_difference(ours: ModuleType, theirs: ModuleType, lines: list[str]) -> str | None:
    """Where a program behaves differently, in words; None where it doesn't."""
    for mine, other in zip(outcome(ours, lines), outcome(theirs, lines), strict=True):
        place = f"at {mine[0]!r}"
        if mine[1] != other[1]:
            return f"{place}: raised {mine[1]} instead of {other[1]}"
        blurred = False
        for name, facts in other[2].items():
            if name not in mine[2] or not same(unversioned(mine[2][name], blurred), unversioned(facts, blurred)):
                return f"{place}: {name} is {mine[2].get(name)} instead of {facts}"
        if _hopeless(other[2]):
            return None
    return None


def unversioned(facts: tuple[Any, ...], blurred: bool) -> tuple[Any, ...]:
    """The facts without versions, where PyTorch counts writes inside its own backward of an overwritten view."""
    if not blurred or len(facts) == 1:
        return facts
    gradient = facts[-1]
    return (*facts[:-2], gradient and (gradient[0], gradient[1], gradient[3]))


def _hopeless(facts: dict[str, Any]) -> bool:
    """True once numbers are so large that rounding decides what comes next."""
    return any(
        entry and entry[0] is not None and any(abs(number) > 1e6 for number in entry[0]) for entry in facts.values()
    )
