"""Gestures: each conversation with the mouse as an object, and the dispatcher that begins and ends them."""

from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.gestures.dispatcher import Gestures

__all__ = ["Gesture", "Gestures", "Pointer"]
