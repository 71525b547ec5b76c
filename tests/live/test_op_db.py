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

KNOWN: dict[str, str] = {}
"""Operators that differ, with the reason."""

OFFERED = [op for op in op_db if offered(op)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OFFERED, ids=title)
def test_agrees_with_pytorch(op):
    report = compared(op, DTYPES, limit=LIMIT, seconds=10)
    if title(op) in KNOWN:
        assert report.strong, f"no longer differs, though it is known to: {KNOWN[title(op)]}"
    else:
        assert not report.strong, report.text()


def test_known_differences_are_of_operators_we_offer():
    assert set(KNOWN) <= {title(op) for op in OFFERED}
