"""Checking a program: its gradients against finite differences, everything against real PyTorch."""

from chalkgrad.check.finite import finite_differences
from chalkgrad.check.live import LiveError, against_torch, torch_is_there
from chalkgrad.check.report import Comparison, Report

__all__ = ["Comparison", "LiveError", "Report", "against_torch", "finite_differences", "torch_is_there"]
