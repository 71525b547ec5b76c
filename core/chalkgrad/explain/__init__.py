"""Why a gradient is what it is: the chain rule of this program, in symbols and with its numbers."""

from chalkgrad.explain.account import Account, Counted, Factor, NodeStep, Outgoing, Path, Share
from chalkgrad.explain.surface import Surface, can_be_drawn, surface
from chalkgrad.explain.trail import Stop, Trail
from chalkgrad.explain.work import is_step, step, why, why_results
from chalkgrad.explain.writing import Formula

__all__ = [
    "Account",
    "Counted",
    "Factor",
    "Formula",
    "NodeStep",
    "Outgoing",
    "Path",
    "Share",
    "Stop",
    "Surface",
    "Trail",
    "can_be_drawn",
    "is_step",
    "step",
    "surface",
    "why",
    "why_results",
]
