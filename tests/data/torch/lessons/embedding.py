import torch
from torch import nn

torch.manual_seed(0)
emb = nn.Embedding(6, 3, padding_idx=0)
print(emb, emb.weight)
idx = torch.tensor([[1, 2, 0], [2, 5, 2]])
out = emb(idx)
print(out.shape, out)
out.sum().backward()
print(emb.weight.grad)
try:
    emb(torch.tensor([6]))
except IndexError as error:
    print(error)
try:
    emb(torch.tensor([1.0]))
except RuntimeError as error:
    print(error)
fixed = nn.Embedding.from_pretrained(torch.eye(3))
print(fixed(torch.tensor([2, 0])), fixed.weight.requires_grad)
one_hot = nn.functional.one_hot(idx, 6)
print(one_hot.shape, one_hot.dtype, torch.allclose(one_hot.float() @ emb.weight, out))
# Bag of words
words = "the cat sat on the mat".split()
vocab = {w: i for i, w in enumerate(sorted(set(words)))}
ids = torch.tensor([vocab[w] for w in words])
print(vocab, ids, torch.bincount(ids), ids.unique(return_counts=True))
table = torch.randn(len(vocab), 2, requires_grad=True)
mean = table[ids].mean(0)
print(mean)
mean.sum().backward()
print(table.grad, table.index_select(0, ids).grad_fn)
