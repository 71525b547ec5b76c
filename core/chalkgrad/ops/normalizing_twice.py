"""Second derivatives of normalisations by mean and variance, in the steps and the order that PyTorch takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.ops.windows import Sizes


class Moments:
    """What a normalisation knows of its input: how far that is ``away`` from the mean, and by what it was scaled.

    ``total`` sums over the ``count`` numbers that go together, and keeps their dimensions.
    """

    def __init__(self, o: Any, away: Any, scale: Any, count: int, total: Callable[[Any], Any]) -> None:
        self.o = o
        self.away = away
        self.scale = scale
        self.square = o.mul(scale, scale)
        self.cube = o.mul(self.square, scale)
        self.lean = o.mul(away, self.cube)
        self.count = count
        self.total = total

    def along(self, g: Any) -> Any:
        """How much of ``g`` goes along what was normalised."""
        return self.total(self.o.mul(g, self.away))

    def passed_on(self, g: Any, weight: Any) -> Any:
        """The first derivative by the input; mean and scale depend on that, too."""
        o = self.o
        share = o.div_number(o.mul(weight, self.scale), self.count)
        rest = o.sub(o.mul_number(g, self.count), self.total(g))
        along = self.along(g)
        return o.mul(share, o.sub(rest, o.mul(o.mul(self.away, self.square), along)))

    def bent(self, grad: Any, along: Any, whole: Any, g: Any, product: Callable[[], Any]) -> Any:
        """How the first derivative of ``grad`` changes with the input, as ``g`` came for it.

        ``along`` and ``whole`` are sums of ``grad``, and ``product`` multiplies the two.
        """
        o, count = self.o, self.count
        whole_of_g, along_of_g = self.total(g), self.along(g)
        both = o.div_number(o.mul(whole_of_g, whole), count)
        both = o.sub(both, self.total(product()))
        stretch = o.mul_number(o.mul(o.mul(self.square, along), along_of_g), 3 / max(count, 1))
        first = o.div_number(o.mul(self.lean, o.add(both, stretch)), count)
        second = self._apart(grad, whole, along_of_g)
        third = self._apart(g, whole_of_g, along)
        return o.add_(o.add_(first, second), third)

    def _apart(self, one: Any, whole: Any, along: Any) -> Any:
        o = self.o
        rest = o.sub(o.div_number(whole, self.count), one)
        return o.mul(o.div_number(o.mul(along, self.cube), self.count), rest)

    def by_weight(self, scaled: Callable[[], Any], whole: Any = None) -> Any:
        """The part by the input of what came for the weight, of a gradient that ``scaled`` makes each time anew."""
        o = self.o
        first = o.mul(scaled(), self.scale)
        second = o.div_number(o.mul(self.scale, self.total(scaled()) if whole is None else whole), -self.count)
        third = o.div_number(o.mul(self.lean, self.along(scaled())), -self.count)
        return o.add_(o.add_(first, second), third)


def added(o: Any, first: Any, second: Any) -> Any:
    """``second`` added into ``first``, where that is there."""
    return second if first is None else o.add_(first, second)


def one_of(o: Any, like: Any, shape: Sizes) -> Any:
    """What stands for a weight that isn't there."""
    return o.add(o.zeros_of(like, shape), 1)


_NO_OTHER = "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #1 'other'"


def by_gradient(known: Moments, passed: Any, weight: Any, of_weight: Any, of_bias: Any) -> Any:
    """The derivative by the gradient: what the input ``passed`` on, and what came for weight and bias.

    Without a weight PyTorch forgets the bias: nothing comes of it, or what is to be added isn't there.
    """
    o = known.o
    if weight is None and of_bias is not None:
        if passed is None:
            return None
        raise RuntimeError(_NO_OTHER)
    if of_weight is not None:
        passed = added(o, passed, o.mul(o.mul(of_weight, known.away), known.scale))
    return passed if of_bias is None else added(o, passed, of_bias)
