"""Snippets about optimisers of matrices."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

MUON = """
draw = np.random.RandomState(0)
a, b = torch.tensor(draw.randn(6, 4), dtype=torch.float32), torch.tensor(draw.randn(6, 3), dtype=torch.float32)
w, v, u = (torch.tensor(draw.randn(*shape), dtype=torch.float32, requires_grad=True) for shape in ((4, 5), (5, 3), (2, 2)))
optimizer = torch.optim.Muon([w, v, u], {settings})
for step in range(4):
    def closure():
        optimizer.zero_grad()
        loss = ((a @ w @ v - b) ** 2).mean()
        loss.backward()
        return loss
    log.append(optimizer.step(closure).item())
log.append([w, v, w._version, v._version, u._version])
log.append(repr(optimizer))
log.append({{number: [state["momentum_buffer"], state["momentum_buffer"]._version] for number, state in optimizer.state_dict()["state"].items()}})
"""

REFUSED = """
p, m = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2, 3))
for call in [
    lambda: torch.optim.Muon([p]), lambda: torch.optim.Muon([m], lr=-1), lambda: torch.optim.Muon([m], lr=torch.ones(2)), lambda: torch.optim.Muon([m], momentum=-1), lambda: torch.optim.Muon([m], weight_decay=-1), lambda: torch.optim.Muon([m], adjust_lr_fn='x'), lambda: torch.optim.Muon([]),
    lambda: torch.optim.Adafactor([p], lr=-1), lambda: torch.optim.Adafactor([p], lr=torch.ones(2)), lambda: torch.optim.Adafactor([p], beta2_decay=1), lambda: torch.optim.Adafactor([p], eps=(-1, 1)), lambda: torch.optim.Adafactor([p], eps=(None, -1)), lambda: torch.optim.Adafactor([p], d=0.5), lambda: torch.optim.Adafactor([p], weight_decay=-1), lambda: torch.optim.Adafactor([p], lr=torch.tensor(0.5)),
]:
    note(lambda: repr(call()))
m.sum().backward()
note(lambda: torch.optim.Muon([m], ns_steps=100).step())
note(lambda: torch.optim.Muon([m], ns_coefficients=(1, 2)).step())
"""

SNIPPETS = [
    *(
        MUON.format(settings=settings)
        for settings in (
            "",
            "lr=0.1, nesterov=False, weight_decay=0",
            "lr=0.05, adjust_lr_fn='match_rms_adamw', ns_steps=3",
        )
    ),
    REFUSED,
]
