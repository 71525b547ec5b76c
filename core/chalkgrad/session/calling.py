"""What the objects of a trace are called: by the names that mean them, or as the gradient of one that has a name."""

from __future__ import annotations

from collections import defaultdict

from chalkgrad.session.results import Result
from chalkgrad.session.tables import Tables


class Calling:
    """The names of the objects of one trace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read = -1
        self._names: defaultdict[int, list[str]] = defaultdict(list)
        self._owners: dict[int, int] = {}

    def name(self, number: int, position: int) -> tuple[str, bool]:
        """The name of an object, empty where it never had one, and whether it means that object at ``position``."""
        self._read_on()
        names = self._names.get(number, ())
        for name in names:
            if self._tables.names.at(name, position) == number:
                return name, True
        owner = self._owners.get(number)
        if not names and owner is not None:
            facts = self._tables.facts[owner].at(position)
            name, is_now = self.name(owner, position)
            return (f"{name}.grad" if name else ""), is_now and facts is not None and facts.grad == number
        return (names[0] if names else ""), False

    @property
    def named(self) -> dict[int, list[str]]:
        """All objects that ever had a name, with their names."""
        self._read_on()
        return self._names

    def _read_on(self) -> None:
        """Look again at all bindings when something has happened since."""
        if self._read == len(self._tables.events):
            return
        self._read = len(self._tables.events)
        self._names.clear()
        for name, line in self._tables.names.lines.items():
            if isinstance(line, Result):  # as most are; its timeline would be made for nothing
                self._names[line.number].append(name)
                continue
            for number in dict.fromkeys(line.values):
                if number is not None:
                    self._names[number].append(name)
        facts = self._tables.facts
        for owner in range(len(facts)):
            for _, value in () if facts.is_plain(owner) else facts[owner]:
                if value.grad is not None and value.grad != owner:
                    self._owners.setdefault(value.grad, owner)
