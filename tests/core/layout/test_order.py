"""The order in columns: counted as it is drawn, with long wires in their lanes."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import graphs

from chalkgrad.layout.graph import layered
from chalkgrad.layout.layers import finding_columns
from chalkgrad.layout.order import arrange, score
from chalkgrad.layout.place import heights
from chalkgrad.layout.ranks import inversions
from chalkgrad.stepwise import finished


def arranged(nodes, edges, previous):
    index = {node.id: at for at, node in enumerate(nodes)}
    made = layered(
        nodes, edges, finished(finding_columns(len(nodes), [(index[e.source], index[e.target]) for e in edges]))
    )
    arrange(made, previous)
    return made, score(made, heights(made, {}))[0]


@given(graphs(14), st.data())
@settings(max_examples=40, deadline=None)
def test_keeping_the_order_costs_at_most_a_quarter_more_crossings_than_a_fresh_one(given_graph, data):
    nodes, edges = given_graph
    previous = [data.draw(st.none() | st.floats(-1e3, 1e3)) for _ in nodes]
    _, fresh = arranged(nodes, edges, [None] * len(nodes))
    made, kept = arranged(nodes, edges, previous)
    assert 4 * kept <= 5 * fresh
    tops = heights(made, {})
    _, again = arranged(nodes, edges, [tops[at] + node.height / 2 for at, node in enumerate(nodes)])
    assert 4 * again <= 5 * fresh


@given(st.lists(st.integers(0, 20)))
def test_inversions_are_the_pairs_out_of_order(values):
    pairs = sum(values[i] > values[j] for j in range(len(values)) for i in range(j))
    assert inversions(values) == pairs


def test_each_look_at_all_nodes_is_a_step_of_its_own():
    steps = list(finding_columns(4, [(0, 1), (1, 2), (2, 3)]))
    assert len(steps) == 6  # in order, by what they read, nearer to what reads them and is read, leaves, and with them
    assert steps == sorted(steps)
