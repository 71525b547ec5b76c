"""Programs with an error each, the ways to mend it that are offered, and what one of them makes of the program."""

GRADIENT = "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ng, = torch.autograd.grad(y, w)\n"
CASES = {
    "second_backward": (
        "w = torch.tensor(2., requires_grad=True)\ny = w * w\ny.backward()\ny.backward()",
        ["retain_graph=True in line 3", "Run forward again before line 4", "Take line 4 out"],
    ),
    "second_grad": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w * w\ng, = torch.autograd.grad(y, w)\n"
            "h, = torch.autograd.grad(y, w)"
        ),
        ["retain_graph=True in line 3", "Run forward again before line 4"],
    ),
    "inplace_saved": (
        "w = torch.tensor([1.], requires_grad=True)\na = w * 3\ny = a * a\na.add_(1)\ny.sum().backward()",
        ["Out-of-place in line 4: add", "Use a.clone() in line 3", "Move line 4 after line 5", "Take line 5 out"],
    ),
    "inplace_leaf": (
        "w = torch.tensor([1.], requires_grad=True)\nw.add_(1)\ny = w * 2",
        ["Put line 2 under torch.no_grad()", "Out-of-place in line 2: add"],
    ),
    "no_leaf": (
        "w = torch.tensor([1.])\nx = torch.tensor([2.])\ny = w * x\ny.backward()",
        ["requires_grad=True in line 1", "requires_grad=True in line 2", "Take line 4 out"],
    ),
    "no_grad_block": (
        "w = torch.tensor([1.], requires_grad=True)\nwith torch.no_grad():\n    y = w * 2\ny.backward()",
        ["Take the no_grad block away", "Take line 3 out"],
    ),
    "detached": (
        "w = torch.tensor([1.], requires_grad=True)\na = w * 2\nb = a.detach()\ny = b * 2\ny.backward()",
        ["Take the detach() of line 3 out", "Take line 5 out"],
    ),
    "detached_at_last": (
        "w = torch.tensor([1.], requires_grad=True)\na = w * 2\nb = a.detach()\nb.backward()",
        ["Take the detach() of line 3 out", "Take line 4 out"],
    ),
    "gradient_of_gradient": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ng, = torch.autograd.grad(y, w)\n"
            "h, = torch.autograd.grad(g, w)"
        ),
        ["create_graph=True in line 3"],
    ),
    "gradient_of_a_constant_gradient": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w * 3\ng, = torch.autograd.grad(y, w)\n"
            "h, = torch.autograd.grad(g, w)"
        ),
        ["Take line 4 out"],
    ),
    "gradient_by_what_it_does_not_depend_on": (
        (
            "w = torch.tensor(2., requires_grad=True)\nx = torch.tensor(3., requires_grad=True)\ny = w * x\n"
            "g, = torch.autograd.grad(y, w)\nh, = torch.autograd.grad(g, w)"
        ),
        ["Take line 5 out"],
    ),
    "gradient_by_what_it_depends_on": (
        (
            "w = torch.tensor(2., requires_grad=True)\nx = torch.tensor(3., requires_grad=True)\ny = w * x\n"
            "g, = torch.autograd.grad(y, w)\nh, = torch.autograd.grad(g, x)"
        ),
        ["create_graph=True in line 4"],
    ),
    "constant_grad_in_a_loop": (
        (
            "w = torch.tensor(2., requires_grad=True)\nfor i in range(3):\n    y = w * 3\n    y.backward()\n"
            "    p = w.grad * w.grad\n    p.backward()"
        ),
        ["Take line 5 out"],
    ),
    "gradient_detached": (
        GRADIENT + "d = g.detach()\nz = d * 2\nz.backward()",
        ["Take the detach() of line 4 out, with create_graph=True in line 3", "Take line 6 out"],
    ),
    "recorded_gradient_detached": (
        GRADIENT.replace("(y, w)", "(y, w, create_graph=True)") + "d = g.detach()\nd.backward()",
        ["Take the detach() of line 4 out", "Take line 5 out"],
    ),
    "gradient_detached_twice": (
        GRADIENT + "d = g.detach()\nz = d.detach() * 2\nz.backward()",
        ["Take line 6 out"],
    ),
    "gradient_under_no_grad": (
        GRADIENT + "with torch.no_grad():\n    z = g * 2\nz.backward()",
        ["Take the no_grad block away, with create_graph=True in line 3", "Take line 5 out"],
    ),
    "gradient_in_whole_numbers": (
        GRADIENT + "z = g.long()\nz.backward()",
        ["Take the long() of line 4 out, with create_graph=True in line 3", "Take line 5 out"],
    ),
    "gradient_read_as_data": (GRADIENT + "z = g.data * 2\nz.backward()", ["Take line 5 out"]),
    "grad_detached": (
        "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ny.backward()\nd = w.grad.detach()\nd.backward()",
        ["Take the detach() of line 4 out, with create_graph=True in line 3", "Take line 5 out"],
    ),
    "penalty_on_grad": (
        "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ny.backward()\np = w.grad * w.grad\np.backward()",
        ["create_graph=True in line 3", "Take line 5 out"],
    ),
    "not_scalar": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\ny.backward()",
        ["Take y.sum() first", "Take y.mean() first", "gradient=torch.ones(2) in line 3", "Take line 3 out"],
    ),
    "gradient_shape": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\nv = torch.ones(3)\ny.backward(v)",
        ["gradient=torch.ones(2) in line 4", "Take line 4 out"],
    ),
    "grad_not_scalar": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\ng, = torch.autograd.grad(y, w)",
        ["Take y.sum() first", "Take y.mean() first", "grad_outputs=torch.ones(2) in line 3"],
    ),
    "unused_input": (
        (
            "w = torch.tensor(1., requires_grad=True)\nu = torch.tensor(1., requires_grad=True)\ny = w * 2\n"
            "gw, gu = torch.autograd.grad(y, [w, u])"
        ),
        ["allow_unused=True in line 4"],
    ),
    "input_no_requires_grad": (
        "w = torch.tensor(1., requires_grad=True)\nu = torch.tensor(1.)\ny = w * u\ngu, = torch.autograd.grad(y, u)",
        ["requires_grad=True in line 2"],
    ),
    "retain_grad_no_grad": (
        "w = torch.tensor(1.)\ny = w * 2\ny.retain_grad()",
        ["requires_grad=True in line 1", "Take line 3 out"],
    ),
    "int_requires_grad": (
        "w = torch.tensor([1, 2], requires_grad=True)\ny = w * 2",
        ["dtype=torch.float32 in line 1", "Leave requires_grad out of line 1"],
    ),
    "mean_int": ("x = torch.tensor([1, 2])\nm = x.mean()", ["Use x.float()"]),
    "nonleaf_requires_grad_false": (
        "w = torch.tensor(1., requires_grad=True)\ny = w * 2\ny.requires_grad_(False)",
        ["y.detach() in line 3 instead", "Take line 3 out"],
    ),
    "detach_inplace_saved": (
        "w = torch.tensor(1., requires_grad=True)\na = w * 2\nb = a * a\na.detach_()\nb.backward()",
        ["a.detach() in line 4 instead", "Take line 5 out"],
    ),
    "nonleaf_grad": (
        "w = torch.tensor(1., requires_grad=True)\na = w * 2\ny = a * a\ny.backward()\nprint(a.grad)",
        ["a.retain_grad() before line 4"],
    ),
    "matmul_shape": (
        "a = torch.ones(2, 3)\nb = torch.ones(2, 3)\nc = a @ b",
        ["Transpose b", "Transpose a"],
    ),
    "matmul_order": ("a = torch.ones(2, 3)\nb = torch.ones(4, 2)\nc = a @ b", ["Swap the inputs of line 3"]),
    "view_stride": ("a = torch.ones(2, 3)\nb = a.t()\nc = b.view(6)", ["reshape() in line 3"]),
    "inplace_broadcast": (
        "a = torch.ones(2)\nb = torch.ones(3, 2)\na.add_(b)",
        ["Out-of-place in line 3: add"],
    ),
    "classes_are_floats": (
        (
            "x = torch.ones(2, 3, requires_grad=True)\nt = torch.tensor([1., 2.])\n"
            "y = torch.nn.functional.cross_entropy(x, t)"
        ),
        ["Use t.long()"],
    ),
    "target_of_another_shape": (
        (
            "x = torch.ones(2, 1, requires_grad=True)\nt = torch.tensor([1., 2.])\n"
            "y = torch.nn.functional.mse_loss(x, t)\ny.backward()"
        ),
        ["Use t.reshape(2, 1)"],
    ),
    "scores_for_probabilities": (
        (
            "x = torch.tensor([2.], requires_grad=True)\nt = torch.ones(1)\n"
            "y = torch.nn.functional.binary_cross_entropy(x, t)"
        ),
        ["Take x.sigmoid() first"],
    ),
    "mask_of_numbers": (
        "m = torch.ones(2)\nx = torch.ones(2)\ny = torch.masked_select(x, m)",
        ["Use m.bool()"],
    ),
    "softmax_of_whole_numbers": ("x = torch.tensor([1, 2])\ny = torch.softmax(x, 0)", ["Use x.float()"]),
    "two_dtypes": ("a = torch.ones(2, 3)\nb = torch.ones(3, 2).double()\ny = a @ b", ["Use b.float()"]),
    "divergence_by_elements": (
        (
            "p = torch.log_softmax(torch.ones(2, 3), 1)\nq = torch.full((2, 3), 1 / 3)\n"
            "y = torch.nn.functional.kl_div(p, q)"
        ),
        ["reduction='batchmean' in line 3"],
    ),
    "leaf_lost_by_updates": (
        (
            "w = torch.tensor([2.], requires_grad=True)\nfor i in range(3):\n    y = (w - 1) ** 2\n    y.backward()\n"
            "    w = w - 0.1 * w.grad"
        ),
        ["Write into the leaf w in line 4, 7, 10, under torch.no_grad()"],
    ),
    "leaf_lost_under_no_grad": (
        (
            "w = torch.tensor([2.], requires_grad=True)\ny = w * w\ny.backward()\nwith torch.no_grad():\n"
            "    w = torch.sub(w, w.grad, alpha=0.1)\ny = w * w\ny.backward()"
        ),
        ["Write into the leaf w in line 4, under torch.no_grad()", "Take line 6 out"],
    ),
    "whole_leaves": (
        "a = torch.tensor([1, 2])\ny = a.float().mean()\ny.backward()",
        ["dtype=torch.float32, requires_grad=True in line 1", "Take line 3 out"],
    ),
    "gradient_used_too_early": (
        "w = torch.tensor([2.], requires_grad=True)\nu = w - 0.1 * w.grad\ny = w * w\ny.backward()",
        ["Move line 2 after line 4"],
    ),
    "leaf_switched_off": (
        "w = torch.tensor([2.], requires_grad=True)\nw.requires_grad_(False)\ny = w * 2\ny.backward()",
        ["Take line 2 out", "Move line 2 after line 4", "Take line 4 out"],
    ),
    "intermediate_detached_in_place": (
        "w = torch.tensor([2.], requires_grad=True)\na = w * 2\na.detach_()\ny = a * 3\ny.backward()",
        ["Take line 3 out", "Move line 3 after line 5", "Take line 5 out"],
    ),
    "flag_assigned_in_a_loop": (
        (
            "w = torch.tensor([2.], requires_grad=True)\nfor i in range(2):\n    y = w * 2\n    y.backward()\n"
            "    w.requires_grad = False"
        ),
        ["Take line 4 out", "Take line 3 out"],
    ),
    "asked_for_a_leaf_switched_off": (
        (
            "w = torch.tensor([2.], requires_grad=True)\nu = torch.tensor([3.], requires_grad=True)\ny = w * u\n"
            "w.requires_grad_(False)\ngw, = torch.autograd.grad(y, w)"
        ),
        ["Take line 4 out", "Move line 4 after line 5"],
    ),
    "view_of_a_leaf_made_unrecorded": (
        "w = torch.tensor([1., 2.], requires_grad=True)\nwith torch.no_grad():\n    v = w[0]\nv.mul_(3)",
        ["Put line 3 under torch.no_grad()", "Out-of-place in line 3: mul; w unchanged"],
    ),
    "view_of_an_intermediate_made_unrecorded": (
        "y = torch.ones(2, requires_grad=True) * 2\nwith torch.no_grad():\n    v = y[0]\nv.mul_(3)",
        [
            "Put line 3 under torch.no_grad()",
            "Take the no_grad block away",
            "Out-of-place in line 3: mul; y unchanged",
        ],
    ),
    "view_made_unrecorded_twice": (
        (
            "y = torch.ones(2, requires_grad=True) * 2\nwith torch.no_grad():\n    with torch.no_grad():\n"
            "        v = y[0]\nv.mul_(3)"
        ),
        ["Put line 3 under torch.no_grad()", "Out-of-place in line 3: mul; y unchanged"],
    ),
    "view_made_unrecorded_of_what_was_switched_on": (
        (
            "w = torch.tensor([1., 2.])\na = w.detach()\na.requires_grad_()\nwith torch.no_grad():\n    v = a[0]\n"
            "v.mul_(3)"
        ),
        ["Put line 5 under torch.no_grad()", "Out-of-place in line 5: mul; w, a unchanged"],
    ),
    "create_graph_cycle": (
        "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ny.backward(create_graph=True)",
        ["Set w.grad to None afterwards"],
    ),
}
"""Texts, and what the buttons say."""

MENDED = {
    "the result itself is overwritten": (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\ny.add_(1)\ny.sum().backward()",
        "y = y.clone() before line 3",
        ["y = w.exp()", "y = y.clone()", "y.add_(1)", "y.sum().backward()"],
    ),
    "a part of it is overwritten": (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\ny.detach().zero_()\ny.sum().backward()",
        "y = y.clone() before line 3",
        ["y = w.exp()", "y = y.clone()", "y.detach().zero_()", "y.sum().backward()"],
    ),
    "it is read in several places of the line": (
        "w = torch.ones(2, 2, requires_grad=True)\na = w * 1\no = a @ a.t()\na[0] = 0\no.sum().backward()",
        "Use a.clone() in line 3",
        ["a = w * 1", "o = a.clone() @ a.clone().t()", "a[0] = 0", "o.sum().backward()"],
    ),
    "two lines have written": (
        "w = torch.ones(2, requires_grad=True)\na = w * 1\ny = a * a\na.add_(1)\na.mul_(2)\ny.sum().backward()",
        "Out-of-place in line 4, 5: add, mul",
        ["a = w * 1", "y = a * a", "a = a.add(1)", "a = a.mul(2)", "y.sum().backward()"],
    ),
    "the result of a write has a name of its own": (
        "w = torch.ones(2, requires_grad=True)\ny = w.tanh()\nz = y.relu_()\nz.sum().backward()",
        "Out-of-place in line 3: relu; y unchanged",
        ["y = w.tanh()", "z = y.relu()", "z.sum().backward()"],
    ),
    "several operators saved what is overwritten": (
        "w = torch.ones(2, requires_grad=True)\na = w * 2\nb = a * a\nc = a.sin()\na.add_(1)\n(b + c).sum().backward()",
        "a = a.clone() before line 5",
        ["a = w * 2", "b = a * a", "c = a.sin()", "a = a.clone()", "a.add_(1)", "(b + c).sum().backward()"],
    ),
    "a view of what was saved is overwritten": (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\nv = y[0]\nv.zero_()\ny.sum().backward()",
        "y = y.clone() before line 3",
        ["y = w.exp()", "y = y.clone()", "v = y[0]", "v.zero_()", "y.sum().backward()"],
    ),
    "two views of what is overwritten were saved": (
        (
            "w = torch.ones(3, requires_grad=True)\na = w * 2\nv = a[:2]\nu = a[1:]\nb = v * u\na.add_(1)\n"
            "b.sum().backward()"
        ),
        "Use v.clone(), u.clone() in line 5",
        ["b = v.clone() * u.clone()", "a.add_(1)", "b.sum().backward()"],
    ),
    "it is detached in place": (
        "w = torch.ones(2, requires_grad=True)\na = w * 2\nb = a * a\na.detach_()\nc = a + w\n(b + c).sum().backward()",
        "a.detach() in line 4 instead",
        ["b = a * a", "a = a.detach()", "c = a + w", "(b + c).sum().backward()"],
    ),
    "a view that shares its elements is written": (
        "x = torch.zeros(1)\ne = x.expand(3)\ne.add_(1)",
        "e = e.clone() before line 3; x unchanged",
        ["e = x.expand(3)", "e = e.clone()", "e.add_(1)"],
    ),
    "a view made unrecorded is written": (
        "y = torch.ones(3, requires_grad=True) * 2\nwith torch.no_grad():\n    v = y[0]\nv.mul_(2)",
        "Take the no_grad block away",
        ["v = y[0]", "v.mul_(2)"],
    ),
    "an update loses the leaf": (
        (
            "w = torch.ones(2, requires_grad=True)\nfor i in range(2):\n    y = (w * w).sum()\n    y.backward()\n"
            "    w = w - 0.1 * w.grad\nprint(w)"
        ),
        "Write into the leaf w in line 4, 7, under torch.no_grad()",
        ["with torch.no_grad():", "    w -= 0.1 * w.grad", "print(w)"],
    ),
    "the second of two roots": (
        "w = torch.ones(1, requires_grad=True)\nu = torch.ones(1)\ntorch.autograd.backward([w * 2, u])",
        "requires_grad=True in line 2",
        ["u = torch.ones(1, requires_grad=True)", "torch.autograd.backward([w * 2, u])"],
    ),
    "whole numbers on the way": (
        "w = torch.ones(2, requires_grad=True)\ny = w.sum().long()\ny.backward()",
        "Take the long() of line 2 out",
        None,
    ),
    "an intermediate is to be optimised": (
        "w = torch.ones(1, requires_grad=True)\no = torch.optim.SGD([w * 2], lr=0.1)",
        "Give line 2 the leaf w instead",
        ["o = torch.optim.SGD([w], lr=0.1)"],
    ),
    "a gradient is zeroed too early": (
        "w = torch.ones(1, requires_grad=True)\nw.grad.zero_()\ny = w * 2\ny.backward()",
        "Move line 2 after line 4",
        ["y = w * 2", "y.backward()", "w.grad.zero_()"],
    ),
    "nothing is asked for": (
        "w = torch.ones(1, requires_grad=True)\nu = torch.ones(1, requires_grad=True)\ntorch.autograd.grad(w * u, [])",
        "Ask for w, u in line 3",
        None,
    ),
    "weights for a scalar": (
        "w = torch.tensor(1., requires_grad=True)\ny = w * 2\ny.backward(torch.ones(1))",
        "gradient=torch.ones(()) in line 3",
        None,
    ),
}
"""Texts, what one button says, and the last lines then."""

OVERWRITTEN = {
    "a view of what was saved": "a = w * 2\nv = a[:2]\nb = a * a\nv.add_(1)\nc = a + 0\nb.sum().backward()",
    "a view of the result": "y = w.exp()\nv = y[0]\nv.zero_()\nz = y * 1\ny.sum().backward()",
    "the base of a view": "a = w * 2\nv = a[:2]\nb = v * v\na.mul_(3)\nb.sum().backward()",
    "a result read before": "y = w.exp()\nc = y + 1\ny.add_(1)\nz = (y + c).sum()\nz.backward()",
    "unrecorded": "y = w.exp()\nwith torch.no_grad():\n    y.add_(1)\ny.sum().backward()",
    "by way of detach": "y = w.exp()\nd = y.detach()\nd.mul_(0)\nz = y.sum()\nz.backward()",
    "saved twice": "y = w.exp()\nz = y * y\ny.add_(1)\nz.sum().backward()",
    "read before the backward": "a = w * 2\nb = a * a\na.add_(1)\nc = a * 2\n(b + c).sum().backward()",
    "by another name": "a = w * 2\nf = a\nb = a * a\nf.add_(1)\nb.sum().backward()",
    "with a name of its own": "a = w * 2\nb = a * a\nc = a.add_(1)\nb.sum().backward()",
    "in a chain": "y = w.exp().add_(1)\ny.sum().backward()",
    "in a loop": "a = w * 2\nfor i in range(2):\n    b = (a * a).sum()\n    a.add_(1)\nb.backward()",
    "an update": (
        "y = (w * w).sum()\ny.backward(retain_graph=True)\nwith torch.no_grad():\n    w -= 0.1 * w.grad\ny.backward()"
    ),
    "a view that can't be written": "a = w * 1\nb, c, d = a.unbind()\nb.mul_(2)\nz = a + 0\nc.backward()",
    "a view of a leaf": "v = w[0]\nv.add_(1)\ny = (w * 2).sum()\ny.backward()",
    "under inference mode": "with torch.inference_mode():\n    a = torch.ones(3)\n    v = a[0]\na.add_(1)\nb = a * w",
    "a flag that only leaves have": "y = w * 2\ny.requires_grad_(False)\nz = y * 3",
}
"""Writes in place that PyTorch refuses, or after which it refuses a backward."""
