"""Shapes and dtypes known without running: read off the lines, operator by operator, by the rule in its record."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

import numpy as np

import chalkgrad.ops  # noqa: F401  fills OPS
from chalkgrad.engine.dtype import DTYPES, FLOATING, can_cast, get_default_dtype, result_type
from chalkgrad.engine.record import OPS, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.program.known import Fact, Input, Known, Number, ShapeProblem, Unknown
from chalkgrad.program.leaf_shapes import leaf
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Dtype, Kind, Operand, Ref, Statement

BY_VALUE = frozenset(
    {"argwhere", "bincount", "masked_select", "nonzero", "repeat_interleave", "unique", "unique_consecutive"}
    | {"getitem_at", "where_nonzero", "unique2", "unique_dim", "unique_runs"}
)
"""Operators whose shapes depend on the values."""

LARGEST = 4096
"""Results of inputs with more elements than this are not worked out."""

Output = tuple[int, int]

Ran = Callable[[int, int], Known | None]
"""Tells what a run knows of an output, given by its statement and its number."""


def infer(program: Program) -> Mapping[Output, Fact]:
    """Shape and dtype of every output where the lines tell, or what is wrong; the rest is left out."""
    for known, facts in _recent:
        if known is program:
            return facts
    found = _Inference(program, before=_recent[-1] if _recent else None).facts
    _recent.append((program, found))
    return found


def output_count(program: Program, statement: Statement) -> int | None:
    """How many tensors a statement that is not in the program yet would make there; None where nothing tells."""
    inference = _Inference(program, run=False)
    inference.facts = dict(infer(program))
    facts = inference.outputs(statement)
    return len(facts) or None


def nothing_ran(_id: int, _output: int) -> None:
    """What is known of outputs from a run where there was none."""


def wire_problem(program: Program, consumer: int, port: int, source: Ref, ran: Ran = nothing_ran) -> str | None:
    """PyTorch's message if ``source`` were wired to a port of ``consumer``; None where nothing is known to be wrong."""
    return problem_of(program, program[consumer].with_port(port, source), ran)


def problem_of(program: Program, statement: Statement, ran: Ran = nothing_ran) -> str | None:
    """PyTorch's message if a line of the program were ``statement``; None where nothing is known to be wrong.

    What ``ran`` tells of the tensors that it reads need not be worked out from all lines above.
    """
    if statement.kind not in (Kind.LEAF, Kind.OP) or statement.is_waiting:
        return None
    fact = next(iter(_knowing_needs(program, statement, ran).outputs(statement)), None)
    return fact.message if isinstance(fact, ShapeProblem) else None


@lru_cache(maxsize=4096)
def is_refused(name: str, inputs: tuple[Known, ...]) -> bool:
    """True when PyTorch would refuse an operator's first ``inputs``, whatever its other arguments are.

    False also where nothing tells: when an argument is needed that has no default.
    """
    record = OPS[name]
    given = (inputs,) if record.inputs == ("tensors",) else inputs
    missing = [source for source in record.inputs[len(given) :] if source not in record.optional]
    if missing or any(attribute.required for attribute in record.attributes):
        return False
    try:
        operator(record, given, {attribute.name: attribute.default for attribute in record.attributes})
    except (RuntimeError, IndexError):
        return True
    except (Unknown, TypeError, ValueError):
        return False
    return False


REFUSED = (RuntimeError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What computing raises of shapes and values that don't do: AttributeError of a number where a tensor is wanted."""

_recent: deque[tuple[Program, Mapping[Output, Fact]]] = deque(maxlen=4)


def _is_comparable(before: Program, program: Program) -> bool:
    """True where lines have kept their order, and none may change what is known of one before it."""
    if any(statement.kind in (Kind.AGAIN, Kind.ASSIGN) for statement in (*before, *program)):
        return False
    return [id_ for id_ in before.order if id_ in program] == [id_ for id_ in program.order if id_ in before]


def _knowing_needs(program: Program, statement: Statement, ran: Ran) -> _Inference:
    """What is known of all that a statement needs, and of no more where nothing is known of the program yet.

    It is kept: while a wire is drawn, this is asked of one port after the other.
    """
    inference = next((kept for kept in _partly if kept.program is program), None)
    if inference is None:
        inference = _Inference(program, run=False)
        is_known = any(known is program for known, _ in _recent)
        if is_known or any(line.kind in (Kind.AGAIN, Kind.ASSIGN) for line in program):
            inference.facts, inference.learned = dict(infer(program)), set(program.statements)
        _partly.append(inference)
    made = [program.maker(ref) for ref in statement.refs()]
    read = {ref.statement for ref in made if ref.statement in program and not inference.knows(ref, ran)}
    needed = read.union(*map(program.needs, read)) - inference.learned
    for id_ in sorted(needed, key=program.positions.__getitem__):
        inference.learn(program[id_])
    inference.learned |= needed
    return inference


class _Inference:
    """Goes through the statements in order and keeps what is known of each output."""

    def __init__(
        self, program: Program, run: bool = True, before: tuple[Program, Mapping[Output, Fact]] | None = None
    ) -> None:
        self.program = program
        self.facts: dict[Output, Fact] = {}
        self.learned: set[int] = set()
        if run and before is not None and _is_comparable(before[0], program):
            self._take_over(*before)
        elif run:
            for statement in program:
                self.learn(statement)

    def _take_over(self, before: Program, known: Mapping[Output, Fact]) -> None:
        """Keep what was known of lines that are as they were and get what they got; look at the others anew."""
        others = {id_ for id_ in before.statements if id_ not in self.program}
        for statement in self.program:
            id_, number = statement.id, 0
            is_same = before.statements.get(id_) is statement
            if is_same and not any(ref.statement in others for ref in statement.refs()):
                while (fact := known.get((id_, number))) is not None:
                    self.facts[id_, number] = fact
                    number += 1
                continue
            self.learn(statement)
            while (fact := known.get((id_, number))) is not None and fact == self.facts.get((id_, number)):
                number += 1
            if fact is not None or (id_, number) in self.facts or self.program.writes(statement):
                others.add(id_)

    def knows(self, made: Ref, ran: Ran) -> bool:
        """True where there is no more to be known of a tensor: it was there in a run, or its line was looked at."""
        if made.statement in self.learned:
            return True
        output = (made.statement, made.output)
        if output not in self.facts and (known := ran(*output)) is not None:
            self.facts[output] = known
        return output in self.facts

    def learn(self, statement: Statement) -> None:
        """Keep what is known of a statement's outputs, and of what it changes."""
        for number, fact in enumerate(self.outputs(statement)):
            self.facts[statement.id, number] = fact
        if statement.kind is Kind.AGAIN:
            self._again(statement)
        if statement.kind is Kind.ASSIGN and statement.call == "data":
            self._new_data(*statement.operands)

    def _again(self, statement: Statement) -> None:
        """Lines that run again may make something else than before; whether they do only running tells."""
        for id_ in self.program.again(statement.id):
            made = self.program[id_]
            facts = self.outputs(made)
            for number in range(len(made.targets)):
                if facts[number : number + 1] != [self.facts.get((id_, number))]:
                    self.facts.pop((id_, number), None)

    def _new_data(self, target: Operand, value: Operand) -> None:
        """``w.data = value`` may change shape and dtype; whether it goes through only running tells."""
        if isinstance(target, Ref) and not target.path and self._known(target) != self._known(value):
            made = self.program.maker(target)
            self.facts.pop((made.statement, made.output), None)

    def outputs(self, statement: Statement) -> list[Fact]:
        """What is known of a statement's outputs; nothing where its inputs don't tell."""
        try:
            return list(self._made(statement))
        except Unknown:
            return []
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            return [ShapeProblem(type(error).__name__, str(error))]

    def _made(self, statement: Statement) -> Iterator[Fact]:
        if statement.kind is Kind.LEAF:
            yield leaf(statement, self._known)
        elif statement.kind is Kind.OP and statement.call in OPS:
            record = OPS[statement.call]
            inputs = [self._input(value) for value in statement.operands]
            if record.shape is not None and len(record.outputs) == 1:
                yield _of_trial(record, inputs, _attributes(statement))
            else:
                yield from tried(record.name, tuple(inputs), tuple(_attributes(statement).items()))
        elif statement.kind is Kind.ALIAS:
            yield self._tensor(statement.operands[0])
        elif statement.kind is Kind.GRAD and isinstance(statement.operands[1], tuple):
            yield from [self._tensor(member) for member in statement.operands[1]]

    def _input(self, operand: Operand) -> Input:
        if operand is None:
            return None
        if isinstance(operand, tuple):
            return tuple(self._tensor(member) for member in operand)
        if isinstance(operand, bool | int | float):
            return operand
        if isinstance(operand, Ref) and operand.path[-1:] == ("item()",):
            known = self._tensor(replace(operand, path=operand.path[:-1]))
            return 1.0 if DTYPES[known.dtype].is_floating_point else 1
        return self._tensor(operand)

    def _tensor(self, operand: Operand) -> Known:
        known = self._known(operand)
        if known is None:
            raise Unknown
        return known

    def _known(self, operand: Operand) -> Known | None:
        """What is known of the tensor that an operand means; a gradient has its tensor's shape and dtype."""
        if not isinstance(operand, Ref) or not set(operand.path) <= {"grad", "data"}:
            return None
        made = self.program.maker(operand)
        fact = self.facts.get((made.statement, made.output))
        return fact if isinstance(fact, Known) else None


# ---------------------------------------------------------------- operators


def operator(record: Record, inputs: Sequence[Input], attributes: Mapping[str, object]) -> Known:
    """Shape and dtype of an operator's result; raises what PyTorch would."""
    if record.shape is None:
        raise Unknown
    if record.name == "mean" and isinstance(inputs[0], Known) and attributes.get("dtype") is None:
        _reduced(record, inputs[0].dtype)  # PyTorch asks for a dtype it can average before it looks at the dimensions
    shapes = [_shape_of(value) for value in inputs]
    if record.section == "matrix" and [len(value.shape) for value in inputs if isinstance(value, Known)] == [1, 1]:
        _check_same(record, [value for value in inputs if isinstance(value, Known)])
    shape = tuple(record.shape(*shapes, **attributes))
    given = attributes.get("dtype")
    if isinstance(given, str):
        return Known(shape, given)
    members = [member for value in inputs for member in (value if isinstance(value, tuple) else (value,))]
    dtype = _dtype(record, [member for member in members if member is not None])
    return Known(shape, dtype)


def _of_trial(record: Record, inputs: Sequence[Input], attributes: Mapping[str, object]) -> Known:
    """What the rule says; the dtype of operators that don't promote is found by computing them from zeros."""
    known = operator(record, inputs, attributes)
    if record.promotes != "none" or record.writes or record.section == "matrix":
        return known
    try:
        (found,) = tried(record.name, tuple(inputs), tuple(attributes.items()))
    except Unknown:
        return known
    return found if found.shape == known.shape else known


@lru_cache(maxsize=1024)
def tried(name: str, inputs: tuple[Input, ...], attributes: tuple[tuple[str, object], ...]) -> tuple[Known, ...]:
    """Shapes and dtypes of all results, found by computing them from zeros; what values decide is not known."""
    record = OPS[name]
    drawn = any(attribute.name == "generator" for attribute in record.attributes)
    if drawn or name in BY_VALUE or any(_size_of(value) > LARGEST for value in inputs):
        raise Unknown
    named = {key: DTYPES[value] if key == "dtype" and isinstance(value, str) else value for key, value in attributes}
    try:
        with warnings.catch_warnings():  # nobody runs the line yet
            warnings.simplefilter("ignore")
            results = getattr(ARRAYS, name)(*(_zeros(value) for value in inputs), **named)
    except REFUSED:
        raise Unknown from None  # zeros may be refused where other values are not
    several = results if isinstance(results, tuple) else (results,)
    return tuple(Known(result.shape, result.dtype.name) for result in several)


def _size_of(value: Input) -> int:
    members = value if isinstance(value, tuple) else (value,)
    return sum(prod(member.shape) for member in members if isinstance(member, Known))


def _zeros(value: Input) -> object:
    if isinstance(value, tuple):
        return tuple(_zeros(member) for member in value)
    return np.zeros(value.shape, DTYPES[value.dtype].numpy) if isinstance(value, Known) else value


def _shape_of(value: Input) -> object:
    if isinstance(value, tuple):
        return tuple(member.shape for member in value)
    return value.shape if isinstance(value, Known) else ()


def _attributes(statement: Statement) -> dict[str, object]:
    if any(isinstance(value, Ref) for _, value in statement.options):
        raise Unknown
    defaults = {a.name: a.default for a in OPS[statement.call].attributes if not a.required}
    return defaults | {key: value.name if isinstance(value, Dtype) else value for key, value in statement.options}


def _dtype(record: Record, inputs: Sequence[Known | Number]) -> str:
    first = inputs[0]
    together = result_type([_stand_in(value) for value in inputs])
    if record.writes and isinstance(first, Known):
        if not can_cast(together, DTYPES[first.dtype]):
            target = DTYPES[first.dtype].scalar_type
            raise RuntimeError(f"result type {together.scalar_type} can't be cast to the desired output type {target}")
        return first.dtype
    if record.section == "compare":
        return "bool"
    if record.promotes == "float" and not together.is_floating_point:
        return get_default_dtype().name
    if record.promotes == "none" and isinstance(first, Known):
        _check_same(record, inputs)
        return _reduced(record, first.dtype)
    return _reduced(record, together.name)


def _reduced(record: Record, dtype: str) -> str:
    if DTYPES[dtype].kind == FLOATING:
        return dtype
    if record.name == "mean":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {DTYPES[dtype].scalar_type}"
        )
    return "int64" if record.name == "sum" else dtype


def _check_same(record: Record, inputs: Sequence[Known | Number]) -> None:
    """A product of matrices or vectors wants one dtype."""
    tensors = [value for value in inputs if isinstance(value, Known)]
    if record.section != "matrix" or len({tensor.dtype for tensor in tensors}) == 1:
        return
    one, other = (DTYPES[tensor.dtype] for tensor in tensors)
    ranks = [len(tensor.shape) for tensor in tensors]
    if ranks == [1, 1]:
        names = f"{one.scalar_type} and {other.scalar_type}"
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {names}")
    if ranks == [2, 2]:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {one.cpp} != {other.cpp}")
    raise Unknown


def _stand_in(value: Known | Number) -> np.ndarray | Number:
    """A tiny array that mixes with others as a tensor of that shape and dtype does."""
    if not isinstance(value, Known):
        return value
    return np.empty((0,) if value.shape else (), DTYPES[value.dtype].numpy)


_partly: deque[_Inference] = deque(maxlen=2)
"""What is known of programs of which only some lines were asked."""
