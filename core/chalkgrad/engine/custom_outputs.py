"""What becomes of the results of a learner's ``forward``: the node behind them, views, what it has overwritten."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, state, version_of
from chalkgrad.engine.custom import CustomNode
from chalkgrad.engine.inplace import check_view_writable, set_history
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.recording import announce_node
from chalkgrad.engine.warning import warn_once
from chalkgrad.errors import blame


def wrap_outputs(ctx: CustomNode, args: tuple[Any, ...], results: Any, two_parts: bool = False) -> Any:
    """The results of ``forward``, one or a tuple, with ``ctx`` as their grad_fn, and what was to be saved, saved.

    ``two_parts`` says that it was ``setup_context`` that said what to save.
    """
    found = results if isinstance(results, tuple) else (results,)
    dirty, constant = _ids_of(ctx, "dirty_tensors"), _ids_of(ctx, "non_differentiable")
    if not dirty <= {id(result) for result in found}:
        raise RuntimeError(messages.DIRTY_NOT_RETURNED)
    for tensor in ctx.dirty_tensors or ():
        counter_of(tensor).version += 1
    inputs = {id(arg) for arg in args if isinstance(arg, TensorBase)}
    saved = _ids_to_save(ctx) if two_parts else frozenset()
    ctx._note_results(found, constant)
    wrapped: list[Any] = []
    for number, one in enumerate(found):
        if isinstance(one, TensorBase):
            differentiable = ctx._leaves_a_node and id(one) not in constant and one.array.dtype.kind == "f"
            is_dirty = id(one) in dirty
            if is_dirty and differentiable:
                _check_dirty(one, id(one) in inputs, alone=len(found) == 1)
            elif id(one) in saved & inputs and (differentiable or not requires_grad_of(one)) and not is_dirty:
                raise blame(RuntimeError(messages.PASSED_AND_SAVED), tensor=one)
            one = _wrapped(ctx, number, one, id(one) in inputs, is_dirty, differentiable)
        wrapped.append(one)
    _guard_views(wrapped)
    ctx._keep_saved()
    if state.watched:
        _announce(ctx, args, tuple(one for one in wrapped if isinstance(one, TensorBase)))
    ctx.dirty_tensors = ctx.non_differentiable = None
    return tuple(wrapped) if isinstance(results, tuple) else wrapped[0]


def _ids_of(ctx: CustomNode, mark: str) -> set[int]:
    """The tensors that ``forward`` marked, by id."""
    marked = getattr(ctx, mark) or ()
    for tensor in marked:
        if not isinstance(tensor, TensorBase):
            raise RuntimeError(_NOT_MARKABLE[mark])
    return {id(tensor) for tensor in marked}


def _ids_to_save(ctx: CustomNode) -> frozenset[int]:
    """The tensors that are to be saved, by id: what of them is an input and an output can't be told apart later."""
    lists = (ctx.to_save, getattr(ctx, "saved_for_forward", None))
    return frozenset(id(one) for saved in lists if isinstance(saved, tuple) for one in saved)


_NOT_MARKABLE = {
    "dirty_tensors": "mark_dirty can only accept variables, but argument ",
    "non_differentiable": "mark_non_differentiable only accepts variable arguments, but got ",
}


def _wrapped(
    ctx: CustomNode, number: int, one: TensorBase, is_input: bool, is_dirty: bool, differentiable: bool
) -> TensorBase:
    """Output ``number`` of the forward with its place in the graph."""
    if is_input and not is_dirty:
        one = passed_through(one)
    if not differentiable:
        if requires_grad_of(one) and (is_input or (ctx._leaves_a_node and not is_dirty)):
            return _cut_off(one)
        if not is_dirty:
            _mark_view(one)
        return one
    if is_dirty:
        set_history(one, ctx, ())
        if one.node is ctx and number:
            meta_of(one).output_nr = number
        return one
    one.node = ctx
    if number or one.meta is not None:
        meta_of(one).output_nr = number
    _mark_view(one)
    return one


def _check_dirty(tensor: TensorBase, is_input: bool, *, alone: bool) -> None:
    """Warn of a marked output that was no input; raise for a leaf, and a view among others or guarded."""
    if not is_input:
        warn_once(messages.DIRTY_NO_INPUT)
    if tensor.node is None and requires_grad_of(tensor):  # as it is: a view that was written otherwise is none
        text = "a leaf Variable that requires grad has been used in an in-place operation."
        raise blame(RuntimeError(text), tensor=tensor)
    if not alone and tensor.meta is not None and tensor.meta.view is not None:
        raise blame(RuntimeError(messages.DIRTY_VIEW_AMONG_OTHERS), tensor=tensor)
    check_view_writable(tensor)


def _mark_view(tensor: TensorBase) -> None:
    """A view that comes out of a learner's function may not be written."""
    if tensor.meta is not None and tensor.meta.view is not None:
        tensor.meta.view.made = "custom"
        tensor.meta.view.version = version_of(tensor)


def passed_through(tensor: TensorBase) -> TensorBase:
    """Another tensor on the same memory, for an input that was returned as it came."""
    made = new_tensor(tensor.array.view())
    made.counter = counter_of(tensor)
    known = None if tensor.meta is None else tensor.meta.view
    meta_of(made).view = View(tensor if known is None else known.base, "grad", version_of(tensor))
    return made


def _cut_off(tensor: TensorBase) -> TensorBase:
    """``tensor`` without history, where it was said to have no gradient."""
    made = new_tensor(tensor.array)
    made.counter = counter_of(tensor)
    return made


def _guard_views(outputs: list[Any]) -> None:
    """Of several outputs with gradients, none that is a view may be written."""
    recorded = [one for one in outputs if isinstance(one, TensorBase) and one.node is not None]
    if len(recorded) > 1:
        for one in recorded:
            if one.meta is not None and one.meta.view is not None and one.meta.view.made == "custom":
                one.meta.view.made = "many"


def _announce(ctx: CustomNode, args: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
    """Tell those who watch about the results, which ``forward``'s own operators have told of already, and the node."""
    if not ctx._leaves_a_node:
        return
    announce_node(ctx, tuple(arg for arg in args if isinstance(arg, TensorBase)), outputs)
    if state.observer is not None:
        for output in outputs:
            state.observer.flags_changed(output)
