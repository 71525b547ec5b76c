"""What PyTorch asks of the dtype of a tensor given as ``out=``, by operator, and in which words it refuses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, can_cast, dtype_of, result_type, uint8
from chalkgrad.engine.record import OPS

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
    **dict.fromkeys(("avg_pool3d", "linalg_matmul", "argsort"), _EXACT),
    **dict.fromkeys(("cross", "linalg_det", "linalg_cholesky", "linalg_eigvalsh"), _EXACT),
    **dict.fromkeys(("linalg_lu_solve", "linalg_svdvals"), _EXACT),
    "linalg_multi_dot": "multi_dot(): expected out tensor to have dtype {result_cpp} but got {out_cpp}",
    "linalg_vecdot": "linalg.vecdot: Expected out of dtype{result} but found {out}",
    "lerp": _FOUND,
    "narrow_copy": _EXPECTED.format("self.dtype() == output.dtype()"),
    **dict.fromkeys(("clamp", "round", "ceil", "floor", "trunc", "frac", "neg", "abs", "sign", "sgn"), _FOUND),
    **dict.fromkeys(
        ("hardshrink", "softshrink", "gelu", "softplus", "bitwise_not", "clamp_min", "clamp_max", "conj_physical"),
        _FOUND,
    ),
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

_CHECKED = "(while checking arguments for median)"
_VALUES = (
    "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type {out_type} does not "
    f"equal {{result_type}} {_CHECKED}"
)
_INDICES = (
    f"Expected tensor for argument #1 'indices' to have scalar type Long; but got {{out_type}} instead {_CHECKED}"
)
_MODE = "expected scalar type '{result}' but got '{out}' for "
_EACH_WORDS = {
    **dict.fromkeys(("cummax", "cummin"), ("expected scalar_type {result} but found {out}",) * 2),
    **dict.fromkeys(("median", "nanmedian"), (_VALUES, _INDICES)),
    "kthvalue": ("output values must be of same type as input", "output indices must be of scalar type Long"),
    "mode": tuple(
        f"expected scalar type '{{result}}' but got '{{out}}' for {each} output" for each in ("values", "indices")
    ),
}
"""What is said of each result of those with two, where it is not :data:`_EXACT`."""

_SAFELY = "{name}: Expected {each} to be safely castable from {result} dtype, but got {each} with dtype {out}"
_CAN_CAST = _EXPECTED.format("canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype()))")
_CAST_WORDS: dict[Any, str] = {
    **dict.fromkeys(("max", "min"), _CAN_CAST),
    "ldexp": _LDEXP,
    **dict.fromkeys(("cholesky", "cholesky_inverse", "cholesky_solve", "matrix_power"), _SAFELY),
    "linalg_cond": _SAFELY.replace("{name}", "linalg.cond"),
    "linalg_matrix_rank": _SAFELY.replace("{name}", "torch.linalg.matrix_rank"),
    **dict.fromkeys(("linalg_pinv", "linalg_pinv_rcond"), _SAFELY.replace("{name}", "linalg.pinv")),
    **{
        ("linalg_lstsq", number): _SAFELY.format(name="torch.linalg.lstsq", each=each, result="{result}", out="{out}")
        for number, each in enumerate(("solution", "solution", "rank", "singular_values"))
    },
    "mvlgamma": "mvlgamma: result type {result} can't be cast to the desired output type {result}",
    "diag": "diag: result type {result} can't be cast to the desired out= type {out}",
}
"""What is said where it can't even be cast to that."""

_OF_BYTES = frozenset({"any", "all"})
"""Those that may write bytes for bools."""

_CASTING_COUNTS = {"clamp": 3, "clamp_min": 2, "clamp_max": 2, "lerp": 2}
"""Of so many tensors they cast what comes of them after all."""

_CASTING_EACH = frozenset({"linalg_lstsq"})
"""Those with several results that are not as strict about their dtypes, or in words of their own."""

JOINING = frozenset({"cat", "stack", "hstack", "vstack", "dstack", "column_stack"})
"""Those that make one tensor of several."""

_CASTING = frozenset({"threshold", "diff", "outer", "clamp_min", "clamp_max", "ldexp"})
"""Those that cast what they have computed element by element though their records don't tell."""

_COMPARING = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
"""Those that compute in the dtype of what they compare if they write no bools."""

_OWN_CAST = frozenset({"floor_divide", "logit", "mvlgamma"})
"""Those that compute in the dtype of what they write."""

_ANY_DTYPE = frozenset({"sum", "nansum", "nanmean", "prod", "cumsum", "cumprod", "bernoulli"})
"""Those that compute in the dtype of the tensor they write."""


def check_cast(name: str, result: TensorBase, out: TensorBase) -> None:
    """Raise where operator ``name`` says first of all that ``result`` can't be cast to the dtype of ``out``."""
    given, wanted = dtype_of(result.array), dtype_of(out.array)
    if name in ("diag", "matrix_power") and not can_cast(given, wanted):
        raise RuntimeError(
            _CAST_WORDS[name].format(name=name, each="result", result=given.scalar_type, out=wanted.scalar_type)
        )


def check_dtype(name: str, result: TensorBase, out: TensorBase, read: Sequence[Any], number: int | None) -> None:
    """Raise unless operator ``name`` may write ``result``, of what it ``read``, in the dtype of ``out``.

    ``number`` is that of the result where there are several.
    """
    given, wanted = dtype_of(result.array), dtype_of(out.array)
    words = _WORDS.get(name)
    if number is not None and name not in _CASTING_EACH:
        words = _EACH_WORDS[name][number] if name in _EACH_WORDS else _EXACT
    if given is wanted or name in _ANY_DTYPE or (name in _OF_BYTES and wanted is uint8):
        return
    tensors = len([x for x in read if isinstance(x, TensorBase)])
    if tensors == _CASTING_COUNTS.get(name):
        words = None
    if words is None or (name == "logsumexp" and wanted.is_floating_point):
        if can_cast(given, wanted):
            return
        words = _CAT if name in JOINING else _CAST_WORDS.get(name if number is None else (name, number), _CAST)
        if words is _CAN_CAST and tensors == 2:  # the larger of two tensors, not of all elements
            words = _CAST
    text = words.format(
        name=name,
        result=given.scalar_type,
        out=wanted.scalar_type,
        result_cpp=given.cpp,
        out_cpp=wanted.cpp,
        small=given.scalar_type == "Int",
        each="result",
        result_type=_tensor_type(given),
        out_type=_tensor_type(wanted),
    )
    raise (TypeError if words is _CAT else RuntimeError)(text)


def _tensor_type(dtype: DType) -> str:
    """The class that tensors of ``dtype`` once had."""
    return "CPUBoolType" if dtype.scalar_type == "Bool" else f"torch.{dtype.scalar_type}Tensor"


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
