"""A session that stops at the first failed statement, as a script does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalkgrad.program import edits, files
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.session.state import Status
from chalkgrad.source.read import read_source

SCRIPT = """import torch
w = torch.tensor([1.], requires_grad=True)
w.add_(1)
y = w * w
print(w)
"""


def statuses(stops: bool) -> list[tuple[Status, int | None]]:
    """What became of each line, and the line that kept it from running."""
    session = Session(replace(read_source(SCRIPT), stops=stops))
    session.finish()
    state = session.trace.state()
    lines = [state.statements[id_] for id_ in session.program.order]
    return [(line.status, line.blocked_by) for line in lines]


def test_a_session_that_stops_reaches_nothing_after_a_failure() -> None:
    failed = read_source(SCRIPT).order[1]
    assert [status for status, _ in statuses(True)[:2]] == [Status.OK, Status.FAILED]
    assert statuses(True)[2:] == [(Status.NOT_REACHED, failed)] * 2


def test_a_session_goes_on_unless_told_to_stop() -> None:
    assert [status for status, _ in statuses(False)] == [Status.OK, Status.FAILED, Status.OK, Status.OK]


def test_going_on_is_an_edit_that_can_be_undone() -> None:
    program = replace(read_source(SCRIPT), stops=True)
    change = edits.set_stops(program, False)
    session = Session(program)
    session.finish()
    session.update(program.apply(change))
    session.finish()
    state = session.trace.state()
    assert state.statements[program.order[-1]].status is Status.OK
    assert program.apply(change).apply(change.inverse()) == program


def test_a_file_keeps_that_a_script_stops() -> None:
    sheet = Sheet(replace(read_source(SCRIPT), stops=True))
    assert files.load(files.save(sheet)) == sheet
    assert "stops_at_error" not in files.save(Sheet(read_source(SCRIPT)))
    with pytest.raises(files.FileError, match="stops_at_error"):
        files.load(files.save(sheet).replace('"stops_at_error": true', '"stops_at_error": 1'))
