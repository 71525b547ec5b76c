"""A sheet as JSON text: stable in order, one statement a line, so that two versions can be compared line by line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace

from chalkgrad.program.program import Block
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Array, Dtype, Empty, Operand, Ref, Statement

FORMAT = "chalkgrad"
VERSION = 1


def encode_sheet(sheet: Sheet) -> str:
    """The text of a file."""
    extra = dict(sheet.extra)
    unknown = _object(extra.pop("statements", None))
    rest_of_board = _object(extra.pop("board", None))
    rows = [
        f'"format": {_json(FORMAT)}',
        f'"version": {VERSION}',
        f'"next_id": {sheet.program.next_id}',
        f'"statements": {_rows(_with_unknown(statement, unknown) for statement in sheet.program)}',
        f'"blocks": {_rows(_block(block) for _, block in sorted(sheet.program.blocks.items()))}',
        f'"board": {_board(sheet, rest_of_board)}',
    ]
    if sheet.program.stops:
        rows.append('"stops_at_error": true')
    rows += [f"{_json(key)}: {_json(value)}" for key, value in extra.items()]
    return "{\n  " + ",\n  ".join(rows) + "\n}\n"


def _with_unknown(statement: Statement, unknown: dict[str, object]) -> dict[str, object]:
    """A statement's fields, and the unknown keys that it was read with."""
    return {**_statement(statement), **_object(unknown.get(str(statement.id)))}


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def encode_statements(statements: Iterable[Statement]) -> list[object]:
    """Statements as JSON values, as the clipboard holds them: without the blocks they stand in."""
    return [_statement(replace(statement, block=None)) for statement in statements]


def _statement(statement: Statement) -> dict[str, object]:
    """A statement's fields; those that have their usual value are left out."""
    found: dict[str, object] = {"id": statement.id, "kind": statement.kind.value}
    if statement.call:
        found["call"] = statement.call
    if statement.targets:
        found["targets"] = list(statement.targets)
    if statement.operands:
        found["operands"] = [encode_operand(operand) for operand in statement.operands]
    if statement.options:
        found["options"] = [[key, encode_operand(value)] for key, value in statement.options]
    if statement.style != "function":
        found["style"] = statement.style
    if statement.block is not None:
        found["block"] = statement.block
    return found


def encode_operand(operand: Operand) -> object:
    """An operand as a JSON value; what JSON has no value for is an object with one telling key."""
    if isinstance(operand, Ref):
        return _reference(operand)
    if isinstance(operand, Empty):
        return {"open": True}
    if isinstance(operand, Dtype):
        return {"dtype": operand.name}
    if isinstance(operand, Array):
        return {"array": operand.base64(), "dtype": operand.dtype, "shape": list(operand.shape)}
    if isinstance(operand, tuple):
        return [encode_operand(member) for member in operand]
    if isinstance(operand, float) and not math.isfinite(operand):
        return {"float": repr(operand)}
    return operand


def _reference(ref: Ref) -> dict[str, object]:
    found: dict[str, object] = {"ref": ref.statement}
    if ref.output:
        found["output"] = ref.output
    if ref.path:
        found["path"] = list(ref.path)
    return found


def _block(block: Block) -> dict[str, object]:
    return {"id": block.id, "mode": block.mode, **({} if block.parent is None else {"parent": block.parent})}


def _board(sheet: Sheet, rest: dict[str, object]) -> str:
    board = sheet.board
    places = (
        {"drawing": drawing, "id": id_, "x": place.x, "y": place.y, **({"pinned": True} if place.pinned else {})}
        for (drawing, id_), place in sorted(board.places.items())
    )
    notes = (
        {
            "id": note.id,
            "texts": [list(pair) for pair in note.texts],
            "x": note.x,
            "y": note.y,
            "width": note.width,
            "height": note.height,
        }
        for _, note in sorted(board.notes.items())
    )
    frames = (
        {
            "id": frame.id,
            "title": frame.title,
            "x": frame.x,
            "y": frame.y,
            "width": frame.width,
            "height": frame.height,
            **({"hue": frame.hue} if frame.hue else {}),
        }
        for _, frame in sorted(board.frames.items())
    )
    rows = [f'"places": {_rows(places, 6)}', f'"notes": {_rows(notes, 6)}', f'"frames": {_rows(frames, 6)}']
    if folds := _folds(sheet):
        rows.append(f'"folds": {_rows(folds, 6)}')
    if board.labels:
        labels = ({"id": id_, "text": text} for id_, text in sorted(board.labels.items()))
        rows.append(f'"labels": {_rows(labels, 6)}')
    rows += [f"{_json(key)}: {_json(value)}" for key, value in rest.items()]
    return "{\n    " + ",\n    ".join(rows) + "\n  }"


def _folds(sheet: Sheet) -> list[dict[str, object]]:
    """The frames and blocks that are folded; of those that are gone nothing is kept."""
    here = {*sheet.board.frames, *sheet.program.blocks}
    return [
        {"id": id_, **({"members": list(members)} if members else {})}
        for id_, members in sorted(sheet.board.folds.items())
        if id_ in here
    ]


def _rows(values: Iterable[object], indent: int = 4) -> str:
    """A list with one value a line."""
    lines = [_json(value) for value in values]
    if not lines:
        return "[]"
    margin = " " * indent
    return "[\n" + ",\n".join(margin + line for line in lines) + "\n" + margin[:-2] + "]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
