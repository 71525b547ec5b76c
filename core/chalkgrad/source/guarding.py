"""What is refused of a script that is to run besides what can't be read: all that Python does was to be read first."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from chalkgrad.program.statement import EMPTY, Empty
from chalkgrad.source.meaning import Meaning, Path
from chalkgrad.source.problem import refuse_construct


def refuse_unread(tree: ast.Module, calls: Collection[ast.Call]) -> None:
    """Refuse a call that is none of ``calls``, those that were read: Python would come by it all the same."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node not in calls:
            raise refuse_construct(node)


def refuse_in_doubt(node: ast.Try, before: Mapping[str, Meaning], after: Mapping[str, Meaning]) -> None:
    """Where a line in a ``try`` fails, names mean what they did ``before``: refused where that is a module, or none."""
    for name, old in before.items():
        new = after.get(name, EMPTY)
        if new != old and any(isinstance(meaning, Path | Empty) for meaning in (old, new)):
            raise refuse_construct(node)
