"""What things are called in the steps of the undo stack: ``w``, ``3 cards``, ``2 notes``; and names as titles."""

from __future__ import annotations

from collections.abc import Collection

from chalkgrad.engine.record import OPS
from chalkgrad.program import arranging
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Block, Program
from chalkgrad.program.sheet import Sheet
from chalkgrad_app.i18n import translate

LONGEST = 32
"""So many characters of a title are said."""


def counted(sheet: Sheet, ids: Collection[int]) -> str:
    """The name of the one card or folded node among ``ids``, else how many cards, notes or frames they are."""
    chosen = set(ids)
    if folded := _one_folded(sheet, chosen):
        return folded
    cards = [id_ for id_ in chosen if id_ in sheet.program]
    notes, frames = len(chosen & sheet.board.notes.keys()), len(chosen & sheet.board.frames.keys())
    if len(cards) == len(chosen):
        return _one_card(sheet, cards[0]) if len(cards) == 1 else _some(translate("Naming", "{n} cards"), len(cards))
    if notes == len(chosen):
        return translate("Naming", "note") if notes == 1 else _some(translate("Naming", "{n} notes"), notes)
    if frames == len(chosen):
        return translate("Naming", "frame") if frames == 1 else _some(translate("Naming", "{n} frames"), frames)
    return _some(translate("Naming", "{n} things"), len(chosen))


def changing(sheet: Sheet, id_: int | Collection[int], part: str = "") -> str:
    """What the undo step is called that changes a card, or several, or one ``part`` of them."""
    what = counted(sheet, [id_] if isinstance(id_, int) else id_)
    if part:
        return translate("Naming", "Change {part} of {what}").format(part=part, what=what)
    return translate("Naming", "Change {what}").format(what=what)


def changing_value(sheet: Sheet, id_: int) -> str:
    """What the undo step is called that changes the numbers of a leaf."""
    return translate("Naming", "Change the value of {what}").format(what=counted(sheet, [id_]))


def changing_input(sheet: Sheet, id_: int, port: int) -> str:
    """What the undo step is called that changes what goes into a port: by PyTorch's name of the argument, if any."""
    record = OPS.get(sheet.program[id_].call)
    if record is not None and port < len(record.inputs) and record.inputs != ("tensors",):
        return changing(sheet, id_, record.inputs[port])
    return translate("Naming", "Change an input of {what}").format(what=counted(sheet, [id_]))


def wiring(sheet: Sheet, source: int, consumer: int) -> str:
    """What the undo step is called that draws a wire."""
    words = translate("Naming", "Wire {source} to {what}")
    return words.format(source=counted(sheet, [source]), what=counted(sheet, [consumer]))


def unwiring(sheet: Sheet, consumer: int) -> str:
    """What the undo step is called that takes a wire off a port."""
    return translate("Naming", "Remove a wire to {what}").format(what=counted(sheet, [consumer]))


def renaming(sheet: Sheet, id_: int, output: int = 0) -> str:
    """What the undo step is called that gives a result another name."""
    names = sheet.program[id_].targets
    name = names[output] if output < len(names) else counted(sheet, [id_])
    return translate("Naming", "Rename {what}").format(what=name)


def cut_short(text: str, longest: int) -> str:
    """``text``, of a longer one than ``longest`` characters the first of them, with an ellipsis as the last."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def as_title(text: str) -> str:
    """``text`` for a menu or a button, where a single ``&`` would underline the letter behind it."""
    return text.replace("&", "&&")


def block_title(block: Block) -> str:
    """What the frame of a block says: its mode, or the heading of a loop."""
    return block.heading.removesuffix(":") if block.is_loop else block.mode


def _one_folded(sheet: Sheet, chosen: set[int]) -> str:
    """The title of the folded node that stands for all that is ``chosen``; nothing where there is none."""
    program, board = sheet.program, sheet.board
    if not board.folds:
        return ""
    for id_, inside in arranging.outermost(board, _members(program)).items():
        whole = {one for one in (id_, *inside) if one not in program.blocks}
        if chosen == {one for one in whole if one not in program or has_card(program, program[one])}:
            title = board.frames[id_].title if id_ in board.frames else block_title(program.blocks[id_])
            return cut_short(title, LONGEST)
    return ""


def _members(program: Program) -> dict[int, list[int]]:
    """The statements in each block, and in the blocks inside it."""
    found: dict[int, list[int]] = {}
    for statement in program if program.blocks else ():
        for block in program.chain(statement.block):
            found.setdefault(block, []).append(statement.id)
    return found


def _one_card(sheet: Sheet, id_: int) -> str:
    statement = sheet.program[id_]
    return statement.name or statement.call


def _some(words: str, count: int) -> str:
    return words.format(n=count)
