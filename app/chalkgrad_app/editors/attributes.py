"""What the line of a statement says beside its wires, by name: what there is a field for."""

from __future__ import annotations

from chalkgrad.engine.record import OPS, Attribute
from chalkgrad.program.optimizers import settings_of
from chalkgrad.program.statement import Kind, Operand, Statement
from chalkgrad_app.editors import leaves

UNEDITED = ("tensor", "generator", "memory_format", "geometry")
"""Kinds of attributes that only code can give."""

UNTAUGHT = frozenset({"foreach", "fused", "capturable", "differentiable"})
"""Settings of optimisers that say how fast they are, or what may be done with the graph of a step."""


def has_options(statement: Statement) -> bool:
    """True for a statement that :class:`~chalkgrad_app.editors.options.OptionsEditor` has a field for."""
    return statement.kind is Kind.LEAF or bool(attributes_of(statement))


def attributes_of(statement: Statement) -> dict[str, Attribute]:
    """What a line says beside its wires, by name: an operator's attributes, or the settings of an optimiser."""
    if statement.kind is Kind.OP and statement.call in OPS:
        found = OPS[statement.call].attributes
        return {attribute.name: attribute for attribute in found if attribute.kind not in UNEDITED}
    if statement.kind is not Kind.OPTIMIZER:
        return {}
    settings = (setting for setting in settings_of(statement.call).values() if setting.name not in UNTAUGHT)
    return {each.name: Attribute(each.name, _kind_of(each.default), each.default) for each in settings}


def missing(statement: Statement) -> tuple[str, ...]:
    """The attributes that PyTorch insists on and a line does not say: it fails until they are filled in."""
    given = {name for name, _ in statement.options}
    return tuple(name for name, each in attributes_of(statement).items() if each.required and name not in given)


def _kind_of(default: Operand) -> str:
    return "bool" if isinstance(default, bool) else "pair" if isinstance(default, tuple) else "number"


def has_same_fields(one: Statement, other: Statement) -> bool:
    """True when two statements have the same fields, and differ in nothing but values and wires."""
    if (one.kind, one.call, one.options) != (other.kind, other.call, other.options):
        return False
    return one.kind is not Kind.LEAF or leaves.arguments(one) == leaves.arguments(other)


def with_option(statement: Statement, name: str, value: Operand, default: Operand) -> Statement:
    """The statement with an option; PyTorch's default is left out."""
    return statement.without_option(name) if value == default else statement.with_option(name, value)
