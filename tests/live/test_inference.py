"""Operators agree with PyTorch on what inference mode made, in it and outside, on samples of PyTorch's table."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from live.inference import examined
    from live.op_db import offered, op_db, title

SIGNS = "the sign of a singular vector or eigenvector is whatever the machine's LAPACK makes it"

KNOWN: dict[str, tuple[str, str]] = {
    "addbmm": ("error", "in place it alone of its kin gives its tensor the shape of the result"),
    "linalg.eigh": ("value", SIGNS),
    "pca_lowrank": ("value", SIGNS),
    "svd_lowrank": ("value", SIGNS),
}
"""Operators that may differ: in which fact, and the reason."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", [op for op in op_db if offered(op)], ids=title)
def test_agrees_with_pytorch_on_what_inference_mode_made(op):
    fact, _ = KNOWN.get(title(op), ("", ""))
    found = [entry for entry in examined(op, 1, 10, Counter()) if not fact or not entry[0].endswith(fact)]
    assert not found, found[0]
