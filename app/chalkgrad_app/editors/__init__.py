"""Editors of what a line says beside its wires: numbers in a grid, attributes, how a leaf is made."""
