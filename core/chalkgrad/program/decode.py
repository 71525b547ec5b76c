"""A file's JSON as a sheet. Everything is checked; what the format doesn't allow is refused with its place."""

from __future__ import annotations

import base64
import binascii
import keyword
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

import chalkgrad.ops  # noqa: F401  fills OPS
from chalkgrad.engine.record import OPS, Record
from chalkgrad.errors import ChalkgradError
from chalkgrad.program.arguments import caller
from chalkgrad.program.board import Board, Frame, Note
from chalkgrad.program.board import Place as Spot
from chalkgrad.program.names import RESERVED
from chalkgrad.program.program import Block, Program, ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Array, Dtype, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import (
    ACTIONS,
    BACKWARD_OPTIONS,
    DTYPES,
    FACTORIES,
    FLAGS,
    GRAD_OPTIONS,
    LAST_STEPS,
    LEAF_OPTIONS,
    MODES,
    PRINT_OPTIONS,
    STEPS,
    STYLES,
)
from chalkgrad.text import Text, render

T = TypeVar("T")

DEEPEST = 32
"""How deep lists may be nested."""

LARGEST_ID = 2**31
FARTHEST = 1e9
"""Canvas units; nothing lies farther out."""

TOP_KEYS = frozenset({"format", "version", "next_id", "statements", "blocks", "board", "stops_at_error"})
STATEMENT_KEYS = frozenset({"id", "kind", "call", "targets", "operands", "options", "style", "block"})
BOARD_KEYS = frozenset({"places", "notes", "frames", "folds", "labels"})

CALLS: Mapping[Kind, frozenset[str]] = {
    Kind.LEAF: frozenset(FACTORIES),
    Kind.ATTRIBUTE: frozenset(ACTIONS),
    Kind.ASSIGN: frozenset(FLAGS),
}
"""What may be called, for the kinds where it is a fixed set."""

SUBSCRIPTS = frozenset({"getitem", "getitem_at", "setitem_", "setitem_at_"})
"""Operators that have neither a name nor a sign: brackets."""

OPTIONS: Mapping[Kind, frozenset[str]] = {
    Kind.LEAF: frozenset(LEAF_OPTIONS),
    Kind.BACKWARD: frozenset(BACKWARD_OPTIONS),
    Kind.GRAD: frozenset(GRAD_OPTIONS),
    Kind.PRINT: frozenset(PRINT_OPTIONS),
}

COUNTS: Mapping[Kind, tuple[int, int | None]] = {
    Kind.LEAF: (0, 8),
    Kind.ATTRIBUTE: (1, 2),
    Kind.ASSIGN: (2, 2),
    Kind.ALIAS: (1, 1),
    Kind.DELETE: (1, 1),
    Kind.BACKWARD: (1, None),
    Kind.GRAD: (2, 2),
    Kind.AGAIN: (1, 1),
    Kind.SEED: (1, 1),
    Kind.COMMENT: (1, 1),
}
"""How many operands each kind has, at least and at most."""

TARGETS: Mapping[Kind, tuple[int, int | None]] = {
    Kind.LEAF: (1, 1),
    Kind.ALIAS: (1, 1),
    Kind.DELETE: (1, 1),
    Kind.GRAD: (1, None),
    Kind.OP: (0, None),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: ``statements[3].operands[0]``."""

    path: str = ""

    def __getitem__(self, step: str | int) -> Place:
        if isinstance(step, int):
            return Place(f"{self.path}[{step}]")
        return Place(f"{self.path}.{step}" if self.path else step)

    def __str__(self) -> str:
        return self.path


class FileError(ChalkgradError):
    """A file that holds no sheet: ``place`` in it, and ``text``, the reason, in every language."""

    def __init__(self, text: Text, place: Place) -> None:
        super().__init__(text)
        self.message = render(text, "en")
        self.place = str(place)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def no_constant(name: str) -> object:
    """Refuse ``NaN`` and ``Infinity``, which are no JSON."""
    raise FileError(Text("file.no_number", value=name), Place())


def decode_sheet(document: Mapping[str, object]) -> Sheet:
    """The sheet that a document of the current version is; FileError where it is none."""
    program, unknown = _Statements(document).program()
    program = replace(program, stops=_flag(document.get("stops_at_error", False), Place("stops_at_error")))
    board_place = Place("board")
    board = _object(document.get("board", {}), board_place)
    extra: list[tuple[str, object]] = [
        (key, _kept(value, Place(key))) for key, value in document.items() if key not in TOP_KEYS
    ]
    if rest := {key: _kept(value, board_place[key]) for key, value in board.items() if key not in BOARD_KEYS}:
        extra.append(("board", rest))
    if unknown:
        extra.append(("statements", unknown))
    return Sheet(program, _board(board, board_place), tuple(extra))


def decode_statements(values: Sequence[object]) -> list[Statement]:
    """Statements from JSON values, as the clipboard holds them; they may refer to others that are not among them."""
    program, _ = _Statements({"statements": list(values)}, part=True).program()
    return list(program)


class _Statements:
    """Reads the statements of a document in order, so that each can be checked against those before it.

    ``part``: they are only some of a program's, and what they refer to may be elsewhere.
    """

    def __init__(self, document: Mapping[str, object], part: bool = False) -> None:
        self.document = document
        self.part = part
        self.blocks = _table(document.get("blocks", []), Place("blocks"), _block)
        self.found: dict[int, Statement] = {}
        self.unknown: dict[str, object] = {}

    def program(self) -> tuple[Program, dict[str, object]]:
        """The program, and the unknown keys of its statements by id."""
        place = Place("statements")
        for index, value in enumerate(_list(self.document.get("statements", []), place)):
            self._add(_object(value, place[index]), place[index])
        least = max([0, *self.found, *self.blocks]) + 1
        next_id = _integer(self.document.get("next_id", least), Place("next_id"), 1, LARGEST_ID)
        program = Program(self.found, tuple(self.found), self.blocks, max(least, next_id))
        try:
            for block in self.blocks:
                program.chain(block)
            program.check()
        except ProgramError:
            raise FileError(Text("file.blocks"), Place("blocks")) from None
        return program, self.unknown

    def _add(self, value: dict[str, object], place: Place) -> None:
        statement = self._statement(value, place)
        if statement.id in self.found or statement.id in self.blocks:
            raise FileError(Text("file.twice", id=statement.id), place["id"])
        self.found[statement.id] = statement
        if rest := {key: _kept(member, place[key]) for key, member in value.items() if key not in STATEMENT_KEYS}:
            self.unknown[str(statement.id)] = rest

    def _statement(self, value: dict[str, object], place: Place) -> Statement:
        id_ = _id(value, place)
        kind = Kind(_choice(value.get("kind"), place["kind"], tuple(kind.value for kind in Kind)))
        call = _string(value.get("call", ""), place["call"])
        _check_call(kind, call, place["call"])
        targets = tuple(_targets(value.get("targets", []), place["targets"], kind))
        operands = self._operands(kind, value.get("operands", []), place["operands"])
        options = tuple(self._options(kind, call, value.get("options", []), place["options"]))
        style = _choice(value.get("style", "function"), place["style"], STYLES)
        block = value.get("block")
        if block is not None and (not isinstance(block, int) or block not in self.blocks):
            raise FileError(Text("file.no_block", id=block), place["block"])
        statement = Statement(id_, kind, call, targets, operands, options, style, block)
        _check_shape(statement, place)
        return statement

    def _operands(self, kind: Kind, value: object, place: Place) -> tuple[Operand, ...]:
        values = _list(value, place)
        least, most = COUNTS.get(kind, (0, None))
        if len(values) < least or (most is not None and len(values) > most):
            raise FileError(Text("file.operand_count", count=len(values)), place)
        return tuple(self._operand(member, place[index], kind) for index, member in enumerate(values))

    def _options(self, kind: Kind, call: str, value: object, place: Place) -> Iterator[tuple[str, Operand]]:
        seen = set()
        for index, pair in enumerate(_list(value, place)):
            members = _list(pair, place[index])
            if len(members) != 2 or not isinstance(members[0], str):
                raise FileError(Text("file.option"), place[index])
            key = members[0]
            known = {a.name for a in OPS[call].attributes} if kind is Kind.OP else OPTIONS.get(kind, frozenset())
            if key not in known or key in seen:
                raise FileError(Text("file.unknown_option", name=key), place[index])
            seen.add(key)
            yield key, self._operand(members[1], place[index][1], kind, strings=True)

    def _operand(self, value: object, place: Place, kind: Kind, depth: int = 0, strings: bool = False) -> Operand:
        if depth > DEEPEST:
            raise FileError(Text("file.too_deep"), place)
        if isinstance(value, list):
            return tuple(self._operand(v, place[n], kind, depth + 1, strings) for n, v in enumerate(value))
        if isinstance(value, dict):
            return self._object(value, place, kind)
        if isinstance(value, str) and not strings and kind not in (Kind.PRINT, Kind.COMMENT):
            raise FileError(Text("file.no_text_here"), place)
        return _scalar(value, place)

    def _object(self, value: dict[str, object], place: Place, kind: Kind) -> Operand:
        keys = frozenset(value)
        if "ref" in keys and keys <= {"ref", "output", "path"}:
            return self._reference(value, place, kind)
        if keys == {"open"}:
            return EMPTY
        if keys == {"dtype"}:
            return Dtype(_choice(value["dtype"], place["dtype"], DTYPES))
        if keys == {"float"}:
            return float(_choice(value["float"], place["float"], ("nan", "inf", "-inf")))
        if keys == {"array", "dtype", "shape"}:
            return _array(value, place)
        raise FileError(Text("file.unknown_value"), place)

    def _reference(self, value: dict[str, object], place: Place, kind: Kind) -> Ref:
        id_ = _integer(value["ref"], place["ref"], 1, LARGEST_ID)
        output = _integer(value.get("output", 0), place["output"], 0, LARGEST_ID)
        if id_ in self.found:
            made = self.found[id_]
            count = max(len(made.targets), 1 if made.kind is Kind.OP else 0)
            if output >= count or made.kind is Kind.DELETE:
                raise FileError(Text("file.no_output", id=id_, output=output), place)
        elif not self.part:
            raise FileError(Text("file.no_statement", id=id_), place["ref"])
        steps = [
            _choice(v, place["path"][n], tuple(STEPS))
            for n, v in enumerate(_list(value.get("path", []), place["path"]))
        ]
        for step in steps[:-1]:
            if step not in ("grad", "data"):
                raise FileError(Text("file.path", step=step), place["path"])
        if kind is not Kind.PRINT and steps and steps[-1] in {*LAST_STEPS[1:]}:
            raise FileError(Text("file.path", step=steps[-1]), place["path"])
        return Ref(id_, output, tuple(steps))


# ---------------------------------------------------------------- one statement


def _check_call(kind: Kind, call: str, place: Place) -> None:
    known: frozenset[str] | Mapping[str, object] | None = OPS if kind is Kind.OP else CALLS.get(kind)
    if kind is Kind.OP and call in OPS and not _is_spelled(OPS[call]):
        known = {}
    if known is not None and call not in known:
        raise FileError(Text("file.unknown_call", name=call), place)


def _is_spelled(record: Record) -> bool:
    """False for an operator that PyTorch keeps to itself."""
    public = caller(record.name)
    if public.name in SUBSCRIPTS:
        return True
    return bool(public.function or public.method or public.symbol)


def _check_shape(statement: Statement, place: Place) -> None:
    """Operands and targets of an operator are as many as its record says; a few kinds need a tensor first."""
    if statement.kind is Kind.OP:
        record = OPS[statement.call]
        if len(statement.operands) != len(record.inputs):
            raise FileError(Text("file.operand_count", count=len(statement.operands)), place["operands"])
        allowed = (0, 1) if record.writes else (len(record.outputs) or max(1, len(statement.targets)),)
        if len(statement.targets) not in allowed:
            raise FileError(Text("file.target_count", count=len(statement.targets)), place["targets"])
    first = statement.operands[0] if statement.operands else None
    needs_tensor = (Kind.ATTRIBUTE, Kind.ASSIGN, Kind.ALIAS, Kind.DELETE, Kind.AGAIN)
    if statement.kind in needs_tensor and not isinstance(first, Ref | Empty):
        raise FileError(Text("file.no_tensor"), place["operands"][0])
    if statement.kind is Kind.GRAD and not all(isinstance(operand, tuple) for operand in statement.operands):
        raise FileError(Text("file.no_list"), place["operands"])
    if statement.kind is Kind.COMMENT and not isinstance(first, str):
        raise FileError(Text("file.no_text"), place["operands"][0])
    if statement.kind is Kind.SEED and (not isinstance(first, int) or isinstance(first, bool)):
        raise FileError(Text("file.no_integer"), place["operands"][0])


def _targets(value: object, place: Place, kind: Kind) -> Iterator[str]:
    values = _list(value, place)
    least, most = TARGETS.get(kind, (0, 0))
    if len(values) < least or (most is not None and len(values) > most):
        raise FileError(Text("file.target_count", count=len(values)), place)
    for index, name in enumerate(values):
        text = _string(name, place[index])
        if text and (not text.isidentifier() or keyword.iskeyword(text) or text in RESERVED - {"_", "F", "warnings"}):
            raise FileError(Text("file.bad_name", name=text), place[index])
        yield text


def _scalar(value: object, place: Place) -> Operand:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return _integer(value, place, -(2**63), 2**64)
    if isinstance(value, float):
        return _number(value, place)
    raise FileError(Text("file.unknown_value"), place)


def _array(value: dict[str, object], place: Place) -> Array:
    dtype = _choice(value["dtype"], place["dtype"], DTYPES)
    sizes = _list(value["shape"], place["shape"])
    shape = tuple(_integer(size, place["shape"][n], 0, LARGEST_ID) for n, size in enumerate(sizes))
    text = _string(value["array"], place["array"])
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise FileError(Text("file.no_base64"), place["array"]) from None
    if len(shape) > DEEPEST or len(data) != math.prod(shape) * np.dtype(dtype).itemsize:
        raise FileError(Text("file.array_size", size=len(data)), place["array"])
    if dtype == "bool" and data.strip(b"\x00\x01"):
        raise FileError(Text("file.unknown_value"), place["array"])
    return Array(dtype, shape, data)


# ---------------------------------------------------------------- board


def _board(value: dict[str, object], place: Place) -> Board:
    places: dict[tuple[str, int], Spot] = {}
    for index, member in enumerate(_list(value.get("places", []), place["places"])):
        here = place["places"][index]
        entry = _object(member, here)
        key = (_string(entry.get("drawing", "cards"), here["drawing"]), _id(entry, here))
        if key in places:
            raise FileError(Text("file.twice", id=key[1]), here["id"])
        x, y = (_coordinate(entry.get(axis), here[axis]) for axis in ("x", "y"))
        places[key] = Spot(x, y, entry.get("pinned") is True)
    notes = _table(value.get("notes", []), place["notes"], _note)
    frames = _table(value.get("frames", []), place["frames"], _frame)
    folds = _table(value.get("folds", []), place["folds"], _fold)
    labels = _table(value.get("labels", []), place["labels"], _label)
    return Board(places, notes, frames, folds, labels)


def _fold(value: dict[str, object], place: Place) -> tuple[int, ...]:
    members = _list(value.get("members", []), place["members"])
    return tuple(_integer(id_, place["members"][index], 1, LARGEST_ID) for index, id_ in enumerate(members))


def _label(value: dict[str, object], place: Place) -> str:
    return _string(value.get("text"), place["text"])


def _note(value: dict[str, object], place: Place) -> Note:
    texts = []
    for index, pair in enumerate(_list(value.get("texts", []), place["texts"])):
        here = place["texts"][index]
        members = _list(pair, here)
        if len(members) != 2:
            raise FileError(Text("file.note_text"), here)
        texts.append((_string(members[0], here[0]), _string(members[1], here[1])))
    return Note(_id(value, place), tuple(texts), *_rectangle(value, place))


def _frame(value: dict[str, object], place: Place) -> Frame:
    title = _string(value.get("title", ""), place["title"])
    hue = _string(value.get("hue", ""), place["hue"])
    return Frame(_id(value, place), title, *_rectangle(value, place), hue)


def _rectangle(value: dict[str, object], place: Place) -> tuple[float, float, float, float]:
    x, y = (_coordinate(value.get(key), place[key]) for key in ("x", "y"))
    width, height = (_coordinate(value.get(key), place[key]) for key in ("width", "height"))
    return x, y, width, height


def _block(value: dict[str, object], place: Place) -> Block:
    parent = value.get("parent")
    if parent is not None:
        parent = _integer(parent, place["parent"], 1, LARGEST_ID)
    return Block(_id(value, place), _choice(value.get("mode"), place["mode"], MODES), parent)


# ---------------------------------------------------------------- JSON values


def _table(value: object, place: Place, make: Callable[[dict[str, object], Place], T]) -> dict[int, T]:
    """A list of objects as a table by id."""
    table: dict[int, T] = {}
    for index, member in enumerate(_list(value, place)):
        entry = _object(member, place[index])
        id_ = _id(entry, place[index])
        if id_ in table:
            raise FileError(Text("file.twice", id=id_), place[index]["id"])
        table[id_] = make(entry, place[index])
    return table


def _kept(value: object, place: Place, depth: int = 0) -> object:
    """A value that isn't known, as it is; numbers that JSON can't write again are refused."""
    if depth > DEEPEST:
        raise FileError(Text("file.too_deep"), place)
    if isinstance(value, float) and not math.isfinite(value):
        raise FileError(Text("file.no_number", value=value), place)
    if isinstance(value, list):
        return [_kept(member, place[index], depth + 1) for index, member in enumerate(value)]
    if isinstance(value, dict):
        return {key: _kept(member, place[key], depth + 1) for key, member in value.items()}
    return value


def _object(value: object, place: Place) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FileError(Text("file.no_object"), place)
    return value


def _list(value: object, place: Place) -> list[object]:
    if not isinstance(value, list):
        raise FileError(Text("file.no_list"), place)
    return value


def _string(value: object, place: Place) -> str:
    if not isinstance(value, str):
        raise FileError(Text("file.no_text"), place)
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise FileError(Text("file.no_text"), place)
    return value


def _choice(value: object, place: Place, choices: Sequence[str]) -> str:
    text = _string(value, place)
    if text not in choices:
        raise FileError(Text("file.unknown_choice", value=text[:40]), place)
    return text


def _integer(value: object, place: Place, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise FileError(Text("file.no_integer"), place)
    if not least <= value < most:
        raise FileError(Text("file.number_range"), place)
    return value


def _flag(value: object, place: Place) -> bool:
    if not isinstance(value, bool):
        raise FileError(Text("file.no_flag"), place)
    return value


def _number(value: object, place: Place) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise FileError(Text("file.no_number", value=str(value)[:40]), place)
    number = float(value) if abs(value) < 2**1000 else math.inf
    if not math.isfinite(number):
        raise FileError(Text("file.number_range"), place)
    return number


def _coordinate(value: object, place: Place) -> float:
    number = _number(value, place)
    if abs(number) > FARTHEST:
        raise FileError(Text("file.number_range"), place)
    return number


def _id(value: Mapping[str, object], place: Place) -> int:
    return _integer(value.get("id"), place["id"], 1, LARGEST_ID)
