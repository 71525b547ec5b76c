"""The derivatives of a convolution's derivatives, which are convolutions again."""

from __future__ import annotations

from typing import Any

from chalkgrad.ops.windows import Sizes, expanded


def double_backward(
    o: Any,
    g: Any,
    grad_output: Any,
    input: Any,
    weight: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    output_padding: Any,
    groups: Any,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """The derivatives of these three, by the gradient, by what is convolved and by the weight.

    Each is made of convolutions, as in PyTorch.
    """
    of_input, of_weight, of_bias = g
    dims = len(weight.shape) - 2
    stride, padding = expanded(stride, dims), expanded(padding, dims)
    dilation, output_padding = expanded(dilation, dims), expanded(output_padding, dims)
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    by_grad, by_input, by_weight = None, None, None
    if grad_input_mask[0]:
        by_grad = None if of_input is None else o.convolution_native(of_input, weight, None, *settings)
        if of_weight is not None:
            by_grad = _added(o, by_grad, o.convolution_native(input, of_weight, None, *settings))
        if of_bias is not None:
            by_grad = _added(o, by_grad, _along_channels(o, of_bias, tuple(grad_output.shape)))
    if grad_input_mask[2] and of_input is not None and 0 not in input.shape:
        by_weight = _weight_again(o, grad_output, of_input, weight, *settings)
    if grad_input_mask[1] and of_weight is not None and 0 not in input.shape:
        by_input = _input_again(o, grad_output, input, of_weight, *settings)
    return by_grad, by_input, by_weight


def _weight_again(
    o: Any,
    grad_output: Any,
    of_input: Any,
    weight: Any,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Any:
    """The derivative by the weight: a convolution that adds up over the batch; what steps were, gaps are, and back."""
    wide, narrow = o.transpose(grad_output, 0, 1), o.transpose(of_input, 0, 1)
    settings = (dilation, padding, stride, False, output_padding, 1)
    made = []
    for group in range(groups):
        image, kernel = (_share(o, part, groups, group) for part in (narrow, wide))
        image, kernel = (kernel, image) if transposed else (image, kernel)
        made.append(o.convolution_native(image, kernel, None, *settings))
    found = o.transpose(made[0] if groups == 1 else o.cat(made, 1), 0, 1)
    return _cut(o, found, tuple(weight.shape))


def _input_again(
    o: Any,
    grad_output: Any,
    input: Any,
    of_weight: Any,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Any:
    """The derivative by what is convolved: the convolution the other way around."""
    if transposed:
        found = o.convolution_native(
            grad_output, of_weight, None, stride, padding, dilation, False, output_padding, groups
        )
        return _cut(o, found, tuple(input.shape))
    sides = zip(of_weight.shape[2:], grad_output.shape[2:], stride, padding, dilation, strict=True)
    reached = [(reach - 1) * gap - 2 * pad + step * (count - 1) + 1 for reach, count, step, pad, gap in sides]
    rest = tuple(
        size - end if size != end else more
        for size, end, more in zip(input.shape[2:], reached, output_padding, strict=True)
    )
    return o.convolution_native(grad_output, of_weight, None, stride, padding, dilation, True, rest, groups)


def _share(o: Any, whole: Any, groups: int, group: int) -> Any:
    """The channels of one group."""
    size = whole.shape[0] // groups
    return whole if groups == 1 else o.slice(whole, 0, size * group, size * (group + 1), 1)


def _cut(o: Any, found: Any, sizes: Sizes) -> Any:
    """``found`` without what reaches beyond ``sizes``."""
    for axis in range(2, len(sizes)):
        if found.shape[axis] > sizes[axis]:
            found = o.slice(found, axis, 0, sizes[axis], 1)
    return found


def _along_channels(o: Any, values: Any, sizes: Sizes) -> Any:
    return o.expand(o.view(values, (1, -1, *[1] * (len(sizes) - 2))), sizes)


def _added(o: Any, total: Any, part: Any) -> Any:
    """``part``, added to what there is."""
    return part if total is None else o.add(total, part)
