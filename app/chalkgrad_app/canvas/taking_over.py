"""Places in a drawing taken over from another one whose wires run the same way, so that the eye finds all again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from chalkgrad.program import edits
from chalkgrad.program.board import DRAWINGS
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Sheet
from chalkgrad.session.state import State
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.canvas import arrange, laying_out
from chalkgrad_app.canvas.arrange import Point
from chalkgrad_app.canvas.moving_in import moved_in
from chalkgrad_app.picture.drawings import drawing_of
from chalkgrad_app.picture.picture import Picture

CLEAR, ACROSS = 8.0, 24.0
"""Cards closer to each other than this, one above the other or side by side, are in each other's way: wires run up and
down between columns."""
TOGETHER = 64
"""So many cards are compared with all others at a time."""


def like_other(picture: Picture, sheet: Sheet, state: State, new: Collection[int]) -> Stepwise[tuple[Change, bool]]:
    """Places for the cards ``new`` to the drawing shown, of which ``picture`` is one; True when all of them go well.

    Among others that have places, those that would be in the way get none.
    """
    found = yield from share(_places(picture, sheet, state, new), 0.0, 0.5)
    stuck = yield from share(_in_the_way(picture, found), 0.5, 1.0)
    if len(new) < len(picture.ids):
        found = {id_: at for id_, at in found.items() if id_ not in stuck}
    return edits.place(sheet.board, found), len(found) == len(new) and not stuck


def drawn_as(sheet: Sheet, state: State, drawing: str) -> Sheet:
    """A sheet that shows a drawing, with places in it for all cards."""
    return finished(drawing_as(sheet, state, drawing))


def drawing_as(sheet: Sheet, state: State, drawing: str) -> Stepwise[Sheet]:
    """The same in steps."""
    if drawing == sheet.board.drawing:
        return sheet
    picture = Picture()
    yield from share(picture.updating(sheet.program, sheet.board, state), 0.0, 0.4)
    framed = laying_out.groups_of(picture)
    shown = replace(sheet, board=sheet.board.drawn_as(drawing))
    new = arrange.unplaced(shown)
    yield from share(picture.updating(shown.program, shown.board, state), 0.4, 0.8)
    if picture.drawing.lays_out:
        return shown.apply(moved_in(picture, sheet.board, framed))
    change, is_well = yield from share(like_other(picture, shown, state, new), 0.8, 0.9)
    if not is_well and len(new) == len(picture.ids):
        return shown.apply((yield from share(laying_out.laying_out_anew(picture, framed), 0.9, 1.0)))
    placed = shown.apply(change)
    return placed.apply(arrange.place_missing(placed, state))


def _places(picture: Picture, sheet: Sheet, state: State, ids: Collection[int]) -> Stepwise[dict[int, Point]]:
    """Where cards come to lie whose right edge and middle stay where they are in the other drawing."""
    board, shown = sheet.board, drawing_of(sheet.board.drawing)
    other = next((name for name in DRAWINGS if name != shown.name and _is_like(name, shown.name)), "")
    found = {}
    for done, id_ in enumerate(ids if other else ()):
        yield done / len(ids)
        place = board.places.get((other, id_))
        if place is not None:
            before, after = drawing_of(other).anatomy(sheet.program[id_], state.statement(id_)), picture.anatomy(id_)
            found[id_] = place.x + before.width - after.width, place.y + (before.height - after.height) / 2
    return found


def _is_like(name: str, other: str) -> bool:
    one, another = drawing_of(name), drawing_of(other)
    return one.down == another.down and not (one.lays_out or another.lays_out)


def _in_the_way(picture: Picture, at: Mapping[int, Point]) -> Stepwise[set[int]]:
    """Those of the cards ``at`` these places that would lie on, or too close to, another card."""
    lefts, tops = picture.x.copy(), picture.y.copy()
    for id_, (x, y) in at.items():
        lefts[picture.index[id_]], tops[picture.index[id_]] = x, y
    rights, bottoms = lefts + picture.w + ACROSS, tops + picture.h + CLEAR
    found: set[int] = set()
    asked = picture.rows_of(at)
    for first in range(0, len(asked), TOGETHER):
        rows = asked[first : first + TOGETHER]
        left, top, right, bottom = (sides[rows, None] for sides in (lefts, tops, rights, bottoms))
        close = (lefts < right) & (left < rights) & (tops < bottom) & (top < bottoms) & ~picture.hidden
        found.update(picture.ids[row] for row in rows[close.sum(axis=1) > 1].tolist())
        yield first / len(asked)
    return found
