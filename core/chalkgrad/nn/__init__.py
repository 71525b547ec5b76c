"""Parameters, modules and the functions they compute with."""

from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules import Flatten, Identity, Linear, MSELoss, ReLU, Sequential, Sigmoid, Softmax, Tanh
from chalkgrad.nn.parameter import Parameter

__all__ = [
    "Flatten",
    "Identity",
    "Linear",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "functional",
]
