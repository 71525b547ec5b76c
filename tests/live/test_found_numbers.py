"""Programs in which random search once found a number, or what became of nothing, otherwise than in PyTorch."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip("torch")

from support.live import check_alike

NUMBERS = ("-1.5", "300", "-300", "1e40", "2**70", "float('nan')", "float('inf')", "-1", "-0.5", "127.5")
DTYPES = ("float32", "float64", "int64", "uint8", "int8")
CALLS = (
    "torch.threshold(v0, {n}, 1)",
    "torch.threshold(v0, 1, {n})",
    "torch.nn.functional.hardtanh(v0, {n}, 1)",
    "torch.nn.functional.softshrink(v0, {n})",
    "v0.clamp({n})",
    "v0.clamp(max={n})",
    "v0.masked_fill(v0 == v0, {n})",
    "torch.where(v0 == v0, v0, {n})",
    "v0.addcmul(v0, v0, value={n})",
    "v0.index_fill(0, torch.tensor([0]), {n})",
    "v0.scatter(0, torch.tensor([0]), {n})",
    "{n} - v0",
    "v0.subtract({n})",
    "v0.renorm(2, 0, {n})",
    "torch.tensor({n}, dtype=v0.dtype)",
)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", CALLS)
def test_numbers_beyond_the_dtype(call, dtype):
    for number in NUMBERS:
        check_alike([f"v0 = torch.ones(2, dtype=torch.{dtype})", f"v1 = {call.format(n=number)}"])


def test_a_frame_of_a_number_beyond_the_dtype():
    for number in ("300", "-1.5", "1e40"):
        check_alike(["v0 = torch.ones(2).byte()", f"v1 = torch.nn.functional.pad(v0, (1, 1), value={number})"])


SIZES = ("(0,)", "(2,)", "(0, 2)", "(3, 2)")


@pytest.mark.parametrize("how", ["'sum'", "'mean', include_self=False", "'amax', include_self=False"])
def test_scattered_where_there_is_no_room(how):
    for self, index, source in itertools.product(SIZES, ("()", "(1,)", "(1, 2)", "(4, 2)"), SIZES):
        places = f"torch.zeros({index}, dtype=torch.int64)"
        check_alike([f"v0 = torch.ones({self}).scatter_reduce(0, {places}, torch.ones({source}), {how})"])


PROGRAMS = {
    "products that nobody reads": (
        "v0 = torch.full((2, 2, 2), float('inf'))\nv1 = torch.ones(2, 2)\nv2 = v1.addmm(v0[0], v1, alpha=0)\n"
        "v3 = v1.addbmm(v0, v0, beta=0.5, alpha=0)\nv4 = v1[0].addmv(v0[0], v1[0], alpha=0)\n"
        "v5 = v0.baddbmm(v0, v0, beta=0, alpha=0)\nv6 = v1.addr(v0[0, 0], v1[0], alpha=0)"
    ),
    "groups of a number": "v0 = torch.group_norm(torch.tensor(2.0), 1, torch.ones(1))",
    "cut to less than nothing": "v0 = torch.nn.functional.pad(torch.ones(1, 2, 1), (-2, 2))",
    "cut to less than nothing on both sides": "v0 = torch.nn.functional.pad(torch.ones(1, 2, 3), (-2, -2))",
    "cut to nothing": "v0 = torch.nn.functional.pad(torch.ones(1, 2, 3), (-2, -1))",
    "the rank of nothing that is symmetric": "v0 = torch.linalg.matrix_rank(torch.ones(0, 2), hermitian=True)",
    "the rank of what is not square": "v0 = torch.linalg.matrix_rank(torch.ones(1, 2), hermitian=True)",
    "the rank of integers beside a tolerance": "v0 = torch.linalg.matrix_rank(torch.ones(1, 2).long(), rtol=0.5)",
    "the rank of no integers beside a tolerance": "v0 = torch.linalg.matrix_rank(torch.ones(0, 2).long(), rtol=0.5)",
    "a mean that ends infinite": (
        "v0, v1 = torch.std_mean(torch.tensor([[0.5, 2.0, float('inf')], [float('inf'), 1.0, 2.0]]), 1)\n"
        "v2 = torch.var_mean(torch.tensor([0.5, float('inf'), float('inf')]))[1]"
    ),
    "a backward through the root of nothing": (
        "v0 = torch.zeros(0, 2, requires_grad=True)\n(torch.cholesky(v0) * v0).sum().backward()"
    ),
    "a grid with a word for a flag": (
        "v0 = torch.nn.functional.affine_grid(torch.ones(1, 2, 3), (1, 1, 2, 3), object)"
    ),
    "a fill by what is no index, written over it": "v0 = torch.tensor(0.5)\nv0.index_fill_(1, v0, v0)",
    "an index beyond, where nothing is read": (
        "v0 = torch.zeros(1, 0, 2, requires_grad=True)\nv1 = v0[torch.tensor([0, 0, 5])]\nv1.sum().backward()\n"
        "v2 = v0.detach()\nv2[torch.tensor([3])] += 1.0\nv3 = v2[torch.tensor([3]), torch.tensor([5])]"
    ),
    "the cosine between integers and floats": (
        "v0 = torch.tensor([1, 0, 1])\n"
        "v1 = torch.nn.functional.cosine_similarity(v0, torch.tensor([0.5, 1.0, 0.25]), dim=0)\n"
        "v2 = torch.nn.functional.cosine_similarity(v0, v0, dim=0)"
    ),
    "a logarithm of bytes in a gradient": (
        "v0 = torch.ones(3, requires_grad=True)\nv1 = torch.special.xlog1py(v0, torch.ones(3).byte())\n"
        "v1.sum().backward()"
    ),
    "a product given to what requires grad": (
        "v0 = torch.ones(2, 2)\nv1 = torch.ones(2, 2, requires_grad=True) * 2\ntorch.inner(v0, v0, out=v1)\n"
        "v2 = torch.ones(9, requires_grad=True)\ntorch.inner(v0, v0, out=v2)\ntorch.linalg.norm(v0, out=v2)"
    ),
    "running sums of nothing": (
        "v0 = torch.zeros(0, 2, requires_grad=True)\nv1 = v0.logcumsumexp(0)\n"
        "v1.backward(torch.ones_like(v1), create_graph=True)"
    ),
    "an angle of bools": "v0 = torch.ones(2, requires_grad=True)\ntorch.arctan2(v0 > 0, v0).sum().backward()",
    "a column beyond the last": "v0 = torch.ones(2, 3).index_select(1, torch.tensor([0, 7, -1]))",
    "a row beyond the last": "v0 = torch.ones(2, 3).index_select(0, torch.tensor([0, 7]))",
    "a plane beyond the last": "v0 = torch.ones(2, 3, 2).index_select(2, torch.tensor([7]))",
    **{
        f"the spread of nothing, less {count}": (
            f"v0 = torch.zeros(0, 2, requires_grad=True)\nv1 = v0.var(correction={count})\n"
            f"v2 = torch.std_mean(v0, 0, correction={count})[0]\nv1.backward()"
        )
        for count in ("-1.5", "-1", "0", "0.5")
    },
    "the mean of integers at the end of their range": (
        "v0 = torch.full((1, 2, 6), -(2**63))\nv1 = torch.nn.functional.avg_pool1d(v0, 3)\n"
        "v2 = torch.nn.functional.avg_pool2d(v0 + 7, 2, divisor_override=-3)\n"
        "v3 = torch.nn.functional.avg_pool2d(v0 + 7, 2, 1, 1, count_include_pad=False)\n"
        "v4 = torch.nn.functional.avg_pool3d(v0[None] + 7, (1, 2, 2), 1)"
    ),
    "a slope where there is no number": (
        "v0 = torch.tensor([0.5, float('nan'), 2.0], requires_grad=True)\nv0.logit(0.1).sum().backward()\n"
        "v1 = v0.logit(0.1)\nv1.sum().backward(create_graph=True)"
    ),
    **{
        f"{call} of nothing": f"torch.manual_seed(3); v0 = torch.ones(0, dtype=torch.bool)\nv0.{call}"
        for call in ("exponential_()", "exponential_(-1)", "geometric_(0.5)", "log_normal_()", "cauchy_()")
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


@pytest.mark.parametrize(
    "call", ["geometric_(2.0)", "geometric_(0.5)", "normal_(0, -1)", "random_(5, 2)", "log_normal_(0, -1)"]
)
def test_wrong_numbers_are_refused_before_a_wrong_place(call):
    check_alike(["v0 = torch.ones(3).expand(2, 3)", f"torch.manual_seed(3); v0.{call}"])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int64"])
@pytest.mark.parametrize("name", ["pow", "fmod", "remainder", "xlogy", "special.xlog1py", "atan2", "hypot", "copysign"])
def test_gradients_beside_integers(name, dtype):
    check_alike(
        [
            f"v0 = torch.tensor([1.0, 0.0, 3.0]).to(torch.{dtype})",
            "v1 = torch.tensor([2.0, 1.5, 0.5], requires_grad=True)",
            f"v2 = torch.{name}(v0, v1)",
            "v2.sum().backward()",
        ]
    )


PRODUCTS = ("v0 @ v1", "torch.bmm(v0, v1)", "torch.baddbmm(v0, v0, v1)", "torch.cdist(v0, v1)")


@pytest.mark.parametrize("call", PRODUCTS)
@pytest.mark.parametrize(("first", "second"), [("float32", "float64"), ("int64", "float32"), ("bool", "float32")])
def test_products_of_nothing_in_two_dtypes(call, first, second):
    for one, other in itertools.product(("(0, 2)", "(2, 0)", "(1, 2, 0)", "(1, 0, 2)", "(0,)"), repeat=2):
        check_alike(
            [
                f"v0 = torch.zeros({one}, dtype=torch.{first})",
                f"v1 = torch.zeros({other}, dtype=torch.{second})",
                f"v2 = {call}",
            ]
        )


def test_attention_of_what_is_no_number():
    for number in ("float('nan')", "-float('inf')", "float('inf')"):
        check_alike(
            [
                f"v0 = torch.arange(12.0).reshape(1, 2, 3, 2); v0[0, 0, 0, 0] = {number}; v0.requires_grad_()",
                "v1 = torch.arange(12.0).reshape(1, 2, 3, 2).div(10).requires_grad_()",
                "v2 = torch.nn.functional.scaled_dot_product_attention(v0, v1, v1)",
            ]
        )


@pytest.mark.parametrize("loss", ["mse_loss", "smooth_l1_loss", "huber_loss"])
@pytest.mark.parametrize("dtype", ["bool", "int64", "float32", "float64"])
@pytest.mark.parametrize("order", ["v0, v2", "v2, v0"])
def test_losses_of_what_a_tensor_that_requires_grad_has_filled(loss, dtype, order):
    check_alike(
        [
            f"v0 = torch.tensor([1, 0]).to(torch.{dtype})",
            "v1 = torch.tensor(1.5, requires_grad=True)",
            "v0.fill_(v1)",
            "v2 = torch.tensor([2.0, 0.5])",
            f"v3 = torch.nn.functional.{loss}({order})",
            "v3.backward()",
        ]
    )


POWERS_OF_2 = (
    ("[1e-30, 3.0]", "float32", "[130, -3]", "int64"),
    ("[1e-30, 3.0]", "float32", "[2**32 + 3, -(2**31) - 5]", "int64"),
    ("[1e-30, 3.0]", "float32", "[130, 3]", "uint8"),
    ("[1e-30, 3.0]", "float64", "[130.5, -3.3]", "float32"),
    ("[1e-30, 3.0]", "float32", "[130.5, -3.3]", "float64"),
    ("[1, 3]", "int64", "[-3, 130]", "int64"),
    ("[1, 3]", "int64", "[-3.3, 20.2]", "float32"),
    ("[0, 3]", "bool", "[-3.3, 20.2]", "float64"),
)


@pytest.mark.parametrize(("values", "dtype", "exponents", "other"), POWERS_OF_2)
@pytest.mark.parametrize("call", ["torch.ldexp(v0, v1)", "v0.ldexp_(v1)", "torch.ldexp(v0, v1, out=v0)"])
def test_a_power_of_2_is_taken_in_the_dtype_of_the_exponent(call, values, dtype, exponents, other):
    check_alike(
        [
            f"v0 = torch.tensor({values}).to(torch.{dtype})",
            f"v1 = torch.tensor({exponents}, dtype=torch.{other})",
            f"v2 = {call}",
        ]
    )


@pytest.mark.parametrize("leaf", ["v0", "v1"])
def test_gradients_of_a_power_of_2_in_two_dtypes(leaf):
    check_alike(
        [
            "v0 = torch.tensor([1e-30, 3.0], dtype=torch.float64)",
            "v1 = torch.tensor([130.5, -3.3])",
            f"{leaf}.requires_grad_()",
            "v2 = torch.ldexp(v0, v1)",
            "v2.sum().backward()",
        ]
    )


@pytest.mark.parametrize(
    "call", ["v0.ldexp_(v0)", "v0.ldexp_(torch.ones(3))", "torch.ldexp(torch.ones(3), v0, out=v0)"]
)
def test_a_power_of_2_in_what_is_repeated(call):
    check_alike(["v0 = torch.ones(1).expand(3)", f"v1 = {call}"])


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("weight", ["torch.tensor([1, 2])", "torch.tensor([1.0, 2.0]).double()", "torch.ones(2) > 0"])
@pytest.mark.parametrize("name", ["binary_cross_entropy", "binary_cross_entropy_with_logits"])
def test_an_entropy_weighed_in_another_dtype(name, weight, reduction):
    call = f"torch.nn.functional.{name}(v0, v1, {weight}, reduction={reduction!r})"
    lines = ["v0 = torch.tensor([0.5, 0.25], requires_grad=True)", "v1 = torch.tensor([1.0, 0.0])", f"v2 = {call}"]
    check_alike([*lines, "v2.sum().backward()"])


@pytest.mark.parametrize("options", ["", "create_graph=True"])
@pytest.mark.parametrize("sizes", ["2, 3", "1, 2", "3, 2", "2, 1"])
def test_what_is_not_finite_reaches_no_further_than_its_window(sizes, options):
    lines = ["v0 = torch.tensor([[0.1, 0.7, 1.4], [1.7, 1.9, 0.8]], dtype=torch.float64, requires_grad=True)"]
    lines += [f"v1 = torch.nn.functional.adaptive_avg_pool2d(v0[None], ({sizes}))", "v2 = torch.ones_like(v1)"]
    for values in ("v2[0, 0, 0] = float('inf')", "v2[0, -1, -1] = float('nan')"):
        check_alike([*lines, values, f"(v1 * v2).sum().backward({options})"])


@pytest.mark.parametrize("bias", ["None", "torch.zeros(4)"])
@pytest.mark.parametrize("weight", ["None", "torch.tensor([-1.0, 1.0, -2.0, 0.0])"])
def test_no_zero_below_0_is_left_by_normalising(weight, bias):
    lines = ["v0 = torch.zeros(2, 4)", f"v1 = {weight}", f"v2 = {bias}"]
    for call in (
        "group_norm(v0, 2, v1, v2)",
        "layer_norm(v0, (4,), v1, v2)",
        "batch_norm(v0, None, None, v1, v2, True)",
        "batch_norm(v0, torch.zeros(4), torch.ones(4), v1, v2)",
    ):
        check_alike([*lines, f"v3 = torch.nn.functional.{call}.reciprocal()"])


@pytest.mark.parametrize("eps", ["None", "0.0", "-0.5", "0.1"])
@pytest.mark.parametrize("options", ["", "create_graph=True"])
def test_the_slope_of_logit_at_its_ends(options, eps):
    lines = ["v0 = torch.tensor([0.0, -0.0, 1.0, 0.5], dtype=torch.float64, requires_grad=True)"]
    check_alike([*lines, f"v1 = v0.logit({eps})", f"v1.sum().backward({options})"])


@pytest.mark.parametrize(
    "values",
    [
        *("[[1.0, inf], [0.0, 1.0]]", "[[inf, inf], [0.0, 0.0]]", "[[0.0, nan], [0.0, 0.0]]", "[[0.0, 1e308], [0, 0]]"),
        *(
            "[[[0.0, 0.0], [0.0, inf]], [[50.0, 0.0], [0.0, 1.0]]]",
            "[[-1e308, 0.0], [0.0, 0.0]]",
            "[[5e-324, 0], [0, 0]]",
        ),
    ],
)
def test_the_exponential_of_matrices_beyond_all_bounds(values):
    written = values.replace("inf", "float('inf')").replace("nan", "float('nan')")
    check_alike([f"v0 = torch.tensor({written}, dtype=torch.float64)", "v1 = torch.matrix_exp(v0).log1p()"])


@pytest.mark.parametrize(
    "numbers", ["0.0, -inf, 0.0", "0.0, 0.0, 2.0", "inf, 0.0, 3.0", "0.0, inf, 0.0", "2.0, 0.0, nan"]
)
@pytest.mark.parametrize("then", ["v1.sum().backward()", "v1.sum().backward(create_graph=True)"])
def test_running_products_of_zeros_and_infinities(numbers, then):
    lines = ["inf, nan = float('inf'), float('nan')", f"v0 = torch.tensor([{numbers}], requires_grad=True)"]
    check_alike([*lines, "v1 = v0.cumprod(0)", then])


PLACES = ("nan, 0.1, 0.3, nan, nan, nan", "inf, 0.1, -inf, inf, 0.2, -inf", "1e30, -1e30, 5.5, -7.25, nan, inf")


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("sizes", ["1, 1, 3, 4", "1, 1, 2, 3, 2"])
def test_samples_at_places_that_are_no_numbers(sizes, mode, padding, places):
    if mode == "bicubic" and len(sizes) > 10:
        pytest.skip("images only")
    grid = "1, 1, 3, 2" if len(sizes) == 10 else "1, 1, 1, 2, 3"
    lines = ["inf, nan = float('inf'), float('nan')"]
    lines += [f"v0 = torch.arange(12, dtype=torch.float64).reshape({sizes}).sin().requires_grad_()"]
    lines += [f"v1 = torch.tensor([{places}], dtype=torch.float64).reshape({grid})"]
    lines += [f"v2 = torch.nn.functional.grid_sample(v0, v1, '{mode}', '{padding}', align_corners=True)"]
    check_alike([*lines, *["v2.sum().backward()"] * (mode == "bicubic")])  # others end PyTorch's process
