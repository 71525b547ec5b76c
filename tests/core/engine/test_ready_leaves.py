"""Leaves that are ready at once are taken as PyTorch's heap hands them out (orders recorded from torch 2.13)."""

from __future__ import annotations

import pytest

from chalkgrad import torch

RECORDED = {
    3: [0, 1, 2],
    4: [0, 2, 1, 3],
    5: [0, 2, 4, 1, 3],
    6: [0, 2, 5, 4, 1, 3],
    8: [0, 2, 6, 5, 7, 4, 1, 3],
}
AMONG_OTHERS = [1, 2, 3, 0]
"""Three leaves beside a node that waits in the queue, and the leaf behind that."""


def leaves_of(count, taken):
    leaves = [torch.tensor(1.0, requires_grad=True) for _ in range(count)]
    for number, leaf in enumerate(leaves):
        leaf.register_post_accumulate_grad_hook(lambda _, number=number: taken.append(number))
    return leaves


@pytest.mark.parametrize("count", RECORDED)
def test_leaves_of_one_node(count):
    taken = []
    torch.stack(leaves_of(count, taken)).sum().backward()
    assert taken == RECORDED[count]


def test_leaves_beside_a_node_that_waits():
    taken = []
    leaves = leaves_of(4, taken)
    torch.stack([leaves[0].exp(), *leaves[1:]]).sum().backward()
    assert taken == AMONG_OTHERS
