"""The snippets whose facts are compared with those recorded from PyTorch."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

from core.optim.averaging_snippets import SNIPPETS as AVERAGING
from core.optim.matrix_snippets import SNIPPETS as MATRICES

STEPS = """
draw = np.random.RandomState(0)
a, b = torch.tensor(draw.randn(6, 4), dtype={dtype}), torch.tensor(draw.randn(6, 3), dtype={dtype})
w, v, u = (torch.tensor(draw.randn(*shape), dtype={dtype}, requires_grad=True) for shape in ((4, 3), (3,), (3,)))
optimizer = torch.optim.{name}({groups}, {settings})
for step in range(6):
    def closure():
        optimizer.zero_grad()
        loss = ((a @ w + v - b) ** 2).mean()
        loss.backward()
        return loss
    log.append(optimizer.step(closure).item())
log.append([w, v, w._version, v._version, u._version])
log.append(repr(optimizer))
kept = optimizer.state_dict()["state"]
if {state}:
    log.append({{number: {{name: [value, value._version] for name, value in state.items()}} for number, state in kept.items()}})
"""

OPTIMIZERS = [
    ("SGD", "lr=0.1"),
    ("SGD", "lr=0.1, momentum=0.9"),
    ("SGD", "lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1"),
    ("SGD", "lr=0.1, momentum=0.9, dampening=0.3, maximize=True"),
    ("Adam", ""),
    ("Adam", "amsgrad=True, weight_decay=0.1"),
    ("Adam", "maximize=True, lr=0.1, betas=(0.5, 0.6)"),
    ("AdamW", "lr=0.01"),
    ("AdamW", "lr=0.01, amsgrad=True"),
    ("Adamax", ""),
    ("Adamax", "weight_decay=0.1, maximize=True"),
    ("NAdam", ""),
    ("NAdam", "weight_decay=0.1"),
    ("NAdam", "weight_decay=0.1, decoupled_weight_decay=True"),
    ("RAdam", ""),
    ("RAdam", "weight_decay=0.1, decoupled_weight_decay=True, maximize=True"),
    ("RMSprop", ""),
    ("RMSprop", "centered=True, momentum=0.9, weight_decay=0.1"),
    ("RMSprop", "momentum=0.9"),
    ("Adagrad", ""),
    ("Adagrad", "lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.2"),
    ("Adadelta", ""),
    ("Adadelta", "weight_decay=0.1, rho=0.5"),
    ("Rprop", ""),
    ("Rprop", "maximize=True"),
    ("ASGD", ""),
    ("Adafactor", ""),
    ("Adafactor", "lr=0.5, beta2_decay=-0.5, eps=(1e-4, 0.1), d=2.0, weight_decay=0.1, maximize=True"),
    ("ASGD", "t0=2, lambd=0.1, weight_decay=0.1"),
    ("LBFGS", ""),
    ("LBFGS", "lr=0.1, max_iter=4, history_size=2"),
    ("LBFGS", "line_search_fn='strong_wolfe', max_iter=3"),
]

MADE = """
p = nn.Parameter(torch.ones(2))
for code in {codes!r}:
    note(lambda: repr(eval("torch.optim." + code, {{"torch": torch, "p": p, "nn": nn}})))
"""

REFUSED = [
    "SGD(p)",
    "SGD([])",
    "SGD([p], lr=-1)",
    "SGD([p], momentum=-1)",
    "SGD([p], weight_decay=-1)",
    "SGD([3])",
    "SGD([p], nesterov=True)",
    "SGD([p * 2])",
    "SGD([p, p])",
    "SGD([{'params': p}, {'params': [p]}])",
    "SGD({p})",
    "SGD([{'params': {p}}])",
    "SGD([('a', p)])",
    "SGD([('a', p), p])",
    "SGD(iter([p]), 0.5)",
    "SGD([p], fused=True)",
    "SGD([p], fused=True, foreach=True)",
    "Adam([p], lr=-1)",
    "Adam([p], eps=-1)",
    "Adam([p], betas=(1.0, 0.5))",
    "Adam([p], betas=(0.5, 1.0))",
    "Adam([p], weight_decay=-1)",
    "Adam([p], betas=(0, 0.5))",
    "RMSprop([p], alpha=-1)",
    "RMSprop([p], momentum=-1)",
    "Adagrad([p], lr_decay=-1)",
    "Adagrad([p], initial_accumulator_value=-1)",
    "Adadelta([p], rho=2)",
    "Rprop([p], etas=(1, 2))",
    "NAdam([p], momentum_decay=-1)",
    "LBFGS([{'params': [p]}, {'params': []}])",
    "Optimizer([p], {})",
    "Optimizer([p], {}).step()",
    "SGD([p]).add_param_group(3)",
    "SGD([p], 0.1).step(3)",
    "SGD([p]).load_state_dict({'param_groups': []})",
    "SGD([p]).load_state_dict({'param_groups': [{'params': [1, 2]}]})",
    "SGD([torch.ones(2)])",
    "SGD([torch.ones(2, dtype=torch.int64)])",
    "SGD([p], lr=torch.tensor(0.5))",
    "NoSuch",
]

HOOKS = """
p = nn.Parameter(torch.ones(2))
optimizer = torch.optim.Adam([{"params": [p]}], lr=0.1)
optimizer.register_step_pre_hook(lambda o, a, k: log.append(["before", len(a), k]))
optimizer.register_step_post_hook(lambda o, a, k: log.append(["after", len(a), k]))
optimizer.register_state_dict_post_hook(lambda o, s: {**s, "more": 1})
optimizer.register_load_state_dict_pre_hook(lambda o, s: log.append(sorted(s)))
for _ in range(2):
    optimizer.zero_grad()
    (p * p).sum().backward()
    optimizer.step()
state = optimizer.state_dict()
log.append(state)
other = torch.optim.Adam([p])
other.load_state_dict(state)
other.step()
log.append([p, other.state_dict()])
optimizer.load_state_dict(state)
optimizer.zero_grad(set_to_none=False)
log.append([p.grad, p.grad._version])
class Own(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad, alpha=-group["lr"])
own = Own([p], 0.5)
own.register_step_pre_hook(lambda o, a, k: log.append("own"))
p.grad = torch.ones(2)
own.step()
log.append([p, repr(own)])
"""

SCHEDULES = """
p = nn.Parameter(torch.ones(1))
optimizer = torch.optim.{optimizer}([{{"params": [p]}}, {{"params": [nn.Parameter(torch.ones(1))], "lr": 0.5}}], lr=0.1)
s = torch.optim.lr_scheduler
def run():
    scheduler = s.{code}
    for epoch in range(12):
        optimizer.step()
        scheduler.step({metric})
        log.append([scheduler.get_last_lr(), [group.get("momentum", group.get("betas")) for group in optimizer.param_groups]])
    return sorted(scheduler.state_dict())
note(run)
"""

SCHEDULERS = [
    "StepLR(optimizer, 3)",
    "MultiStepLR(optimizer, [2, 5, 5])",
    "ExponentialLR(optimizer, 0.9)",
    "CosineAnnealingLR(optimizer, 5, 0.01)",
    "CosineAnnealingLR(optimizer, 30)",
    "LambdaLR(optimizer, lambda e: 0.9 ** e)",
    "LambdaLR(optimizer, [lambda e: 1 / (e + 1), lambda e: e])",
    "LambdaLR(optimizer, [lambda e: e])",
    "MultiplicativeLR(optimizer, lambda e: 0.8)",
    "LinearLR(optimizer)",
    "LinearLR(optimizer, 0.1, 0.5, 3)",
    "LinearLR(optimizer, 0)",
    "ConstantLR(optimizer, 0.5, 3)",
    "ConstantLR(optimizer, 2)",
    "PolynomialLR(optimizer, 4, 2.0)",
    "CosineAnnealingWarmRestarts(optimizer, 3, 2)",
    "CosineAnnealingWarmRestarts(optimizer, 0)",
    "OneCycleLR(optimizer, 0.5, 13)",
    "OneCycleLR(optimizer, [0.5, 1], epochs=7, steps_per_epoch=2, three_phase=True, anneal_strategy='linear')",
    "OneCycleLR(optimizer, 0.5)",
    "OneCycleLR(optimizer, 0.5, 5)",
    "SequentialLR(optimizer, [s.ConstantLR(optimizer, 0.1), s.ExponentialLR(optimizer, 0.9)], [4])",
    "SequentialLR(optimizer, [s.ConstantLR(optimizer)], [4])",
    "SequentialLR(optimizer, [], [])",
    "ChainedScheduler([s.ConstantLR(optimizer, 0.1, 4), s.ExponentialLR(optimizer, 0.9)])",
    "StepLR(3, 1)",
    "StepLR(optimizer, 1, last_epoch=3)",
]

PLATEAUS = [
    "ReduceLROnPlateau(optimizer, patience=1)",
    "ReduceLROnPlateau(optimizer, 'max', patience=0, cooldown=2, min_lr=0.02)",
    "ReduceLROnPlateau(optimizer, 'max', threshold_mode='abs', patience=0)",
    "ReduceLROnPlateau(optimizer, factor=1)",
    "ReduceLROnPlateau(optimizer, 'other')",
    "ReduceLROnPlateau(optimizer, min_lr=[0])",
]

EARLY = """
optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
scheduler.step()
scheduler.step(5)
log.append([scheduler.get_last_lr(), scheduler.get_lr(), scheduler.last_epoch])
"""

DERIVATIVES = """
x = torch.tensor([[0.5, 2.0], [1.0, 3.0]], dtype=torch.float64)
y, s = torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
v = torch.ones(2, 2, dtype=torch.float64)
cases = [
    (lambda t: t.exp() * t, x), (lambda a, b: (a * b).sum(1), (x, y)), (lambda a, b: ((a * b) ** 3).sum(), (x, y)),
    (lambda a, b: (a * b, b**2), (x, y)), (lambda t: t.sum(), x), (lambda t: torch.ones(2), y), (lambda t: t**3, s),
    (lambda t: (t**3,), s), (lambda t: 3, x), (lambda t: t, 3), (lambda t: t, [x]), (lambda a, b: (a**2).sum(), (x, y)),
    (lambda t: (t**3).sum(), x.clone().requires_grad_()),
]
for function, inputs in cases:
    for settings in [{{}}, {{"strict": True}}, {{"create_graph": True}}, {{"create_graph": True, "strict": True}}{more}]:
        note(lambda: repr(torch.autograd.functional.{name}(function, inputs{vector}, **settings)))
"""

JACOBIAN = (
    ', {"vectorize": True}, {"vectorize": True, "strict": True}, {"strategy": "forward-mode"}, {"strategy": "other"}'
)

CHECKED = """
x = torch.tensor([[0.5, 2.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
y = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
f = torch.tensor([0.5, 1.0], requires_grad=True)
check, check_twice = torch.autograd.gradcheck, torch.autograd.gradgradcheck
for call in [
    lambda: check(lambda t: t.exp() * t, (x,)), lambda: check(lambda t: t.exp() + t.detach(), x),
    lambda: check(lambda t: t.exp() + t.detach(), x, raise_exception=False), lambda: check(lambda t: t.detach(), x),
    lambda: check(lambda t: t.detach() * 0, x), lambda: check(lambda t: t * 2, f), lambda: check(lambda t: t, x.detach()),
    lambda: check(lambda t: t * 2, f, eps=1e-3, atol=1e-2), lambda: check(lambda a, b: (a * b, a + b.detach()), (x, y)),
    lambda: check_twice(lambda t: t**3, x), lambda: check_twice(lambda t: t * 2, x),
    lambda: check(lambda t: t.sum() * x.detach(), (y,), fast_mode=True), lambda: check(lambda t: [t.sin(), t.detach()], y),
    lambda: check(lambda t: t * t.detach(), (y,), fast_mode=True), lambda: check(lambda t: (t, t * 2), y),
    lambda: check(lambda t: t, y.detach().requires_grad_().expand(3, 2)), lambda: check(lambda t: (x * x).sum(), (x,)),
    lambda: check(lambda t: t, x, check_backward_ad=False), lambda: check(lambda t: 3, x),
    lambda: check_twice(lambda t: t.sin(), x, torch.ones(2, 2, dtype=torch.float64, requires_grad=True)),
]:
    note(call)
"""

SNIPPETS = [
    *(
        STEPS.format(
            name=name,
            settings=settings,
            dtype=f"torch.{dtype}",
            groups="[w, v, u]" if name == "LBFGS" else '[{"params": [w]}, {"params": [v, u], "lr": 0.05}]',
            state=name != "LBFGS",
        )
        for name, settings in OPTIMIZERS
        for dtype in (("float64",) if name == "LBFGS" else ("float64", "float32"))
    ),
    MADE.format(codes=REFUSED),
    HOOKS,
    EARLY,
    *(SCHEDULES.format(code=code, metric="", optimizer=name) for code in SCHEDULERS for name in ("SGD", "Adam")),
    *(SCHEDULES.format(code=code, metric="abs(epoch - 4)", optimizer="SGD") for code in PLATEAUS),
    DERIVATIVES.format(name="jacobian", vector="", more=JACOBIAN),
    DERIVATIVES.format(name="hessian", vector="", more=', {"vectorize": True}, {"outer_jacobian_strategy": "other"}'),
    *(
        DERIVATIVES.format(name=name, vector=vector, more="")
        for name in ("vjp", "jvp", "vhp", "hvp")
        for vector in ("", ", v", ", (v, y)", ", (v,)", ", y", ", 3")
    ),
    CHECKED,
    *AVERAGING,
    *MATRICES,
]
