import torch
import torch.nn.functional as F

words = ["emma", "olivia", "ava", "isabella", "sophia"]
chars = sorted(set("".join(words)))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi["."] = 0
itos = {i: s for s, i in stoi.items()}
V = len(stoi)
N = torch.zeros((V, V), dtype=torch.int32)
for w in words:
    chs = ["."] + list(w) + ["."]
    for ch1, ch2 in zip(chs, chs[1:]):
        N[stoi[ch1], stoi[ch2]] += 1
print(N[0], N.sum())
P = (N + 1).float()
P /= P.sum(1, keepdim=True)
print(P[0], torch.allclose(P.sum(1), torch.ones(V)))
g = torch.Generator().manual_seed(2147483647)
p = torch.rand(3, generator=g)
print(p / p.sum())
print(torch.multinomial(p / p.sum(), num_samples=20, replacement=True, generator=g))
for i in range(3):
    out, ix = [], 0
    while True:
        ix = torch.multinomial(P[ix], num_samples=1, replacement=True, generator=g).item()
        out.append(itos[ix])
        if ix == 0:
            break
    print("".join(out))
log_likelihood, n = 0.0, 0
for w in words:
    for ch1, ch2 in zip("." + w, w + "."):
        log_likelihood += torch.log(P[stoi[ch1], stoi[ch2]])
        n += 1
print(f"{log_likelihood=}", f"{-log_likelihood / n:.4f}")
xs = torch.tensor([stoi[a] for w in words for a in "." + w])
ys = torch.tensor([stoi[b] for w in words for b in w + "."])
g = torch.Generator().manual_seed(2147483647)
W = torch.randn((V, V), generator=g, requires_grad=True)
for k in range(20):
    xenc = F.one_hot(xs, num_classes=V).float()
    logits = xenc @ W
    counts = logits.exp()
    probs = counts / counts.sum(1, keepdims=True)
    loss = -probs[torch.arange(len(xs)), ys].log().mean() + 0.01 * (W**2).mean()
    if k % 5 == 0:
        print(k, f"{loss.item():.4f}")
    W.grad = None
    loss.backward()
    W.data += -10 * W.grad
print(loss, xs.nelement(), W.grad[0, :4])
# An MLP with an embedding table
C = torch.randn((V, 2), generator=g)
W1, b1 = torch.randn((6, 10), generator=g), torch.randn(10, generator=g)
W2, b2 = torch.randn((10, V), generator=g), torch.randn(V, generator=g)
parameters = [C, W1, b1, W2, b2]
print(sum(p.nelement() for p in parameters))
for p in parameters:
    p.requires_grad = True
X, Y = torch.stack([xs[:-2], xs[1:-1], xs[2:]], 1), ys[2:]
for _ in range(10):
    ix = torch.randint(0, X.shape[0], (8,), generator=g)
    emb = C[X[ix]]
    h = torch.tanh(emb.view(-1, 6) @ W1 + b1)
    loss = F.cross_entropy(h @ W2 + b2, Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
print(loss, emb.shape, C.grad[:3])
