"""What PyTorch does with a tensor given as ``out=``, by operator: its shape, its memory, and the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.storage import is_dense, overlap_partly, overlaps_itself

OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please "
    "clone() the tensor before performing the operation."
)
PARTIAL = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)

MAY_OVERLAP = frozenset(
    {"masked_fill_number_", "masked_fill_tensor_", "threshold_", "addmm_"}
    | {"index_fill_", "index_fill_number_", "put_indexed_", "index_copy_", "index_add_", "index_reduce_"}
    | {"scatter_add_", "scatter_src_", "scatter_value_", "scatter_combined_", "scatter_combined_value_"}
    | {"scatter_reduce_", "masked_scatter_"}
)
"""What does not ask whether the tensor that it writes has an element more than once, nor what it shares, before."""

LOOKED_AT_LAST = frozenset({"cumsum_", "cumprod_", "renorm_", "logical_not_", "addmm_"})
"""What asks for the former once it has computed."""

READS_ITSELF = frozenset(
    {"logical_and_", "logical_or_", "logical_xor_", "ldexp_"}
    | {f"{name}_tensor_" for name in ("eq", "ne", "lt", "le", "gt", "ge")}
)
"""What may not, though its other operand is the tensor itself."""

READS_FIRST = frozenset({"ldexp_", "fill_tensor_"})
"""What has read its other operand before it writes."""

_UNFOLLOWED = frozenset(
    {f"bitwise_{what}" for what in ("and", "or", "xor", "left_shift", "right_shift", "not")}
    | {"gcd", "lcm", "floor_divide", "heaviside", "softmax", "log_softmax", "slice_scatter", "conj_physical"}
)
DRAWN = {"bernoulli": "bernoulli_tensor_"}
"""What draws with ``out=`` into the elements of that as they lie, with the operator that does so in place."""

COMPUTED_IN_OUT = frozenset({"sum", "prod", "cumsum", "cumprod"})
"""Those that compute in the dtype of the tensor they write even where they would have to cast to it what they read."""

WARNS = {
    **dict.fromkeys(("index_reduce", "std", "var"), "last"),
    **dict.fromkeys(("cross", "ldexp"), "never"),
    "cholesky": "twice",
}
"""When those warn of what they compute that don't do so once and before what they write gets its shape."""

REFUSED_AS = {
    **dict.fromkeys(("hstack", "vstack", "dstack", "column_stack", "row_stack", "concat", "concatenate"), "cat"),
    **dict.fromkeys(("outer", "kron", "ger", "multiply"), "mul"),
    **dict.fromkeys(("divide", "true_divide"), "div"),
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    **dict.fromkeys(("linalg_inv", "inverse"), "linalg_inv_ex"),
    **dict.fromkeys(("linalg_solve", "linalg_solve_ex"), "_linalg_solve_ex"),
    **dict.fromkeys(("linalg_svd", "linalg_svdvals"), "_linalg_svd"),
    **dict.fromkeys(("linalg_eigh", "linalg_eigvalsh"), "_linalg_eigh"),
    "absolute": "abs",
    "clip": "clamp",
    "cross": "linalg_cross",
    "fix": "trunc",
    "float_power": "pow",
    "linalg_cholesky": "linalg_cholesky_ex",
    "linalg_det": "_linalg_det",
    "linalg_matmul": "matmul",
    "linalg_multi_dot": "mm",
    "linalg_vecdot": "sum",
    "log_sigmoid": "log_sigmoid_forward",
    "msort": "sort",
    "nanmean": "nansum",
    "negative": "neg",
    "square": "pow",
    "subtract": "sub",
    "take_along_dim": "gather",
}
"""In whose name PyTorch refuses to record an operator with ``out=`` that it composes of others."""

CHECKED_FIRST = frozenset(
    {"index_select", "take", "masked_select", "scatter", "scatter_add", "scatter_reduce", "diff", "outer", "addr"}
)
"""Those that look at the memory of what they write before it gets its shape, as all do that go element by element."""

CHECKED_LATE = frozenset({"mvlgamma", "threshold"})
"""Those that do though they go element by element."""

RESIZED_FIRST = frozenset(
    {"diag", "dot", "kron", "linalg_solve_triangular", "mean", "slice_scatter", "stack", "std", "var", "vdot"}
    | {"addbmm", "logsigmoid"}
)
"""Those that give what they write its shape before they look at its dtype."""

SILENT = frozenset({"addbmm", "logsigmoid", "narrow_copy"})
"""Those that give it without a warning."""

RESIZED_BEFORE_REFUSED = frozenset({"kron"})
"""Those that give it even before they refuse to be recorded."""

COPIED = frozenset(
    {"inner", "tensordot", "linalg_norm", "linalg_matrix_norm", "linalg_cond", "linalg_matrix_rank", "nonzero", "copy_"}
    | {"quantile", "nanquantile", "linalg_pinv_rcond"}
)
"""Those whose result is made apart, with its history, and copied into what they write."""

COUNTED = {"linalg_matrix_rank": ("sum", "linalg_rank")}
"""Those of them that are not copied but counted into it, with what counts.

PyTorch gives what they write one element for each matrix, then what more tolerances make of that, and refuses one that
requires grad in the name of the first.
"""

POWERS = frozenset({"matrix_power", "linalg_matrix_power"})
"""Those that give what they write its shape first of all, and leave the rest to what computes their last step."""

AS_ROW = frozenset({"matmul", "linalg_matmul"})
"""Those that write the product of a vector and a matrix as a matrix of one row, which they squeeze."""

_CONTRACTED = frozenset({"inner", "tensordot"})
_WRONG_SHAPE = (
    "tensordot(): the 'out' tensor was specified and requires gradients, and its shape does not match the expected "
    "result. Either remove the 'out' argument, ensure it does not require gradients, or make sure its shape matches "
    "the expected output."
)


IN_SEQUENCE = frozenset({"cholesky", "cholesky_inverse", "cholesky_solve", "linalg_lstsq"})
"""Those that lay out what gets another shape row by row, however they have computed."""

BY_COLUMNS_AT_FIRST = frozenset({"cholesky_inverse"})
"""Those of them that don't where it had no elements."""

DEPRECATED_WITH_OUT = {
    "ger": "torch.ger is deprecated and will be removed in a future PyTorch release. Use torch.outer instead."
}
"""What is said of those that are deprecated with ``out=`` only."""

WRITES = {("kron", None): 0, ("nanmean", None): 2, ("svd", 2): 2}
"""How often a result is said to be written, where that is not once: by operator, and number where there are several."""

_REDUCING = frozenset(
    {"sum", "nansum", "prod", "amax", "amin", "var", "std", "norm", "linalg_vector_norm", "dot", "mv", "any", "all"}
    | {"argmax", "argmin", "cummax", "cummin", "histc", "tril", "triu", "bmm", "linalg_vecdot"}
)
"""Those that write a tensor whatever memory it shares with itself or with what they read."""

_APART = frozenset(
    {"take", "index_select", "masked_select", "cat", "stack", "hstack", "vstack", "dstack", "column_stack"}
    | {"kthvalue", "cross", "linalg_cross"}
)
"""Those that may not write what they read, not even element by element."""

_TAKING = frozenset({"gather", "take_along_dim"})
"""Those that may not write their first tensor so."""

_PUTTING = frozenset({"index_add", "index_copy", "index_reduce", "scatter", "scatter_add", "scatter_reduce"})
"""Those that may write no other than that so."""


def last_step(n: int) -> str:
    """The operator by which PyTorch writes the ``n``-th power of a matrix with ``out=``."""
    if n == -1:
        return "linalg_inv"
    repeatedly_squared = abs(n) > 2 and abs(n).bit_count() == 1
    return "copy_" if n in (0, 1) or repeatedly_squared else "matmul"


def unfollowed_as(name: str, read: Sequence[Any]) -> str | None:
    """The name in which PyTorch records ``name`` with ``out=`` by a node that refuses; None for other operators."""
    if name == "diag":
        return "diag_embed" if read[0].array.ndim == 1 else "diagonal_copy"
    return name if name in _UNFOLLOWED else None


def check_alone(target: np.ndarray, *read: Any) -> None:
    """Raise where what is written has an element more than once, or shares memory with what is read."""
    if overlaps_itself(target):
        raise RuntimeError(OVERLAP)
    check_apart(target, *read)


def check_apart(target: np.ndarray, *read: Any) -> None:
    """Raise where what is written shares memory with what is read, even element by element.

    PyTorch looks only at what lies without gaps or repetitions, unless it is the very tensor.
    """
    arrays = [array for array in read if isinstance(array, np.ndarray)]
    for array in arrays:
        if array is target or (np.may_share_memory(target, array) and is_dense(target) and is_dense(array)):
            raise RuntimeError(PARTIAL)


def check_followed_shape(name: str, result: np.ndarray, out: np.ndarray) -> None:
    """RuntimeError for what would have to be given another shape though it requires grad."""
    if name in _CONTRACTED and result.shape != out.shape:
        raise RuntimeError(_WRONG_SHAPE)


def check_memory(name: str, out: TensorBase, read: Sequence[Any], *, alone: bool = True) -> None:
    """Raise where writing ``out`` would write an element twice (if ``alone``), or one that is still to be read."""
    if name in _REDUCING:
        return
    if alone and overlaps_itself(out.array):
        raise RuntimeError(OVERLAP)
    for place, value in enumerate(read):
        apart = name in _APART or name in (_PUTTING if place else _TAKING)
        if isinstance(value, TensorBase) and _shared(out.array, value.array, apart):
            raise RuntimeError(PARTIAL)


def _shared(out: np.ndarray, read: np.ndarray, apart: bool) -> bool:
    return overlap_partly(out, read) or (apart and np.may_share_memory(out, read))
