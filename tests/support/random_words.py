"""What random programs are written of: shapes, names, pieces of lines; ``{a}`` and ``{b}`` stand for tensors."""

from __future__ import annotations

SHAPES = ("()", "(1,)", "(2,)", "(3,)", "(2, 3)", "(3, 2)", "(2, 2)", "(1, 3)", "(2, 1, 3)", "(0, 2)")
BINARY = ("+", "-", "*", "/")
UNARY = ("exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "neg", "clone", "t", "reciprocal")
NUMBERS = ("2", "3.0", "-1", "0.5", "1")
WRITERS = ("add_", "sub_", "mul_", "div_", "copy_")
QUIET = ("zero_", "exp_", "relu_", "neg_", "tanh_", "sigmoid_", "t_", "unsqueeze_(0)", "squeeze_", "abs_", "detach_")

SHAPED = (
    ".view(-1)",
    ".reshape(-1)",
    ".reshape(2, -1)",
    ".transpose(0, 1)",
    ".transpose(0, -1)",
    ".T",
    "[0]",
    "[-1]",
    "[0:1]",
    "[1:]",
    "[:, 1]",
    "[None]",
    ".softmax(0)",
    ".softmax(-1)",
    ".double()",
    ".float()",
    ".long()",
    ".to(torch.float32)",
    ".type_as({b})",
    ".contiguous()",
)
VIEWS = (
    ".view(-1)",
    ".reshape(2, -1)",
    ".transpose(0, -1)",
    ".t()",
    "[0]",
    "[..., 0]",
    "[1:]",
    "[None]",
    ".squeeze()",
    ".unsqueeze(-1)",
    ".expand(2, *{a}.shape)",
    ".diagonal()",
    ".detach()",
    ".unbind()[0]",
    ".chunk(2)[0]",
    ".narrow(0, 0, 1)",
    ".as_strided((2,), (1,))",
    ".view_as({a})",
    "[:, ::2]",
    ".data",
)
INDICES = (
    "[{a} > 0]",
    "[[0, -1]]",
    "[torch.tensor([0, 0, 1])]",
    "[..., [0]]",
    "[None, 0]",
    "[torch.tensor(0)]",
    "[{a} != {a}]",
    "[:, [1, 0]]",
    "[True]",
)
FACTORIES = (
    "torch.zeros{s}",
    "torch.ones{s}",
    "torch.full({s}, {n})",
    "torch.eye(2, 3)",
    "torch.arange({n})",
    "torch.arange(0, 1, 0.25)",
    "torch.linspace(-1, 1, 3)",
    "torch.zeros_like({a})",
    "torch.ones_like({a})",
    "torch.full_like({a}, {n})",
    "torch.randn{s}",
    "torch.rand{s}",
    "torch.rand_like({a})",
    "torch.randint(5, {s})",
    "torch.randperm(4)",
    "{a}.new_zeros{s}",
    "{a}.new_tensor({n})",
    "torch.tensor([[{n}, 2.5], [0.25, -1.0]])",
)
FLAGS = (
    "{a}.retain_grad()",
    "{a}.retain_grad()",
    "{a}.requires_grad_()",
    "{a}.requires_grad_(False)",
    "{a}.detach_()",
    "{a}.grad = None",
    "{a}.grad = torch.ones_like({a})",
    "{a}.grad.zero_()",
    "{a}.grad.mul_(2)",
    "{a}.grad.data.add_(1)",
    "{a}.grad += {a}.detach()",
    "{a}.data = {b}.data",
    "{a}.requires_grad = True",
)
TENSOR_HOOKS = ("lambda g: g * 2", "lambda g: note(g)", "lambda g: None", "lambda g: 3", "lambda g: g[..., None]")
NODE_HOOKS = (
    "{a}.grad_fn.register_hook(lambda i, o: note(i, o))",
    "{a}.grad_fn.register_prehook(lambda o: note(o))",
    "{a}.grad_fn.register_hook(lambda i, o: tuple(None if g is None else g * 2 for g in i))",
    "{a}.register_post_accumulate_grad_hook(lambda p: note(p.grad))",
)
MODES = (
    "torch.no_grad()",
    "torch.no_grad()",
    "torch.enable_grad()",
    "torch.set_grad_enabled(False)",
    "torch.inference_mode()",
    "torch.no_grad(), torch.enable_grad()",
    "torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)",
    "torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t.clone())",
)
