"""What can be edited in place on the canvas: its text as it is, and the edit that a typed text makes.

A text that can't be read raises ValueError with a sentence for the person who typed it; then nothing has changed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from enum import StrEnum

from chalkgrad.program import arranging, edits, names
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.known import Known
from chalkgrad.program.shapes import infer
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Array, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import FACTORIES, MOST_ROUNDS
from chalkgrad.source import emit, literals, read
from chalkgrad_app.canvas import wiring
from chalkgrad_app.editors import pasted
from chalkgrad_app.editors.leaves import is_floating, nested
from chalkgrad_app.i18n import language, translate

CALLED = re.compile(r"(torch\.)?((as_)?tensor\s*\()")
"""How a value begins that is typed as a call, or printed by PyTorch, and says its own shape."""

FACTORY = re.compile(rf"({'|'.join(FACTORIES)})\s*\(")
"""How the call of a function that makes a tensor begins where it is typed without its module."""

SAID = re.compile(r",\s*(dtype|requires_grad)\s*=")
MADE_BY = re.compile(r",\s*grad_fn\s*=\s*<[^>]*>")
"""What a typed tensor says beside its numbers; and what a printed one says that no leaf has."""

INLINE_ELEMENTS = 16
"""A tensor with more elements than this is edited in a field of several lines."""


class Part(StrEnum):
    """Which part of a card, a note or a frame is edited."""

    NAME = "name"
    VALUE = "value"
    REQUIRES_GRAD = "requires_grad"
    PORT = "port"
    NOTE = "note"
    TITLE = "title"
    ROUNDS = "rounds"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Field:
    """One part of what has id ``id``; ``index`` is the output of a name, the number of a port."""

    part: Part
    id: int
    index: int = 0

    @property
    def has_lines(self) -> bool:
        """True for a text of several lines by nature."""
        return self.part is Part.NOTE


def text(sheet: Sheet, field: Field) -> str:
    """The text in a field as it is now."""
    if field.part is Part.NOTE:
        return sheet.board.notes[field.id].text(language())
    if field.part is Part.TITLE:
        return sheet.board.frames[field.id].title
    if field.part is Part.ROUNDS:
        return str(sheet.program.blocks[field.id].rounds)
    if field.part is Part.LABEL:
        return sheet.board.labels.get(field.id, "")
    statement = sheet.program[field.id]
    if field.part is Part.NAME:
        return statement.targets[field.index] if field.index < len(statement.targets) else ""
    if field.part is Part.PORT:
        return _port_text(sheet, field)
    if statement.call != "tensor":
        return emit.expression(sheet.program, field.id, short=False)
    return operand_text(statement.operands[0]) if statement.operands else ""


def change(sheet: Sheet, field: Field, typed: str) -> Change:
    """The edit that ``typed`` makes; ValueError when it can't be read, ProgramError when it can't be done."""
    if field.part is Part.NAME:
        return _renamed(sheet, field, typed)
    if field.part is Part.VALUE:
        return _with_value(sheet, field, typed)
    if field.part is Part.PORT:
        return _with_port(sheet, field, typed)
    if field.part is Part.NOTE:
        return _with_note(sheet, field, typed)
    if field.part is Part.ROUNDS:
        return _with_rounds(sheet, field, typed)
    if field.part is Part.TITLE:
        frame = sheet.board.frames[field.id]
        return edits.put_frame(sheet.board, replace(frame, title=typed.strip()))
    if field.part is Part.LABEL:
        return arranging.label(sheet.board, field.id, typed.strip())
    return NOTHING


def is_big(operand: Operand) -> bool:
    """True for a value that needs a field of several lines."""
    return _elements(operand) > INLINE_ELEMENTS


def operand_text(operand: Operand) -> str:
    """A constant as a person would type it; a big one with a row of numbers a line."""
    if not is_big(operand):
        return literals.value_text(operand)
    if isinstance(operand, Array):
        operand = nested(operand.numpy().tolist())
    return _lines(operand, 1) if isinstance(operand, tuple) else literals.value_text(operand)


def number_ports(statement: Statement) -> list[int]:
    """The ports that no wire is plugged into: each is a field for a Python number."""
    return [index for index, operand in enumerate(statement.ports()) if _is_field(operand)]


def put(sheet: Sheet, statement: Statement) -> Change:
    """The edit that puts a statement in the place of the one with its id."""
    return edits.put(sheet.program, statement)


def toggled_requires_grad(statement: Statement) -> Statement:
    """The leaf with ``requires_grad=True`` where it had none, and without where it had."""
    if statement.option("requires_grad") is True:
        return statement.without_option("requires_grad")
    return statement.with_option("requires_grad", True)


def _port_text(sheet: Sheet, field: Field) -> str:
    operand = wiring.plugged(sheet.program, wiring.Plug(field.id, field.index))
    if isinstance(operand, Empty):
        return ""
    if isinstance(operand, Ref):
        return sheet.program[operand.statement].name
    return operand_text(operand)


def _renamed(sheet: Sheet, field: Field, typed: str) -> Change:
    name = names.check_name(typed)
    names.check_free(sheet.program, field.id, field.index, name)
    return edits.rename(sheet.program, field.id, field.index, name)


def _with_value(sheet: Sheet, field: Field, typed: str) -> Change:
    """The leaf with another value; a factory's call typed in full replaces the call and keeps name and flags.

    A bare number typed over a value of one element keeps that one's shape.
    """
    statement = sheet.program[field.id]
    plain = MADE_BY.sub("", names.narrow(typed).strip())
    called = CALLED.match(plain)
    if not called and (FACTORY.match(plain) or plain.startswith("torch.")):
        return edits.put(sheet.program, _from_call(sheet, statement, plain))
    if called and SAID.search(plain):
        return edits.put(sheet.program, _from_call(sheet, statement, CALLED.sub("torch.tensor(", plain, count=1)))
    floating = statement.option("dtype") is None and is_floating(_value(statement))
    written = CALLED.sub(r"torch.\2", plain, count=1) if called else pasted.as_list(typed)
    value = read.read_value(written, "float32" if floating else None)
    if isinstance(value, int | float) and not called:
        value = _in_shape(value, _shape_of_one(sheet, statement))
    options = tuple(pair for pair in statement.options if pair[0] in ("requires_grad", "dtype"))
    return edits.put(sheet.program, replace(statement, call="tensor", operands=(value,), options=options))


def _from_call(sheet: Sheet, statement: Statement, typed: str) -> Statement:
    made = read.read_expression(f"value = {typed}", sheet.program, sheet.program.next_id)
    leaf = made[-1]
    if len(made) != 1 or leaf.kind is not Kind.LEAF:
        raise ValueError(translate("Fields", "Only the call of a function that makes a tensor can stand here"))
    flag = statement.option("requires_grad")
    if flag is not None and leaf.option("requires_grad") is None:
        leaf = leaf.with_option("requires_grad", flag)
    return replace(leaf, id=statement.id, targets=statement.targets, block=statement.block)


def _shape_of_one(sheet: Sheet, statement: Statement) -> tuple[int, ...]:
    """The shape of a leaf of one element; that of a number for any other."""
    known = infer(sheet.program).get((statement.id, 0))
    return known.shape if isinstance(known, Known) and math.prod(known.shape) == 1 else ()


def _in_shape(value: Operand, shape: tuple[int, ...]) -> Operand:
    """A number in as many lists as the shape of one element has dimensions."""
    for _ in shape:
        value = (value,)
    return value


def _value(statement: Statement) -> Operand:
    """The constant that a leaf is made of; a float for what a factory makes."""
    return statement.operands[0] if statement.call == "tensor" and statement.operands else 1.0


def _with_port(sheet: Sheet, field: Field, typed: str) -> Change:
    """A number in the port, the tensor of that name wired to it, or nothing."""
    plug = wiring.Plug(field.id, field.index)
    plain = names.narrow(typed).strip()
    if not plain:
        return wiring.set_value(sheet, plug, EMPTY)
    named = sheet.program.named(plain)
    if named is not None:
        return wiring.connect(sheet, plug, named)
    owner, _, attribute = plain.partition(".")
    named = sheet.program.named(owner)
    if named is not None and attribute in ("grad", "data"):
        return wiring.connect(sheet, plug, replace(named, path=(*named.path, attribute)))
    if named is not None:
        raise ValueError(translate("Fields", "A Python number or the name of a tensor goes here"))
    value = read.read_value(plain)
    if not isinstance(value, int | float):
        raise ValueError(translate("Fields", "A Python number or the name of a tensor goes here"))
    return wiring.set_value(sheet, plug, value)


def _with_rounds(sheet: Sheet, field: Field, typed: str) -> Change:
    """The loop with another number of rounds."""
    plain = names.narrow(typed).strip()
    if not plain.isdecimal() or not 1 <= int(plain) <= MOST_ROUNDS:
        words = translate("Fields", "A loop has from 1 to {most} rounds")
        raise ValueError(words.format(most=MOST_ROUNDS))
    return edits.set_rounds(sheet.program, field.id, int(plain))


def _with_note(sheet: Sheet, field: Field, typed: str) -> Change:
    """The note with another text in the language shown; other languages of a shipped note stay."""
    note = sheet.board.notes[field.id]
    if not typed.strip():
        return edits.remove_notes(sheet.board, [field.id])
    known = dict(note.texts)
    key = language() if language() in known else (note.texts[0][0] if note.texts else "")
    texts = tuple({**known, key: typed}.items())
    return edits.put_note(sheet.board, replace(note, texts=texts))


def _is_field(operand: Operand) -> bool:
    return isinstance(operand, Empty) or (isinstance(operand, int | float) and not isinstance(operand, bool))


def _lines(operand: tuple[Operand, ...], depth: int) -> str:
    if not any(isinstance(member, tuple) for member in operand):
        return literals.value_text(operand)
    rows = [_lines(member, depth + 1) if isinstance(member, tuple) else "" for member in operand]
    return "[" + (",\n" + " " * depth).join(rows) + "]"


def _elements(operand: Operand) -> int:
    if isinstance(operand, Array):
        size = 1
        for length in operand.shape:
            size *= length
        return size
    if isinstance(operand, tuple):
        return sum(_elements(member) for member in operand)
    return 1
