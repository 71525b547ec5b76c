"""Rewiring: operators go into wires and out of them, and what they stood between stays joined."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import OPS, sheets

from chalkgrad.program import building, files, rewiring
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import CycleError, ProgramError
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref
from chalkgrad.source import emit, read

START = """
x = torch.tensor([1., 3.])
w = torch.tensor([2.], requires_grad=True)
"""


def sheet(text: str) -> Sheet:
    return Sheet(read.read_source("import torch\n" + START + text))


def id_of(found: Sheet, name: str) -> int:
    return found.program.named(name).statement


def lines(found: Sheet) -> list[str]:
    return [emit.line(found.program, id_) for id_ in found.program.order if not found.program.is_inline(id_)][2:]


class TestDeleteAndReconnect:
    def test_readers_read_what_it_read_first(self):
        before = sheet("a = torch.add(w, x)\ny = torch.exp(a)\nz = torch.mul(a, a)\n")
        after = before.apply(rewiring.delete_and_reconnect(before, [id_of(before, "a")]).change)
        assert lines(after) == ["y = torch.exp(w)", "z = torch.mul(w, w)"]

    def test_a_chain_goes_as_one(self):
        before = sheet("a = torch.exp(w)\nb = torch.log(a)\ny = torch.neg(b)\n")
        gone = [id_of(before, "a"), id_of(before, "b")]
        assert lines(before.apply(rewiring.delete_and_reconnect(before, gone).change)) == ["y = torch.neg(w)"]

    def test_a_leaf_leaves_open_ports_and_a_backward_goes(self):
        before = sheet("a = torch.exp(w)\na.backward()\n")
        after = before.apply(rewiring.delete_and_reconnect(before, [id_of(before, "w")]).change)
        assert after.program[id_of(after, "a")].operands == (EMPTY,)
        removal = rewiring.delete_and_reconnect(before, [id_of(before, "a")])
        assert len(removal.gone) == 1
        assert lines(before.apply(removal.change)) == []

    def test_the_tag_of_its_wire_stays_on_the_wire(self):
        before = sheet("a = torch.exp(w.detach())\ny = torch.neg(a)\n")
        after = before.apply(rewiring.delete_and_reconnect(before, [id_of(before, "a")]).change)
        assert lines(after) == ["y = torch.neg(w.detach())"]

    def test_a_tag_is_not_shared_by_two_wires(self):
        before = sheet("a = torch.exp(w.detach())\ny = torch.neg(a)\nz = torch.sin(a)\n")
        after = before.apply(rewiring.delete_and_reconnect(before, [id_of(before, "a")]).change)
        assert lines(after) == ["y = torch.neg(w)", "z = torch.sin(w)"]


class TestPullOut:
    def test_the_card_stays_without_wires(self):
        before = sheet("a = torch.add(w, x)\ny = torch.exp(a)\n")
        after = before.apply(rewiring.pull_out(before, [id_of(before, "a")]))
        assert after.program[id_of(after, "a")].operands == (EMPTY, EMPTY)
        assert after.program[id_of(after, "y")].operands == (Ref(id_of(after, "w")),)

    def test_wires_among_the_cards_stay(self):
        before = sheet("a = torch.exp(w)\nb = torch.log(a)\ny = torch.neg(b)\n")
        after = before.apply(rewiring.pull_out(before, [id_of(before, "a"), id_of(before, "b")]))
        operands = {name: after.program[id_of(after, name)].operands for name in "aby"}
        assert operands == {"a": (EMPTY,), "b": (Ref(id_of(after, "a")),), "y": (Ref(id_of(after, "w")),)}

    def test_numbers_stay_and_a_leaf_lets_its_readers_go(self):
        before = sheet("a = torch.add(w, 1)\n")
        after = before.apply(rewiring.pull_out(before, [id_of(before, "a")]))
        assert after.program[id_of(after, "a")].operands == (EMPTY, 1)
        after = before.apply(rewiring.pull_out(before, [id_of(before, "w")]))
        assert after.program[id_of(after, "a")].operands == (EMPTY, 1)


class TestDisconnect:
    def test_every_wire_of_the_card_goes_and_nothing_else(self):
        before = sheet("a = torch.add(w.detach(), x)\ny = torch.mul(a, w)\n")
        after = before.apply(rewiring.disconnect(before, [id_of(before, "a")]))
        assert after.program[id_of(after, "a")].operands == (EMPTY, EMPTY)
        assert after.program[id_of(after, "y")].operands == (EMPTY, Ref(id_of(after, "w")))
        assert len(after.program) == 4

    def test_cards_inside_a_line_stay_without_wires(self):
        before = sheet("y = torch.exp(torch.sin(torch.neg(w)).detach())\n")
        cards = [s.id for s in before.program if s.call in ("exp", "sin", "neg")]
        for chosen in (cards, cards[:1], cards[1:2], cards[:2], cards[::2]):
            after = before.apply(rewiring.disconnect(before, chosen))
            assert {after.program[id_].operands for id_ in chosen} == {(EMPTY,)}

    def test_cut_takes_the_wires_of_the_ports_named(self):
        before = sheet("a = torch.add(w, x)\ny = torch.mul(a, w)\n")
        a, y = id_of(before, "a"), id_of(before, "y")
        after = before.apply(rewiring.cut(before, [(a, 1), (y, 0)]))
        assert after.program[a].operands == (Ref(id_of(before, "w")), EMPTY)
        assert after.program[y].operands == (EMPTY, Ref(id_of(before, "w")))

    @given(sheets(), st.randoms(use_true_random=False))
    def test_any_wires_can_be_cut_together_in_any_order(self, before, chosen):
        ports = [
            (line.id, port)
            for line in before.program
            for port, operand in enumerate(line.ports())
            if isinstance(operand, Ref) and line.kind in (Kind.OP, Kind.PRINT)
        ]
        chosen.shuffle(ports)
        after = before.apply(rewiring.cut(before, ports)).program
        for id_, port in ports:
            assert id_ not in after or after[id_].ports()[port] == EMPTY


class TestInsert:
    def test_behind_a_card_all_its_readers_read_the_new_one(self):
        before = sheet("a = torch.add(w, x)\ny = torch.exp(a)\nz = torch.mul(a, x)\na.retain_grad()\n")
        built = rewiring.insert_after(before, OPS["relu"], id_of(before, "a"), (8.0, 8.0))
        after = before.apply(built.change)
        assert lines(after) == [
            "a = torch.add(w, x)",
            "b = torch.relu(a)",
            "y = torch.exp(b)",
            "z = torch.mul(b, x)",
            "a.retain_grad()",
        ]

    def test_a_card_that_is_there_goes_into_a_wire(self):
        before = sheet("y = torch.exp(w)\n")
        free = before.apply(building.operator(before, OPS["mul"], [], 3).change)
        a, y = id_of(free, "a"), id_of(free, "y")
        after = free.apply(rewiring.splice(free, a, y, 0))
        assert after.program[y].operands == (Ref(a),)
        assert after.program[a].operands == (Ref(id_of(free, "w")), EMPTY)
        assert after.program.positions[a] < after.program.positions[y]

    def test_what_has_no_open_port_or_needs_the_wire_is_refused(self):
        before = sheet("a = torch.exp(w)\ny = torch.exp(a)\n")
        with pytest.raises(ProgramError):
            rewiring.splice(before, id_of(before, "y"), id_of(before, "a"), 0)
        free = before.apply(building.operator(before, OPS["add"], [Ref(id_of(before, "y"))], 4).change)
        with pytest.raises(CycleError):
            rewiring.splice(free, free.program.order[-1], id_of(free, "a"), 0)


class TestChange:
    def test_wires_numbers_name_and_place_stay(self):
        before = sheet("a = torch.add(w, 3)\ny = torch.exp(a)\n")
        after = before.apply(rewiring.change_operator(before, id_of(before, "a"), OPS["mul"]))
        assert lines(after) == ["a = torch.mul(w, 3)", "y = torch.exp(a)"]
        assert id_of(after, "a") == id_of(before, "a")

    def test_to_fewer_inputs_and_back_to_more(self):
        before = sheet("a = torch.add(w, x)\n")
        after = before.apply(rewiring.change_operator(before, id_of(before, "a"), OPS["exp"]))
        assert lines(after) == ["a = torch.exp(w)"]
        after = after.apply(rewiring.change_operator(after, id_of(after, "a"), OPS["mul"]))
        assert after.program[id_of(after, "a")].operands == (Ref(id_of(after, "w")), EMPTY)

    def test_options_that_the_other_has_too_stay(self):
        before = sheet("a = torch.sum(w, dim=0, keepdim=True)\n")
        after = before.apply(rewiring.change_operator(before, id_of(before, "a"), OPS["mean"]))
        assert lines(after) == ["a = torch.mean(w, dim=0, keepdim=True)"]
        after = after.apply(rewiring.change_operator(after, id_of(after, "a"), OPS["exp"]))
        assert lines(after) == ["a = torch.exp(w)"]

    def test_several_results_become_one(self):
        before = sheet("a, b = torch.split(x, 1)\ny = torch.mul(a, b)\n")
        after = before.apply(rewiring.change_operator(before, id_of(before, "a"), OPS["exp"]))
        assert after.program[id_of(after, "a")].targets == ("a",)
        assert after.program[id_of(after, "y")].operands == (Ref(id_of(after, "a")), EMPTY)

    def test_in_place_operators_are_left_alone(self):
        before = sheet("x.add_(1)\n")
        with pytest.raises(ProgramError):
            rewiring.change_operator(before, before.program.order[-1], OPS["mul"])
        with pytest.raises(ProgramError):
            rewiring.change_operator(sheet("a = torch.exp(w)\n"), 3, OPS["add_"])


class TestSwap:
    def test_two_inputs_change_places(self):
        before = sheet("a = torch.sub(w, x)\n")
        after = before.apply(rewiring.swap_inputs(before.program, id_of(before, "a")))
        assert lines(after) == ["a = torch.sub(x, w)"]

    def test_a_method_of_a_number_becomes_a_function(self):
        before = sheet("a = w.pow(2)\n")
        after = before.apply(rewiring.swap_inputs(before.program, id_of(before, "a")))
        assert lines(after) == ["a = torch.pow(2, w)"]

    def test_three_go_round(self):
        before = sheet("a = torch.addcmul(w, x, x)\n")
        once = before.apply(rewiring.swap_inputs(before.program, id_of(before, "a")))
        assert lines(once) == ["a = torch.addcmul(x, w, x)"]


@settings(max_examples=60)
@given(sheets(), st.data())
def test_whatever_is_rewired_is_a_program_and_can_be_undone(found, data):
    cards = [s.id for s in found.program if has_card(found.program, s)]
    if not cards:
        return
    ids = data.draw(st.lists(st.sampled_from(cards), min_size=1, max_size=3))
    record = OPS[data.draw(st.sampled_from(["exp", "add", "cat", "sum", "split"]))]
    ways = [
        lambda: rewiring.delete_and_reconnect(found, ids).change,
        lambda: rewiring.pull_out(found, ids),
        lambda: rewiring.disconnect(found, ids),
        lambda: rewiring.swap_inputs(found.program, ids[0]),
        lambda: rewiring.change_operator(found, ids[0], record),
        lambda: rewiring.insert_after(found, record, ids[0], None).change,
    ]
    try:
        change = data.draw(st.sampled_from(ways))()
    except ProgramError:
        return
    after = found.apply(change)
    emit.program_text(after.program)
    assert after.apply(change.inverse()) == found


def test_duplicates_keep_their_wires_and_the_tags_on_them():
    before = sheet("a = torch.add(w.detach(), x)\n")
    made = building.copies(before, [before.program[id_of(before, "a")]], len(before.program), {}, True)
    assert lines(before.apply(made.change)) == ["a = torch.add(w.detach(), x)", "a1 = torch.add(w.detach(), x)"]


def test_a_card_takes_its_tags_along_when_it_goes():
    before = sheet("a = torch.add(w.detach(), x)\n")
    after = before.apply(remove(before, [id_of(before, "a")]).change)
    assert [statement.kind for statement in after.program] == [Kind.LEAF, Kind.LEAF]


@pytest.mark.parametrize(
    "line",
    ["torch.autograd.backward([a], grad_tensors=[v])", "torch.autograd.backward(a, v)", "a.backward(gradient=v)"],
)
def test_a_backward_goes_with_its_roots_whatever_it_was_to_begin_with(line):
    before = sheet(f"v = torch.ones(2)\na = torch.mul(w, x)\n{line}\n")
    after = before.apply(remove(before, [id_of(before, "a")]).change)
    assert lines(after) == ["v = torch.ones(2)"]
    assert files.load(files.save(after)) == after
