"""The graph as JSON, for programs: cards and wires with the facts that the canvas shows."""

from __future__ import annotations

import json
from dataclasses import asdict

from chalkgrad.diagram.cards import cards, wires
from chalkgrad.diagram.gradients import graphs
from chalkgrad.program.program import Program
from chalkgrad.session.state import State


def to_json(program: Program, state: State | None = None) -> str:
    """An object with ``cards`` and ``wires``; their keys are the fields of :class:`Card` and :class:`Wire`.

    Where backwards recorded themselves there are ``gradients``, too, with the fields of :class:`Graph`.
    """
    found = {
        "format": "chalkgrad-diagram",
        "version": 1,
        "cards": [asdict(card) for card in cards(program, state)],
        "wires": [asdict(wire) for wire in wires(program, state)],
    }
    derived = graphs(program, state)
    if derived:
        found["gradients"] = [asdict(graph) for graph in derived]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
