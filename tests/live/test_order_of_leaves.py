"""Leaves that are ready at once are taken in PyTorch's order, which hooks show."""

from __future__ import annotations

import random

import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")


def graph(torch, seed: int) -> list[int]:
    """The leaves in the order in which their gradients came, in a graph of nodes with many inputs each."""
    chance = random.Random(seed)
    leaves = [torch.tensor(float(number), requires_grad=True) for number in range(chance.randrange(3, 60))]
    order: list[int] = []
    for number, leaf in enumerate(leaves):
        leaf.register_post_accumulate_grad_hook(lambda _, number=number: order.append(number))
    made = []
    while len(made) < chance.randrange(1, 12):
        chosen = chance.choices(leaves + made * 3, k=chance.randrange(2, 14))
        made.append(torch.stack(chosen).sum() if chance.random() < 0.7 else chosen[0] * chosen[1])
    torch.stack(chance.choices(leaves, k=4) + made).sum().backward()
    return order


@pytest.mark.parametrize("count", range(2, 70))
def test_leaves_of_one_node(count):
    def order(torch):
        leaves = [torch.tensor(1.0, requires_grad=True) for _ in range(count)]
        taken = []
        for number, leaf in enumerate(leaves):
            leaf.register_post_accumulate_grad_hook(lambda _, number=number: taken.append(number))
        torch.stack(leaves).sum().backward()
        return taken

    assert order(ours) == order(theirs)


def test_leaves_among_other_nodes():
    for seed in range(300):
        assert graph(ours, seed) == graph(theirs, seed), seed
