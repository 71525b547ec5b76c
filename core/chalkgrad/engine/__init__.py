"""PyTorch's semantics on NumPy: tensors, the graph they leave behind, and the backward through it."""
