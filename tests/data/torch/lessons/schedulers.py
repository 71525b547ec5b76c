import torch
from torch.optim import lr_scheduler

w = torch.nn.Parameter(torch.ones(1))


def rates(make, steps=8):
    optimizer = torch.optim.SGD([w], lr=0.1)
    scheduler = make(optimizer)
    out = []
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        out.append(round(optimizer.param_groups[0]["lr"], 6))
    return out


print(rates(lambda o: lr_scheduler.StepLR(o, 3, gamma=0.1)))
print(rates(lambda o: lr_scheduler.MultiStepLR(o, [2, 5])))
print(rates(lambda o: lr_scheduler.ExponentialLR(o, 0.9)))
print(rates(lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=5)))
print(rates(lambda o: lr_scheduler.LambdaLR(o, lambda e: 1 / (e + 1))))
print(rates(lambda o: lr_scheduler.LinearLR(o, total_iters=4)))
print(rates(lambda o: lr_scheduler.OneCycleLR(o, max_lr=1.0, total_steps=10)))
print(rates(lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 3)))
print(rates(lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=2)))
print(rates(lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o, 0.5, 2), lr_scheduler.ExponentialLR(o, 0.5)], [3])))
optimizer = torch.optim.SGD([w], lr=0.1)
plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5)
for loss in (1.0, 0.9, 0.95, 0.96, 0.97, 0.98):
    plateau.step(loss)
    print(loss, plateau.get_last_lr())
scheduler = lr_scheduler.StepLR(optimizer, 2)
scheduler.step()
print(scheduler.get_last_lr(), scheduler.last_epoch, sorted(scheduler.state_dict()))
