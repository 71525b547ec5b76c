"""The errors of autograd, in PyTorch's words, each made with what is at fault attached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chalkgrad.engine.base import maker_of_result, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.errors import blame

if TYPE_CHECKING:
    from chalkgrad.engine.base import TensorBase
    from chalkgrad.engine.graph import Node

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
FREED_BEFORE_HOOKS = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
    "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through "
    "the graph a second time or if you need to access saved variables after calling backward."
)
ABOUT_FREED = frozenset({FREED, FREED_BEFORE_HOOKS})
"""The errors that say that a backward let go of what is needed now."""

DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please "
    "use out-of-place `.detach()` instead"
)
HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
TRACED_HINT = (
    "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in "
    "question was changed in there or anywhere later. Good luck!"
)
NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)
PASSED_AND_SAVED = (
    "An input that has been returned as-is as output is being saved for backward. This is not supported if you "
    "override setup_context. You should return and save a view of the input instead, e.g. with x.view_as(x) or setup "
    "ctx inside the forward function itself."
)
VOLATILE = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
CREATE_GRAPH = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
    "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
    "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the "
    "cycle and avoid the leak."
)
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
    "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be "
    "called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
    "torch/optim/optimizer.py as the solution."
)
INTEGRAL_GRAD = "Only Tensors of floating point and complex dtype can require gradients"
FLAG_OF_NON_LEAF = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph "
    "that doesn't require differentiation use var_no_grad = var.detach()."
)
TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
COPY_CONSTRUCT = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)
NOT_DEEPCOPIED = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you "
    "were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
    "https://github.com/pytorch/pytorch/pull/103001"
)
NOT_DIFFERENTIATED = (
    "{}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
    "grad."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
    "autograd, or "
    "use `torch.no_grad()` instead of `torch.inference_mode()`."
)
INFERENCE_WRITTEN = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)
TAKEN_TWICE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the autograd.Function. "
    "Either access saved_tensors only once, or set clear_saved_tensors_on_access=False."
)
ONCE = "trying to differentiate twice a function that was marked with @once_differentiable"
DIRTY_NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified "
    "inplace must all be outputs of the Function."
)
DIRTY_VIEW_AMONG_OTHERS = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
    "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is "
    "not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it "
    "into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other "
    "operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)
DIRTY_NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
    "passed to ctx.mark_dirty()."
)
SECOND_HOOKS = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is "
    "allowed at a time."
)
PACK_WROTE = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
    "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to "
    "perform in-place operations on the input to a pack hook."
)
_AMBIGUOUS = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {} block (if you don't want the inplace to be tracked) or "
    "both outside (if you want the inplace to be tracked)."
)
_CUSTOM_VIEW = (
    " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic "
    "to handle view+inplace would override the custom backward associated with the custom Function, leading to "
    "incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
)
BLOCKED_VIEWS = frozenset({"no_grad", "inference", "custom"})
"""The ways of making a view after which it may not be written."""

_MANY_VIEWS = (
    " This view is the output of a function that returns multiple views. Such functions do not allow the output views "
    "to be modified inplace. You should replace the inplace operation by an out-of-place one."
)


def freed(node: Node, name: str | None = None) -> RuntimeError:
    """The saved values of ``node`` are gone: a second backward, or a look at them."""
    return blame(RuntimeError(FREED), node=node, name=name)


def overwritten(node: Node, tensor: TensorBase, name: str, now: int, then: int) -> RuntimeError:
    """What ``node`` saved as ``name`` has been written since; ``tensor`` says which it is."""
    kind = dtype_of(tensor.array).tensor_type
    maker = tensor.node if name != "result" else node
    named = maker_of_result(node) if maker is node else maker
    origin = f", which is output {tensor.output_nr} of {named._short_name()}," if named is not None else ""
    text = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind} {list(tensor.array.shape)}]{origin} is at version {now}; expected version {then} instead. "
        f"{TRACED_HINT if state.anomaly else HINT}"
    )
    writer = None if maker is None or maker.seq <= node.seq else maker
    return blame(RuntimeError(text), node=node, tensor=tensor, name=name, version=now, expected=then, writer=writer)


def detached(node: Node, tensor: TensorBase, name: str) -> RuntimeError:
    """What ``node`` saved as ``name`` was cut off with ``detach_()`` since."""
    return blame(RuntimeError(DETACHED), node=node, tensor=tensor, name=name)


def leaf_written(tensor: TensorBase, view: bool) -> RuntimeError:
    """An in-place operator on a leaf that requires grad, or on a view of one."""
    what = "a view of a leaf Variable" if view else "a leaf Variable"
    return blame(RuntimeError(f"{what} that requires grad is being used in an in-place operation."), tensor=tensor)


def blocked_view_written(tensor: TensorBase, node: Node | None, made: str, indirectly: bool) -> RuntimeError:
    """A view that may not be written, by how it was ``made``, was written directly or by way of its base."""
    what = "its base or another view of its base has been" if indirectly else "is being"
    if made == "custom" and node is not None:
        text = f"Output {tensor.output_nr} of {node._short_name()} is a view and {what} modified inplace.{_CUSTOM_VIEW}"
        return blame(RuntimeError(text), tensor=tensor, node=node)
    if made == "custom":
        text = f"A view was created in no_grad mode and {what} modified inplace with grad mode enabled.{_CUSTOM_VIEW}"
        return blame(RuntimeError(text), tensor=tensor)
    mode, place = ("inference", "in normal mode") if made == "inference" else ("no_grad", "with grad mode enabled")
    block = "inference_mode" if made == "inference" else mode
    if node is None:
        start = f"A view was created in {mode} mode"
    else:
        output = f"Output {tensor.output_nr} of {node._short_name()}"
        start = f"{output} is a view of a view which was created in {mode} mode"
    text = f"{start} and {what} modified inplace {place}. {_AMBIGUOUS.format(block)}"
    return blame(RuntimeError(text), tensor=tensor, node=node)


def one_of_many_views_written(tensor: TensorBase, node: Node | None, indirectly: bool) -> RuntimeError:
    """One view out of several that an operator returned was written."""
    what = f"and {'its base or another view of its base has been' if indirectly else 'is being'} modified inplace"
    if node is None:  # PyTorch takes one without history for one that was made under no_grad
        text = f"A view was created in no_grad mode {what} with grad mode enabled.{_MANY_VIEWS}"
    else:
        text = f"Output {tensor.output_nr} of {node._short_name()} is a view {what}.{_MANY_VIEWS}"
    return blame(RuntimeError(text), tensor=tensor, node=node)


def freed_before_hooks(node: Node) -> RuntimeError:
    """Hooks for a saved tensor that is gone."""
    return blame(RuntimeError(FREED_BEFORE_HOOKS), node=node)


# Checkpoints

_CHECKPOINT_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""
UNPACKED_TWICE = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are calling "
    "ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with details on your "
    "use case."
)
MORE_SAVED = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n"
    + _CHECKPOINT_TIP
)
REENTRANT_PARTLY = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
    ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing "
    "the `inputs` argument."
)


def other_number_saved(first: int, second: int) -> str:
    """A checkpoint saved another number of tensors when it ran again."""
    return (
        "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation."
        f"\nNumber of tensors saved during forward: {first}\nNumber of tensors saved during recomputation: {second}.\n"
        f"{_CHECKPOINT_TIP}"
    )


def others_saved(differing: list[tuple[int, Any, Any]]) -> str:
    """A checkpoint saved tensors of another kind when it ran again: their places, and what both were like."""
    lines = "".join(
        f"tensor at position {place}:\nsaved metadata: {first}\nrecomputed metadata: {second}\n"
        for place, first, second in differing
    )
    return (
        "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
        f"forward pass.\n{lines}.\n{_CHECKPOINT_TIP}"
    )


BACKWARD_IN_TRANSFORM = (
    "backward() called inside a functorch transform. This is not supported, please use functorch.grad or functorch.vjp "
    "instead or call backward() outside of functorch transforms."
)
REQUIRES_GRAD_IN_TRANSFORM = (
    "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs) inside of "
    "a function being transformed by a functorch transform. This is unsupported, please attempt to use the functorch "
    "transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
    "transformed instead."
)
FUNCTION_IN_TRANSFORM = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override "
    "the setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
)
HOOKS_IN_TRANSFORM = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an issue with your use "
    "case."
)

BATCH_MISMATCH = (
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The "
    "sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was "
    "detected: "
    "grad_output[{}] has a shape of {} and output[{}] has a shape of {}. If you only want some tensors in "
    "`grad_output` to be considered batched, consider using vmap."
)


NO_ROWS = (
    "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of dimensionality 0 "
    "so expected in_dim to satisfy 0 <= in_dim < 0."
)
