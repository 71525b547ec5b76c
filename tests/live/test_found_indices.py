"""Programs that write by indices or a mask into memory that they also read."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

ROWS = "v0 = torch.arange(12.0).reshape(3, 4)\n"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("v0", "v0"),
        ("v0[:2]", "v0"),
        ("v0[1:]", "v0"),
        ("v0[1:]", "v0[:2]"),
        ("v0.t()", "v0"),
        ("v0", "v0.t()"),
        ("v0[:, ::2]", "v0"),
        ("v0[0]", "v0[1:]"),
    ],
)
def test_a_mask_lets_in_what_lies_in_the_same_memory(written, read):
    check_alike((ROWS + f"v1 = {written}\nv2 = {read}\nv1.masked_scatter_(v1 > 2, v2)").splitlines())


INDEXED = (
    "scatter_add_(0, v1, v0)",
    "scatter_(0, v1, v0)",
    "scatter_(0, v1, v0, reduce='add')",
    "scatter_reduce_(0, v1, v0, 'sum')",
    "scatter_reduce_(0, v1, v0, 'amax', include_self=False)",
    "index_add_(0, v1, v0)",
    "index_copy_(0, v1, v0)",
)


@pytest.mark.parametrize("call", INDEXED)
@pytest.mark.parametrize("index", ["[0, 0, 0]", "[0, 7, 0]", "[-1, 0, 0]"])
@pytest.mark.parametrize("values", ["torch.ones(3)", "torch.ones(1).expand(3)"])
def test_that_memory_is_shared_is_said_before_that_an_index_is_wrong(call, index, values):
    check_alike([f"v0 = {values}", f"v1 = torch.tensor({index})", f"v0[:].{call}"])


@pytest.mark.parametrize("call", ["scatter_(0, v0, 1)", "scatter_add_(0, v0, v0)", "index_add_(0, v0, v0)"])
def test_indices_that_are_written_over(call):
    check_alike(["v0 = torch.full((3,), 9)", f"v0.{call}"])


@pytest.mark.parametrize(
    "index", ["..., :1", "..., :9", ":9, :9", ":1, ...", "0, :9", "..., :9, None", "..., 0:, :", ":9", "..., :9:2"]
)
@pytest.mark.parametrize("shape", ["1, 1", "2, 3", "0, 2", "2, 0"])
def test_a_slice_of_all_and_more_is_no_slice(shape, index):
    check_alike(
        [f"v0 = torch.ones({shape}, requires_grad=True)", "v1 = v0 * 1", f"v2 = v1[{index}]", f"v1[{index}] = 2"]
    )
