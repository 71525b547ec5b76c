"""The operator table, one file per section of the palette; importing it fills :data:`chalkgrad.engine.record.OPS`."""

from importlib import import_module

# The order is that of the palette, and the class that results get must be known before operators are made.
import_module("chalkgrad.engine.tensor")
for _section in (
    "arithmetic",
    "pointwise",
    "activation",
    "reduce",
    "shape",
    "join",
    "strided",
    "index",
    "matrix",
    "loss",
    "writing",
):
    import_module(f"chalkgrad.ops.{_section}")

_spelling = import_module("chalkgrad.engine.spelling")
for _record in import_module("chalkgrad.engine.record").OPS.values():
    _spelling.attach(import_module("chalkgrad.engine.methods").Methods, _record)
