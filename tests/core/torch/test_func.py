"""``torch.func`` transforms functions as PyTorch was recorded to do, and no further than it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from core.torch.func_snippets import SNIPPETS
from support.facts import differences, facts, key

from chalkgrad import torch

DATA = Path(__file__).parents[2] / "data" / "torch" / "func.json"
RECORDED = json.loads(DATA.read_text(encoding="utf-8"))["facts"]


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_facts_are_those_of_pytorch(number):
    code = SNIPPETS[number]
    found = json.loads(json.dumps(facts(torch, code)))
    assert differences(found, RECORDED[key(code)], tolerance=1e-5) == [], code


def test_all_that_was_recorded_is_compared():
    assert {key(code) for code in SNIPPETS} == set(RECORDED)


def test_a_level_ends_with_an_error():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"backward\(\) called inside a functorch transform"):
        torch.func.grad(lambda a: a.sum().backward())(x)
    x.sum().backward()
    assert x.grad is not None
    assert torch.ones(2).requires_grad_().requires_grad


def test_random_numbers_refused_were_not_drawn():
    torch.manual_seed(1)
    first = torch.rand(2)
    torch.manual_seed(1)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        torch.vmap(lambda a: a + torch.rand(1))(torch.ones(3))
    assert torch.equal(torch.rand(2), first)


def test_what_all_slices_share_is_not_written():
    total, x = torch.zeros(()), torch.arange(3.0)
    for write in (lambda a: total.add_(a), lambda a: total.copy_(a), lambda a: total.add_(1)):
        with pytest.raises(RuntimeError, match="vmap: inplace arithmetic"):
            torch.vmap(write)(x)
        assert total == 0
    total.add_(1)  # outside nobody minds
    assert torch.equal(torch.vmap(lambda a: torch.zeros_like(a).add_(a))(x), x)


def test_jacobians_agree_with_those_of_autograd_functional():
    x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    expected = torch.autograd.functional.hessian(lambda a: (a.sin() * a.flip(0)).prod(), x)
    for outer in (torch.func.jacrev, torch.func.jacfwd):
        for inner in (torch.func.jacrev, torch.func.jacfwd):
            assert torch.allclose(outer(inner(lambda a: (a.sin() * a.flip(0)).prod()))(x), expected)


def test_what_is_not_offered_says_so():
    with pytest.raises(AttributeError, match=r"module 'torch.func' has no attribute 'functionalize'"):
        torch.func.functionalize  # noqa: B018
