"""Where the operators' methods are attached; ``methods.pyi`` beside it says which there are."""

from chalkgrad.engine.base import TensorBase


class Methods(TensorBase):
    """All operators that have a spelling as a method or with a sign, attached when :mod:`chalkgrad.ops` is imported."""

    __slots__ = ()
