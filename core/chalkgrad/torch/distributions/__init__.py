"""``torch.distributions``: random values, their densities, and gradients through both."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.torch.distributions import constraints, kl, transforms
from chalkgrad.torch.distributions import kl_across as _kl_across  # noqa: F401 - it registers formulas
from chalkgrad.torch.distributions import kl_alike as _kl_alike  # noqa: F401
from chalkgrad.torch.distributions import kl_low_rank as _kl_low_rank  # noqa: F401
from chalkgrad.torch.distributions.bernoulli import Bernoulli
from chalkgrad.torch.distributions.beta import Beta
from chalkgrad.torch.distributions.binomial import Binomial
from chalkgrad.torch.distributions.categorical import Categorical
from chalkgrad.torch.distributions.cauchy import Cauchy
from chalkgrad.torch.distributions.chi2 import Chi2
from chalkgrad.torch.distributions.constraint_registry import biject_to, transform_to
from chalkgrad.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from chalkgrad.torch.distributions.dirichlet import Dirichlet
from chalkgrad.torch.distributions.distribution import Distribution
from chalkgrad.torch.distributions.exp_family import ExponentialFamily
from chalkgrad.torch.distributions.exponential import Exponential
from chalkgrad.torch.distributions.fishersnedecor import FisherSnedecor
from chalkgrad.torch.distributions.gamma import Gamma
from chalkgrad.torch.distributions.generalized_pareto import GeneralizedPareto
from chalkgrad.torch.distributions.geometric import Geometric
from chalkgrad.torch.distributions.gumbel import Gumbel
from chalkgrad.torch.distributions.half_cauchy import HalfCauchy
from chalkgrad.torch.distributions.half_normal import HalfNormal
from chalkgrad.torch.distributions.independent import Independent
from chalkgrad.torch.distributions.inverse_gamma import InverseGamma
from chalkgrad.torch.distributions.kl import kl_divergence, register_kl
from chalkgrad.torch.distributions.kumaraswamy import Kumaraswamy
from chalkgrad.torch.distributions.laplace import Laplace
from chalkgrad.torch.distributions.lkj_cholesky import LKJCholesky
from chalkgrad.torch.distributions.log_normal import LogNormal
from chalkgrad.torch.distributions.logistic_normal import LogisticNormal
from chalkgrad.torch.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from chalkgrad.torch.distributions.mixture_same_family import MixtureSameFamily
from chalkgrad.torch.distributions.multinomial import Multinomial
from chalkgrad.torch.distributions.multivariate_normal import MultivariateNormal
from chalkgrad.torch.distributions.negative_binomial import NegativeBinomial
from chalkgrad.torch.distributions.normal import Normal
from chalkgrad.torch.distributions.one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from chalkgrad.torch.distributions.pareto import Pareto
from chalkgrad.torch.distributions.poisson import Poisson
from chalkgrad.torch.distributions.relaxed_bernoulli import RelaxedBernoulli
from chalkgrad.torch.distributions.relaxed_categorical import RelaxedOneHotCategorical
from chalkgrad.torch.distributions.studentT import StudentT
from chalkgrad.torch.distributions.transformed_distribution import TransformedDistribution
from chalkgrad.torch.distributions.transforms import *  # noqa: F403 - all of them are here too
from chalkgrad.torch.distributions.transforms import __all__ as _transforms
from chalkgrad.torch.distributions.uniform import Uniform
from chalkgrad.torch.distributions.von_mises import VonMises
from chalkgrad.torch.distributions.weibull import Weibull
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "VonMises",
    "LowRankMultivariateNormal",
    "LKJCholesky",
    "GeneralizedPareto",
    "FisherSnedecor",
    "ContinuousBernoulli",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "Cauchy",
    "Chi2",
    "Dirichlet",
    "Distribution",
    "Exponential",
    "ExponentialFamily",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "InverseGamma",
    "Kumaraswamy",
    "Laplace",
    "LogNormal",
    "LogisticNormal",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "StudentT",
    "TransformedDistribution",
    "Uniform",
    "Weibull",
    "biject_to",
    "constraints",
    "kl",
    "kl_divergence",
    "register_kl",
    "transform_to",
    "transforms",
    *_transforms,
]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.distributions")
