import torch
import torch.nn.functional as F
from torch import nn

p = torch.tensor([0.5, 1.5, -1.0], requires_grad=True)
t = torch.tensor([1.0, 1.0, 0.0])
for loss in (nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss(), nn.HuberLoss(delta=0.7), nn.MSELoss(reduction="sum"), nn.MSELoss(reduction="none"), nn.BCEWithLogitsLoss(), nn.SoftMarginLoss(), nn.PoissonNLLLoss()):
    p.grad = None
    out = loss(p, t)
    print(out)
    out.sum().backward()
    print(p.grad)
print(F.kl_div(F.log_softmax(p, 0), F.softmax(t, 0), reduction="sum"), F.kl_div(F.log_softmax(p, 0), t.softmax(0), reduction="batchmean"))
a, b = torch.tensor([[1.0, 0.0], [1.0, 1.0]]), torch.tensor([[0.5, 0.5], [-1.0, 1.0]])
print(F.cosine_similarity(a, b), F.pairwise_distance(a, b), torch.cdist(a, b), F.cosine_embedding_loss(a, b, torch.tensor([1.0, -1.0])))
print(F.triplet_margin_loss(a, b, b + 1), F.margin_ranking_loss(a[:, 0], b[:, 0], torch.ones(2)), F.hinge_embedding_loss(a, torch.ones(2, 2)), F.gaussian_nll_loss(p, t, torch.ones(3)))
F.mse_loss(torch.ones(3, 1), torch.ones(3))
for wrong in (lambda: F.mse_loss(torch.ones(3), torch.ones(2)), lambda: F.l1_loss(p, t, reduction="avg"), lambda: nn.MSELoss(reduction="avg")(p, t), lambda: F.mse_loss(p, 1.0), lambda: F.mse_loss(p)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
nn.MSELoss(size_average=False)(p, t)
print(F.mse_loss(p, t).grad_fn, F.l1_loss(p, t).grad_fn, F.smooth_l1_loss(p, t).grad_fn, F.huber_loss(p, t).grad_fn, F.softmax(p, 0).grad_fn, F.gelu(p).grad_fn, F.normalize(p, dim=0).grad_fn)
F.softmax(p)
F.sigmoid(p), F.tanh(p)
print(F.normalize(p, dim=0), F.relu(p), F.leaky_relu(p), F.elu(p), F.gelu(p), F.softplus(p), F.silu(p), F.mish(p), F.hardtanh(p), F.selu(p), F.softsign(p), F.logsigmoid(p), F.hardswish(p), F.relu6(p))
