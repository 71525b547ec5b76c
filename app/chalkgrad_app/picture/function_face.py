"""What a Function node of the backward graph says: what it saved and what of that is left, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalkgrad_app.picture.autograd_face import saved_names
from chalkgrad_app.picture.function_layer import ACCUMULATES
from chalkgrad_app.picture.look import Words

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

COVERED = "?"


class FunctionFace(NamedTuple):
    """What a node says. ``functions`` are its ``next_functions``, ``variable`` the leaf of an AccumulateGrad.

    ``failed``: a backward came to an error here.
    """

    name: str
    saved: tuple[str, ...]
    freed: bool
    functions: tuple[str, ...]
    variable: str
    to_come: bool
    failed: bool


def function_face(picture: Picture, row: int) -> FunctionFace:
    """What the node in a row of the picture's functions says."""
    layer, state = picture.functions, picture.state
    number = layer.number(row)
    name, id_, _, inputs, _, edges, ports = layer.record(number)
    values = state.saved_by(number) if number < len(state.nodes) else ()
    functions = [
        "(None, 0)" if edge is None else f"({_name(picture, edge)}, {ports[place] if ports else 0})"
        for place, edge in enumerate(edges)
    ]
    leaf = inputs[0] if name == ACCUMULATES and inputs else None
    return FunctionFace(
        name=name,
        saved=saved_names(picture.program, state, values, id_),
        freed=bool(values) and values[0].freed,
        functions=tuple(functions),
        variable="" if leaf is None else state.calling(leaf)[0],
        to_come=bool(layer.to_come[row]),
        failed=number in state.failed_nodes,
    )


def _name(picture: Picture, number: int) -> str:
    """The name of a node; that of a card whose flags are to be guessed would tell them."""
    name, id_ = picture.functions.record(number)[:2]
    covered = id_ in picture.index and picture.roots[picture.index[id_]].is_covered
    return COVERED if covered else name


def function_words(picture: Picture, row: int, words: Words) -> str:
    """The same in a line: ``MulBackward0   saved_tensors (d)   next_functions (AccumulateGrad, 0), (None, 0)``."""
    said = function_face(picture, row)
    parts = [said.name]
    if said.variable:
        parts.append(f"variable {said.variable}")
    if said.saved:
        parts.append(f"saved_tensors ({', '.join(said.saved)})")
    if said.freed:
        parts.append(words.freed.format(n=len(said.saved)))
    if said.functions:
        parts.append(f"next_functions {', '.join(said.functions)}")
    if said.to_come:
        parts.append(words.to_come)
    if said.failed:
        parts.append(words.failed)
    return "   ".join(parts)
