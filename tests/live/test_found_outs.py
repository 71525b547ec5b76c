"""Calls with ``out=`` in which random search, or a look at all operators after it, found a difference from PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

SET = "torch.set_default_dtype(torch.float64)\n"
MATRIX = SET + "v0 = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])\n"

UNFOLLOWED = {
    "softmax": "torch.softmax(v0, 1, out=v2)",
    "log_softmax": "torch.log_softmax(v0, 1, out=v2)",
    "diag of a matrix": "torch.diag(v0, out=v2)",
    "diag of a row": "torch.diag(v0[0], out=v2)",
    "slice_scatter": "torch.slice_scatter(v0, v1[:1], 0, 0, 1, out=v2)",
    "floor_divide": "torch.floor_divide(v0, v1, out=v2)",
    "floor_divide by a number": "torch.floor_divide(v0, 2, out=v2)",
    "heaviside": "torch.heaviside(v0, v1, out=v2)",
    "conj_physical": "torch.conj_physical(v0, out=v2)",
}
"""Operators that PyTorch records with ``out=`` by a node that refuses."""

PLACES = {
    "of that shape": "v2 = torch.ones(2, 3)",
    "of another shape": "v2 = torch.ones(7)",
    "a leaf that requires grad": "v2 = torch.ones(2, 3, requires_grad=True)",
    "with a history": "v2 = torch.ones(2, 3, requires_grad=True) * 1",
    "a row of a view": "v3 = torch.ones(4, 3, requires_grad=True) * 1\nv2 = v3[:2]",
    "a view of a leaf": "v3 = torch.ones(4, 3, requires_grad=True)\nv2 = v3[:2]",
    "a view made without grad": "v3 = torch.ones(4, 3, requires_grad=True) * 1\nwith torch.no_grad(): v2 = v3[:2]",
    "one of several views": "v3 = torch.ones(2, 2, 3, requires_grad=True) * 1\nv2 = v3.unbind()[0]",
}


@pytest.mark.parametrize("leaf", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", UNFOLLOWED)
def test_recorded_by_a_node_that_refuses(call, place, leaf):
    start = f"{SET}v0 = torch.tensor([[1.5, -2.0, 0.5], [2.5, 0.0, -1.0]], requires_grad={leaf})\nv1 = v0 * 2"
    check_alike([*start.splitlines(), *PLACES[place].splitlines(), UNFOLLOWED[call], "v2.sum().backward()"])


@pytest.mark.parametrize("call", ["bitwise_and(v0, v0", "bitwise_not(v0", "gcd(v0, v0", "bitwise_left_shift(v0, v0"])
def test_integers_into_what_has_a_history(call):
    check_alike(["v0 = torch.tensor([1, 6])", "v1 = torch.ones(2, requires_grad=True) * 1", f"torch.{call}, out=v1)"])


PAIRS = (
    *(f"{name}(v0, 0" for name in ("max", "min", "median", "nanmedian", "mode", "cummax", "cummin")),
    *("sort(v0", "topk(v0, 2", "kthvalue(v0, 2", "aminmax(v0", "slogdet(v0", "qr(v0", "linalg.lu_factor(v0"),
    *(f"linalg.{name}(v0" for name in ("qr", "eigh", "slogdet", "inv_ex", "cholesky_ex")),
    "linalg.solve_ex(v0, v0",
)
"""Calls with two results."""


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", None])
@pytest.mark.parametrize("call", PAIRS)
@pytest.mark.parametrize("place", [0, 1])
def test_two_results_into_dtypes(call, place, dtype):
    start = [*MATRIX.splitlines(), f"v1, v2 = [r.new_zeros(0) for r in torch.{call})]"]
    if dtype is not None:
        start.append(f"v{place + 1} = torch.zeros(0, dtype=torch.{dtype})")
    check_alike([*start, f"v3 = one(torch.{call}, out=(v1, v2)), 0)"], accidents=True)


@pytest.mark.parametrize(("call", "count"), [("svd(v0", 3), ("linalg.lu(v0", 3)])
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_three_results_into_dtypes(call, count, dtype):
    places = [f"v{number + 1} = torch.zeros(0, dtype=torch.{dtype})" for number in range(count)]
    check_alike([*MATRIX.splitlines(), *places, f"v4 = one(torch.{call}, out=(v1, v2, v3)), 2)"], accidents=True)


@pytest.mark.parametrize("dtype", ["int64", "bool"])
def test_a_solution_of_least_squares_into_a_dtype(dtype):
    places = "v1, v2, v3, v4 = [torch.zeros(0, dtype=torch.float64 if n != 2 else torch.int64) for n in range(4)]"
    call = "v6 = one(torch.linalg.lstsq(v0, v0, out=(v5, v2, v3, v4)), 1)"
    check_alike([*MATRIX.splitlines(), places, f"v5 = torch.zeros(0, dtype=torch.{dtype})", call], accidents=True)


@pytest.mark.parametrize("number", [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8])
@pytest.mark.parametrize("name", ["matrix_power", "linalg.matrix_power"])
def test_the_power_of_a_matrix(name, number):
    for grad, into in (
        (False, "torch.ones(5)"),
        (False, "torch.ones(3, 3).float()"),
        (True, "torch.ones(3, 3)"),
        (False, "torch.ones(3, 3, requires_grad=True) * 1"),
        (False, "torch.ones(3).long()"),
    ):
        start = [*MATRIX.splitlines(), f"v0.requires_grad_({grad})", f"v1 = {into}"]
        check_alike([*start, f"v2 = torch.{name}(v0, {number}, out=v1)"])


PROGRAMS = {
    **{
        f"drawn by chances into {into}": (
            f"v0 = torch.full((2, 3), 0.4)\nv1 = {into}\ntorch.manual_seed(3); torch.bernoulli(v0, out=v1)"
        )
        for into in (
            "torch.zeros(3, 2).T",
            "torch.zeros(9)",
            "torch.zeros(2, 3).long()",
            "v0",
            "torch.zeros(1, 3).expand(2, 3)",
            "torch.zeros(6)[:3]",
            "torch.ones(2, 3, requires_grad=True)",
        )
    },
    "drawn by a chance, in front of what has a gradient": (
        "v0 = torch.full((2,), 0.5, requires_grad=True)\ntorch.manual_seed(3); v1 = torch.bernoulli(v0, True)\n"
        "(v1 * v1).sum().backward(inputs=[v1])"
    ),
    **{
        f"{name} of floats into {dtype}": (
            f"v0 = torch.tensor([[0.5, -1.5, 2.75], [1.25, 0.75, -0.5]])\nv1 = torch.zeros(0, dtype=torch.{dtype})\n"
            f"torch.{name}(v0, 0, out=v1)"
        )
        for name in ("sum", "prod", "cumsum", "cumprod")
        for dtype in ("int64", "float64", "bool")
        if dtype != "bool" or not name.startswith("cum")
    },
    **{
        f"a vector times a matrix into {into}": (
            f"v0 = torch.ones(2)\nv1 = torch.ones(2, 3)\nv2 = {into}\ntorch.matmul(v0, v1, out=v2)\n"
            "torch.linalg.matmul(v0, v1, out=v2)"
        )
        for into in ("torch.ones(3)", "torch.ones(5)", "torch.ones(0)")
    },
    **{
        f"{call} warns, into another shape": f"v0 = torch.ones(4)\ntorch.{call}, out=v0)"
        for call in (
            "std(torch.ones(1), 0",
            "var(torch.ones(2, 1), 1",
            "cross(torch.ones(2, 3), torch.ones(2, 3)",
            "cholesky(torch.eye(2)",
            "ldexp(torch.tensor(2.0), torch.tensor([1, 2])",
            "index_reduce(torch.ones(2, 3), 0, torch.tensor([0]), torch.ones(1, 3), 'mean'",
        )
    },
    "products of rows into what has a history": (
        "v0 = torch.ones(2, requires_grad=True) * 2\ntorch.linalg.vecdot(torch.ones(2, 2), torch.ones(2, 2), out=v0)"
    ),
    "products of rows into a part of them": ("v0 = torch.ones(2, 2)\nv1 = v0[0]\ntorch.linalg.vecdot(v0, v0, out=v1)"),
    "what is real as it is": (
        "v0 = torch.tensor([1.0, -2.0])\nv1 = torch.conj_physical(v0, out=None)\nv2 = torch.ones(3)\n"
        "torch.conj_physical(v0, out=v2)\ntorch.conj_physical(v0, out=torch.ones(2).long())\nv0.conj_physical(1)"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


TOLERANCES = ["rtol=2", "rtol=torch.tensor(0.5)", "atol=0.1,hermitian=True", "1e-15", "torch.tensor(0.1)", "rcond=2.0"]
RESULTS = {
    "plain": "torch.zeros(2, 2)",
    "another shape": "torch.zeros(3)",
    "doubles": "torch.zeros(2, 2, dtype=torch.float64)",
    "integers": "torch.zeros(2, 2, dtype=torch.int64)",
    "a leaf": "torch.zeros(2, 2, requires_grad=True)",
    "with a history": "torch.zeros(2, 2, requires_grad=True) * 1",
    "a view": "torch.zeros(2, 4)[:, ::2]",
}


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("place", RESULTS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_pseudoinverse_whose_tolerances_are_numbers_has_a_history(tolerance, place, grad):
    lines = [f"v0 = torch.tensor([[0.5, 2.0], [1.0, 4.5]]).requires_grad_({grad})", f"v1 = {RESULTS[place]}"]
    check_alike([*lines, f"v2 = torch.linalg.pinv(v0, {tolerance}, out=v1)", "v1.sum().backward()"])
