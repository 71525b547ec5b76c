import torch
from torch import nn


def show(node, depth=0):
    if node is None:
        print("  " * depth + "None")
        return
    print("  " * depth + node.name(), len(node.next_functions))
    for following, index in node.next_functions:
        show(following, depth + 1)


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
loss = ((a * b + a.exp()) ** 2).mean() / 2
show(loss.grad_fn)
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
out = model(a)
show(out.grad_fn)
show(nn.functional.mse_loss(model(torch.ones(4, 2)), torch.zeros(4, 1)).grad_fn)
show(nn.functional.cross_entropy(model[0](torch.ones(4, 2)), torch.tensor([0, 1, 2, 0])).grad_fn)


def nodes_and_edges(root):
    names, edges, queue, seen = [], [], [root], {root}
    while queue:
        node = queue.pop(0)
        names.append(type(node).__name__)
        for following, index in node.next_functions:
            if following is None:
                continue
            edges.append((type(node).__name__, type(following).__name__, index))
            if following not in seen:
                seen.add(following)
                queue.append(following)
    return names, edges


print(nodes_and_edges(loss.grad_fn))

# What torchviz draws: parameters by AccumulateGrad.variable, saved tensors as _saved_*
names = {p: n for n, p in model.named_parameters()}


def describe(node, depth=0):
    line = type(node).__name__
    if hasattr(node, "variable"):
        line += f" {names.get(node.variable, 'leaf')} {tuple(node.variable.size())}"
    for attr in sorted(dir(node)):
        if attr.startswith("_saved_"):
            value = getattr(node, attr)
            if torch.is_tensor(value):
                line += f" {attr[7:]}={tuple(value.shape)}"
            elif isinstance(value, tuple) and any(torch.is_tensor(v) for v in value):
                line += f" {attr[7:]}=tuple"
            else:
                line += f" {attr[7:]}={value}"
    print("  " * depth + line)
    for following, _ in node.next_functions:
        if following is not None:
            describe(following, depth + 1)


describe(model(torch.ones(4, 2)).sum().grad_fn)
describe((a.softmax(0) * b.log()).sum().sqrt().grad_fn)
describe(torch.cat([a, b]).view(2, 2).t().matmul(a).max().grad_fn)
n = loss.grad_fn
print(n, n.name(), type(n).__name__, isinstance(n, torch.autograd.graph.Node), n.metadata, n._sequence_nr() > 0)
print([m for m in dir(n) if not m.startswith("_")])
print(a.grad_fn, torch.autograd.graph.get_gradient_edge(loss).output_nr, loss.grad_fn.next_functions[0][1])
same = (a * b)
print(same.grad_fn is same.grad_fn, same.grad_fn == same.grad_fn, hash(same.grad_fn) == hash(same.grad_fn))
