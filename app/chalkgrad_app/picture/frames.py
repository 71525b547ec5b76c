"""Frames: plain ones as the board has them, those of blocks around the cards that stand in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

MARGIN, TITLE = 16.0, 24.0


@dataclass(frozen=True)
class FrameShape:
    """A frame to paint: ``block`` is True for a mode block of the program, whose rectangle follows its members."""

    id: int
    title: str
    rect: QRectF
    hue: str = ""
    block: bool = False


def frame_shapes(
    picture: Picture, shifted: Collection[int] = (), dx: float = 0.0, dy: float = 0.0
) -> tuple[FrameShape, ...]:
    """All frames, outer ones first; ``shifted`` plain frames are shown moved by (dx, dy)."""
    plain = []
    for frame in picture.board.frames.values():
        rect = QRectF(frame.x, frame.y, frame.width, frame.height)
        if frame.id in shifted:
            rect.translate(dx, dy)
        plain.append(FrameShape(frame.id, frame.title, rect, frame.hue))
    return (*plain, *_block_shapes(picture))


def _block_shapes(picture: Picture) -> list[FrameShape]:
    program = picture.program
    if not program.blocks:
        return []
    members: dict[int, list[int]] = {}
    for id_ in picture.ids:
        for block in program.chain(program[id_].block):
            members.setdefault(block, []).append(id_)
    deepest = {block: _depth_below(picture, block) for block in members}
    found = []
    for block in sorted(members, key=lambda block: -deepest[block]):
        room = MARGIN + deepest[block] * (MARGIN + 4)
        rect = QRectF()
        for id_ in members[block]:
            rect = rect.united(picture.rect(id_))
        top = room + TITLE + deepest[block] * TITLE
        found.append(FrameShape(block, program.blocks[block].mode, rect.adjusted(-room, -top, room, room), block=True))
    return found


def _depth_below(picture: Picture, block: int) -> int:
    """How many levels of blocks stand inside ``block``."""
    inner = [other.id for other in picture.program.blocks.values() if other.parent == block]
    return 1 + max(_depth_below(picture, id_) for id_ in inner) if inner else 0
