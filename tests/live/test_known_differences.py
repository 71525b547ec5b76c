"""What random search takes for an accident of rounding or of memory, and what looks like that and is not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from support.known_differences import explained
from support.outcomes import first_difference, kind_of_warnings
from support.values import (
    adds_what_it_writes,
    factorises_nan,
    inverse_of_nearly_1,
    is_single,
    jumps_when_rounded,
    logarithm_of_nearly_0,
    nearly_singular,
    root_of_nearly_0,
    solved_singular,
)

from chalkgrad import torch as ours

INF, NAN = np.inf, np.nan


def test_a_logarithm_of_what_rounding_left_of_0():
    assert logarithm_of_nearly_0("v0.log_()", np.array([-INF, 0.5]), np.array([NAN, 0.5]))
    assert logarithm_of_nearly_0("v0.log2_()", np.array([-INF, 0.5]), np.array([-25.0, 0.5]))
    assert not logarithm_of_nearly_0("v0.log_()", np.array([-INF, 0.5]), np.array([NAN, 0.25]))
    assert not logarithm_of_nearly_0("v0.log_()", np.array([-INF, 0.5]), np.array([0.25, 0.5]))
    assert not logarithm_of_nearly_0("v0.exp_()", np.array([-INF]), np.array([NAN]))


def test_a_solution_that_is_not_finite():
    assert solved_singular("v2 = torch.linalg.solve_ex(v0, v1)", np.array([NAN, NAN]), np.array([-INF, INF]))
    assert not solved_singular("v2 = torch.linalg.solve_ex(v0, v1)", np.array([NAN, 1.0]), np.array([-INF, INF]))
    assert not solved_singular("v2 = torch.mm(v0, v1)", np.array([NAN, NAN]), np.array([-INF, INF]))


def test_a_root_of_a_singular_matrix():
    singular, regular = torch.full((2, 2), 1.5), torch.eye(2)
    line = "v1 = torch.linalg.cholesky(v0)"
    assert nearly_singular(line, {"v0": singular})
    assert not nearly_singular(line, {"v0": regular})
    assert not nearly_singular("v1 = torch.linalg.cholesky((lambda m: m @ m.mT + 1)(v0))", {"v0": singular})


def test_a_gradient_computed_of_single_precision():
    assert is_single(torch.ones(2))
    assert not is_single(torch.ones(2).double())
    assert not is_single(torch.ones(2).int())
    assert not is_single(2.5)


def test_whole_quotients_of_what_rounding_left():
    mine, theirs = {"v0": torch.zeros(2).double()}, {"v0": torch.tensor([0.0, 1e-17], dtype=torch.float64)}
    assert jumps_when_rounded("v0.floor_divide_(v1)", mine, theirs)
    assert not jumps_when_rounded("v0.floor_divide_(v1)", theirs, theirs)
    assert not jumps_when_rounded("v0.div_(v1)", mine, theirs)


def test_a_quotient_of_what_normalisation_left_of_equal_numbers():
    found = first_difference(
        ours,
        torch,
        [
            "v0 = torch.tensor([1.86]).double().expand(3, 2)",
            "v1 = torch.batch_norm(v0, None, None, None, None, True, 0.1, 1e-05, False)",
            "v1 -= 1e-17 * (torch.__name__ == 'torch')",
            "v2 = torch.ones(3, 2).double()",
            "v1.floor_divide_(v2)",
        ],
    )
    assert found is not None
    assert explained(found.signature)


def test_products_added_to_what_they_are_made_of():
    target, other = torch.ones(2, 2), torch.ones(2, 2)
    variables = {"v0": target, "v1": other, "v2": target, "v3": target[:]}
    assert adds_what_it_writes("v0.addmm_(v1, v0)", variables)
    assert adds_what_it_writes("v0.addmm_(v3, v1)", variables)
    assert not adds_what_it_writes("v2 = v0.addmm_(v1, v1)", variables)
    assert not adds_what_it_writes("v0.addmv_(v1, v0)", variables)


def test_a_root_of_what_rounding_left_of_0():
    assert root_of_nearly_0("v0.sqrt_()", np.array([0.0, 0.5]), np.array([1e-7, 0.5]))
    assert root_of_nearly_0("v0.sqrt_()", np.array([NAN]), np.array([1e-7]))
    assert not root_of_nearly_0("v0.sqrt_()", np.array([0.0, 0.5]), np.array([1e-7, 0.6]))
    assert not root_of_nearly_0("v0.exp_()", np.array([0.0]), np.array([1e-7]))


def test_an_inverse_of_what_rounding_left_of_1():
    assert inverse_of_nearly_1("v0.erfinv_()", np.array([INF, 0.5]), np.array([3.83, 0.5]))
    assert not inverse_of_nearly_1("v0.erfinv_()", np.array([INF, 0.5]), np.array([-3.83, 0.5]))
    assert not inverse_of_nearly_1("v0.erfinv_()", np.array([INF, 0.5]), np.array([3.83, 0.6]))
    assert not inverse_of_nearly_1("v0.tan_()", np.array([INF]), np.array([3.83]))


def test_factors_of_what_is_not_finite():
    line = "v1 = torch.linalg.slogdet(v0)"
    assert factorises_nan(line, {"v0": torch.full((2, 2), INF)})
    assert not factorises_nan(line, {"v0": torch.ones(2, 2)})
    assert not factorises_nan("v1 = torch.exp(v0)", {"v0": torch.full((2, 2), INF)})


def test_warnings_of_gradients_without_elements():
    contract = (
        "grad and param do not obey the gradient layout contract. It is slow.\ngrad.sizes() = [{}], strides() = [1]"
    )
    assert kind_of_warnings([], [contract.format("2, 0")]) == "warnings of nothing"
    assert kind_of_warnings([], [contract.format("2, 10")]) == "warnings"
    assert kind_of_warnings(["another"], [contract.format("0")]) == "warnings"


MIXED = (
    "RuntimeError: Input type (a) and weight (b) should be the same or input should be a MKLDNN tensor and weight is a "
    "dense tensor"
)


@pytest.mark.parametrize(
    ("signature", "known"),
    [
        ("warnings | renorm out= | RuntimeError: result type Float can't be cast", True),
        ("warnings | renorm out=", False),
        ("value of # | renorm | RuntimeError: result type Float can't be cast", False),
        (
            f"error | conv#d | {MIXED} | RuntimeError: expected scalar type Float",
            True,
        ),
        ("error | conv#d | None | RuntimeError: expected scalar type", False),
        (
            "value of # | put_ tensor | IndexError: out of range: tried to access index # on a tensor of # elements.",
            True,
        ),
        ("value of # | put_ tensor", False),
        ("basis of rounded of # | linalg lu", True),
        ("basis of # | linalg lu", False),
        ("nans of # | conv_transpose#d", False),
        ("value of # | scatter_ tensor | RuntimeError: index # is out of bounds for dimension # with size #", True),
        ("value of # | scatter tensor | RuntimeError: index # is out of bounds for dimension # with size #", False),
        ("requires_grad of nothing of # | autograd grad full_like", True),
        ("requires_grad of # | autograd grad full_like", False),
    ],
)
def test_what_is_known(signature, known):
    assert explained(signature) == known
