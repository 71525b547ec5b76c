"""What registering a hook returns: the handle that takes it away again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class RemovableHandle:
    """What ``register_hook`` returns: :meth:`remove`, or leaving it as a context, takes the hook away again."""

    __slots__ = ("_hooks", "_marks", "id")
    next_id: ClassVar[int] = 0

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        self._marks: tuple[dict[int, bool], ...] = ()
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; nothing happens the second time."""
        self._hooks.pop(self.id, None)
        for mark in self._marks:
            mark.pop(self.id, None)

    def mark(self, *marks: dict[int, bool]) -> None:
        """Let tables of marks say something of the hook as long as it is there."""
        self._marks = marks
        for mark in marks:
            mark[self.id] = True

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"
Handle = RemovableHandle
