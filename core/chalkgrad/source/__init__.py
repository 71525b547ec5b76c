"""The program as PyTorch text: written out (:mod:`emit`), and read from a script, a line or a value (:mod:`read`)."""
