"""Hooks at work: what the text of a hook makes of a gradient."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from chalkgrad.program import hooks
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref
from chalkgrad.session.calls import SIGNS, function
from chalkgrad.session.state import State, Status

Printed = Callable[[str, Sequence[object]], None]


def hooks_on(program: Program, state: State, ref: Ref) -> list[int]:
    """Ids of the lines whose hooks a tensor has at a position: they have run, and nothing has removed them."""

    def has_run(id_: int) -> bool:
        return state.statement(id_).status is Status.OK

    hooked = filter(has_run, hooks.hooks_of(program, ref))
    return [id_ for id_ in hooked if not any(map(has_run, hooks.removals(program, id_)))]


class Hook:
    """A hook that ``Tensor.register_hook`` takes; ``printed`` is told what it prints."""

    __name__ = "<lambda>"

    def __init__(self, text: str, printed: Printed) -> None:
        found = hooks.parsed(text)
        if found is None:
            raise ValueError(f"not a hook: {text}")
        self._parameter, self._body = found
        self._printed = printed
        if text == hooks.PRINT:
            self.__name__ = text

    def __call__(self, gradient: Any) -> Any:
        """What it returns for a gradient."""
        if hooks.is_print(self._body, self._parameter):
            self._printed(str(gradient), (gradient,))
            return None
        return self._value(self._body, gradient)

    def _value(self, node: ast.expr, gradient: Any) -> Any:
        if isinstance(node, ast.Name):
            return gradient
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp):
            return SIGNS["-", 1](self._value(node.operand, gradient))
        if isinstance(node, ast.BinOp):
            sign = SIGNS[hooks.SIGNS[type(node.op)], 2]
            return sign(self._value(node.left, gradient), self._value(node.right, gradient))
        assert isinstance(node, ast.Call)
        values = [self._value(value, gradient) for value in node.args]
        options = {option.arg or "": self._value(option.value, gradient) for option in node.keywords}
        name = hooks.dotted(node.func)
        if name in hooks.functions():
            return function(name)(*values, **options)
        assert isinstance(node.func, ast.Attribute)
        return getattr(self._value(node.func.value, gradient), node.func.attr)(*values, **options)
