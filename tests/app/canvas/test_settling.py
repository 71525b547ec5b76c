"""A large autograd drawing after its first run is laid out once for all cards, not with every portion of them."""

from __future__ import annotations

import numpy as np
from support.hands import discard, open_host

from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import view
from chalkgrad_app.picture.drawings import autograd
from chalkgrad_app.picture.function_layer import FunctionLayer
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
        mine, fresh = canvas.picture.functions, anew.functions
        assert mine.keys == fresh.keys
        assert np.array_equal(np.stack([mine.x, mine.y]), np.stack([fresh.x, fresh.y]))
        assert len(fresh) == LINES
    finally:
        discard(host)


def test_what_lies_beside_the_cards_waits_for_what_is_seen_and_for_the_end(qapp, monkeypatch):
    session = Session(read_source("import torch\nw = torch.tensor(2.0, requires_grad=True)\ny = w * w\nz = y * w\n"))
    session.finish()
    sheet, trace = Sheet(session.program).drawn_as("autograd"), session.trace
    followed = []
    following = FunctionLayer.following

    def counted(layer, picture):
        followed.append(picture.state.position)
        return (yield from following(layer, picture))

    monkeypatch.setattr(FunctionLayer, "following", counted)
    picture, last = Picture(), trace.state(None)

    def look(state):
        followed.clear()
        picture.update(sheet.program, sheet.board, state, {session.program.order[-1]})
        return len(followed)

    assert look(last) == 1
    assert look(last) == 1
    picture.is_seen = False
    assert look(last) == 0
    assert look(trace.state(4)) == 1  # another moment is another graph
    picture.awaits_end = True
    assert look(last) == 1  # the first look of a run
    assert look(trace.state(4)) == 0
    picture.awaits_end = False
    assert look(last) == 1
