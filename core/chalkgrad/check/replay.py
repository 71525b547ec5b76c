"""A program run once more with one element of one tensor moved a little, and what its backwards then start from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from chalkgrad.engine import generator, messages
from chalkgrad.engine.graph import TensorBase, requires_grad_of
from chalkgrad.engine.graph import state as engine_state
from chalkgrad.program.statement import DIFFERENTIATING, Kind, Operand, Statement
from chalkgrad.session import Session
from chalkgrad.session.calls import as_tensor
from chalkgrad.session.interpret import WEIGHTS, Interpreter
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.state import TensorState
from chalkgrad.session.tables import Tables


class Replay:
    """One run of the program of ``base`` with element ``place`` of object ``number`` moved by ``move``.

    What autograd takes for constant is set back after each statement to what it was in ``base``.
    """

    def __init__(self, base: Session, number: int, place: int, move: float) -> None:
        self._base = base
        self._number = number
        self._place = place
        self._move = move
        self._interpreter = Interpreter(base.program, Recorder(Tables()))
        self._random = generator.Generator()
        self._modes = (True, False)
        self.sums: dict[int, float] = {}
        """For each backward that has run, the number it differentiates: its roots, weighted and summed up."""

    def finish(self) -> Mapping[int, float]:
        """Run all of it."""
        for _ in self.steps():
            pass
        return self.sums

    def steps(self) -> Iterator[None]:
        """Run it statement by statement; between them the engine is as it was."""
        for statement in self._base.program:
            with self._apart():
                self._run(statement)
            yield

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """While it lasts, grad mode, random stream and warnings are this run's, and nobody observes."""
        outside = engine_state.grad, engine_state.inference, engine_state.observer, engine_state.warned
        (engine_state.grad, engine_state.inference), engine_state.observer = self._modes, None
        engine_state.warned = {*engine_state.warned, messages.CREATE_GRAPH}
        engine_state.look_again()
        generator.swap_default(self._random)
        try:
            yield
        finally:
            generator.swap_default(self._random)
            self._modes = engine_state.grad, engine_state.inference
            engine_state.grad, engine_state.inference, engine_state.observer, engine_state.warned = outside
            engine_state.look_again()

    def _run(self, statement: Statement) -> None:
        try:
            if statement.kind in DIFFERENTIATING:
                self.sums[statement.id] = self._differentiated(statement)
            if statement.kind not in (Kind.PRINT, Kind.COMMENT):
                for _ in self._interpreter.run(statement) or ():
                    pass
        except Exception:  # it failed in the unmoved run too, and what it did before it failed stands
            pass
        self._settle(statement)

    def _differentiated(self, statement: Statement) -> float:
        alone = statement.kind is Kind.GRAD or len(statement.operands) == 1
        first: Operand = statement.operands[0] if alone else statement.operands
        found = self._interpreter.value(first)
        roots = found if isinstance(found, list) else [found]
        option: Operand = next((value for name, value in statement.options if name in WEIGHTS), None)
        given = as_tensor(self._interpreter.value(option))
        weights = given if isinstance(given, list) else [given] * len(roots)
        total = 0.0
        for root, weight in zip(roots, weights, strict=True):
            if isinstance(root, TensorBase):
                factor = weight.array if isinstance(weight, TensorBase) else 1.0
                total += float(np.sum(root.array * factor))
        return total

    def _settle(self, statement: Statement) -> None:
        """Set what is constant to autograd back to what it was, and the moved tensor to where it was moved."""
        state = self._base.trace.state(self._base.trace.end_of(statement.id))
        touched = {statement.id, *(ref.statement for ref in statement.refs())}
        if statement.kind is Kind.AGAIN:
            touched.update(self._base.program.again(statement.id))
        if statement.kind in (Kind.BACKWARD, Kind.UPDATE):
            touched.update(id_ for id_, _ in self._interpreter.scope.values)
        for id_, output in list(self._interpreter.scope.values):
            tensor = self._interpreter.scope.values[id_, output]
            if id_ in touched and isinstance(tensor, TensorBase):
                was = state.tensor(id_, output)
                if was is not None:
                    self._move_computed(statement, tensor, was)
                    self._set_back(tensor, was)

    def _move_computed(self, statement: Statement, tensor: TensorBase, was: TensorState) -> None:
        """Move a computed tensor as soon as it is there; its memory may be shared, so it gets some of its own."""
        number = self._number
        if was.number == number and tensor.node is not None and self._base.trace.made_by(number) == statement.id:
            value = np.array(tensor.array)
            value.ravel()[self._place] += self._move
            tensor.array = value

    def _set_back(self, tensor: TensorBase, was: TensorState) -> None:
        grad = None if tensor.meta is None else tensor.meta.grad
        if grad is not None and was.grad is not None:
            self._set_back(grad, was.grad)
        if tensor.node is not None or was.value is None:
            return
        value = was.value
        if was.number == self._number:
            value = value.copy()
            value.ravel()[self._place] += self._move
        if np.array_equal(tensor.array, value, equal_nan=value.dtype.kind == "f"):
            return
        if requires_grad_of(tensor):
            np.copyto(tensor.array, value)
        else:
            # It may share memory with what is not constant (y.detach()), so it gets memory of its own.
            tensor.array = value.copy()
