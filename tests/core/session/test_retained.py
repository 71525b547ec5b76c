"""What a graph retains: every saved value, its memory and its end, as PyTorch has them."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from strategies import programs as random_programs
from tests.core.session.programs import Course

from chalkgrad.session import Session
from chalkgrad.session.retained import Fate, Keeping
from chalkgrad.source.read import read_source

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "torch" / "memory.json").read_text(encoding="utf-8"))


def run(*lines: str) -> Session:
    session = Session(read_source("\n".join(["import torch", *lines])))
    session.finish()
    return session


def by_storage(saved) -> list[list[tuple[object, ...]]]:
    """Saved values as tuples, those in one storage together, in an order that doesn't depend on who asks."""
    groups = defaultdict(list)
    for storage, *facts in saved:
        groups[storage].append(tuple(facts))
    return sorted(sorted(group) for group in groups.values())


@pytest.mark.parametrize("program", RECORDED["programs"], ids=lambda program: "; ".join(program["lines"][1:]))
def test_what_is_saved_and_what_is_kept_at_the_end_is_what_pytorch_saves_and_keeps(program) -> None:
    trace = run(*program["lines"]).trace
    # PyTorch shows its hooks no Python numbers
    ours = [entry for entry in trace.retained.entries() if entry.number is not None]
    found = [
        (
            *(entry.storage, tuple(entry.array.shape), entry.array.dtype.name, entry.nbytes, entry.version),
            entry.fate(len(trace)) is Fate.KEPT,
        )
        for entry in ours
    ]
    keys = ("storage", "shape", "dtype", "bytes", "version", "kept")
    wanted = [tuple(tuple(s[key]) if key == "shape" else s[key] for key in keys) for s in program["saved"]]
    assert by_storage(found) == by_storage(wanted)


def test_the_sums_count_each_storage_once() -> None:
    trace = run("w = torch.ones(4, requires_grad=True)", "a = w * w", "b = a * w", "y = b.sum()").trace
    total = trace.retained.total(len(trace))
    assert total.now == 32  # w saved three times, a once: two storages of 16 bytes
    assert total.peak == 32


def test_a_view_retains_the_whole_storage() -> None:
    trace = run("w = torch.ones(100, requires_grad=True)", "a = w * 1.0", "y = a[0] * a[1]").trace
    entries = [entry for entry in trace.retained.entries() if entry.name == "self"]
    assert [entry.nbytes for entry in entries] == [4]
    assert trace.retained.storage_bytes(entries[0].storage) == 400
    assert trace.retained.total(len(trace)).now == 400 + 8  # and the number, as PyTorch keeps it


def test_the_sums_follow_the_position_and_know_their_peak() -> None:
    session = run(
        "w = torch.ones(4, requires_grad=True)", "a = w * w", "y = a.exp().sum()", "y.backward()", "z = w * 1"
    )
    trace, ends = session.trace, [session.trace.end_of(id_) for id_ in session.program.order]
    sums = [trace.retained.total(end).now for end in ends]
    assert sums[0] == 0
    assert max(sums) == 32
    assert sums[-2] == 0
    assert trace.retained.total(ends[0]).peak == 32
    assert trace.line_at(trace.retained.total(0).peak_at) in session.program.order[2:4]


@pytest.mark.parametrize("keep", [False, True])
def test_what_another_retain_graph_would_have_kept_is_what_it_keeps(keep: bool) -> None:
    def lines(option: bool) -> tuple[str, ...]:
        return (
            *("w = torch.ones(4, requires_grad=True)", "a = w * w", "b = a.exp()", "y = b.sum()"),
            f"y.backward(retain_graph={option})",
            "c = b * 2",
        )

    ran, wanted = run(*lines(not keep)).trace, run(*lines(keep)).trace
    as_if = ran.retained.total(len(ran), Keeping.ALWAYS if keep else Keeping.NEVER)
    real = wanted.retained.total(len(wanted))
    assert (as_if.now, as_if.peak) == (real.now, real.peak)
    assert real.now != ran.retained.total(len(ran)).now


def test_storages_tell_who_shows_them_and_what_is_saved_of_them() -> None:
    session = run("w = torch.ones(4, requires_grad=True)", "v = w.view(2, 2)", "y = (v * v).sum()", "y.backward()")
    trace = session.trace

    def shown(position: int) -> dict[str, list[str]]:
        return {
            ", ".join(trace.calling.name(number, position)[0] for number in use.holders): [e.name for e in use.entries]
            for use in trace.retained.storages(position)
        }

    assert shown(trace.end_of(session.program.order[-2])) == {"w, v": ["other", "self"], "y": []}
    assert shown(len(trace)) == {"w, v": [], "y": [], "w.grad": []}


def test_the_line_that_freed_and_the_line_that_dropped_are_known() -> None:
    session = run("w = torch.ones(4, requires_grad=True)", "a = w.exp()", "a.sum().backward()", "b = w.exp()", "del b")
    retained, lines = session.trace.retained, session.program.lines
    freed, dropped = retained.entries()
    assert freed.fate(len(session.trace)) is Fate.FREED
    assert lines[retained.freed_by(freed)] == 3
    assert dropped.fate(len(session.trace)) is Fate.DROPPED
    assert lines[retained.dropped_by(dropped)] == 5
    assert dropped.fate(dropped.dropped - 1) is Fate.KEPT


def test_what_happens_later_is_taken_in() -> None:
    session = Session(read_source("import torch\nw = torch.ones(4, requires_grad=True)\na = w.exp()\nb = a.exp()\n"))
    seen = []
    while not session.advance(0):
        seen.append(len(session.trace.retained.entries()))
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert len(session.trace.retained.entries()) == 2


def test_running_forward_again_drops_what_the_first_pass_had_saved() -> None:
    course = Course()
    course.backward(course.y, retain_graph=True)
    course.again(course.y)
    session = Session(course.program)
    session.finish()
    trace = session.trace
    end = len(trace)
    fates = [(trace.nodes[entry.node].pass_, entry.fate(end)) for entry in trace.retained.entries()]
    assert fates == [(0, Fate.DROPPED)] * 2 + [(1, Fate.KEPT)] * 2
    assert trace.retained.total(end).now == 8


def test_a_loop_keeps_the_graph_of_its_last_round_alone() -> None:
    session = run(
        *("w = torch.ones(4, requires_grad=True)", "for step in range(3):", "    y = w.exp()"),
    )
    trace = session.trace
    assert [entry.fate(len(trace)) for entry in trace.retained.entries()] == [Fate.DROPPED] * 2 + [Fate.KEPT]
    assert trace.retained.total(len(trace)).peak == 32  # the new one is made before the name lets go of the old


@given(random_programs())
def test_sums_and_rows_agree_at_every_moment(program) -> None:
    session = Session(program)
    session.finish()
    trace, retained = session.trace, session.trace.retained
    for position in {0, len(trace) // 3, len(trace) // 2, len(trace)}:
        kept = {entry.storage for entry in retained.at(position) if entry.fate(position) is Fate.KEPT}
        total = retained.total(position)
        assert total.now == sum(retained.storage_bytes(storage) for storage in kept)
        assert {use.storage for use in retained.storages(position) if use.entries} == kept
        never, always = (retained.total(position, keeping) for keeping in (Keeping.NEVER, Keeping.ALWAYS))
        assert never.now <= total.now <= always.now
        assert total.now <= total.peak <= always.peak
