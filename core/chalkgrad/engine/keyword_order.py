"""The order in which PyTorch's TypeErrors list keywords: that of the C++ hash table they are put into."""

from __future__ import annotations

from collections.abc import Iterable

_SEED, _FACTOR, _MASK = 0xC70F6907, 0xC6A4A7935BD1E995, (1 << 64) - 1
_BUCKETS = 13
"""As many as the table has from the first entry on; it grows only beyond so many keywords."""


def hashed_order(names: Iterable[str]) -> list[str]:
    """``names`` as the table lists them: the last first, but one that shares a bucket just before those in there."""
    order: list[str] = []
    buckets: dict[str, int] = {}
    for name in names:
        bucket = buckets[name] = _hash(name.encode()) % _BUCKETS
        place = next((place for place, other in enumerate(order) if buckets[other] == bucket), 0)
        order.insert(place, name)
    return order


def _hash(text: bytes) -> int:
    """MurmurHash of 64 bits, as the C++ library on Linux hashes text."""
    found = _SEED ^ (len(text) * _FACTOR & _MASK)
    whole = len(text) & ~7
    for start in range(0, whole, 8):
        piece = int.from_bytes(text[start : start + 8], "little") * _FACTOR & _MASK
        found = (found ^ (_mixed(piece) * _FACTOR & _MASK)) * _FACTOR & _MASK
    if whole < len(text):
        found = (found ^ int.from_bytes(text[whole:], "little")) * _FACTOR & _MASK
    return _mixed(_mixed(found) * _FACTOR & _MASK)


def _mixed(value: int) -> int:
    return value ^ (value >> 47)
