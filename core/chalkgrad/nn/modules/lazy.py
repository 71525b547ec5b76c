"""Layers that learn the size of their input from the first one that they get."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.dtype import int64
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, _NormBase
from chalkgrad.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    _ConvNd,
)
from chalkgrad.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from chalkgrad.nn.modules.linear import Linear
from chalkgrad.nn.uninitialized import UninitializedBuffer, UninitializedParameter, is_lazy
from chalkgrad.ops.create import tensor


class LazyModuleMixin(Module):
    """What such layers share: the first call makes the parameters and turns the layer into an ordinary one."""

    cls_to_become: type[Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _wait_for_shape(self, bias: bool, device: Any, dtype: Any) -> None:
        """Give a weight, and a bias if there is to be one, without a shape."""
        for name in ("weight", "bias") if bias else ("weight",):
            setattr(self, name, UninitializedParameter(device=device, dtype=dtype))

    def _tensors(self) -> dict[str, Any]:
        return {**self._parameters, **self._buffers}

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        for name, found in self._own_state().items():
            if found is not None:
                destination[prefix + name] = found if is_lazy(found) or keep_vars else found.detach()

    def _lazy_load_hook(self, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        """Take the shapes that a state has."""
        for name, found in self._tensors().items():
            given = state_dict.get(prefix + name)
            if given is not None and is_lazy(found) and not is_lazy(given):
                with no_grad():
                    found.materialize(given.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Make the parameters for these inputs; a subclass says how."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """True while a parameter or a buffer has no shape."""
        return any(is_lazy(found) for found in self._tensors().values())

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become


class LazyLinear(LazyModuleMixin, Linear):
    """A linear layer for whatever number of features comes."""

    cls_to_become = Linear
    weight: Any
    bias: Any

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self._wait_for_shape(bias, device, dtype)
        self.out_features = out_features

    def reset_parameters(self) -> None:
        """Draw the weights anew, once they are there."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Make weights for as many features as ``input`` has."""
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from "
                    f"self.weight: {self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]


class _LazyConvNd(LazyModuleMixin, _ConvNd):
    """Convolutions for whatever number of channels comes; they are made as those for none are."""

    weight: Any
    bias: Any

    def reset_parameters(self) -> None:
        """Draw the weights anew, once they are there."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Make weights for as many channels as ``input`` has."""
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._channels_of(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        pair = (self.in_channels, self.out_channels) if self.transposed else (self.out_channels, self.in_channels)
        self.weight.materialize((pair[0], pair[1] // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _channels_of(self, input: Tensor) -> int:
        alone = self.dimensions + 1
        if input.dim() not in (alone, alone + 1):
            raise RuntimeError(
                f"Expected {alone}D (unbatched) or {alone + 1}D (batched) input to {type(self).__name__}, but got "
                f"input of size: {input.shape}"
            )
        return input.shape[1] if input.dim() == alone + 1 else input.shape[0]


class _LazyConv(_LazyConvNd):
    """Convolutions in the usual direction."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(0, 0, *sizes, groups, False, padding_mode, device, dtype)
        self._wait_for_shape(bias, device, dtype)
        self.out_channels = out_channels


class _LazyConvTranspose(_LazyConvNd):
    """Convolutions in the direction of the gradient of one."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, output_padding)
        super().__init__(0, 0, *sizes, groups, False, dilation, padding_mode, device, dtype)
        self._wait_for_shape(bias, device, dtype)
        self.out_channels = out_channels


class LazyConv1d(_LazyConv, Conv1d):
    """A convolution of lines of any number of channels."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A convolution of images of any number of channels."""

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A convolution of volumes of any number of channels."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """A transposed convolution of lines of any number of channels."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """A transposed convolution of images of any number of channels."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """A transposed convolution of volumes of any number of channels."""

    cls_to_become = ConvTranspose3d


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """Normalisations of whatever number of channels comes."""

    weight: Any
    bias: Any

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self._wait_for_shape(bias, device, dtype)
        if track_running_stats:
            self.running_mean: Any = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var: Any = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = tensor(0, dtype=int64)

    def reset_parameters(self) -> None:
        """Start over, once the parameters are there."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Make what is needed for as many channels as ``input`` has."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for found in (self.weight, self.bias, self.running_mean, self.running_var):
            if is_lazy(found):
                found.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):
    """Batch normalisation of rows or lines of any number of channels."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):
    """Batch normalisation of images of any number of channels."""

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, BatchNorm3d):
    """Batch normalisation of volumes of any number of channels."""

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):
    """Instance normalisation of lines of any number of channels."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):
    """Instance normalisation of images of any number of channels."""

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, InstanceNorm3d):
    """Instance normalisation of volumes of any number of channels."""

    cls_to_become = InstanceNorm3d
