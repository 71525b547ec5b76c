"""Operators agree with PyTorch on the samples and the refused calls of PyTorch's own table, a few of each."""

from __future__ import annotations

import os
import warnings

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from live.op_db import compared, offered, op_db, title

LIMIT = int(os.environ.get("CHALKGRAD_OP_DB_SAMPLES", "2"))
"""Samples of each operator and dtype."""

DTYPES = ("float64", "float32", "int64")

NO_DESCRIPTOR = "called on the class with a plain number first, which C refuses before PyTorch sees it"

SIGNS = "the sign of an eigenvector is whatever the machine's LAPACK makes it"

KNOWN: dict[str, tuple[set[str], str]] = {
    **{f"__r{name}__": ({"refusal"}, NO_DESCRIPTOR) for name in ("add", "div", "mul", "and", "or", "xor")},
    "addbmm": ({"in-place addbmm_: error"}, "it alone of its kin gives its tensor the shape of the result"),
    **{f"{name}_lowrank": ({"value"}, SIGNS) for name in ("pca", "svd")},
    "linalg.eigh": ({"value"}, SIGNS),
    "nn.functional.ctc_loss": ({"gradient"}, "logarithms in the hundreds, of which float32 keeps few digits"),
    "multinomial": ({"refusal"}, "its weights are whatever the memory held, and we look at them before we do at out"),
    "native_layer_norm": (
        {"gradient error", "second gradient"},
        "with a bias and no weight PyTorch's second derivative trips over the weight that isn't there",
    ),
}
"""Operators that may differ: in which facts, and the reason. In all else they agree."""

OFFERED = [op for op in op_db if offered(op)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OFFERED, ids=title)
def test_agrees_with_pytorch(op):
    report = compared(op, DTYPES, limit=LIMIT, seconds=10)
    kinds, reason = KNOWN.get(title(op), (set(), ""))
    assert not report.strong.keys() - kinds, report.text()
    if report.strong:
        pytest.xfail(reason)


def test_known_differences_are_of_operators_we_offer():
    assert set(KNOWN) <= {title(op) for op in OFFERED}
