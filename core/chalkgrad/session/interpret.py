"""The interpreter: executes one statement after the other on the engine, as PyTorch's own line would.

There is no text and no ``exec``: a statement's kind says what to do, and tables say what may be called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from chalkgrad.engine.graph import TensorBase, state
from chalkgrad.engine.handle import RemovableHandle
from chalkgrad.engine.record import OPS
from chalkgrad.engine.results import return_type
from chalkgrad.engine.tensor import Tensor
from chalkgrad.optim.optimizer import Optimizer
from chalkgrad.program import hooks
from chalkgrad.program.optimizers import class_of
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import ACTIONS, UPDATES, is_recording
from chalkgrad.session.backward import Backward, begin_backward, begin_grad
from chalkgrad.session.calls import as_tensor, function, make_leaf, operate
from chalkgrad.session.hook_calls import Hook
from chalkgrad.session.plain import PlainLines
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.scope import Scope, evaluate, source

NODES_AT_A_TIME = 32
"""How many nodes of a backward run between two chances to stop."""

ASSIGNABLE = frozenset({"grad", "requires_grad", "data"})
WEIGHTS = ("gradient", "grad_tensors", "grad_outputs")

Steps = Iterator[None]


class Interpreter:
    """Executes statements of a program in a scope and tells a recorder what came of them."""

    def __init__(self, program: Program, recorder: Recorder, plain: PlainLines | None = None) -> None:
        self.program = program
        self.scope = Scope()
        self._recorder = recorder
        self._passes: dict[int, int] = {}
        self._plain = plain or PlainLines()

    def run(self, statement: Statement) -> Steps | None:
        """Execute one statement, raising what PyTorch raises.

        A long one comes as steps, between which one may stop for a while; any other is done at once, which is None.
        """
        self._enter(statement.block)
        return WAYS[statement.kind](self, statement)

    def run_plainly(self, statement: Statement) -> bool:
        """Execute a plain line, which is over then; False where it is none, or something that it needs isn't there."""
        line, scope, recorder = self._plain.of(statement), self.scope, self._recorder
        if line is None or (scope.in_place and not scope.in_place.isdisjoint(line.makers)):
            return False
        values, operands = scope.values, []
        for key, value in line.operands:
            if key is None:
                operands.append(value)
                continue
            found = values.get(key)
            if found is None:
                return False
            operands.append(found)
        recorder.begin(statement.id)
        if state.inference or not state.grad:
            self._enter()
        result = line.way(operands, line.options)
        if line.single:
            values[statement.id, 0] = result
            recorder.came_to(result, statement.targets)
        else:
            self._made(statement, result)
            recorder.ended(statement.id)
        return True

    def _enter(self, *blocks: int | None) -> None:
        """Set the grad mode of a statement that stands in each of ``blocks``, or is executed by one that does."""
        modes = [self.program.modes(block) for block in blocks if block is not None]
        state.grad = not modes or all(is_recording(found) for found in modes)
        inference = bool(modes) and any("inference_mode" in found for found in modes)
        if inference != state.inference:
            state.inference = inference
            state.look_again()

    def value(self, operand: Operand) -> object:
        """What an operand means now."""
        return evaluate(self.program, self.scope, operand)

    # ------------------------------------------------------------ kinds

    def _leaf(self, statement: Statement) -> None:
        operands, options = self._arguments(statement)
        self._made(statement, make_leaf(statement.call, operands, options))

    def _operator(self, statement: Statement) -> None:
        operands, options = self._arguments(statement)
        self._made(statement, operate(statement.call, statement.style, operands, options))

    def _attribute(self, statement: Statement) -> None:
        target, *arguments = [self.value(operand) for operand in statement.operands]
        if isinstance(target, Tensor) and statement.call == hooks.CALL:
            handle = target.register_hook(*[Hook(str(text), self._recorder.printed) for text in arguments])
            self._recorder.flags_changed(target)
            if statement.targets:
                self._made(statement, handle)
                return
        elif isinstance(target, RemovableHandle) and statement.call == hooks.REMOVE:
            target.remove()
            self._tell_unhooked(statement.operands[0])
        elif statement.call in ACTIONS:
            getattr(target, statement.call)(*arguments)
        else:
            raise AttributeError(f"'{type(target).__name__}' object has no attribute '{statement.call}'")
        self._done()

    def _tell_unhooked(self, hook: Operand) -> None:
        """The tensor whose hook was removed looks otherwise, if there still is a name for it."""
        hooked = self.program[hook.statement].operands[0] if isinstance(hook, Ref) else None
        found = None if not isinstance(hooked, Ref) else source(self.program, hooked)
        tensor = None if found is None else self.scope.values.get((found.statement, found.output))
        if isinstance(tensor, TensorBase):
            self._recorder.flags_changed(tensor)

    def _assign(self, statement: Statement) -> None:
        target, value = (*statement.operands, None)[:2]
        if statement.call not in ASSIGNABLE:
            raise AttributeError(f"'Tensor' object has no attribute '{statement.call}'")
        found = self.value(value)
        plain = found is None or isinstance(found, bool) or isinstance(value, Ref)
        setattr(self.value(target), statement.call, found if plain else as_tensor(found))
        self._done()

    def _alias(self, statement: Statement) -> None:
        self._made(statement, self.value(statement.operands[0]))

    def _delete(self, statement: Statement) -> None:
        names = list(statement.targets)
        for operand in statement.operands:
            if isinstance(operand, Ref):
                self.value(operand)
                self._forget(source(self.program, operand))
                made = self.program[operand.statement].targets
                if not names and not operand.path and operand.output < len(made):
                    names.append(made[operand.output])
        self._done()
        for name in names:
            self._recorder.unbound(name)

    def _backward(self, statement: Statement) -> Steps:
        options = {name: self._option(name, value) for name, value in statement.options}
        weights = next((options.pop(name) for name in WEIGHTS if name in options), None)
        roots = self.value(statement.operands[0]) if statement.operands else []
        if len(statement.operands) > 1:
            roots = [self.value(operand) for operand in statement.operands]
        if statement.style == "method" and not isinstance(roots, TensorBase):
            raise AttributeError(f"'{type(roots).__name__}' object has no attribute 'backward'")
        yield from _driven(begin_backward(roots, weights, options))
        self._done()

    def _grad(self, statement: Statement) -> Steps:
        outputs, inputs = (*statement.operands, (), ())[:2]
        options = {name: self._option(name, value) for name, value in statement.options}
        weights = next((options.pop(name) for name in WEIGHTS if name in options), None)
        work = begin_grad(self._few(outputs), self._few(inputs), weights, options)
        yield from _driven(work)
        found = work.gradients()
        self.scope.bind(statement.id, found)
        self._recorder.ran(found, statement.targets)

    def _again(self, statement: Statement) -> Steps:
        line = statement.id
        for id_ in self.program.again(line):
            member = self.program[id_]
            if member.is_waiting or not all(self.scope.has(source(self.program, ref)) for ref in member.refs()):
                continue
            self._passes[id_] = self._passes.get(id_, 0) + 1
            self._recorder.statement, self._recorder.pass_ = id_, self._passes[id_]
            self._enter(statement.block, member.block)
            self._operator(member)
            yield
        self._recorder.resume(line)
        self._done()

    def next_pass(self, id_: int) -> int:
        """Count one more pass of a line that is going to run; the number of this pass, from 0."""
        number = self._passes[id_] = self._passes.get(id_, -1) + 1
        return number

    def _optimizer(self, statement: Statement) -> None:
        parameters, options = self._arguments(statement)
        settings = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
        make: Callable[..., Optimizer] = class_of(statement.call)
        made = make(*parameters, **settings)
        self._made(statement, made)
        self._recorder.updated(statement.id, made)

    def _update(self, statement: Statement) -> None:
        (target,), options = self._arguments(statement)
        if statement.call not in UPDATES or not isinstance(target, Optimizer):
            raise AttributeError(f"'{type(target).__name__}' object has no attribute '{statement.call}'")
        getattr(target, statement.call)(**options)
        first = statement.operands[0]
        if isinstance(first, Ref):
            self._recorder.updated(source(self.program, first).statement, target)
        self._done()

    def _print(self, statement: Statement) -> None:
        values = [self._printed(operand) for operand in statement.operands]
        separator, end = statement.option("sep", " "), statement.option("end", "\n")
        texts = [str(tuple(value) if isinstance(value, list) else value) for value in values]
        text = (" " if separator is None else str(separator)).join(texts)
        self._recorder.printed(text if end in (None, "\n") else text + str(end), values)
        self._done()

    def _printed(self, operand: Operand) -> object:
        """What an operand of a print means: all that one operator made has the names that PyTorch gives it."""
        value = self.value(operand)
        whole = self.program.printed_whole(operand)
        if whole is None or not isinstance(value, list):
            return value
        record = OPS[whole.call]
        return return_type(str(record.returns), record.outputs)(value)

    def _seed(self, statement: Statement) -> None:
        function("torch.manual_seed")(*[self.value(operand) for operand in statement.operands])
        self._done()

    def _comment(self, statement: Statement) -> None:
        self._done()

    # ------------------------------------------------------------ inside

    def _made(self, statement: Statement, result: object) -> None:
        """Bind what a statement came to; several targets take a tuple apart."""
        record = OPS.get(statement.call) if statement.kind is Kind.OP else None
        several = len(statement.targets) > 1 or (record is not None and not record.outputs)
        values: Sequence[object] = result if several and isinstance(result, tuple) else (result,)
        if several and record is not None and len(values) != len(statement.targets):
            raise ValueError(_miscounted(len(values), len(statement.targets)))
        self.scope.bind(statement.id, values)
        if statement.call.endswith("_"):
            self.scope.in_place.add(statement.id)
        self._recorder.ran(values, statement.targets)

    def _done(self) -> None:
        self._recorder.ran((), ())

    def _forget(self, ref: Ref) -> None:
        if ref.path:
            setattr(self.value(Ref(ref.statement, ref.output, ref.path[:-1])), ref.path[-1], None)
        else:
            self.scope.delete(ref)

    def _arguments(self, statement: Statement) -> tuple[list[object], dict[str, object]]:
        operands = [self.value(operand) for operand in statement.operands]
        return operands, {name: self.value(value) for name, value in statement.options}

    def _option(self, name: str, value: Operand) -> object:
        """A keyword argument of a backward; the weights of the roots are tensors."""
        if name in WEIGHTS:
            return as_tensor(self.value(value))
        return self._few(value) if name == "inputs" else self.value(value)

    def _few(self, operand: Operand) -> object:
        """One tensor as it is, several as a list."""
        if isinstance(operand, tuple) and len(operand) == 1:
            return self.value(operand[0])
        return self.value(operand)


def _miscounted(given: int, wanted: int) -> str:
    """What Python says when as many names don't stand on the left."""
    if given > wanted:
        return f"too many values to unpack (expected {wanted})"
    return f"not enough values to unpack (expected {wanted}, got {given})"


def _driven(work: Backward) -> Steps:
    """Run a backward to its end, some nodes at a time."""
    while not work.advance(NODES_AT_A_TIME):
        yield


WAYS: Mapping[Kind, Callable[[Interpreter, Statement], Steps | None]] = {
    Kind.LEAF: Interpreter._leaf,
    Kind.OP: Interpreter._operator,
    Kind.ATTRIBUTE: Interpreter._attribute,
    Kind.ASSIGN: Interpreter._assign,
    Kind.ALIAS: Interpreter._alias,
    Kind.DELETE: Interpreter._delete,
    Kind.BACKWARD: Interpreter._backward,
    Kind.GRAD: Interpreter._grad,
    Kind.AGAIN: Interpreter._again,
    Kind.OPTIMIZER: Interpreter._optimizer,
    Kind.UPDATE: Interpreter._update,
    Kind.PRINT: Interpreter._print,
    Kind.SEED: Interpreter._seed,
    Kind.COMMENT: Interpreter._comment,
}
"""What each kind does. No table of bound methods: an interpreter that refers to itself would outlive its run."""
