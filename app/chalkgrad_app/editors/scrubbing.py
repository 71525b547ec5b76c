"""Scrubbing: a number of the program is changed while everything that depends on it is worked out live.

All steps of one scrub are one undo step. At most one run is in flight: while the program still runs, only the newest
number is remembered, and it is written when the run has come to its end.
"""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QObject, Qt

from chalkgrad.program import edits
from chalkgrad.program.statement import Kind, Operand, Statement
from chalkgrad_app.document import Document, new_gesture

COARSE, FINE = 10.0, 0.1
Number = int | float


def number_in(statement: Statement, port: int | None = None) -> Number | None:
    """The number that can be scrubbed: of a leaf of one element, or in a port; None where there is none."""
    if port is not None:
        ports = statement.ports()
        operand: Operand = ports[port] if port < len(ports) else None
    elif statement.kind is Kind.LEAF and statement.call == "tensor" and statement.operands:
        operand = statement.operands[0]
        while isinstance(operand, tuple) and len(operand) == 1:
            operand = operand[0]
    else:
        return None
    is_number = isinstance(operand, int | float) and not isinstance(operand, bool)
    return operand if is_number and math.isfinite(operand) else None  # type: ignore[arg-type, return-value]


def with_number(statement: Statement, port: int | None, value: Number) -> Statement:
    """The statement with another number there."""
    if port is not None:
        return statement.with_port(port, value)
    first, *rest = statement.operands
    return replace(statement, operands=(_nested(first, value), *rest))


def step_of(value: Number) -> float:
    """The step that suits a number's size: 0.1 for 1 and less, 1 for 50; 1 for every whole number."""
    if isinstance(value, int):
        return 1.0
    return float(10.0 ** (math.floor(math.log10(max(abs(value), 1.0))) - 1))


def scale_of(keys: Qt.KeyboardModifier) -> float:
    """How much faster a number changes: ten times with Shift, a tenth with Alt."""
    if keys & Qt.KeyboardModifier.ShiftModifier:
        return COARSE
    return FINE if keys & Qt.KeyboardModifier.AltModifier else 1.0


def rounded(value: float, start: Number) -> Number:
    """``value`` without noise in its last digits, and whole where ``start``, from where it was reached, is whole."""
    if isinstance(start, int):
        return round(value)
    return round(value, max(0, 3 - math.floor(math.log10(step_of(start) * 10))))


def stepped(value: Number, steps: int, keys: Qt.KeyboardModifier) -> Number:
    """The number so many steps on, as arrow keys and wheel go."""
    size = step_of(value) * scale_of(keys)
    return rounded(value + steps * (max(size, 1.0) if isinstance(value, int) else size), value)


class Scrub(QObject):
    """One scrub of one number."""

    def __init__(self, document: Document, id_: int, port: int | None, label: str, gesture: int = 0) -> None:
        super().__init__(document)
        self._document = document
        self._id = id_
        self._port = port
        self._label = label
        self._gesture = gesture or new_gesture()
        self.start: Number = number_in(document.program[id_], port) or 0
        self._wanted: Number | None = None
        document.finished.connect(self._write)
        document.is_scrubbed = True

    @property
    def value(self) -> Number:
        """The newest number wanted, written or not."""
        if self._wanted is not None:
            return self._wanted
        statement = self._document.program.statements.get(self._id)
        found = None if statement is None else number_in(statement, self._port)
        return self.start if found is None else found

    def to(self, value: Number) -> None:
        """Go to a number, now or as soon as the run that goes on is over."""
        self._wanted = value
        if not self._document.is_running:
            self._write()

    def end(self) -> None:
        """Keep the newest number."""
        self._write()
        self._let_go()

    def cancel(self) -> None:
        """Put back the number that was there before."""
        self._wanted = self.start
        self.end()

    def _write(self) -> None:
        """Write the number wanted, unless its place is gone: another edit may come while one scrubs."""
        wanted, self._wanted = self._wanted, None
        program = self._document.program
        if wanted is None or self._id not in program or number_in(program[self._id], self._port) is None:
            return
        made = with_number(program[self._id], self._port, wanted)
        self._document.do(edits.put(program, made), self._label, self._gesture)

    def _let_go(self) -> None:
        self._document.finished.disconnect(self._write)
        self._document.is_scrubbed = False
        self.deleteLater()


def _nested(operand: Operand, value: Number) -> Operand:
    """``value`` in as many lists as it stood in."""
    return (_nested(operand[0], value),) if isinstance(operand, tuple) else value
