"""What one operator record holds, and the table of all of them.

An operator is *one* record. The engine computes and differentiates from it; palette, search, code, docs, canvas
and the generated tests read it. Whatever can be derived is derived: what an operator saves for its backward is
read off the parameter names of its formulas, never declared.

Parameter names in formulas are those of PyTorch's ``derivatives.yaml``: an input's name (``self``, ``other``,
``exponent`` ...) means its value, ``result`` the output, ``self_sym_sizes``, ``self_sym_strides`` and
``self_sym_numel`` only the geometry of ``self``, ``tensors_args_sizes`` the shapes of a list of tensors,
``self_args_info`` shape and dtype and ``self_args_geometry`` where it lies in memory (all three kept, but not shown, as
in PyTorch), any attribute's name that attribute. A
formula's first two parameters are ``o``, the namespace of operators it is written in, and ``g``, the gradient that
comes in. One that all inputs have, with a keyword ``grad_input_mask`` that says which of them are wanted, gives the
gradients of all at once: that is how PyTorch's convolutions and normalisations have one node for three gradients.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

Formula = Callable[..., Any]

_MACRO = re.compile(r"\\([a-z_0-9]+)")


class Attribute(NamedTuple):
    """One non-tensor argument of an operator.

    ``kind`` says how it is edited and read: ``number``, ``int``, ``float``, ``bool``, ``dim`` (an int or a tuple of
    ints or None), ``size`` (a tuple of ints, spelled as separate ints too), ``dtype`` or ``choice``.
    ``positional`` is True where PyTorch accepts it without its name after the inputs.
    """

    name: str
    kind: str
    default: Any = None
    required: bool = False
    positional: bool = True
    choices: tuple[str, ...] = ()


def integers(*names: str) -> tuple[Attribute, ...]:
    """Required attributes that are whole numbers."""
    return tuple(Attribute(name, "int", required=True) for name in names)


class Call(NamedTuple):
    """One call of an operator, for derivatives that are written differently from call to call.

    ``shapes`` are those of the inputs that are tensors; the members of a list are called ``tensors_0``, ``tensors_1``
    and so on. ``output`` says which of several results the derivative is of.
    """

    arguments: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]
    output: int = 0


class Record(NamedTuple):
    r"""Everything there is to know about one operator.

    ``inputs`` are its ports, in PyTorch's order and with PyTorch's names; ``numbers`` those of them that also take a
    Python number. ``function``, ``method`` and ``symbol`` are its PyTorch spellings (``"torch.add"``, ``"add"``,
    ``"+"``; ``None`` where PyTorch has none); emit and read both come from them. ``writes`` names the input that an
    in-place operator overwrites and returns. ``outputs`` names what it returns when that is more than one tensor.
    ``symbol`` of an in-place operator is the augmented assignment (``"+="``). ``aliases`` are further names that
    PyTorch has for it; ``said`` what people call it and how formulas write it, by which it is found, too.

    ``forward`` computes on arrays and Python numbers. ``compose`` is there where PyTorch has no derivative of its own
    for the operator but writes it in terms of others (``matmul`` is ``mm``, ``mv`` or ``dot``): called with the
    namespace of operators and the inputs, it is what is recorded. ``promotes`` says what happens to the inputs' dtypes
    first: ``together`` gives them one, ``float`` gives them one that is floating point, ``none`` leaves them alone.
    ``fills`` is how often PyTorch writes into the gradients that it makes for the inputs, all or each by its name, or a
    function that says it of all in one call, by what the node keeps, and first by the gradients that ``came``, if it
    asks for them; it shows in the ``_version`` of a ``.grad``.
    ``no_gradient`` names the arguments that may not require grad, for PyTorch knows no derivative by them;
    ``elementwise`` says where the section is misleading about how the result lies in memory. ``optional`` names the
    inputs that may be None. ``variadic`` marks the operator whose one input is a list of tensors. ``part_of`` names the
    operator that a person knows and this one is a piece of (``mm`` of ``matmul``, ``tanh_backward`` of ``tanh``).
    ``check`` gets the inputs' arrays and numbers before anything else happens and raises for those that are refused.

    ``signatures`` are the ways PyTorch's parser lets it be called, in PyTorch's order, needed where they are not simply
    the inputs followed by the attributes: ``"max(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None) ->
    max_dim"``. The arrow names the record that computes such a call; ``Tensor.`` in front marks what only the method
    takes, ``torch.`` what only the function takes. See :mod:`chalkgrad.engine.signature`.

    ``outputs`` is empty where their number depends on the call (``split``); ``returns`` names the tuple class they come
    in (``"max"`` for ``torch.return_types.max``), None for a plain tuple; ``not_differentiable`` are those that never
    have a ``grad_fn``. With several differentiable outputs ``g`` is a tuple, None where no gradient came.

    ``latex`` and ``derivatives`` write an input as a macro of its name, ``\self + \other``; see :meth:`formula`. In
    ``derivatives`` attributes and the outputs may stand so, too. ``varying`` gives the derivatives of one call where
    these depend on more than the numbers put in; those that nobody wrote down are left out.
    A shape rule takes the inputs' shapes by position and the attributes by name and raises what the operator would;
    with ``checks_shapes`` the forward raises that itself, and the rule needn't be asked before.
    """

    name: str
    inputs: tuple[str, ...]
    forward: Callable[..., Any]
    vjps: Mapping[str, Formula] = MappingProxyType({})
    attributes: tuple[Attribute, ...] = ()
    grad_fn: str | None = None
    function: str | None = None
    method: str | None = None
    symbol: str | None = None
    style: str = "function"
    numbers: frozenset[str] = frozenset()
    writes: str | None = None
    outputs: tuple[str, ...] = ("result",)
    shape: Callable[..., Any] | None = None
    section: str = "arithmetic"
    latex: str = ""
    derivatives: Mapping[str, str] = MappingProxyType({})
    varying: Callable[[Call], Mapping[str, str]] | None = None
    aliases: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    view: bool = False
    hidden: bool = False
    samples: Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]] = ()
    bad_samples: Sequence[tuple[tuple[Any, ...], Mapping[str, Any], str, str]] = ()
    compose: Callable[..., Any] | None = None
    promotes: str = "together"
    variadic: bool = False
    optional: frozenset[str] = frozenset()
    fills: int | Mapping[str, int] | Callable[..., tuple[int, ...]] = 0
    signatures: tuple[str, ...] = ()
    returns: str | None = None
    not_differentiable: frozenset[str] = frozenset()
    part_of: str | None = None
    check: Callable[..., None] | None = None
    no_gradient: frozenset[str] = frozenset()
    elementwise: bool | None = None
    checks_shapes: bool = False

    @property
    def follows_layout(self) -> bool:
        """True where each element comes of those in its place: the result then lies in memory as the operands do."""
        if self.elementwise is None:
            return self.section in ("arithmetic", "pointwise", "compare")
        return self.elementwise

    @property
    def text_key(self) -> str:
        """Key of the one sentence that says what the operator does, in the message catalogues."""
        return f"op.{self.part_of or self.name}"

    @property
    def differentiable(self) -> tuple[int, ...] | None:
        """Which outputs get the ``grad_fn``, by number; None for all of however many there are."""
        if not self.outputs:
            return None
        return tuple(number for number, name in enumerate(self.outputs) if name not in self.not_differentiable)

    @property
    def sources(self) -> tuple[str, ...]:
        """The inputs that gradients can go to, for each of which its nodes have an edge."""
        if self.variadic or not self.vjps:
            return self.inputs
        return tuple(name for name in self.inputs if name in self.vjps)

    @property
    def joint(self) -> Formula | None:
        """The one formula that gives the gradients of all inputs, None where each has its own."""
        formula = next(iter(self.vjps.values()), None)
        code = getattr(formula, "__code__", None)
        return formula if code is not None and code.co_kwonlyargcount else None

    @property
    def filled(self) -> tuple[int, ...]:
        """How often the gradient for each of the sources is written; nothing where none is, or calls differ."""
        fills = self.fills
        if callable(fills):
            return ()
        counts = [fills if isinstance(fills, int) else fills.get(name, 0) for name in self.sources]
        return tuple(counts) if any(counts) else ()

    @property
    def many(self) -> bool:
        """True when its node has gradients of several outputs to wait for."""
        return self.differentiable is None or len(self.differentiable) > 1

    def formula(self, names: Mapping[str, str], of: str | None = None) -> str:
        """LaTeX of what it computes, or of its derivative by input ``of``, with ``names`` put in for the inputs."""
        text = self.latex if of is None else self.derivatives[of]
        return filled(text, names)

    def attribute(self, name: str) -> Attribute:
        """The attribute called ``name``; KeyError where there is none."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(name)

    def saved(self, needs: frozenset[str]) -> tuple[str, ...]:
        """Names of what is saved when the inputs in ``needs`` require grad.

        As in PyTorch, that is what their formulas read, and results and what several formulas read in any case;
        operators that are the backward of others, or have one formula only, save all.
        """
        reads = [formula_names(formula) for formula in self.vjps.values()]
        always = "backward" in self.name or len(reads) == 1
        names: dict[str, None] = {}
        for source, read in zip(self.vjps, reads, strict=True):
            for name in read:
                shared = name in self.outputs or sum(name in other for other in reads) > 1
                if source in needs or shared or always:
                    names[name] = None
        return tuple(names)


def filled(text: str, names: Mapping[str, str]) -> str:
    """LaTeX with ``names`` put in for the inputs that it speaks of."""
    return _MACRO.sub(lambda found: names.get(found[1], found[0]), text)


@cache
def formula_names(formula: Formula) -> tuple[str, ...]:
    """What a formula reads: its parameter names after ``o`` and ``g``."""
    code = getattr(formula, "__code__", None)
    if code is None:
        return tuple(inspect.signature(formula).parameters)[2:]
    return tuple(code.co_varnames[2 : code.co_argcount])


GEOMETRY = frozenset(
    {
        *("dim", "sym_sizes", "sym_strides", "sym_numel", "sym_sizes_opt"),
        *(
            "sym_argsize_0",
            "sym_argsize_1",
            "sym_argsize_2",
            "sym_argsize_minus_1",
            "sym_argsize_minus_2",
            "sym_argsize_minus_3",
        ),
        *("args_sizes", "args_info", "args_geometry"),
    }
)
"""What a formula may read of an input or a result without its value being saved."""


def is_geometry(record: Record, name: str) -> bool:
    """True for ``self_sym_sizes`` and its kin."""
    return any(
        name.startswith(f"{source}_") and name[len(source) + 1 :] in GEOMETRY
        for source in (*record.inputs, *record.outputs)
    )


OPS: dict[str, Record] = {}
"""The table of all operators by name, filled by :mod:`chalkgrad.ops`, in the order of the palette."""


def register(record: Record) -> Record:
    """Put ``record`` into :data:`OPS`.

    Raises ValueError when the record contradicts itself: a name taken twice, a formula for an input it does not
    have, or a formula that reads something it can't get.
    """
    if record.name in OPS:
        raise ValueError(f"operator {record.name!r} is registered twice")
    known = {*record.inputs, *(attribute.name for attribute in record.attributes), *record.outputs}
    for source, formula in record.vjps.items():
        if source not in record.inputs:
            raise ValueError(f"operator {record.name!r} has a formula for {source!r}, not one of {record.inputs}")
        unknown = [name for name in formula_names(formula) if name not in known and not is_geometry(record, name)]
        if unknown:
            raise ValueError(
                f"operator {record.name!r}: the formula for {source!r} reads {unknown}, not one of {sorted(known)}"
            )
    OPS[record.name] = record
    return record
