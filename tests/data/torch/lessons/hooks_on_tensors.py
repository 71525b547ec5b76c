import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
seen = []
y = x * 2
handle = y.register_hook(lambda grad: seen.append(grad.clone()))
y.register_hook(lambda grad: grad * 10)
x.register_hook(lambda grad: print("x receives", grad))
z = (y**2).sum()
z.backward(retain_graph=True)
print(seen, x.grad)
handle.remove()
x.grad = None
z.backward()
print(len(seen), x.grad)


def save_grad(name):
    def hook(grad):
        grads[name] = grad

    return hook


grads = {}
x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = torch.sin(y)
y.register_hook(save_grad("y"))
z.register_hook(save_grad("z"))
z.backward()
print(grads)

# A wrong hook
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda grad: torch.zeros(3))
try:
    w.sum().backward()
except RuntimeError as error:
    print(error)
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda grad: "nothing")
try:
    w.sum().backward()
except TypeError as error:
    print(type(error).__name__, error)
try:
    torch.ones(2).register_hook(print)
except RuntimeError as error:
    print(error)

# After accumulation
p = torch.ones(3, requires_grad=True)


def step_now(param):
    with torch.no_grad():
        param -= 0.1 * param.grad
    param.grad = None


handle = p.register_post_accumulate_grad_hook(step_now)
for _ in range(2):
    (p * torch.arange(3.0)).sum().backward()
    print(p, p.grad)
handle.remove()
try:
    (p * 2).register_post_accumulate_grad_hook(step_now)
except RuntimeError as error:
    print(error)

# On nodes
v = torch.tensor(1.0, requires_grad=True)
u = (v * 3).exp()
u.grad_fn.register_prehook(lambda grads: print("before", grads))
u.grad_fn.register_hook(lambda inputs, outputs: print("after", inputs, outputs))
u.backward()
print(v.grad)
