"""Histories of versions: who wrote, who saved, who read, and what a backward found."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import programs

from chalkgrad.session import Session
from chalkgrad.session.versions import Deed, History
from chalkgrad.source.read import read_source

START = ("w = torch.tensor([1., 2.], requires_grad=True)", "a = w * 2")
OVERWRITTEN = (*START, "y = a * a", "a.add_(1)", "y.sum().backward()")


def run(*lines: str) -> Session:
    session = Session(read_source("\n".join(["import torch", *lines])))
    session.finish()
    return session


def history(session: Session, name: str) -> History:
    return session.trace.versions.history(session.trace.state().names[name].number)


def told(session: Session, name: str) -> list[tuple[str, int, int]]:
    """What happened, in which line, and the version after it."""
    lines = session.program.lines
    return [(entry.deed.value, lines[entry.statement], entry.version) for entry in history(session, name).entries]


def names(session: Session, numbers) -> list[str]:
    return [session.trace.calling.name(number, len(session.trace))[0] for number in numbers]


def test_a_writer_ticks_the_counter_of_all_views_and_of_what_was_detached() -> None:
    session = run(*START, "v = a.view(2, 1)", "d = a.detach()", "a.add_(1)", "d.mul_(2)")
    for name in "avd":
        assert names(session, history(session, name).objects) == ["a", "v", "d"]
        assert told(session, name)[-2:] == [("wrote", 5, 1), ("wrote", 6, 2)]
    assert {session.trace.state().names[name].version for name in "avd"} == {2}


def test_clones_and_operators_have_a_counter_of_their_own() -> None:
    session = run(*START, "c = a.clone()", "y = a * 1", "c.add_(1)")
    assert names(session, history(session, "a").objects) == ["a"]
    assert told(session, "a") == [("made", 2, 0)]
    assert told(session, "c") == [("made", 3, 0), ("wrote", 5, 1)]


def test_a_write_through_data_is_told_and_does_not_count() -> None:
    session = run(*START, "a.data.add_(1)")
    assert told(session, "a") == [("made", 2, 0), ("bypassed", 3, 0), ("wrote unseen", 3, 0)]
    assert session.trace.state().names["a"].version == 0


def test_a_write_under_no_grad_counts() -> None:
    session = run("w = torch.tensor([1.], requires_grad=True)", "with torch.no_grad():", "    w.sub_(0.5)")
    assert told(session, "w") == [("made", 1, 0), ("wrote", 2, 1)]


def test_other_memory_given_by_data_is_no_write() -> None:
    session = run(*START, "b = torch.tensor([5., 6.])", "w.data = b", "w.data.add_(1)")
    counted = [entry for entry in told(session, "w") if entry[0] != "bypassed"]
    assert counted == [("made", 1, 0), ("moved", 4, 0), ("wrote unseen", 5, 0)]


def test_a_reader_finds_the_version_that_was_saved() -> None:
    session = run(*START, "y = a * a", "y.sum().backward()")
    assert told(session, "a") == [("made", 2, 0), ("saved", 3, 0), ("read", 4, 0), ("freed", 4, 0)]
    saved = history(session, "a").entries[1]
    assert sorted(saved.names) == ["other", "self"]
    assert session.trace.nodes[saved.node].name == "MulBackward0"


def test_a_result_that_was_saved_has_its_saver() -> None:
    session = run(*START, "y = a.exp()", "y.sum().backward()")
    assert ("saved", 3, 0) in told(session, "y")
    assert history(session, "y").entries[1].names == ("result",)


def test_values_changed_past_the_counter_are_read_unnoticed() -> None:
    session = run(*START, "y = (a * a).sum()", "y.backward(retain_graph=True)", "a.data.add_(1)", "y.backward()")
    assert [deed for deed, _, _ in told(session, "a") if deed.startswith("read")] == ["read", "read other values"]
    assert not session.trace.state().problems


def test_a_conflict_names_writer_saver_and_reader() -> None:
    session = run(*OVERWRITTEN)
    problem = session.trace.state().problems[0]
    conflict = session.trace.versions.conflict(problem.position)
    lines = session.program.lines
    assert conflict is not None
    assert [(lines[entry.statement], entry.version) for entry in conflict.writers] == [(4, 1)]
    assert (lines[conflict.saver.statement], conflict.saver.version) == (3, 0)
    assert (lines[conflict.reader.statement], conflict.reader.version, conflict.reader.saved) == (5, 1, 0)
    assert names(session, conflict.history.objects) == ["a"]


def test_only_writes_between_the_saving_and_the_reading_are_to_blame() -> None:
    session = run(
        *START, "a.add_(1)", "y = a * a", "v = a.view(2, 1)", "v.mul_(2)", "a.data.add_(1)", "y.sum().backward()"
    )
    problem = session.trace.state().problems[0]
    conflict = session.trace.versions.conflict(problem.position)
    assert conflict is not None
    assert [session.program.lines[entry.statement] for entry in conflict.writers] == [6]
    assert (conflict.saver.version, conflict.reader.version) == (1, 2)
    assert [session.program.lines[id_] for id_ in problem.at_fault] == [6, 4]  # not the write that does not count


@pytest.mark.parametrize(
    "line", ["y.sum().backward()\ny.sum().backward()", "torch.ones(2).backward()", "w.view(3)", "y = a @ torch.ones(3)"]
)
def test_other_errors_are_no_conflicts(line: str) -> None:
    session = run(*START, "y = a * a", *line.split("\n"))
    problem = session.trace.state().problems[-1]
    assert session.trace.versions.conflict(problem.position) is None


def test_passes_are_told_apart() -> None:
    session = run(
        "w = torch.tensor([1.], requires_grad=True)",
        *("for step in range(2):", "    y = (w * w).sum()", "    y.backward()"),
        *("    with torch.no_grad():", "        w.sub_(0.1)"),
    )
    wrote = [entry for entry in history(session, "w").entries if entry.deed is Deed.WROTE]
    assert [(entry.pass_, entry.version) for entry in wrote] == [(0, 1), (1, 2)]
    saved = [entry.version for entry in history(session, "w").entries if entry.deed is Deed.SAVED]
    assert saved == [0, 1]


@given(programs())
def test_a_history_ends_with_the_version_that_the_tensor_has(program) -> None:
    session = Session(program)
    session.finish()
    trace = session.trace
    for position in {len(trace) // 2, len(trace)}:
        for tensor in trace.state(position).names.values():
            found = trace.versions.history(tensor.number)
            assert found.version(position) == tensor.version
            assert all(
                one.position <= other.position for one, other in zip(found.entries, found.entries[1:], strict=False)
            )
