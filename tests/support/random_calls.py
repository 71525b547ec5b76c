"""Random calls of the operators in the table: on tensors of a program, on those of the samples, and wrong ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch as face
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.signature import Signature

Name = Callable[[], str]
"""Gives the name of a tensor that the program has."""

ODD = ("None", "'x'", "[1, 2]", "1.5", "(1,)", "object", "{a}", "True", "-7", "2**70")
ODD_NAMES = ("dim", "axis", "out", "alpha", "nonsense", "dtype", "keepdim", "other")
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "-1", "2", "-3"),
    "dim": ("0", "1", "-1", "(0, 1)", "(0, -1)", "()", "5"),
    "size": ("(2, 3)", "(-1,)", "(1,)", "(0, 1)", "()", "(3, 2)"),
    "bool": ("True", "False"),
    "dtype": ("torch.float64", "torch.get_default_dtype()", "torch.int64"),
    "float": ("0.5", "2.0", "1", "-1.0"),
    "number": ("0.5", "2", "-1.5", "True", "0"),
    "tensor": ("2", "torch.tensor(2)", "torch.tensor([1, 2])", "{a}"),
}
"""Values for parameters, by their kind."""


FITTED = ("", "", "(2, 2)", "(2, 2)", "(3,)", "(1, 2, 3)")
"""Shapes that all inputs of a call may be given."""

_DEFINITE = "(lambda m: m @ m.mT + torch.eye(2, dtype=m.dtype))(fit({a}, (2, 2)))"
ENDLESS = frozenset({"binomial"})
"""Operators that PyTorch never comes back from for some numbers, and that are called as written below alone."""

WRITTEN = {
    "binomial": "torch.binomial(torch.full_like(fit({a}, (3,)), 7), fit({a}, (3,)).sigmoid().nan_to_num())",
    "batch_norm": "torch.batch_norm(fit({a}, (3, 2)), None, None, None, None, True, 0.1, 1e-05, False)",
    "binary_cross_entropy_with_logits": (
        "torch.binary_cross_entropy_with_logits({a}, {b}.detach().sigmoid(), None, None, 1)"
    ),
    "cholesky": f"torch.cholesky({_DEFINITE})",
    "cholesky_solve": f"torch.cholesky_solve(fit({{b}}, (2, 1)), torch.linalg.cholesky({_DEFINITE}))",
    "conv3d": "torch.nn.functional.conv3d(fit({a}, (1, 2, 2, 2, 2)), fit({b}, (1, 2, 1, 2, 1)))",
    "conv_transpose3d": "torch.nn.functional.conv_transpose3d(fit({a}, (1, 2, 2, 1, 2)), fit({b}, (2, 1, 1, 2, 1)))",
    "dsplit": "fit({a}, (1, 2, 2)).dsplit(2)",
    "geometric_": "{a}.geometric_(0.5)",
    "hsplit": "fit({a}, (2, 2)).hsplit([1])",
    "index_put": "fit({a}, (3, 2)).index_put((torch.tensor([0, 2]),), fit({b}, (2,)))",
    "index_put_": "fit({a}, (3, 2)).index_put_((torch.tensor([0, 2, 0]),), fit({b}, (2,)), True)",
    "linalg_cholesky": f"torch.linalg.cholesky({_DEFINITE})",
    "linalg_cholesky_ex": f"torch.linalg.cholesky_ex({_DEFINITE}, upper=True)",
    "linalg_lu_solve": "torch.linalg.lu_solve(*torch.linalg.lu_factor(fit({a}, (2, 2))), fit({b}, (2, 1)))",
    "lu_unpack": "torch.lu_unpack(*torch.linalg.lu_factor(fit({a}, (2, 2))))",
    "multinomial": "torch.tensor([0.25, 0.5, 0.75]).multinomial(2)",
    "nanquantile": "fit({a}, (2, 3)).nanquantile(0.3, 1)",
    "one_hot": "torch.nn.functional.one_hot(torch.tensor([1, 0, 2]))",
    "quantile": "fit({a}, (2, 3)).quantile(0.6, 0, keepdim=True)",
    "split_with_sizes": "fit({a}, (3, 2)).split_with_sizes((1, 2))",
    "unsafe_split_with_sizes": "fit({a}, (3, 2)).unsafe_split_with_sizes((1, 2))",
    "vsplit": "fit({a}, (3, 2)).vsplit([1, 2])",
}
"""Calls of operators whose arguments have to go together."""


def offered(record: Record) -> bool:
    """True when programs can call ``record`` under its names."""
    place: Any = face
    for part in (record.function or "torch").split(".")[1:]:
        place = getattr(place, part, None)
    return place is not None and (record.method is None or hasattr(face.Tensor, record.method))


def draws(record: Record) -> bool:
    """True for an operator whose numbers are random."""
    generator = any(attribute.kind == "generator" for attribute in record.attributes)
    return generator or record.name.startswith(("rrelu", "dropout", "scaled_dot_product"))


CALLED = [
    record
    for record in OPS.values()
    if (record.function or record.method) and offered(record) and not record.name.startswith("empty")
]
"""The operators that programs call; none whose numbers are not set."""

PUBLIC = [record for record in CALLED if not draws(record)]
"""Those of them that come to the same numbers every time."""


def literal(value: np.ndarray) -> str:
    """A tensor written out."""
    return f"torch.tensor({value.tolist()}, dtype=torch.{value.dtype.name})"


def laid_out(
    record: Record, texts: dict[str, str], count: int, chosen: random.Random
) -> tuple[list[str], dict[str, str]]:
    """Arguments in the order in which one of PyTorch's signatures takes them, the others by name.

    ``texts`` are those of the record's inputs and attributes; without signatures the first ``count`` go by position.
    """
    ways = [way for way in map(_parameters, record.signatures) if texts.keys() <= way.keys()]
    if not ways:
        by_place = list(texts)[:count]
        return [texts[name] for name in by_place], {name: texts[name] for name in texts.keys() - set(by_place)}
    args: list[str] = []
    way = chosen.choice(ways)
    for name, by_place in way.items():
        if not by_place or name not in texts:
            break
        args.append(texts[name])
    rest = list(way)[len(args) :]
    return args, {_spoken(name, record): texts[name] for name in rest if name in texts}


def _parameters(text: str) -> dict[str, bool]:
    """The parameters of a signature by the names that records give them, and whether they have a place."""
    signature = Signature(text)
    names = {parameter.name: not parameter.keyword_only for parameter in signature.parameters}
    first = next(iter(names), None)
    if signature.where == "Tensor":
        return {"self": True} | names
    return {"self" if name == first == "input" else name: by_place for name, by_place in names.items()}


def _spoken(name: str, record: Record) -> str:
    return "input" if name == "self" else name


class Calls:
    """Writes calls of operators; ``names`` gives a tensor of the program."""

    def __init__(self, chosen: random.Random, name: Name) -> None:
        self.random = chosen
        self.any = name

    def right(self, record: Record) -> str:
        """A call that may well run."""
        if record.name in WRITTEN and (self.random.random() < 0.6 or record.name in ENDLESS):
            return WRITTEN[record.name].format(a=self.any(), b=self.any())
        args, kwargs = self.arguments(record)
        if record.writes is None and self.random.random() < 0.04:
            kwargs["out"] = self.any()
        return self.spelled(record, args, kwargs)

    def wrong(self, record: Record) -> str:
        """A call that is wrong on purpose."""
        r = self.random
        if record.name in ENDLESS:
            return self.right(record)
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
            kwargs[r.choice(ODD_NAMES)] = odd
        return self.spelled(record, args, kwargs)

    def spelled(self, record: Record, args: list[str], kwargs: dict[str, str]) -> str:
        """A call of ``record`` as function or method."""
        named = [f"{name}={text}" for name, text in kwargs.items()]
        name = self.random.choice((record.method or record.function.rpartition(".")[2], *record.aliases))
        if record.method and (not record.function or self.random.random() < 0.5) and not record.variadic:
            return f"{args[0]}.{name}({', '.join([*args[1:], *named])})"
        path = (record.function or f"torch.{name}").rpartition(".")[0]
        return f"{path}.{name if record.function else record.name}({', '.join([*args, *named])})"

    def arguments(self, record: Record) -> tuple[list[str], dict[str, str]]:
        """Arguments as in one of its samples, or by the kinds of its parameters."""
        r = self.random
        if not record.samples or r.random() < 0.2:
            shape = r.choice(FITTED)
            inputs = [self.some(shape) for _ in (record.inputs if not record.variadic else "ab")]
            inputs = [f"[{', '.join(inputs)}]"] if record.variadic else inputs
            needed = [entry for entry in record.attributes if entry.required or r.random() < 0.4]
            texts = dict(zip(record.inputs, inputs, strict=False)) | {one.name: self.attribute(one) for one in needed}
            return laid_out(record, texts, len(inputs), r)
        args, kwargs = r.choice(list(record.samples))
        fits = 0.0 if r.random() < 0.3 else r.random()
        names = [*record.inputs, *(attribute.name for attribute in record.attributes)]
        texts = {name: self.value(value, name == names[0], fits) for name, value in zip(names, args, strict=False)}
        texts |= {name: self.value(value, False, fits) for name, value in kwargs.items()}
        return laid_out(record, texts, len(args), r)

    def some(self, shape: str) -> str:
        """A tensor of the program, made to fit ``shape`` if one is given."""
        return f"fit({self.any()}, {shape})" if shape else self.any()

    def attribute(self, attribute: Attribute) -> str:
        """Any value for a parameter of that kind."""
        choices = ATTRIBUTES.get(attribute.kind, ("None",))
        if attribute.choices:
            choices = tuple(repr(choice) for choice in attribute.choices)
        return self.random.choice(choices).format(a=self.any())

    def value(self, value: Any, first: bool, fits: float) -> str:
        """A sample's value, or in its place a tensor of the program, as it is or made to fit."""
        r = self.random
        if isinstance(value, np.ndarray):
            return self.tensor(value, first, fits)
        if isinstance(value, (list, tuple)) and any(isinstance(member, np.ndarray) for member in value):
            inside = ", ".join(self.value(member, False, fits) for member in value)
            return f"[{inside}]" if isinstance(value, list) else f"({inside},)"
        if type(value) is int and r.random() < 0.1:
            return str(r.randint(-3, 3))
        return repr(value) if not hasattr(value, "scalar_type") else str(value)

    def tensor(self, value: np.ndarray, first: bool, fits: float) -> str:
        """The same for a tensor; ``fits`` is how likely one of the program takes its place."""
        r = self.random
        if value.dtype.kind == "f" and r.random() < fits:
            a = self.any()
            return a if r.random() < 0.4 else f"fit({a}, {value.shape})"
        if first and r.random() < 0.1:
            return self.any()
        leaf = ".requires_grad_()" if value.dtype.kind == "f" and r.random() < 0.3 else ""
        return literal(value) + leaf
