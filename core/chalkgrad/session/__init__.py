"""Running a program on the engine: the session, its trace, and the state at any position."""

from chalkgrad.session.session import RanAgain, Session

__all__ = ["RanAgain", "Session"]
