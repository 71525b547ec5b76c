"""Where a tensor is and how it lies in memory: ``torch.device``, ``torch.layout`` and ``torch.memory_format``.

There is only the CPU. Other devices have names, and asking for a tensor on one says what PyTorch built for the CPU
says.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from chalkgrad.engine.signature import Parser

KINDS: Final = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy"),
    *("vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"),
)
_TEXT = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9]\d*))?")
_PARSER: Final = Parser.of("device(Device device)", "device(str type, int? index=-1)")

NO_CUDA: Final = "Torch not compiled with CUDA enabled"


class Device:
    """``torch.device("cpu")``: the name of a device, with a number where there are several of a kind."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Device:
        """From another device, from ``"cuda:1"``, or from a kind and a number; RuntimeError for an unknown kind."""
        _, values = _PARSER.parse(args, kwargs)
        if "device" in values:
            given = values["device"]
            return given if isinstance(given, Device) else _read(given)
        made = _read(values["type"])
        if made.index is not None and "index" in values:
            raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {made}")
        index = values.get("index")
        if index is None:
            return made
        _check_index(index)
        return _device(made.type, index)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"attribute '{name}' of 'torch.device' objects is not writable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __reduce__(self) -> tuple[object, ...]:
        return device_of, (str(self),)

    def __enter__(self) -> Device:
        check_device(self)
        return self

    def __exit__(self, *exc: object) -> None:
        pass


Device.__name__ = Device.__qualname__ = "device"
Device.__module__ = "torch"


def _device(kind: str, index: int | None) -> Device:
    made: Device = object.__new__(Device)
    object.__setattr__(made, "type", kind)
    object.__setattr__(made, "index", index)
    return made


def _check_index(index: int) -> None:
    if not -(1 << 63) <= index < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    if index < 0:
        raise RuntimeError("Device index must not be negative")


def device_of(text: str) -> Device:
    """The device called so."""
    return _read(text)


def _read(text: str | int) -> Device:
    if isinstance(text, int):
        _check_index(text)
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if not text:
        raise RuntimeError("Device string must not be empty")
    found = _TEXT.fullmatch(text)
    if found is None:
        raise RuntimeError(f"Invalid device string: '{text}'")
    kind, number = found.groups()
    if kind not in KINDS:
        raise RuntimeError(f"Expected one of {', '.join(KINDS)} device type at start of device string: {kind}")
    return _device(kind, None if number is None else int(number))


CPU: Final = _device("cpu", None)
"""Where every tensor is."""


def check_device(value: Any) -> None:
    """Raise what PyTorch built for the CPU raises for a tensor on another device; None means the CPU."""
    if value is None:
        return
    device = value if isinstance(value, Device) else _read(value)
    if device.type == "cuda":
        raise AssertionError(NO_CUDA)
    if device.type != "cpu":
        raise NotImplementedError(
            f"Could not run 'aten::empty.memory_format' with arguments from the '{device.type.upper()}' backend."
        )


class _Named:
    """One of a fixed set of values that are only names."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[object, ...]:
        return named, (self.name,)


class Layout(_Named):
    """How the elements of a tensor are kept: all of them, one after the other, is the only way offered."""

    __slots__ = ()


class MemoryFormat(_Named):
    """In which order the dimensions of a tensor follow each other in memory."""

    __slots__ = ()


for _cls, _name in ((Layout, "layout"), (MemoryFormat, "memory_format")):
    _cls.__name__ = _cls.__qualname__ = _name
    _cls.__module__ = "torch"

strided = Layout("strided")
sparse_coo = Layout("sparse_coo")
contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last")
channels_last_3d = MemoryFormat("channels_last_3d")

_NAMED: Final = {
    found.name: found
    for found in (strided, sparse_coo, contiguous_format, preserve_format, channels_last, channels_last_3d)
}


def named(name: str) -> Layout | MemoryFormat:
    """The layout or memory format called so."""
    return _NAMED[name]


def check_layout(layout: Layout | None) -> None:
    """Raise for a layout that no tensor here has."""
    if layout is not None and layout is not strided:
        raise RuntimeError(f"Chalkgrad keeps all elements of a tensor: there is no {layout!r}")
