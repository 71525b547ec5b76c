"""Random little PyTorch programs, over the whole operator table and everything autograd lets one see."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch as face
from chalkgrad.engine.record import OPS, Attribute, Record

SHAPES = ("()", "(1,)", "(2,)", "(3,)", "(2, 3)", "(3, 2)", "(2, 2)")
BINARY = ("+", "-", "*", "/")
UNARY = ("exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "neg", "clone", "t", "reciprocal")
NUMBERS = ("2", "3.0", "-1", "0.5", "1")
WRITERS = ("add_", "sub_", "mul_", "div_", "copy_")
QUIET = ("zero_", "exp_", "relu_", "neg_", "tanh_", "sigmoid_")


def offered(record: Record) -> bool:
    """True when programs can call ``record`` under its names."""
    place: Any = face
    for part in (record.function or "torch").split(".")[1:]:
        place = getattr(place, part, None)
    return place is not None and (record.method is None or hasattr(face.Tensor, record.method))


VIEWS = (
    ".view(-1)",
    ".reshape(2, -1)",
    ".transpose(0, -1)",
    ".t()",
    "[0]",
    "[..., 0]",
    "[1:]",
    "[None]",
    ".squeeze()",
    ".unsqueeze(-1)",
    ".expand(2, *{a}.shape)",
    ".diagonal()",
    ".detach()",
    ".unbind()[0]",
    ".chunk(2)[0]",
)
FACTORIES = (
    "torch.zeros{s}",
    "torch.ones{s}",
    "torch.full({s}, {n})",
    "torch.eye(2, 3)",
    "torch.arange({n})",
    "torch.arange(0, 1, 0.25)",
    "torch.linspace(-1, 1, 3)",
    "torch.zeros_like({a})",
    "torch.ones_like({a})",
    "torch.full_like({a}, {n})",
    "torch.randn{s}",
    "torch.rand{s}",
    "torch.rand_like({a})",
    "torch.randint(5, {s})",
    "torch.randperm(4)",
    "{a}.new_zeros{s}",
    "{a}.new_tensor({n})",
    "torch.tensor([[{n}, 2.5], [0.25, -1.0]])",
)
TENSOR_HOOKS = ("lambda g: g * 2", "lambda g: note(g)", "lambda g: None", "lambda g: 3", "lambda g: g[..., None]")
NODE_HOOKS = (
    "{a}.grad_fn.register_hook(lambda i, o: note(i, o))",
    "{a}.grad_fn.register_prehook(lambda o: note(o))",
    "{a}.grad_fn.register_hook(lambda i, o: tuple(None if g is None else g * 2 for g in i))",
    "{a}.register_post_accumulate_grad_hook(lambda p: note(p.grad))",
)
ODD = ("None", "'x'", "[1, 2]", "1.5", "(1,)", "object", "{a}", "True", "-7", "2**70")
MODES = ("no_grad()", "enable_grad()", "set_grad_enabled(False)", "inference_mode()")
MODES = tuple(mode for mode in MODES if hasattr(face, mode.partition("(")[0]))
PUBLIC = [
    record
    for record in OPS.values()
    if (record.function or record.method)
    and offered(record)
    and not any(attribute.kind in ("generator", "tensor") for attribute in record.attributes)
    and not record.name.startswith(("empty", "index", "put_", "rrelu", "dropout"))
]
"""The operators that programs call; none whose numbers are random or not set."""


def literal(value: np.ndarray) -> str:
    """A tensor written out."""
    return f"torch.tensor({value.tolist()}, dtype=torch.{value.dtype.name})"


class Maker:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []
        self.single = self.random.random() < 0.4

    def program(self, length: int) -> list[str]:
        """Leaves first, then ``length`` random lines."""
        lines = [] if self.single else ["torch.set_default_dtype(torch.float64)"]
        lines += [self.leaf() for _ in range(self.random.randint(2, 4))]
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
        floats = (8, 2) if self.single else (0, 10)
        kind = self.random.choices(("float32", "float64", "int64", "bool"), (*floats, 1, 0.3))[0]
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
            (self.operator, 25),
            (self.factory, 4),
            (self.seen, 6),
            (self.hooked, 4),
            (self.wrong, 4),
        )
        chosen = self.random.choices([maker for maker, _ in makers], [weight for _, weight in makers])[0]
        line = chosen()
        if self.random.random() >= 0.08:
            return line
        mode = self.random.choice(MODES)
        if mode.startswith("inference") and "requires_grad" in line:
            return line  # such a leaf is followed only where an ordinary tensor comes with it
        return f"with torch.{mode}: {line}"

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
        if r.random() < 0.1:
            options = options.replace("allow_unused=True", "materialize_grads=True")
        return f"{self.new()}, = torch.autograd.grad({a}.sum(), [{self.any()}], {options})"

    def cut(self) -> str:
        """Something without history."""
        a = self.any()
        return f"{self.new()} = {a}{self.random.choice(('.detach()', '.data', '.detach().clone()'))}"

    def operator(self) -> str:
        """An operator of the table, on tensors that exist or on those of its samples."""
        record = self.random.choice(PUBLIC)
        args, kwargs = self.arguments(record)
        return self.spelled(record, args, kwargs)

    def spelled(self, record: Record, args: list[str], kwargs: dict[str, str]) -> str:
        """A call of ``record`` as function or method."""
        named = [f"{name}={text}" for name, text in kwargs.items()]
        name = self.random.choice((record.method or record.function.rpartition(".")[2], *record.aliases))
        if record.method and (not record.function or self.random.random() < 0.5) and not record.variadic:
            call = f"{args[0]}.{name}({', '.join([*args[1:], *named])})"
        else:
            path = (record.function or f"torch.{name}").rpartition(".")[0]
            call = f"{path}.{name if record.function else record.name}({', '.join([*args, *named])})"
        if record.writes is not None:
            return call
        return f"{self.new()} = one({call}, {self.random.randint(0, 1)})"

    def arguments(self, record: Record) -> tuple[list[str], dict[str, str]]:
        """Arguments as in one of its samples, or by the kinds of its parameters."""
        r = self.random
        if not record.samples or r.random() < 0.3:
            inputs = [f"[{self.any()}, {self.any()}]"] if record.variadic else [self.any() for _ in record.inputs]
            needed = [entry for entry in record.attributes if entry.required or r.random() < 0.4]
            return inputs, {entry.name: self.attribute(entry) for entry in needed}
        args, kwargs = r.choice(list(record.samples))
        given = [self.value(value, place == 0) for place, value in enumerate(args)]
        return given, {name: self.value(value, False) for name, value in kwargs.items()}

    def attribute(self, attribute: Attribute) -> str:
        """Any value for a parameter of that kind."""
        r = self.random
        choices: dict[str, tuple[str, ...]] = {
            "int": ("0", "1", "-1", "2", "-3"),
            "dim": ("0", "1", "-1", "(0, 1)", "(0, -1)", "()", "5"),
            "size": ("(2, 3)", "(-1,)", "(1,)", "(0, 1)", "()", "(3, 2)"),
            "bool": ("True", "False"),
            "dtype": ("torch.float64", "torch.get_default_dtype()", "torch.int64"),
            "float": ("0.5", "2.0", "1", "-1.0"),
            "number": ("0.5", "2", "-1.5", "True", "0"),
            "choice": tuple(repr(choice) for choice in attribute.choices) or ("None",),
        }
        return r.choice(choices.get(attribute.kind, ("None",)))

    def value(self, value: Any, first: bool) -> str:
        """A sample's value, or another one in its place."""
        r = self.random
        if isinstance(value, np.ndarray):
            fits = value.dtype.kind == "f" and r.random() < (0.6 if first else 0.4)
            return self.any() if fits else literal(value)
        if isinstance(value, list):
            return f"[{', '.join(self.value(member, False) for member in value)}]"
        if type(value) is int and r.random() < 0.2:
            return str(r.randint(-3, 3))
        return repr(value) if not hasattr(value, "scalar_type") else str(value)

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
        """A view, or a write into one."""
        r, a = self.random, self.any()
        view = a + r.choice(VIEWS).format(a=a)
        if r.random() < 0.6:
            return f"{self.new()} = {view}"
        return f"{view}.{r.choice(WRITERS)}({r.choice((*NUMBERS, self.any()))})"

    def hooked(self) -> str:
        """A hook on a tensor or on a node."""
        r, a = self.random, self.any()
        if r.random() < 0.5:
            return r.choice(NODE_HOOKS).format(a=a)
        removed = ".remove()" if r.random() < 0.15 else ""
        hooks = TENSOR_HOOKS if r.random() < 0.2 else TENSOR_HOOKS[:3]
        return f"{a}.register_hook({r.choice(hooks)}){removed}"

    def wrong(self) -> str:
        """A call that is wrong on purpose."""
        r = self.random
        record = r.choice(PUBLIC)
        args, kwargs = self.arguments(record)
        form = r.random()
        odd = r.choice(ODD).format(a=self.any())
        if form < 0.3:
            args.append(odd)
        elif form < 0.5 and len(args) > 1:
            args.pop()
        elif form < 0.8:
            args[r.randrange(len(args)) if r.random() < 0.3 else -1] = odd
        else:
            kwargs[r.choice(("dim", "axis", "out", "alpha", "nonsense", "dtype", "keepdim", "other"))] = odd
        return self.spelled(record, args, kwargs)


def _size(shape: str) -> int:
    return int(np.prod(eval(shape), dtype=int))
