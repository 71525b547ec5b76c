"""Operators of tensors that lie otherwise in memory: how results and gradients lie is as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

theirs = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from live import op_db  # noqa: E402
from live.both import Call, array_of, layout, supported, weight_of  # noqa: E402

SAMPLES = 3
"""So many of PyTorch's samples are taken of each operator, in each of the ways to lie."""

SIGNS = "the signs of vectors are up to LAPACK"
OTHERWISE = {
    "cdist": ({"gradient layout"}, "of no rows PyTorch's gradient of the others lies as they do"),
    "linalg.eigh": ({"value"}, SIGNS),
    "nn.functional.batch_norm.without_cudnn": ({"error"}, "another kernel refuses integers, in other words"),
    "pca_lowrank": ({"value"}, SIGNS),
    "split_with_sizes": ({"layout"}, "a piece without elements begins at the end of its memory"),
    "stack": ({"gradient layout"}, "the same, of gradients"),
    "svd_lowrank": ({"value"}, SIGNS),
    "unravel_index": ({"layout"}, "results without elements begin at the end of their memory"),
}
"""Operators that may differ: in which facts, and the reason."""

NAMES = sorted({op_db.title(op) for op in op_db.op_db if op_db.offered(op)})


def moved(tensor: Any, to: str) -> Any:
    """The tensor with the same values, laid out another way."""
    if not isinstance(tensor, theirs.Tensor) or tensor.ndim < 2 or not supported(tensor):
        return tensor
    last = tensor.ndim - 1
    order = {"by columns": (*range(last - 1), last, last - 1), "channels last": (0, *range(2, last + 1), 1)}[to]
    back = sorted(range(tensor.ndim), key=order.__getitem__)
    return tensor.detach().permute(order).contiguous().permute(back).requires_grad_(tensor.requires_grad)


def all_moved(value: Any, to: str, known: dict[int, Any]) -> Any:
    """The arguments with all tensors laid out so, the same for the same."""
    if isinstance(value, theirs.Tensor):
        return known.setdefault(id(value), moved(value, to))
    if type(value) in (list, tuple):
        return type(value)(all_moved(member, to, known) for member in value)
    return {key: all_moved(member, to, known) for key, member in value.items()} if isinstance(value, dict) else value


class Laid(Call):
    """A call of which only what has to do with memory is looked at."""

    def differentiate(self, outputs: list[Any], second: bool) -> None:
        """Gradients, and how they lie."""
        if not outputs or not self.side.leaves:
            return
        weights = [weight_of(self.side.module, output, False) for output in outputs]
        found = self.side.module.autograd.grad(outputs, self.side.leaves, weights, allow_unused=True)
        self.facts["gradient"] = [None if one is None else array_of(one) for one in found]
        self.facts["gradient layout"] = [None if one is None else layout(one) for one in found]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_results_and_gradients_lie_as_in_pytorch(name, monkeypatch):
    monkeypatch.setattr(op_db, "Call", Laid)
    (op,) = (op for op in op_db.op_db if op_db.title(op) == name)
    report = op_db.Report(name)
    way = next(way for way in op_db.variants(op) if way[2] is not None)
    dtype = "float64" if theirs.float64 in op.dtypes else "int64"
    for to in ("by columns", "channels last"):
        for number, sample in enumerate(op_db.samples(op, dtype)):
            if number == SAMPLES:
                break
            known: dict[int, Any] = {}
            sample.input, sample.args, sample.kwargs = (
                all_moved(value, to, known) for value in (sample.input, tuple(sample.args), sample.kwargs)
            )
            op_db.compare(op, report, way, sample)
    facts, _ = OTHERWISE.get(name, (set(), ""))
    assert not report.counts.keys() - facts - {"warnings"}, report.text()
