"""In the autograd drawing: rows of cards edited, cards built, moved, tidied, folded and deleted."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from support.autograd_hands import opened
from support.figures import PROGRAMS
from support.hands import discard

from chalkgrad_app.canvas.quick_add import SearchField
from chalkgrad_app.picture.picture import Picture

Keys = Qt.Key


def test_a_double_click_on_requires_grad_switches_it_in_the_line(figure):
    figure.see("d")
    assert figure.rows("d")["requires_grad"] == "False"
    figure.double_click(figure.row("d", "requires_grad"))
    figure.document.finish()
    assert figure.rows("d")["requires_grad"] == "True"
    assert "d = torch.tensor(2.0, requires_grad=True)" in figure.lines()
    figure.document.undo_stack.undo()
    assert "d = torch.tensor(2.0)" in figure.lines()


def test_a_value_is_edited_in_its_row(figure):
    figure.see("d")
    figure.double_click(figure.row("d", "data"))
    figure.key(Keys.Key_A, Qt.KeyboardModifier.ControlModifier)
    figure.type("5")
    figure.key(Keys.Key_Return)
    figure.document.finish()
    assert figure.document.state.names["e"].short == "20."


def test_a_name_is_edited_in_the_middle_of_its_header(figure):
    figure.see("d")
    figure.double_click(figure.row("d", "name"))
    figure.key(Keys.Key_A, Qt.KeyboardModifier.ControlModifier)
    figure.type("k")
    figure.key(Keys.Key_Return)
    assert "e = c * k" in figure.lines()


def test_typing_an_expression_builds_it_downwards(empty):
    empty.double_click(empty.free(300, 300))
    assert isinstance(empty.focused(), SearchField)
    empty.type("y = (x + w) * (w + 1)")
    empty.key(Keys.Key_Return)
    empty.document.finish()
    picture = empty.picture
    assert not empty.document.board.places
    for wire in picture.wires:
        assert picture.rect(wire.source).bottom() < picture.rect(wire.target).top()
    assert len(picture.functions) == 4


def test_a_wire_let_go_on_empty_canvas_goes_on_below(figure):
    figure.canvas.fit_all()
    start = figure.port("g", "value")
    end = start + QPoint(0, 60)
    figure.drag(start, end)
    assert isinstance(figure.focused(), SearchField)
    figure.type("exp")
    figure.key(Keys.Key_Return)
    figure.document.finish()
    made = figure.document.program[figure.document.selected_statements[0]]
    assert made.call == "exp"
    assert figure.picture.rect(made.id).top() > figure.picture.rect(figure.id("g")).bottom()
    assert figure.document.board.place(made.id) is None


def test_a_wire_from_a_tensor_to_an_operator(figure):
    figure.canvas.fit_all()
    figure.drag(figure.port("c", "value"), figure.port("g", 1))
    figure.document.finish()
    assert "g = e * c" in figure.lines()


def test_arrows_follow_a_wire_that_goes_to_another_tensor(qapp):
    hands = opened(PROGRAMS["course"])
    hands.canvas.fit_all()
    numbers = list(hands.picture.functions.keys)
    hands.drag(hands.port("a", "value"), hands.port("y", 1))
    hands.document.finish()
    assert "y = a * a" in hands.lines()
    assert hands.picture.functions.keys == numbers, "the nodes have the numbers that others had"
    fresh = Picture()
    fresh.update(hands.document.program, hands.document.board, hands.document.state)
    assert hands.picture.function_ways.arrows == fresh.function_ways.arrows
    discard(hands.host)


def test_a_dropped_tensor_stays_where_it_was_dropped(figure):
    figure.canvas.fit_all()
    at = figure.free(200, figure.canvas.height() - 20)
    wanted = figure.canvas.to_scene(QPointF(at))
    figure.drop("tensor", at)
    figure.key(Keys.Key_Escape)
    made = max(figure.document.program.order)
    place = figure.document.board.place(made)
    assert place is not None
    assert abs(place.x - wanted.x()) < 200
    assert abs(place.y - wanted.y()) < 60


def test_a_dragged_card_has_its_place_here_alone_and_tidy_gives_it_back(figure):
    figure.see("d")
    before = figure.picture.rect(figure.id("d")).topLeft()
    others = {id_: figure.picture.rect(id_) for id_ in figure.picture.ids if id_ != figure.id("d")}
    figure.drag(figure.row("d", "is_leaf"), figure.row("d", "is_leaf") + QPoint(120, 64))
    assert figure.place("d") is not None
    assert figure.place("d", "cards") is None
    assert figure.picture.rect(figure.id("d")).topLeft() != before
    assert {id_: figure.picture.rect(id_) for id_ in others} == others
    figure.document.select(())
    figure.key(Keys.Key_L)
    assert figure.place("d") is None
    assert figure.picture.rect(figure.id("d")).topLeft() == before
    figure.document.undo_stack.undo()
    assert figure.place("d") is not None
    figure.document.undo_stack.undo()
    assert figure.place("d") is None


def test_what_is_kept_in_place_tidying_leaves_there(figure):
    figure.document.select([figure.id("f")])
    figure.canvas.tidying.keep_in_place()
    place = figure.place("f")
    assert place is not None
    assert place.pinned
    assert (place.x, place.y) == figure.picture.rect(figure.id("f")).topLeft().toTuple()
    figure.document.select(())
    figure.key(Keys.Key_L)
    assert figure.place("f") == place


def test_nudging_by_keys_gives_a_place(figure):
    figure.document.select([figure.id("f")])
    left = figure.picture.rect(figure.id("f")).left()
    figure.key(Keys.Key_Right, Qt.KeyboardModifier.ControlModifier)
    place = figure.place("f")
    assert place is not None
    assert place.x > left


def test_up_and_down_go_along_wires(figure):
    figure.canvas.keyboard.focus(figure.id("e"))
    figure.key(Keys.Key_Down)
    assert figure.canvas.keyboard.card == figure.id("g")
    figure.key(Keys.Key_Up)
    assert figure.canvas.keyboard.card == figure.id("e")


def test_deleting_takes_the_function_along(figure):
    figure.document.select([figure.id("g")])
    figure.key(Keys.Key_Delete)
    figure.document.finish()
    assert [figure.document.state.nodes[key[1]].name for key in figure.picture.functions.keys] == [
        "AccumulateGrad",
        "MulBackward0",
    ]


def test_a_folded_block_stands_where_its_frame_stood(qapp):
    hands = opened(
        "w = torch.tensor(1.0, requires_grad=True)\nwith torch.no_grad():\n    p = w + 1\n    q = p * w\nb = w * q\n"
    )
    (frame,), below = hands.picture.frames, hands.picture.rect(hands.id("b")).top()
    hands.canvas.order.fold(hands.document.program.blocks)
    (fold,) = hands.picture.folds
    assert abs(fold.rect.top() - frame.rect.top()) <= 8
    assert hands.picture.rect(hands.id("b")).top() < below - 100, "the rows of what is folded leave no gap"
    wires = [row for row, wire in enumerate(hands.picture.wires) if wire.target == hands.id("b") and wire.port == 1]
    assert hands.picture.ends[wires[0], 1] == fold.rect.bottom()
    discard(hands.host)
