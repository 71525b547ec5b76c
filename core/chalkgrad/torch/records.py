"""PyTorch's functions that are written in Python, as records: found, drawn, read and written like others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import modes
from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.nn import functional as F  # noqa: N812  as everybody calls it
from chalkgrad.ops.samples import M23, V2, V3, matrix, vector
from chalkgrad.ops.slopes import (
    Varying,
    of_attention,
    of_cross_entropy,
    of_dropout,
    of_kl_div,
    of_loss,
    of_normalize,
    of_pad,
    of_smooth_l1,
)
from chalkgrad.torch.functional import meshgrid

Function = Callable[..., Any]
Shape = tuple[int, ...]

REDUCTION = Attribute("reduction", "choice", "mean", positional=False, choices=("mean", "sum", "none"))
CLASSES = np.array([2, 0])
WEIGHT = matrix((0.5, -1.0, 2.0), (1.5, 0.25, -0.75))
OTHER = matrix((0.1, -0.4, 2.7), (1.9, 0.05, -1.35))
PARTS = matrix((0.2, 0.7, 0.4), (0.9, 0.3, 0.6))
TARGETS = matrix((0.1, 0.8, 0.5), (0.9, 0.3, 0.25))
IMAGE = np.sin(np.arange(12.0)).reshape(1, 1, 3, 4)
PLACES = np.array([[[[-0.51, 0.32], [0.13, -0.78]], [[0.66, 0.41], [-0.22, 0.09]]]])
_OLD = "bool? size_average=None, bool? reduce=None"


def _on_arrays(function: Function) -> Function:
    """``function`` on arrays instead of tensors."""

    def forward(*values: Any, **attributes: Any) -> Any:
        with modes.no_grad():
            found = function(*[_tensor(value) for value in values], **attributes)
        return tuple(one.array for one in found) if isinstance(found, tuple) else found.array

    return forward


def _tensor(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_tensor(member) for member in value]
    return new_tensor(value) if isinstance(value, np.ndarray) else value


def _function(
    name: str, inputs: tuple[str, ...], signature: str, latex: str, shape: Function, samples: Any, **fields: Any
) -> None:
    """The record of ``torch.nn.functional.<name>``; its last inputs are optional where ``optional`` says so."""
    function: Function = getattr(F, name)
    register(
        Record(
            name=name,
            inputs=inputs,
            promotes="none",
            forward=_on_arrays(function),
            compose=_calling(function),
            signatures=(f"{name}({signature})",),
            function=f"torch.nn.functional.{name}",
            shape=shape,
            latex=latex,
            samples=samples,
            **{"section": "layer"} | fields,
        )
    )


def _calling(function: Function) -> Function:
    """``compose`` for a function that takes its inputs and attributes by name too."""

    def compose(_operators: Any, *inputs: TensorBase | None, **attributes: Any) -> Any:
        return function(*_inputs(inputs), **attributes)

    return compose


def _inputs(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Without the optional ones at the end that were left out."""
    count = len(inputs)
    while count and inputs[count - 1] is None:
        count -= 1
    return inputs[:count]


def _loss(
    name: str,
    latex: str,
    samples: Any,
    varying: Varying,
    inputs: tuple[str, ...] = ("input", "target"),
    attributes: tuple[Attribute, ...] = (),
    signature: str = "",
    shape: Function | None = None,
) -> None:
    weight = "Tensor? weight=None, " if "weight" in inputs else ""
    first = f"Tensor input, Tensor target, {weight}"
    _function(
        name,
        inputs,
        first + (signature or f'{_OLD}, str reduction="mean"'),
        latex,
        shape or _reduced,
        samples,
        attributes=(REDUCTION, *attributes),
        optional=frozenset({"weight"} & {*inputs}),
        varying=varying,
        section="loss",
    )


def _reduced(input: Shape, target: Shape, weight: Shape = (), reduction: str = "mean", **_: Any) -> Shape:
    return input if reduction == "none" else ()


def _by_class(input: Shape, target: Shape, weight: Shape = (), reduction: str = "mean", **_: Any) -> Shape:
    return input[:-1][:1] + input[2:] if reduction == "none" else ()


_function(
    "linear",
    ("input", "weight", "bias"),
    "Tensor input, Tensor weight, Tensor? bias=None",
    r"\input\, \weight^{\top} + \bias",
    lambda input, weight, bias=(): (*input[:-1], *weight[:-1]),
    (((M23, WEIGHT, vector(0.5, -1.0)), {}), ((M23, WEIGHT), {})),
    optional=frozenset({"bias"}),
    derivatives={"input": r"g \, \weight", "weight": r"g^{\top} \input", "bias": r"\sum g"},
)
_function(
    "dropout",
    ("input",),
    "Tensor input, float p=0.5, bool training=True, bool inplace=False",
    r"\operatorname{dropout}(\input)",
    lambda input, **_: input,
    (((M23,), {"training": False}), ((M23, 0.0), {})),
    attributes=(Attribute("p", "float", 0.5), Attribute("training", "bool", True)),
    varying=of_dropout,
)
_function(
    "normalize",
    ("input",),
    "Tensor input, float p=2.0, int dim=1, float eps=1e-12",
    r"\frac{\input}{\|\input\|}",
    lambda input, **_: input,
    (((M23,), {}), ((M23,), {"dim": 0})),
    attributes=(Attribute("p", "float", 2.0), Attribute("dim", "int", 1), Attribute("eps", "float", 1e-12)),
    varying=of_normalize,
)
_function(
    "pad",
    ("input",),
    'Tensor input, int[] pad, str mode="constant", float? value=None',
    r"\operatorname{pad}(\input)",
    lambda input, pad=(), **_: tuple(
        size + sum(pad[2 * place : 2 * place + 2]) for place, size in reversed([*enumerate(reversed(input))])
    ),
    (((M23, (1, 2)), {}), ((M23, (0, 1, 1, 0)), {"value": 0.5})),
    attributes=(
        Attribute("pad", "size", required=True),
        Attribute("mode", "choice", "constant", choices=("constant", "reflect", "replicate", "circular")),
        Attribute("value", "float"),
    ),
    varying=of_pad,
    section="shape",
)

_function(
    "scaled_dot_product_attention",
    ("query", "key", "value", "attn_mask"),
    "Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, "
    "*, float? scale=None, bool enable_gqa=False",
    r"\operatorname{softmax}\left(\frac{\query\, \key^{\top}}{\sqrt{d}}\right) \value",
    lambda query, key, value, attn_mask=(), **_: (*query[:-1], value[-1]),
    (
        ((M23, OTHER, PARTS), {}),
        ((M23, OTHER, PARTS), {"is_causal": True, "scale": 0.5}),
        ((np.stack([[M23, OTHER]]), np.stack([[OTHER, M23]]), np.stack([[PARTS, M23]])), {}),
    ),
    attributes=(
        Attribute("dropout_p", "float", 0.0),
        Attribute("is_causal", "bool", False),
        Attribute("scale", "float"),
        Attribute("enable_gqa", "bool", False),
    ),
    optional=frozenset({"attn_mask"}),
    varying=of_attention,
)
_function(
    "grid_sample",
    ("input", "grid"),
    'Tensor input, Tensor grid, str mode="bilinear", str padding_mode="zeros", bool? align_corners=None',
    r"\input(\grid)",
    lambda input, grid, **_: (*input[:2], *grid[1:-1]),
    (((IMAGE, PLACES), {"align_corners": False}), ((IMAGE, PLACES, "bicubic", "border"), {"align_corners": True})),
    attributes=(
        Attribute("mode", "choice", "bilinear", choices=("bilinear", "nearest", "bicubic")),
        Attribute("padding_mode", "choice", "zeros", choices=("zeros", "border", "reflection")),
        Attribute("align_corners", "bool", False),
    ),
    varying=lambda call: {},  # a sum of neighbours, too long to be read
)
_function(
    "affine_grid",
    ("theta",),
    "Tensor theta, int[] size, bool? align_corners=None",
    r"\begin{pmatrix} x & y & 1 \end{pmatrix} \theta^{\top}",
    lambda theta, size=(), **_: (size[0], *size[2:], len(size) - 2),
    (((WEIGHT[None], (1, 1, 2, 3)), {"align_corners": False}), ((WEIGHT[None], (1, 1, 3, 2)), {"align_corners": True})),
    attributes=(Attribute("size", "size", required=True), Attribute("align_corners", "bool", False)),
    derivatives={"theta": r"g^{\top} \begin{pmatrix} x & y & 1 \end{pmatrix}"},
)

_loss(
    "cross_entropy",
    r"-\log \operatorname{softmax}(\input)_{\target}",
    (((M23, CLASSES), {}), ((M23, CLASSES), {"reduction": "sum"}), ((M23, TARGETS), {"reduction": "none"})),
    of_cross_entropy,
    ("input", "target", "weight"),
    (Attribute("ignore_index", "int", -100), Attribute("label_smoothing", "float", 0.0)),
    'bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction="mean", '
    "float label_smoothing=0.0",
    _by_class,
)
_loss(
    "nll_loss",
    r"-\input_{\target}",
    (((M23, CLASSES), {}), ((M23, CLASSES), {"reduction": "none"})),
    of_loss({"input": r"-\frac{1}{n} \operatorname{onehot}(\target)"}, ignore_index=-100),
    ("input", "target", "weight"),
    (Attribute("ignore_index", "int", -100),),
    'bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction="mean"',
    _by_class,
)
_loss(
    "l1_loss",
    r"|\input - \target|",
    (((M23, OTHER), {}), ((M23, OTHER), {"reduction": "sum"})),
    of_loss(
        {
            "input": r"\frac{1}{n} \operatorname{sgn}(\input - \target)",
            "target": r"-\frac{1}{n} \operatorname{sgn}(\input - \target)",
        }
    ),
)
_loss(
    "smooth_l1_loss",
    r"\begin{cases} \frac{1}{2} d^2 & |d| < 1 \\ |d| - \frac{1}{2} & \text{else} \end{cases}"
    r"\quad d = \input - \target",
    (((M23, OTHER), {}), ((M23, OTHER), {"reduction": "none", "beta": 0.5})),
    of_smooth_l1,
    attributes=(Attribute("beta", "float", 1.0, positional=False),),
    signature=f'{_OLD}, str reduction="mean", float beta=1.0',
)
_loss(
    "huber_loss",
    r"\begin{cases} \frac{1}{2} d^2 & |d| < \delta \\ \delta (|d| - \frac{1}{2} \delta) & \text{else} \end{cases}"
    r"\quad d = \input - \target",
    (((M23, OTHER), {}), ((M23, OTHER), {"reduction": "none", "delta": 0.5})),
    of_loss(
        {
            "input": r"\frac{1}{n} \operatorname{clamp}(\input - \target, -\delta, \delta)",
            "target": r"-\frac{1}{n} \operatorname{clamp}(\input - \target, -\delta, \delta)",
        }
    ),
    attributes=(Attribute("delta", "float", 1.0, positional=False),),
    signature='str reduction="mean", float delta=1.0',
)
_loss(
    "binary_cross_entropy",
    r"-\target \log \input - (1 - \target) \log(1 - \input)",
    (((PARTS, TARGETS), {}), ((PARTS, TARGETS), {"reduction": "sum"})),
    of_loss(
        {
            "input": r"\frac{1}{n} \frac{\input - \target}{\input (1 - \input)}",
            "target": r"\frac{1}{n} (\ln (1 - \input) - \ln \input)",
        }
    ),
    ("input", "target", "weight"),
)
_loss(
    "kl_div",
    r"\target (\log \target - \input)",
    (((M23, PARTS), {"reduction": "sum"}), ((M23, PARTS), {"reduction": "none"})),
    of_kl_div,
    attributes=(Attribute("log_target", "bool", False, positional=False),),
    signature=f'{_OLD}, str reduction="mean", bool log_target=False',
)

register(
    Record(
        name="meshgrid",
        inputs=("tensors",),
        attributes=(Attribute("indexing", "choice", "ij", positional=False, choices=("ij", "xy")),),
        variadic=True,
        promotes="none",
        forward=_on_arrays(lambda tensors, **attributes: meshgrid(*tensors, **attributes)),
        compose=lambda _operators, tensors, **attributes: meshgrid(*tensors, **attributes),
        outputs=(),
        signatures=('meshgrid(Tensor[] tensors, *, str indexing="ij")',),
        function="torch.meshgrid",
        section="shape",
        latex=r"(\tensors_i, \tensors_j)",
        samples=((([V2, V3],), {"indexing": "ij"}), (([V2, V3],), {"indexing": "xy"})),
    )
)
