"""A monkey at the window: drags, wires, types, deletes, undoes, pastes, zooms, closes and opens, all by real events.

    python tests/support/monkey.py --actions 10000 --seed 7
    python tests/support/monkey.py --again FAULT.json

Whatever it does, nothing may raise, Qt may not complain, the canvas has to show what the document says, undo and files
may not lose anything, and nothing may be left of a window that was closed. Where something is wrong, what led there is
written to a file; done again from there it is made as short as it gets.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from support.monkey_acts import Monkey
from support.monkey_checks import (
    Complaints,
    check_file,
    check_picture,
    check_pixels,
    check_text,
    check_undo,
    owned,
)
from support.monkey_faults import LONGEST, Before, Fault, before, bring_back, fault_of
from support.monkey_panels import check_panels

from chalkgrad.source import emit

CHECKS = {check_picture: 5, check_pixels: 20, check_panels: 50, check_file: 50, check_text: 50, check_undo: 500}
"""How many actions lie between two looks."""
NOW = 10
"""After so many actions one looks at the present again: in the past there is less to compare with."""
LIFE = 1000
"""How many actions lie between two looks at what a window and the whole process own."""
ROUNDS, ACTS = 4, 25
"""So many times the same acts are done to see whether what a window owns grows each time; twice as often if so."""
MORE = 10
"""So many more objects than after a window's first life there may be without one: some are made when first used."""


class Closer(QTimer):
    """Closes dialogs and menus that go on waiting for somebody."""

    def __init__(self) -> None:
        super().__init__(QApplication.instance())
        self._seen: QWidget | None = None
        self.timeout.connect(self._close)
        self.start(100)

    def _close(self) -> None:
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if waiting is not None and waiting is self._seen:
            waiting.close()
        self._seen = waiting


def run(actions: int, seed: int, report: Callable[[str], None] = print) -> Fault | None:
    """Let a monkey do so many things; what went wrong is reported, with what led there."""
    started = time.monotonic()
    least: collections.Counter[str] = collections.Counter()
    recent: deque[Before] = deque(maxlen=LONGEST)
    with at_the_window(seed) as (monkey, complaints):
        for number in range(1, actions + 1):
            recent.append(before(number, monkey.window.document))
            try:
                do(monkey, seed, number)
                if number % LIFE == 0:
                    least = least or monkey.left
                    assert monkey.left.total() <= least.total() + MORE, f"left over are {monkey.left - least}"
            except Exception:
                complaints.found.append(traceback.format_exc())
            if complaints.found:
                report(f"seed {seed}, action {number}:\n" + "\n".join(complaints.found))
                report("what it did last:\n  " + "\n  ".join(monkey.done[-12:]))
                report(f"before the last act:\n{emit.program_text(recent[-1].sheet.program)}")
                return fault_of(seed, recent)
            if number % 500 == 0:
                objects = f"{monkey.left.total()} objects without a window"
                report(f"{number} actions, {time.monotonic() - started:.0f} s, {objects}")
        monkey.close()
    report(f"seed {seed}: {actions} actions without a complaint")
    return None


def replay(seed: int, sheet: str, numbers: Sequence[int], steps: str, report: Callable[[str], None] = print) -> bool:
    """Do some acts again, in a new window with a sheet and its undo steps; True when something went wrong."""
    with at_the_window(seed) as (monkey, complaints):
        path = monkey.folder / "before.chalk"
        path.write_text(sheet, encoding="utf-8")
        monkey.window.filing.load(path)
        bring_back(monkey.window.document, steps)
        try:
            for number in numbers:
                do(monkey, seed, number)
            for check in CHECKS:
                monkey.settle()
                check(monkey.window)
        except Exception:
            complaints.found.append(traceback.format_exc())
        report("\n".join((*complaints.found, "what it did:", *monkey.done)))
        return bool(complaints.found)


@contextmanager
def at_the_window(seed: int) -> Iterator[tuple[Monkey, Complaints]]:
    """A monkey with a window and a folder of its own, and the complaints while it lasts."""
    QApplication.setCursorFlashTime(0)
    with Complaints() as complaints, tempfile.TemporaryDirectory() as folder:
        monkey = Monkey(random.Random(seed), Path(folder))
        closer = Closer()
        yield monkey, complaints
        closer.stop()
        QApplication.clipboard().clear()  # without a screen Qt keeps what Python made until Python is gone


def do(monkey: Monkey, seed: int, number: int) -> None:
    """One act, and a look; now and then a new window. Its number tells what it does, whatever was done before."""
    monkey.chance = random.Random(f"{seed}/{number}")
    monkey.act()
    look(monkey, number)
    if number % LIFE == 0:
        check_level(monkey)
        monkey.reopen()


def look(monkey: Monkey, number: int) -> None:
    """Look at what is due after so many actions."""
    if number % NOW == 0:
        monkey.window.document.back_to_now()
    for check, pause in CHECKS.items():
        if number % pause == 0:
            monkey.settle()
            check(monkey.window)


def check_level(monkey: Monkey) -> None:
    """The same acts done again and again leave a window that owns no more each time.

    What is made when it is first wanted is made in the first rounds; what is left over grows with every one.
    """
    seed, chance = monkey.chance.random(), monkey.chance
    owns: list[collections.Counter[str]] = []
    growing: set[str] = set()
    for number in range(1, 2 * ROUNDS + 1):
        monkey.chance = random.Random(seed)
        for _ in range(ACTS):
            monkey.act(reopens=False)
        monkey.empty()
        owns.append(owned(monkey.window))
        if number >= ROUNDS:
            growing = {name for name in owns[-1] if all(a[name] < b[name] for a, b in itertools.pairwise(owns))}
            if not growing:
                break
    monkey.chance = chance
    assert not growing, f"each round leaves more: { {name: [own[name] for own in owns] for name in growing} }"


def main() -> int:
    """The command line; 1 when something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--actions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, metavar="FAULT.json", help="make what led to a fault as short as it gets")
    parser.add_argument("--replay", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.again is not None:
        print(Fault.read(given.again).shrunk([sys.executable, __file__, "--replay"]))
        return 1
    with tempfile.TemporaryDirectory() as home:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, home)
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = os.environ["XDG_STATE_HOME"] = home
        from chalkgrad_app.application import application

        application()
        if given.replay:
            return int(replay(*json.load(sys.stdin)))
        fault = run(given.actions, given.seed)
    if fault is not None:
        print(f"what led there: {fault.write()}")
    return int(fault is not None)


if __name__ == "__main__":
    raise SystemExit(main())
