"""Random little PyTorch programs, over the whole operator table and everything autograd lets one see."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import numpy as np
from support.outcomes import Run
from support.random_calls import CALLED, PUBLIC, Calls, draws, literal
from support.random_words import (
    BINARY,
    FACTORIES,
    FLAGS,
    INDICES,
    MODES,
    NODE_HOOKS,
    NUMBERS,
    QUIET,
    SHAPED,
    SHAPES,
    TENSOR_HOOKS,
    UNARY,
    VIEWS,
    WRITERS,
)

from chalkgrad import torch as face
from chalkgrad.engine.record import Record

__all__ = ["PUBLIC", "Maker", "literal"]

Line = Callable[[], str]
"""Writes a line, another one each time."""

TRIES, STAYS, SAME = 12, 0.1, 4
"""How often a line that fails is drawn anew, how likely it stays, and how often another of its kind takes its place."""


class Maker:
    """Writes one random program: each line is tried on ours, for most of those that fail tell nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []
        self.single = self.random.random() < 0.4
        self.calls = Calls(self.random, self.any)
        self.tried = Run(face)

    def program(self, length: int) -> list[str]:
        """Leaves first, then ``length`` random lines, and often a backward at the end."""
        lines = [] if self.single else ["torch.set_default_dtype(torch.float64)"]
        lines += [self.leaf() for _ in range(self.random.randint(2, 4))]
        face.set_default_dtype(face.float32)
        for line in lines:
            self.tried.line(line)
        lines += [self.fitting(self.any_line) for _ in range(length)]
        if self.random.random() < 0.5:
            lines.append(self.fitting(lambda: self.backward))
        face.set_default_dtype(face.float32)
        return lines

    def fitting(self, choose: Callable[[], Line]) -> str:
        """A line that runs, or now and then one that fails."""
        for number in range(TRIES):
            if not number % SAME:
                write = choose()
            names = self.names[:]
            line = self.in_mode(write())
            if self.tried.line(line)[0] is None:
                break
            self.names = names
            if self.random.random() < STAYS:
                break
        return line

    def any_line(self) -> Line:
        """What writes any line."""
        makers: tuple[tuple[Line, float], ...] = (
            (self.binary, 10),
            (self.unary, 6),
            (self.shaped, 6),
            (self.reduced, 4),
            (self.written, 8),
            (self.flags, 4),
            (self.backward, 8),
            (self.gradients, 4),
            (self.cut, 3),
            (self.indexed, 3),
            (partial(self.operator, self.random.choice(CALLED)), 28),
            (self.factory, 3),
            (self.seen, 8),
            (self.hooked, 4),
            (partial(self.wrong, self.random.choice(CALLED)), 2),
        )
        return self.random.choices([maker for maker, _ in makers], [weight for _, weight in makers])[0]

    def in_mode(self, line: str) -> str:
        """The line, now and then within a mode."""
        if self.random.random() >= 0.08:
            return line
        mode = self.random.choice(MODES)
        if "inference" in mode and "requires_grad" in line:
            return line  # such a leaf is followed only where an ordinary tensor comes with it
        return f"with {mode}: {line}"

    # Names

    def new(self) -> str:
        """A fresh name."""
        self.names.append(f"v{len(self.names)}")
        return self.names[-1]

    def any(self) -> str:
        """A name that exists, rather a late one, and rather one with a history."""
        names = self.names[-6:] if self.random.random() < 0.7 else self.names
        name = self.random.choice(names)
        if self.random.random() < 0.4 and not self.requires_grad(name):
            name = self.random.choice(names)
        return name

    def followed(self) -> str:
        """The same, nearly always one that requires grad."""
        found = [name for name in self.names if self.requires_grad(name)]
        return self.random.choice(found) if found and self.random.random() < 0.95 else self.any()

    def requires_grad(self, name: str) -> bool:
        """True when the tensor of that name does."""
        return getattr(self.tried.names.get(name), "requires_grad", False) is True

    def alike(self, name: str, other: str) -> bool:
        """True for tensors of one shape, neither of them born in inference mode, whose versions nobody can ask."""
        one, two = self.tried.names.get(name), self.tried.names.get(other)
        if not isinstance(one, face.Tensor) or not isinstance(two, face.Tensor):
            return False
        return one.shape == two.shape and not (one.is_inference() or two.is_inference())

    # Lines

    def leaf(self) -> str:
        """A new leaf."""
        shape = self.random.choice(SHAPES)
        floats = (8, 2) if self.single else (0, 10)
        kind = self.random.choices(("float32", "float64", "int64", "bool"), (*floats, 1, 0.3))[0]
        grad = kind.startswith("float") and self.random.random() < 0.7
        values = [round(self.random.uniform(-2, 2), 2) for _ in range(6)]
        base = f"torch.tensor({values}[:{_size(shape)}], dtype=torch.float64).reshape({shape}).to(torch.{kind})"
        name = self.new()
        return f"{name} = {base}.requires_grad_({grad})" if grad else f"{name} = {base}"

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
        """Another shape or dtype, a part, softmax."""
        a, b = self.any(), self.any()
        return f"{self.new()} = {a}{self.random.choice(SHAPED).format(b=b)}"

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
            name = r.choice(QUIET)
            return f"{a}.{name}" if name.endswith(")") else f"{a}.{name}()"
        if form < 0.78:
            return f"{a}.fill_({r.choice((*NUMBERS, b))})"
        if form < 0.88:
            return f"{a}[0] = {r.choice((*NUMBERS, b))}"
        if form < 0.94:
            return f"{a}.data.mul_(2)"
        return f"{a} {r.choice(('+=', '-=', '*=', '/='))} {r.choice((*NUMBERS, b))}"

    def flags(self) -> str:
        """What a tensor is asked for, and its gradient changed by hand."""
        a, b = self.any(), self.any()
        if self.random.random() < 0.15:
            return f"{self.new()} = {a}.grad"
        line = self.random.choice(FLAGS).format(a=a, b=b)
        return line if "data =" not in line or self.alike(a, b) else f"{a}.retain_grad()"

    def backward(self) -> str:
        """A backward with random options."""
        r, a, b = self.random, self.followed(), self.followed()
        root = r.choice((a, f"{a}.sum()", f"{a}.sum()", f"({a} * {self.any()}).sum()", f"({a}.sum() + {b}.sum())"))
        options = []
        if root == a and r.random() < 0.6:
            options.append(f"torch.ones_like({a})")
        if r.random() < 0.4:
            options.append(f"retain_graph={r.choice((True, False))}")
        if r.random() < 0.15:
            options.append("create_graph=True")
        if r.random() < 0.15:
            options.append(f"inputs=[{self.followed()}]")
        if r.random() < 0.1:
            return f"torch.autograd.backward({', '.join([f'[{a}.sum(), {b}.sum()]', *options])})"
        return f"{root}.backward({', '.join(options)})"

    def gradients(self) -> str:
        """``autograd.grad``."""
        r, a = self.random, self.followed()
        root = r.choice((f"{a}.sum()", f"{a}.sum()", f"({a} * {a}).sum()", f"[{a}.sum(), {self.followed()}.sum()]"))
        options = f"allow_unused={r.random() < 0.7}"
        if r.random() < 0.4:
            options += ", create_graph=True"
        if r.random() < 0.3:
            options += ", retain_graph=True"
        if r.random() < 0.1:
            options = options.replace("allow_unused=True", "materialize_grads=True")
        given = f"torch.autograd.grad({root}, [{self.followed()}], {options})"
        if r.random() < 0.3:
            given = f"torch.autograd.grad({a}, [{self.followed()}], torch.full_like({a}, 0.5), {options})"
        if r.random() < 0.2:
            return f"{self.new()} = one({given.replace('], ', f', {self.followed()}], ', 1)}, {r.randint(0, 1)})"
        return f"{self.new()}, = {given}"

    def cut(self) -> str:
        """Something without history."""
        a = self.any()
        return f"{self.new()} = {a}{self.random.choice(('.detach()', '.data', '.detach().clone()'))}"

    def indexed(self) -> str:
        """Elements that tensors of indices or a mask say, read or written."""
        r, a = self.random, self.any()
        part = a + r.choice(INDICES).format(a=a)
        if r.random() < 0.5:
            return f"{self.new()} = {part}"
        return f"{part} {r.choice(('=', '=', '+=', '*='))} {r.choice((*NUMBERS, self.any()))}"

    def operator(self, record: Record) -> str:
        """A call of an operator of the table."""
        return self.called(record, self.calls.right(record))

    def wrong(self, record: Record) -> str:
        """A call of it that is wrong on purpose."""
        return self.called(record, self.calls.wrong(record))

    def called(self, record: Record, call: str) -> str:
        """The line of a call."""
        seed = "torch.manual_seed(3); " if draws(record) else ""
        if record.writes is not None:
            return seed + call
        return f"{seed}{self.new()} = one({call}, {self.random.randint(0, 1)})"

    def factory(self) -> str:
        """A tensor out of nothing."""
        r = self.random
        text = r.choice(FACTORIES).format(s=r.choice(SHAPES), a=self.any(), n=r.choice(NUMBERS))
        if text.endswith(")") and "new_tensor" not in text and "eye" not in text and r.random() < 0.3:
            text = text[:-1] + r.choice((", requires_grad=True)", ", dtype=torch.float64)", ", dtype=torch.int64)"))
            text = text.replace("(, ", "(")
        seed = "torch.manual_seed(3); " if "rand" in text else ""
        return f"{seed}{self.new()} = {text}"

    def seen(self) -> str:
        """A view, or a view of it, or a write into one."""
        r, a = self.random, self.any()
        view = a + "".join(r.choice(VIEWS).format(a=a) for _ in range(r.choice((1, 1, 1, 2))))
        if r.random() < 0.6:
            return f"{self.new()} = {view}"
        return f"{view}.{r.choice(WRITERS)}({r.choice((*NUMBERS, self.any()))})"

    def hooked(self) -> str:
        """A hook on a tensor or on a node.

        The grad_fn is asked for first: PyTorch crashes where a view that was overwritten through another has none yet.
        """
        r, a = self.random, self.followed()
        if r.random() < 0.5:
            return r.choice(NODE_HOOKS).format(a=a)
        removed = ".remove()" if r.random() < 0.15 else ""
        hooks = TENSOR_HOOKS if r.random() < 0.2 else TENSOR_HOOKS[:3]
        return f"{a}.grad_fn; {a}.register_hook({r.choice(hooks)}){removed}"


def _size(shape: str) -> int:
    return int(np.prod(eval(shape), dtype=int))
