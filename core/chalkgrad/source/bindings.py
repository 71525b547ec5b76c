"""Which name the text uses for what a statement made.

Two statements may bind the same name. A wire to the earlier of them can't be written with that name once it means
something else, and what has no name but is used twice needs one: both get a name of their own in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from chalkgrad.program.names import free_among
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement

Output = tuple[int, int]
"""Statement id and number of the output."""


class BindingNames(Mapping[Output, str]):
    """The name of every output that has one in the text: its own, but for those ``renamed``."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.renamed: dict[Output, str] = {}

    def __getitem__(self, output: Output) -> str:
        id_, number = output
        statement = self._program.statements.get(id_)
        own = statement.targets[number] if statement is not None and number < len(statement.targets) else ""
        name = self.renamed.get(output, own)
        if not name:
            raise KeyError(output)
        return name

    def __iter__(self) -> Iterator[Output]:
        named = ((s.id, number) for s in self._program for number, name in enumerate(s.targets) if name)
        return chain(named, (output for output in self.renamed if not self._program[output[0]].targets[output[1]]))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def binding_names(program: Program) -> BindingNames:
    """The names of a program."""
    names = BindingNames(program)
    outputs = sorted(_nameless(program) | _hidden(program, names) | _bound_by_loops(program, names))
    taken = program.names() if outputs else set()
    for output in outputs:
        names.renamed[output] = free_among(names.get(output, "t"), taken)
        taken.add(names.renamed[output])
    return names


def bound(program: Program, ref: Ref) -> Ref:
    """``ref`` by the statement whose name it is written with: that of an in-place line only where it binds one."""
    while ref.statement in program:
        statement = program[ref.statement]
        first = statement.operands[0] if statement.operands else None
        if not program.writes(statement) or any(statement.targets) or not isinstance(first, Ref):
            break
        ref = Ref(first.statement, first.output, first.path + ref.path)
    return ref


def _nameless(program: Program) -> set[Output]:
    """Outputs that are used though they have no name and can't be written inside the line that uses them."""
    found: set[Output] = set()
    if "" not in program.name_counts:
        return found
    for statement in program:
        for ref in statement.refs():
            made = bound(program, ref)
            if made.statement in program and not program.is_inline(made.statement):
                targets = program[made.statement].targets
                if made.output < len(targets) and not targets[made.output]:
                    found.add((made.statement, made.output))
    return found


def _hidden(program: Program, names: Mapping[Output, str]) -> set[Output]:
    """Outputs that are used where their name already means something else."""
    found: set[Output] = set()
    if not program.repeated_names:
        return found
    meaning: dict[str, Output] = {}
    for statement in program:
        if program.is_inline(statement.id):
            continue
        for made in _read_by(program, statement):
            name = names.get(made)
            if name and meaning.get(name, made) != made:
                found.add(made)
        if statement.kind is Kind.DELETE:
            continue
        meaning.update({name: (statement.id, n) for n, name in enumerate(statement.targets) if name})
        if statement.kind is Kind.AGAIN:
            meaning.update(_again(program, statement, names))
    return found


def _bound_by_loops(program: Program, names: Mapping[Output, str]) -> set[Output]:
    """Outputs that a loop hides: by its variable, or by a line in it that binds the same name for its next round."""
    found: set[Output] = set()
    variables = {block.name for block in program.blocks.values() if block.is_loop}
    if variables:
        found |= {output for output, name in names.items() if name in variables}
    for places in program.bodies.values():
        body = [program[id_] for id_ in program.order[places.start : places.stop]]
        inside = {(s.id, n): name for s in body for n in range(len(s.targets)) if (name := names.get((s.id, n)))}
        again = set(inside.values())
        for made in (made for s in body for made in _read_by(program, s) if made not in inside):
            if names.get(made) in again:
                found.add(made)
    return found


def _read_by(program: Program, statement: Statement) -> list[Output]:
    """What one line reads, what stands inline in it included."""
    found: list[Output] = []
    stack = [statement]
    while stack:
        for ref in stack.pop().refs():
            made = bound(program, ref)
            if made.statement not in program:
                continue
            if program.is_inline(made.statement):
                stack.append(program[made.statement])
            else:
                found.append((made.statement, made.output))
    return found


def _again(program: Program, statement: Statement, names: Mapping[Output, str]) -> dict[str, Output]:
    """What the lines that run again bind."""
    again = (program[id_] for id_ in program.again(statement.id))
    return {names[(s.id, n)]: (s.id, n) for s in again for n in range(len(s.targets)) if (s.id, n) in names}
