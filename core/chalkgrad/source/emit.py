"""Writing: the program as the PyTorch text that does the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program import hooks
from chalkgrad.program.names import free_among
from chalkgrad.program.problems import held_up
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Empty, Kind, Operand, Ref, Statement
from chalkgrad.source.bindings import BindingNames, binding_names, bound
from chalkgrad.source.calls import FUNCTIONAL, full_name
from chalkgrad.source.expressions import Writer
from chalkgrad.source.literals import shape_text, value_text

INDENT = "    "


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


def line(program: Program, id_: int) -> str:
    """One statement as it stands in the program, not indented; several lines where it does several things."""
    return "\n".join(_emitter(program).lines(program[id_]))


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
    return "\n".join(_Emitter(grown).lines(added[-1]))


def expression(program: Program, id_: int, short: bool = True) -> str:
    """What a statement makes, without the name it gets: ``w + x`` as a card shows it, or in full."""
    return _expression(_emitter(program), program[id_], short)


def _expression(emitter: _Emitter, statement: Statement, short: bool) -> str:
    writer = Writer(emitter.program, emitter.names, short, emitter.functional)
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
    style = "method" if record is not None and record.method else statement.style
    tensor = Statement(-2, Kind.LEAF, "tensor", ("t",), (0.0,))
    own = replace(statement, id=-1, operands=(Ref(tensor.id), *statement.operands[1:]), style=style, block=None)
    emitter = _Emitter(Program({-2: tensor, -1: own}, (-2, -1)))  # not kept: it would push out those of whole programs
    text = _expression(emitter, own, short=False)
    return text.removeprefix(tensor.name)


def spans(program: Program, failing: Mapping[int, str] | None = None) -> Emitted:
    """The whole file with the place of each statement in it."""
    return _Page(_emitter(program), failing or {}).write()


class _Emitter:
    """Writes single statements of one program."""

    def __init__(self, program: Program, names: BindingNames | None = None) -> None:
        self.program = program
        self.name_counts = program.name_counts  # the same for a program that an edit of numbers made of this one
        self.names = binding_names(program) if names is None else names
        self.functional = FUNCTIONAL if self._is_taken("F") else "F."
        self.writer = Writer(program, self.names, functional=self.functional)

    @cached_property
    def error_name(self) -> str:
        """What an error is called where one is caught."""
        if not self._is_taken("e"):
            return "e"
        return free_among("error", self.program.names().union(self.names.renamed.values()))

    def _is_taken(self, name: str) -> bool:
        return self.program.has_name(name) or name in self.names.renamed.values()

    @cached_property
    def idle(self) -> frozenset[int]:
        """Ids of the statements that can't run."""
        return held_up(self.program)

    def lines(self, statement: Statement) -> list[str]:
        """The statement's lines; commented out where it can't run."""
        written = self._again(statement) if statement.kind is Kind.AGAIN else self._one(statement).split("\n")
        return [f"# {text}" for text in written] if statement.id in self.idle else written

    def right_hand_side(self, statement: Statement) -> str:
        """What stands right of the names that a statement binds, or all of it where it binds none."""
        writers = {
            Kind.LEAF: lambda s: self.writer.result(s).text,
            Kind.OP: lambda s: self.writer.result(s).text,
            Kind.ATTRIBUTE: self._action,
            Kind.ASSIGN: self._assignment,
            Kind.ALIAS: lambda s: self._first(s),
            Kind.DELETE: lambda s: f"del {self._first(s)}",
            Kind.BACKWARD: self._backward,
            Kind.GRAD: self._grad,
            Kind.AGAIN: lambda s: f"again({self._first(s)})",
            Kind.PRINT: self._print,
            Kind.OPTIMIZER: self._optimizer,
            Kind.UPDATE: self._update,
            Kind.SEED: lambda s: f"torch.manual_seed({', '.join(value_text(v) for v in s.operands)})",
            Kind.COMMENT: _comment,
        }
        return writers[statement.kind](statement)

    def _one(self, statement: Statement) -> str:
        text = self.right_hand_side(statement)
        if statement.kind is Kind.OP:
            record = OPS.get(statement.call)
            if record is not None and (written := self.writer.augmented(statement, record)):
                return written
        if statement.kind not in (Kind.LEAF, Kind.OP, Kind.GRAD, Kind.ALIAS, Kind.OPTIMIZER, Kind.ATTRIBUTE):
            return text
        names = [self.names.get((statement.id, n), "") for n in range(len(statement.targets))]
        if not any(names):
            return text
        comma = "," if len(names) == 1 and _makes_tuple(statement) else ""
        return f"{', '.join(name or '_' for name in names)}{comma} = {text}"

    def _again(self, statement: Statement) -> list[str]:
        """The lines that run again, in the blocks they stand in."""
        lines: list[str] = []
        around = self.program.chain(statement.block)
        open_: tuple[int, ...] = ()
        for id_ in self.program.again(statement.id):
            if self.program.is_inline(id_) or id_ in self.idle:
                continue
            chain = tuple(block for block in self.program.chain(self.program[id_].block) if block not in around)
            lines += [text for text, _ in _opening(self.program, open_, chain)]
            lines += [INDENT * len(chain) + text for text in self.lines(self.program[id_])]
            open_ = chain
        return lines or [f"# again: {self._first(statement)}"]

    def _first(self, statement: Statement) -> str:
        return self.writer.operand(statement.operands[0]).text if statement.operands else "?"

    def _receiver(self, statement: Statement) -> str:
        return self.writer.operand(statement.operands[0]).within(20) if statement.operands else "?"

    def _action(self, statement: Statement) -> str:
        if statement.call == hooks.CALL:
            return f"{self._receiver(statement)}.{statement.call}({', '.join(map(str, statement.operands[1:]))})"
        arguments = ", ".join(self.writer.operand(operand).text for operand in statement.operands[1:])
        return f"{self._receiver(statement)}.{statement.call}({arguments})"

    def _assignment(self, statement: Statement) -> str:
        value = statement.operands[1] if len(statement.operands) > 1 else None
        plain = value is None or isinstance(value, Ref | bool)
        text = self.writer.operand(value).text if plain else self.writer.tensor(value)
        return f"{self._receiver(statement)}.{statement.call} = {text}"

    def _backward(self, statement: Statement) -> str:
        if statement.style == "method" and len(statement.operands) == 1:
            return f"{self._receiver(statement)}.backward({', '.join(self._options(statement, 'gradient'))})"
        roots = self.writer.few(statement.operands if len(statement.operands) != 1 else statement.operands[0])
        return f"torch.autograd.backward({', '.join([roots, *self._options(statement, 'grad_tensors')])})"

    def _grad(self, statement: Statement) -> str:
        outputs, inputs = (*statement.operands, (), ())[:2]
        arguments = [self._few(outputs), self._few(inputs), *self._options(statement, "grad_outputs")]
        return f"torch.autograd.grad({', '.join(arguments)})"

    def _few(self, operand: Operand) -> str:
        """One tensor as it is, none or several in a list."""
        return self.writer.few(operand[0] if isinstance(operand, tuple) and len(operand) == 1 else operand)

    def _options(self, statement: Statement, gradient: str) -> list[str]:
        """Keyword arguments of a backward; the weights of the roots are tensors."""
        written = []
        for key, value in statement.options:
            if key in ("gradient", "grad_tensors", "grad_outputs"):
                written.append(f"{gradient}={self._weights(value)}")
            elif key == "inputs":
                written.append(f"inputs={self._few(value)}")
            else:
                written.append(f"{key}={self.writer.operand(value).text}")
        return written

    def _optimizer(self, statement: Statement) -> str:
        parameters = [self.writer.few(operand) for operand in statement.operands]
        return f"torch.optim.{statement.call}({', '.join([*parameters, *self._plain_options(statement)])})"

    def _update(self, statement: Statement) -> str:
        return f"{self._receiver(statement)}.{statement.call}({', '.join(self._plain_options(statement))})"

    def _plain_options(self, statement: Statement) -> list[str]:
        """Keyword arguments of an optimiser; several numbers are a tuple, as in PyTorch's signature."""
        return [
            f"{key}={shape_text(value) if isinstance(value, tuple) else self.writer.option(key, value)}"
            for key, value in statement.options
        ]

    def _weights(self, value: Operand) -> str:
        """One tensor, or a list with a tensor or None for each root."""
        if isinstance(value, tuple) and any(member is None or isinstance(member, Ref | Empty) for member in value):
            return f"[{', '.join(self.writer.tensor(member) for member in value)}]"
        return self.writer.tensor(value)

    def _print(self, statement: Statement) -> str:
        arguments = [self._printed(operand) for operand in statement.operands]
        arguments += [f"{key}={value_text(value)}" for key, value in statement.options]
        return f"print({', '.join(arguments)})"

    def _printed(self, operand: Operand) -> str:
        if not isinstance(operand, tuple):
            return self.writer.operand(operand).text
        whole = self.program.printed_whole(operand)
        if whole is not None:
            return self.writer.result(whole).text
        members = [self._printed(member) for member in operand]
        return f"({members[0]},)" if len(members) == 1 else f"({', '.join(members)})"


class _Page:
    """Lays the statements out as a file: imports, blocks, lines that raise in their ``try``."""

    def __init__(self, emitter: _Emitter, failing: Mapping[int, str]) -> None:
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
        lines = {s.id: self._lines(s) for s in self.program if not self.program.is_inline(s.id)}
        alive = {block for id_ in lines if not _all_remarks(lines[id_]) for block in self._chain(id_)}
        self._add(["import torch", *self._imports(), ""])
        open_: tuple[int, ...] = ()
        for id_, written in lines.items():
            chain = self._chain(id_)
            for text, block in _opening(self.program, open_, chain):
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


_recent: deque[_Emitter] = deque(maxlen=4)


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


def _emitter(program: Program) -> _Emitter:
    """The emitter of a program; those of the last few programs are kept."""
    names = None
    for emitter in _recent:
        if emitter.program is program:
            return emitter
        if emitter.name_counts is program.name_counts:
            names = emitter.names
    _recent.append(_Emitter(program, names))
    return _recent[-1]


def _opening(program: Program, open_: tuple[int, ...], chain: tuple[int, ...]) -> list[tuple[str, int]]:
    """The ``with`` lines of the blocks in ``chain`` that are not open yet, each with its block."""
    shared = 0
    while shared < min(len(open_), len(chain)) and open_[shared] == chain[shared]:
        shared += 1
    new = enumerate(chain[shared:], start=shared)
    return [(f"{INDENT * depth}{program.blocks[block].heading}", block) for depth, block in new]


def _is_functional(statement: Statement) -> bool:
    record = OPS.get(statement.call) if statement.kind is Kind.OP else None
    return record is not None and record.function is not None and full_name(record.function).startswith(FUNCTIONAL)


def _makes_tuple(statement: Statement) -> bool:
    """True for what Python gives as a tuple even when there is one tensor in it."""
    return statement.kind is Kind.GRAD or (statement.kind is Kind.OP and not OPS[statement.call].outputs)


def _comment(statement: Statement) -> str:
    texts = str(statement.operands[0]).splitlines() if statement.operands else []
    return "\n".join(f"# {text}".rstrip() for text in texts or [""])
