"""What comes in one piece says the same whether it is taken apart or not."""

from __future__ import annotations

import pytest

from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source

SOURCE = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
a = w * 2
b = torch.tanh(a)
c = torch.cat([a, b])
b = b + a
b.add_(1.0)
d = torch.exp(b)
print(d)
y = (d + a).sum()
y.backward(retain_graph=True)
e = w + 1
"""


def run(source: str = SOURCE) -> Session:
    session = Session(read_source(source))
    session.finish()
    return session


def test_kinds_are_those_of_the_events() -> None:
    whole = [event.kind for event in run().trace.events]
    assert {EventKind.SUMMED, EventKind.NODE_RAN, EventKind.SAVED, EventKind.ENDED} < set(whole)
    for start, stop in ((0, None), (7, None), (3, 20), (len(whole) - 2, None), (len(whole), None)):
        trace = run().trace
        assert trace.kinds(start, stop) == whole[start:stop]
        taken_apart = list(trace.events)
        assert trace.kinds(start, stop) == [event.kind for event in taken_apart][start:stop]


def test_kinds_go_on_where_some_events_were_taken_apart() -> None:
    session = Session(read_source(SOURCE))
    session.advance(0)
    while not session.done:
        known = len(list(session.trace.events))
        session.advance(0)
        session.advance(0)
        both = session.trace.kinds(known - 1)
        assert both == [event.kind for event in session.trace.events[known - 1 :]]


@pytest.mark.parametrize("lines", range(2, len(SOURCE.splitlines()) + 1))
def test_the_last_event_is_the_same_alone(lines: int) -> None:
    source = "\n".join(SOURCE.splitlines()[:lines]) + "\n"
    alone = run(source).trace.events[-1]
    assert alone == list(run(source).trace.events)[-1]
    assert alone.kind is EventKind.ENDED


def test_an_event_that_is_not_there_is_none() -> None:
    events = run().trace.events
    for index in (len(events), -len(events) - 1):
        with pytest.raises(IndexError):
            events[index]


def test_names_mean_the_same_before_and_after_their_timelines_are_made() -> None:
    one, other = run().trace, run().trace
    for line in other._tables.names.values():
        assert line.positions == sorted(line.positions)
    for position in range(len(one) + 1):
        at, also = one.state(position), other.state(position)
        assert {name: tensor.number for name, tensor in at.names.items()} == {
            name: tensor.number for name, tensor in also.names.items()
        }
    assert one.state().names["b"].number != one.state(one.end_of(3)).names["b"].number
    assert one.outlet(one.state().names["e"].number) == (one.line_at(len(one)), 0)
