import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


x = torch.tensor([0.0, 1.0], requires_grad=True)
y = Exp.apply(x)
print(y, y.grad_fn.name(), y.grad_fn.next_functions)
y.sum().backward()
print(x.grad)


class MyReLU(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


relu = MyReLU.apply
x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
relu(x).sum().backward()
print(relu(x), x.grad)


class SignSTE(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1).float()


x = torch.tensor([-2.0, -0.5, 0.3, 1.7], requires_grad=True)
y = SignSTE.apply(x)
print(y)
(y * torch.arange(4.0)).sum().backward()
print(x.grad)


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        print("needs", ctx.needs_input_grad)
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


torch.manual_seed(0)
data = torch.randn(4, 3)
weight = torch.randn(2, 3, requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
out = LinearFunction.apply(data, weight, bias)
print(out)
out.sum().backward()
print(weight.grad, bias.grad)
print(LinearFunction.apply(data, weight).grad_fn.next_functions[1])


class MulConstant(Function):
    @staticmethod
    def forward(tensor, constant):
        return tensor * constant

    @staticmethod
    def setup_context(ctx, inputs, output):
        tensor, constant = inputs
        ctx.constant = constant

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.constant, None


x = torch.ones(2, requires_grad=True)
y = MulConstant.apply(x, 4)
y.sum().backward()
print(y, x.grad, y.grad_fn.constant)


class Two(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2

    @staticmethod
    def backward(ctx, a, b):
        print("got", a, b)
        return a if b is None else b


x = torch.ones(1, requires_grad=True)
one, two = Two.apply(x)
one.backward()
print(one, two, x.grad)


class Bad(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g, g


class Shape(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g[:1]


class NoBackward(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


for kind in (Bad, Shape, NoBackward):
    try:
        kind.apply(torch.ones(2, requires_grad=True)).sum().backward()
    except (RuntimeError, NotImplementedError) as error:
        print(type(error).__name__, error)
try:
    Exp()(x)
except RuntimeError as error:
    print(error)
print(Exp, Exp.apply(torch.ones(1)).requires_grad)
