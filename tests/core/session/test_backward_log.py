"""What a trace says of a backward is what PyTorch was recorded to do.

The order of the nodes, their age and how many gradients they wait for, what comes to each and goes out of it, and what
has been freed after each.
"""

from __future__ import annotations

import json

import pytest
from support.backward_log import difference, ours_of_lines, ours_of_program, ours_of_script
from support.backward_scripts import DATA, OTHERWISE, corpus

RECORDED = json.loads((DATA / "backwards.json").read_text(encoding="utf-8"))["scripts"]
CORPUS = corpus()
REFUSED = {"claims/P-34", "claims/P-42", "claims/block 1.3", "lessons/help_oneself"}
"""Their backwards run no node at all."""


def ours(name):
    """What our engine does with a recorded script."""
    if name in CORPUS:
        return ours_of_script(CORPUS[name])
    code = RECORDED[name]["code"]
    return ours_of_lines(code.split("\n")) if name.startswith("anything") else ours_of_program(code)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RECORDED)
def test_a_backward_goes_as_in_pytorch(name):
    assert not difference(ours(name), RECORDED[name]["log"])


def test_every_script_of_the_corpus_is_compared():
    going_back = {name for name, code in CORPUS.items() if ".backward(" in code and "requires_grad=True" in code}
    assert len(going_back) > 100
    assert going_back - RECORDED.keys() - OTHERWISE.keys() == REFUSED


def test_a_difference_would_be_seen():
    log = RECORDED["programs/course"]["log"]
    for change in ({"name": "SubBackward0"}, {"waits": 7}, {"freed": [0, 1]}, {"came": [[2.0]]}, {"went": [None]}):
        other = [{**log[0], "nodes": [{**log[0]["nodes"][0], **change}, *log[0]["nodes"][1:]]}]
        assert difference(other, log)
    assert difference([], log)
    assert not difference(log, log)
