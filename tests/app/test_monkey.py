"""A monkey at the window, steered by hypothesis; and the same thing done and undone a thousand times."""

from __future__ import annotations

import gc
import random
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from support.hands import process
from support.monkey import Closer
from support.monkey_acts import Monkey
from support.monkey_checks import Complaints, check_file, check_picture, check_pixels, check_text, check_undo, unlike
from support.monkey_faults import Fault, before, bring_back, fault_of

from chalkgrad.program import files
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.document import Document

ROUNDS = 1000
BOUNDED = settings(
    max_examples=5,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


class MonkeyAtTheWindow(RuleBasedStateMachine):
    """Any acts in any order; what is true after each, and at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.complaints = Complaints()
        self.complaints.__enter__()
        self.closer = Closer()
        self.monkey = Monkey(random.Random(0), Path(self.folder.name))

    @rule(seed=st.integers(0, 2**16), acts=st.integers(1, 3))
    def act(self, seed: int, acts: int) -> None:
        """Some acts; a seed tells what they are, so that little is drawn."""
        self.monkey.chance = random.Random(seed)
        for _ in range(acts):
            self.monkey.act()

    @invariant()
    def shows_the_document(self) -> None:
        """The picture is that of the document, and nobody complained."""
        self.monkey.settle()
        check_picture(self.monkey.window)
        assert not self.complaints.found, "\n".join([*self.complaints.found, *self.monkey.done])

    def teardown(self) -> None:
        """What was painted, what undo brings back, what a file and the text keep; then the window is closed."""
        try:
            for check in (check_pixels, check_file, check_text, check_undo, check_picture):
                check(self.monkey.window)
            self.monkey.close()
            assert not self.complaints.found, "\n".join(self.complaints.found)
        finally:
            self.closer.stop()
            self.closer.deleteLater()
            self.complaints.__exit__()
            self.folder.cleanup()


@pytest.mark.usefixtures("looks")
def test_a_sheet_that_comes_back_from_text_is_the_same_with_nan_in_it_and_no_other_is():
    def kept(value: str):
        return files.load(files.save(Sheet(read_source(f"import torch\nx = torch.tensor([{value}, 1.])\n"))))

    assert kept("float('nan')").program != kept("float('nan')").program, "nan is no nan"
    assert unlike(kept("float('nan')"), kept("float('nan')")) == []
    assert unlike(kept("float('nan')"), kept("2.")) != []


def test_a_monkey_finds_nothing_wrong() -> None:
    run_state_machine_as_test(MonkeyAtTheWindow, settings=BOUNDED)


def test_a_thousand_deletes_and_undos(course) -> None:
    document, canvas = course.document, course.canvas
    sheet = document.sheet
    chance = random.Random(4)
    gc.collect()
    gc.freeze()  # what is there by now need not be looked at a thousand times
    try:
        with Complaints() as complaints:
            for _ in range(ROUNDS):
                document.select(chance.sample(sheet.program.order, chance.randint(1, 4)))
                QTest.keyClick(canvas, Qt.Key.Key_Delete)
                process()
                gc.collect()
                assert len(document.program.order) < len(sheet.program.order)
                document.undo_stack.undo()
                process()
                gc.collect()
                assert document.sheet == sheet
    finally:
        gc.unfreeze()
    assert not complaints.found
    check_pixels(canvas.window())


def test_what_led_to_a_fault_is_made_as_short_as_it_gets() -> None:
    happens = "import json, sys; acts = json.load(sys.stdin)[2]; print(acts); sys.exit({83, 96} <= set(acts))"
    fault = Fault(5, 100, {96: "later", 76: "sooner", 1: "first"}, dict.fromkeys((96, 76, 1), ""))
    told = fault.shrunk([sys.executable, "-c", happens])
    assert told.startswith("seed 5, acts [83, 96] on\nsooner\n")
    never = "import sys; sys.exit(0)"
    assert fault.shrunk([sys.executable, "-c", never]).startswith("It does not happen again")


def test_what_led_to_a_fault_is_undone_where_it_is_done_again(course) -> None:
    document = course.document
    sheets = [document.sheet]
    for id_ in document.program.order[-2:]:
        document.delete([id_])
        sheets.append(document.sheet)
    document.undo_stack.undo()
    fault = fault_of(1, [before(1, document)])
    again = Document(files.load(fault.sheets[1]))
    bring_back(again, fault.steps[1])
    stack = again.undo_stack
    assert (stack.index(), stack.count(), again.sheet.program) == (1, 2, sheets[1].program)
    stack.undo()
    assert (again.sheet.program, again.board.places) == (sheets[0].program, sheets[0].board.places)
    stack.setIndex(2)
    assert again.sheet.program == sheets[2].program
