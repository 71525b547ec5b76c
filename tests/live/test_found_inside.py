"""What code that a backward calls sees of it, and what else PyTorch's own tests of autograd look at: the same here."""

from __future__ import annotations

import re

import pytest
from support.shown import outcome

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

SNIPPETS = {
    "the node at work, as every kind of hook sees it": """
x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(note)
y.grad_fn.register_prehook(note)
y.grad_fn.register_hook(note)
x.register_hook(note)
x.register_post_accumulate_grad_hook(note)
class Through(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.clone()
    @staticmethod
    def backward(ctx, g):
        show(torch._C._current_autograd_node() is ctx)
        return g
def unpack(a):
    note()
    return a
with torch.autograd.graph.saved_tensors_hooks(lambda a: a, unpack):
    z = Through.apply(y).exp().sum()
show(torch._C._current_autograd_node())
z.backward()
show(torch._C._current_autograd_node())
""",
    "the node at work of a backward within another": """
x = torch.ones(2, requires_grad=True)
def inner(g):
    note()
    with torch.enable_grad():
        w = x.detach().requires_grad_().sin()
        w.register_hook(note)
        w.sum().backward()
    note()
y = x.exp()
y.register_hook(inner)
y.sum().backward()
""",
    "backwards are counted": """
x = torch.ones(2, requires_grad=True)
seen = []
x.register_hook(lambda g: seen.append(torch._C._current_graph_task_id()))
for _ in range(3):
    (x * 2).sum().backward()
show(torch._C._current_graph_task_id(), [number - seen[0] for number in seen])
""",
    "the order that is to come": """
def planned(roots, **more):
    order = []
    roots[-1].register_hook(lambda g: order.extend(names(torch._C._current_graph_task_execution_order())))
    with torch.autograd.set_multithreading_enabled(False):
        torch.autograd.grad(roots, **more) if more else torch.autograd.backward(roots)
    show(order)
a, b = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
c, d = b.sin(), a.cos()
planned([c * d])
c = a * b
planned([c.sin()], inputs=(a,))
c = a * 2
planned([c.sin()], inputs=(a, c))
c = a * 2
planned([c.cos(), c.cos(), c.sin()], inputs=(a,))
planned([torch.stack([a, b, a.exp(), b.exp(), a, b]).sum()])
""",
    "the order is told in one thread and in a backward": """
attempt(torch._C._current_graph_task_execution_order)
x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(lambda g: attempt(torch._C._current_graph_task_execution_order))
y.sum().backward()
""",
    "which nodes run": """
a, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
b = a * other
unused, c = b.cos(), b.sin()
leaf, far = b.grad_fn.next_functions[0][0], b.grad_fn.next_functions[1][0]
def look(g):
    for node in (leaf, far, b.grad_fn, c.grad_fn, unused.grad_fn, None, b):
        attempt(torch._C._will_engine_execute_node, node)
c.register_hook(look)
c.sum().backward(inputs=[a], retain_graph=True)
c.sum().backward(retain_graph=True)
torch.autograd.grad(c.sum(), a, retain_graph=True)
torch.autograd.grad(c.sum(), b)
attempt(torch._C._will_engine_execute_node, b.grad_fn)
""",
    "a hook that comes while its node runs": """
class Late(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self):
        def unpack(a):
            node = torch._C._current_autograd_node()
            node.register_hook(lambda made, came: show(came) or tuple(g / 2 for g in made if g is not None))
            return a
        super().__init__(lambda a: a, unpack)
x = torch.tensor([1.0, 2.0], requires_grad=True)
with Late():
    y = x.exp().sum()
y.backward()
show(x.grad)
""",
    "handles on what a list saved": """
x, i = torch.ones(2, 2, requires_grad=True), torch.tensor([0, 1])
y = x[:, i]
handles = y.grad_fn._raw_saved_indices
show([type(handle).__name__ for handle in handles])
attempt(handles[0].register_hooks, str, str)
handles[1].register_hooks(lambda a: show(a) or 3, lambda n: show(n) or i)
attempt(handles[1].register_hooks, str, str)
show(y.grad_fn._saved_indices)
node = y.grad_fn
y.sum().backward()
attempt(lambda: node._raw_saved_indices)
""",
    "hooks on a saved value that are none": """
x = torch.ones(2, requires_grad=True)
handle = (x * x).grad_fn._raw_saved_self
attempt(handle.register_hooks, str)
attempt(handle.register_hooks, 1, 1)
attempt(handle.register_hooks)
attempt(handle.register_hooks, pack=str)
show(isinstance(handle, torch._C._autograd.SavedTensor))
""",
    "Node is a virtual base": """
Node = torch.autograd.graph.Node
x = torch.rand(2, requires_grad=True)
y = x.exp()
class Through(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        show(isinstance(ctx, Node))
        return a.clone()
    @staticmethod
    def backward(ctx, g):
        return g
for node in (y.grad_fn, y.grad_fn.next_functions[0][0], Through.apply(x).grad_fn):
    show(isinstance(node, Node), issubclass(type(node), Node), Node in type(node).mro())
show(isinstance(y.grad_fn.next_functions[0][0], torch._C._functions.AccumulateGrad), isinstance(1, Node))
show(issubclass(torch._C._functions.DelayedError, Node), issubclass(torch.autograd.function.BackwardCFunction, Node))
attempt(Node)
""",
    "errors that wait, gradients that are dropped": """
x = torch.ones(2, requires_grad=True)
y = torch._C._functions.DelayedError("not here", 1)(x)
show(y, y._version, y._is_view(), y.data_ptr() == x.data_ptr())
show(y.grad_fn.name(), names(node for node, _ in y.grad_fn.next_functions))
attempt((y * 2).sum().backward)
attempt(lambda: torch.autograd.grad((y * 2).sum(), y))
attempt(torch._C._functions.DelayedError("not here", 2), x)
show(len(torch._C._functions.DelayedError("not here", 2)(x, y)))
z = torch._C._functions.UndefinedGrad()(x * 2)
show(z, z.grad_fn.name(), z._is_view())
z.sum().backward()
show(x.grad)
attempt(torch._C._functions.UndefinedGrad(), x, x)
""",
    "what can't be deleted or set": """
x = torch.ones(2, requires_grad=True)
y = x * 2
for name in ("grad", "_grad", "data", "requires_grad", "_grad_fn", "_backward_hooks", "_post_accumulate_grad_hooks"):
    attempt(delattr, x, name)
for name in ("shape", "is_leaf", "grad_fn", "_version", "_base", "layout", "is_cuda", "itemsize", "nbytes", "T", "H"):
    attempt(delattr, x, name)
for name, value in (("layout", None), ("H", None), ("nbytes", 3), ("_grad_fn", 3), ("_grad", x), ("_grad", 3)):
    attempt(setattr, x, name, value)
x._grad = torch.ones(2)
show(x.grad, x._grad, y._grad_fn.name(), x._grad_fn)
y._grad_fn = None
show(y.is_leaf, y.requires_grad)
""",
    "writes that are not counted": """
x = torch.ones(2, requires_grad=True).clone()
x.add_(1)
with torch.autograd._unsafe_preserve_version_counter(x):
    x.mul_(2)
    x.mul_(3)
    show(x._version)
show(x._version)
torch._C._autograd._unsafe_set_version_counter((x,), (7,))
show(x._version)
attempt(torch._C._autograd._unsafe_set_version_counter, (x,), (-1,))
show(torch._C._autograd._saved_tensors_hooks_is_enabled())
with torch.autograd.graph.disable_saved_tensors_hooks("no"):
    show(torch._C._autograd._saved_tensors_hooks_is_enabled())
""",
    "whose memory a function's gradients are": """
def passing(change):
    class Passing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *a):
            return sum(a) * 1
        @staticmethod
        def backward(ctx, g):
            Passing.made = change(g)
            Passing.places = [made.data_ptr() for made in Passing.made]
            return Passing.made if keeping else (Passing.made, setattr(Passing, "made", None))[0]
    return Passing
a, b = torch.randn(2, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
def twice(g):
    return g, g
def own(g):
    return g * 2, g * 3
def written(g):
    return (g * 2).mul_(2), (g * 3).add_(1).add_(1)
def viewed(g):
    made = torch.ones(2, 3).mul_(2)
    return made.view(2, 3), torch.ones(3, 2).mul_(2).t()
for keeping in (False, True):
    for change in (twice, own, written, viewed):
        a.grad = b.grad = None
        kind = passing(change)
        (kind.apply(a, b) * torch.ones(2, 3)).sum().backward()
        show(change.__name__, keeping, [leaf.grad.data_ptr() == at for leaf, at in zip((a, b), kind.places)])
        show([leaf.grad._version for leaf in (a, b)], [leaf.grad.stride() for leaf in (a, b)], a.grad, b.grad)
        kind.made = None
""",
    "what was spread is seen so": """
x = torch.ones(2, 3, requires_grad=True)
class Through(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.clone()
    @staticmethod
    def backward(ctx, g):
        show(g.stride(), g.is_contiguous())
        attempt(g.mul_, 2)
        return g
y = x * 2
y.register_hook(lambda g: show(g.stride(), g.is_contiguous()))
y.register_hook(lambda g: attempt(g.add_, 1))
y.grad_fn.register_prehook(lambda g: show(g[0].stride()))
y.grad_fn.register_hook(lambda made, came: show(made[0].stride(), came[0].stride()))
y.sum().backward()
show(x.grad.stride(), x.grad)
Through.apply(x).sum().backward()
show(x.grad)
""",
    "saved tensors that are let go of as they are read": """
class Product(torch.autograd.Function):
    clear_saved_tensors_on_access = True
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        attempt(lambda: ctx.saved_tensors)
        show(ctx._raw_saved_tensors)
        return g * b, g * a
a, b = torch.ones(2, requires_grad=True), torch.full((2,), 3.0, requires_grad=True)
y = Product.apply(a, b)
y.sum().backward(retain_graph=True)
attempt(y.sum().backward)
show(a.grad, torch.autograd.Function.clear_saved_tensors_on_access)
""",
    "gradients in a box": """
class Pair(torch.autograd.Function):
    boxed_grads_call = True
    @staticmethod
    def forward(ctx, a, b):
        return a * 1, b * 2
    @staticmethod
    def backward(ctx, *given):
        show(given)
        first = given[0].pop(0)
        return first, given[0].pop() * 2
a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
Pair.apply(a, b)[0].sum().backward()
show(a.grad, b.grad)
""",
    "what a handle on a saved value shows": """
x = torch.ones(2, requires_grad=True)
y = x * x
handle = y.grad_fn._raw_saved_self
show(handle.data is x, handle.unpack_hook, handle.unpack())
handle.register_hooks(lambda a: a * 2, lambda a: a + 5)
show(handle.data, handle.unpack_hook is None, handle.unpack())
y.sum().backward()
show(handle.data)
attempt(handle.unpack)
picked = x[torch.tensor([0, 1])]  # whose node PyTorch's handle does not keep
part = picked.grad_fn._raw_saved_indices[0]
show(part.data, part.unpack())
""",
    "what a checkpoint says of a second run that differs": """
module = torch.utils.checkpoint
def run(second, **more):
    calls = []
    def part(x):
        calls.append(x)
        return x.sin().exp() if len(calls) == 1 else second(x)
    y = module.checkpoint(part, torch.ones(1, requires_grad=True), use_reentrant=False, **more)
    try:
        y.sum().backward()
        show("nothing")
    except module.CheckpointError as error:
        show(str(error).splitlines()[0], "because you passed `debug=True`" in str(error), str(error.__cause__)[:90])
def longer(x):
    return x.sin() * torch.tensor([1.0, 2.0])
run(longer)
run(longer, debug=True)
run(lambda x: x.sin(), debug=True)
run(lambda x: x.sin().exp(), debug=True)
for enabled in (True, False, None):
    with module.set_checkpoint_debug_enabled(enabled):
        run(longer)
        run(longer, debug=True)
""",
    "PyTorch's older Jacobians": """
from_inside = __import__(f"{torch.autograd.__name__}.gradcheck", fromlist=["x"])
a, b = (torch.ones(2, dtype=torch.float64, requires_grad=True) for _ in range(2))
f = lambda given: (2 * given[0] + given[1], given[0] * 3)
show(*from_inside.get_numerical_jacobian(f, (a, b), eps=1e-6))
show(*from_inside.get_numerical_jacobian(f, (a, b), target=b, eps=1e-6))
show(*from_inside.get_analytical_jacobian((a, b), f((a, b))[0]))
show(*from_inside.get_analytical_jacobian((a, torch.ones(2)), a * a))
attempt(from_inside.get_numerical_jacobian, f, (a, b), grad_out=2.0)
attempt(from_inside.get_analytical_jacobian, (a,), a * 2, grad_out=2.0)
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet_shows_what_it_shows_in_pytorch(name):
    expected = outcome(theirs, SNIPPETS[name])
    assert expected
    assert outcome(ours, SNIPPETS[name]) == expected


def test_a_checkpoint_lists_the_operators_of_both_runs_and_where_they_were_called():
    calls = []

    def part(x):
        calls.append(x)
        return (x.sin().exp() if len(calls) == 1 else x.cos().tanh().exp()).sum()

    module = ours.utils.checkpoint
    with module.set_checkpoint_early_stop(False):
        y = module.checkpoint(part, ours.ones(2, requires_grad=True), use_reentrant=False, debug=True)
    with pytest.raises(module.CheckpointError, match="debug=True") as caught:
        y.backward()
    text = str(caught.value)
    first, second = text[text.index("Operations executed") :].split("during recomputation:")
    assert re.findall(r"\$.*", first) == ["$1: f32[2] = sin($0)", "$2: f32[2] = exp($1)", "$3: f32[] = sum($2)"]
    assert re.findall(r"\$.*", second)[:2] == ["$1: f32[2] = cos($0)", "$2: f32[2] = tanh($1)"]
    assert text.count("x.sin().exp() if len(calls) == 1") >= 2
