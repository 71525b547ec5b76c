"""Snippets about attention and transformers: values, graphs, gradients, what is drawn under a seed, and errors."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

TRAINED = """
import warnings
warnings.filterwarnings("ignore", "The PyTorch API of nested tensors")  # said once in a process
torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
try:
    module = nn.{module}
    log.append(repr(module))
    log.append([(name, value, value._version) for name, value in module.state_dict().items()])
    inputs = [{inputs}]
    def run(second=False):
        found = module(*inputs, {options})
        results = [result for result in (found if isinstance(found, tuple) else (found,)) if result is not None]
        total = sum((result * result).sum() for result in results)
        leaves = [value for value in dict.fromkeys(inputs) if value.is_leaf] + list(module.parameters())
        gradients = torch.autograd.grad(total, leaves, create_graph=second, allow_unused=True)
        if second:
            total = sum((gradient ** 2).sum() for gradient in gradients if gradient is not None and gradient.requires_grad)
            gradients = torch.autograd.grad(total, leaves, allow_unused=True)
        return [results, [type(result.grad_fn).__name__ for result in results], list(gradients)]
    note(run)
    note(lambda: run(True))
    module.eval()
    note(run)
    note(lambda: run(True))
    with torch.no_grad():
        note(lambda: module(*inputs, {options}))
    log.append(torch.rand(1))
finally:
    torch.set_default_dtype(torch.float32)
"""

_BLACK = "torch.tensor([[False, True, True], [False, False, True], [False, False, False]])"
_PADDED = "torch.tensor([[False, False, True], [False, False, False]])"
_CAUSAL = "nn.Transformer.generate_square_subsequent_mask(3)"
_SAME = "*[randn(3, 2, 4)] * 3"
_FIRST = "*[randn(2, 3, 4)] * 3"
_APART = "randn(3, 2, 4), randn(5, 2, 4), randn(5, 2, 4)"

ATTENTION = [
    ("MultiheadAttention(4, 2)", _SAME, ""),
    ("MultiheadAttention(4, 2, batch_first=True)", _FIRST, ""),
    ("MultiheadAttention(4, 2, bias=False)", _APART, ""),
    ("MultiheadAttention(4, 2)", "randn(3, 2, 4), *[randn(5, 2, 4)] * 2", "average_attn_weights=False"),
    ("MultiheadAttention(4, 2, batch_first=True)", "randn(2, 3, 4), *[randn(2, 5, 4)] * 2", "need_weights=False"),
    ("MultiheadAttention(4, 2, dropout=0.3)", _SAME, ""),
    ("MultiheadAttention(4, 2, dropout=0.3)", _SAME, "need_weights=False"),
    ("MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)", _APART, ""),
    ("MultiheadAttention(4, 2, add_bias_kv=True)", _SAME, f"attn_mask={_BLACK}, key_padding_mask={_PADDED}"),
    ("MultiheadAttention(4, 2, kdim=3, vdim=5)", "randn(3, 2, 4), randn(5, 2, 3), randn(5, 2, 5)", ""),
    ("MultiheadAttention(4, 2, kdim=3, vdim=5, bias=False)", "randn(3, 4), randn(5, 3), randn(5, 5)", ""),
    ("MultiheadAttention(4, 1)", "*[randn(3, 4)] * 3", f"attn_mask={_BLACK}"),
    ("MultiheadAttention(4, 2)", _SAME, f"attn_mask={_BLACK}, key_padding_mask={_PADDED}"),
    ("MultiheadAttention(4, 2)", _SAME, f"attn_mask={_BLACK}, need_weights=False, is_causal=True"),
    ("MultiheadAttention(4, 2)", _SAME, f"attn_mask={_CAUSAL}, is_causal=True"),
    ("MultiheadAttention(4, 2)", _SAME, f"key_padding_mask={_PADDED}, need_weights=False"),
    ("MultiheadAttention(4, 2)", _SAME, f"attn_mask=randn(4, 3, 3), key_padding_mask={_PADDED}"),
    ("MultiheadAttention(4, 2)", _SAME, "attn_mask=randn(4, 3, 3).detach(), need_weights=False"),
    ("TransformerEncoderLayer(4, 2, 6)", "randn(3, 2, 4)", ""),
    ("TransformerEncoderLayer(4, 2, 6, dropout=0)", "randn(3, 2, 4)", ""),
    ("TransformerEncoderLayer(4, 2, 6, dropout=0, norm_first=True, activation='gelu', batch_first=True)", "randn(2, 3, 4)", f"src_mask={_BLACK}"),
    ("TransformerEncoderLayer(4, 2, 6, bias=False, activation=torch.tanh)", "randn(3, 4)", f"src_mask={_CAUSAL}, is_causal=True"),
    ("TransformerDecoderLayer(4, 2, 6)", "randn(3, 2, 4), randn(5, 2, 4)", ""),
    ("TransformerDecoderLayer(4, 2, 6, dropout=0., norm_first=True)", "randn(3, 2, 4), randn(5, 2, 4)", f"tgt_mask={_BLACK}, tgt_key_padding_mask={_PADDED}"),
    ("TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), 2)", "randn(2, 3, 4)", ""),
    ("TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), 2, nn.LayerNorm(4))", "randn(2, 3, 4)", f"src_key_padding_mask={_PADDED}"),
    ("TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), 2)", "randn(2, 3, 4)", f"src_key_padding_mask={_PADDED}.flip(1)"),
    ("TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6), 1)", "randn(3, 2, 4)", f"mask={_CAUSAL}"),
    ("TransformerEncoder(nn.TransformerEncoderLayer(4, 1, 6, norm_first=True), 1)", "randn(3, 2, 4)", ""),
    ("TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6), 2, nn.LayerNorm(4))", "randn(3, 2, 4), randn(5, 2, 4)", f"tgt_mask={_CAUSAL}"),
    ("TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.), 1)", "randn(3, 2, 4), randn(5, 2, 4)", f"tgt_mask={_BLACK}"),
    ("Transformer(4, 2, 1, 2, 6)", "randn(3, 2, 4), randn(5, 2, 4)", ""),
    ("Transformer(4, 2, 1, 1, 6, batch_first=True, norm_first=True, dropout=0.)", "randn(2, 3, 4), randn(2, 5, 4)", "tgt_mask=nn.Transformer.generate_square_subsequent_mask(5)"),
]  # fmt: skip
"""Modules, what they are called with, and with which options."""

REFUSED_ATTENTION = """
ones = torch.ones
def of(*sizes, **options):
    layer = nn.MultiheadAttention(4, 2, **options)
    return lambda *rest, **more: layer(*(ones(*size) for size in sizes), *rest, **more)
for call in [
    lambda: nn.MultiheadAttention(4, 3), lambda: nn.MultiheadAttention(0, 3), lambda: of((3, 4), (3, 4), (2, 3, 4))(),
    lambda: of((3,), (3,), (3,))(), lambda: of((2, 3, 4), (3, 4), (3, 4))(), lambda: of((3, 2, 4), (3, 2, 4), (5, 2, 4))(),
    lambda: of((3, 2, 5), (3, 2, 5), (3, 2, 5))(), lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(ones(3)),
    lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(ones(2, 2)), lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(ones(1, 3)),
    lambda: of((3, 4), (3, 4), (3, 4))(ones(3, 3)), lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(attn_mask=ones(2, 3)),
    lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(attn_mask=ones(2, 3, 3)), lambda: of((3, 4), (3, 4), (3, 4))(attn_mask=ones(3, 3, 3)),
    lambda: of((3, 4), (3, 4), (3, 4))(attn_mask=ones(3)), lambda: of((3, 4), (3, 4), (3, 4))(attn_mask=ones(3, 3).long()),
    lambda: of((3, 4), (3, 4), (3, 4))(is_causal=True), lambda: of((3, 4), (3, 4), (3, 4))(need_weights=False, is_causal=True),
    lambda: of((3, 2, 4), (3, 2, 4), (5, 2, 4), kdim=4, vdim=3)(), lambda: of((3, 2, 4), (5, 2, 4), (5, 2, 4), kdim=4, vdim=3)(),
    lambda: of((3, 2, 4), (3, 2, 4), (3, 2, 4))(ones(2, 3) > 0, attn_mask=ones(3, 3)),
    lambda: nn.TransformerEncoderLayer(4, 2, activation="tanh"), lambda: nn.Transformer(4, 2, 1, 1, 4)(ones(3, 2, 4), ones(3, 3, 4)),
    lambda: nn.Transformer(4, 2, 1, 1, 4)(ones(3, 2, 5), ones(3, 2, 4)), lambda: nn.TransformerEncoder(nn.Linear(2, 2), 2),
    lambda: nn.Transformer.generate_square_subsequent_mask(3), lambda: nn.TransformerEncoderLayer(4, 2, activation=nn.GELU()).activation_relu_or_gelu,
]:
    torch.manual_seed(1)
    note(call)
F = nn.functional
x, y = (torch.arange(float(n)).reshape(1, 2, n // 6, 3).sin().requires_grad_() for n in (24, 30))
def flags(result):
    return [result, type(result.grad_fn).__name__, result.stride()]
for call in [
    lambda: F.scaled_dot_product_attention(x, y, y), lambda: F.scaled_dot_product_attention(x[0], y[0], y[0]),
    lambda: F.scaled_dot_product_attention(x, x, x, torch.zeros(4, 4) > 0), lambda: F.scaled_dot_product_attention(x, y, y, is_causal=True),
    lambda: F.scaled_dot_product_attention(x, y, y, scale=-0.5), lambda: F.scaled_dot_product_attention(x[0], y[0], y[0], scale=-0.5),
    lambda: F.scaled_dot_product_attention(x, x[:, :1], x[:, :1], enable_gqa=True), lambda: F.scaled_dot_product_attention(x, x[:, :1], x[:, :1]),
    lambda: F.scaled_dot_product_attention(x.transpose(1, 2), y.transpose(1, 2)[:, :4], y.transpose(1, 2)[:, :4]),
    lambda: F.scaled_dot_product_attention(x.mT, x.mT, x.mT), lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(2, 4, 4)),
    lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(1, 4)), lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(1, 1, 4, 1)),
    lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(4, 4, requires_grad=True)),
    lambda: F.scaled_dot_product_attention(x, x.double(), x), lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(4, 4).double()),
    lambda: F.scaled_dot_product_attention(x[0, 0, 0], x, x), lambda: F.scaled_dot_product_attention(x, x, x, torch.ones(4, 4), is_causal=True),
]:
    note(lambda: flags(call()))
out = F.scaled_dot_product_attention(x, y, y, torch.arange(20.0).reshape(4, 5).cos(), scale=0.5)
node = out.grad_fn
log.append([node._saved_query, node._saved_output, node._saved_logsumexp, node._saved_attn_mask, node._saved_dropout_p, node._saved_is_causal, node._saved_scale])
log.append([[type(edge).__name__ for edge, _ in node.next_functions], node._saved_logsumexp.stride()])
out.cos().sum().backward()
log.append([x.grad, y.grad, x.grad._version, x.grad.stride()])
"""

SNIPPETS = [
    *(TRAINED.format(module=module, inputs=inputs, options=options) for module, inputs, options in ATTENTION),
    REFUSED_ATTENTION,
]
