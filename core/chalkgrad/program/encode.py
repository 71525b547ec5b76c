"""A sheet as JSON text: stable in order, one statement a line, so that two versions can be compared line by line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

from chalkgrad.program.board import CARDS, Board, Frame, Note, Spot
from chalkgrad.program.program import Block
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Array, Counter, Dtype, Empty, Operand, Ref, Statement

FORMAT = "chalkgrad"
VERSION = 1


Field = tuple[str, Iterable[str]]


def encode_sheet(sheet: Sheet) -> str:
    """The text of a file."""
    return "".join(pieces(sheet))


def pieces(sheet: Sheet) -> Iterator[str]:
    """The text of a file, a line or less at a time: for who has other things to do meanwhile."""
    extra = dict(sheet.extra)
    unknown = _object(extra.pop("statements", None))
    rest_of_board = _object(extra.pop("board", None))
    fields: list[Field] = [
        ("format", _json(FORMAT)),
        ("version", str(VERSION)),
        ("next_id", str(sheet.program.next_id)),
        ("statements", _rows(_with_unknown(statement, unknown) for statement in sheet.program)),
        ("blocks", _rows(_block(block) for _, block in sorted(sheet.program.blocks.items()))),
        ("board", _board(sheet, rest_of_board)),
    ]
    if sheet.program.stops:
        fields.append(("stops_at_error", "true"))
    fields += [(key, _json(value)) for key, value in extra.items()]
    yield from _fields(fields)
    yield "\n"


def _with_unknown(statement: Statement, unknown: dict[str, object]) -> dict[str, object]:
    """A statement's fields, and the unknown keys that it was read with."""
    return {**_statement(statement), **_object(unknown.get(str(statement.id)))}


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


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
    if isinstance(operand, Counter):
        return {"counter": operand.block}
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
    around = {} if block.parent is None else {"parent": block.parent}
    loop = {"rounds": block.rounds, "name": block.name} if block.is_loop else {}
    return {"id": block.id, "mode": block.mode, **around, **loop}


def _board(sheet: Sheet, rest: dict[str, object]) -> Iterator[str]:
    """The board; notes and frames where they lie in the drawing of cards, whichever is shown."""
    board = sheet.board.drawn_as(CARDS)
    places = (
        {"drawing": drawing, "id": id_, "x": place.x, "y": place.y, **({"pinned": True} if place.pinned else {})}
        for (drawing, id_), place in sorted(board.places.items())
    )
    notes = (
        {"id": note.id, "texts": [list(pair) for pair in note.texts], **_rectangle(note)}
        for _, note in sorted(board.notes.items())
    )
    frames = (
        {"id": frame.id, "title": frame.title, **_rectangle(frame), **({"hue": frame.hue} if frame.hue else {})}
        for _, frame in sorted(board.frames.items())
    )
    fields: list[Field] = [("places", _rows(places, 6)), ("notes", _rows(notes, 6)), ("frames", _rows(frames, 6))]
    if folds := _folds(sheet):
        fields.append(("folds", _rows(folds, 6)))
    if board.labels:
        labels = ({"id": id_, "text": text} for id_, text in sorted(board.labels.items()))
        fields.append(("labels", _rows(labels, 6)))
    if graphs := [{"id": id_, "open": shown} for id_, shown in sorted(board.graphs.items()) if id_ in sheet.program]:
        fields.append(("graphs", _rows(graphs, 6)))
    if spots := _spots(board):
        fields.append(("spots", _rows(spots, 6)))
    if sheet.board.drawing != CARDS:
        fields.insert(0, ("drawing", _json(sheet.board.drawing)))
    fields += [(key, _json(value)) for key, value in rest.items()]
    return _fields(fields, 4)


def _spots(board: Board) -> list[dict[str, object]]:
    """Where notes and frames lie in the other drawings; of those that are gone nothing is kept."""
    return [
        {"drawing": drawing, "id": id_, **_rectangle(spot)}
        for (drawing, id_), spot in sorted(board.spots.items())
        if id_ in board.notes or id_ in board.frames
    ]


def _rectangle(thing: Note | Frame | Spot) -> dict[str, object]:
    return {"x": thing.x, "y": thing.y, "width": thing.width, "height": thing.height}


def _folds(sheet: Sheet) -> list[dict[str, object]]:
    """The frames and blocks that are folded; of those that are gone nothing is kept."""
    here = {*sheet.board.frames, *sheet.program.blocks}
    return [
        {"id": id_, **({"members": list(members)} if members else {})}
        for id_, members in sorted(sheet.board.folds.items())
        if id_ in here
    ]


def _fields(fields: Iterable[Field], indent: int = 2) -> Iterator[str]:
    """An object with one field a line."""
    margin, before = " " * indent, "{\n"
    for key, value in fields:
        yield f"{before}{margin}{_json(key)}: "
        yield from [value] if isinstance(value, str) else value
        before = ",\n"
    yield f"\n{margin[:-2]}}}"


def _rows(values: Iterable[object], indent: int = 4) -> Iterator[str]:
    """A list with one value a line."""
    margin, before = " " * indent, "[\n"
    for value in values:
        yield f"{before}{margin}{_json(value)}"
        before = ",\n"
    yield "[]" if before == "[\n" else f"\n{margin[:-2]}]"


_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
