"""Snippets about hooks of all modules."""

from __future__ import annotations

EVERYWHERE = """
M = torch.nn.modules.module
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)).double()
x = randn(1, 2)
handles = [
    M.register_module_forward_pre_hook(lambda m, a: log.append(["pre", type(m).__name__, list(a)])),
    M.register_module_forward_hook(lambda m, a, o: log.append(["post", type(m).__name__, list(a), o])),
    M.register_module_forward_hook(lambda m, a, kw, o: log.append(["with", type(m).__name__, kw]), with_kwargs=True),
    M.register_module_full_backward_pre_hook(lambda m, go: log.append(["before", type(m).__name__, list(go)])),
    M.register_module_full_backward_hook(lambda m, gi, go: log.append(["after", type(m).__name__, list(gi), list(go)])),
    model[0].register_forward_hook(lambda m, a, o: log.append(["own", type(m).__name__])),
    model[0].register_full_backward_hook(lambda m, gi, go: log.append(["own backward", type(m).__name__])),
]
y = model(x)
log.append(type(y.grad_fn).__name__)
y.sum().backward()
log.append(x.grad)
note(lambda: M.register_module_backward_hook(print))
for handle in handles:
    handle.remove()
log.append(type(model(x).grad_fn).__name__)
change = M.register_module_forward_hook(lambda m, a, o: o * 2)
scale = M.register_module_full_backward_hook(lambda m, gi, go: tuple(g * 3 for g in gi))
x.grad = None
out = model(x)
out.sum().backward()
log.append([out, x.grad])
change.remove(); scale.remove()
class Bad(nn.Module):
    def forward(self, x): raise ValueError("no")
always = M.register_module_forward_hook(lambda m, a, o: log.append(["always", o]), always_call=True)
note(lambda: Bad()(x))
always.remove()
shift = M.register_module_forward_pre_hook(lambda m, a: (a[0] + 1,))
log.append(nn.Identity()(x))
shift.remove()
log.append(nn.Identity()(x) is x)
"""

SNIPPETS = [EVERYWHERE]
