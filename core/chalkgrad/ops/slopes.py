r"""Derivatives that are written differently from call to call: of losses, norms, and operators of several tensors.

Each function here is what a record's ``varying`` holds. A derivative by an input for which nothing is written down,
or which these arguments make too long to be read, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chalkgrad.engine.record import Call

Slopes = Mapping[str, str]
Varying = Callable[[Call], Slopes]

_MEAN = re.compile(r"\\frac\{(\d+)\}\{n\} ?")
_WHOLE = re.compile(r"^\(((?:[^()]|\([^()]*\))*)\)$")


def of_loss(slopes: Slopes, **usual: Any) -> Varying:
    """``slopes`` are those of the mean, a sum is not divided; none for other arguments than the ``usual`` ones."""

    def varying(call: Call) -> Slopes:
        if "weight" in call.shapes or any(call.arguments[name] != value for name, value in usual.items()):
            return {}
        return {key: _reduced(text, str(call.arguments["reduction"])) for key, text in slopes.items()}

    return varying


def _reduced(text: str, reduction: str) -> str:
    """A derivative written for the mean, for another reduction; a batch counts its rows ``N``."""
    if reduction == "mean":
        return text
    if reduction == "batchmean":
        return text.replace("{n}", "{N}")
    summed = _MEAN.sub(lambda found: "" if found[1] == "1" else rf"{found[1]} \, ", text)
    return _WHOLE.sub(r"\1", summed)


def of_cross_entropy(call: Call) -> Slopes:
    """By scores, with class numbers or with probabilities as the target."""
    by_class = {"input": r"\frac{1}{n} (\operatorname{softmax}(\input) - \operatorname{onehot}(\target))"}
    by_share = {
        "input": r"\frac{1}{n} (\sum \target \cdot \operatorname{softmax}(\input) - \target)",
        "target": r"-\frac{1}{n} \ln \operatorname{softmax}(\input)",
    }
    is_share = call.shapes["input"] == call.shapes["target"]
    return of_loss(by_share if is_share else by_class, label_smoothing=0.0, ignore_index=-100)(call)


def of_kl_div(call: Call) -> Slopes:
    """By both, with the target as it is or as its logarithm."""
    if call.arguments["log_target"]:
        slopes = {"input": r"-\frac{1}{n} e^{\target}", "target": r"\frac{1}{n} e^{\target} (\target + 1 - \input)"}
    else:
        slopes = {"input": r"-\frac{1}{n} \target", "target": r"\frac{1}{n} (\ln \target + 1 - \input)"}
    return of_loss(slopes)(call)


def of_smooth_l1(call: Call) -> Slopes:
    """Straight from ``beta`` on, a parabola before."""
    beta = "" if call.arguments["beta"] == 1 else r" / \beta"
    slope = rf"\frac{{1}}{{n}} \operatorname{{clamp}}((\input - \target){beta}, -1, 1)"
    return of_loss({"input": slope, "target": f"-{slope}"})(call) if call.arguments["beta"] else {}


def of_dropout(call: Call) -> Slopes:
    """What was kept was made larger by as much as went away."""
    if not call.arguments["training"] or not call.arguments["p"]:
        return {"input": "1"}
    return {"input": r"\frac{[\result \neq 0]}{1 - \p}"}


def of_norm(call: Call) -> Slopes:
    """By the vector, for any order but 0."""
    order = call.arguments.get("ord", call.arguments.get("p"))
    if order in (2, "fro", None):
        return {"self": r"\frac{\self}{\result}"}
    if order == 1:
        return {"self": r"\operatorname{sgn} \self"}
    if order in (float("inf"), float("-inf")):
        return {"self": r"\frac{[\lvert \self \rvert = \result]}{n} \operatorname{sgn} \self"}
    if isinstance(order, int | float) and order > 1:
        return {"self": rf"\operatorname{{sgn}} \self \cdot (\lvert \self \rvert / \result)^{{{order:g} - 1}}"}
    return {}


def of_normalize(call: Call) -> Slopes:
    """By a vector that is given length 1."""
    is_usual = call.arguments["p"] == 2 and call.arguments["eps"] == 1e-12
    return {"input": r"\frac{1}{\lVert \input \rVert} (I - \result \, \result^{\top})"} if is_usual else {}


def of_attention(call: Call) -> Slopes:
    """By the values, where nothing is masked; by queries and keys it is too long to be read."""
    arguments = call.arguments
    masked = "attn_mask" in call.shapes or arguments["is_causal"] or arguments["dropout_p"]
    if masked or arguments["scale"] is not None or arguments["enable_gqa"]:
        return {}
    return {"value": r"\operatorname{softmax}\left(\frac{\query\, \key^{\top}}{\sqrt{d}}\right)^{\top} g"}


def of_pad(call: Call) -> Slopes:
    """The gradient without the border, of one that is filled with a number."""
    (shape,) = call.shapes.values()
    pad = call.arguments["pad"]
    if call.arguments.get("mode", "constant") != "constant" or min(pad, default=0) < 0:
        return {}
    spans = [":"] * len(shape)
    for place, before in enumerate(pad[::2], 1):
        spans[-place] = f"{before}:{before + shape[-place]}"
    return dict.fromkeys(call.shapes, _part(spans))


def of_cat(call: Call) -> Slopes:
    """Each gets its part of the gradient."""
    shapes = [shape for shape in call.shapes.values() if shape != (0,)]
    dim = int(call.arguments["dim"])
    if not shapes or not -len(shapes[0]) <= dim < len(shapes[0]):
        return {}
    found, start = {}, 0
    for name, shape in call.shapes.items():
        stop = start + (shape[dim] if shape != (0,) else 0)
        found[name] = _part([":"] * (dim % len(shapes[0])) + [f"{start}:{stop}"])
        start = stop
    return found


def of_stack(call: Call) -> Slopes:
    """Each gets the slice where it lies."""
    first = next(iter(call.shapes.values()))
    before = [":"] * (int(call.arguments["dim"]) % (len(first) + 1))
    return {name: _part([*before, str(place)]) for place, name in enumerate(call.shapes)}


def _part(spans: Sequence[str]) -> str:
    """A part of the gradient, as Python writes it; colons without the room of a relation."""
    return f"g[{', '.join(spans)}]".replace(":", "{:}")


def of_einsum(call: Call) -> Slopes:
    r"""The gradient takes the place of the tensor: of ``ij,jk->ik`` it is ``ik,jk->ij`` for the first."""
    found = {}
    for place, name in enumerate(call.shapes):
        equation = gradient_equation(str(call.arguments["equation"]), place)
        if equation:
            others = [rf"\{other}" for other in call.shapes if other != name]
            before, _, after = equation.partition("->")
            written = rf"\text{{{before}}} \to \text{{{after}}}"
            found[name] = rf"\operatorname{{einsum}}({', '.join([written, 'g', *others])})"
    return found


def gradient_equation(equation: str, place: int) -> str:
    """The equation for the gradient of one operand: the gradient first, then the others; empty where there is none."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow:
        right = "".join(sorted(letter for letter in set(left) - {","} if left.count(letter) == 1))
    others = [right, *terms[:place], *terms[place + 1 :]]
    own = terms[place]
    is_plain = "." not in equation and len(set(own)) == len(own) and set(own) <= set("".join(others))
    return f"{','.join(others)}->{own}" if is_plain else ""


def of_diff(call: Call) -> Slopes:
    """Once, without anything before or behind."""
    is_plain = call.arguments["n"] == 1 and len(call.shapes) == 1
    return {"self": "[j = i + 1] - [j = i]"} if is_plain else {}


def of_pdist(call: Call) -> Slopes:
    """Of the distances that are measured with a ruler."""
    return {"self": r"\frac{{\self}_i - {\self}_j}{\result}"} if call.arguments["p"] == 2 else {}


def of_two(first: str, second: str) -> Varying:
    """Of an operator with two results, by its one input."""
    return lambda call: {"self": (first, second)[call.output]}
