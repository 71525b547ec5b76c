"""Running a program on the engine: the session, its trace, and the state at any position."""

from chalkgrad.session.lines import trace_lines
from chalkgrad.session.session import RanAgain, Session
from chalkgrad.session.trace import Trace

__all__ = ["RanAgain", "Session", "Trace", "trace_lines"]
