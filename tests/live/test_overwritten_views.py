"""When a view whose memory was overwritten gets its new ``grad_fn``: by what is asked of it, numbered as in PyTorch."""

from __future__ import annotations

import warnings
from types import ModuleType

import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

ASKED = (
    *("v.long()", "v.int()", "v.bool()", "v.to(torch.int8)", "v.type(torch.uint8)", "v.double()", "v.float()"),
    *("torch.isclose(v, w)", "torch.isclose(w, v)", "torch.isclose(v, v)", "torch.isclose(v, w, 0.0, 0.0)"),
    *("torch.allclose(v, w)", "v.isfinite()", "v.isinf()", "v.isnan()", "torch.linalg.matrix_rank(v)", "v == w"),
    *("v.argsort(0)", "v.sort(0)", "v.count_nonzero()", "v.tolist()", "v.detach()", "v.grad_fn", "v.is_leaf", "v * w"),
    *("v.logical_not()", "v.requires_grad", "v.floor_divide(2)", "torch.equal(v, w)", "v[0].item()"),
)


def _order(torch: ModuleType, code: str, grad: bool = True) -> tuple[bool, bool]:
    """Whether ``code`` alone renewed the grad_fn of the view ``v``, and whether its result is older than that."""
    base = torch.ones(3, requires_grad=True) * 2
    v = base.view(3, 1)
    base.mul_(2)
    with torch.set_grad_enabled(grad), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(code, {"torch": torch, "v": v, "w": torch.ones(3, 1)})
    then = (torch.ones(1, requires_grad=True) * 2).grad_fn._sequence_nr()
    renewed = v.grad_fn._sequence_nr()
    made = getattr(result, "grad_fn", None)
    return renewed < then, made is not None and made._sequence_nr() < renewed


@pytest.mark.parametrize("code", ASKED)
def test_a_view_gets_its_new_grad_fn_when_pytorch_gives_it(code: str) -> None:
    assert _order(ours, code) == _order(theirs, code)
    assert _order(ours, code, grad=False) == _order(theirs, code, grad=False)


@pytest.mark.parametrize("code", ["v.floor_divide(2)", "(v * 2).grad_fn.next_functions[0][0].next_functions[0][0]"])
def test_what_refuses_is_numbered_behind_all_others_as_in_pytorch(code: str) -> None:
    numbers = []
    for torch in (ours, theirs):
        found = eval(code, {"v": torch.ones(1, requires_grad=True).view(1)})
        numbers.append(getattr(found, "grad_fn", found)._sequence_nr())
    assert numbers == [2**64 - 1] * 2
