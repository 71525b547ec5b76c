import math

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
B, T, C = 2, 4, 6
x = torch.randn(B, T, C)
tril = torch.tril(torch.ones(T, T))
print(tril)
wei = torch.zeros(T, T).masked_fill(tril == 0, float("-inf"))
print(wei)
wei = F.softmax(wei, dim=-1)
print(wei, (wei @ x)[0])

key, query, value = (nn.Linear(C, 3, bias=False) for _ in range(3))
k, q, v = key(x), query(x), value(x)
att = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
att = att.masked_fill(tril == 0, float("-inf")).softmax(-1)
out = att @ v
print(att[0], out.shape, out[1])
out.sum().backward()
print(query.weight.grad)
print(torch.allclose(F.scaled_dot_product_attention(q, k, v, is_causal=True), out, atol=1e-6))


class MultiHead(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in (q, k, v))
        att = torch.einsum("bhqd,bhkd->bhqk", q, k) / (C // self.heads) ** 0.5
        y = torch.einsum("bhqk,bhkd->bhqd", att.softmax(-1), v)
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))


m = MultiHead(6, 2)
print(m)
y = m(x)
print(y[0], y.grad_fn)
y.mean().backward()
print(torch.allclose(m.qkv.bias.grad[6:12], torch.zeros(6), atol=1e-6), m.qkv.bias.grad[12:])
pe = torch.zeros(5, 4)
position = torch.arange(0, 5).unsqueeze(1)
div = torch.exp(torch.arange(0, 4, 2) * (-math.log(10000.0) / 4))
pe[:, 0::2] = torch.sin(position * div)
pe[:, 1::2] = torch.cos(position * div)
print(pe)
