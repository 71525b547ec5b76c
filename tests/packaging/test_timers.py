"""A method that is called a little later belongs to an object: when that is gone by then, it is not called."""

from __future__ import annotations

import ast
from pathlib import Path

APP = Path(__file__).parents[2] / "app" / "chalkgrad_app"


def later_calls(text: str) -> list[ast.Call]:
    """The calls of ``QTimer.singleShot`` in a module."""
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "singleShot"]


def test_methods_are_called_later_with_their_object() -> None:
    found = [(path, call) for path in APP.rglob("*.py") for call in later_calls(path.read_text(encoding="utf-8"))]
    assert found
    for path, call in found:
        called = call.args[-1]
        is_method = isinstance(called, ast.Attribute) and ast.unparse(called.value) == "self"
        assert not is_method or len(call.args) == 3, f"{path.name}:{call.lineno}: singleShot(msec, self, method)"
