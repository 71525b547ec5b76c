"""A long run goes piece by piece after an edit, and nothing of it is left."""

from __future__ import annotations

import gc
import time
import weakref

import pytest
from PySide6.QtCore import QCoreApplication

from chalkgrad.program import edits
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.session.leaving import PORTION, letting_go
from chalkgrad.source.read import read_source
from chalkgrad.stepwise import finished
from chalkgrad_app import leaving, running_sheet
from chalkgrad_app.document import Document

LINES = 3 * PORTION
LONG = running_sheet.LONG
CODE = "import torch\nw = torch.ones(2, requires_grad=True)\na0 = w * 2\n" + "".join(
    f"a{number} = a{number - 1} * 1.5\n" for number in range(1, LINES)
)


@pytest.fixture
def document(qapp, monkeypatch):
    """A document whose run counts as long, and goes in slices of a step."""
    monkeypatch.setattr(running_sheet, "LONG", 100)
    monkeypatch.setattr(leaving, "PAUSE_MS", 0)
    monkeypatch.setattr(leaving, "SLICE_MS", 0.01)
    made = Document(Sheet(read_source(CODE)))
    made.finish()
    gc.collect()
    gc.disable()
    yield made
    gc.enable()
    made.deleteLater()


def edited(document, number=7.0):
    """The run that an edit of a number makes one of the past, by its trace and the live tensors of its lines."""
    session = document.session
    live = [weakref.ref(session.live(at)) for at in range(1, LINES)]
    trace = weakref.ref(session.trace)
    last = document.program[document.program.order[-1]]
    document.do(edits.set_port(document.program, last.id, 1, number), "number")
    document.finish()
    return trace, live


def left(live):
    return sum(tensor() is not None for tensor in live)


def test_it_goes_in_pieces_after_the_edit(document):
    trace, live = edited(document)
    assert trace() is not None
    assert left(live) == len(live), "the edit itself frees none of it"
    counts = []
    deadline = time.monotonic() + 20
    while left(live) and time.monotonic() < deadline:
        QCoreApplication.processEvents()
        counts.append(left(live))
    assert len(set(counts)) > 2, "some went before others"
    assert counts == sorted(counts, reverse=True)
    assert trace() is None


def test_it_gives_way_in_turns_that_are_used_up_and_comes_to_its_end(document, monkeypatch):
    slices, advance = [], leaving.Work.advance
    monkeypatch.setattr(leaving.Work, "advance", lambda work, ms: slices.append(ms) or advance(work, ms))
    trace, live = edited(document)
    given, asked = [], leaving.Leaving._go_on
    monkeypatch.setattr(leaving.Leaving, "_go_on", lambda self: given.append(len(slices)) or asked(self))
    monkeypatch.setattr(type(leaving.turn()), "is_over", lambda _turn: True)
    own = leaving.Leaving(document)
    own.take([list(range(2 * PORTION))])
    for _ in range(4):
        own._go_on()
    assert given == [0, 0, 1, 1], "every other time"
    deadline = time.monotonic() + 20
    while (own.is_active or left(live)) and time.monotonic() < deadline:
        QCoreApplication.processEvents()
    assert not own.is_active
    assert trace() is None


def test_of_many_runs_that_wait_the_oldest_goes_at_once(document, monkeypatch):
    monkeypatch.setattr(leaving, "PAUSE_MS", 60_000)
    runs = [edited(document, float(number)) for number in range(2, 6)]
    assert [left(live) > 0 for _, live in runs] == [False, False, True, True]


def test_a_short_run_goes_with_the_edit(document, monkeypatch):
    monkeypatch.setattr(running_sheet, "LONG", 1_000_000)
    trace, live = edited(document)
    assert (trace(), left(live)) == (None, 0)


def test_some_hundred_lines_are_long_enough(document, monkeypatch):
    monkeypatch.setattr(running_sheet, "LONG", LONG)
    trace, live = edited(document)
    assert trace() is not None
    assert left(live) == len(live), "who paints after the edit doesn't wait for that"


def test_what_others_hold_stays_as_it_is():
    session = Session(read_source(CODE))
    session.finish()
    state = session.trace.state()
    before = [state.tensor(id_).text for id_ in session.program.order]
    assert finished(letting_go(session.belongings)) > 4 * LINES
    assert [session.trace.state().tensor(id_).text for id_ in session.program.order] == before


def test_a_run_with_a_backward_is_looked_through_in_pieces_too(monkeypatch):
    session = Session(read_source(f"{CODE}a{LINES - 1}.sum().backward()\n"))
    session.finish()
    looked, get_referents = [0], gc.get_referents

    def counted(*things):
        looked[-1] += 1
        return get_referents(*things)

    monkeypatch.setattr(gc, "get_referents", counted)
    steps = letting_go(session.belongings)
    while next(steps, steps) is None:
        looked.append(0)
    assert max(looked) <= PORTION
    assert sum(looked) > 2 * PORTION
