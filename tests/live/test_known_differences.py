"""What random search takes for an accident of rounding or of memory, and what looks like that and is not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from support.known_differences import explained
from support.outcomes import first_difference, kind_of_warnings, turned_alike
from support.values import (
    adds_what_it_writes,
    any_cancelled,
    any_singular,
    factorises_nan,
    inverse_of_nearly_1,
    is_single,
    jumps_when_rounded,
    left_of_terms,
    left_to_rounding,
    lies_in_more,
    logarithm_of_nearly_0,
    masks_apart,
    nearly_singular,
    parted_by_growth,
    reads_out_otherwise,
    root_of_nearly_0,
    solved_as_badly,
    solved_singular,
    sum_of_a_series,
    went_through_sgn,
    zeros_signed_apart,
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


def test_a_gradient_of_which_rounding_is_left():
    small, larger = np.array([1.5e-5, 0.0], np.float32), np.array([1.5e-2, 0.0], np.float32)
    assert left_of_terms(0 * small, small)
    assert not left_of_terms(0 * larger, larger)
    assert not left_of_terms(larger, small)
    assert not left_of_terms(small.astype(float), small.astype(float))


def test_a_number_near_a_pole():
    assert explained("value of rounded of # | polygamma")
    assert not explained("value of # | polygamma")
    assert not explained("value of rounded of # | lgamma")


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


def test_digammas_of_what_rounding_left():
    mine, theirs = {"v0": torch.tensor([-0.0003706, 2.0])}, {"v0": torch.tensor([-0.0003707, 2.0])}
    assert jumps_when_rounded("v0.digamma_()", mine, theirs)
    assert not jumps_when_rounded("v0.digamma_()", mine, mine)
    assert not jumps_when_rounded("v0.sinc_()", mine, theirs)
    for far in (0.4, -0.5, 3.0001):
        there = {"v0": torch.tensor([far])}
        assert not jumps_when_rounded("v0.digamma_()", {"v0": torch.tensor([far + 1e-6])}, there)


def test_a_quotient_of_what_rounding_left_of_equal_numbers():
    found = first_difference(
        ours,
        torch,
        [
            "v0 = torch.tensor([1.86]).double().expand(3, 2)",
            "v1 = v0 - v0",
            "v1 -= 1e-17 * (torch.__name__ == 'torch')",
            "v2 = torch.ones(3, 2).double()",
            "v1.floor_divide_(v2)",
        ],
    )
    assert found is not None
    assert explained(found.signature)


def test_what_normalisation_makes_of_equal_numbers_is_up_to_rounding():
    line = "v1 = one(torch.batch_norm(fit(v0, (3, 2)), None, None, None, None, True, 0.1, 1e-05, False), 1)"
    assert left_to_rounding(line, {"v0": torch.tensor([1.86])})
    assert left_to_rounding(line, {"v0": torch.ones(3, 2)})
    assert left_to_rounding(line, {"v0": torch.tensor([1.13, -1.41])})  # each channel has one of the two
    assert not left_to_rounding(line, {"v0": torch.arange(6.0)})
    assert not left_to_rounding(line.replace("batch_norm", "layer_norm"), {"v0": torch.tensor([1.13, -1.41])})
    assert not left_to_rounding("v1 = v0.exp()", {"v0": torch.ones(3, 2)})


def test_factors_of_what_begins_with_columns_that_depend_on_one_another():
    equal, apart = torch.ones(1, 2, 3), torch.tensor([[1.0, 0.5, 0.5], [0.5, 1.0, 1.0]])
    assert nearly_singular("v1 = one(torch.linalg.lu_factor(v0), 0)", {"v0": equal})
    assert nearly_singular("v1 = one(torch.linalg.lu_factor(fit(v0, (1, 2, 3))), 0)", {"v0": torch.tensor([2.0])})
    assert not nearly_singular("v1 = one(torch.linalg.lu_factor(v0), 0)", {"v0": apart})
    assert not nearly_singular("v1 = torch.linalg.solve(v2, v0)", {"v0": equal, "v2": torch.eye(2)})


SMALL = {"v0": torch.tensor([-0.00135, 2.0])}


def test_what_an_operator_makes_of_a_small_number_of_single_precision():
    apart, alike = ({"v0": SMALL["v0"] * (1 + by)} for by in (2e-4, 1e-5))
    assert any_cancelled("v1 = v0.reciprocal()", "v1", apart, SMALL)
    assert not any_cancelled("v1 = v0.reciprocal()", "v1", alike, SMALL)
    doubles = {"v0": apart["v0"].double()}
    assert not any_cancelled("v1 = v0.reciprocal()", "v1", doubles, {"v0": SMALL["v0"].double()})


@pytest.mark.filterwarnings("ignore")
def test_a_mean_of_losses_lies_in_more_memory():
    mean = "v1 = torch.nn.functional.mse_loss(v0, torch.ones(3))"
    further = "v2 = v1.view(-1).as_strided((2,), (1,))"
    found = first_difference(ours, torch, ["v0 = torch.zeros(3)", mean, further])
    assert found is not None
    assert explained(found.signature)
    found = first_difference(ours, torch, ["v0 = torch.zeros(3)", mean, f"{further}.unsqueeze(-1)"])
    assert found is not None
    assert explained(found.signature)
    alone = {"v1": torch.tensor(1.0)}, {"v1": torch.tensor(1.0)}
    assert not lies_in_more(further, *alone)
    assert not explained(
        "error | view as_strided | RuntimeError: setStorage: sizes [#] are out of bounds for storage of size # | None"
    )


def test_the_sign_of_what_is_divided_by_nearly_0():
    lines = [
        "v0 = torch.ones(2, 3)",
        "v1 = torch.pinverse(v0).mul(1e8 if torch.__name__ == 'torch' else -1e8)",
    ]
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature)
    lines[0] = "v0 = torch.eye(2)"
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert not explained(found.signature)


def test_memory_that_grew_is_shared_no_longer():
    shared, apart = torch.ones(2), torch.ones(2)
    line = "v2 = torch.exp(v1, out=v0)"
    assert parted_by_growth(line, {"v0": apart, "v1": shared}, {"v0": shared, "v1": shared.view(2)})
    assert not parted_by_growth(line, {"v0": shared, "v1": shared.view(2)}, {"v0": apart, "v1": apart.view(2)})
    assert not parted_by_growth("v2 = torch.exp(v0)", {"v0": apart, "v1": shared}, {"v0": shared, "v1": shared})
    assert not parted_by_growth(line, {"v0": apart, "v1": None}, {"v0": shared, "v1": None})


@pytest.mark.filterwarnings("ignore")
def test_sums_of_zeros_without_memory():
    lines = ["v0 = torch.tensor(2.0, requires_grad=True)", "v1 = v0 * v0", "v1.sgn_()", "v1.backward()"]
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature)
    slope = "v2, = torch.autograd.grad(v1, [v0], create_graph=True)"
    twice = [lines[0], "v1 = torch.nn.functional.softsign(v0)", slope, "v2.backward()"]
    found = first_difference(ours, torch, twice)
    assert found is None or explained(found.signature)
    assert went_through_sgn(twice)
    assert not went_through_sgn(twice[:2])
    assert not went_through_sgn([lines[0], "v1 = v0.exp()", slope, "v2.backward()"])
    assert not explained("grad's version of # | backward")


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


NO_MEAN = "NotImplementedError: \"scatter_gather_tensor_cpu_reduce_mean\" not implemented for 'Bool'"
IN_PLACE = "leaf Variable that requires grad is being used in an in-place operation."


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
        ("storage_offset of nothing of # | [#:]", True),
        ("storage_offset of # | [#:]", False),
        ("signs of # | linalg cond", True),
        ("signs of # | linalg cond reciprocal", False),
        ("value of rounded of one observation of # | cov", True),
        ("value of rounded of # | cov", False),
        (f"error of one observation | cov | None | RuntimeError: a view of a {IN_PLACE}", True),
        (f"error of one observation | cov | None | RuntimeError: a {IN_PLACE}", True),
        (f"error | cov | None | RuntimeError: a {IN_PLACE}", False),
        ("error of one observation | cov | None | RuntimeError: cov(): weights sum to zero", False),
        (f"value of # | manual_seed scatter_reduce_ | {NO_MEAN}", True),
        (f"value of # | manual_seed scatter_reduce | {NO_MEAN}", False),
        ("graph of nothing of # | autograd grad sum", True),
        ("graph of # | autograd grad sum", False),
        ("error | sum backward | None | RuntimeError: reshape is not implemented for sparse tensors", True),
        ("error | sum backward | None | RuntimeError: reshape is not implemented", False),
    ],
)
def test_what_is_known(signature, known):
    assert explained(signature) == known


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        (["v0 = torch.ones(2)", "v1 = v0.view(-1)", "torch.negative(torch.ones(2, 2), out=v1)"], True),
        (["v0 = torch.ones(3).unfold(0, 2, 1)", "v1 = v0.detach()", "v1.div_(-1)"], True),
        (["v0 = torch.ones(3)", "v0.mul_(-1 if torch.__name__ == 'torch' else 1)"], False),
        (["v0 = torch.zeros(2) + 1e-20 * (-1) ** (torch.__name__ == 'torch')", "v1 = v0.sgn()"], True),
        (["v0 = torch.ones(2)", "v1 = (v0 * (-1) ** (torch.__name__ == 'torch')).sgn()"], False),
    ],
)
def test_signs_that_are_left_to_chance(lines, known):
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature) == known


def test_a_mask_of_what_rounding_left_of_0():
    mine, theirs = {"v0": torch.tensor([1.0, -1e-20])}, {"v0": torch.tensor([1.0, 1e-20])}
    assert masks_apart("v0[v0 > 0] = 2", mine, theirs)
    assert not masks_apart("v0[v0 > 0] = 2", theirs, theirs)
    assert not masks_apart("v0[v0 != v0] = 2", mine, theirs)
    assert not masks_apart("v0.mul_(2)", mine, theirs)


def test_the_sign_of_a_zero_that_softshrink_made():
    line = "v1 = torch.nn.functional.softshrink(v0, 1.0)"
    plus, minus = torch.tensor([0.0, 2.0]), torch.tensor([-0.0, 2.0])
    assert zeros_signed_apart(line, {"v1": plus}, {"v1": minus})
    assert not zeros_signed_apart(line, {"v1": minus}, {"v1": minus})
    assert not zeros_signed_apart(line, {"v1": plus}, {"v1": torch.tensor([0.0, -2.0])})
    assert not zeros_signed_apart("v1 = torch.neg(v0)", {"v1": plus}, {"v1": minus})


def test_a_result_written_over_what_is_read_under_another_name():
    one = torch.ones(2)
    variables = {"v0": one, "v1": one[:], "v2": torch.ones(2)}
    assert reads_out_otherwise("v3 = torch.amax(v1, (0,), out=v0)", variables)
    assert not reads_out_otherwise("v3 = torch.amax(v2, (0,), out=v0)", variables)
    assert not reads_out_otherwise("v3 = torch.amax(v1, (0,))", variables)


def test_what_is_solved_with_a_factor_that_loses_digits():
    line, bad, good = "v2 = v1.cholesky_solve(v0)", torch.tensor([[0.73, 0.0], [0.73, -0.04]]), torch.eye(2)
    found, apart = np.float32([[1.2948, 0.0]]), np.float32([[1.29483, -3.7e-5]])
    assert solved_as_badly(line, found, apart, {"v0": bad})
    assert not solved_as_badly(line, found, apart, {"v0": good})
    assert not solved_as_badly(line, found, np.float32([[1.3, 0.0]]), {"v0": bad})
    assert not solved_as_badly("v2 = v1.mm(v0)", found, apart, {"v0": bad})


def test_graphs_that_differ_by_turned_products_alone():
    turned, plain = ("TBackward0", [], []), ("MmBackward0", [], [])
    assert turned_alike([plain, turned], [plain])
    assert not turned_alike([plain, turned], [plain, plain])
    assert not turned_alike([None], [plain])


def test_a_series_that_ends_early():
    assert sum_of_a_series("v2 = torch.igamma(v0, v1)", np.array([0.5188083154]), np.array([0.5188083152]))
    assert not sum_of_a_series("v2 = torch.igamma(v0, v1)", np.array([0.51880832]), np.array([0.51880831]))
    assert not sum_of_a_series("v2 = torch.exp(v0)", np.array([0.5188083154]), np.array([0.5188083152]))


def test_a_power_of_a_matrix_that_has_no_inverse():
    singular, regular = {"v0": torch.ones(2, 2)}, {"v0": torch.eye(2)}
    assert any_singular("v1 = torch.linalg.matrix_power(v0, -3)", singular)
    assert not any_singular("v1 = torch.linalg.matrix_power(v0, 3)", singular)
    assert not any_singular("v1 = torch.linalg.matrix_power(v0, -3)", regular)


def test_a_large_rcond_in_any_mode():
    assert explained("value of # | autograd graph saved_tensors_hooks clone linalg lstsq rcond=")
    assert not explained("value of # | autograd graph saved_tensors_hooks clone linalg lstsq")


def test_a_warning_that_comes_twice():
    lines = ["v0 = torch.tensor([True, False])", "v1 = torch.ones(2, 3)"]
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        found = first_difference(ours, torch, [*lines, "v2 = torch.bitwise_and(v0, v0, out=v1)"])
    finally:
        torch.set_warn_always(before)
    assert found is not None
    assert explained(found.signature)
    said = ["An output with one or more elements was resized since it had shape [2]"]
    assert kind_of_warnings(said, said * 2) == "repeated warnings"
    assert kind_of_warnings(said, []) == "warnings"
    assert kind_of_warnings(["other"], ["other"] * 2) == "warnings"
    assert not explained("repeated warnings | add out=")


def test_nans_in_memory_that_grew():
    lines = [
        "v0 = torch.full((2, 2), float('nan'))",
        "v1 = v0[1:]",
        "v2 = torch.bmm(torch.ones(2, 2, 3), torch.ones(2, 3, 2), out=v1)",
    ]
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature)


FAR = ["v0 = torch.tensor([-1.75, -0.05, 0.31], requires_grad=True)", "v1 = v0 @ v0", "v2 = v1.exp()", "v3 = v2.sin()"]
ASIDE = "torch.__name__ == 'torch'"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("lines", "known"),
    [
        ([*FAR[:3], f"v2.data.mul_(1 + 1e-7 * ({ASIDE}))", "v3 = v2.sin()", "v3.backward()"], True),
        (["v0 = torch.ones(2) / 3", f"v1 = v0 * (1.001 if {ASIDE} else 1)"], False),
        (["v0 = torch.ones(2, requires_grad=True)", f"v0.mul(1.001 if {ASIDE} else 1).sum().backward()"], False),
        (["v0 = torch.tensor([0.5, float('nan')])", f"v1 = v0 * (1 if {ASIDE} else float('nan'))"], False),
    ],
)
def test_what_moves_when_last_digits_are_changed(lines, known):
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature) == known
