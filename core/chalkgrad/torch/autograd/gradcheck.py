"""``torch.autograd.gradcheck``, the module; the function of that name hides it in ``torch.autograd``."""

from chalkgrad.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
