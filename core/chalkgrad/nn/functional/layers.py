"""What layers compute: products, convolutions, padding, dropout."""

from __future__ import annotations

import math
import warnings
from typing import Any

from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.outputs import check_out, write_out
from chalkgrad.engine.reading import Check
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator, reads
from chalkgrad.ops.padding import pad as _pad
from chalkgrad.ops.windows import Sizes

conv1d = operator("conv1d")
conv2d = operator("conv2d")
conv3d = operator("conv3d")
conv_transpose1d = operator("conv_transpose1d")
conv_transpose2d = operator("conv_transpose2d")
conv_transpose3d = operator("conv_transpose3d")
_DROPPING = {
    name: reads(f"{name}(Tensor input, float p, bool train)")
    for kind in ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout")
    for name in (kind, f"{kind}_")
}
_BILINEAR = Parser.of("bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)")
_check_linear = Check(Parser.of("linear(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor out=None)"))


def linear(*args: Any, **kwargs: Any) -> Tensor:
    """``input @ weight.T + bias``; the steps are made in PyTorch's order, which a backward goes back."""
    if kwargs:
        given = _check_linear.parser.parse(args, kwargs)[1]
        read = given["input"], given["weight"], given.get("bias")
        out: Tensor | None = given.get("out")
        if out is None:
            return _linear(*read)
        check_out("linear", (*read, out))
        write_out(_linear(*read), out, "addmm", read)
        return out
    _check_linear(*args)
    return _linear(*args)


def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    shape = input.array.shape
    if not shape or not weight.array.ndim:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {len(shape)}D and {weight.array.ndim}D"
        )
    if bias is None:
        result: Tensor = TENSORS.matmul(input, TENSORS.t(weight))
    elif len(shape) == 2:
        result = TENSORS.addmm(bias, input, TENSORS.t(weight))
    elif input.array.flags.c_contiguous and _is_row(bias):
        flat = TENSORS.addmm(bias, TENSORS.view(input, (math.prod(shape[:-1]), shape[-1])), TENSORS.t(weight))
        result = TENSORS.view(flat, (*shape[:-1], flat.array.shape[1]))
    else:
        result = TENSORS.add_(TENSORS.matmul(input, TENSORS.t(weight)), bias)
    return result


def _is_row(bias: Tensor) -> bool:
    """True for a bias that PyTorch adds in one go with the product of more or less than two dimensions."""
    sizes = bias.array.shape
    return len(sizes) == 1 or sum(size != 1 for size in sizes) == 1


def bilinear(*args: Any, **kwargs: Any) -> Tensor:
    """``input1 @ weight[k] @ input2`` for each ``k``, plus the bias."""
    return _bilinear(**_BILINEAR.parse(args, kwargs)[1])


def _bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    _check_dtypes({"input1": input1, "input2": input2, "weight": weight, "bias": bias})
    _check_bilinear(input1.array.shape, input2.array.shape, weight.array.shape, bias)
    left, right = (TENSORS.reshape(x, (math.prod(x.array.shape[:-1]), x.array.shape[-1])) for x in (input1, input2))
    rows = TENSORS._trilinear(left, weight, right, (1, 3), (0,), (1, 2), (2, 3))
    result: Tensor = TENSORS.reshape(rows, (*input1.array.shape[:-1], weight.array.shape[0]))
    return result if bias is None else result + bias


def _check_dtypes(given: dict[str, Tensor | None]) -> None:
    found = {title: dtype_of(tensor.array).cpp for title, tensor in given.items() if tensor is not None}
    if len(set(found.values())) > 1:
        told = ", ".join(f"{title}: {name}" for title, name in found.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {told}")


def _check_bilinear(first: Sizes, second: Sizes, weight: Sizes, bias: Tensor | None) -> None:
    if len(first) != len(second):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(first)} and {len(second)}")
    for dim, (one, other) in enumerate(zip(first[:-1], second[:-1], strict=True)):
        if one != other:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {dim}: got {one} and {other}")
    for number, size in enumerate((size_at(first, -1), size_at(second, -1)), 1):
        if size != (wanted := size_at(weight, number)):
            raise RuntimeError(
                f"bilinear(): input{number} size does not match weight size: got {size} but expected {wanted}"
            )
    if bias is not None and (size := size_at(bias.array.shape, 0)) != weight[0]:
        raise RuntimeError(f"bilinear(): bias size does not match weight size: got {size} but expected {weight[0]}")


_PAD = reads('pad(Tensor input, SymInt[] pad, str mode="constant", float? value=None)')


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The input framed: constant, mirrored, continued, or wrapped around."""
    result: Tensor = _pad(TENSORS, *_PAD(input, pad, mode, value))
    return result


# Dropout


def _check_chance(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _read(name: str, input: Any, p: Any, training: Any, inplace: Any) -> tuple[Tensor, float, bool]:
    """Arguments of a dropout as PyTorch reads them."""
    given: tuple[Tensor, float, bool] = _DROPPING[f"{name}_" if inplace else name](input, p, training)
    if not 0 <= given[1] <= 1:  # a nan
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {given[1]}")
    return given


def _places(input: Tensor, features: bool) -> Sizes:
    """For which sizes it is drawn what is dropped: each element, or each channel."""
    shape: Sizes = input.array.shape
    if not features:
        return shape
    if len(shape) < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return (*shape[:2], *[1] * (len(shape) - 2))


def _drop(input: Tensor, p: float, training: bool, inplace: bool, features: bool = False) -> Tensor:
    """The input times a mask of zeros and 1 / (1 - p), one draw for each element or each channel."""
    input, p, training = _read("feature_dropout" if features else "dropout", input, p, training, inplace)
    if p == 0 or not training or not input.array.size:
        return input
    if p == 1:
        mask = TENSORS.zeros_of(input.detach(), ())
    else:
        places = _places(input, features)
        mask = TENSORS.bernoulli_(TENSORS.zeros_of(input.detach(), places), 1 - p).div_(1 - p)
    return input.mul_(mask) if inplace else input * mask


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Each element is made 0 with chance ``p``, and the others larger so that the mean stays."""
    _check_chance(p)
    return _drop(input, p, training, inplace)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of lines are made 0."""
    _check_chance(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. Note that dropout1d exists to "
            "provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional "
            "batch dimension (i.e. 2D or 3D inputs)."
        )
    if input.ndim == 3:
        return _drop(input, p, training, inplace, True)
    whole = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    found = _drop(whole, p, training, inplace, True)
    return found.squeeze_(0) if inplace else found.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of images are made 0."""
    _check_chance(p)
    _warn_of_dimensions("dropout2d", 2, input.dim())
    if input.ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired "
            "- input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a "
            "future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain "
            "the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return _drop(input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of volumes are made 0."""
    _check_chance(p)
    _warn_of_dimensions("dropout3d", 3, input.dim())
    if input.ndim == 5:
        return _drop(input, p, training, inplace, True)
    whole = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    found = _drop(whole, p, training, inplace, True)
    return found.squeeze_(0) if inplace else found.squeeze(0)


def _warn_of_dimensions(name: str, spatial: int, dims: int) -> None:
    if dims not in (spatial + 1, spatial + 2):
        warnings.warn(
            f"{name}: Received a {dims}-D input to {name}, which is deprecated and will result in an error in a future "
            "release. To retain the behavior and silence this warning, please use dropout instead. Note that "
            f"{name} exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel "
            f"dimension, and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs).",
            stacklevel=3,
        )


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps mean and variance behind SELU."""
    _check_chance(p)
    return _alpha(input, p, training, inplace, False)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """The same for whole channels."""
    _check_chance(p)
    return _alpha(input, p, training, inplace, True)


def _alpha(input: Tensor, p: float, training: bool, inplace: bool, features: bool) -> Tensor:
    input, p, training = _read("feature_alpha_dropout" if features else "alpha_dropout", input, p, training, inplace)
    if p == 0 or not training or not input.array.size:
        return input
    if p == 1:
        return _drop(input, p, training, inplace)
    alpha = 1.7580993408473766
    a = 1.0 / math.sqrt((alpha * alpha * p + 1) * (1 - p))
    mask = TENSORS.bernoulli_(TENSORS.zeros_of(input.detach(), _places(input, features)), 1 - p)
    shift = (mask - 1).mul_(alpha * a).add_(alpha * a * p)
    mask.mul_(a)
    return input.mul_(mask).add_(shift) if inplace else (input * mask).add_(shift)
