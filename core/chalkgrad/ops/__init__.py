"""The operator table, one file per section of the palette; importing it fills :data:`chalkgrad.engine.record.OPS`."""

from chalkgrad.engine import tensor as _tensor  # the class that results get must be known before operators are made
from chalkgrad.ops import arithmetic, pointwise, activation, reduce, shape, index, matrix, loss, writing, create  # noqa: I001

__all__ = ["activation", "arithmetic", "create", "index", "loss", "matrix", "pointwise", "reduce", "shape", "writing"]

del _tensor
