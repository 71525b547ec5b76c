import torch
from torch import nn

torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))
        self.register_buffer("mask", torch.triu(torch.ones(5, 5, dtype=torch.bool), diagonal=1))

    def forward(self, x):
        h = self.ln1(x)
        scores = self.q(h) @ self.k(h).mT / h.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[: x.shape[-2], : x.shape[-2]], float("-inf"))
        x = x + scores.softmax(-1) @ self.v(h)
        return x + self.mlp(self.ln2(x))


model = nn.Sequential(nn.Embedding(7, 4), Block(4, 8), nn.Linear(4, 7))
print(model)
print(sum(p.numel() for p in model.parameters()), [n for n, _ in model.named_buffers()])
text = torch.tensor([[1, 2, 3, 4, 5], [6, 5, 4, 3, 2]])
optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 3))
for step in range(8):
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, 7), text[:, 1:].reshape(-1))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    print(step, f"{loss.item():.3f} {norm:.2f} {schedule.get_last_lr()[0]:.4f}")
print(loss.grad_fn, logits.grad_fn, model[1](torch.zeros(1, 3, 4)).grad_fn)
with torch.inference_mode():
    context = torch.tensor([[1]])
    for _ in range(4):
        context = torch.cat([context, model(context)[:, -1].argmax(-1, keepdim=True)], dim=1)
print(context.shape, context.is_inference())
