"""Ways of wires that reach far: along lanes between rows of cards, and past very many cards."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.test_routes import levels

from chalkgrad.layout import Box, Router, Span
from chalkgrad.layout.blocks import Blocks
from chalkgrad.layout.detours import touched, touches
from chalkgrad.layout.routes import MANY


@st.composite
def rows_of_cards(draw):
    """Cards in rows below each other, and in each at any distance; none reaches from one row into another."""
    boxes, top = [], 0.0
    for _ in range(draw(st.integers(1, 5))):
        right, height = float(draw(st.integers(-300, 300))), 0.0
        for _ in range(draw(st.integers(1, 8))):
            left = right + draw(st.sampled_from((16.0, 24.0, 64.0, 400.0)))
            down, high = float(draw(st.integers(0, 60))), draw(st.sampled_from((60.0, 76.0, 120.0)))
            right = left + draw(st.sampled_from((128.0, 176.0, 240.0)))
            boxes.append(Box(len(boxes), left, top + down, right, top + down + high))
            height = max(height, down + high)
        top += height + draw(st.sampled_from((12.0, 20.0, 56.0)))
    return boxes


@given(rows_of_cards(), st.data())
@settings(max_examples=200, deadline=None)
def test_along_lanes_every_card_is_come_to_from_every_other(boxes, data):
    source, target = (data.draw(st.sampled_from(boxes)) for _ in range(2))
    start = (source.right, source.top + data.draw(st.sampled_from((10.0, 30.0, 50.0))))
    end = (target.left, target.top + data.draw(st.sampled_from((10.0, 30.0, 50.0))))
    router = Router(boxes)
    span = Span(source.id, target.id, start, end)
    path = router.way_along_lanes(span, data.draw(st.integers(0, 3)))
    assert path
    assert (path[0], path[-1]) == (start, end)
    assert path[1][0] > start[0]
    assert path[1][1] == start[1]
    assert path[-2][0] < end[0]
    assert path[-2][1] == end[1]
    assert router.is_clear(span, path)
    assert not touched(path, np.array([box[1:] for box in boxes])).any()


def test_along_lanes_wires_of_different_ports_keep_apart_and_from_the_edges_of_frames():
    boxes = [Box(at, 200.0 * at, 200.0 * row, 200.0 * at + 120, 200.0 * row + 80) for row in (0, 1) for at in range(9)]
    boxes = [box._replace(id=number) for number, box in enumerate(boxes)]
    rail = Box(-1, -50.0, 98.0, 3000.0, 98.0)
    span = Span(0, 17, (120.0, 40.0), (1600.0, 240.0))
    heights = []
    for rails in ((), (rail,)):
        router = Router(boxes, rails)
        found = [max(levels(router.way_along_lanes(span, number)) - {40.0, 240.0}) for number in range(4)]
        assert all(abs(one - other) >= 4 for one in found for other in found if one != other)
        assert len(set(found)) == 4
        heights.append(found)
    assert any(abs(height - 98) < 9 for height in heights[0])
    assert not any(abs(height - 98) < 9 for height in heights[1])


def long_column(rng, count):
    """Cards one after the other, at any height, and of any of some sizes."""
    tops = rng.integers(0, 40, count) * 16.0
    highs = rng.choice((60.0, 76.0, 120.0), count)
    return [Box(at, 200.0 * at, tops[at], 200.0 * at + 130, tops[at] + highs[at]) for at in range(count)]


def test_a_wire_past_very_many_cards_is_led_clear_of_all_of_them():
    boxes = [*long_column(np.random.default_rng(1), MANY + 200), Box(9999, -400.0, 900.0, 200.0 * MANY, 940.0)]
    router = Router(boxes, lanes=True)
    rects = np.array([box[1:] for box in boxes])
    spans = [
        Span(
            source, target, (boxes[source].right, boxes[source].top + 30), (boxes[target].left, boxes[target].top + 30)
        )
        for source, target in ((0, 1100), (1, 1150), (40, 1000), (300, 1199), (3, 20))
    ]
    for span, path in zip(spans, router.ways(spans), strict=True):
        assert router.is_clear(span, path)
        assert not touched(path, np.delete(rects, [span.source, span.target], axis=0)).any()


def test_what_many_boxes_are_taken_for_holds_them_all_and_leaves_out_wide_ones():
    boxes = long_column(np.random.default_rng(2), MANY)
    rects = np.array([box[1:] for box in [Box(-1, -100.0, -90.0, 300_000.0, -40.0), *boxes]])
    passed = Blocks(rects).passed(3, MANY - 3)
    assert passed is not None
    rows, others = passed
    assert 0 in rows.tolist()
    assert len(rows) + len(others) < MANY / 2
    assert others[:, 1].min() >= 0
    for row in sorted(set(range(len(rects))) - set(rows.tolist())):
        left, top, right, bottom = rects[row]
        holds = (others[:, 0] <= left) & (others[:, 1] <= top) & (others[:, 2] >= right) & (others[:, 3] >= bottom)
        assert holds.any()
    assert Blocks(rects).passed(3, 200) is None


def test_of_many_boxes_one_that_is_in_the_way_is_found_wherever_it_is_told():
    boxes = np.array([box[1:] for box in long_column(np.random.default_rng(3), 700)])
    above, through = ((0.0, y) for y in (-100.0, 330.0))
    for start in (above, through):
        path = (start, (50_000.0, start[1]), (90_000.0, start[1]), (140_000.0, start[1]))
        assert touches(path, boxes) == touched(path, boxes).any() == (start is through)
    last = np.concatenate([np.delete(boxes, touched(path, boxes).nonzero()[0], axis=0), [(300.0, 300.0, 400.0, 400.0)]])
    assert touches(path, last)
