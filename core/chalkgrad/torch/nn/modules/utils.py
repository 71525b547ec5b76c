"""``torch.nn.modules.utils``: sizes given as one number or as one for each dimension."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

from chalkgrad.torch.functions import absent as _absent

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    return tuple(x for x in reversed(t) for _ in range(n))


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take ``prefix`` off the keys of ``state_dict``, in place, as DataParallel puts it on."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata: OrderedDict[str, Any] | None = getattr(state_dict, "_metadata", None)
    for key in list(metadata or ()):
        assert metadata is not None
        if key and (key in (prefix.replace(".", ""),) or key.startswith(prefix)):
            metadata[key[len(prefix) :]] = metadata.pop(key)


__getattr__ = _absent("torch.nn.modules.utils")
