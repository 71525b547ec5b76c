"""The ways to mend operands that don't fit: of another dtype or shape than the operator takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from chalkgrad.engine.dtype import ALL_DTYPES, BOOLEAN, FLOATING
from chalkgrad.program import edits, rewiring
from chalkgrad.program.statement import Dtype, Kind, Ref
from chalkgrad.session.mending.case import Case
from chalkgrad.session.mending.remedy import Remedy, dropping, giving
from chalkgrad.session.mending.repairs import passing
from chalkgrad.text import Text


def as_floats(case: Case) -> Iterator[Remedy]:
    """Whole numbers where PyTorch needs floating point ones."""
    id_ = case.statement.id
    if case.statement.kind is Kind.LEAF:
        yield giving(case, id_, "dtype", Dtype("float32"))
        yield dropping(case, id_, "requires_grad")
        return
    root = case.root()
    if root is not None:
        yield Remedy(Text("remedy.convert", call="float", name=case.owner(root)), passing(id_, root, "to_float"))


def matrices(case: Case) -> Iterator[Remedy]:
    """Two matrices of which one lies the wrong way, or stands in the wrong place."""
    id_ = case.statement.id
    refs = [operand for operand in case.statement.ports() if isinstance(operand, Ref)]
    shapes = [case.shape(ref) for ref in refs]
    if len(refs) != 2 or any(shape is None or len(shape) != 2 for shape in shapes):
        return
    (left, right), (rows, inner), (outer, columns) = refs, shapes[0] or (), shapes[1] or ()
    if columns == rows:
        yield Remedy(Text("remedy.swap", line=case.line(id_)), lambda sheet: rewiring.swap_inputs(sheet.program, id_))
    if inner == columns:
        yield Remedy(Text("remedy.transpose", name=case.name(right)), passing(id_, right, "t"))
    if rows == outer:
        yield Remedy(Text("remedy.transpose", name=case.name(left)), passing(id_, left, "t"))


def as_reshape(case: Case) -> Iterator[Remedy]:
    """A view that the memory does not allow."""
    old = case.statement
    if old.call == "view":
        options = tuple(("shape" if name == "size" else name, value) for name, value in old.options)
        new = replace(old, call="reshape", options=options)
        yield Remedy(Text("remedy.reshape", line=case.line(old.id)), lambda sheet: edits.put(sheet.program, new))


def one_dtype(case: Case) -> Iterator[Remedy]:
    """Two tensors of which one has another dtype: the usual one for both."""
    found = [(ref, tensor.dtype) for ref in _read(case) if (tensor := case.tensor(ref)) is not None]
    if any(dtype == "float32" for _, dtype in found):
        for ref, dtype in found:
            if dtype != "float32":
                yield from _converted(case, ref, "float")


def as_whole(case: Case) -> Iterator[Remedy]:
    """Indices or classes that are no whole numbers."""
    for ref in _read(case)[1:] or _read(case):
        if _kind(case, ref) == FLOATING:
            yield from _converted(case, ref, "long")
            return


def as_mask(case: Case) -> Iterator[Remedy]:
    """A condition or mask that does not consist of True and False."""
    place = 0 if case.statement.call == "where" else 1
    refs = _read(case)
    if place < len(refs) and _kind(case, refs[place]) != BOOLEAN:
        yield from _converted(case, refs[place], "bool")


def as_probability(case: Case) -> Iterator[Remedy]:
    """Scores where a loss takes probabilities."""
    root, id_ = case.root(), case.statement.id
    if root is not None:
        yield Remedy(Text("remedy.reduce_first", call="sigmoid", name=case.owner(root)), passing(id_, root, "sigmoid"))


def target_in_shape(case: Case) -> Iterator[Remedy]:
    """A target with as many elements as the input, and another shape."""
    refs, id_ = _read(case), case.statement.id
    given, target = (case.shape(ref) for ref in refs[:2]) if len(refs) > 1 else (None, None)
    if given is not None and target is not None and prod(given) == prod(target):
        text = Text("remedy.reshape_to", name=case.owner(refs[1]), shape=str(given))
        yield Remedy(text, passing(id_, refs[1], "reshape", ("shape", given)))


def by_rows(case: Case) -> Iterator[Remedy]:
    """A divergence that was divided by all elements."""
    yield giving(case, case.statement.id, "reduction", "batchmean")


def _read(case: Case) -> list[Ref]:
    """The tensors that the failing line works with, in order."""
    return [operand for operand in case.statement.ports() if isinstance(operand, Ref)]


def _kind(case: Case, ref: Ref) -> int | None:
    tensor = case.tensor(ref)
    return None if tensor is None else ALL_DTYPES[tensor.dtype].kind


def _converted(case: Case, ref: Ref, call: str) -> Iterator[Remedy]:
    text = Text("remedy.convert", call=call, name=case.owner(ref))
    yield Remedy(text, passing(case.statement.id, ref, f"to_{call}"))
