"""A large autograd drawing after its first run is laid out once for all cards, not with every portion of them."""

from __future__ import annotations

import numpy as np
from support.hands import discard, open_host

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import view
from chalkgrad_app.picture.drawings import autograd
from chalkgrad_app.picture.picture import Picture

LINES = 90


def test_cards_are_laid_out_once_before_a_run_and_once_after_it(qtbot, monkeypatch):
    monkeypatch.setattr(view, "SETTLED_AT_ONCE", 20)
    laid_out = []
    original = autograd._in_rows

    def counted(*args):
        laid_out.append(args)
        return (yield from original(*args))

    monkeypatch.setattr(autograd, "_in_rows", counted)
    lines = ["a0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)"]
    lines += [f"a{number} = a{number - 1} * a0" for number in range(1, LINES)]
    host = open_host(Sheet(read_source("import torch\n" + "\n".join(lines))).drawn_as("autograd"))
    try:
        canvas, document = host.canvas, host.canvas.document
        qtbot.waitUntil(
            lambda: not canvas.is_behind and canvas.picture.is_settled and not canvas.settling.slices.is_active,
            timeout=20_000,
        )
        assert 1 <= len(laid_out) <= 2
        anew = Picture()
        anew.update(document.program, document.board, document.state)
        assert np.array_equal(np.stack([anew.x, anew.y]), np.stack([canvas.picture.x, canvas.picture.y]))
    finally:
        discard(host)
