"""What PyTorch asks of a tensor given as ``out=``, by operator: its dtype, and what memory it may share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import can_cast, dtype_of, result_type
from chalkgrad.engine.record import OPS
from chalkgrad.engine.storage import overlap_partly, overlaps_itself

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
    | {"scatter_reduce_"}
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

NOT_FOLLOWED = frozenset(
    {f"bitwise_{what}" for what in ("and", "or", "xor", "left_shift", "right_shift")} | {"gcd", "lcm"}
)
"""What PyTorch refuses to record with ``out=`` though it has no derivative."""

REFUSED_AS = {
    **dict.fromkeys(("hstack", "vstack", "dstack", "column_stack", "row_stack", "concat", "concatenate"), "cat"),
    **dict.fromkeys(("outer", "kron", "ger", "multiply"), "mul"),
    **dict.fromkeys(("divide", "true_divide"), "div"),
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    **dict.fromkeys(("linalg_inv", "inverse"), "linalg_inv_ex"),
    **dict.fromkeys(("linalg_solve", "linalg_solve_ex"), "_linalg_solve_ex"),
    **dict.fromkeys(("linalg_svd", "linalg_svdvals"), "_linalg_svd"),
    **dict.fromkeys(("linalg_eigh", "linalg_eigvalsh"), "_linalg_eigh"),
    **{
        name: f"aten::{name}"
        for name in (*NOT_FOLLOWED, "bitwise_not", "floor_divide", "heaviside", "softmax", "log_softmax")
    },
    "absolute": "abs",
    "clip": "clamp",
    "cross": "linalg_cross",
    "fix": "trunc",
    "float_power": "pow",
    "linalg_cholesky": "linalg_cholesky_ex",
    "linalg_det": "_linalg_det",
    "linalg_matmul": "matmul",
    "linalg_multi_dot": "mm",
    "log_sigmoid": "log_sigmoid_forward",
    "matrix_power": "matmul",
    "msort": "sort",
    "nanmean": "nansum",
    "negative": "neg",
    "square": "pow",
    "subtract": "sub",
    "take_along_dim": "gather",
}
"""In whose name PyTorch refuses to record an operator with ``out=`` that it composes of others."""

_CAST = "result type {result} can't be cast to the desired output type {out}"
_LDEXP = "ldexp can't be cast to the desired output type {out}"
_EXACT = "Expected out tensor to have dtype {result_cpp}, but got {out_cpp} instead"
_FOUND = "Found dtype {out} but expected {result}"
_MATCH = "Expected the dtype for input and out to match, but got {result} for input's dtype and {out} for out's dtype."
_SAME = "{name}(): self and result must have the same scalar type"
_EXPECTED = (
    "Expected {} to be true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)"
)
_CAT = "torch.cat(): input types can't be cast to the desired output type {out}"

_SEARCHED = (
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on "
    "whether out_int32 flag is True, but we got output tensor's dtype {out} and out_int32 flag is {small}"
)

_WORDS = {
    **dict.fromkeys(("searchsorted", "bucketize"), _SEARCHED),
    **dict.fromkeys(
        ("gather", "scatter", "scatter_add", "index_add", "index_copy", "argmax", "argmin", "isin"), _EXACT
    ),
    **dict.fromkeys(("diag", "norm", "softmax", "log_softmax", "bmm", "msort", "aminmax", "renorm"), _EXACT),
    **dict.fromkeys(("mm", "mv", "matmul", "addmm", "addmv", "baddbmm", "linalg_cross", "avg_pool2d"), _EXACT),
    **dict.fromkeys(("inverse", "linalg_inv", "linalg_solve", "linalg_vector_norm", "tril", "triu"), _EXACT),
    **dict.fromkeys(("take_along_dim", "slice_scatter", "scatter_reduce", "index_reduce"), _EXACT),
    **dict.fromkeys(("avg_pool3d", "matrix_power", "linalg_matmul", "argsort"), _EXACT),
    **dict.fromkeys(("cross", "linalg_det", "linalg_cholesky", "linalg_eigvalsh"), _EXACT),
    **dict.fromkeys(("linalg_lu_solve", "linalg_svdvals"), _EXACT),
    "linalg_multi_dot": "multi_dot(): expected out tensor to have dtype {result_cpp} but got {out_cpp}",
    "linalg_vecdot": "linalg.vecdot: Expected out of dtype{result} but found {out}",
    "lerp": _FOUND,
    "narrow_copy": _EXPECTED.format("self.dtype() == output.dtype()"),
    **dict.fromkeys(("clamp", "round", "ceil", "floor", "trunc", "frac", "neg", "abs", "sign", "sgn"), _FOUND),
    **dict.fromkeys(("hardshrink", "softshrink", "gelu", "softplus", "bitwise_not", "clamp_min", "clamp_max"), _FOUND),
    **dict.fromkeys(("logsigmoid", "linalg_solve_triangular"), "expected scalar type {result} but found {out}"),
    **dict.fromkeys(("dot", "vdot"), "result dtype {out} does not match input dtype {result}"),
    **dict.fromkeys(("isposinf", "isneginf", "signbit"), "{name} does not support non-boolean outputs."),
    **dict.fromkeys(("any", "all"), "{name} only supports bool tensor for result, got: {out}"),
    "addbmm": "self and mat2 must have the same dtype, but got {out} and {result}",
    "float_power": "the output given to float_power has dtype {out} but the operation's result requires dtype {result}",
    "heaviside": "heaviside is not yet implemented for tensors with different dtypes.",
    "histc": (
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {result_cpp} and hist "
        "{out_cpp}"
    ),
    **dict.fromkeys(
        ("inner", "tensordot"),
        "tensordot: Expected the output tensor to have dtype {result}, but got an output tensor with dtype {out}",
    ),
    "linalg_matrix_norm": "linalg.matrix_norm expected out tensor dtype {result} but got: {out}",
    "linalg_norm": "linalg.norm expected out tensor dtype {result} but got: {out}",
    "nan_to_num": "nan_to_num: dtype of out: {out} should be same as input: {result}",
    **dict.fromkeys(("amax", "amin"), _MATCH),
    **dict.fromkeys(("index_select", "masked_select"), _SAME),
    "where": "Expected out type to be {result} but got {out}",
    "take": "take(): self and out expected to have the same dtype, but got self.dtype = {result} and out.dtype = {out}",
    "multinomial": "multinomial expects {result} tensor out, got: {out}",
    "nonzero": "nonzero: Expected out tensor to have scalar type Long but got scalar type{out}",
    "quantile": "quantile() out tensor must be same dtype as the input tensor",
    "nanquantile": "quantile() out tensor must be same dtype as the input tensor",
    "logcumsumexp": "expected scalar_type {result} but found {out}",
    "logsumexp": "logsumexp(): Expected floating point type for result tensor, but got: {out}",
}
"""What is said where the dtype must be that of the result."""

_SAFELY = "{name}: Expected result to be safely castable from {result} dtype, but got result with dtype {out}"
_CAN_CAST = _EXPECTED.format("canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype()))")
_CAST_WORDS = {
    **dict.fromkeys(("max", "min"), _CAN_CAST),
    "ldexp": _LDEXP,
    **dict.fromkeys(("cholesky", "cholesky_inverse", "cholesky_solve", "matrix_power"), _SAFELY),
    "linalg_cond": _SAFELY.replace("{name}", "linalg.cond"),
    "linalg_matrix_rank": _SAFELY.replace("{name}", "torch.linalg.matrix_rank"),
    "linalg_pinv": _SAFELY.replace("{name}", "linalg.pinv"),
    "mvlgamma": "mvlgamma: result type {result} can't be cast to the desired output type {result}",
    "diag": "diag: result type {result} can't be cast to the desired out= type {out}",
}
"""What is said where it can't even be cast to that."""

_CASTING_COUNTS = {"clamp": 3, "clamp_min": 2, "clamp_max": 2, "lerp": 2}
"""Of so many tensors they cast what comes of them after all."""

JOINING = frozenset({"cat", "stack", "hstack", "vstack", "dstack", "column_stack"})
"""Those that make one tensor of several."""

CHECKED_FIRST = frozenset({"index_select", "take", "masked_select", "scatter"})
"""Those that look at the memory of what they write before it gets its shape, as all do that go element by element."""

RESIZED_FIRST = frozenset(
    {"diag", "dot", "kron", "linalg_solve_triangular", "mean", "slice_scatter", "stack", "std", "var", "vdot"}
    | {"addbmm", "logsigmoid", "matrix_power"}
)
"""Those that give what they write its shape before they look at its dtype."""

SILENT = frozenset({"addbmm", "logsigmoid", "narrow_copy"})
"""Those that give it without a warning."""

RESIZED_BEFORE_REFUSED = frozenset({"kron"})
"""Those that give it even before they refuse to be recorded."""

COPIED = frozenset(
    {"inner", "tensordot", "linalg_norm", "linalg_matrix_norm", "linalg_cond", "linalg_matrix_rank", "nonzero"}
)
"""Those whose result is made apart, with its history, and copied into what they write."""

COUNTED = {"linalg_matrix_rank": ("sum", "linalg_rank")}
"""Those of them that are not copied but counted into it, with what counts.

PyTorch gives what they write one element for each matrix, then what more tolerances make of that, and refuses one that
requires grad in the name of the first.
"""

_CONTRACTED = frozenset({"inner", "tensordot"})
_WRONG_SHAPE = (
    "tensordot(): the 'out' tensor was specified and requires gradients, and its shape does not match the expected "
    "result. Either remove the 'out' argument, ensure it does not require gradients, or make sure its shape matches "
    "the expected output."
)


IN_SEQUENCE = frozenset({"cholesky_inverse", "cholesky_solve", "linalg_matrix_power", "matrix_power"})
"""Those that lay out what gets another shape row by row, however they have computed."""

DEPRECATED_WITH_OUT = {
    "ger": "torch.ger is deprecated and will be removed in a future PyTorch release. Use torch.outer instead."
}
"""What is said of those that are deprecated with ``out=`` only."""

WRITES = {"kron": 0, "nanmean": 2}
"""How often what is written is said to be, where that is not once."""

_CASTING = frozenset({"threshold", "diff", "outer", "clamp_min", "clamp_max", "ldexp"})
"""Those that cast what they have computed element by element though their records don't tell."""

_COMPARING = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
"""Those that compute in the dtype of what they compare if they write no bools."""

_OWN_CAST = frozenset({"floor_divide", "logit", "mvlgamma"})
"""Those that compute in the dtype of what they write."""

_ANY_DTYPE = frozenset({"sum", "nansum", "nanmean", "prod", "cumsum", "cumprod", "bernoulli"})
"""Those that compute in the dtype of the tensor they write."""

_REDUCING = frozenset({"sum", "nansum", "prod", "amax", "amin", "mean", "var", "std", "norm", "logsumexp", "dot", "mv"})
"""Those that write a tensor whatever memory it shares with itself or with what they read."""

_APART = frozenset(
    {"gather", "take", "index_select", "masked_select", "cat", "stack", "hstack", "vstack", "dstack", "column_stack"}
    | {"index_add", "scatter_add", "index_copy", "kthvalue"}
)
"""Those that may not write what they read, not even element by element."""


def check_cast(name: str, result: TensorBase, out: TensorBase) -> None:
    """Raise where operator ``name`` says first of all that ``result`` can't be cast to the dtype of ``out``."""
    given, wanted = dtype_of(result.array), dtype_of(out.array)
    if name in ("diag", "matrix_power") and not can_cast(given, wanted):
        raise RuntimeError(_CAST_WORDS[name].format(name=name, result=given.scalar_type, out=wanted.scalar_type))


def check_dtype(name: str, result: TensorBase, out: TensorBase, read: Sequence[Any]) -> None:
    """Raise unless operator ``name`` may write ``result``, of what it ``read``, in the dtype of ``out``."""
    given, wanted = dtype_of(result.array), dtype_of(out.array)
    words = _WORDS.get(name)
    if given is wanted or name in _ANY_DTYPE:
        return
    tensors = len([x for x in read if isinstance(x, TensorBase)])
    if tensors == _CASTING_COUNTS.get(name):
        words = None
    if words is None or (name == "logsumexp" and wanted.is_floating_point):
        if can_cast(given, wanted):
            return
        words = _CAT if name in JOINING else _CAST_WORDS.get(name, _CAST)
        if words is _CAN_CAST and tensors == 2:  # the larger of two tensors, not of all elements
            words = _CAST
    text = words.format(
        name=name,
        result=given.scalar_type,
        out=wanted.scalar_type,
        result_cpp=given.cpp,
        out_cpp=wanted.cpp,
        small=given.scalar_type == "Int",
    )
    raise (TypeError if words is _CAT else RuntimeError)(text)


def check_kernel(name: str, result: TensorBase, out: TensorBase) -> None:
    """Raise where what operator ``name`` computes in the dtype of ``out`` has no kernel for that."""
    if name in ("nansum", "nanmean") and result.array.dtype.kind == "f" != out.array.dtype.kind:
        raise NotImplementedError(f"\"nansum_cpu\" not implemented for '{dtype_of(out.array).scalar_type}'")
    if name in ("cumsum", "cumprod") and out.array.dtype.kind == "b":
        raise NotImplementedError(f"\"{name}_out_cpu\" not implemented for 'Bool'")


def casts(name: str, result: TensorBase, out: TensorBase, read: Sequence[Any]) -> bool:
    """True where PyTorch computes element by element, and casts what comes of it on the way into ``out``."""
    record = OPS[name]
    if name in _COMPARING:
        computed = result_type(x.array if isinstance(x, TensorBase) else x for x in read)
        return out.array.dtype.kind != "b" and computed is not dtype_of(out.array)
    if name in _OWN_CAST or (record.section == "compare" and result.array.dtype.kind == "b"):
        return False
    follows = (record.follows_layout and record.promotes != "none") or name in _CASTING
    return follows and result.array.dtype != out.array.dtype


def check_alone(target: np.ndarray, *read: Any) -> None:
    """Raise where what is written has an element more than once, or shares memory with what is read."""
    if overlaps_itself(target):
        raise RuntimeError(OVERLAP)
    check_apart(target, *read)


def check_apart(target: np.ndarray, *read: Any) -> None:
    """Raise where what is written shares memory with what is read, even element by element."""
    arrays = [array for array in read if isinstance(array, np.ndarray)]
    if any(array is target or np.may_share_memory(target, array) for array in arrays):
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
    for value in read:
        if isinstance(value, TensorBase) and _shared(name, out.array, value.array):
            raise RuntimeError(PARTIAL)


def _shared(name: str, out: np.ndarray, read: np.ndarray) -> bool:
    return overlap_partly(out, read) or (name in _APART and np.may_share_memory(out, read))
