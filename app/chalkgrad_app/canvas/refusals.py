"""Why an expression that was typed can't be built: in words, with what stands there, and what is called nearly so."""

from __future__ import annotations

import re

from chalkgrad.program.names import narrow
from chalkgrad.source.problem import SourceError
from chalkgrad_app import catalogue
from chalkgrad_app.i18n import sentence, translate
from chalkgrad_app.naming import cut_short

LONGEST = 32
"""So many characters are said of what was typed, and of what stands at the place of an error."""
UNKNOWN = ("source.unknown_function", "source.unknown_method", "source.unknown_attribute")
MODULE = "source.module"
"""Keys of what is said where a name is unknown, where Python can't read it, and of a module."""


def refusal(error: ValueError, typed: str) -> str:
    """What an error says, where that is unless it is all of it, and which names are near one that is unknown."""
    if not isinstance(error, SourceError):
        return sentence(error)
    product = catalogue.PRODUCT.fullmatch(_right(typed))
    if product is not None:
        written = " * ".join(part for part in product.groups() if part)
        return translate("Adding", "Products are written with *: {text}").format(text=cut_short(written, LONGEST))
    name = str(error.text.values.get("name", "")) if error.text.key in UNKNOWN else ""
    said = sentence(error)
    if error.text.key == MODULE and (function := catalogue.function_of(str(error.text.values.get("name", "")))):
        words = translate("Adding", "{module} is a module; modules are not offered here, the function {function} is.")
        return words.format(module=error.text.values["name"], function=function)
    if error.text.key == UNKNOWN[0]:
        said = translate("Adding", "There is no operator {name}.").format(name=name)
    here = _here(error, typed)
    if here and not here.startswith(name or " "):
        said = translate("Adding", "{why} Here: {text}").format(why=said, text=cut_short(here, LONGEST))
    near = [entry.label for entry in catalogue.near(name)] if name else []
    if near:
        said = translate("Adding", "{why} Near names: {names}").format(why=said, names=", ".join(dict.fromkeys(near)))
    return said


def _right(typed: str) -> str:
    """What stands right of the sign of an assignment; all where there is none."""
    return re.sub(r"^\s*\w+\s*=(?!=)", "", narrow(typed)).strip()


def _here(error: SourceError, typed: str) -> str:
    """What of the text begins at an error; nothing where that is all of it."""
    lines = typed.strip().splitlines()
    if not 0 < error.line <= len(lines):
        return ""
    here = lines[error.line - 1][error.column - 1 :].strip()
    return "" if here == typed.strip() else here
