"""``torch.nn.utils``: gradients clipped, parameters as one vector, and parameters that are made of others."""

from chalkgrad.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from chalkgrad.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from chalkgrad.nn.utils.spectral_norm import remove_spectral_norm, spectral_norm
from chalkgrad.nn.utils.weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "remove_spectral_norm",
    "remove_weight_norm",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]
