"""Snippets about sequences of different lengths, padded, packed, and through recurrent layers; and about samplers."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

PACKED = """
R = nn.utils.rnn
torch.manual_seed(2)
torch.set_default_dtype(torch.float64)
try:
    module = nn.{module}
    x = randn({shape})
    packed = R.pack_padded_sequence(x, {lengths}, batch_first=module.batch_first, enforce_sorted={is_sorted})
    log.append([packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices, type(packed.data.grad_fn).__name__, type(packed).__name__])
    def flat(found):
        return [part for result in found for part in flat(result)] if type(found) is tuple else [found]
    def run(hx=None):
        out, last = module(packed, hx)
        padded, lengths = R.pad_packed_sequence(out, batch_first=module.batch_first, padding_value=0.5)
        total = sum((part * part).sum() for part in [padded, *flat(last)])
        gradients = torch.autograd.grad(total, [x, *module.parameters()], retain_graph=True)
        return [padded, lengths, flat(last), list(gradients), out.unsorted_indices]
    note(run)
    count = module.num_layers * (2 if module.bidirectional else 1)
    start = randn(count, 3, 4)
    note(lambda: run((start, start.cos()) if module.mode == "LSTM" else start))
finally:
    torch.set_default_dtype(torch.float32)
"""

LAYERS = [
    ("RNN(2, 4)", "5, 3, 2", "[5, 3, 3]", True),
    ("LSTM(2, 4, 2, batch_first=True, bidirectional=True)", "3, 5, 2", "torch.tensor([2, 5, 1])", False),
    ("GRU(2, 4, 2, bidirectional=True)", "6, 3, 2", "[4, 4, 2]", True),
    ("LSTM(2, 4, dropout=0.5, num_layers=2)", "4, 3, 2", "[1, 4, 3]", False),
]

PADDED = """
R = nn.utils.rnn
a, b, c = randn(3, 2), randn(1, 2), randn(2, 2)
for settings in [{}, {"batch_first": True}, {"padding_value": 2.5}, {"padding_side": "left"}, {"batch_first": True, "padding_side": "left"}]:
    made = R.pad_sequence([a, b, c], **settings)
    log.append([made, type(made.grad_fn).__name__, list(torch.autograd.grad((made ** 2).sum(), [a, b, c]))])
packed = R.pack_sequence([a, b, c], enforce_sorted=False)
log.append([repr(packed), [part for part in R.unpack_sequence(packed)]])
g, = torch.autograd.grad((packed.data ** 3).sum(), a, create_graph=True)
log.append([g, list(torch.autograd.grad((g ** 2).sum(), [a]))])
padded, lengths = R.pad_packed_sequence(packed, total_length=5)
log.append([padded, lengths, type(padded.grad_fn).__name__])
log.append([part for part in R.unpad_sequence(R.pad_sequence([a.detach(), c.detach()]), torch.tensor([3, 2]))])
log.append([R.PackedSequence(a.detach(), torch.tensor([2, 1])), packed.to(torch.float32).data.dtype, packed.is_cuda, R.invert_permutation(torch.tensor([2, 0, 1]))])
for call in [
    lambda: R.pack_padded_sequence(randn(3, 2, 2), [2, 3]), lambda: R.pack_padded_sequence(randn(3, 2, 2), [2]), lambda: R.pack_padded_sequence(randn(3, 2, 2), [2, 0]),
    lambda: R.pack_sequence([b, a]), lambda: R.pad_packed_sequence(packed, total_length=2), lambda: R.pad_sequence(3), lambda: R.pad_sequence([a], padding_side="x"),
    lambda: nn.LSTM(3, 4).double()(R.pack_sequence([a])), lambda: R.pad_sequence([]),
]:
    note(call)
"""

SAMPLERS = """
D = torch.utils.data
torch.manual_seed(3)
for sampler in [
    D.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 8), D.WeightedRandomSampler(torch.tensor([0.9, 0.4, 0.05, 0.2]), 3, replacement=False),
    D.WeightedRandomSampler([1, 2], 4, generator=torch.Generator().manual_seed(5)), D.SubsetRandomSampler([4, 7, 9, 2]),
    D.SubsetRandomSampler([1, 2, 3], torch.Generator().manual_seed(5)),
]:
    log.append([len(sampler), list(sampler), list(sampler), type(sampler).__name__])
x = torch.arange(6.0)
log.append(list(D.DataLoader(D.TensorDataset(x), batch_size=2, sampler=D.WeightedRandomSampler(x + 1, 6))))
log.append(torch.rand(1))
for call in [
    lambda: D.WeightedRandomSampler([1.0], 0), lambda: D.WeightedRandomSampler([1.0], True), lambda: D.WeightedRandomSampler([1.0], 2, 1),
    lambda: D.WeightedRandomSampler([[1.0]], 2), lambda: list(D.WeightedRandomSampler([1.0], 2, False)),
]:
    note(call)
"""

SNIPPETS = [
    PADDED,
    SAMPLERS,
    *(
        PACKED.format(module=module, shape=shape, lengths=lengths, is_sorted=is_sorted)
        for module, shape, lengths, is_sorted in LAYERS
    ),
]
