"""Seeded random numbers: the ones PyTorch draws on the CPU, bit for bit.

The source is the Mersenne twister mt19937, 32 bits at a time. A float32 uses the lowest 24 bits of one draw, a float64
the lowest 53 of two. Normal numbers come from the Box-Muller transform, which turns two uniform numbers into two
normal ones: fewer than 16 are made one pair at a time in float64, keeping the unused half of the last pair; from 16 on
they are made in blocks of 16, eight pairs each, in the dtype asked for. Numbers of float32 blocks are those of PyTorch
on an x86 processor with AVX2, which approximates logarithm, sine and cosine by polynomials; elsewhere PyTorch's own
differ from them in the last digit.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine.device import CPU, Device, check_device

if TYPE_CHECKING:
    import numpy.typing as npt  # importing it writes documentation for it, which takes long

Array = np.ndarray[Any, np.dtype[Any]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Doubles = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

DEFAULT_SEED = 67280421310721
BLOCK = 16
STATE_WORDS = 624
STATE_BYTES = 5056

# From this many possible values on PyTorch spends 64 random bits on an integer.
WIDE_RANGE = 1 << 28


class Generator:
    """A stream of random numbers, ``torch.Generator`` on the CPU."""

    __slots__ = ("_bits", "_seed", "_spare")

    def __init__(self, device: Any = None) -> None:
        check_device(device)
        self.manual_seed(DEFAULT_SEED)

    @property
    def device(self) -> Device:
        """Where it draws: always the CPU."""
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start over at ``seed`` and return the generator; ValueError outside -2**63 to 2**64 - 1."""
        if not hasattr(seed, "__index__"):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        seed = int(seed)
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % (1 << 64)
        # Made at the first draw: importing numpy.random takes longer than the rest of this package.
        self._bits: np.random.MT19937 | None = None
        self._spare: float | None = None
        return self

    def seed(self) -> int:
        """Start over at a seed nobody knows beforehand, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the stream started from, negative ones counted from 2**64 down."""
        return self._seed

    def state_bytes(self) -> bytes:
        """Where the stream is, in the 5056 bytes that PyTorch writes it in."""
        bits = self._twister()
        key, place = bits.state["state"]["key"], int(bits.state["state"]["pos"])
        fresh = place == STATE_WORDS
        head = struct.pack("<QiiQ", self._seed, 1 if fresh else STATE_WORDS + 1 - place, 1, 0 if fresh else place)
        spare = 0.0 if self._spare is None else self._spare
        tail = struct.pack("<dddi12x", 0.0, spare, 0.0, self._spare is not None)
        return head + np.asarray(key, np.uint64).tobytes() + tail

    def restore(self, state: bytes) -> Generator:
        """Go to where the stream was when ``state_bytes()`` gave this; RuntimeError for another number of bytes."""
        if len(state) != STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG state size to be "
                f"{len(state)}"
            )
        self._seed, left, _, place = struct.unpack_from("<QiiQ", state)
        key = np.frombuffer(state, np.uint64, STATE_WORDS, 24).astype(np.uint32)
        self._bits = np.random.MT19937(0)
        pos = STATE_WORDS if left == 1 else int(place)
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": pos}}
        _, spare, _, valid = struct.unpack_from("<dddi", state, 24 + 8 * STATE_WORDS)
        self._spare = spare if valid else None
        return self

    def clone_state(self) -> Generator:
        """Another generator that will draw the same numbers."""
        return Generator().restore(self.state_bytes())

    def rand(self, shape: Sequence[int], dtype: npt.DTypeLike = np.float32) -> Array:
        """Uniform numbers in [0, 1), float32 or float64; TypeError for another dtype."""
        kind = _float_kind(dtype)
        return self._uniform(math.prod(shape), kind).reshape(shape)

    def randn(
        self, shape: Sequence[int], dtype: npt.DTypeLike = np.float32, mean: float = 0.0, std: float = 1.0
    ) -> Array:
        """Normal numbers of that mean and deviation, float32 or float64; TypeError for another dtype."""
        kind = _float_kind(dtype)
        count = math.prod(shape)
        if count < BLOCK:
            return self.normals(count, mean, std).astype(kind).reshape(shape)
        numbers = self._uniform(count, kind)
        whole = count - count % BLOCK
        numbers[:whole] = _blocks_to_normal(numbers[:whole], mean, std)
        if whole < count:
            # The last block starts 16 from the end: it overwrites a part of the one before, from new draws.
            numbers[-BLOCK:] = _blocks_to_normal(self._uniform(BLOCK, kind), mean, std)
        return numbers.reshape(shape)

    def normals(self, count: int, mean: float = 0.0, std: float = 1.0) -> Doubles:
        """``count`` normal numbers in float64, made pair by pair as PyTorch does for few or for scattered elements."""
        return np.array(self._few_normals(count), np.float64) * std + mean

    def doubles(self, count: int) -> Doubles:
        """``count`` uniform numbers in [0, 1) in float64, from which PyTorch makes most other distributions."""
        found: Doubles = self._uniform(count, np.dtype(np.float64))
        return found

    def double(self) -> float:
        """One of :meth:`doubles`, for ways of drawing that don't know beforehand how many they need."""
        draw = self._twister().random_raw
        high = draw()
        return float(((high << 32 | draw()) & (1 << 53) - 1) * 2.0**-53)

    def normal(self) -> float:
        """One of :meth:`normals`, of mean 0 and deviation 1."""
        return self._few_normals(1)[0]

    def integers(self, count: int, span: int, wide: bool | None = None) -> npt.NDArray[np.uint64]:
        """``count`` numbers from 0 to ``span - 1``, from 64 random bits each if ``wide``, or where 32 are too few."""
        wide = span >= WIDE_RANGE if wide is None else wide
        raw = self._draws64(count) if wide else self._draws(count)
        return raw if span >= 1 << 64 else raw % np.uint64(span)

    def randint(self, low: int, high: int, shape: Sequence[int]) -> npt.NDArray[np.int64]:
        """Integers from ``low`` to ``high - 1`` as int64; RuntimeError when there are none."""
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        raw = self.integers(math.prod(shape), high - low)
        return (raw + np.uint64(low % (1 << 64))).view(np.int64).reshape(shape)

    def randperm(self, n: int) -> npt.NDArray[np.int64]:
        """The integers from 0 to ``n - 1`` in random order; RuntimeError for a negative ``n``."""
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
        order = list(range(n))
        steps = max(n - 1, 0)
        jumps = self._draws(steps) % np.arange(n, n - steps, -1, dtype=np.uint64)
        for place, jump in enumerate(jumps.tolist()):
            order[place], order[place + jump] = order[place + jump], order[place]
        return np.array(order, np.int64)

    def _draws(self, count: int) -> npt.NDArray[np.uint64]:
        """The next ``count`` 32-bit numbers of the twister."""
        return self._twister().random_raw(count)

    def _twister(self) -> np.random.MT19937:
        if self._bits is None:
            self._bits = _twister(self._seed % (1 << 32))
        return self._bits

    def _draws64(self, count: int) -> npt.NDArray[np.uint64]:
        """The next ``count`` 64-bit numbers, the upper half of each drawn first."""
        pairs = self._draws(2 * count)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def _uniform(self, count: int, kind: np.dtype[np.generic]) -> Array:
        """``count`` uniform numbers in [0, 1)."""
        if kind == np.float32:
            return ((self._draws(count) & np.uint64((1 << 24) - 1)) * 2.0**-24).astype(np.float32)
        return (self._draws64(count) & np.uint64((1 << 53) - 1)) * 2.0**-53

    def _few_normals(self, count: int) -> list[float]:
        """``count`` normal numbers, one pair at a time, beginning with what the last pair left over."""
        numbers = [] if self._spare is None or not count else [self._spare]
        if numbers:
            self._spare = None
        # The uniform numbers of all pairs at once; a pair costs two, whichever half of it is used.
        pairs = (count - len(numbers) + 1) // 2
        uniform = (self._draws64(2 * pairs) & np.uint64((1 << 53) - 1)) * 2.0**-53
        for turn, distance in uniform.reshape(-1, 2).tolist():
            radius, angle = math.sqrt(-2.0 * math.log1p(-distance)), 2.0 * math.pi * turn
            numbers += radius * math.cos(angle), radius * math.sin(angle)
        if len(numbers) > count:
            self._spare = numbers.pop()
        return numbers


Generator.__module__ = "torch._C"


def _twister(seed: int) -> np.random.MT19937:
    """The Mersenne twister begun at ``seed``, below 2**32."""
    twister = np.random.MT19937(0)
    # RandomState seeds its twister as PyTorch does, MT19937 by itself does not.
    seeded = np.random.RandomState(seed).get_state(legacy=False)
    twister.state = {"bit_generator": "MT19937", "state": seeded["state"]}
    return twister


def _float_kind(dtype: npt.DTypeLike) -> np.dtype[np.generic]:
    """``dtype`` as numpy's own; TypeError unless it is float32 or float64."""
    kind = np.dtype(dtype)
    if kind not in (np.float32, np.float64):
        raise TypeError(f"random numbers are float32 or float64, not {kind}")
    return kind


def _blocks_to_normal(numbers: Array, mean: float = 0.0, std: float = 1.0) -> Array:
    """Uniform numbers turned normal in blocks of 16, the first eight of a block paired with its last eight."""
    blocks = numbers.reshape(-1, 2, BLOCK // 2)
    transform = _pairs_float32 if numbers.dtype == np.float32 else _pairs_float64
    cosines, sines = transform(1 - blocks[:, 0], blocks[:, 1])
    found: Array = np.stack([cosines, sines], axis=1).ravel()
    if mean == 0 and std == 1:
        return found
    if numbers.dtype == np.float32:
        return _fma(found, np.float32(std), np.float32(mean))
    return found * std + mean


def _pairs_float64(distance: Doubles, turn: Doubles) -> tuple[Doubles, Doubles]:
    """The Box-Muller transform in float64, by the C library's functions as PyTorch calls them."""
    # numpy's own log, sin and cos differ from the C library in the last bit on some processors.
    radius = np.array([math.sqrt(-2.0 * math.log(d)) for d in distance.flat])
    angle = [2.0 * math.pi * t for t in turn.flat]
    cosines, sines = np.array([math.cos(a) for a in angle]), np.array([math.sin(a) for a in angle])
    return (radius * cosines).reshape(turn.shape), (radius * sines).reshape(turn.shape)


def _pairs_float32(distance: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """The Box-Muller transform in float32, by the polynomials of PyTorch's vectorised code."""
    radius = np.sqrt(np.float32(-2) * _log(distance))
    sines, cosines = _sin_cos(np.float32(2 * math.pi) * turn)
    return radius * cosines, radius * sines


def _fma(a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> Floats:
    """``a * b + c`` in float32, rounded once, as the processor's fused instruction does."""
    # The product is exact in float64; the sum is rounded twice, which changed none of all possible 2**24 inputs.
    return (np.asarray(a, np.float64) * np.asarray(b, np.float64) + np.asarray(c, np.float64)).astype(np.float32)


# Coefficients of the Cephes library's single precision logarithm, cosine and sine, highest power first.
LOG = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
COS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
SIN = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
LN2_PARTS = (-2.12194440e-4, 0.693359375)
QUARTER_TURN_PARTS = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)


def _polynomial(coefficients: Sequence[float], x: Floats) -> Floats:
    """A polynomial by Horner's rule with fused steps."""
    result = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result = _fma(result, x, np.float32(coefficient))
    return result


def _log(x: Floats) -> Floats:
    """Natural logarithm of float32 numbers in (0, 1]."""
    mantissa, power = np.frexp(x)
    small = mantissa < np.float32(math.sqrt(0.5))
    exponent = (power - small).astype(np.float32)
    rest = np.where(small, (mantissa - np.float32(1)) + mantissa, mantissa - np.float32(1))
    square = rest * rest
    low = exponent * np.float32(LN2_PARTS[0])
    tail = _fma(_polynomial(LOG, rest) * rest, square, low)
    tail = _fma(-square, np.float32(0.5), tail)
    return _fma(exponent, np.float32(LN2_PARTS[1]), rest + tail)


def _sin_cos(x: Floats) -> tuple[Floats, Floats]:
    """Sine and cosine of float32 angles from 0 to a full turn, reduced to an eighth of a turn around zero."""
    octant = ((x * np.float32(4 / math.pi)).astype(np.int32) + 1) & ~1
    for part in QUARTER_TURN_PARTS:
        x = _fma(octant.astype(np.float32), np.float32(part), x)
    square = x * x
    cosine = _fma(_polynomial(COS, square) * square, square, -(square * np.float32(0.5))) + np.float32(1)
    sine = _fma(_polynomial(SIN, square) * square, x, x)
    swapped = (octant & 2) != 0
    sines, cosines = np.where(swapped, cosine, sine), np.where(swapped, sine, cosine)
    return np.where(octant & 4, -sines, sines), np.where(~(octant - 2) & 4, -cosines, cosines)


default_generator = Generator()
"""The global stream, what ``torch.rand`` and its like draw from; unpredictable until it is seeded."""
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Start the global stream over at ``seed`` and return it."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the global stream over at a seed nobody knows beforehand, and return that."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the global stream started from."""
    return default_generator.initial_seed()


def swap_default(other: Generator) -> None:
    """Let the default stream and another one change places."""
    for name in Generator.__slots__:
        mine, theirs = getattr(default_generator, name), getattr(other, name)
        setattr(default_generator, name, theirs)
        setattr(other, name, mine)
