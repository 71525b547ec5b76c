"""Calls at the edge, found with PyTorch's own tests: they give or refuse here what they do in PyTorch."""

from __future__ import annotations

import array
import warnings
from typing import Any

import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")


class Sequence:
    """Has members by number and a length, and no more."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> int:
        return [1, 2][place]


CALLS = (
    # Factories that count write into what has as many elements, in its shape
    "torch.linspace(0, 3, 4, out=part)",
    "torch.arange(0, 4, out=part)",
    "torch.logspace(0, 3, 4, base=2, out=part)",
    "torch.range(0, 3, out=part)",
    "torch.linspace(0, 3, 3, out=part)",
    "torch.arange(0, 3, out=part)",
    "torch.arange(0, 3, out=torch.zeros(0))",
    *(f"torch.{name}(1, 4, 4, out=one.expand(4))" for name in ("linspace", "logspace")),
    *(f"torch.{name}(4, out=one.expand(4))" for name in ("arange", "rand", "randn", "ones", "zeros")),
    "torch.randint(3, (4,), out=one.expand(4))",
    # Nothing but empty tensors joined
    *(f"torch.cat([empty, empty], {dim})" for dim in (0, 1, -1, 5, -9)),
    "torch.cat([empty], 1).sum().backward()",
    "torch.cat([empty, torch.ones(2, 3)], 1)",
    # Memory of others
    *(
        f"torch.frombuffer(memory, dtype=torch.{dtype}, {more})"
        for dtype in ("uint8", "float32")
        for more in (
            "offset=-1",
            "count=0",
            "offset=8",
            "offset=9",
            "count=9",
            "offset=4, count=5",
            "count=2, offset=1",
        )
    ),
    "torch.frombuffer(bytearray(7), dtype=torch.float32)",
    "torch.frombuffer([1], dtype=torch.uint8)",
    "torch.frombuffer(bytearray(), dtype=torch.uint8)",
    "torch.asarray(memory, dtype=torch.uint8)",
    "torch.asarray(memory)",
    "torch.asarray(memoryview(memory), dtype=torch.int16, copy=False)",
    "torch.asarray(array.array('f', [1.0, 2.0]))",
    "torch.asarray(memory, dtype=torch.int32).data_ptr() == torch.asarray(memory).data_ptr()",
    "torch.tensor(Sequence())",
    # Limits of what is drawn
    "torch.zeros(1).uniform_(-3.4e38, 3.4e38)",
    "torch.zeros(1, dtype=torch.float64).uniform_(-1.7e308, 1.7e308)",
    # Without elements
    *(
        f"torch.zeros({shape}).view(torch.{dtype}).stride()"
        for shape in ((0, 5), (5, 0), (2, 0, 3))
        for dtype in ("int8", "int16")
    ),
    "torch.zeros(0, 4).view(torch.float64).stride()",
    "torch.nn.functional.embedding(torch.tensor([0, 1]), torch.zeros(3, 0, requires_grad=True)).sum().backward()",
    "torch.tensor(1).unflatten(0, (1,))",
    "torch.tensor(1).unflatten(3, (1,))",
    "torch.zeros(0).unflatten(0, (0, -1))",
    # Bags whose last offset is not the end
    *(
        f"torch.nn.functional.embedding_bag(numbers, table, torch.tensor({offsets}), mode='{mode}', "
        f"padding_idx={padding}, include_last_offset=True)"
        for offsets in ([0, 3, 3], [0, 2], [0, 4], [0, 1, 3])
        for mode, padding in (("mean", 5), ("sum", 5), ("max", None), ("max", 5))
    ),
    # Wrong sizes of kernels
    *(
        f"F.max_unpool{len(shape) - 2}d(*(torch.zeros({shape}, dtype=kind) for kind in (float, int)), {kernel})"
        for shape in ((1, 1, 1, 1), (1, 1, 1, 1, 1))
        for kernel in ([1], [1, 1], [1, 1, 1], [1, 1, 1, 1])
    ),
    "torch.nn.functional.max_unpool2d(torch.zeros(1, 1, 1, 1), torch.zeros(1, 1, 1, 1, dtype=int), [1, 1], stride=[1])",
    "torch.ones(2).as_subclass(int)",
)


def outcome(torch: Any, call: str) -> tuple[str, list[str]]:
    """What the call gives, or how it is refused, without what C++ tells of itself, and its warnings."""
    torch.manual_seed(0)
    whole = torch.zeros(2, 3)
    names = {"torch": torch, "part": whole.narrow(1, 1, 2), "one": torch.zeros(1), "array": array, "Sequence": Sequence}
    names |= {"empty": torch.zeros(0, requires_grad=True), "memory": bytearray(b"\x01\x02\x03\x04\x05\x06\x07\x08")}
    names |= {
        "F": torch.nn.functional,
        "numbers": torch.tensor([0, 1, 2, 3]),
        "table": torch.arange(12.0).reshape(6, 2),
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = repr(eval(call, names))
        except Exception as error:
            found = f"{type(error).__name__}: {error}".split("\nException raised")[0]
    told = [str(warning.message).split(" (Triggered")[0] for warning in caught]
    return f"{found} {whole.tolist()}", [text for text in told if "torch.range is deprecated" not in text]


@pytest.mark.parametrize("call", CALLS)
def test_call_at_the_edge_is_as_in_pytorch(call):
    before = theirs.is_warn_always_enabled(), ours.is_warn_always_enabled()
    theirs.set_warn_always(True)
    ours.set_warn_always(True)
    try:
        assert outcome(ours, call) == outcome(theirs, call)
    finally:
        theirs.set_warn_always(before[0])
        ours.set_warn_always(before[1])


def test_only_the_first_call_in_an_old_form_warns(monkeypatch):
    monkeypatch.setattr("chalkgrad.engine.base.state.warned", set())
    x = ours.ones(2, 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours.addcmul(x, 2, x, x)
        ours.add(x, 2, x)
        x.sub_(1, x)
    assert [str(warning.message).splitlines()[0] for warning in caught] == ["This overload of addcmul is deprecated:"]


def test_a_generator_is_found_where_its_pickle_looks():
    assert ours._C.Generator is ours.Generator
