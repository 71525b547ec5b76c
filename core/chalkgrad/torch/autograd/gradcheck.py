"""``torch.autograd.gradcheck``, the module; the function of that name hides it in ``torch.autograd``."""

from chalkgrad.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck
from chalkgrad.engine.jacobians import get_analytical_jacobian, get_numerical_jacobian

__all__ = ["GradcheckError", "get_analytical_jacobian", "get_numerical_jacobian", "gradcheck", "gradgradcheck"]
