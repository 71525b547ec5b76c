"""Canvas and Engine name the same node as the one at work, event by event."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from support.desk import key, settle

from chalkgrad.session.events import EventKind
from chalkgrad_app.panels.engine_rows import Stage
from chalkgrad_app.picture.node_arrays import NODE

ALT = Qt.KeyboardModifier.AltModifier
KEPT_AND_HOOKED = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w + 2
a.retain_grad()
b = w + 1
b.register_hook(lambda g: g * 2)
y = a * b
y.backward()
"""
TWICE = """import torch
x = torch.tensor(2., requires_grad=True)
y = x ** 3 * torch.sin(x)
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
"""


def at_work(window):
    """The node that the panel Engine lists as being at work, and what the canvas has its frame around."""
    window.docks.engine.catch_up()
    rows = window.docks.engine.list.model().rows
    node = next((row.node for row in rows if row.stage is Stage.NOW and row.node is not None), None)
    return node, list(window.canvas.gradient_pills.lit_rects())


def place(window, node):
    """Where the canvas shows a node: in the graph of a gradient, else as its card."""
    picture = window.canvas.picture
    if (NODE, node) in picture.gradients:
        return picture.gradients.rect((NODE, node))
    return picture.rect(window.document.session.trace.nodes[node].statement)


@pytest.mark.parametrize("code", [KEPT_AND_HOOKED, TWICE], ids=["retain_grad and a hook", "create_graph"])
def test_the_frame_is_around_the_node_that_the_engine_has_at_work(still, window, open_text, code):
    open_text(code)
    window.docks.show_panel("engine")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_PageUp)
    kinds = set()
    while window.document.is_past:
        key(window, Qt.Key.Key_Right, ALT)
        settle(window)
        node, framed = at_work(window)
        if window.document.is_past:
            assert framed == ([] if node is None else [place(window, node)])
            kinds.add(window.document.session.trace.events[window.document.cursor - 1].kind)
    assert {EventKind.MADE, EventKind.NODE_RAN, EventKind.NODE_READY} < kinds


def test_what_is_made_before_a_node_ran_is_its_work(window, open_text):
    open_text(KEPT_AND_HOOKED)
    document = window.document
    events = document.session.trace.events
    kept = next(at for at, event in enumerate(events) if event.kind is EventKind.RETAINED)
    assert events[kept - 1].kind is EventKind.MADE
    for position in (kept, kept + 1):
        document.look_at(position)
        settle(window)
        assert window.canvas.gradient_pills.lit == document.program.named("a").statement
