"""A file's JSON as a sheet. Everything is checked; what the format doesn't allow is refused with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chalkgrad.program.decode_board import BOARD_KEYS, decode_board
from chalkgrad.program.decode_program import decode_program
from chalkgrad.program.json_values import Place, as_flag, as_object, kept
from chalkgrad.program.sheet import Sheet
from chalkgrad.stepwise import Stepwise, share

TOP_KEYS = frozenset({"format", "version", "next_id", "statements", "blocks", "board", "stops_at_error"})


PROGRAM_SHARE = 0.8
"""Of what reading a sheet takes, the program."""


def decode_sheet(document: Mapping[str, object]) -> Stepwise[Sheet]:
    """The sheet that a document of the current version is, in steps; FileError where it is none."""
    program, unknown = yield from share(decode_program(document), 0.0, PROGRAM_SHARE)
    program = replace(program, stops=as_flag(document.get("stops_at_error", False), Place("stops_at_error")))
    board_place = Place("board")
    board = as_object(document.get("board", {}), board_place)
    extra: list[tuple[str, object]] = [
        (key, kept(value, Place(key))) for key, value in document.items() if key not in TOP_KEYS
    ]
    if rest := {key: kept(value, board_place[key]) for key, value in board.items() if key not in BOARD_KEYS}:
        extra.append(("board", rest))
    if unknown:
        extra.append(("statements", unknown))
    lying = yield from share(decode_board(board, board_place), PROGRAM_SHARE, 1.0)
    return Sheet(program, lying, tuple(extra))
