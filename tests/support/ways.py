"""Which lines of a picture run through something that they neither begin nor end at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad_app.picture.autograd_shape import StatementShape, operator_box
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import FINE, flatten

EDGE = 1.0
"""So far within a thing a line may run: along its edge."""

Thing = tuple[str, int]


def through(picture: Picture) -> list[tuple[str, Thing]]:
    """Every line that runs through a thing, with the thing."""
    things = list(_things(picture))
    keys, rects = [key for key, _ in things], np.array([rect for _, rect in things]).reshape(-1, 4)
    found = []
    for name, points, own in _lines(picture):
        inside = (rects[:, 0] + EDGE < points[:, :1]) & (points[:, :1] < rects[:, 2] - EDGE)
        inside &= (rects[:, 1] + EDGE < points[:, 1:]) & (points[:, 1:] < rects[:, 3] - EDGE)
        found += [(name, keys[at]) for at in np.flatnonzero(inside.any(axis=0)) if keys[at] not in own]
    return found


def _things(picture: Picture) -> Iterator[tuple[Thing, tuple[float, float, float, float]]]:
    for id_ in picture.ids:
        if not picture.hidden[picture.index[id_]]:
            shape, corner = picture.anatomy(id_), picture.rect(id_).topLeft()
            boxes = [shape.body] + ([operator_box(shape)] if isinstance(shape, StatementShape) else [])
            for box in boxes:
                if box is not None:
                    yield ("card", id_), QRectF(*box).translated(corner).getCoords()
    for fold in picture.folds:
        yield ("fold", fold.id), fold.rect.getCoords()
    for arrays in picture.beside:
        for key in arrays.keys:
            yield (NODE, key[1]), arrays.rect(key).getCoords()
    for band in picture.gradients.bands:
        if band.folded:
            yield ("band", band.statement), band.rect.getCoords()


def _lines(picture: Picture) -> Iterator[tuple[str, np.ndarray, set[Thing]]]:
    folds = {card: fold.id for fold in picture.folds for card in fold.cards}

    def card(id_: int) -> Thing:
        return ("fold", folds[id_]) if id_ in folds else ("card", id_)

    for row, wire in enumerate(picture.wires):
        if not picture.wire_hidden[row]:
            points = flatten(picture.cubics[picture.pieces_of(np.array([row]))], FINE).reshape(-1, 2)
            yield f"wire {wire.source}-{wire.target}", points, {card(wire.source), card(wire.target)}
    functions = picture.functions
    for place, arrow in enumerate(picture.function_ways.arrows):
        way = np.array([point.toTuple() for point in picture.function_ways.corners_of(place)])
        own = {functions.keys[row] for row in (arrow.source, arrow.target) if row >= 0}
        own |= {card(arrow.card)} if arrow.card else set()
        steps = np.linspace(0, 1, 60)[:, None, None]
        yield f"arrow {sorted(own)}", (way[:-1] + (way[1:] - way[:-1]) * steps).reshape(-1, 2), own
    layer = picture.gradients
    bands = {band.first: ("band", band.statement) for band in layer.bands if band.folded}
    for place, link in enumerate(layer.links):
        own = {bands[row] if row in bands else layer.keys[row] for row in (link.source, link.target) if row >= 0}
        own |= {card(link.card)} if link.card >= 0 else set()
        own |= {(NODE, link.number)} if link.number >= 0 else set()
        yield f"link {sorted(own)}", flatten(layer.cubics[layer.pieces_of([place])], FINE).reshape(-1, 2), own
