"""``torch.version``: the PyTorch that this is like."""

__version__ = "2.13.0"
cuda: str | None = None
hip: str | None = None
debug = False
