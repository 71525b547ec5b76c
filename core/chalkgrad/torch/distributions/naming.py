"""Classes of this package under PyTorch's names."""

from __future__ import annotations


class Named:
    """Classes whose errors and reprs name the module that they have in PyTorch."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__module__ = cls.__module__.removeprefix("chalkgrad.")
