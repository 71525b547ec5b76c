"""Programs that ran, and the explanations of their gradients."""

from __future__ import annotations

import warnings

from chalkgrad.explain import why
from chalkgrad.session import Session
from chalkgrad.source.read import read_source


def ran(program):
    session = Session(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session.finish()
    return session


def of(text):
    program = read_source(f"import torch\nimport torch.nn.functional as F\n{text}")
    return program, ran(program)


def account(text, name):
    program, session = of(text)
    return why(program, session.trace, session.trace.state().names[name]).finish()
