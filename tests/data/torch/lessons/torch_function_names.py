import torch

x = torch.tensor([[0.2, 0.7], [1.3, 2.1]], requires_grad=True)
one = [
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "digamma", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "logit", "neg", "positive", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinc", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "relu", "deg2rad", "rad2deg", "asinh", "acosh", "atanh",
    "sum", "mean", "prod", "std", "var", "max", "min", "amax", "amin", "median", "norm", "logsumexp", "cumsum", "cumprod", "logcumsumexp", "softmax", "log_softmax", "diff", "t", "flatten", "ravel", "unsqueeze", "squeeze", "clone", "contiguous", "tril", "triu", "diag", "diagonal", "trace", "fliplr", "flipud", "rot90", "view_as", "nansum", "nanmean", "argmax", "isnan", "count_nonzero",
]
for name in one:
    with_dim = name in ("logsumexp", "cumsum", "cumprod", "logcumsumexp", "softmax", "log_softmax", "unsqueeze")
    args = (0,) if with_dim else ((x,) if name == "view_as" else ())
    f = getattr(torch, name, None)
    inp = x * 0.3 + 0.1 if name in ("acos", "asin", "atanh", "logit", "erfinv") else (x + 1.5 if name == "acosh" else x)
    out = f(inp, *args) if f is not None else getattr(inp, name)(*args)
    line = f"{name:12} {out.grad_fn.name() if out.grad_fn else None} {out.sum().item():.4f}"
    if out.grad_fn is not None:
        (g,) = torch.autograd.grad(out.sum(), x, allow_unused=True)
        line += f" {[[round(c, 3) + 0.0 for c in row] for row in g.tolist()]}"
    print(line)
a, b = torch.tensor([1.0, -2.0, 3.0], requires_grad=True), torch.tensor([2.0, 0.5, 3.0], requires_grad=True)
for name in ("add", "sub", "mul", "div", "pow", "atan2", "maximum", "minimum", "max", "fmod", "remainder", "dot", "outer", "hypot", "copysign", "fmax", "fmin", "logaddexp", "true_divide", "floor_divide", "heaviside", "inner", "vdot", "lerp", "addcmul", "addcdiv", "clamp", "where", "cross", "dist", "eq", "ge", "xlogy", "float_power", "ldexp", "nextafter", "bitwise_and" if False else "ne"):
    args = {"lerp": (a, b, 0.5), "addcmul": (a, a, b), "addcdiv": (a, a, b), "clamp": (a, 0.0, 2.0), "where": (a > 0, a, b), "pow": (b, a), "xlogy": (a, b), "cross": (a, b, 0), "heaviside": (a.detach(), b.detach()), "ldexp": (a, b), "nextafter": (a.detach(), b.detach()), "float_power": (b, a)}.get(name, (a, b))
    out = getattr(torch, name)(*args)
    line = f"{name:12} {out.grad_fn.name() if out.grad_fn else None} {[round(c, 4) for c in out.detach().flatten().tolist()] if out.dim() else out}"
    if out.grad_fn is not None:
        try:
            grads = torch.autograd.grad(out.sum(), (a, b), allow_unused=True)
        except RuntimeError as error:
            print(line, error)
            continue
        line += f" {[None if g is None else [round(c, 3) + 0.0 for c in g.tolist()] for g in grads]}"
    print(line)
