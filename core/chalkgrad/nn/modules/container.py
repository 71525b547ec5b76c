"""Modules made of modules, and lists and dictionaries of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from chalkgrad.nn.module import Module


def _place(modules: Mapping[str, Any], index: Any) -> str:
    """The name of element number ``index``; IndexError where there is none."""
    count = len(modules)
    number: int = index.__index__()
    if not -count <= number < count:
        raise IndexError(f"index {number} is out of range")
    return list(modules)[number]


class _Row(Module):
    """Modules in order, named by their numbers."""

    def _renumber(self, modules: Iterable[Any]) -> None:
        kept = list(modules)
        self._modules.clear()
        self._modules.update({str(number): module for number, module in enumerate(kept)})

    def append(self, module: Module) -> Any:
        """Put ``module`` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)
        gone = names[index] if isinstance(index, slice) else [_place(self._modules, index)]
        for name in gone:
            del self._modules[name]
        self._renumber(self._modules.values())

    def pop(self, index: int | slice) -> Any:
        """Take a module out."""
        taken = self[index]  # type: ignore[index]
        del self[index]
        return taken

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]


class Sequential(_Row):
    """Modules run one after the other."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for number, module in enumerate(args):
                self.add_module(str(number), module)

    def forward(self, input: Any) -> Any:
        """The last module's output."""
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[_place(self._modules, index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, _place(self._modules, index), module)

    def insert(self, index: int, module: Module) -> Sequential:
        """Put ``module`` in front of number ``index``."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self._modules.values())
        modules.insert(index + count if index < 0 else index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Put several modules at the end."""
        for module in sequential:
            self.append(module)
        return self

    def __add__(self, other: Any) -> Sequential:
        self._check_sequential(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        self._check_sequential(other)
        return self.extend(list(other))

    def __mul__(self, other: Any) -> Sequential:
        self._check_factor(other)
        return Sequential(*(module for _ in range(other) for module in self))

    __rmul__ = __mul__

    def __imul__(self, other: Any) -> Any:
        self._check_factor(other)
        return self.extend([module for _ in range(other - 1) for module in list(self)])

    def _check_sequential(self, other: Any) -> None:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def _check_factor(self, other: Any) -> None:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")


class ModuleList(_Row):
    """A list of modules."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[_place(self._modules, index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, _place(self._modules, index), module)

    def insert(self, index: int, module: Module) -> None:
        """Put ``module`` in front of number ``index``."""
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Put several modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """Equal modules that follow one another are shown once."""
        rows: list[tuple[int, int, str]] = []
        for number, module in enumerate(self):
            text = repr(module)
            if rows and rows[-1][2] == text:
                rows[-1] = (rows[-1][0], number, text)
            else:
                rows.append((number, number, text))
        if not rows:
            return f"{self._get_name()}()"
        lines = [_row_text(*row) for row in rows]
        return f"{self._get_name()}(\n  " + "\n  ".join(line.replace("\n", "\n  ") for line in lines) + "\n)"


def _row_text(first: int, last: int, text: str) -> str:
    return f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"


class ModuleDict(Module):
    """A dictionary of modules."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Take all modules out."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Take a module out."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Put in the modules of a dictionary, or of pairs of a name and a module."""
        for key, module in pairs(modules, "ModuleDict", "ModuleDict"):
            self[key] = module


def pairs(given: Any, kind: str, caller: str) -> list[tuple[str, Any]]:
    """What ``update`` was given, as pairs; TypeError or ValueError where it is not."""
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{caller}.update should be called with an iterable of key/value pairs, but got {type(given).__name__}"
        )
    if isinstance(given, Mapping | ModuleDict) or hasattr(given, "items"):
        return list(given.items())
    found = []
    for number, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{kind} update sequence element #{number} should be Iterable; is{type(pair).__name__}")
        row = list(pair)
        if len(row) != 2:
            raise ValueError(f"{kind} update sequence element #{number} has length {len(row)}; 2 is required")
        found.append((row[0], row[1]))
    return found


def not_called(name: str) -> NoReturn:
    """RuntimeError: lists and dictionaries compute nothing."""
    raise RuntimeError(f"{name} should not be called.")
