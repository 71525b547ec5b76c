"""What random search takes for an accident of rounding or of memory, and what looks like that and is not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from support.values import adds_what_it_writes, logarithm_of_nearly_0, nearly_singular, solved_singular

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


def test_products_added_to_what_they_are_made_of():
    target, other = torch.ones(2, 2), torch.ones(2, 2)
    variables = {"v0": target, "v1": other, "v2": target, "v3": target[:]}
    assert adds_what_it_writes("v0.addmm_(v1, v0)", variables)
    assert adds_what_it_writes("v0.addmm_(v3, v1)", variables)
    assert not adds_what_it_writes("v2 = v0.addmm_(v1, v1)", variables)
    assert not adds_what_it_writes("v0.addmv_(v1, v0)", variables)
