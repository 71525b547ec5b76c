"""A statement with what was typed into one of the fields for its options: an attribute, how a leaf is made."""

from __future__ import annotations

from chalkgrad.program.names import narrow
from chalkgrad.program.statement import Kind, Operand, Statement
from chalkgrad.source import read
from chalkgrad_app.editors import leaves
from chalkgrad_app.editors.attributes import attributes_of, with_option
from chalkgrad_app.editors.option_texts import BadOptionError, meant
from chalkgrad_app.editors.pasted import as_list
from chalkgrad_app.editors.shapes import read_shape, resized
from chalkgrad_app.i18n import translate

SHAPE = "shape"


def default(statement: Statement, name: str) -> Operand:
    """What the attribute is where the line says nothing of it."""
    attribute = attributes_of(statement).get(name)
    value: Operand = None if attribute is None else attribute.default
    return value


def with_text(statement: Statement, name: str, text: str) -> Statement:
    """The statement with what was typed for ``name``; SourceError or BadOptionError when it can't be that."""
    if name == SHAPE and statement.kind is Kind.LEAF and statement.call == "tensor":
        return _with_shape(statement, text)
    if statement.kind is Kind.LEAF and name != "seed":
        return _with_argument(statement, name, text)
    attribute = attributes_of(statement).get(name)
    kind = "int" if attribute is None else attribute.kind
    if narrow(text) in ("", "None"):
        if attribute is not None and attribute.required:
            raise BadOptionError(_needed())
        return statement.without_option(name)
    return with_option(statement, name, meant(kind, text), default(statement, name))


def _with_shape(statement: Statement, text: str) -> Statement:
    array = leaves.values(statement)
    if array is None:
        return statement
    try:
        made = resized(array, read_shape(text))
    except ValueError as error:
        raise BadOptionError(str(error)) from None
    return leaves.with_values(statement, made, statement.option("dtype") is not None)


def _with_argument(statement: Statement, name: str, text: str) -> Statement:
    if name == "data":
        return leaves.with_argument(statement, name, read.read_value(as_list(text), leaves.value_dtype(statement)))
    if not text and leaves.is_required(statement, name):
        raise BadOptionError(_needed())
    value = meant(leaves.argument_kind(name), text) if text else None
    return leaves.with_argument(statement, name, value)


def _needed() -> str:
    return translate("OptionsEditor", "PyTorch needs a value here")
