"""Chalkgrad's window: what one sees and touches, on PySide6."""
