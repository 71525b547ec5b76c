"""Working an explanation out, in slices: a second session runs the program up to the backward and is looked at there.

The session that people see is left alone, and what it freed is still there in the second one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from chalkgrad.engine.graph import Node, gradient_edge_of
from chalkgrad.explain.account import FEW, Account, Factor, NodeStep, Outgoing, Path, Share
from chalkgrad.explain.graph import Between, Quantity, Step, Way
from chalkgrad.explain.naming import Names
from chalkgrad.explain.trail import Trail, joined
from chalkgrad.explain.writing import NOTHING, Formula, name
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session import Session, Trace
from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.scope import source
from chalkgrad.session.state import Contribution, TensorState
from chalkgrad.stepwise import Steps, Work

MOST_PATHS = 12
"""More paths are added up by the last step."""
MOST_SHARES = 6
"""Of more backwards only the latest are explained path by path; all before are added up."""
MOST_FACTORS = 8
"""Of a longer path the middle is put together."""
ENDS = 3
"""So many steps are left at either end of a path whose middle is put together."""
MOST_SEEN = 500
"""So many quantities of a way are pointed out: no more have room in a window."""
SLICE = 4
"""Milliseconds that the program runs between two chances to stop."""
SEVERAL = name("roots")


def why(program: Program, trace: Trace, tensor: TensorState) -> Work[Account]:
    """Why the gradient of ``tensor``, as it is at some position of ``trace``, is what it is. It has one."""
    return Work(_account(program, trace, tensor))


def why_results(program: Program, trace: Trace, line: int, results: Sequence[TensorState | None]) -> Work[Account]:
    """Why the ``results`` of a line with ``torch.autograd.grad`` are what they are."""
    return Work(_account_of_results(program, trace, line, results))


def step(program: Program, trace: Trace, position: int) -> Work[NodeStep]:
    """What the node does that ran with the event before ``position``; see :func:`is_step`."""
    return Work(_step(program, trace, position))


def is_step(trace: Trace, position: int) -> bool:
    """True where a node has just turned gradients that came in into those that go out."""
    return 0 < position <= len(trace) and trace.events[position - 1].kind is EventKind.NODE_RAN


# ------------------------------------------------------------ a gradient


def _account(program: Program, trace: Trace, tensor: TensorState) -> Steps[Account]:
    assert tensor.grad is not None
    assert tensor.grad.value is not None
    session = Session(Program(), budget=0)
    shares: list[Share] = []
    earlier, explained = tensor.sum_of[:-MOST_SHARES], tensor.sum_of[-MOST_SHARES:]
    target = name("")
    if earlier:
        before = reduce(np.add, (addend.value for addend in earlier))
        shares.append(Share(earlier[-1].statement, earlier[-1].pass_, NOTHING, before, earlier=len(earlier)))
    for addend in explained:
        statement = program.statements.get(addend.statement)
        share = Share(addend.statement, addend.pass_, NOTHING, addend.value)
        if statement is not None and statement.kind is Kind.BACKWARD:
            yield from _run_until(session, program, addend.statement, addend.pass_)
            share = yield from _share(program, trace, session, tensor.number, addend)
            target = share.target or target
        shares.append(share)
    return Account(target, tuple(shares), tensor.grad.value)


def _account_of_results(
    program: Program, trace: Trace, line: int, results: Sequence[TensorState | None]
) -> Steps[Account]:
    session = Session(Program(), budget=0)
    yield from _run_until(session, program, line)
    inputs = program[line].operands[1]
    shares: list[Share] = []
    for ref, result in zip(inputs if isinstance(inputs, tuple) else (inputs,), results, strict=False):
        made = source(program, ref) if isinstance(ref, Ref) else None
        of = None if made is None else session.trace.state().tensor(made.statement, made.output)
        if of is None or result is None or result.value is None:
            continue
        shares.append((yield from _share(program, trace, session, of.number, Contribution(line, 0, result.value))))
    return Account(NOTHING, tuple(shares), None)


def _share(program: Program, trace: Trace, session: Session, number: int, addend: Contribution) -> Steps[Share]:
    """What one backward, which is about to begin in ``session``, gave to object ``number``."""
    names = Names(program, session)
    share = Share(addend.statement, addend.pass_, NOTHING, addend.value)
    target = _quantity(session, number)
    began = _beginning(trace, addend.statement, addend.pass_)
    if target is None or began is None:
        return share
    roots, seeds = _roots(session, began)
    between = Between(roots, target, _Groups(program, session))
    share = replace(share, target=names.of(target), root=names.of(roots[0]) if len(roots) == 1 else NOTHING)
    yield from between.prepare()
    count = between.number_of_ways(MOST_PATHS + 1)
    by_last = count > MOST_PATHS
    ways: list[Way] = []
    try:
        for way in between.by_last(seeds) if by_last else between.ways(seeds):
            ways += [way] if way is not None else []
            yield
        paths: list[Path] = []
        for way in ways[: MOST_PATHS if len(ways) > MOST_PATHS else None]:
            seed = seeds[roots.index(way.quantities[0])] if not by_last else seeds[0]
            if by_last:
                paths.append(_summed(between, names, way, share.root or SEVERAL, seeds))
            else:
                paths.append((yield from _path(between, names, way, seed, count > 1)))
            yield
    except Exception as error:  # whatever the engine raises: the backward itself failed there, too
        return replace(share, failure=f"{type(error).__name__}: {error}")
    if len(paths) > FEW:
        paths.sort(key=lambda path: not path.gradient.any())
    rest = ways[MOST_PATHS:]
    if rest:
        total = reduce(np.add, (way.gradient for way in rest))
        trails: list[Trail] = []
        for way in rest:
            trails.append(_trail(between, names, way, by_last))
            yield
        trail = joined(trails)
        paths.append(Path((), total, seeds[0], trail, left_over=len(rest)))
    shown = tuple(names.counted())
    return replace(share, seed=seeds[0], paths=tuple(paths), counted=shown, number_of_paths=count, by_last=by_last)


def _path(between: Between, names: Names, way: Way, seed: np.ndarray, is_one_of_many: bool) -> Steps[Path]:
    factors: list[Factor] = []
    for step in way.steps:
        factors.append(_factor(between, names, step))
        yield
    if len(factors) == 1 and is_one_of_many and not factors[0].turn:
        factors = [replace(factors[0], direct=True)]
    if len(factors) > MOST_FACTORS:
        factors = [*factors[:ENDS], _jump(factors[ENDS:-ENDS]), *factors[-ENDS:]]
    trail = _trail(between, names, way, is_summed=False)
    return Path(tuple(factors), way.gradient, seed, trail, names.of(way.quantities[0]))


def _summed(between: Between, names: Names, way: Way, root: Formula, seeds: list[np.ndarray]) -> Path:
    """All paths that come by the same last step: the derivative of the root by what stands there, and that step."""
    last = way.quantities[0]
    trail = _trail(between, names, way, is_summed=True)
    own = [_factor(between, names, step) for step in way.steps]
    whole: list[Factor] = []
    if last not in between.roots and way.arrived is not None:
        known = len(seeds) == 1 and seeds[0].size == 1 and seeds[0].any()
        derivative = way.arrived.reshape(1, -1) / seeds[0].ravel() if known else None
        whole = [Factor(root, names.of(last), derivative, total=True, shapes=((), last.shape))]
    elif own:
        own = [replace(own[0], direct=True)]
    return Path((*whole, *own), way.gradient, seeds[0], trail, root)


def _trail(between: Between, names: Names, way: Way, is_summed: bool) -> Trail:
    """Where a way is to be seen, its end if it is long; of one that sums up all that come by its last step, these."""
    if not is_summed:
        return names.trail(way.quantities[-MOST_SEEN:], way.steps[-MOST_SEEN:])
    above = between.above(way.quantities[0])[-MOST_SEEN:]
    known = set(above)
    inner = [(of, by, 0) for of in above for by in between.sources[of] if by in known]
    return names.trail([*above, between.target], [*inner, *way.steps])


def _factor(between: Between, names: Names, step: Step) -> Factor:
    of, by, turn = step
    rule = names.derivative(step)
    law = None if rule else names.law(step)
    shapes = of.shape, by.shape
    return Factor(names.of(of), names.by(step), between.jacobian(step), rule, law=law, shapes=shapes, turn=turn)


def _jump(factors: list[Factor]) -> Factor:
    jacobians = [factor.jacobian for factor in factors]
    known = [jacobian for jacobian in jacobians if jacobian is not None]
    whole = reduce(np.matmul, known) if len(known) == len(jacobians) else None
    shapes = factors[0].shapes[0], factors[-1].shapes[1]
    return Factor(factors[0].of, factors[-1].by, whole, jumps=True, shapes=shapes)


# ------------------------------------------------------------ a node


def _step(program: Program, trace: Trace, position: int) -> Steps[NodeStep]:
    event = trace.events[position - 1]
    line = trace.line_at(position)
    assert event.node is not None
    record = trace.nodes[event.node]
    session = Session(Program(), budget=0)
    yield from _run_until(session, program, event.statement if line is None else line, event.pass_)
    names = Names(program, session)
    node = _node(session, trace, event, position)
    ports = [port for port, gradient in enumerate(event.incoming) if gradient is not None]
    incoming = event.incoming[ports[0]] if ports else None
    found: list[Outgoing] = []
    of = Quantity(node, ports[0] if ports else 0) if node is not None else None
    if of is not None:
        for (by, turn), gradient in _outgoing(of.node, event).items():
            between = Between([of], by, _each_alone)
            yield from between.prepare()
            step_ = of, by, turn
            found.append(Outgoing(_factor(between, names, step_), gradient, names.trail([of, by], [step_])))
            yield
    named = NOTHING if of is None else names.of(of)
    counted = tuple(names.counted())
    return NodeStep(record.name, record.statement, named, incoming, tuple(found), names.incoming, counted)


def _outgoing(node: Node, event: Event) -> dict[tuple[Quantity, int], np.ndarray | None]:
    """What goes out of a node, by what it is the gradient of and the turn: an operator may have an input twice."""
    sent = [(Quantity(edge, port), place) for place, (edge, port) in enumerate(node.next_functions) if edge is not None]
    turns = Counter(by for by, _ in sent)
    found: dict[tuple[Quantity, int], np.ndarray | None] = {}
    for by, place in sent:
        turn = 1 + sum(other == by for other, _ in sent[: sent.index((by, place))]) if turns[by] > 1 else 0
        found[by, turn] = event.outgoing[place] if place < len(event.outgoing) else None
    return found


def _node(session: Session, trace: Trace, event: Event, position: int) -> Node | None:
    """The node of an event, in the other session; None for one that the backward itself made."""
    began = _beginning(trace, event.statement, event.pass_, position)
    if began is None:
        return None
    roots = [_quantity(session, number) for number in began.tensors if number is not None]
    seen = {root.node: None for root in roots if root is not None}
    stack = list(seen)
    wanted = trace.nodes[event.node] if event.node is not None else None
    while stack:
        node = stack.pop()
        if not node.accumulates and session.record_of(node) == wanted:
            return node
        for edge in node.edges:
            if edge is not None and edge not in seen:
                seen[edge] = None
                stack.append(edge)
    return None


# ------------------------------------------------------------ the other session


def _run_until(session: Session, program: Program, line: int, pass_: int = 0) -> Steps[None]:
    """Let ``session`` run what comes before a pass of ``line``."""
    session.update(program)
    session.stop_before(line, pass_)
    while not session.advance(SLICE) and not session.is_held:
        yield


def _beginning(trace: Trace, statement: int, pass_: int, before: int | None = None) -> Event | None:
    """The event with which the backward of a line began in a pass, the last one ``before`` a position."""
    span = trace.events_of_pass(statement, pass_)
    stop = span.stop if before is None else min(before, span.stop)
    kinds = trace.kinds(span.start, stop)
    last = next((at for at in range(len(kinds) - 1, -1, -1) if kinds[at] is EventKind.BACKWARD_BEGAN), None)
    return None if last is None else trace.events[span.start + last]


def _roots(session: Session, began: Event) -> tuple[list[Quantity], list[np.ndarray]]:
    """Where a backward begins, and with which gradients."""
    roots, seeds = [], []
    for number, seed in zip(began.tensors, began.incoming, strict=False):
        root = None if number is None else _quantity(session, number)
        if root is not None:
            roots.append(root)
            seeds.append(np.ones(root.shape, root.node.expects()[root.port][1]) if seed is None else seed)
    return roots, seeds


def _quantity(session: Session, number: int) -> Quantity | None:
    tensor = session.live(number)
    node = None if tensor is None else gradient_edge_of(tensor)
    return None if tensor is None or node is None else Quantity(node, tensor.output_nr)


class _Groups:
    """Says which nodes belong to one line, in one pass of it; those that a backward made stand alone."""

    def __init__(self, program: Program, session: Session) -> None:
        self._program = program
        self._session = session

    def __call__(self, node: Node) -> Hashable:
        record = self._session.record_of(node)
        statement = self._program.statements.get(record.statement)
        if node.accumulates or statement is None or statement.kind not in (Kind.OP, Kind.LEAF, Kind.ALIAS):
            return node
        return record.statement, record.pass_


def _each_alone(node: Node) -> Hashable:
    return node
