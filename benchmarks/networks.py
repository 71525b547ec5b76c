"""Training steps and a Hessian-vector product on any library with PyTorch's interface, for ``core.py``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Run = Callable[[], float]


def weights(module, shapes, dtype):
    """Leaves of these shapes, the same numbers for every library."""
    generator = np.random.default_rng(7)
    made = []
    for shape in shapes:
        scale = 1 / np.sqrt(np.prod(shape[1:]) or 1)
        values = (generator.standard_normal(shape) * scale).astype(dtype)
        made.append(module.from_numpy(values).requires_grad_())
    return made


def data(module, shape, dtype):
    """Inputs of this shape."""
    return module.from_numpy(np.random.default_rng(3).standard_normal(shape).astype(dtype))


def labels(module, count):
    """Class numbers from 0 to 9."""
    return module.from_numpy(np.random.default_rng(5).integers(0, 10, count))


def mlp_step(module) -> Run:
    """784-256-64-10 on 64 samples: forward, cross-entropy, backward."""
    functional = module.nn.functional
    leaves = weights(module, [(256, 784), (256,), (64, 256), (64,), (10, 64), (10,)], np.float32)
    w1, b1, w2, b2, w3, b3 = leaves
    x, target = data(module, (64, 784), np.float32), labels(module, 64)

    def run() -> float:
        for leaf in leaves:
            leaf.grad = None
        h = functional.relu(functional.linear(x, w1, b1))
        h = functional.relu(functional.linear(h, w2, b2))
        functional.cross_entropy(functional.linear(h, w3, b3), target).backward()
        return float(w1.grad.abs().sum())

    return run


def conv_step(module) -> Run:
    """Two convolutions with relu and pooling and a linear layer on 16 images of 28 by 28: forward, loss, backward."""
    functional = module.nn.functional
    leaves = weights(module, [(8, 1, 3, 3), (8,), (16, 8, 4, 4), (16,), (10, 400), (10,)], np.float32)
    w1, b1, w2, b2, w3, b3 = leaves
    x, target = data(module, (16, 1, 28, 28), np.float32), labels(module, 16)

    def run() -> float:
        for leaf in leaves:
            leaf.grad = None
        h = functional.max_pool2d(functional.relu(functional.conv2d(x, w1, b1)), 2)
        h = functional.max_pool2d(functional.relu(functional.conv2d(h, w2, b2)), 2)
        functional.cross_entropy(functional.linear(h.flatten(1), w3, b3), target).backward()
        return float(w1.grad.abs().sum())

    return run


def hessian_step(module) -> Run:
    """Hessian-vector product, backward through backward, of a tanh network 32-64-64-1 on 64 samples, float64."""
    shapes = [(64, 32), (64,), (64, 64), (64,), (1, 64), (1,)]
    leaves = weights(module, shapes, np.float64)
    w1, b1, w2, b2, w3, b3 = leaves
    x = data(module, (64, 32), np.float64)
    vectors = [leaf.detach() * 0.5 for leaf in leaves]

    def run() -> float:
        h = (x @ w1.t() + b1).tanh()
        h = (h @ w2.t() + b2).tanh()
        loss = ((h @ w3.t() + b3) ** 2).mean()
        gradients = module.autograd.grad(loss, leaves, create_graph=True)
        product = sum((gradient * vector).sum() for gradient, vector in zip(gradients, vectors, strict=True))
        found = module.autograd.grad(product, leaves)
        return float(found[0].abs().sum())

    return run


STEPS = {
    "(c) network 784-256-64-10, 64 samples, float32": mlp_step,
    "(d) convolutional network, 16 images, float32": conv_step,
    "(e) Hessian-vector product, tanh network, float64": hessian_step,
}
