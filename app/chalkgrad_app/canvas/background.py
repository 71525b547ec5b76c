"""A layout that is worked out by another process: ours or Graphviz's, fed in slices, with a time limit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QStandardPaths, QTimer, Signal

from chalkgrad.layout import Drawing, Task, graphviz, task
from chalkgrad.stepwise import Stepwise
from chalkgrad_app import settings
from chalkgrad_app.running_sheet import SLICE_MS
from chalkgrad_app.widgets.turns import turn

GRAPHVIZ = ("graphviz-pure", "dot")
"""Programs that speak its language, the better one first."""
GRAPHVIZ_LIMIT_MS = 20_000
LIMIT_MS = 300_000
OURS = ("-P", "-m", "chalkgrad.layout")
"""What Python is told; without ``-P`` it would look for modules in the folder where one is, among others' files."""


class Engine(NamedTuple):
    """A program that lays out: how it is started, what it is told, how its answer is read (ValueError: not at all)."""

    program: str
    arguments: Sequence[str]
    written: Callable[[Task], Iterator[str]]
    read: Callable[[str, Task], Drawing]
    limit_ms: int = LIMIT_MS


def engines(wanted: Task) -> list[Engine]:
    """Who may lay out a task, the first choice first."""
    found = [Engine(sys.executable, OURS, task.written, task.decode_drawing)]
    least = settings.GRAPHVIZ_FROM.get()
    if 0 < least <= len(wanted.nodes) and graphviz.can_draw(wanted):
        program = next(filter(None, map(QStandardPaths.findExecutable, GRAPHVIZ)), "")
        if program:
            found.insert(0, Engine(program, graphviz.ARGUMENTS, graphviz.written, graphviz.read, GRAPHVIZ_LIMIT_MS))
    return found


class Background(QObject):
    """Works out one drawing. The GUI thread only writes the task and reads the answer, a slice at a time."""

    progressed = Signal(int)  # per cent
    done = Signal(object, object)  # a Task and its Drawing
    failed = Signal()

    def __init__(self, gathering: Stepwise[Task], parent: QObject) -> None:
        super().__init__(parent)
        self._gathering = gathering
        self._task = Task((), ())
        self._engines: list[Engine] = []
        self._lines: Iterator[str] | None = None
        self._process = QProcess(self)
        self._process.setProcessEnvironment(_environment())
        self._process.readyReadStandardError.connect(self._on_words)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._gave_way = False
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._on_slice)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.timeout.connect(self._process.kill)
        self._slices.start(0)

    def cancel(self) -> None:
        """Stop working; nothing is told any more."""
        self._slices.stop()
        self._limit.stop()
        self._process.finished.disconnect(self._on_finished)
        self._process.errorOccurred.disconnect(self._on_error)
        self._process.kill()
        self._process.waitForFinished(100)
        self.deleteLater()

    # ------------------------------------------------------------ inside

    def _on_slice(self) -> None:
        """Look at the picture, then write the task, for as long as a slice lasts.

        Nobody waits for it as for what others do in this turn of the event loop: it gives way, but not twice in a row.
        """
        self._gave_way = turn().is_over() and not self._gave_way
        if self._gave_way:
            return
        end = perf_counter() + SLICE_MS / 1000
        while perf_counter() < end:
            try:
                self._step()
            except StopIteration as last:
                if self._lines is None:
                    self._task = last.value
                    self._engines = engines(self._task)
                    self._try_next()
                else:
                    self._slices.stop()
                    self._process.closeWriteChannel()
                return

    def _step(self) -> None:
        if self._lines is None:
            next(self._gathering)
        else:
            self._process.write((next(self._lines) + "\n").encode())

    def _try_next(self) -> None:
        """Start the next engine, or say that there is none left."""
        if not self._engines:
            self._slices.stop()
            self.failed.emit()
            self.deleteLater()
            return
        engine = self._engines[0]
        self._lines = engine.written(self._task)
        self._process.start(engine.program, list(engine.arguments))
        self._limit.start(engine.limit_ms)
        self._slices.start(0)

    def _on_words(self) -> None:
        words = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").split()
        if words and words[-1].isdecimal():
            self.progressed.emit(min(int(words[-1]), 100))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._on_finished(1, QProcess.ExitStatus.CrashExit)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        """Read the drawing; without one the next engine has its turn."""
        self._slices.stop()
        self._limit.stop()
        engine = self._engines.pop(0)
        answer = bytes(self._process.readAllStandardOutput().data()).decode("utf-8", "replace")
        try:
            if code or status != QProcess.ExitStatus.NormalExit:
                raise ValueError(code)
            drawing = engine.read(answer, self._task)
        except (ValueError, KeyError, IndexError, TypeError):
            self._try_next()
            return
        self.done.emit(self._task, drawing)
        self.deleteLater()


def _environment() -> QProcessEnvironment:
    """The environment of this process, in which Python finds the same packages."""
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    return environment
