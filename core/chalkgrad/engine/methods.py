"""The operators as methods of a tensor. Written by ``chalkgrad.ops.write_methods`` from the table; don't edit."""

from __future__ import annotations

from chalkgrad.engine.graph import TensorBase


class Methods(TensorBase):
    """All operators that have a spelling as a method or with a symbol."""

    __slots__ = ()
