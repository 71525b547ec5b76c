"""Functions of ``nn.functional`` called with odd arguments, which PyTorch's parser reads or refuses."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip("torch")

from support.live import check_alike

ODD = ("None", "'x'", "[1.0]", "object", "torch.tensor([1.5, 2.0])", "torch.tensor(0.5)", "2**70", "True", "-1")
X = "torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()"
LINES = "torch.arange(1.0, 13.0).reshape(2, 2, 3).requires_grad_()"
CALLS: dict[str, dict[str, str]] = {
    "alpha_dropout": {"input": X, "p": "0.5", "training": "True"},
    "dropout": {"input": X, "p": "0.5", "training": "True", "inplace": "False"},
    "dropout1d": {"input": LINES, "p": "0.5", "training": "True"},
    "dropout2d": {"input": LINES, "p": "0.5", "training": "True"},
    "feature_alpha_dropout": {"input": LINES, "p": "0.5", "training": "True"},
    "bilinear": {"input1": X, "input2": X, "weight": "torch.ones(2, 3, 3)", "bias": "torch.ones(2)"},
    "embedding": {"input": "torch.tensor([0, 1])", "weight": X, "padding_idx": "None", "max_norm": "None"},
    "embedding_bag": {
        "input": "torch.tensor([0, 1])",
        "weight": X,
        "offsets": "torch.tensor([0])",
        "scale_grad_by_freq": "False",
        "include_last_offset": "False",
        "padding_idx": "None",
    },
    "hinge_embedding_loss": {"input": X, "target": "torch.ones(2, 3)", "margin": "1.0"},
    "margin_ranking_loss": {"input1": X, "input2": X, "target": "torch.ones(2, 3)", "margin": "0.5"},
    "cosine_embedding_loss": {"input1": X, "input2": X, "target": "torch.ones(2)", "margin": "0.5"},
    "triplet_margin_loss": {
        "anchor": X,
        "positive": X,
        "negative": "torch.ones(2, 3)",
        "margin": "1.0",
        "swap": "True",
    },
    "multi_margin_loss": {"input": X, "target": "torch.tensor([0, 1])", "p": "1"},
    "multilabel_margin_loss": {"input": X, "target": "torch.tensor([[0, -1, 1], [1, 2, -1]])"},
    "soft_margin_loss": {"input": X, "target": "torch.ones(2, 3)"},
    "poisson_nll_loss": {"input": X, "target": "torch.ones(2, 3)", "log_input": "True", "full": "True", "eps": "1e-8"},
    "cosine_similarity": {"x1": X, "x2": "torch.ones(2, 3)", "dim": "1"},
    "pairwise_distance": {"x1": X, "x2": "torch.ones(2, 3)", "p": "2.0", "keepdim": "False"},
    "pad": {"input": X, "pad": "(1, 1)", "mode": "'constant'", "value": "None"},
    "rms_norm": {"input": X, "normalized_shape": "(3,)", "weight": "torch.ones(3)", "eps": "1e-5"},
}


@pytest.mark.parametrize("name", CALLS)
def test_odd_arguments(name):
    given = CALLS[name]
    for place, odd in itertools.product(given, ODD):
        written = {**given, place: odd}
        first, *others = written
        call = ", ".join(["v0", *[f"{other}={written[other]}" for other in others]])
        lines = [f"v0 = {written[first]}", f"torch.manual_seed(3); v1 = torch.nn.functional.{name}({call})"]
        check_alike([*lines, "v1.sum().backward()"])


@pytest.mark.parametrize("eps", ["-1.5", "float('nan')"])
def test_a_similarity_with_less_than_nothing(eps):
    check_alike([f"v0 = {X}", f"v1 = torch.nn.functional.cosine_similarity(v0, v0, 1, {eps})"])


@pytest.mark.parametrize("order", ["float('inf')", "-float('inf')", "3.0"])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_pooling_by_norms_of_any_order(order, dims):
    sizes = f"(1, -1, {', '.join(['4'] * dims)})"
    lines = [f"v0 = torch.arange(-32.0, 32.0).reshape({sizes}).requires_grad_()"]
    check_alike([*lines, f"v1 = torch.nn.functional.lp_pool{dims}d(v0, {order}, 2)", "v1.sum().backward()"])


LAYERS = {
    "input_size": ("None", "1.5", "0.0", "0", "torch.tensor(1)"),
    "hidden_size": ("None", "1.5", "-1", "torch.tensor([2])"),
    "num_layers": ("0", "-7"),
    "bias": ("None", "1", "torch.tensor([1.5, 2.0])"),
    "batch_first": ("None", "1"),
    "dropout": ("None", "'x'", "True", "2.0"),
    "bidirectional": ("0", "0.0"),
    "proj_size": ("-7", "2"),
}


@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_recurrent_layers_with_odd_arguments(name):
    for option, values in LAYERS.items():
        for value in values:
            given = {"input_size": "3", "hidden_size": "2", option: value}
            options = ", ".join(f"{key}={one}" for key, one in given.items())
            check_alike([f"m = torch.nn.{name}({options})", "note(repr(m))"])


@pytest.mark.parametrize("name", ["RNN", "GRU"])
def test_the_node_of_recurrent_layers_whose_batch_comes_first(name):
    lines = ["torch.manual_seed(3)", f"m = torch.nn.{name}(3, 2, batch_first=True)"]
    check_alike([*lines, "v0 = torch.ones(4, 2, 3)", "note(m(v0)[0].grad_fn.name())"])


def test_statistics_that_are_missing_before_others_that_do_not_fit():
    for mean, var in (("None", "torch.ones(2)"), ("torch.zeros(3)", "None"), ("torch.zeros(2)", "None")):
        check_alike([f"v0 = {X}", f"v1 = torch.nn.functional.batch_norm(v0, {mean}, {var})"])


@pytest.mark.parametrize(
    "given", ["v0", "v0.exp()", "v0.detach()", "v0.detach().long()", "v0.double()", "torch.ones(2)"]
)
@pytest.mark.parametrize("mode", ["", "with torch.no_grad(): ", "with torch.inference_mode(): "])
def test_a_tensor_of_a_tensor_is_a_view(mode, given):
    leaf = "v0 = torch.tensor([1.0, 2.0], requires_grad=True)"
    for made in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "v0.new"):
        check_alike([leaf, f"{mode}v1 = {made}({given})"])


@pytest.mark.parametrize("made", ["[1.0, 2.0]", "[]", "[[3.0]]"])
def test_a_warning_comes_before_what_has_not_one_element_is_refused(made):
    check_alike([f"v0 = torch.tensor({made}, requires_grad=True)", "v1 = float(v0)"])


@pytest.mark.parametrize("given", ["1", "'a'", "None", "True, check_nan=0"])
def test_anomaly_mode_takes_bools_alone(given):
    check_alike([f"v0 = torch.autograd.set_detect_anomaly({given})", "v1 = torch.is_anomaly_enabled()"])
