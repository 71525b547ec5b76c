"""The engine inside a backward: who is ready, who waits for whom, what has come, at every position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.backward_scripts import COURSE, random_program
from tests.core.session.programs import programs

from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.session.schedule import Schedule, at_work, backward_at
from chalkgrad.source.read import read_source


def ran(code):
    session = Session(read_source("import torch\n" + code))
    session.finish()
    return session.trace


def name(trace, node):
    record = trace.nodes[node]
    return record.name if record.name == "AccumulateGrad" else f"{record.name} {record.statement}"


def names(trace, nodes):
    return [name(trace, node) for node in nodes]


def positions(trace, kind):
    return [index + 1 for index, event in enumerate(trace.events) if event.kind is kind]


def course():
    trace = ran(COURSE)
    return trace, Schedule(trace, next(iter(trace.plans)))


def test_the_first_node_is_ready_when_the_backward_has_begun():
    trace, schedule = course()
    moment = schedule.moment(positions(trace, EventKind.NODE_READY)[0])
    assert moment.now is None
    assert names(trace, moment.ready) == ["MulBackward0 5"]
    assert names(trace, moment.to_come) == ["AccumulateGrad", "AddBackward0 4", "AddBackward0 3"]
    assert schedule.arrivals(moment.ready[0], schedule.began + 1)[0].source is None
    assert schedule.total(moment.ready[0], schedule.began + 1).tolist() == [1.0]


def test_the_younger_of_two_ready_nodes_is_taken_first():
    trace, schedule = course()
    moment = schedule.moment(positions(trace, EventKind.NODE_READY)[2])
    assert name(trace, moment.now) == "MulBackward0 5"
    assert names(trace, moment.ready) == ["AddBackward0 4", "AddBackward0 3"]
    assert names(trace, schedule.order) == ["MulBackward0 5", "AddBackward0 4", "AddBackward0 3", "AccumulateGrad"]


def test_a_leaf_waits_for_the_second_path_and_gets_the_sum():
    trace, schedule = course()
    leaf = schedule.order[-1]
    assert schedule.needs(leaf) == 2
    assert schedule.had_to_wait(leaf)
    first = positions(trace, EventKind.NODE_RAN)[1]
    moment = schedule.moment(first)
    assert moment.waiting == (leaf,)
    assert names(trace, schedule.missing(leaf, first)) == ["AddBackward0 3"]
    assert schedule.total(leaf, first).tolist() == [3.0]
    met = positions(trace, EventKind.SUMMED)[0]
    assert trace.events[met - 1].incoming[0].tolist() == [2.0]
    assert schedule.total(leaf, met).tolist() == [5.0]
    assert schedule.missing(leaf, met) == ()
    assert [one.gradient.tolist() for one in schedule.arrivals(leaf, met)] == [[3.0], [2.0]]
    assert schedule.sums(leaf, met - 1) == 0
    assert schedule.sums(leaf, met) == 1


def test_what_a_node_did_and_when_it_was_freed():
    trace, schedule = course()
    product = schedule.order[0]
    at = positions(trace, EventKind.NODE_RAN)[0]
    assert schedule.work(product, at - 1) is None
    assert [gradient.tolist() for gradient in schedule.work(product, at).outgoing] == [[2.0], [3.0]]
    assert schedule.freed_at(product) == positions(trace, EventKind.FREED)[0]
    assert schedule.freed_at(schedule.order[1]) is None


def test_at_the_end_all_are_done():
    schedule = course()[1]
    moment = schedule.moment(schedule.end)
    assert (moment.now, moment.ready, moment.waiting, moment.to_come) == (None, (), (), ())
    assert moment.done == tuple(reversed(schedule.order))


def test_a_position_belongs_to_the_backward_of_its_line():
    trace = ran(COURSE + "z = w * 2\nz.backward()\n")
    one, other = trace.plans
    assert backward_at(trace, one) is None
    assert backward_at(trace, one + 1) == one
    assert backward_at(trace, other) is None
    assert backward_at(trace, len(trace)) == other
    assert backward_at(trace, 0) is None


def test_a_backward_that_fails_ends_where_it_failed():
    trace = ran(COURSE + "y.backward()\n")
    schedule = Schedule(trace, list(trace.plans)[1])
    assert schedule.end == positions(trace, EventKind.FAILED)[0] - 1
    assert schedule.order == ()
    moment = schedule.moment(schedule.end)
    assert (moment.now, moment.ready, moment.done) == (None, (), ())


def test_only_what_leads_to_the_inputs_takes_part():
    code = "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\na = w * v\n"
    trace = ran(code + "b = a * w\nb.backward(inputs=[v])\n")
    schedule = Schedule(trace, next(iter(trace.plans)))
    assert names(trace, schedule.order) == ["MulBackward0 4", "MulBackward0 3", "AccumulateGrad"]
    assert trace.nodes[schedule.order[-1]].statement == 2
    assert schedule.needs(schedule.order[1]) == 1


def test_gradients_that_are_asked_for_are_taken():
    code = "w = torch.tensor([2.], requires_grad=True)\na = w * 3\nb = a * w\nga, gw = torch.autograd.grad(b, [a, w])\n"
    trace = ran(code)
    taken = [trace.events[at - 1] for at in positions(trace, EventKind.CAPTURED)]
    assert [(event.tensors, event.incoming[0].tolist()) for event in taken] == [((1,), [2.0]), ((0,), [12.0])]
    assert not positions(trace, EventKind.ACCUMULATED)


def test_a_second_backward_while_one_is_at_work_is_another_one():
    trace = ran("w = torch.tensor([2.], requires_grad=True)\ny = w * w\ny.backward(retain_graph=True)\ny.backward()\n")
    for began in trace.plans:
        schedule = Schedule(trace, began)
        assert names(trace, schedule.order) == ["MulBackward0 2", "AccumulateGrad"]
        assert not schedule.had_to_wait(schedule.order[1])  # both gradients come from one node


def holds_everywhere(trace):
    """What is true at every position of every backward."""
    for began in trace.plans:
        schedule = Schedule(trace, began)
        nodes = set(schedule.plan.nodes)
        for position in range(began + 1, schedule.end + 1):
            moment = schedule.moment(position)
            lists = [moment.ready, moment.waiting, moment.to_come, moment.done]
            lists.append(() if moment.now is None else (moment.now,))
            found = [node for nodes in lists for node in nodes]
            assert len(found) == len(set(found))
            assert set(found) == nodes or position == schedule.end
            for node in nodes:
                came = schedule.arrivals(node, position)
                assert len(came) + len(schedule.missing(node, position)) == schedule.needs(node)
            for node in (*moment.ready, *moment.done):
                assert not schedule.missing(node, position)
            if moment.now is not None:
                assert at_work(trace, position) == moment.now
            if trace.events[position - 1].kind is EventKind.NODE_RAN:
                assert moment.now == trace.events[position - 1].node
                previous = schedule.moment(position - 1)
                assert moment.now in (previous.now, *previous.ready[:1])


@pytest.mark.parametrize("seed", range(40))
def test_every_node_stands_in_one_place_and_the_queue_says_who_is_next(seed):
    holds_everywhere(ran(random_program(seed)))


@settings(max_examples=60, deadline=None)
@given(programs())
def test_the_same_for_any_program(program):
    session = Session(program)
    session.finish()
    holds_everywhere(session.trace)


def test_what_a_node_makes_and_what_retain_grad_keeps_for_it_are_its_work():
    trace = ran(
        "w = torch.tensor([1.], requires_grad=True)\na = w + 2\na.retain_grad()\nb = w + 1\ny = a * b\ny.backward()\n"
    )
    kept = positions(trace, EventKind.RETAINED)[0]
    assert trace.events[kept - 2].kind is EventKind.MADE
    assert [name(trace, at_work(trace, at)) for at in (kept - 2, kept - 1, kept, kept + 1)] == [
        "AddBackward0 4",
        "AddBackward0 2",
        "AddBackward0 2",
        "AddBackward0 2",
    ]


def test_before_the_first_node_and_after_the_last_none_is_at_work():
    trace, schedule = course()
    assert [at_work(trace, at) for at in (schedule.began, schedule.began + 1, schedule.end, len(trace))] == [None] * 4
    last = at_work(trace, schedule.end - 1)
    assert name(trace, last) == "AccumulateGrad"


def test_of_a_backward_of_too_many_steps_only_what_it_comes_to_is_recorded():
    source = read_source("import torch\n" + COURSE + "z = w * 2\nz.backward()\n")
    whole, brief = Session(source), Session(source, most_events=30)
    whole.finish()
    brief.finish()
    assert not whole.trace.in_brief
    assert len(brief.trace.in_brief) == 2
    assert not brief.trace.plans
    kinds = {event.kind for event in brief.trace.events}
    assert kinds.isdisjoint({EventKind.NODE_READY, EventKind.NODE_RAN, EventKind.FREED, EventKind.SUMMED})
    assert EventKind.ACCUMULATED in kinds
    for name in ("w", "y"):
        one, other = (trace.state().names[name] for trace in (whole.trace, brief.trace))
        assert (one.text, one.saved, one.grad and one.grad.short) == (
            other.text,
            other.saved,
            other.grad and other.grad.short,
        )
    began = min(brief.trace.in_brief)
    assert backward_at(brief.trace, began + 2) is None
