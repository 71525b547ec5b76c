"""``torch.utils.data``: what loaders give in which order, and what they refuse."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

LOADERS = """
D = torch.utils.data
x, y = torch.arange(10.0).reshape(10, 1), torch.arange(10)
rows = D.TensorDataset(x, y)
torch.manual_seed(0)
for settings in [
    {}, {"batch_size": 3}, {"batch_size": 3, "shuffle": True}, {"batch_size": 4, "shuffle": True, "drop_last": True},
    {"batch_size": None}, {"batch_size": 4, "shuffle": True, "generator": torch.Generator().manual_seed(4)},
    {"batch_size": 3, "sampler": D.RandomSampler(rows, True, 7)}, {"batch_size": 30, "sampler": D.RandomSampler(rows, True, 70)},
    {"batch_size": 9, "sampler": D.RandomSampler(rows, num_samples=23)},
]:
    loader = D.DataLoader(rows, **settings)
    log.append([len(loader), list(loader), list(loader), torch.rand(1)])
for lengths in [[7, 3], [0.5, 0.5], [0.34, 0.33, 0.33], [5, 6], [0.9, 0.3]]:
    note(lambda: [part.indices for part in D.random_split(rows, lengths)])
for call in [
    lambda: D.default_collate([{"a": 1, "b": 2.5, "c": "x", "d": (1, np.ones(2))}] * 2), lambda: D.DataLoader(rows, batch_size=0),
    lambda: D.DataLoader(rows, shuffle=True, sampler=[1]), lambda: D.DataLoader(rows, batch_size=2, batch_sampler=[[1]]),
    lambda: D.DataLoader(rows, num_workers=-1), lambda: D.TensorDataset(x, y[:3]), lambda: D.Dataset()[0],
    lambda: list(D.DataLoader(rows + rows, batch_size=7)), lambda: list(D.DataLoader([1, 2, 3], batch_size=2, collate_fn=lambda b: b)),
]:
    note(call)
"""

SNIPPETS = [LOADERS]
