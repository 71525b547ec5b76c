"""``torch.distributions.kl``: how far one distribution is from another."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.distribution import Distribution

__all__ = ["kl_divergence", "register_kl"]

Pair = tuple[type, type]
Formula = Callable[[Any, Any], Tensor]

_FORMULAS: dict[Pair, Formula] = {}
_FOUND: dict[Pair, Formula | None] = {}
"""What was looked up, None where there is no formula."""


def register_kl(type_p: type, type_q: type) -> Callable[[Formula], Formula]:
    """Decorate the formula for a pair of classes."""

    def register(fun: Formula) -> Formula:
        _FORMULAS[type_p, type_q] = fun
        _FOUND.clear()
        return fun

    return register


def _narrowest(pairs: list[Pair], first: int) -> Pair:
    """The pair of the most special classes, looked at in this order."""
    best = pairs[0]
    for pair in pairs[1:]:
        for place in (first, 1 - first):
            if pair[place] is not best[place]:
                best = pair if issubclass(pair[place], best[place]) else best
                break
    return best


def _formula(type_p: type, type_q: type) -> Formula | None:
    """The formula of the classes nearest to these; a warning where two are as near."""
    pairs = [pair for pair in _FORMULAS if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])]
    if not pairs:
        return None
    left, right = _narrowest(pairs, 0), _narrowest(pairs, 1)
    if _FORMULAS[left] is not _FORMULAS[right]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({left[0].__name__}, "
            f"{right[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _FORMULAS[left]


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """How much is lost, in nats, where values of ``p`` are taken for those of ``q``."""
    pair = (type(p), type(q))
    if pair not in _FOUND:
        _FOUND[pair] = _formula(*pair)
    formula = _FOUND[pair]
    if formula is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return formula(p, q)
