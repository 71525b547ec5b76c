"""The value of an option as it is typed, and what was typed as a value of the kind that the option has."""

from __future__ import annotations

import re

from chalkgrad.ops.subscript import PLACE, index_of
from chalkgrad.program.names import narrow
from chalkgrad.program.statement import Array, Empty, Operand, Ref
from chalkgrad.source import read
from chalkgrad.source.literals import shape_text, value_text
from chalkgrad.source.problem import SourceError
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate

TEXTS = ("index", "choice")
"""Kinds of attributes that are kept as they are typed."""


class BadOptionError(ValueError):
    """What was typed is not of the kind that belongs there; the message is in the language in use."""


def typed(kind: str, value: Operand) -> str:
    """An attribute's value as it is typed; nothing for None."""
    if value is None or isinstance(value, Ref | Empty | Array):
        return ""
    if kind in TEXTS and isinstance(value, str):
        return value
    if isinstance(value, tuple) and kind in ("dim", "size", "pair"):
        return shape_text(value)
    return value_text(value)


def meant(kind: str, text: str) -> Operand:
    """The value that ``text`` is; SourceError where it can't be read, BadOptionError where the kind has none such."""
    if kind in TEXTS:
        return _checked_text(kind, text)
    sizes = _sizes(text) if kind == "size" else ""
    try:
        value = read.read_value(f"({sizes},)" if sizes else text)
    except SourceError as error:
        is_name = narrow(text).strip().isidentifier() or (kind == "size" and "name" in error.text.values)
        if not is_name or kind not in _WANTED:
            raise
        raise BadOptionError(_wanted(kind)) from None  # a name, also that of a tensor, is no value
    ints = isinstance(value, tuple) and all(type(member) is int for member in value)
    is_wrong = (
        (kind == "int" and type(value) is not int)
        or (kind in ("number", "float") and (isinstance(value, bool) or not isinstance(value, int | float)))
        or (kind == "dim" and type(value) is not int and not ints)
        or (kind == "size" and not ints)
    )
    if is_wrong:
        raise BadOptionError(_wanted(kind))
    return value


_WANTED = {
    "int": QT_TRANSLATE_NOOP("OptionsEditor", "A whole number goes here"),
    "number": QT_TRANSLATE_NOOP("OptionsEditor", "A number goes here"),
    "float": QT_TRANSLATE_NOOP("OptionsEditor", "A number goes here"),
    "dim": QT_TRANSLATE_NOOP("OptionsEditor", "A dimension goes here, or several: 0 or (0, 1)"),
    "size": QT_TRANSLATE_NOOP("OptionsEditor", "Sizes are whole numbers: 2, 3"),
}
"""What is said where a value is not of its kind."""


def _wanted(kind: str) -> str:
    return translate("OptionsEditor", _WANTED[kind])


def _sizes(text: str) -> str:
    """Sizes without what stands around them and with commas between them: ``2, 3`` of ``(2, 3)`` and ``2 x 3``."""
    return re.sub(r"(?<=\d)\s*[x×]\s*(?=\d)", ", ", text.strip().removeprefix("torch.Size").strip("()[], "))


def _checked_text(kind: str, text: str) -> str:
    if kind == "index":
        try:
            index_of(text, [0] * text.count(PLACE))
        except ValueError:
            said = translate("OptionsEditor", "An index goes here: 0 or :, 1:")
            raise BadOptionError(said) from None
    return text.strip()
