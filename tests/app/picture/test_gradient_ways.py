"""Edges of a gradient's graph go round what lies on the canvas."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad.layout.detours import DOWN, LEFT, RIGHT, detour, touched
from chalkgrad.program.board import Board, Note
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.notes import fitted
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import FINE, flatten

THRICE = """
x = torch.tensor(3.0, requires_grad=True)
y = x ** 3 * torch.sin(x)
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
k, = torch.autograd.grad(h, x)
z = h * y
"""


def shown(drawing: str, note: Note | None = None) -> tuple[Picture, Program, Board]:
    session = Session(read_source("import torch\n" + THRICE))
    session.finish()
    board = Board(drawing=drawing, notes={} if note is None else {note.id: note})
    picture = Picture()
    picture.update(session.program, board, session.trace.state(None))
    return picture, session.program, board


def hits(picture: Picture) -> list[tuple[int, str]]:
    """Which links run through which card, node, disc or note: one that they neither begin nor end at."""
    layer, found = picture.gradients, []
    rects = {f"card {id_}": picture.rect(id_) for id_ in picture.ids}
    rects |= {f"node {key[1]}": layer.rect(key) for key in layer.keys}
    rects |= {f"function {key[1]}": picture.functions.rect(key) for key in picture.functions.keys}
    rects |= {f"note {note.id}": picture.rect_of(note.id) for note in picture.notes}
    for place, link in enumerate(layer.links):
        points = flatten(layer.cubics[layer.pieces_of([place])], FINE).reshape(-1, 2)
        for name, rect in rects.items():
            within = rect.adjusted(1, 1, -1, -1)
            x, y = points.T
            inside = (x > within.left()) & (x < within.right()) & (y > within.top()) & (y < within.bottom())
            if inside.any() and name != f"card {link.card}":
                found.append((place, name))
    return found


def test_beside_the_backward_graph_links_run_level_or_upright(qapp):
    """From a grad_fn and from next functions, as the arrows there do: no steep curves."""
    picture, _, _ = shown("autograd")
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    layer = picture.gradients
    leading = [place for place, link in enumerate(layer.links) if link.leads_here]
    assert {layer.links[place].number >= 0 for place in leading} == {True, False}
    for place in leading:
        ways = layer.cubics[layer.pieces_of([place])]
        straight = ways[(ways[:, 0] == ways[:, 6]) | (ways[:, 1] == ways[:, 7])]
        length = np.abs(straight[:, 6:] - straight[:, :2]).sum()
        assert length > 0.8 * np.abs(ways[:, 6:] - ways[:, :2]).sum()


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_links_leave_a_band_at_its_sides(qapp, drawing):
    picture, _, _ = shown(drawing)
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    layer = picture.gradients
    for place, link in enumerate(layer.links):
        pieces = layer.cubics[layer.pieces_of([place])]
        if len(pieces) == 1:
            continue
        band = next(band for band in layer.bands if band.holds(link.row))
        x, y = flatten(pieces, FINE).reshape(-1, 2).T
        across = (x > band.rect.left() + 4) & (x < band.rect.right() - 4)
        for edge in (band.rect.top(), band.rect.bottom()):
            assert not (across & (np.abs(y - edge) < 2)).any(), link


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_links_run_through_nothing(qapp, drawing):
    picture, _, _ = shown(drawing)
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    layer = picture.gradients
    assert layer.has_ways
    assert len(layer.cubics) > len(layer.links)
    assert hits(picture) == []
    last = layer.cubics[layer.pieces_of(range(len(layer.links)))]
    for place in range(len(layer.links)):
        pieces = last[layer.piece_link == place]
        assert (pieces[0, :2] == layer.ends[place, :2]).all()
        assert (pieces[-1, 6:] == layer.ends[place, 2:]).all()
        assert (pieces[1:, :2] == pieces[:-1, 6:]).all()


def test_a_note_in_between_is_gone_round(qapp):
    plain, program, _ = shown("cards")
    card = plain.rect(next(iter(program.lines)))
    note = Note(10_000, (("en", "In between"),), card.left(), plain.on_board().bottom() + 20, 420.0)
    picture, _, _ = shown("cards", note)
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    assert fitted(note, picture.language) in picture.notes
    assert hits(picture) == []


def test_what_is_dragged_takes_its_links_along_as_curves(qapp):
    picture, _, board = shown("cards")
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    layer = picture.gradients
    link = next(at for at, one in enumerate(layer.links) if one.card >= 0 and len(layer.pieces_of([at])) > 1)
    card = layer.links[link].card
    picture.shift({card}, 37.0, 11.0)
    assert len(layer.pieces_of([link])) == 1
    assert layer.has_ways  # nothing is looked for while things are on their way
    picture.set_board(board)
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    assert len(layer.pieces_of([link])) > 1
    assert hits(picture) == []


def test_the_rectangle_around_everything_holds_the_ways(qapp):
    picture, _, _ = shown("cards")
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    around, points = picture.bounds().adjusted(-1, -1, 1, 1), flatten(picture.gradients.cubics, FINE).reshape(-1, 2)
    assert around.left() <= points[:, 0].min()
    assert points[:, 0].max() <= around.right()
    assert around.top() <= points[:, 1].min()
    assert points[:, 1].max() <= around.bottom()


@pytest.mark.parametrize("leaves", [RIGHT, LEFT, DOWN])
@pytest.mark.parametrize("enters", [RIGHT, LEFT])
def test_a_way_leaves_and_comes_in_as_it_should(leaves, enters):
    boxes = np.array([[100.0, -200.0, 200.0, 200.0], [-40.0, -60.0, 0.0, -20.0]])
    straight = ((0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (300.0, 0.0))
    way = np.array(detour(straight, boxes, 0.0, leaves, enters))
    assert tuple(way[0]) == straight[0]
    assert tuple(way[-1]) == straight[-1]
    assert not touched(tuple(map(tuple, way)), boxes).any()
    first, last = way[1] - way[0], way[-1] - way[-2]
    assert first @ leaves > 0
    assert abs(first @ leaves[::-1]) < 1e-9
    assert last @ enters > 0
    assert abs(last[1]) < 1e-9
