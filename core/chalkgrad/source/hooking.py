"""Reading hooks: ``h = a.register_hook(lambda g: g * 2)`` and ``h.remove()``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from chalkgrad.program import hooks
from chalkgrad.program.names import free_among
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.source.meaning import MadeHook
from chalkgrad.source.problem import only_argument, refuse

if TYPE_CHECKING:
    from chalkgrad.source.operands import Operands


def read_hook(reader: Operands, node: ast.Call, owner: Ref) -> MadeHook:
    """The handle that a call returns; the hook is kept as its text."""
    hook = only_argument(node, hooks.CALL)
    unknown = hooks.refused(hook)
    if unknown is not None:
        raise refuse(unknown, "hook")
    reader.calls.update(inner for inner in ast.walk(hook) if isinstance(inner, ast.Call))
    return MadeHook(Ref(reader.make(Kind.ATTRIBUTE, hooks.CALL, (), (owner, ast.unparse(hook)), style="method")))


def read_removal(reader: Operands, node: ast.Call, owner: MadeHook, name: str) -> None:
    """What is called on a handle; a hook that is removed has to have a name."""
    if name != hooks.REMOVE:
        raise refuse(node, "unknown_method", name=name)
    if node.args or node.keywords:
        raise refuse(node, "argument_count", name=name)
    made = reader.made.get(owner.ref.statement)
    if made is not None and not made.targets:
        free = free_among(hooks.NAME, reader.taken)
        reader.taken.add(free)
        reader.change(made.id, targets=(free,))
    reader.make(Kind.ATTRIBUTE, hooks.REMOVE, (), (owner.ref,), style="method")
