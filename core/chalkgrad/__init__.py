"""The core of Chalkgrad: PyTorch's autograd on NumPy, and the programs that a canvas shows."""

__version__ = "0.1.0"
