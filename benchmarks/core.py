"""How long one node takes, forward and backward: this engine, PyTorch, NumPy by hand, HIPS autograd.

``python benchmarks/core.py [ROUNDS]``. One process, one thread, CPU time, the candidates taken in turns, the median of
the rounds. Two graphs: (a) a chain of 1,000 scalar nodes, mul, add and tanh in turn, float64; (b) 500 columns of 20
operators each on tensors of shape (4,), float32, summed up: about 10,000 operators. Then (c) a training step of a
network 784-256-64-10 on 64 samples, (d) one of a convolutional network on 16 images, (e) a Hessian-vector product of a
tanh network in float64; see :mod:`networks`. Last, what a live operator costs in time and memory at 10,000 and 100,000
of them. HIPS autograd, mygrad and micrograd take part where they are installed.
"""

from __future__ import annotations

import gc
import math
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import numpy as np  # noqa: E402  after the number of threads is set
from networks import STEPS  # noqa: E402

CHAIN = 1000
WIDE, DEEP = 500, 20

Run = Callable[[], float]


def chain_on_tensors(module) -> Run:
    """The chain on any library with PyTorch's interface."""
    x0 = module.tensor(0.5, dtype=module.float64, requires_grad=True)
    w = module.tensor(1.01, dtype=module.float64, requires_grad=True)
    b = module.tensor(0.01, dtype=module.float64, requires_grad=True)

    def run() -> float:
        x0.grad = w.grad = b.grad = None
        x = x0
        for index in range(CHAIN):
            turn = index % 3
            x = x * w if turn == 0 else x + b if turn == 1 else x.tanh()
        x.backward()
        return float(w.grad.item())

    return run


def chain_by_hand() -> Run:
    """The chain in plain NumPy, forward and backward written out."""
    w, b = np.array(1.01), np.array(0.01)
    mul, add, tanh, sub = np.multiply, np.add, np.tanh, np.subtract

    def run() -> float:
        x = np.array(0.5)
        kept = []
        for index in range(CHAIN):
            turn = index % 3
            if turn == 0:
                kept.append(x)
                x = mul(x, w)
            elif turn == 1:
                x = add(x, b)
            else:
                x = tanh(x)
                kept.append(x)
        g, gw, gb = np.array(1.0), np.array(0.0), np.array(0.0)
        for index in reversed(range(CHAIN)):
            turn = index % 3
            if turn == 0:
                gw = add(gw, mul(g, kept.pop()))
                g = mul(g, w)
            elif turn == 1:
                gb = add(gb, g)
            else:
                y = kept.pop()
                g = mul(g, sub(1.0, mul(y, y)))
        return float(gw)

    return run


def chain_on_hips() -> Run:
    """The chain on HIPS autograd."""
    import autograd.numpy as anp
    from autograd import grad

    def f(w, b):
        x = 0.5
        for index in range(CHAIN):
            turn = index % 3
            x = x * w if turn == 0 else x + b if turn == 1 else anp.tanh(x)
        return x

    derivative = grad(f, (0, 1))
    return lambda: float(derivative(1.01, 0.01)[0])


def wide_on_tensors(module) -> Run:
    """The wide graph on any library with PyTorch's interface."""
    values = np.linspace(-1, 1, WIDE * 4, dtype=np.float32).reshape(WIDE, 4)
    leaves = [module.tensor(row.tolist(), requires_grad=True) for row in values]
    w = module.tensor([0.9, 0.8, 0.7, 0.6], requires_grad=True)

    def run() -> float:
        w.grad = None
        total = None
        for leaf in leaves:
            leaf.grad = None
            x = leaf
            for step in range(DEEP):
                turn = step % 4
                x = x * w if turn == 0 else x + leaf if turn == 1 else x.tanh() if turn == 2 else x - w
            total = x if total is None else total + x
        total.sum().backward()
        return float(w.grad[0].item())

    return run


def wide_by_hand() -> Run:
    """The wide graph in plain NumPy."""
    values = np.linspace(-1, 1, WIDE * 4, dtype=np.float32).reshape(WIDE, 4)
    w = np.array([0.9, 0.8, 0.7, 0.6], np.float32)
    mul, add, tanh, sub, neg = np.multiply, np.add, np.tanh, np.subtract, np.negative

    def run() -> float:
        gw = np.zeros(4, np.float32)
        total = np.zeros(4, np.float32)
        kept = []
        for leaf in values:
            x, saved = leaf, []
            for step in range(DEEP):
                turn = step % 4
                if turn == 0:
                    saved.append(x)
                    x = mul(x, w)
                elif turn == 1:
                    x = add(x, leaf)
                elif turn == 2:
                    x = tanh(x)
                    saved.append(x)
                else:
                    x = sub(x, w)
            kept.append(saved)
            total = add(total, x)
        one = np.ones(4, np.float32)
        for saved in kept:
            g, gleaf = one, np.zeros(4, np.float32)
            for step in reversed(range(DEEP)):
                turn = step % 4
                if turn == 0:
                    gw = add(gw, mul(g, saved.pop()))
                    g = mul(g, w)
                elif turn == 1:
                    gleaf = add(gleaf, g)
                elif turn == 2:
                    y = saved.pop()
                    g = mul(g, sub(np.float32(1), mul(y, y)))
                else:
                    gw = add(gw, neg(g))
            gleaf = add(gleaf, g)
        return float(gw[0])

    return run


def wide_on_hips() -> Run:
    """The wide graph on HIPS autograd."""
    import autograd.numpy as anp
    from autograd import grad

    values = np.linspace(-1, 1, WIDE * 4, dtype=np.float32).reshape(WIDE, 4)
    start = np.array([0.9, 0.8, 0.7, 0.6], np.float32)

    def f(w, leaves):
        total = None
        for index in range(WIDE):
            leaf = leaves[index]
            x = leaf
            for step in range(DEEP):
                turn = step % 4
                x = x * w if turn == 0 else x + leaf if turn == 1 else anp.tanh(x) if turn == 2 else x - w
            total = x if total is None else total + x
        return anp.sum(total)

    derivative = grad(f, (0, 1))
    return lambda: float(derivative(start, list(values))[0][0])


def measured(candidates: dict[str, Run], rounds: int) -> dict[str, float]:
    """Median CPU seconds of each candidate, taken in turns; all must agree on the gradient."""
    results = {name: run() for name, run in candidates.items()}
    expected = results.get("numpy", results["ours"])
    for name, result in results.items():
        if abs(result - expected) > 1e-3 * max(1.0, abs(expected)):
            raise SystemExit(f"{name} disagrees: {result} instead of {expected}")
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            gc.collect()
            start = time.process_time()
            run()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def report(title: str, nodes: int, seconds: dict[str, float]) -> None:
    """One table."""
    print(f"\n{title}\n{'':12s}{'us/node':>9s}{'/ torch':>9s}{'/ numpy':>9s}")
    for name, value in seconds.items():
        ratios = "".join(
            f"{value / seconds[other]:9.2f}" if other in seconds else "        -" for other in ("torch", "numpy")
        )
        print(f"{name:12s}{value / nodes * 1e6:9.2f}{ratios}")


def libraries() -> dict[str, object]:
    """Ours, and PyTorch where it is installed."""
    from chalkgrad import torch as ours

    found: dict[str, object] = {"ours": ours}
    try:
        import torch
    except ImportError:
        return found
    torch.set_num_threads(1)
    return {**found, "torch": torch}


def chain_on_mygrad() -> Run:
    """The chain on mygrad, with its guard against writes switched off."""
    import mygrad

    mygrad.turn_memory_guarding_off()
    x0, w, b = mygrad.tensor(0.5), mygrad.tensor(1.01), mygrad.tensor(0.01)

    def run() -> float:
        x = x0
        for index in range(CHAIN):
            turn = index % 3
            x = x * w if turn == 0 else x + b if turn == 1 else mygrad.tanh(x)
        x.backward()
        return float(w.grad)

    return run


def chain_on_micrograd() -> Run:
    """The chain on micrograd, plus the tanh of its lecture; its recursion needs a higher limit."""
    from micrograd.engine import Value

    sys.setrecursionlimit(10 * CHAIN)

    def tanh(x: Value) -> Value:
        out = Value(math.tanh(x.data), (x,), "tanh")

        def backward() -> None:
            x.grad += (1 - out.data**2) * out.grad

        out._backward = backward
        return out

    def run() -> float:
        x, w, b = Value(0.5), Value(1.01), Value(0.01)
        for index in range(CHAIN):
            turn = index % 3
            x = x * w if turn == 0 else x + b if turn == 1 else tanh(x)
        x.backward()
        return float(w.grad)

    return run


PEERS = {"autograd": chain_on_hips, "mygrad": chain_on_mygrad, "micrograd": chain_on_micrograd}


def columns(module, count: int):
    """``count`` live operators in columns as in (b); what holds them."""
    w = module.tensor([0.9, 0.8, 0.7, 0.6], requires_grad=True)
    total = None
    for _ in range(count // DEEP):
        x = w
        for step in range(DEEP):
            turn = step % 4
            x = x * w if turn == 0 else x + w if turn == 1 else x.tanh() if turn == 2 else x - w
        total = x if total is None else total + x
    return total


def size_of_operator(module) -> float:
    """Bytes that Python and NumPy hold for one live operator: tensor, values, node, and what it saves."""
    columns(module, 1000)
    gc.collect()
    tracemalloc.start()
    kept = columns(module, 10_000)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return size / (10_000 + 10_000 // DEEP)


def time_of_operator(module, count: int) -> float:
    """CPU seconds of one operator, forward and backward, with ``count`` of them alive."""
    times = []
    for _ in range(5):
        gc.collect()
        start = time.process_time()
        columns(module, count).sum().backward()
        times.append(time.process_time() - start)
    return statistics.median(times) / count


def report_growth(found: dict[str, object]) -> None:
    """What an operator costs when few and when many are alive."""
    print(f"\n(f) operators alive\n{'':12s}{'10,000':>9s}{'100,000':>9s}{'ratio':>9s}   us/operator")
    for name, module in found.items():
        few, many = time_of_operator(module, 10_000), time_of_operator(module, 100_000)
        bytes_text = f"   {size_of_operator(module):.0f} bytes each" if name == "ours" else ""
        print(f"{name:12s}{few * 1e6:9.2f}{many * 1e6:9.2f}{many / few:9.2f}{bytes_text}")


def main() -> None:
    """Measure and print everything."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    found = libraries()
    chain = {name: chain_on_tensors(module) for name, module in found.items()} | {"numpy": chain_by_hand()}
    wide = {name: wide_on_tensors(module) for name, module in found.items()} | {"numpy": wide_by_hand()}
    for name, make in PEERS.items():
        try:
            chain[name] = make()
        except ImportError:
            print(f"{name} is not installed")
    if "autograd" in chain:
        wide["autograd"] = wide_on_hips()
    report(f"(a) chain of {CHAIN:,} scalars, float64", CHAIN, measured(chain, rounds))
    operators = WIDE * (DEEP + 1)
    report(f"(b) {operators:,} operators on shape (4,), float32", operators, measured(wide, max(rounds // 3, 3)))
    for title, step in STEPS.items():
        runs = {name: step(module) for name, module in found.items()}
        report(f"{title}, us a step", 1, measured(runs, rounds * 3))
    report_growth(found)


if __name__ == "__main__":
    main()
