"""``torch.nn.init``: what it fills tensors with, and its gains."""

from __future__ import annotations

INIT = """
for shape in ((3,), (3, 4), (7, 5), (4, 2, 3), (0, 2)):
    torch.manual_seed(0)
    weight = torch.empty(*shape)
    note(lambda: [nn.init.{name}(weight, {arguments}) is weight, weight, weight._version, torch.rand(1)])
"""

INITS = [
    ("uniform_", ""),
    ("uniform_", "a=-2, b=3"),
    ("normal_", "mean=1, std=2"),
    ("constant_", "val=3"),
    ("eye_", ""),
    ("dirac_", ""),
    ("xavier_uniform_", "gain=2"),
    ("xavier_normal_", ""),
    ("kaiming_uniform_", ""),
    ("kaiming_uniform_", "a=0.3, mode='fan_out'"),
    ("kaiming_normal_", "nonlinearity='relu'"),
    ("kaiming_normal_", "nonlinearity='other'"),
    ("kaiming_normal_", "mode='other'"),
    ("trunc_normal_", ""),
    ("trunc_normal_", "a=-0.1, b=0.1"),
    ("trunc_normal_", "a=2, b=3"),
    ("orthogonal_", "gain=3"),
    ("sparse_", "sparsity=0.4"),
    ("uniform", ""),
]

GAINS = """
for arguments in [("linear",), ("tanh",), ("relu",), ("leaky_relu", 0.3), ("leaky_relu", "x"), ("selu",), ("other",)]:
    note(lambda: nn.init.calculate_gain(*arguments))
"""

SNIPPETS = [GAINS, *(INIT.format(name=name, arguments=arguments) for name, arguments in INITS)]
