"""Writing: the program as the PyTorch text that does the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program.problems import held_up
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Counter, Kind, Ref, Statement
from chalkgrad.source.bindings import bound
from chalkgrad.source.calls import FUNCTIONAL, full_name
from chalkgrad.source.expressions import Writer, transposes
from chalkgrad.source.line_writer import INDENT, LineWriter, opening
from chalkgrad.stepwise import Stepwise, finished

PORTION = 16
"""So many lines are written in one step."""


class Span(NamedTuple):
    """Where a statement stands in a text: characters ``start`` to ``end``; ``row`` is its first line there, from 0."""

    statement: int
    start: int
    end: int
    row: int


class Emitted(NamedTuple):
    """A text and the place of each statement in it; those written inline have the place of their line."""

    text: str
    spans: tuple[Span, ...]

    def at(self, position: int) -> int | None:
        """Id of the statement at a character, or None."""
        return next((span.statement for span in self.spans if span.start <= position <= span.end), None)


def program_text(program: Program, failing: Mapping[int, str] | None = None) -> str:
    """The whole file. ``failing`` gives, for lines that raise, the type of the exception they raise."""
    return spans(program, failing).text


def writing(program: Program) -> Stepwise[str]:
    """The same in steps, for a program of thousands of lines."""
    return (yield from _Page(_emitter(program), {}).writing()).text


def line(program: Program, id_: int) -> str:
    """One statement as it stands in the program, not indented; several lines where it does several things."""
    return "\n".join(_emitter(program).lines(program[id_]))


def shown_line(program: Program, id_: int) -> str:
    """The same to be looked at: of a large array the first and last numbers, which takes no longer for a larger one."""
    return "\n".join(_emitter(program).brief.lines(program[id_]))


def statement_text(program: Program, statement: Statement, inline: Mapping[int, Statement] | None = None) -> str:
    """The text of a statement that is not in the program: what a button shows that it will append.

    ``inline`` are what is written inside it, by the (negative) ids under which it and they refer to them.
    """
    around = _stand_ins(program, [statement, *(inline or {}).values()]) or program
    ids = {old: program.next_id + number for number, old in enumerate(inline or {})}
    written = [*(inline or {}).values(), statement]
    new_ids = [*ids.values(), program.next_id + len(ids)]

    def renewed(ref: Ref) -> Ref:
        return bound(program, replace(ref, statement=ids.get(ref.statement, ref.statement)))

    added = [replace(s.map_refs(renewed), id=id_) for s, id_ in zip(written, new_ids, strict=True)]
    statements = {**around.statements, **{new.id: new for new in added}}
    grown = Program(statements, (*around.order, *(new.id for new in added)), around.blocks)
    return "\n".join(LineWriter(grown).lines(added[-1]))


def expression(program: Program, id_: int, short: bool = True) -> str:
    """What a statement makes, without the name it gets: ``w + x`` as a card shows it, or in full."""
    return _expression(_emitter(program), program[id_], short)


WORDED = frozenset({Kind.LEAF, Kind.OP})


class Wording(NamedTuple):
    """A statement and the names of what it reads: with the same, an :func:`expression` is the same."""

    statement: Statement
    names: tuple[str | None, ...]

    def is_like(self, other: Wording | None) -> bool:
        """True for the same statement and names; statements that are merely equal may hold 1, 1.0 or True."""
        return other is not None and self.statement is other.statement and self.names == other.names


def wording(program: Program, id_: int) -> Wording | None:
    """All that the expression of a leaf or an operator is made of; None where it is made of more than names."""
    statement, names = program[id_], _emitter(program).names
    if statement.kind not in WORDED or program.writes(statement):
        return None
    for operand in statement.operands:
        if isinstance(operand, Counter):
            return None
    read: list[str | None] = []
    for ref in statement.refs():
        made = program.statements.get(ref.statement)
        if made is not None and (program.writes(made) or program.is_inline(made.id)):
            return None
        read.append(None if made is None else names.get((made.id, ref.output)))
    return Wording(statement, tuple(read))


def _expression(emitter: LineWriter, statement: Statement, short: bool) -> str:
    writer = Writer(emitter.program, emitter.names, short, emitter.functional)
    writer.in_brief = short
    record = OPS.get(statement.call)
    if statement.kind is Kind.OP and record is not None and (written := writer.augmented(statement, record)):
        return written
    if statement.kind in (Kind.LEAF, Kind.OP):
        return writer.result(statement).text
    text = emitter.right_hand_side(statement)
    return text.removeprefix("torch.autograd.") if short else text  # on a card the call is known by its last name


def tag(statement: Statement) -> str:
    """What an operator adds to the one tensor it is applied to: ``.detach()``, ``.T``, ``.view(2, 3)``."""
    record = OPS.get(statement.call)
    called = record is not None and record.method and not transposes(statement)
    style = "method" if called else statement.style
    tensor = Statement(-2, Kind.LEAF, "tensor", ("t",), (0.0,))
    own = replace(statement, id=-1, operands=(Ref(tensor.id), *statement.operands[1:]), style=style, block=None)
    emitter = LineWriter(
        Program({-2: tensor, -1: own}, (-2, -1))
    )  # not kept: it would push out those of whole programs
    text = _expression(emitter, own, short=False)
    return text.removeprefix(tensor.name)


def spans(program: Program, failing: Mapping[int, str] | None = None) -> Emitted:
    """The whole file with the place of each statement in it."""
    return _Page(_emitter(program), failing or {}).write()


class _Page:
    """Lays the statements out as a file: imports, blocks, lines that raise in their ``try``."""

    def __init__(self, emitter: LineWriter, failing: Mapping[int, str]) -> None:
        self.emitter = emitter
        self.program = emitter.program
        self.failing = failing
        self.unreached = held_up(self.program, failing)
        self.inline: dict[int, list[int]] = {}
        for id_ in self.program.order:
            if self.program.is_inline(id_):
                self.inline.setdefault(self.program.users[id_][0], []).append(id_)
        self.rows: list[str] = []
        self.spans: list[Span] = []
        self.length = 0

    def write(self) -> Emitted:
        """The file."""
        return finished(self.writing())

    def writing(self) -> Stepwise[Emitted]:
        """The same in steps."""
        lines: dict[int, list[str]] = {}
        for place, statement in enumerate(self.program):
            if place % PORTION == 0:
                yield 0.8 * place / len(self.program)
            if not self.program.is_inline(statement.id):
                lines[statement.id] = self._lines(statement)
        alive = {block for id_ in lines if not _all_remarks(lines[id_]) for block in self._chain(id_)}
        self._add(["import torch", *self._imports(), ""])
        open_: tuple[int, ...] = ()
        for place, (id_, written) in enumerate(lines.items()):
            if place % PORTION == 0:
                yield 0.8 + 0.2 * place / len(lines)
            chain = self._chain(id_)
            for text, block in opening(self.program, open_, chain):
                self._add([text] if block in alive else [text, f"{INDENT * len(self.program.chain(block))}pass"])
            self._statement(id_, written, INDENT * len(chain))
            open_ = chain
        return Emitted("\n".join(self.rows) + "\n", tuple(sorted(self.spans, key=lambda span: (span.start, span.end))))

    def _chain(self, id_: int) -> tuple[int, ...]:
        return self.program.chain(self.program[id_].block)

    def _imports(self) -> Iterable[str]:
        if self.emitter.functional == "F." and any(_is_functional(statement) for statement in self.program):
            yield "import torch.nn.functional as F"

    def _lines(self, statement: Statement) -> list[str]:
        """The statement's lines; commented out where something it needs was not made."""
        lines = self.emitter.lines(statement)
        is_held_up = statement.id in self.unreached and self._error(statement.id) is None
        return lines if not is_held_up or _all_remarks(lines) else [f"# {text}" for text in lines]

    def _error(self, id_: int) -> str | None:
        """The type of what the line raises, be it what it says or what stands inline in it."""
        return next((self.failing[member] for member in self._members(id_) if member in self.failing), None)

    def _members(self, id_: int) -> list[int]:
        """A statement and all that stands inline in its line."""
        found = [id_]
        for member in found:
            found += self.inline.get(member, [])
        return found

    def _statement(self, id_: int, lines: list[str], indent: str) -> None:
        error = None if _all_remarks(lines) else self._error(id_)
        if error is not None:
            self._add([f"{indent}try:"])
        inner = indent if error is None else indent + INDENT
        start, row = self.length + len(inner), len(self.rows)
        self._add([inner + text for text in lines])
        self.spans += [Span(member, start, self.length - 1, row) for member in self._members(id_)]
        if error is not None:
            name = self.emitter.error_name
            self._add([f"{indent}except {error} as {name}:", f"{indent}{INDENT}print({name})"])

    def _add(self, rows: Iterable[str]) -> None:
        for row in rows:
            self.rows.append(row)
            self.length += len(row) + 1


def _all_remarks(lines: list[str]) -> bool:
    return all(text.startswith("#") for text in lines)


_recent: deque[LineWriter] = deque(maxlen=4)


def _stand_ins(program: Program, statements: Iterable[Statement]) -> Program | None:
    """A small program in which the text of new statements is the same: plain leaves in the place of what they use.

    So what a button says costs the same in a long program as in a short one. None where names or lines of the whole
    program matter: a name that is bound twice, a tensor without a name, lines that run again.
    """
    counts = program.name_counts
    kept: dict[int, Statement] = {}
    for statement in statements:
        if statement.kind is Kind.AGAIN:
            return None
        for ref in statement.refs():
            made = bound(program, ref)
            if made.statement < 0:
                continue
            maker = program.statements.get(made.statement)
            name = maker.targets[made.output] if maker is not None and made.output < len(maker.targets) else ""
            if maker is None or not name or counts[name] != 1:
                return None
            kept[made.statement] = Statement(made.statement, Kind.LEAF, "tensor", maker.targets, ((1.0,),))
    return Program(kept, tuple(kept))


def _emitter(program: Program) -> LineWriter:
    """The emitter of a program; those of the last few programs are kept."""
    names = None
    for emitter in _recent:
        if emitter.program is program:
            return emitter
        if emitter.name_counts is program.name_counts:
            names = emitter.names
    _recent.append(LineWriter(program, names))
    return _recent[-1]


def _is_functional(statement: Statement) -> bool:
    record = OPS.get(statement.call) if statement.kind is Kind.OP else None
    return record is not None and record.function is not None and full_name(record.function).startswith(FUNCTIONAL)
