"""Which statements are cards, and between which rows the wires run."""

import chalkgrad.ops  # noqa: F401  fills the table that says what is a tag
from chalkgrad.layout import tidy
from chalkgrad.layout.cards import CardWire, card_nodes, card_wires, requires_grad
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Block, Program
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement


def program(*statements, blocks=None):
    return Program({s.id: s for s in statements}, tuple(s.id for s in statements), blocks or {})


def leaf(id_, name, grad=True):
    options = (("requires_grad", True),) if grad else ()
    return Statement(id_, Kind.LEAF, "tensor", (name,), ((1.0,),), options)


def op(id_, call, name, *operands, **more):
    return Statement(id_, Kind.OP, call, (name,) if name is not None else (), operands, **more)


def test_wires_by_port_and_open_ports_have_none():
    found = card_wires(
        program(leaf(1, "w"), leaf(2, "x"), op(3, "add", "a", Ref(1), 1), op(4, "mul", "y", EMPTY, Ref(3)))
    )
    assert found == [CardWire(Ref(1), 3, 0), CardWire(Ref(3), 4, 1)]


def test_lines_that_only_act_have_no_card():
    made = program(
        leaf(1, "w"),
        op(2, "exp", "a", Ref(1)),
        Statement(3, Kind.BACKWARD, "backward", (), (Ref(2),)),
        Statement(4, Kind.ATTRIBUTE, "retain_grad", (), (Ref(2),)),
        op(5, "zero_", None, Ref(1, path=("grad",))),
        Statement(6, Kind.GRAD, "grad", ("g",), ((Ref(2),), (Ref(1),))),
    )
    assert [id_ for id_ in made.order if has_card(made, made[id_])] == [1, 2, 6]
    assert [(wire.source, wire.target, wire.port) for wire in card_wires(made)] == [
        (Ref(1), 2, 0),
        (Ref(2), 6, 0),
        (Ref(1), 6, 1),
    ]


def test_a_wire_begins_at_the_last_writer_before_its_reader():
    made = program(
        leaf(1, "w"),
        op(2, "exp", "a", Ref(1)),
        op(3, "sin", "early", Ref(2)),
        op(4, "add_", None, Ref(2), 1),
        op(5, "mul_", None, Ref(2), 2),
        op(6, "cos", "late", Ref(2)),
    )
    sources = {wire.target: wire.source.statement for wire in card_wires(made)}
    assert sources == {2: 1, 3: 2, 4: 2, 5: 4, 6: 5}


def test_data_shares_the_value_that_is_written():
    made = program(
        leaf(1, "w"), op(2, "sub_", None, Ref(1, path=("data",)), 1), op(3, "exp", "a", Ref(1)), leaf(4, "v")
    )
    assert [(wire.source, wire.target) for wire in card_wires(made)] == [(Ref(1, path=("data",)), 2), (Ref(2), 3)]


def test_inline_detach_is_a_tag_and_another_name_of_a_gradient_has_a_card():
    made = program(
        leaf(1, "w"),
        op(2, "detach", "", Ref(1)),
        op(3, "mul", "y", Ref(2), 2),
        Statement(4, Kind.ALIAS, "alias", ("g",), (Ref(1, path=("grad",)),)),
        op(5, "exp", "z", Ref(4)),
    )
    assert card_wires(made) == [
        CardWire(Ref(1), 3, 0, (2,)),
        CardWire(Ref(1, path=("grad",)), 4, 0),
        CardWire(Ref(4), 5, 0),
    ]


def test_requires_grad_as_the_text_tells():
    made = program(
        leaf(1, "w"),
        leaf(2, "x", grad=False),
        op(3, "exp", "a", Ref(2)),
        op(4, "mul", "b", Ref(1), Ref(2)),
        op(5, "detach", "c", Ref(4)),
        op(6, "exp", "d", Ref(4), block=7),
        blocks={7: Block(7)},
    )
    assert requires_grad(made) == {1, 4}


def test_cards_are_ready_to_be_tidied():
    made = program(leaf(1, "w"), leaf(2, "x", grad=False), op(3, "add", "a", Ref(1), Ref(2)))
    nodes, edges = card_nodes(made)
    assert [(node.height, len(node.inputs)) for node in nodes] == [(76, 0), (52, 0), (96, 2)]
    assert set(tidy(nodes, edges)) == {1, 2, 3}
