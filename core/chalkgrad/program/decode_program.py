"""A file's statements and blocks as a program."""

from __future__ import annotations

import base64
import binascii
import keyword
import math
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from itertools import repeat

import numpy as np

import chalkgrad.ops  # noqa: F401  fills OPS
from chalkgrad.engine.record import OPS, Record
from chalkgrad.ops.subscript import index_of
from chalkgrad.program import hooks
from chalkgrad.program.arguments import caller
from chalkgrad.program.json_values import (
    DEEPEST,
    LARGEST_ID,
    FileError,
    Place,
    as_choice,
    as_id,
    as_integer,
    as_list,
    as_number,
    as_object,
    as_table,
    as_text,
    kept,
)
from chalkgrad.program.names import RESERVED
from chalkgrad.program.optimizers import NAMES, settings_of
from chalkgrad.program.program import Block, Program, ProgramError
from chalkgrad.program.statement import EMPTY, Array, Counter, Dtype, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import (
    ACTIONS,
    BACKWARD_OPTIONS,
    DTYPES,
    FACTORIES,
    FLAGS,
    GRAD_OPTIONS,
    LAST_STEPS,
    LEAF_OPTIONS,
    LOOP,
    MODES,
    MOST_ROUNDS,
    PRINT_OPTIONS,
    STEPS,
    STYLES,
    UPDATE_OPTIONS,
    UPDATES,
)
from chalkgrad.stepwise import Stepwise
from chalkgrad.text import Text

STATEMENT_KEYS = frozenset({"id", "kind", "call", "targets", "operands", "options", "style", "block"})

KINDS = tuple(kind.value for kind in Kind)

CALLS: Mapping[Kind, frozenset[str]] = {
    Kind.LEAF: frozenset(FACTORIES),
    Kind.ATTRIBUTE: frozenset({*ACTIONS, hooks.REMOVE}),
    Kind.ASSIGN: frozenset(FLAGS),
    Kind.OPTIMIZER: frozenset(NAMES),
    Kind.UPDATE: frozenset(UPDATES),
}
"""What may be called, for the kinds where it is a fixed set."""

SUBSCRIPTS = frozenset({"getitem", "getitem_at", "setitem_", "setitem_at_"})
"""Operators that have neither a name nor a sign: brackets."""

OPTIONS: Mapping[Kind, frozenset[str]] = {
    Kind.LEAF: frozenset(LEAF_OPTIONS),
    Kind.BACKWARD: frozenset(BACKWARD_OPTIONS),
    Kind.GRAD: frozenset(GRAD_OPTIONS),
    Kind.PRINT: frozenset(PRINT_OPTIONS),
    Kind.UPDATE: frozenset(UPDATE_OPTIONS),
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
    Kind.OPTIMIZER: (1, 1),
    Kind.UPDATE: (1, 1),
    Kind.SEED: (1, 1),
    Kind.COMMENT: (1, 1),
}
"""How many operands each kind has, at least and at most."""

TARGETS: Mapping[Kind, tuple[int, int | None]] = {
    Kind.LEAF: (1, 1),
    Kind.ATTRIBUTE: (0, 1),
    Kind.ALIAS: (1, 1),
    Kind.DELETE: (1, 1),
    Kind.GRAD: (1, None),
    Kind.OPTIMIZER: (1, 1),
    Kind.OP: (0, None),
}


def decode_program(document: Mapping[str, object]) -> Stepwise[tuple[Program, dict[str, object]]]:
    """The program of a document, and the unknown keys of its statements by id."""
    return _Statements(document).program()


class _Statements:
    """Reads the statements of a document in order, so that each can be checked against those before it."""

    def __init__(self, document: Mapping[str, object]) -> None:
        self.document = document
        self.blocks = as_table(document.get("blocks", []), Place("blocks"), _block)
        self.found: dict[int, Statement] = {}
        self.unknown: dict[str, object] = {}

    def program(self) -> Stepwise[tuple[Program, dict[str, object]]]:
        """The program, and the unknown keys of its statements by id; a statement at each step."""
        place = Place("statements")
        values = as_list(self.document.get("statements", []), place)
        for index, value in enumerate(values):
            self._add(as_object(value, place[index]), place[index])
            yield index / len(values)
        least = max([0, *self.found, *self.blocks]) + 1
        next_id = as_integer(self.document.get("next_id", least), Place("next_id"), 1, LARGEST_ID)
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
        if rest := {key: kept(member, place[key]) for key, member in value.items() if key not in STATEMENT_KEYS}:
            self.unknown[str(statement.id)] = rest

    def _statement(self, value: dict[str, object], place: Place) -> Statement:
        id_ = as_id(value, place)
        kind = Kind(as_choice(value.get("kind"), place["kind"], KINDS))
        call = as_text(value.get("call", ""), place["call"])
        _check_call(kind, call, place["call"])
        targets = tuple(_targets(value.get("targets", []), place["targets"], kind))
        operands = self._operands(kind, value.get("operands", []), place["operands"])
        options = tuple(self._options(kind, call, value.get("options", []), place["options"]))
        style = as_choice(value.get("style", "function"), place["style"], STYLES)
        block = value.get("block")
        if block is not None and (not isinstance(block, int) or block not in self.blocks):
            raise FileError(Text("file.no_block", id=block), place["block"])
        statement = Statement(id_, kind, call, targets, operands, options, style, block)
        _check_shape(statement, place)
        return statement

    def _operands(self, kind: Kind, value: object, place: Place) -> tuple[Operand, ...]:
        values = as_list(value, place)
        least, most = COUNTS.get(kind, (0, None))
        if len(values) < least or (most is not None and len(values) > most):
            raise FileError(Text("file.operand_count", count=len(values)), place)
        return tuple(self._operand(member, place[index], kind) for index, member in enumerate(values))

    def _options(self, kind: Kind, call: str, value: object, place: Place) -> Iterator[tuple[str, Operand]]:
        seen, known = set(), _known_options(kind, call)
        for index, pair in enumerate(as_list(value, place)):
            members = as_list(pair, place[index])
            if len(members) != 2 or not isinstance(members[0], str):
                raise FileError(Text("file.option"), place[index])
            key = members[0]
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
        if isinstance(value, str) and not strings and kind not in (Kind.PRINT, Kind.COMMENT, Kind.ATTRIBUTE):
            raise FileError(Text("file.no_text_here"), place)
        return _scalar(value, place)

    def _object(self, value: dict[str, object], place: Place, kind: Kind) -> Operand:
        keys = frozenset(value)
        if "ref" in keys and keys <= {"ref", "output", "path"}:
            return self._reference(value, place, kind)
        if keys == {"open"}:
            return EMPTY
        if keys == {"counter"}:
            return self._counter(value["counter"], place["counter"])
        if keys == {"dtype"}:
            return Dtype(as_choice(value["dtype"], place["dtype"], DTYPES))
        if keys == {"float"}:
            return float(as_choice(value["float"], place["float"], ("nan", "inf", "-inf")))
        if keys == {"array", "dtype", "shape"}:
            return _array(value, place)
        raise FileError(Text("file.unknown_value"), place)

    def _counter(self, value: object, place: Place) -> Counter:
        loop = self.blocks.get(value) if isinstance(value, int) else None
        if loop is None or not loop.is_loop:
            raise FileError(Text("file.no_block", id=value), place)
        return Counter(loop.id)

    def _reference(self, value: dict[str, object], place: Place, kind: Kind) -> Ref:
        id_ = as_integer(value["ref"], place["ref"], 1, LARGEST_ID)
        output = as_integer(value.get("output", 0), place["output"], 0, LARGEST_ID)
        if id_ not in self.found:
            raise FileError(Text("file.no_statement", id=id_), place["ref"])
        made = self.found[id_]
        count = max(len(made.targets), 1 if made.kind is Kind.OP else 0)
        if output >= count or made.kind is Kind.DELETE:
            raise FileError(Text("file.no_output", id=id_, output=output), place)
        steps = [
            as_choice(v, place["path"][n], tuple(STEPS))
            for n, v in enumerate(as_list(value.get("path", []), place["path"]))
        ]
        for step in steps[:-1]:
            if step not in ("grad", "data"):
                raise FileError(Text("file.path", step=step), place["path"])
        if kind is not Kind.PRINT and steps and steps[-1] in {*LAST_STEPS[1:]}:
            raise FileError(Text("file.path", step=steps[-1]), place["path"])
        return Ref(id_, output, tuple(steps))


def _known_options(kind: Kind, call: str) -> Collection[str]:
    """The keyword arguments that a statement may have."""
    if kind is Kind.OP:
        return {attribute.name for attribute in OPS[call].attributes}
    return settings_of(call) if kind is Kind.OPTIMIZER else OPTIONS.get(kind, frozenset())


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
        _check_index(statement, place["options"])
    first = statement.operands[0] if statement.operands else None
    needs_tensor = (Kind.ATTRIBUTE, Kind.ASSIGN, Kind.ALIAS, Kind.DELETE, Kind.AGAIN, Kind.UPDATE)
    if statement.kind in needs_tensor and not isinstance(first, Ref | Empty):
        raise FileError(Text("file.no_tensor"), place["operands"][0])
    if statement.kind is Kind.ATTRIBUTE:
        _check_hook(statement, place["operands"])
        if statement.targets and statement.call != hooks.CALL:
            raise FileError(Text("file.target_count", count=len(statement.targets)), place["targets"])
    if statement.kind is Kind.GRAD and not all(isinstance(operand, tuple) for operand in statement.operands):
        raise FileError(Text("file.no_list"), place["operands"])
    if statement.kind is Kind.OPTIMIZER and not isinstance(first, tuple):
        raise FileError(Text("file.no_list"), place["operands"][0])
    if statement.kind is Kind.COMMENT and not isinstance(first, str):
        raise FileError(Text("file.no_text"), place["operands"][0])
    if statement.kind is Kind.SEED and (not isinstance(first, int) or isinstance(first, bool)):
        raise FileError(Text("file.no_integer"), place["operands"][0])


def _check_index(statement: Statement, place: Place) -> None:
    """What stands between brackets is written into PyTorch text as it is: nothing but an index may stand there."""
    if statement.call not in SUBSCRIPTS or not statement.options:
        return
    index = statement.options[0][1]
    try:
        index_of(index if isinstance(index, str) else "", repeat(0))
    except ValueError:
        raise FileError(Text("file.no_index"), place[0]) from None


def _check_hook(statement: Statement, place: Place) -> None:
    """A hook, and nothing but a hook, is given as a text."""
    given = statement.operands[1] if len(statement.operands) > 1 else None
    if statement.call != hooks.CALL and isinstance(given, str):
        raise FileError(Text("file.no_text_here"), place[1])
    if statement.call == hooks.CALL and (not isinstance(given, str) or hooks.parsed(given) is None):
        raise FileError(Text("file.no_hook"), place)


def _targets(value: object, place: Place, kind: Kind) -> Iterator[str]:
    values = as_list(value, place)
    least, most = TARGETS.get(kind, (0, 0))
    if len(values) < least or (most is not None and len(values) > most):
        raise FileError(Text("file.target_count", count=len(values)), place)
    for index, name in enumerate(values):
        yield "" if name == "" else _name(name, place[index])


def _name(value: object, place: Place) -> str:
    text = as_text(value, place)
    is_name = text.isidentifier() and unicodedata.normalize("NFKC", text) == text  # Python reads others as those
    if not is_name or keyword.iskeyword(text) or text in RESERVED - {"_", "F", "warnings"}:
        raise FileError(Text("file.bad_name", name=text), place)
    return text


def _scalar(value: object, place: Place) -> Operand:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return as_integer(value, place, -(2**63), 2**64)
    if isinstance(value, float):
        return as_number(value, place)
    raise FileError(Text("file.unknown_value"), place)


def _array(value: dict[str, object], place: Place) -> Array:
    dtype = as_choice(value["dtype"], place["dtype"], DTYPES)
    sizes = as_list(value["shape"], place["shape"])
    shape = tuple(as_integer(size, place["shape"][n], 0, LARGEST_ID) for n, size in enumerate(sizes))
    text = as_text(value["array"], place["array"])
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise FileError(Text("file.no_base64"), place["array"]) from None
    if len(shape) > DEEPEST or len(data) != math.prod(shape) * np.dtype(dtype).itemsize:
        raise FileError(Text("file.array_size", size=len(data)), place["array"])
    if dtype == "bool" and data.strip(b"\x00\x01"):
        raise FileError(Text("file.unknown_value"), place["array"])
    return Array(dtype, shape, data)


def _block(value: dict[str, object], place: Place) -> Block:
    parent = value.get("parent")
    if parent is not None:
        parent = as_integer(parent, place["parent"], 1, LARGEST_ID)
    mode = as_choice(value.get("mode"), place["mode"], (*MODES, LOOP))
    if mode != LOOP:
        return Block(as_id(value, place), mode, parent)
    rounds = as_integer(value.get("rounds"), place["rounds"], 1, MOST_ROUNDS + 1)
    return Block(as_id(value, place), mode, parent, rounds, _name(value.get("name"), place["name"]))
