"""Why a tensor is what it is: without a gradient, a leaf or none, requiring grad or not. No error, but a question."""

from chalkgrad.session.reasons.flags import why_leaf, why_requires_grad
from chalkgrad.session.reasons.grad import why_no_grad
from chalkgrad.session.reasons.subject import Reason, Subject

__all__ = ["Reason", "Subject", "why_leaf", "why_no_grad", "why_requires_grad"]
