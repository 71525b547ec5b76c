"""Loops written out: the program that does the same with the lines of each round one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from chalkgrad.program.program import Block, Program
from chalkgrad.program.statement import Counter, Operand, Ref, Statement


def run_count(program: Program) -> int:
    """How many lines run when every round is counted."""
    return sum(_times(program, statement.block) for statement in program)


@dataclass(frozen=True, slots=True)
class WrittenOut:
    """A program without loops, and the line of the one with loops that each of its lines is, by id."""

    program: Program
    origins: Mapping[int, int]

    def latest(self, ref: Ref) -> Ref:
        """What a reference in the program with loops means at the end of this one."""
        found = [id_ for id_, origin in self.origins.items() if origin == ref.statement]
        return replace(ref, statement=found[-1])


def written_out(program: Program) -> Program:
    """The program without loops. The lines of first rounds keep their ids, those of further ones have new ones."""
    return written_out_until(program, None, {}).program


def written_out_until(program: Program, line: int | None, rounds: Mapping[int, int]) -> WrittenOut:
    """What has run when ``line`` has, in these rounds of the loops around it, counted from 0; None: all of it."""
    return _Writer(program).write(line, rounds)


class _Writer:
    """Goes through a program as a run does and copies what comes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.next_id = program.next_id
        self.statements: dict[int, Statement] = {}
        self.blocks: dict[int, Block] = {}
        self.latest: dict[int, int] = {}
        self.counters: dict[int, int] = {}
        self.copies: dict[int, int] = {}
        self.origins: dict[int, int] = {}

    def write(self, last: int | None, rounds: Mapping[int, int]) -> WrittenOut:
        for place in self._places(range(len(self.program)), None):
            line = self.program.order[place]
            self._copy(self.program[line])
            if line == last and self._is_in(rounds, line):
                break
        made = Program(self.statements, tuple(self.statements), self.blocks, self.next_id, self.program.stops)
        return WrittenOut(made, self.origins)

    def _is_in(self, rounds: Mapping[int, int], line: int) -> bool:
        """True when the loops around a line are in these rounds."""
        return all(self.counters[loop] == rounds[loop] for loop in self.program.loops(self.program[line].block))

    def _places(self, places: range, around: int | None) -> Iterator[int]:
        """The places that run, in order, within a loop (None: the whole program)."""
        place = places.start
        depth = 0 if around is None else len(self.program.loops(around))
        while place < places.stop:
            loops = self.program.loops(self.program[self.program.order[place]].block)
            if len(loops) <= depth:
                yield place
                place += 1
                continue
            inner = loops[depth]
            for number in range(self.program.blocks[inner].rounds):
                self.counters[inner] = number
                self.copies.clear()
                yield from self._places(self.program.bodies[inner], inner)
            self.copies.clear()
            place = self.program.bodies[inner].stop

    def _copy(self, statement: Statement) -> None:
        id_ = statement.id if statement.id not in self.statements else self._new_id()
        made = statement.map_refs(self._now).map_counters(self._number)
        self.latest[statement.id] = id_
        self.origins[id_] = statement.id
        self.statements[id_] = replace(made, id=id_, block=self._block(statement.block))

    def _now(self, ref: Ref) -> Ref:
        return replace(ref, statement=self.latest.get(ref.statement, ref.statement))

    def _number(self, counter: Counter) -> Operand:
        return self.counters.get(counter.block, 0)

    def _block(self, block: int | None) -> int | None:
        """The mode block of the round for one of the program; loops are left out."""
        if block is None:
            return None
        old = self.program.blocks[block]
        if old.is_loop:
            return self._block(old.parent)
        if block not in self.copies:
            id_ = block if block not in self.blocks else self._new_id()
            self.copies[block] = id_
            self.blocks[id_] = replace(old, id=id_, parent=self._block(old.parent))
        return self.copies[block]

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1


def _times(program: Program, block: int | None) -> int:
    """How often a line in a block runs."""
    return math.prod(program.blocks[loop].rounds for loop in program.loops(block))
