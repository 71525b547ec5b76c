"""Windows that show the autograd drawing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.autograd_hands import AutogradHands, opened
from support.figures import PROGRAMS
from support.hands import discard, open_host


@pytest.fixture
def figure(qapp) -> Iterator[AutogradHands]:
    hands = opened(PROGRAMS["figure"])
    yield hands
    discard(hands.host)


@pytest.fixture
def empty(qapp) -> Iterator[AutogradHands]:
    host = open_host()
    host.canvas.document.draw_as("autograd")
    host.canvas.setFocus()
    yield AutogradHands(host)
    discard(host)
