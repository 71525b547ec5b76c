"""The face: ``from chalkgrad import torch``, on which a script written for PyTorch runs unchanged.

Functions come from the operator table; what is not offered is absent, and asking for it raises what PyTorch raises for
a name it doesn't know, with the reason where a whole part of PyTorch is left out.
"""

# ruff: noqa: F401

import math as _math
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled
from chalkgrad.engine.device import Device as device  # noqa: N813
from chalkgrad.engine.device import Layout as layout  # noqa: N813
from chalkgrad.engine.device import MemoryFormat as memory_format  # noqa: N813
from chalkgrad.engine.device import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
    sparse_coo,
    strided,
)
from chalkgrad.engine.dtype import ALL_DTYPES as _ALL_DTYPES
from chalkgrad.engine.dtype import DType as _DType
from chalkgrad.engine.dtype import get_default_dtype, set_default_dtype
from chalkgrad.engine.generator import Generator, default_generator, initial_seed, manual_seed, seed
from chalkgrad.engine.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from chalkgrad.engine.printing import set_printoptions
from chalkgrad.engine.size import Size
from chalkgrad.engine.storages import TypedStorage, UntypedStorage
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.create import (
    as_tensor,
    asarray,
    empty,
    empty_like,
    empty_strided,
    eye,
    from_numpy,
    frombuffer,
    full,
    full_like,
    ones,
    ones_like,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)
from chalkgrad.ops.distinct import unique, unique_consecutive
from chalkgrad.ops.drawing import normal
from chalkgrad.ops.norms import norm
from chalkgrad.ops.random import rand, rand_like, randint, randint_like, randn, randn_like, randperm
from chalkgrad.ops.ranges import arange, linspace, logspace, range, tril_indices, triu_indices  # noqa: A004
from chalkgrad.torch import functional, random, serialization, version
from chalkgrad.torch import records as _records
from chalkgrad.torch.functional import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block_diag,
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    cdist,
    chain_matmul,
    einsum,
    gradient,
    meshgrid,
    split,
    tensordot,
    unravel_index,
)
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.functions import operators as _operators
from chalkgrad.torch.layers import (
    adaptive_avg_pool1d,
    affine_grid_generator,
    alpha_dropout,
    avg_pool1d,
    bilinear,
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    cosine_similarity,
    ctc_loss,
    dropout,
    dropout_,
    embedding_bag,
    feature_alpha_dropout,
    feature_dropout,
    grid_sampler,
    grid_sampler_2d,
    grid_sampler_3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    native_batch_norm,
    native_layer_norm,
    pairwise_distance,
    rms_norm,
)
from chalkgrad.torch.questions import (
    allclose,
    can_cast,
    equal,
    get_device,
    imag,
    is_complex,
    is_conj,
    is_floating_point,
    is_neg,
    is_nonzero,
    is_same_size,
    is_signed,
    is_storage,
    is_tensor,
    numel,
    promote_types,
    resize_as_,
    result_type,
    typename,
)
from chalkgrad.torch.random import get_rng_state, set_rng_state
from chalkgrad.torch.serialization import load, save
from chalkgrad.torch.settings import (
    are_deterministic_algorithms_enabled,
    get_default_device,
    get_float32_matmul_precision,
    get_num_interop_threads,
    get_num_threads,
    is_deterministic_algorithms_warn_only_enabled,
    is_warn_always_enabled,
    set_default_device,
    set_float32_matmul_precision,
    set_flush_denormal,
    set_num_interop_threads,
    set_num_threads,
    set_warn_always,
    use_deterministic_algorithms,
)
from chalkgrad.torch.typed import finfo, iinfo, set_default_tensor_type
from chalkgrad.torch.typed import tensor_types as _tensor_types

__version__ = "2.13.0"

globals().update({name: made for name, made in _operators("torch").items() if name not in globals()})
globals().update(_tensor_types())

globals().update(_ALL_DTYPES)
globals().update(
    {
        name: _ALL_DTYPES[meaning]
        for name, meaning in (
            ("float", "float32"),
            ("double", "float64"),
            ("half", "float16"),
            ("short", "int16"),
            ("int", "int32"),
            ("long", "int64"),
            ("cfloat", "complex64"),
            ("cdouble", "complex128"),
            ("chalf", "complex32"),
        )
    }
)
dtype = _DType

inf, nan = _math.inf, _math.nan
pi, e = _math.pi, _math.e
newaxis = None

_LATE = (
    *("_C", "accelerator", "autograd", "backends", "cuda", "distributions", "func", "linalg", "mps", "nn"),
    *("optim", "special", "testing", "utils", "xpu"),
)
"""Modules imported when first asked for: nothing else here needs them."""

_LATE_FUNCTIONS = {"pca_lowrank": "_lowrank", "svd_lowrank": "_lowrank", "vmap": "func"}
"""Functions of such modules that are here too."""

__all__ = sorted({*(name for name in globals() if not name.startswith("_")), *_LATE[1:], *_LATE_FUNCTIONS})


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, *_LATE_FUNCTIONS})


if _TYPE_CHECKING:
    from chalkgrad.torch import (
        _C,
        accelerator,
        autograd,
        backends,
        cuda,
        linalg,
        mps,
        nn,
        optim,
        special,
        testing,
        utils,
        xpu,
    )

    def __getattr__(name: str) -> _Any: ...

else:

    def __getattr__(name: str) -> _Any:
        if name in _LATE:
            return _import_module(f"chalkgrad.torch.{name}")
        if name in _LATE_FUNCTIONS:
            return getattr(_import_module(f"chalkgrad.torch.{_LATE_FUNCTIONS[name]}"), name)
        return _absent("torch")(name)
