"""The autograd drawing of a network: long wires run straight, nodes of many leaves stand together."""

from __future__ import annotations

import numpy as np
import pytest
from tests.app.picture.test_autograd_drawing import Drawn

from chalkgrad_app.picture.function_layer import ACCUMULATES

pytestmark = pytest.mark.usefixtures("qapp")

NET = """x = torch.tensor([[1., 2.], [3., 4.]])
t = torch.tensor([0, 1])
W1 = torch.tensor([[.1, .2, .3], [.4, .5, .6]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
W2 = torch.tensor([[.1, .2], [.3, .4], [.5, .6]], requires_grad=True)
b2 = torch.zeros(2, requires_grad=True)
for step in range(2):
    h = torch.relu(x @ W1 + b1)
    out = h @ W2 + b2
    loss = torch.nn.functional.cross_entropy(out, t)
    loss.backward()
"""


def lanes(drawn: Drawn, name: str) -> set[float]:
    """Where a tensor's wires run straight down, longer than from one row to the next."""
    picture, found = drawn.picture, list[float]()
    for row, wire in enumerate(picture.wires):
        if wire.source == drawn.id(name):
            pieces = picture.cubics[picture.pieces_of(np.array([row]))]
            found += [float(piece[0]) for piece in pieces if piece[0] == piece[6] and piece[7] - piece[1] > 60]
    return set(found)


@pytest.mark.parametrize("name", ["b1", "W2", "b2", "t"])
def test_the_wire_of_a_leaf_that_is_used_late_has_one_lane_below_it(name: str) -> None:
    drawn = Drawn(NET)
    rect = drawn.picture.rect(drawn.id(name))
    (lane,) = lanes(drawn, name)
    assert lane == pytest.approx(rect.center().x(), abs=8)


@pytest.mark.parametrize(("leaves", "columns"), [(4, 1), (6, 2), (9, 3)])
def test_nodes_of_the_leaves_of_a_row_stand_together(leaves: int, columns: int) -> None:
    names = [f"w{number}" for number in range(leaves)]
    lines = [f"{name} = torch.tensor([1.], requires_grad=True)" for name in names]
    drawn = Drawn(
        "\n".join([*lines, f"y = torch.cat([{', '.join(reversed(names))}])", "z = (y * y).sum()", "z.backward()"])
    )
    layer = drawn.picture.functions
    rows = np.flatnonzero(layer.accumulates)
    assert layer.accumulates.sum() == leaves == sum(face.name == ACCUMULATES for face in drawn.functions())
    assert len(set(layer.x[rows].tolist())) == columns
    counts = [int((layer.x[rows] == x).sum()) for x in sorted(set(layer.x[rows].tolist()))]
    assert max(counts) - min(counts) <= 1
    assert set(layer.x.tolist()) == set(layer.x[rows].tolist()), "the other nodes stand below them"
