"""Snippets about pooling of volumes, unpooling, bags of embeddings, sampling at places, and the CTC loss."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

from core.nn.snippets import CALL, RUN

MODULES = [
    ("MaxPool3d(2)", "randn(1, 2, 4, 5, 4)"),
    ("MaxPool3d((2, 3, 1), stride=1, padding=(1, 1, 0), return_indices=True, ceil_mode=True)", "randn(2, 4, 5, 4)"),
    ("AvgPool3d(2, padding=1)", "randn(1, 2, 4, 5, 4)"),
    ("AvgPool3d((2, 1, 3), 2, ceil_mode=True, count_include_pad=False, divisor_override=5)", "randn(2, 4, 5, 4)"),
    ("AdaptiveAvgPool3d((2, None, 3))", "randn(1, 2, 4, 5, 4)"),
    ("AdaptiveAvgPool3d(1)", "randn(1, 2, 4, 5, 4)"),
    ("AdaptiveMaxPool3d(2, return_indices=True)", "randn(1, 2, 4, 5, 4)"),
    ("LPPool3d(3, 2)", "randn(1, 2, 4, 4, 4).abs()"),
    ("MaxUnpool1d(2)", "randn(2, 2, 3), torch.tensor([[[0, 3, 4], [1, 2, 5]]] * 2)"),
    ("MaxUnpool2d(2, padding=0)", "randn(1, 2, 2, 2), torch.tensor([[[[0, 3], [9, 14]], [[5, 2], [8, 11]]]])"),
    ("MaxUnpool3d((1, 2, 2))", "randn(1, 1, 2, 2, 2), torch.tensor([[[[[0, 3], [9, 14]], [[17, 19], [25, 31]]]]])"),
    ("EmbeddingBag(6, 3)", "torch.tensor([1, 2, 4, 4]), torch.tensor([0, 3])"),
    ("EmbeddingBag(6, 3, mode='sum', padding_idx=-2)", "torch.tensor([[1, 4, 5], [4, 4, 4]])"),
    ("EmbeddingBag(6, 3, mode='max', include_last_offset=True)", "torch.tensor([1, 2, 4, 4]), torch.tensor([0, 2, 2, 4])"),
    ("EmbeddingBag(6, 3, max_norm=1., scale_grad_by_freq=True)", "torch.tensor([1, 2, 4, 4]), torch.tensor([0, 0, 3])"),
    ("EmbeddingBag(6, 3, mode='sum')", "torch.tensor([1, 2, 4, 4]), torch.tensor([0, 3]), randn(4)"),
    ("CTCLoss()", "randn(6, 2, 4).log_softmax(2), torch.tensor([[1, 2, 2], [3, 1, 1]]), torch.tensor([6, 5]), torch.tensor([3, 2])"),
    ("CTCLoss(reduction='none', zero_infinity=True)", "randn(3, 2, 4).log_softmax(2), torch.tensor([[1, 2, 2], [3, 1, 1]]), torch.tensor([3, 3]), torch.tensor([3, 2])"),
    ("CTCLoss(2, reduction='sum')", "randn(6, 2, 4).log_softmax(2), torch.tensor([1, 3, 0, 1]), torch.tensor([6, 4]), torch.tensor([3, 1])"),
    ("CTCLoss()", "randn(6, 4).log_softmax(1), torch.tensor([1, 3, 1]), torch.tensor(6), torch.tensor(3)"),
]  # fmt: skip
"""Modules and what they are called with."""

REFUSED = [
    "MaxPool3d((2, 2))(torch.ones(1, 1, 3, 3, 3))",
    "AvgPool3d(9)(torch.ones(1, 1, 3, 3, 3))",
    "AvgPool3d(2, 0)",
    "MaxPool3d(2)(torch.ones(3, 3))",
    "AdaptiveMaxPool3d((2, 2))(torch.ones(1, 1, 3, 3, 3))",
    "MaxUnpool2d(2)(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 2, 3).long())",
    "MaxUnpool2d(2)(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 2, 2))",
    "MaxUnpool2d(2)(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 2, 2).long(), (9, 9))",
    "EmbeddingBag(3, 2, padding_idx=4)",
    "EmbeddingBag(3, 2, _weight=torch.ones(2, 2))",
    "EmbeddingBag(3, 2)(torch.tensor([1, 2]))",
    "EmbeddingBag(3, 2)(torch.tensor([1, 5]), torch.tensor([0]))",
    "EmbeddingBag(3, 2, mode='max', scale_grad_by_freq=True)(torch.tensor([[1, 2]]))",
    "EmbeddingBag.from_pretrained(torch.ones(3, 2), mode='sum')(torch.tensor([[1, 2]]))",
    "CTCLoss()(torch.ones(3, 2, 4), torch.ones(2, 3).long(), (4, 3), (3, 3))",
    "CTCLoss(7)(torch.ones(3, 2, 4), torch.ones(2, 3).long(), (3, 3), (3, 3))",
    "CTCLoss(reduction='x')(torch.ones(3, 2, 4), torch.ones(2, 3).long(), (3, 3), (3, 3))",
]
"""Modules that are refused, or refuse."""

SAMPLED = """
F = nn.functional
x, y = randn(2, 2, 3, 4), randn(1, 1, 2, 3, 4)
places, spots = randn(2, 2, 2, 2), randn(1, 2, 1, 2, 3)
theta, turn = randn(2, 2, 3), randn(1, 3, 4)
def all_of(out, *inputs):
    first = torch.autograd.grad((out ** 3).sum(), inputs, create_graph=True)
    second = torch.autograd.grad(sum((one ** 2).sum() for one in first), inputs, allow_unused=True)
    return [out, type(out.grad_fn).__name__, list(first), [type(one.grad_fn).__name__ for one in first], list(second)]
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        for align in (True, False):
            note(lambda: all_of(F.grid_sample(x, places, mode, padding, align), x, places))
            if mode != "bicubic":
                note(lambda: all_of(F.grid_sample(y, spots, mode, padding, align), y, spots))
for align in (True, False, None):
    note(lambda: all_of(F.affine_grid(theta, (2, 1, 3, 2), align), theta))
    note(lambda: all_of(F.affine_grid(turn, [1, 2, 2, 3, 2], align), turn))
whole = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
whole.sum().backward()
log.append([theta.grad, x.grad])
for call in [
    lambda: F.grid_sample(x, places, "area"), lambda: F.grid_sample(x, places, padding_mode="x"), lambda: F.grid_sample(x, spots), lambda: F.grid_sample(x, places[:1]),
    lambda: F.grid_sample(x, places[..., :1]), lambda: F.grid_sample(y, spots, "bicubic"), lambda: F.grid_sample(x.float(), places), lambda: F.affine_grid(theta, (2, 1, 3)),
    lambda: F.affine_grid(turn, (2, 1, 3, 2)), lambda: F.affine_grid(theta, (2, 1, 0, 2)), lambda: F.affine_grid(theta.long(), (2, 1, 3, 2)), lambda: F.affine_grid(theta, (2, 1, 1, 2), True),
]:
    note(call)
"""

STRIDED = """
x = torch.arange(120.0).reshape(2, 3, 4, 5)
c = x.contiguous(memory_format=torch.channels_last)
picks = [lambda t: t[[0, 1]], lambda t: t[:, [0, 1]], lambda t: t[:, :, [0, 1], [1, 2]], lambda t: t[[0, 1], :, [0, 1]], lambda t: t[torch.tensor([[0, 1], [1, 0]])], lambda t: t[..., [1, 0]]]
for t in (x, c, x.transpose(1, 3), x.transpose(0, 1), x.permute(3, 1, 2, 0), x.mT, x[0].permute(2, 0, 1), x[0, 0].t()):
    for pick in picks:
        note(lambda: [list(pick(t).shape), list(pick(t).stride()), pick(t).sum()])
w = c.clone().requires_grad_()
out = nn.functional.adaptive_avg_pool2d(w, 1)
log.append([out.stride(), type(out.grad_fn).__name__, type(out.grad_fn.next_functions[0][0]).__name__, out._version, out])
log.append([nn.functional.avg_pool2d(w, 2).grad_fn._saved_padding, nn.functional.avg_pool2d(w, 2).grad_fn._saved_stride])
"""

SNIPPETS = [
    SAMPLED,
    STRIDED,
    *(RUN.format(module=module, inputs=inputs) for module, inputs in MODULES),
    *(CALL.format(code=code) for code in REFUSED),
]
