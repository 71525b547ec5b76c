"""The softmax of very many classes, of which the rare ones are put off to clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.container import ModuleList, Sequential
from chalkgrad.nn.modules.linear import Linear


class _ASMoutput(NamedTuple):
    """What the softmax gives: the logarithm of each target's chance, and their negative mean."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """A softmax whose head has the frequent classes and a place for each cluster of rarer ones.

    Classes below the first of ``cutoffs`` are in the head; each cluster has a projection to ``div_value`` times fewer
    features than the one before.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_cutoffs(list(cutoffs), n_classes)
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = self.cutoffs[0], len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for number, (low, high) in enumerate(pairwise(self.cutoffs), start=1):
            size = int(in_features // div_value**number)
            steps = Linear(in_features, size, False, device, dtype), Linear(size, high - low, False, device, dtype)
            self.tail.append(Sequential(*steps))

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        self.head.reset_parameters()
        for cluster in self.tail:
            for step in cluster:
                step.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """The logarithms of the targets' chances, and the loss."""
        _check_targets(input_, target_)
        if target_.dim():
            return self._of_batch(input_, target_)
        output, loss = self._of_batch(input_.unsqueeze(0), target_.unsqueeze(0))
        return _ASMoutput(output.squeeze(0), loss)

    def _of_batch(self, input: Tensor, target: Tensor) -> _ASMoutput:
        count = target.size(0)
        output, places = input.new_zeros(count), target.new_empty(count)
        used = 0
        for number, (low, high) in enumerate(pairwise([0, *self.cutoffs])):
            inside = (target >= low) & (target < high)
            rows = inside.nonzero().squeeze()
            used += rows.numel()
            if not rows.numel():
                continue
            if number == 0:
                places.index_copy_(0, rows, target[inside])
                continue
            relative = target[inside] - low
            cluster = self.tail[number - 1](input.index_select(0, rows))
            places.index_fill_(0, rows, self.shortlist_size + number - 1)
            chances = functional.log_softmax(cluster, dim=1).gather(1, relative.unsqueeze(1))
            output.index_copy_(0, rows, chances.squeeze(1))
        if used != count:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, "
                f"{target.max().item()}] were found. "
            )
        head = functional.log_softmax(self.head(input), dim=1)
        output += head.gather(1, places.unsqueeze(1)).squeeze()
        return _ASMoutput(output, (-output).mean())

    def _all_classes(self, input: Tensor, head: Tensor) -> Tensor:
        """The logarithms of the chances of all classes."""
        found: Tensor = input.new_empty((head.size(0), self.n_classes))
        chances = functional.log_softmax(head, dim=1)
        found[:, : self.shortlist_size] = chances[:, : self.shortlist_size]
        for number, (low, high) in enumerate(pairwise(self.cutoffs)):
            cluster = functional.log_softmax(self.tail[number](input), dim=1)
            found[:, low:high] = cluster + chances[:, self.shortlist_size + number].unsqueeze(1)
        return found

    def log_prob(self, input: Tensor) -> Tensor:
        """The logarithms of the chances of all classes."""
        return self._all_classes(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The likeliest class of each row; clusters are looked into where the head says one of them."""
        head = self.head(input)
        output: Tensor = TENSORS.argmax(head, dim=1)
        rare = output >= self.shortlist_size
        if not rare.any():
            return output
        if rare.all():
            return self._all_classes(input, head).argmax(dim=1)
        output[rare] = self._all_classes(input[rare], head[rare]).argmax(dim=1)
        return output


def _check_cutoffs(cutoffs: list[int], n_classes: int) -> None:
    if not cutoffs:
        raise ValueError("cutoffs should be a sequence of length larger than 0")
    rising = all(low < high for low, high in pairwise(cutoffs))
    if not rising or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1 or any(int(cut) != cut for cut in cutoffs):
        raise ValueError(
            "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value "
            "is between 1 and n_classes-1"
        )


def _check_targets(input: Tensor, target: Tensor) -> None:
    count = target.dim()
    if count > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if count == 1 and input.size(0) != target.size(0):
        raise RuntimeError("Input and target should have the same size in the batch dimension.")
    if input.dim() != count + 1:
        raise RuntimeError(
            f"{count}D target tensor expects {count + 1}D input tensors, but found inputs with size {input.size()}"
        )
