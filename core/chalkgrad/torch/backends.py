"""``torch.backends``: which ways of computing PyTorch would have; here none but NumPy's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]


class Backend:
    """One way of computing that is not there; its settings may be read and set, and change nothing."""

    def __init__(self, **settings: object) -> None:
        self.__dict__.update(settings)

    def is_available(self) -> bool:
        """False."""
        return False

    def is_built(self) -> bool:
        """False."""
        return False

    @contextmanager
    def flags(self, **settings: object) -> Iterator[None]:
        """Other settings inside the block."""
        before = {name: value for name, value in vars(self).items() if name in settings}
        vars(self).update(settings)
        try:
            yield
        finally:
            for name in settings:
                vars(self).pop(name, None)
            vars(self).update(before)


cuda = Backend()
cudnn = Backend(deterministic=False, benchmark=False, enabled=True, allow_tf32=True)
mkl = Backend()
mkldnn = Backend()
mps = Backend()
openmp = Backend()
