"""What things are called in the steps of the undo stack: ``w``, ``3 cards``, ``2 notes``; and names as titles."""

from __future__ import annotations

from collections.abc import Collection

from chalkgrad.program.sheet import Sheet
from chalkgrad_app.i18n import translate


def counted(sheet: Sheet, ids: Collection[int]) -> str:
    """The name of the one card among ``ids``, else how many cards, notes or frames they are."""
    chosen = set(ids)
    cards = [id_ for id_ in chosen if id_ in sheet.program]
    notes, frames = len(chosen & sheet.board.notes.keys()), len(chosen & sheet.board.frames.keys())
    if len(cards) == len(chosen):
        return _one_card(sheet, cards[0]) if len(cards) == 1 else _some(translate("Naming", "{n} cards"), len(cards))
    if notes == len(chosen):
        return translate("Naming", "note") if notes == 1 else _some(translate("Naming", "{n} notes"), notes)
    if frames == len(chosen):
        return translate("Naming", "frame") if frames == 1 else _some(translate("Naming", "{n} frames"), frames)
    return _some(translate("Naming", "{n} things"), len(chosen))


def changing(sheet: Sheet, id_: int, part: str = "") -> str:
    """What the undo step is called that changes a card, or one ``part`` of it."""
    if part:
        return translate("Naming", "Change {part} of {what}").format(part=part, what=counted(sheet, [id_]))
    return translate("Naming", "Change {what}").format(what=counted(sheet, [id_]))


def cut_short(text: str, longest: int) -> str:
    """``text``, of a longer one than ``longest`` characters the first of them, with an ellipsis as the last."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def as_title(text: str) -> str:
    """``text`` for a menu or a button, where a single ``&`` would underline the letter behind it."""
    return text.replace("&", "&&")


def _one_card(sheet: Sheet, id_: int) -> str:
    statement = sheet.program[id_]
    return statement.name or statement.call


def _some(words: str, count: int) -> str:
    return words.format(n=count)
