"""Snippets about averages of models, and the rates that go with them."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

AVERAGED = """
S = torch.optim.swa_utils
torch.manual_seed(4)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
averages = [
    S.AveragedModel(model), S.AveragedModel(model, multi_avg_fn=S.get_ema_multi_avg_fn(0.9)), S.AveragedModel(model, avg_fn=S.get_ema_avg_fn(0.5)),
    S.AveragedModel(model, avg_fn=S.get_swa_avg_fn(), use_buffers=True), S.AveragedModel(model, multi_avg_fn=S.get_swa_multi_avg_fn()),
    S.AveragedModel(model, avg_fn=lambda a, b, n: a * 0.25 + b * 0.75 + n),
]
log.append([repr(averages[0]), list(averages[0].state_dict())])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(6, 3), torch.randn(6, 2)) for _ in range(4)]
for number in range(3):
    for x, y in data:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    for average in averages:
        average.update_parameters(model)
    log.append([[(name, value, value._version) for name, value in average.state_dict().items()] for average in averages])
S.update_bn(data, averages[0])
log.append([averages[0].module[1].running_mean, averages[0].module[1].running_var, averages[0].module[1].momentum, averages[0].training, averages[0].n_averaged])
S.update_bn([x for x, _ in data], nn.Linear(3, 3))
log.append(averages[0].eval()(data[0][0]))
for call in [
    lambda: S.AveragedModel(model, avg_fn=print, multi_avg_fn=print), lambda: S.get_ema_avg_fn(2), lambda: S.get_ema_multi_avg_fn(-1),
    lambda: S.SWALR(optimizer, 0.1, anneal_strategy="x"), lambda: S.SWALR(optimizer, 0.1, -1), lambda: S.SWALR(optimizer, [0.1, 0.2]),
    lambda: S.SWALR(optimizer, 0.1).get_lr(),
]:
    note(call)
"""

RATES = """
S = torch.optim.swa_utils
for settings in [{}, {"anneal_epochs": 3}, {"anneal_epochs": 4, "anneal_strategy": "linear"}, {"anneal_epochs": 0}]:
    weights = [torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)]
    optimizer = torch.optim.SGD([{"params": weights[:1]}, {"params": weights[1:], "lr": 0.5}], lr=0.1)
    plan = S.SWALR(optimizer, [0.05, 0.3] if settings else 0.05, **settings)
    rates = []
    for epoch in range(6):
        optimizer.step()
        plan.step()
        rates.append(plan.get_last_lr())
    log.append([rates, plan.state_dict(), [group["swa_lr"] for group in optimizer.param_groups]])
    other = S.SWALR(torch.optim.SGD(weights, lr=0.1), 0.2)
    other.load_state_dict(plan.state_dict())
    log.append(other.state_dict())
"""

SNIPPETS = [AVERAGED, RATES]
