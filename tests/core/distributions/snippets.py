"""The snippets about distributions whose facts are compared with those recorded from PyTorch."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

TELL = """
D = torch.distributions
def p(*values, dtype=torch.{dtype}):
    return torch.tensor(values, dtype=dtype, requires_grad=True)
def nodes(tensor):
    found, ahead = [], [tensor.grad_fn]
    while ahead and len(found) < 60:
        node = ahead.pop(0)
        if node is not None and type(node).__name__ != 'ToCopyBackward0':
            found.append(type(node).__name__)
            ahead += [following for following, _ in node.next_functions]
    return found
def with_gradients(tensor):
    if tensor.requires_grad:
        return [tensor, nodes(tensor), torch.autograd.grad(tensor.sum(), leaves, allow_unused=True, retain_graph=True)]
    return [tensor, tensor.dtype]
"""

ALL = """
leaves = {leaves}
made = D.{call}
log.append([made, made.batch_shape, made.event_shape, made.support, made.has_rsample, made.has_enumerate_support, made.arg_constraints])
torch.manual_seed(4)
drawn = []
for shape in ((), (2, 3), (20,)):
    note(lambda: made.sample(shape))
    drawn.append(made.sample(shape))
    note(lambda: torch.rand(2))
for name in ('mean', 'mode', 'variance', 'stddev'):
    note(lambda: with_gradients(getattr(made, name)))
for name in ('entropy', 'perplexity', 'enumerate_support'):
    note(lambda: with_gradients(getattr(made, name)()))
note(lambda: made.enumerate_support(False))
note(lambda: with_gradients(made.rsample()))
note(lambda: made.rsample((2,)))
note(lambda: with_gradients(made.rsample((3,))))
values = [one.detach() for one in drawn]
for value in values:
    note(lambda: with_gradients(made.log_prob(value)))
    note(lambda: made.cdf(value))
note(lambda: with_gradients(made.log_prob(values[0].clone().requires_grad_())))
note(lambda: made.icdf(torch.tensor(0.3, dtype=values[0].dtype)))
wide = None
def widened():
    global wide
    wide = made.expand((2, *made.batch_shape))
    return [wide, wide.batch_shape, wide.event_shape, wide.sample(), with_gradients(wide.log_prob(values[0])), wide.entropy()]
note(widened)
for wrong in (torch.tensor(-1.5), torch.tensor(2.5), torch.full((7, 5), 0.5), 0.3, torch.tensor(float('nan'))):
    note(lambda: made.log_prob(wrong))
note(lambda: made.sample_n(2))
"""

CALLS = [
    ("Normal(0.5, 2.0)", "()"),
    ("Normal(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("Normal(leaves[0], 2)", "(p(0.5, -1.0),)"),
    ("Uniform(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("Uniform(0, 1)", "()"),
    ("Exponential(*leaves)", "(p(0.5, 1.0),)"),
    ("Laplace(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("Cauchy(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("Gumbel(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("LogNormal(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("HalfNormal(*leaves)", "(p(0.5, 1.0),)"),
    ("HalfCauchy(*leaves)", "(p(0.5, 1.0),)"),
    ("Weibull(*leaves)", "(p(0.5, 1.0), p(2.0, 1.25))"),
    ("Pareto(*leaves)", "(p(0.5, 1.0), p(2.0, 3.25))"),
    ("Kumaraswamy(*leaves)", "(p(0.5, 1.5), p(2.0, 3.25))"),
    ("LogisticNormal(*leaves)", "(p(0.5, -1.0), p(2.0, 0.25))"),
    ("Bernoulli(*leaves)", "(p(0.5, 0.25, 0.9),)"),
    ("Bernoulli(0.3)", "()"),
    ("Bernoulli(logits=leaves[0])", "(p(0.5, -0.25),)"),
    ("Geometric(*leaves)", "(p(0.5, 0.25),)"),
    ("Geometric(logits=leaves[0])", "(p(0.5, -0.25),)"),
    ("Categorical(*leaves)", "(p(0.5, 0.25, 2.0),)"),
    ("Categorical(*leaves)", "(p((0.5, 0.25, 2.0), (1.0, 1.0, 0.0)),)"),
    ("Categorical(logits=leaves[0])", "(p(0.5, -0.25, 2.0),)"),
    ("OneHotCategorical(*leaves)", "(p((0.5, 0.25, 2.0), (1.0, 1.0, 1.0)),)"),
    ("OneHotCategorical(logits=leaves[0])", "(p(0.5, -0.25, 2.0),)"),
    ("OneHotCategoricalStraightThrough(*leaves)", "(p(0.5, 0.25, 2.0),)"),
    ("Poisson(*leaves)", "(p(0.5, 4.0, 30.0),)"),
    ("Poisson(2.5)", "()"),
    ("Binomial(10, leaves[0])", "(p(0.5, 0.25, 0.9),)"),
    ("Binomial(torch.tensor([3, 60]), logits=leaves[0])", "(p(0.5, -0.25),)"),
    ("NegativeBinomial(*leaves)", "(p(3.0, 10.0), p(0.5, 0.3))"),
    ("NegativeBinomial(5, logits=leaves[0])", "(p(0.5, -0.25),)"),
    ("Multinomial(6, leaves[0])", "(p(0.5, 0.25, 2.0),)"),
    ("Multinomial(4, logits=leaves[0])", "(p((0.5, -0.25, 2.0), (0.0, 0.0, 1.0)),)"),
    ("Gamma(2.0, 3.0)", "()"),
    ("ContinuousBernoulli(*leaves)", "(p(0.5, 0.25, 0.9),)"),
    ("ContinuousBernoulli(logits=leaves[0], lims=(0.4, 0.6))", "(p(0.1, -0.9),)"),
    ("VonMises(0.5, 2.0)", "()"),
    ("LowRankMultivariateNormal(*leaves)", "(p(0.5, -1.0, 0.0), p((1.0,), (0.5,), (0.25,)), p(0.3, 1.0, 2.0))"),
    ("LowRankMultivariateNormal(*leaves)", "(p((0.5, -1.0), (1.0, 2.0)), p((1.0,), (0.5,)), p(0.3, 1.0))"),
    ("MultivariateNormal(leaves[0], leaves[1])", "(p(0.5, -1.0), p((2.0, 0.5), (0.5, 1.0)))"),
    ("MultivariateNormal(leaves[0], precision_matrix=leaves[1])", "(p(0.5, -1.0), p((2.0, 0.5), (0.5, 1.0)))"),
    ("MultivariateNormal(leaves[0], scale_tril=leaves[1])", "(p((0.5, -1.0), (0.0, 1.0)), p((2.0, 0.0), (0.5, 1.0)))"),
    ("MultivariateNormal(torch.zeros(2), torch.eye(2))", "()"),
    ("Independent(D.Normal(*leaves), 1)", "(p((0.5, -1.0), (0.0, 1.0)), p(2.0, 0.25))"),
    ("Independent(D.Bernoulli(*leaves), 0)", "(p(0.5, 0.25),)"),
    ("MixtureSameFamily(D.Categorical(leaves[0]), D.Normal(*leaves[1:]))", "(p(0.5, 0.25), p(0.0, 3.0), p(1.0, 0.5))"),
    (
        "MixtureSameFamily(D.Categorical(logits=leaves[0]), D.Independent(D.Normal(leaves[1], 1.0), 1))",
        "(p(0.5, 0.25), p((0.0, 3.0), (1.0, 0.5)))",
    ),
    ("RelaxedBernoulli(*leaves)", "(p(0.5), p(0.3, 0.8))"),
    ("RelaxedBernoulli(torch.tensor([0.7]), logits=leaves[0])", "(p(0.5, -0.25),)"),
    ("RelaxedOneHotCategorical(*leaves)", "(p(0.5), p(0.5, 0.25, 2.0))"),
    (
        "TransformedDistribution(D.Normal(*leaves), [D.AffineTransform(1.0, 2.0), D.TanhTransform()])",
        "(p(0.5, -1.0), p(2.0, 0.25))",
    ),
    ("TransformedDistribution(D.Normal(0.0, 1.0), [D.AffineTransform(*leaves)])", "(p(0.5, -1.0), p(2.0, -0.25))"),
    ("TransformedDistribution(D.Uniform(0.0, 1.0), [D.SigmoidTransform().inv, D.AffineTransform(1.0, -2.0)])", "()"),
    (
        "TransformedDistribution(D.Independent(D.Normal(*leaves), 1), D.StickBreakingTransform())",
        "(p(0.5, -1.0), p(2.0, 0.25))",
    ),
    ("TransformedDistribution(D.Normal(*leaves), D.SoftplusTransform())", "(p(0.5, -1.0), p(2.0, 0.25))"),
]

SINGLE = [
    ("GeneralizedPareto(*leaves)", "(p(0.5, -1.0, 0.0), p(2.0, 0.25, 1.0), p(0.3, 0.0, -0.5))"),
]
"""Those whose formulas PyTorch has in single precision only."""

OF_GAMMA = [
    ("Gamma(*leaves)", "(p(0.5, 2.0, 30.0), p(2.0, 0.25, 1.0))"),
    ("Beta(*leaves)", "(p(0.5, 3.0), p(2.0, 0.75))"),
    ("Beta(2.0, 1.0)", "()"),
    ("FisherSnedecor(*leaves)", "(p(1.5, 3.0, 6.0), p(2.5, 8.0, 4.5))"),
    ("LKJCholesky(3, leaves[0])", "(p(0.5, 3.0),)"),
    ("Dirichlet(*leaves)", "(p(0.5, 3.0, 1.0),)"),
    ("Dirichlet(*leaves)", "(p((0.5, 0.25, 0.9), (2.0, 3.0, 4.0)),)"),
    ("Chi2(*leaves)", "(p(0.5, 3.0),)"),
    ("StudentT(*leaves)", "(p(0.5, 1.5, 5.0), p(0.0, 1.0, 2.0), p(1.0, 2.0, 0.5))"),
    ("InverseGamma(*leaves)", "(p(0.5, 3.0), p(2.0, 0.75))"),
]
"""PyTorch's gradients of their samples are good to some three digits, and so are compared."""

PAIRS = """
a, b, c, d, e, f, h = p(0.5, 1.5), p(2.0, 0.75), p(0.3, 0.8), p(0.0, 1.0), p(1.0, 0.5), p(2.0, 3.0), p(-1.0, 0.25)
leaves = (a, b, c, d, e, f, h)
made = [
    D.Normal(d, b), D.Normal(h, a), D.Uniform(a, f), D.Uniform(c, b + 1), D.Exponential(a), D.Exponential(b), D.Laplace(d, a), D.Laplace(h, b),
    D.Gamma(a, b), D.Gamma(f, c), D.Beta(a, b), D.Beta(f, c), D.Bernoulli(c), D.Bernoulli(logits=d), D.Poisson(a), D.Poisson(f), D.Geometric(c), D.Geometric(logits=d),
    D.Categorical(a), D.Categorical(logits=b), D.OneHotCategorical(a), D.OneHotCategorical(c), D.Dirichlet(a), D.Dirichlet(f), D.Binomial(3, c), D.Binomial(2, c / 2), D.Gumbel(d, a), D.Gumbel(h, b),
    D.Cauchy(d, a), D.Cauchy(h, b), D.Pareto(a, f), D.Pareto(c, b + 2), D.HalfNormal(a), D.HalfNormal(b), D.LogNormal(d, a), D.LogNormal(h, b),
    D.ContinuousBernoulli(c), D.ContinuousBernoulli(logits=d), D.LowRankMultivariateNormal(d, a.unsqueeze(-1), b), D.LowRankMultivariateNormal(h, f.unsqueeze(-1), c),
    D.MultivariateNormal(d, torch.eye(2, dtype=torch.float64) * 2), D.MultivariateNormal(h, scale_tril=torch.tensor([[1.0, 0], [0.5, 2]], dtype=torch.float64)), D.Independent(D.Normal(d, b), 1), D.Independent(D.Normal(h, a), 1),
]
kinds = {}
for first in made:
    for second in made:
        if (type(first) is D.ContinuousBernoulli) != (type(second) is D.ContinuousBernoulli):
            continue
        try:
            found = D.kl_divergence(first, second)
        except Exception as error:
            log.append(type(error).__name__[:3])
        else:
            log.append([found, nodes(found)[:20], [one for one in torch.autograd.grad(found.sum(), leaves, allow_unused=True, retain_graph=True) if one is not None] if found.requires_grad else 0])
"""

OTHER_KL = """
class Mine(D.Normal):
    pass
class Other(D.Distribution):
    arg_constraints = {}
note(lambda: D.kl_divergence(Mine(0.0, 1.0), D.Normal(1.0, 2.0)))
note(lambda: D.kl_divergence(Other(), D.Normal(1.0, 2.0)))
@D.register_kl(Mine, D.Distribution)
def first(p, q):
    return 'first'
@D.register_kl(D.Distribution, Mine)
def second(p, q):
    return 'second'
note(lambda: [D.kl_divergence(Mine(0.0, 1.0), D.Laplace(1.0, 2.0)), D.kl_divergence(D.Laplace(0.0, 1.0), Mine(1.0, 2.0))])
note(lambda: D.kl_divergence(Mine(0.0, 1.0), Mine(1.0, 2.0)))
note(lambda: D.kl_divergence(D.Categorical(torch.tensor([0.5, 0.5, 0.0])), D.Categorical(torch.tensor([0.5, 0.0, 0.5]))))
note(lambda: D.kl_divergence(D.Bernoulli(torch.tensor([0.0, 1.0, 0.5])), D.Bernoulli(torch.tensor([0.0, 0.5, 1.0]))))
class Family(D.ExponentialFamily):
    arg_constraints = {}
    def __init__(self, rate):
        self.rate = rate
        super().__init__(rate.size())
    _mean_carrier_measure = 0
    _natural_params = property(lambda self: (-self.rate,))
    def _log_normalizer(self, x):
        return -torch.log(-x)
leaves = (p(0.5, 2.0),)
note(lambda: with_gradients(Family(leaves[0]).entropy()))
note(lambda: with_gradients(D.kl_divergence(Family(leaves[0]), Family(leaves[0] * 2))))
note(lambda: D.kl_divergence(Family(leaves[0]), D.Poisson(leaves[0])))
note(lambda: D.kl_divergence(D.MultivariateNormal(torch.zeros(2), torch.eye(2)), D.MultivariateNormal(torch.zeros(3), torch.eye(3))))
note(lambda: D.ExponentialFamily(validate_args=False).entropy())
"""

REFUSED = """
calls = [
    lambda: D.Normal(0.0, -1.0), lambda: D.Normal(torch.tensor([0.0, float('nan')]), 1.0), lambda: D.Normal('a', 1.0), lambda: D.Normal([0.0], 1.0), lambda: D.Normal(torch.zeros(2), torch.ones(3)),
    lambda: D.Normal(torch.zeros(2, 2), torch.tensor([1.0, 0.0])), lambda: D.Normal(0.0, -1.0, validate_args=False), lambda: D.Normal(0.0, 1.0, validate_args=False).log_prob(torch.tensor(float('nan'))),
    lambda: D.Bernoulli(), lambda: D.Bernoulli(0.1, 0.2), lambda: D.Bernoulli(1.5), lambda: D.Bernoulli(torch.tensor([0.5, -0.1])), lambda: D.Bernoulli(0.5).rsample(),
    lambda: D.Categorical(), lambda: D.Categorical(torch.tensor(0.5)), lambda: D.Categorical(logits=torch.tensor(0.5)), lambda: D.Categorical(torch.tensor([-0.5, 1.5])), lambda: D.Categorical(torch.tensor([0.0, 0.0])),
    lambda: D.Categorical(torch.ones(3)).log_prob(torch.tensor(3)), lambda: D.Categorical(torch.ones(3)).log_prob(torch.tensor(0.5)), lambda: D.Categorical(torch.ones(2, 3)).log_prob(torch.tensor([0, 1, 2])),
    lambda: D.Uniform(1.0, 0.0), lambda: D.Uniform(0.0, 1.0).log_prob(torch.tensor(1.5)), lambda: D.Uniform(0.0, 1.0).log_prob(torch.tensor(1.0)), lambda: D.Exponential(0.0), lambda: D.Exponential(1.0).log_prob(torch.tensor(-1.0)),
    lambda: D.Beta(0.0, 1.0), lambda: D.Beta(1.0, 1.0).log_prob(torch.tensor(1.2)), lambda: D.Gamma(1.0, -1.0), lambda: D.Dirichlet(torch.tensor(1.0)), lambda: D.Dirichlet(torch.tensor([1.0, 0.0])), lambda: D.Dirichlet(torch.ones(2)).log_prob(torch.tensor([0.5, 0.6])),
    lambda: D.Poisson(-1.0), lambda: D.Poisson(1.0).log_prob(torch.tensor(0.5)), lambda: D.Poisson(1.0).entropy(), lambda: D.Binomial(3, torch.tensor(1.5)), lambda: D.Binomial(3, torch.tensor(0.5)).log_prob(torch.tensor(4.0)), lambda: D.Binomial(torch.tensor([2, 3]), torch.tensor(0.5)).entropy(),
    lambda: D.Binomial(torch.tensor([2, 3]), torch.tensor(0.5)).enumerate_support(), lambda: D.Multinomial(torch.tensor(3), torch.ones(2)), lambda: D.Geometric(0.0), lambda: D.Geometric(torch.tensor([0.0, 0.5])), lambda: D.Independent(D.Normal(0.0, 1.0), 1), lambda: D.Independent(D.Bernoulli(torch.ones(2) / 2), 1).enumerate_support(),
    lambda: D.MultivariateNormal(torch.tensor(0.0), torch.eye(1)), lambda: D.MultivariateNormal(torch.zeros(2)), lambda: D.MultivariateNormal(torch.zeros(2), torch.eye(2), torch.eye(2)), lambda: D.MultivariateNormal(torch.zeros(2), torch.ones(2)), lambda: D.MultivariateNormal(torch.zeros(2), scale_tril=torch.ones(2)), lambda: D.MultivariateNormal(torch.zeros(2), -torch.eye(2)),
    lambda: D.MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 0.5], [0.0, 1.0]])), lambda: D.MultivariateNormal(torch.zeros(2), scale_tril=torch.ones(2, 2)), lambda: D.MultivariateNormal(torch.zeros(2), torch.eye(2)).log_prob(torch.zeros(3)),
    lambda: D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(0.0, 1.0)), lambda: D.MixtureSameFamily(D.Categorical(torch.ones(2)), 3), lambda: D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(torch.zeros(3), 1.0)), lambda: D.MixtureSameFamily(D.Categorical(torch.ones(3, 2)), D.Normal(torch.zeros(4, 2), 1.0)),
    lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), 3), lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [3]), lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), D.StickBreakingTransform()), lambda: D.Distribution.set_default_validate_args(3),
    lambda: D.Distribution().mean, lambda: D.Distribution(validate_args=False).mode, lambda: D.Distribution(validate_args=False).sample(), lambda: D.Distribution(validate_args=False).expand((2,)), lambda: D.Categorical(torch.ones(2)).cdf(torch.tensor(1)), lambda: D.Normal(0.0, 1.0).enumerate_support(),
    lambda: D.Normal(torch.zeros(2), 1.0).expand((3,)), lambda: D.NegativeBinomial(3.0), lambda: D.NegativeBinomial(3.0, torch.tensor(1.0)), lambda: D.RelaxedBernoulli(torch.tensor(1.0)), lambda: D.OneHotCategorical(torch.ones(3)).log_prob(torch.ones(3)), lambda: D.Normal(torch.tensor(0), torch.tensor(1)),
    lambda: D.kl_divergence(D.Binomial(2, torch.tensor(0.5)), D.Binomial(3, torch.tensor(0.5))), lambda: D.transform_to(D.constraints.dependent), lambda: D.biject_to.register(3, None)(None), lambda: D.constraints.dependent.check(torch.ones(1)), lambda: D.constraints.dependent.event_dim,
]
for call in calls:
    note(call)
class Own(D.Normal):
    def __init__(self, loc):
        super().__init__(loc, 1.0)
note(lambda: [Own(0.0), Own(torch.zeros(2)).rsample((2,)).shape])
note(lambda: Own(0.0).expand((2,)))
D.Distribution.set_default_validate_args(False)
note(lambda: D.Normal(0.0, -1.0))
D.Distribution.set_default_validate_args(True)
note(lambda: D.Normal(0.0, -1.0))
"""

TRANSFORMS = """
x = torch.tensor([[0.5, -1.0, 2.0], [0.25, 0.0, -0.5]], dtype=torch.float64, requires_grad=True)
leaves = (x,)
every = [
    D.ExpTransform(), D.SigmoidTransform(), D.TanhTransform(), D.SoftplusTransform(), D.AbsTransform(), D.AffineTransform(1.0, -2.0), D.AffineTransform(torch.ones(3), torch.tensor([1.0, 2.0, -3.0]), event_dim=1),
    D.StickBreakingTransform(), D.SoftmaxTransform(), D.ReshapeTransform((3,), (3, 1)), D.CorrCholeskyTransform(), D.ComposeTransform([D.ExpTransform(), D.PowerTransform(2.0)]), D.ComposeTransform([D.AffineTransform(0.0, 2.0), D.StickBreakingTransform()]),
    D.IndependentTransform(D.TanhTransform(), 1), D.CatTransform([D.ExpTransform(), D.TanhTransform()], -1, [1, 2]), D.StackTransform([D.ExpTransform(), D.TanhTransform()], 0), D.CumulativeDistributionTransform(D.Normal(0.0, 1.0)), D.TanhTransform(cache_size=1), D.ExpTransform().inv.inv, D.identity_transform,
]
for transform in every:
    log.append(transform)
    note(lambda: [transform.domain, transform.codomain, transform.bijective])
    note(lambda: transform.sign)
    note(lambda: transform.event_dim)
    y = transform(x)
    note(lambda: with_gradients(y))
    note(lambda: with_gradients(transform.inv(y)))
    note(lambda: [transform.inv, transform.inv.domain, transform.inv.inv is transform, transform.inv == transform, transform == transform])
    note(lambda: with_gradients(transform.log_abs_det_jacobian(x, y)))
    note(lambda: with_gradients(transform.inv.log_abs_det_jacobian(y, x)))
    note(lambda: [transform.forward_shape((2, 3)), transform.inverse_shape((2, 3))])
    note(lambda: transform.with_cache() is transform)
note(lambda: [D.ExpTransform() == D.ExpTransform(), D.AffineTransform(0, 1) == D.AffineTransform(0, 1), D.AffineTransform(0, 1) == D.AffineTransform(0, 2), D.AffineTransform(torch.zeros(2), 1) == D.AffineTransform(torch.zeros(2), 1), D.ExpTransform() == D.TanhTransform(), D.PowerTransform(2.0) == D.PowerTransform(2.0)])
square = torch.tensor([[0.5, 0.0], [1.0, -0.25]])
for transform in (D.LowerCholeskyTransform(), D.PositiveDefiniteTransform()):
    note(lambda: [transform(square), transform.inv(transform(square)), transform.domain, transform.codomain])
kept = D.ExpTransform(cache_size=1)
note(lambda: [kept.inv(kept(x)) is x, kept(x) is kept(x), D.ExpTransform().inv(D.ExpTransform()(x)) is x])
c = D.constraints
for constraint in (c.real, c.positive, c.nonnegative, c.greater_than(2.0), c.less_than(-1.0), c.interval(-1.0, 2.0), c.unit_interval, c.half_open_interval(0, 3), c.simplex, c.lower_cholesky, c.positive_definite, c.corr_cholesky, c.real_vector, c.cat([c.positive, c.real], -1, [1, 2]), c.stack([c.positive, c.real]), c.boolean):
    for registry in (D.transform_to, D.biject_to):
        note(lambda: [registry(constraint), registry(constraint)(x)])
for call in (lambda: D.ExpTransform(cache_size=2), lambda: D.ReshapeTransform((2,), (3,)), lambda: D.ReshapeTransform((2,), (2, 1)).forward_shape((3,)), lambda: D.ReshapeTransform((2,), (2, 1)).inverse_shape((3,)), lambda: D.StickBreakingTransform().forward_shape(()), lambda: D.CorrCholeskyTransform().forward_shape((4,)), lambda: D.CorrCholeskyTransform().inverse_shape((4, 3)), lambda: D.CatTransform([3]), lambda: D.CatTransform([D.ExpTransform()], lengths=[1, 2]), lambda: D.CatTransform([D.ExpTransform()], 0, [1])(x), lambda: D.StackTransform([D.ExpTransform()], 0)(x), lambda: D.StickBreakingTransform().event_dim, lambda: D.ReshapeTransform((2,), (2, 1)).event_dim, lambda: D.AbsTransform().sign, lambda: D.IndependentTransform(D.ExpTransform(), 3)(x)):
    note(call)
"""

CONSTRAINTS = """
c = D.constraints
values = [torch.tensor([0.0, 0.5, 1.0, -1.0, 2.0, float('nan')]), torch.tensor([[0.25, 0.75], [0.5, 0.6], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.5, 2.0]]), torch.tensor([[1.0, 0.5], [0.5, 1.0]]), torch.eye(2), torch.ones(2, 3)]
every = [
    c.boolean, c.one_hot, c.nonnegative_integer, c.positive_integer, c.integer_interval(0, 2), c.real, c.real_vector, c.positive, c.nonnegative, c.greater_than(0.5), c.greater_than_eq(0.5), c.less_than(0.5), c.multinomial(2), c.unit_interval, c.interval(-1, 1), c.half_open_interval(-1, 1), c.simplex,
    c.lower_triangular, c.lower_cholesky, c.corr_cholesky, c.square, c.symmetric, c.positive_semidefinite, c.positive_definite, c.cat([c.positive, c.real], -1, [1, 1]), c.stack([c.positive, c.real], -1), c.independent(c.positive, 1), c.MixtureSameFamilyConstraint(c.positive), c.dependent, c.dependent(is_discrete=True, event_dim=1),
]
for constraint in every:
    note(lambda: repr(constraint))
    note(lambda: [constraint.is_discrete, constraint.event_dim, c.is_dependent(constraint)])
    for value in values:
        note(lambda: constraint.check(value))
for call in (lambda: c.independent(3, 1), lambda: c.independent(c.real, 1.0), lambda: c.independent(c.real, -1), lambda: c.real_vector.check(torch.tensor(1.0)), lambda: c.cat([3]), lambda: c.cat([c.real], lengths=[1, 2]), lambda: c.stack([3]), lambda: c.cat([c.real], 2).check(torch.ones(2))):
    note(call)
note(lambda: [D.Uniform.support.event_dim, c.is_dependent(D.Uniform.support), D.Normal.support, D.Normal(0.0, 1.0).support])
"""

LESSONS = """
torch.manual_seed(1)
encoder, decoder = nn.Linear(4, 4), nn.Linear(2, 4)
x = torch.rand(5, 4)
mean, log_var = encoder(x).chunk(2, -1)
posterior = D.Normal(mean, (0.5 * log_var).exp())
z = posterior.rsample()
reconstruction = D.Bernoulli(logits=decoder(z)).log_prob((x > 0.5).float()).sum(-1)
loss = (D.kl_divergence(posterior, D.Normal(torch.zeros(2), torch.ones(2))).sum(-1) - reconstruction).mean()
loss.backward()
log.append([loss, nodes(loss), [value.grad for value in [*encoder.parameters(), *decoder.parameters()]]])
policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)
for _ in range(5):
    choices = D.Categorical(logits=policy(torch.randn(6, 3)))
    actions = choices.sample()
    loss = -(choices.log_prob(actions) * (actions.float() - 0.5)).mean() - 0.01 * choices.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.append([actions, loss, loss.grad_fn.__class__.__name__])
log.append([value for value in policy.parameters()])
data = torch.cat([torch.randn(20) - 2, torch.randn(20) * 0.5 + 2])
weights, means, scales = torch.zeros(2, requires_grad=True), torch.tensor([-1.0, 1.0], requires_grad=True), torch.zeros(2, requires_grad=True)
optimizer = torch.optim.SGD([weights, means, scales], lr=0.1)
for _ in range(5):
    loss = -D.MixtureSameFamily(D.Categorical(logits=weights), D.Normal(means, scales.exp())).log_prob(data).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.append(loss)
log.append([weights, means, scales])
actor = D.TransformedDistribution(D.Normal(torch.zeros(2, requires_grad=True), 1.0), D.TanhTransform(cache_size=1))
action = actor.rsample()
log.append([action, actor.log_prob(action), nodes(actor.log_prob(action))])
gumbel = nn.functional.gumbel_softmax(torch.zeros(3), tau=0.5, hard=True)
log.append(gumbel)
"""


DRAWN = """
rates = p(0.5, 4.0, 30.0)
leaves = (rates,)
torch.manual_seed(0)
note(lambda: with_gradients(torch.poisson(rates)))
counts, chances = p(3.0, 60.0, 500.0), p(0.3, 0.5, 0.9)
drawn = torch.binomial(counts, chances)
log.append([drawn, nodes(drawn)])
note(lambda: drawn.sum().backward())
torch.poisson(rates).sum().backward()
log.append([rates.grad, rates.grad._version])
grid = torch.rand(3, 4).t()
log.append([torch.poisson(grid * 5), torch.binomial(grid.floor() + 8, grid.contiguous())])
own = torch.Generator().manual_seed(5)
log.append([torch.poisson(rates.detach(), own), torch.poisson(rates.detach(), generator=own), torch.binomial(counts.detach(), chances.detach(), generator=own), torch.rand(1)])
log.append([torch.binomial(torch.tensor([10.0, 10.0, -1.0, 2.5]), torch.tensor([-0.5, 1.5, 0.5, 1.0])), torch.poisson(torch.zeros(2)), torch.poisson(torch.tensor([]))])
for call in (
    lambda: torch.binomial(torch.full((2,), 5.0), torch.full((2, 1), 0.5)), lambda: torch.poisson(torch.tensor([-1.0])), lambda: torch.poisson(torch.tensor([1])), lambda: torch.poisson([1]), lambda: torch.poisson(), lambda: torch.poisson(torch.tensor([float('nan')])),
    lambda: torch.binomial(torch.tensor([10]), torch.tensor([0.5])), lambda: torch.binomial(torch.tensor([10.0]), torch.tensor([0.5]).double()), lambda: torch.binomial(torch.tensor([10.0, 1, 3]), torch.tensor([0.5, 0.2])), lambda: torch.binomial(torch.tensor([10.0]), 0.5), lambda: torch.binomial(),
):
    note(call)
edge = torch.tensor([0.0, 1.0, -1.0, 2.0, 3.0, float('inf'), 2.0, 1e4, 1e-3, 0.0], dtype=torch.float64)
x = torch.tensor([0.0, 0.0, 1.0, -1.0, float('inf'), 1.0, float('nan'), 1e4, 1e-3, 2.0], dtype=torch.float64)
log.append([torch.igamma(edge, x), torch.igammac(edge, x), edge.igamma(x.abs()), torch.special.gammainc(rates, rates), torch.special.gammaincc(rates, rates * 2)])
part = torch.igamma(rates.detach(), rates)
log.append(with_gradients(part))
log.append(torch.autograd.grad(torch.autograd.grad(torch.igammac(rates.detach(), rates).sum(), rates, create_graph=True)[0].sum(), rates))
for call in (lambda: torch.autograd.grad(torch.igamma(rates, rates).sum(), rates), lambda: torch.igamma(torch.tensor([1]), torch.tensor([1])), lambda: torch.igamma(rates), lambda: torch.igammac(torch.tensor([1]), torch.tensor([1.0])), lambda: torch.igamma(rates, p(1.0, 2.0))):
    note(call)
same = torch.broadcast_tensors(rates, torch.ones(3))
log.append([same[0] is rates, nodes(torch.broadcast_tensors(rates, torch.ones(2, 1))[0] * 1)])
"""


def snippet(code: str, dtype: str = "float64") -> str:
    """``code`` after the helpers it uses."""
    return TELL.replace("{dtype}", dtype) + code


def of_calls(calls: list[tuple[str, str]], dtype: str) -> list[str]:
    """What is known of each distribution."""
    return [snippet(ALL.replace("{call}", call).replace("{leaves}", leaves), dtype) for call, leaves in calls]


OF_GAMMA_SNIPPETS = [*of_calls(OF_GAMMA, "float64"), *of_calls(OF_GAMMA, "float32")]
SNIPPETS = [
    *of_calls(CALLS, "float64"),
    *of_calls(CALLS[::3], "float32"),
    *of_calls(SINGLE, "float32"),
    *OF_GAMMA_SNIPPETS,
    *map(snippet, (DRAWN, PAIRS, OTHER_KL, REFUSED, TRANSFORMS, CONSTRAINTS)),
    snippet(LESSONS, "float32"),
]
