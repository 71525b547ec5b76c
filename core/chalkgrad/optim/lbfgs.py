"""LBFGS: steps by an estimate of the curvature from the last gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.inplace import overwrite
from chalkgrad.engine.modes import enable_grad, no_grad
from chalkgrad.optim.elementwise import check_common, value_of
from chalkgrad.optim.line_search import LineSearch, Point
from chalkgrad.optim.optimizer import Optimizer

Array = np.ndarray
State = dict[str, Any]

CHANGE = 1e-9
"""Where the line search stops to narrow its bracket, whatever the tolerance of the steps."""


class LBFGS(Optimizer):
    """LBFGS; its step computes the loss several times and so needs a closure."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_common(lr)
        settings = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, settings)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Up to ``max_iter`` iterations; the loss as it was before."""
        with no_grad():
            return self._iterate(enable_grad()(closure))

    def _iterate(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = closure()
        loss, gradient, evaluations = float(first), self._gradient(), 1
        state["func_evals"] += 1
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = _direction(state, gradient, group["history_size"])
            before = loss
            lr = value_of(group["lr"])
            size = min(1.0, 1.0 / float(np.abs(gradient).sum())) * lr if state["n_iter"] == 1 else lr
            slope = float(gradient.dot(direction))
            state.update(d=direction, t=size, prev_flat_grad=gradient.copy(), prev_loss=loss)
            if slope > -group["tolerance_change"]:
                break
            start = Point(0, loss, gradient, slope)
            loss, gradient, size, spent = self._moved(closure, start, direction, size, evaluations, iteration)
            state["t"] = size
            evaluations += spent
            state["func_evals"] += spent
            if iteration == group["max_iter"] or evaluations >= group["max_eval"]:
                break
            if np.abs(gradient).max() <= group["tolerance_grad"]:
                break
            smallest = group["tolerance_change"]
            if np.abs(direction * size).max() <= smallest or abs(loss - before) < smallest:
                break
        return first

    def _moved(
        self,
        closure: Callable[[], Any],
        start: Point,
        direction: Array,
        size: float,
        evaluations: int,
        iteration: int,
    ) -> tuple[float, Array, float, int]:
        """Go along ``direction``: loss, gradient, how far, and how often the loss was computed."""
        group = self.param_groups[0]
        if group["line_search_fn"] is None:
            self._move(size, direction)
            if iteration == group["max_iter"]:
                return start.loss, start.gradient, size, 0
            loss = float(closure())
            return loss, self._gradient(), size, 1
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        origin = [parameter.array.copy() for parameter in self._params]

        def evaluate(place: float) -> tuple[float, Array]:
            self._move(place, direction)
            loss = float(closure())
            gradient = self._gradient()
            for parameter, values in zip(self._params, origin, strict=True):
                overwrite(parameter, values)
            return loss, gradient

        search = LineSearch(evaluate, direction, start, CHANGE, group["max_eval"] - evaluations)
        found = search.run(size)
        self._move(found.place, direction)
        return found.loss, found.gradient, found.place, search.evaluations

    def _gradient(self) -> Array:
        """All gradients as one vector, zeros for parameters without one."""
        parts = []
        for parameter in self._params:
            gradient = parameter.peek_grad()
            parts.append(np.zeros(parameter.array.size, parameter.array.dtype) if gradient is None else gradient.array)
        return np.concatenate([part.reshape(-1) for part in parts])

    def _move(self, size: float, direction: Array) -> None:
        start = 0
        for parameter in self._params:
            end = start + parameter.array.size
            change = direction[start:end].reshape(parameter.array.shape)
            overwrite(parameter, parameter.array + change * size)
            start = end


LBFGS.__module__ = "torch.optim.lbfgs"


def _direction(state: State, gradient: Array, history: int) -> Array:
    """Where to go: against the gradient, bent by the curvature that the last steps showed."""
    if state["n_iter"] == 1:
        state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
        return -gradient
    change, step = gradient - state["prev_flat_grad"], state["d"] * state["t"]
    product = float(change.dot(step))
    changes, steps, weights = state["old_dirs"], state["old_stps"], state["ro"]
    if product > 1e-10:
        if len(changes) == history:
            for kept in (changes, steps, weights):
                kept.pop(0)
        changes.append(change)
        steps.append(step)
        weights.append(1.0 / product)
        state["H_diag"] = product / float(change.dot(change))
    found: np.ndarray = -gradient
    factors = [0.0] * len(changes)
    for number in reversed(range(len(changes))):
        factors[number] = float(steps[number].dot(found)) * weights[number]
        found = found - changes[number] * factors[number]
    found = found * state["H_diag"]
    for number in range(len(changes)):
        back = float(changes[number].dot(found)) * weights[number]
        found = found + steps[number] * (factors[number] - back)
    return found
