"""Lanes of arrows: where arrows would run on one another, each gets a lane beside the others, nested like brackets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.boxes import meeting
from chalkgrad.stepwise import Stepwise

PITCH, LEAST = 8.0, 4.0
"""Between two lanes, and what is enough for arrows that have their places."""
NARROWER, TIMES = 0.8, 20
"""So much narrower lanes get where there is no room, so many times."""
REACH = 72.0
"""So far aside of where it would run an arrow may have its lane."""
CLEAR = (8.0, 4.0)
"""From a lane that leads up or down to things, and from one that leads aside."""
STUB = 10.0
"""From where an arrow begins or ends to its next lane."""
PAST = 6.0
"""Arrows one of which ends so near where the other begins run beside each other, too."""
TOGETHER = (64.0, 24.0)
"""Arrows that run up or down so near each other have their lanes together, and those that run aside."""
MANY = 64
"""Of more arrows in one bundle those that lead to one end run together."""
ROUNDS = 3
"""Times arrows are moved that have time."""
PORTION = 100
"""So many are looked at in one step."""
UPRIGHT, LEVEL = 0, 1


class Stretch(NamedTuple):
    """Where an arrow runs straight: the axis on which it stands still, and from where to where.

    ``on`` it are corners of some ways: the number of each, and which the first and the last are. ``turns`` are the ways
    it goes at both ends, -1 or 1, 0 for none; it may stand between ``low`` and ``high``. Those that lead ``into`` the
    same end run together where they are ``last`` before it.
    """

    axis: int
    on: tuple[tuple[int, int, int], ...]
    at: float
    begin: float
    end: float
    turns: tuple[int, int]
    low: float
    high: float
    into: int
    last: bool


def in_lanes(
    ways: Sequence[np.ndarray], targets: Sequence[int], things: np.ndarray, moved: Container[int], rounds: int = ROUNDS
) -> Stepwise[None]:
    """Move the stretches of the ``moved`` ones among these ways, in place, so that none runs on another.

    ``targets`` tell which of them end together; ``things`` are rows left, top, right, bottom that none runs through.
    They are moved up and down, and aside, so many ``rounds``.
    """
    known: list[list[Stretch]] = []
    for number, way in enumerate(ways):
        known.append(list(_stretches(way, number, targets[number])))
        if number % PORTION == 0:
            yield number / len(ways) / 2
    for at, axis in enumerate((LEVEL, UPRIGHT) * rounds):
        bundles = list(_bundles(_joined([each for way in known for each in way if each.axis == axis])))
        yield 0.5 + at / rounds / 4
        changed: set[int] = set()
        for place, bundle in enumerate(bundles):
            changed |= _spread(bundle, ways, things, moved)
            if place % PORTION == 0:
                yield 0.5 + (at + place / len(bundles)) / rounds / 4
        for number in changed:
            known[number] = list(_stretches(ways[number], number, targets[number]))
        if not changed and axis == UPRIGHT:
            break


def _joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """These, those as one that run together to the same end."""
    found, together = list[Stretch](), defaultdict[tuple[int, float], list[Stretch]](list)
    for stretch in stretches:
        if stretch.last:
            together[stretch.into, stretch.at].append(stretch)
        else:
            found.append(stretch)
    return found + [_as_one(each) for each in together.values()]


def _as_one(stretches: Sequence[Stretch]) -> Stretch:
    """What moves together."""
    if len(stretches) == 1:
        return stretches[0]
    first, last = min(stretches, key=lambda each: each.begin), max(stretches, key=lambda each: each.end)
    return first._replace(
        on=tuple([corners for each in stretches for corners in each.on]),
        end=last.end,
        turns=(first.turns[0], last.turns[1]),
        low=max(each.low for each in stretches),
        high=min(each.high for each in stretches),
    )


def _stretches(way: np.ndarray, number: int, into: int) -> Iterator[Stretch]:
    """The stretches of one way; those at its ends stay."""
    points = way.tolist()
    if points[0][1] == points[-1][1] and all(point[1] == points[0][1] for point in points):
        x, y = sorted((points[0][0], points[-1][0])), points[0][1]
        yield Stretch(LEVEL, ((number, 0, len(points) - 1),), y, x[0], x[1], (0, 0), y, y, into, True)
        return
    runs: list[tuple[int, int, int]] = []
    same = 0
    for at, (one, other) in enumerate(pairwise(points)):
        if one == other:
            continue
        axis = UPRIGHT if one[0] == other[0] else LEVEL
        if runs and runs[-1][0] == axis:
            runs[-1] = axis, runs[-1][1], at + 1
        else:
            if runs:
                runs[-1] = runs[-1][0], runs[-1][1], at
            runs.append((axis, same if runs else 0, at + 1))
        same = at + 1
    for place, (axis, first, last) in enumerate(runs):
        ends = points[first], points[last]
        at, along = ends[0][axis], [end[1 - axis] for end in ends]
        before = points[runs[place - 1][1]][axis] - at if place else 0.0
        after = points[runs[place + 1][2]][axis] - at if place + 1 < len(runs) else 0.0
        low, high = (at, at) if not before or not after else _between(at, before, after)
        turns = (before > 0) - (before < 0), (after > 0) - (after < 0)
        is_last = place >= len(runs) - 2
        begin, end = along
        if begin > end:
            begin, end, turns = end, begin, (turns[1], turns[0])
        on = ((number, first, last),)
        yield Stretch(axis, on, at, begin, end, turns, low, high, into, is_last)


def _between(at: float, *beyond: float) -> tuple[float, float]:
    """How far a stretch may move so that what leads to it, so far from it, leads there the same way."""
    low, high = at - REACH, at + REACH
    for far in beyond:
        if far > 0:
            high = min(high, at + max(far - STUB, 0.0))
        else:
            low = max(low, at + min(far + STUB, 0.0))
    return low, high


def _bundles(stretches: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Those that run near each other, side by side, together; alone only what has nothing beside it."""
    near: list[list[Stretch]] = []
    for stretch in sorted(stretches, key=lambda each: each.at):
        if not near or stretch.at - near[-1][-1].at > TOGETHER[stretch.axis]:
            near.append([])
        near[-1].append(stretch)
    for group in near:
        bundle, end = list[Stretch](), -np.inf
        for stretch in sorted(group, key=lambda each: each.begin):
            if stretch.begin > end + PAST and bundle:
                yield bundle
                bundle = []
            end = max(end, stretch.end) if bundle else stretch.end
            bundle.append(stretch)
        yield bundle


def _spread(
    bundle: Sequence[Stretch], ways: Sequence[np.ndarray], things: np.ndarray, moved: Container[int]
) -> set[int]:
    """Give those of a bundle that run on one another lanes; the numbers of the ways that it moves."""
    if len(bundle) < 2 or not any(_are_beside(*two) for two in _neighbours(bundle)):
        return set()
    things = _around(bundle, things)
    if len(bundle) > MANY:
        return _move(*_spread_many(bundle, things, moved), ways)
    beside = _beside(bundle)
    low, high = np.array([_room(each, things, moved) for each in bundle]).T
    moves, at = low < high, np.array([each.at for each in bundle])
    beside &= moves[:, None] | moves
    order = _in_order(bundle, beside, low, high)
    found = _placed(at[order], low[order], high[order], beside[np.ix_(order, order)])
    return _move([bundle[number] for number in order.tolist()], found, ways)


def _move(bundle: Sequence[Stretch], places: Sequence[float], ways: Sequence[np.ndarray]) -> set[int]:
    """Have stretches stand at these places, if any; the numbers of the ways that are other than before."""
    changed: set[int] = set()
    for stretch, place in zip(bundle, places, strict=False):
        for way, first, last in stretch.on:
            if ways[way][first, stretch.axis] != place:
                ways[way][first : last + 1, stretch.axis] = place
                changed.add(way)
    return changed


def _spread_many(
    bundle: Sequence[Stretch], things: np.ndarray, moved: Container[int]
) -> tuple[list[Stretch], list[float]]:
    """Where those of a large bundle stand, all that lead to one end together: in lanes as wide as there is room."""
    into = defaultdict[int, list[Stretch]](list)
    for stretch in bundle:
        if stretch.low < stretch.high and all(way in moved for way, _, _ in stretch.on):
            into[stretch.into].append(stretch)
    found = sorted(map(_as_one, into.values()), key=lambda each: (each.begin, each.end))
    ends, lanes = list[float](), list[int]()
    for stretch in found:
        lane = next((lane for lane, end in enumerate(ends) if end + PAST < stretch.begin), len(ends))
        ends[lane : lane + 1] = [stretch.end]
        lanes.append(lane)
    rooms = [_room(stretch, things, moved) for stretch in found]
    low, high = max((room[0] for room in rooms), default=0.0), min((room[1] for room in rooms), default=0.0)
    if low >= high:
        return [], []
    pitch = min(PITCH, (high - low) / len(ends))
    if sum(sum(stretch.turns) for stretch in found) > 0:
        return found, [high - pitch * lane for lane in lanes]
    return found, [low + pitch * lane for lane in lanes]


def _neighbours(bundle: Sequence[Stretch]) -> Iterator[tuple[Stretch, Stretch]]:
    """Each two that stand nearer to each other than lanes do, the one with the lower place first."""
    ordered = sorted(bundle, key=lambda each: each.at)
    for place, other in enumerate(ordered):
        for one in ordered[place + 1 :]:
            if one.at - other.at > PITCH - 0.01:
                break
            yield other, one


def _are_beside(one: Stretch, other: Stretch) -> bool:
    """Whether two need lanes of their own."""
    return one.begin < other.end + PAST and other.begin < one.end + PAST


def _beside(bundle: Sequence[Stretch]) -> np.ndarray:
    """For each two whether they need lanes of their own."""
    begin, end = np.array([(each.begin, each.end) for each in bundle]).T
    found = (begin[:, None] < end + PAST) & (begin < end[:, None] + PAST)
    np.fill_diagonal(found, False)
    return np.asarray(found)


def _around(bundle: Sequence[Stretch], things: np.ndarray) -> np.ndarray:
    """The things that may be in the way of a bundle."""
    low = [min(each.at for each in bundle) - 2 * REACH, min(each.begin for each in bundle)]
    high = [max(each.at for each in bundle) + 2 * REACH, max(each.end for each in bundle)]
    if bundle[0].axis == LEVEL:
        low, high = low[::-1], high[::-1]
    return np.asarray(things[meeting(things, low, high)])


def _room(stretch: Stretch, things: np.ndarray, moved: Container[int]) -> tuple[float, float]:
    """Between where it may stand so that it runs through nothing."""
    if stretch.low >= stretch.high or any(way not in moved for way, _, _ in stretch.on):
        return stretch.at, stretch.at
    clear = CLEAR[stretch.axis]
    low, high = [stretch.low - clear, stretch.begin + 1], [stretch.high + clear, stretch.end - 1]
    if stretch.axis == LEVEL:
        low, high = low[::-1], high[::-1]
    near = things[meeting(things, low, high)]
    before, after = near[:, stretch.axis], near[:, stretch.axis + 2]
    if ((before + 1 < stretch.at) & (stretch.at < after - 1)).any():
        return stretch.at, stretch.at
    least = max(stretch.low, float((after[after <= stretch.at + 1] + clear).max(initial=-np.inf)))
    most = min(stretch.high, float((before[before >= stretch.at - 1] - clear).min(initial=np.inf)))
    return min(least, stretch.at), max(most, stretch.at)


def _in_order(bundle: Sequence[Stretch], beside: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The order in which they cross least: for each two it is known which is the better one."""
    begin, end, at = np.array([(each.begin, each.end, each.at) for each in bundle]).T
    turns = np.array([each.turns for each in bundle])
    crossed = np.zeros((len(bundle), len(bundle)))
    for place, side in ((begin, turns[:, 0]), (end, turns[:, 1])):
        within = (begin - PAST < place[:, None]) & (place[:, None] < end + PAST)
        crossed += within & (side > 0)[:, None]  # each before the other
        crossed += (within & (side < 0)[:, None]).T
    first = np.sign(crossed.T - crossed)
    first = np.where(first == 0, np.sign(at - at[:, None]) / 4, first) * beside
    forced = (high[:, None] < low + LEAST).astype(float) - (high < low[:, None] + LEAST)
    first = np.where(forced != 0, len(bundle) * forced, first)
    return _sorted(first, at)


def _sorted(first: np.ndarray, at: np.ndarray) -> np.ndarray:
    """One after the other that of which fewest others come before it."""
    left = np.ones(len(at), bool)
    before = np.maximum(-first, 0.0).sum(axis=1)
    found = []
    for _ in range(len(at)):
        number = int(np.lexsort((at, np.where(left, before, np.inf)))[0])
        found.append(number)
        left[number] = False
        before -= np.maximum(first[number], 0.0)
    return np.array(found, np.intp)


def _placed(at: np.ndarray, low: np.ndarray, high: np.ndarray, beside: np.ndarray) -> list[float]:
    """Where they stand in this order, as far from each other as there is room; nothing where there is none.

    Only those are nearer to each other than lanes are that have no room.
    """
    pitch = np.full(len(at), PITCH)
    for _ in range(TIMES):
        apart = np.where(beside, np.minimum(pitch[:, None], pitch), -np.inf)
        least, most = low.copy(), high.copy()
        for number in range(1, len(at)):
            least[number] = max(least[number], (least[:number] + apart[number, :number]).max())
        for number in range(len(at) - 2, -1, -1):
            most[number] = min(most[number], (most[number + 1 :] - apart[number, number + 1 :]).min())
        is_tight = least > most + 0.01
        if not is_tight.any():
            return _pushed(_wanted(at, low < high, apart), least, most, apart)
        pitch[is_tight] *= NARROWER
    return []


def _wanted(at: np.ndarray, moves: np.ndarray, apart: np.ndarray) -> np.ndarray:
    """Where they would stand if there was room: side by side, around where most would run."""
    found = np.zeros(len(at))
    for number in range(1, len(at)):
        found[number] = max(0.0, (found[:number] + apart[number, :number]).max())
    middle = float(np.median(at[moves])) if moves.any() else 0.0
    return np.asarray(found + middle - found.max() / 2)


def _pushed(wanted: np.ndarray, least: np.ndarray, most: np.ndarray, apart: np.ndarray) -> list[float]:
    """As near to what is wanted as they can stand so far from each other."""
    found = np.clip(wanted, least, most)
    for number in range(1, len(found)):
        found[number] = max(found[number], (found[:number] + apart[number, :number]).max())
    return list(found.tolist())


def ends_together(arrows: Sequence[tuple[object, ...]]) -> list[int]:
    """For each of these keys of ends a number, the same for the same."""
    numbers: defaultdict[tuple[object, ...], int] = defaultdict(lambda: len(numbers))
    return [numbers[each] for each in arrows]
