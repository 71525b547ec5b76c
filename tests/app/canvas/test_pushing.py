"""What moves on behind a card put into a wire: nothing comes to lie on anything, and what stays, stays."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from support.hands import Hands, discard, open_host

from chalkgrad.program.board import Board, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.arrange import COLUMN_GAP
from chalkgrad_app.canvas.pushing import pushed


@pytest.fixture
def crowd(request, qapp):
    """Hands at sixty cards that lie anywhere but on one another; each needs one or two of those before it."""
    random = np.random.default_rng(request.param)
    lines = ["import torch", "v0 = torch.tensor(1., requires_grad=True)"]
    for number in range(1, 60):
        one, other = random.integers(max(0, number - 8), number, 2)
        lines.append(f"v{number} = v{one} + v{other}" if number % 3 else f"v{number} = v{one}.exp()")
    program = read_source("\n".join(lines))
    spots = random.permutation(144)[: len(program)]
    corners = {s.id: (int(spot % 12) * 240, int(spot // 12) * 168) for s, spot in zip(program, spots, strict=True)}
    host = open_host(Sheet(program, Board({("cards", id_): Place(*corner) for id_, corner in corners.items()})))
    host.canvas.fit_all()
    yield Hands(host.canvas)
    discard(host)


def _meet(rects):
    return {(one, other) for one, other in combinations(rects, 2) if rects[one].intersects(rects[other])}


@pytest.mark.parametrize("crowd", range(12), indirect=True)
def test_what_is_pushed_covers_nothing(crowd):
    picture = crowd.canvas.picture
    before = {id_: picture.rect(id_) for id_ in picture.ids}
    for reader in (10, 25, 40):
        front = before[reader]
        stays = {reader - 1}
        push = pushed(picture, QRectF(front.x() - 20, front.y(), 180, 100), [reader], stays)
        places = push.places()
        after = {id_: QRectF(rect) for id_, rect in before.items()}
        for id_, (x, y) in places.items():
            after[id_].moveTo(x, y)
        assert after[reader].left() >= front.x() - 20 + 180 + COLUMN_GAP
        assert all(after[id_].left() == before[id_].left() + push.way for id_ in places)
        new = _meet(after) - _meet(before)
        assert not {pair for pair in new if not stays & set(pair)}
        assert not stays & places.keys()
