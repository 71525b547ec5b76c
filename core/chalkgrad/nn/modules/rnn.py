"""Recurrent layers, written with the operators of the other ones."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional, init
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import empty_parameter
from chalkgrad.nn.packed import PackedSequence

State = Any
Step = Callable[[Tensor, State, list[Any]], State]


def _plain_step(activate: Callable[[Tensor], Tensor]) -> Step:
    def step(x: Tensor, h: State, weights: list[Any]) -> State:
        from_h = functional.linear(h, weights[1], weights[3])
        return activate(functional.linear(x, weights[0], weights[2]) + from_h)

    return step


def _lstm_step(x: Tensor, state: State, weights: list[Any]) -> State:
    h, c = state
    gates = functional.linear(h, weights[1], weights[3]) + functional.linear(x, weights[0], weights[2])
    enter, forget, new, leave = TENSORS.unsafe_chunk(gates, 4, 1)
    enter, forget, new, leave = enter.sigmoid(), forget.sigmoid(), new.tanh(), leave.sigmoid()
    c = forget * c + enter * new
    return leave * c.tanh(), c


def _gru_step(x: Tensor, h: State, weights: list[Any]) -> State:
    from_x = TENSORS.unsafe_chunk(functional.linear(x, weights[0], weights[2]), 3, 1)
    from_h = TENSORS.unsafe_chunk(functional.linear(h, weights[1], weights[3]), 3, 1)
    reset, update = ((b + a).sigmoid() for a, b in zip(from_x[:2], from_h[:2], strict=True))
    new = (from_x[2] + reset * from_h[2]).tanh()
    return (h - new) * update + new


STEPS: dict[str, tuple[int, Step]] = {
    "RNN_TANH": (1, _plain_step(TENSORS.tanh)),
    "RNN_RELU": (1, _plain_step(TENSORS.relu)),
    "LSTM": (4, _lstm_step),
    "GRU": (3, _gru_step),
}
"""How many gates a kind of layer has, and one step in time of it."""


def _fill(module: Module, hidden_size: int) -> None:
    """Draw all weights evenly, by the size of the hidden state."""
    bound = 1.0 / math.sqrt(hidden_size) if hidden_size > 0 else 0
    for weight in module.parameters():
        init.uniform_(weight, -bound, bound)


class RNNCellBase(Module):
    """One step in time of a recurrent layer."""

    kind: str

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = STEPS[self.kind][0] * hidden_size
        self.weight_ih = empty_parameter((rows, input_size), device, dtype)
        self.weight_hh = empty_parameter((rows, hidden_size), device, dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, empty_parameter((rows,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        _fill(self, self.hidden_size)

    def extra_repr(self) -> str:
        """The sizes, and what differs from the defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        text += "" if self.bias is True else f", bias={self.bias}"
        other = getattr(self, "nonlinearity", "tanh")
        return text if other == "tanh" else f"{text}, nonlinearity={other}"

    def _stepped(self, input: Tensor, hx: State, kind: str) -> State:
        """The next state, with or without a batch dimension; ValueError for other dimensions."""
        name = type(self).__name__
        if input.ndim not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        batched, x = input.ndim == 2, input
        if not batched:
            x = x.unsqueeze(0)
        states = hx if isinstance(hx, tuple) else (hx,) * (2 if kind == "LSTM" else 1)
        for number, state in enumerate(states):
            if state is not None and state.ndim not in (1, 2):
                what = f"hx[{number}]" if kind == "LSTM" else "hidden"
                raise ValueError(f"{name}: Expected {what} to be 1D or 2D, got {state.ndim}D instead")
        given = tuple(
            x.new_zeros((x.shape[0], self.hidden_size)) if state is None else state if batched else state.unsqueeze(0)
            for state in states
        )
        self._check_sizes(x, given)
        weights = [self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh]
        found = STEPS[kind][1](x, given if kind == "LSTM" else given[0], weights)
        if batched:
            return found
        return tuple(state.squeeze(0) for state in found) if kind == "LSTM" else found.squeeze(0)

    def _check_sizes(self, x: Tensor, states: tuple[Tensor, ...]) -> None:
        """RuntimeError for states that don't go with the input, or with the layer."""
        if x.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {x.shape[1]} expected {self.input_size}")
        for number, state in enumerate(states):
            if state.shape[0] != x.shape[0]:
                raise RuntimeError(
                    f"Input batch size {x.shape[0]} doesn't match hidden{number} batch size {state.shape[0]}"
                )
            if state.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{number} has inconsistent hidden_size: got {state.shape[1]}, expected {self.hidden_size}"
                )


class RNNCell(RNNCellBase):
    """One step of a plain recurrent layer."""

    kind = "RNN_TANH"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: State = None) -> State:
        """The next hidden state."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._stepped(input, hx, f"RNN_{self.nonlinearity.upper()}")


class LSTMCell(RNNCellBase):
    """One step of an LSTM."""

    kind = "LSTM"

    def forward(self, input: Tensor, hx: State = None) -> State:
        """The next hidden state and cell."""
        return self._stepped(input, hx, "LSTM")


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    kind = "GRU"

    def forward(self, input: Tensor, hx: State = None) -> State:
        """The next hidden state."""
        return self._stepped(input, hx, "GRU")


def _check_kind(kind: type, **given: Any) -> None:
    """TypeError for an argument of another kind."""
    for name, value in given.items():
        if not isinstance(value, kind):
            raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")


def _check_above_0(**given: Any) -> None:
    """ValueError for a number that is not."""
    for name, value in given.items():
        if value <= 0:
            raise ValueError(f"{name} must be greater than zero")


class RNNBase(Module):
    """A recurrent layer, or several on top of one another, in one direction or both."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if mode not in STEPS:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        self.dropout = float(dropout)
        if isinstance(dropout, bool) or not isinstance(dropout, int | float) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=3,
            )
        _check_kind(bool, bias=bias, batch_first=batch_first)
        for size in ({"input_size": input_size}, {"hidden_size": hidden_size}):
            _check_kind(int, **size)
            _check_above_0(**size)
        _check_above_0(num_layers=num_layers)
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if proj_size:
            raise NotImplementedError("projections of recurrent layers are not offered by Chalkgrad")
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.bidirectional, self.proj_size = bias, batch_first, bidirectional, proj_size
        rows = STEPS[mode][0] * hidden_size
        for layer in range(num_layers):
            columns = input_size if layer == 0 else hidden_size * self._directions
            for name in self._names(layer):
                self.register_parameter(f"weight_ih_{name}", empty_parameter((rows, columns), device, dtype))
                self.register_parameter(f"weight_hh_{name}", empty_parameter((rows, hidden_size), device, dtype))
                for kind in ("ih", "hh") if bias else ():
                    self.register_parameter(f"bias_{kind}_{name}", empty_parameter((rows,), device, dtype))
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    def _names(self, layer: int) -> list[str]:
        return [f"l{layer}", f"l{layer}_reverse"][: self._directions]

    def _weights(self, name: str) -> list[Any]:
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        return [getattr(self, f"{kind}_{name}", None) for kind in kinds]

    def flatten_parameters(self) -> None:
        """Nothing: weights are where they are."""

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        _fill(self, self.hidden_size)

    def forward(self, input: Any, hx: State = None) -> tuple[Any, State]:
        """The hidden states of the last layer at all times, and the last states of all layers."""
        if isinstance(input, PackedSequence):
            return self._packed(input, hx)
        if input.ndim not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        batched = input.ndim == 3
        x = input if batched else input.unsqueeze(1)
        x = x.transpose(0, 1) if batched and self.batch_first else x
        times, finals = self._layers(list(x.unbind(0)), self._starts(x, hx, batched, x.shape[1]))
        output = TENSORS.stack(times, 0)
        if not batched:
            output, finals = output.squeeze(1), tuple(final.squeeze(1) for final in finals)
        elif self.batch_first:
            output = output.transpose_(0, 1)
        return output, finals if self.mode == "LSTM" else finals[0]

    def _packed(self, packed: PackedSequence, hx: State) -> tuple[PackedSequence, State]:
        """The same for sequences of different lengths; states come and go in the order in which these were given."""
        data, sizes, order, back = packed
        rows, columns = self._weights("l0")[0].shape
        if data.shape[-1] != columns:
            raise RuntimeError(
                f"mat1 and mat2 shapes cannot be multiplied ({len(data)}x{data.shape[-1]} and {columns}x{rows})"
            )
        counts = sizes.array.tolist()
        starts = self._starts(data, hx, True, counts[0])
        if hx is not None and order is not None:
            starts = [start.index_select(1, order) for start in starts]
        times, finals = self._layers(list(data.split(counts)), starts)
        if back is not None:
            finals = tuple(final.index_select(1, back) for final in finals)
        return PackedSequence(TENSORS.cat(times, 0), sizes, order, back), finals if self.mode == "LSTM" else finals[0]

    def _layers(self, times: list[Any], starts: list[Any]) -> tuple[list[Any], tuple[Tensor, ...]]:
        """All layers on the inputs at all times: the hidden states of the last one, and the last states of all."""
        lasts = []
        for layer in range(self.num_layers):
            columns = []
            for direction, name in enumerate(self._names(layer)):
                states = [start[layer * self._directions + direction] for start in starts]
                column, last = self._run(times, states, name, backwards=direction == 1)
                columns.append(column)
                lasts.append(last)
            times = [TENSORS.cat(list(row), -1) if len(row) > 1 else row[0] for row in zip(*columns, strict=True)]
            if self.dropout and layer < self.num_layers - 1:
                times = self._dropped(times)
        return times, tuple(TENSORS.stack(list(column), 0) for column in zip(*lasts, strict=True))

    def _dropped(self, times: list[Any]) -> list[Any]:
        """What a layer gives to the next one, one draw for all times."""
        sizes = [len(x) for x in times]
        if len({*sizes}) == 1:
            return list(functional.dropout(TENSORS.stack(times, 0), self.dropout, self.training).unbind(0))
        return list(functional.dropout(TENSORS.cat(times, 0), self.dropout, self.training).split(sizes))

    def _starts(self, x: Tensor, hx: State, batched: bool, batch: int) -> list[Any]:
        """The first hidden states (and cells), by layer and direction."""
        count = 2 if self.mode == "LSTM" else 1
        shape = (self.num_layers * self._directions, batch, self.hidden_size)
        if hx is None:
            return [x.new_zeros(shape)] * count
        given = list(hx) if isinstance(hx, tuple) else [hx]
        given = given if batched else [start.unsqueeze(1) for start in given]
        for number, start in enumerate(given):
            if tuple(start.shape) != shape:
                what = f"hidden[{number}]" if count == 2 else "hidden"
                raise RuntimeError(f"Expected {what} size {shape}, got {list(start.shape)}")
        return given

    def _run(
        self, times: list[Any], states: list[Any], name: str, *, backwards: bool
    ) -> tuple[list[Any], tuple[Any, ...]]:
        """One layer in one direction: its hidden states at all times, and the last state.

        Where sequences have different lengths the shorter ones end first, or begin last when it goes backwards.
        """
        step, weights = STEPS[self.mode][1], self._weights(name)
        state, found, ended = tuple(states), [], []
        for x in reversed(times) if backwards else times:
            count, have = len(x), len(state[0])
            if not backwards and count < have:
                ended.append(tuple(part[count:] for part in state))
            if count < have:
                state = tuple(part[:count] for part in state)
            elif count > have:
                state = tuple(
                    TENSORS.cat([part, first[have:count]], 0) for part, first in zip(state, states, strict=True)
                )
            moved = step(x, state if self.mode == "LSTM" else state[0], weights)
            state = moved if isinstance(moved, tuple) else (moved,)
            found.append(state[0])
        if ended:
            state = tuple(TENSORS.cat(list(parts), 0) for parts in zip(state, *reversed(ended), strict=True))
        return found[::-1] if backwards else found, state

    def extra_repr(self) -> str:
        """The sizes, and what differs from the defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        usual = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0, "bidirectional": False}
        for name, value in usual.items():
            found = getattr(self, name)
            if found is not value if isinstance(value, bool) else found != value:
                text += f", {name}={found}"
        return text


def _refuse_projection(given: dict[str, Any]) -> None:
    if "proj_size" in given:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """Plain recurrent layers."""

    def __init__(self, *args: Any, nonlinearity: str = "tanh", **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], (*args[:3], *args[4:])
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """LSTM layers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """GRU layers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)
