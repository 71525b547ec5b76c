"""Snippets about the adaptive softmax, and about memory that a module is given anew."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

ADAPTIVE = """
torch.manual_seed(2)
module = nn.AdaptiveLogSoftmaxWithLoss(16, 20, cutoffs=[4, 10, 15], div_value=2.0{more})
log.append(repr(module))
log.append([[name, list(value.shape)] for name, value in module.named_parameters()])
log.append([module.cutoffs, module.shortlist_size, module.n_clusters, module.head_size])
input = torch.randn(6, 16, requires_grad=True)
for target in (torch.tensor([0, 5, 19, 3, 11, 14]), torch.tensor([0, 1, 2, 3, 0, 1]), torch.tensor([19, 18, 17, 16, 15, 15])):
    found = module(input, target)
    log.append([type(found).__name__, found._fields, found.output, found.loss, type(found.output.grad_fn).__name__, type(found.loss.grad_fn).__name__])
    found.loss.backward()
log.append([input.grad, [value.grad if value.grad is None else value.grad.sum() for value in module.parameters()]])
log.append(module(input[0], torch.tensor(7)))
chances = module.log_prob(input)
log.append([chances, chances.exp().sum(1), type(chances.grad_fn).__name__, module.predict(input), module.predict(input * 5), module.predict(input[:1])])
module.reset_parameters()
log.append(module.log_prob(input))
for call in [
    lambda: module(input, torch.tensor([0, 5])), lambda: module(input[0], torch.tensor([0])), lambda: module(input, torch.tensor(0)), lambda: module(input, torch.zeros(6, 1).long()), lambda: module(input, torch.tensor([0, 5, 20, 3, 11, 14])), lambda: module(input, torch.tensor([0, -5, 2, 3, 11, 14])),
    lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, []), lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5, 5]), lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5, 3]), lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [0, 3]), lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5, 20]), lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5.5]),
]:
    note(call)
"""

TO_EMPTY = """
module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
before = [id(value) for value in module.parameters()]
memory = [value.data_ptr() for value in module.parameters()]
module[0].weight.sum().backward()
result = module.to_empty(device='cpu')
log.append([result is module, before == [id(value) for value in module.parameters()], [a == b for a, b in zip(memory, [value.data_ptr() for value in module.parameters()])]])
log.append([[list(value.shape), str(value.dtype), value.requires_grad] for value in [*module.parameters(), *module.buffers()]])
log.append([list(module[0].weight.grad.shape)])
note(lambda: module.to_empty())
note(lambda: module.to_empty('cpu'))
"""

SNIPPETS = [ADAPTIVE.format(more=""), ADAPTIVE.format(more=", head_bias=True, dtype=torch.float32"), TO_EMPTY]
