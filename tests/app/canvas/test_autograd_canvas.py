"""Working in the autograd drawing with mouse and keys: rows, nodes, lines; building, moving, tidying, stepping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu
from support.figures import PROGRAMS
from support.hands import Hands, Host, discard, open_host

from chalkgrad.program.sheet import Sheet
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.canvas.quick_add import SearchField
from chalkgrad_app.picture.autograd_face import AutogradFace
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.picture import Picture

Keys = Qt.Key


class AutogradHands(Hands):
    """Hands that know where the rows of a card are, and hold on to their window."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.canvas)
        self.host = host

    @property
    def picture(self):
        return self.canvas.picture

    def row(self, name: str, attribute: str) -> QPoint:
        id_ = self.id(name)
        place = self.picture.anatomy(id_).row(0)
        parts = {
            "data": place.value,
            "grad": place.grad,
            "name": self.picture.anatomy(id_).header,
            **dict(place.others),
        }
        box, corner = parts[attribute], self.picture.rect(id_).topLeft()
        return self.at_scene(corner.x() + box.left + box.width * 0.6, corner.y() + box.top + box.height / 2)

    def node(self, name: str) -> int:
        number = self.document.state.names[name].node
        assert number is not None
        return number

    def rows(self, name: str) -> dict[str, str]:
        face = self.picture.face(self.id(name))
        assert isinstance(face, AutogradFace)
        return {attribute.name: attribute.text for attribute in face.attributes[0]}

    def see(self, name: str) -> None:
        """Bring a card into view, large enough for its rows."""
        self.canvas.zoom_100()
        self.canvas.ensure_visible([self.id(name)])

    def place(self, name: str, drawing: str = "autograd"):
        return self.document.board.places.get((drawing, self.id(name)))


def opened(source: str) -> AutogradHands:
    sheet = Sheet(read_source(f"import torch\n{source}"))
    host = open_host(replace(sheet, board=sheet.board.drawn_as("autograd")))
    host.canvas.fit_all()
    host.canvas.zoom_100()
    return AutogradHands(host)


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


def test_a_click_on_grad_fn_selects_the_function(figure):
    figure.see("e")
    figure.click(figure.row("e", "grad_fn"))
    assert figure.document.node == figure.node("e")
    assert not figure.document.selection
    figure.click(figure.row("e", "is_leaf"))
    assert figure.document.node is None
    assert figure.document.selected_statements == (figure.id("e"),)


def test_where_there_is_no_grad_fn_the_card_is_selected(figure):
    figure.see("a")
    figure.click(figure.row("a", "grad_fn"))
    assert figure.document.selected_statements == (figure.id("a"),)


def test_a_function_and_its_disc_are_selected_by_a_click(figure):
    functions = figure.picture.functions
    key = (NODE, figure.node("g"))
    figure.canvas.ensure_rect_visible(functions.rect(key).adjusted(-120, 0, 0, 0))
    disc = functions.disc(functions.index[key]).center()
    for point in (functions.rect(key).center(), disc):
        figure.document.select(())
        figure.click(figure.at_scene(point.x(), point.y()))
        assert figure.document.node == figure.node("g")


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


def test_a_line_beside_the_cards_selects_its_statement(figure):
    lines = figure.picture.lines
    texts = [lines.text(row) for row in range(len(lines))]
    for text in ("e = c * d", "c.requires_grad = True"):
        row = texts.index(text)
        rect = lines.rect(lines.keys[row])
        figure.canvas.ensure_rect_visible(rect)
        at = figure.at_scene(rect.center().x(), rect.center().y())
        assert figure.canvas.hit(QPointF(at)).kind is HitKind.LINE
        figure.click(at)
        assert figure.document.selection == {lines.keys[row][1]}


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


def test_the_node_at_work_is_lit_while_stepping(figure):
    figure.document.select([figure.id("g")])
    figure.key(Keys.Key_B, Qt.KeyboardModifier.ControlModifier)
    figure.document.finish()
    trace = figure.document.session.trace
    told = trace.about_nodes(0, len(trace))
    position = next(at for at, kind, node in told if node == figure.node("g") and kind is EventKind.NODE_RAN)
    figure.document.look_at(position)
    rects = list(figure.canvas.gradient_pills.lit_rects())
    assert rects == [figure.picture.rect(figure.id("g")), figure.picture.functions.rect((NODE, figure.node("g")))]


def test_a_folded_block_stands_where_its_cards_would(qapp):
    hands = opened(
        "w = torch.tensor(1.0, requires_grad=True)\nwith torch.no_grad():\n    p = w + 1\n    q = p * w\nb = w * q\n"
    )
    corner = hands.picture.rect(hands.id("p")).topLeft()
    hands.canvas.order.fold(hands.document.program.blocks)
    (fold,) = hands.picture.folds
    assert fold.rect.top() == corner.y()
    wires = [row for row, wire in enumerate(hands.picture.wires) if wire.target == hands.id("b") and wire.port == 1]
    assert hands.picture.ends[wires[0], 1] == fold.rect.bottom()
    discard(hands.host)


def line_of(hands, text):
    lines = hands.picture.lines
    row = next(row for row in range(len(lines)) if lines.text(row) == text)
    rect = lines.rect(lines.keys[row])
    hands.canvas.ensure_rect_visible(rect)
    return hands.at_scene(rect.center().x(), rect.center().y())


def menu_of(hands, at):
    hands.canvas.open_menu(hands.canvas.hit(QPointF(at)), at)
    menu = hands.canvas.findChildren(QMenu, "canvas.menu")[-1]
    texts = [action.text() for action in menu.actions()]
    menu.close()
    return texts


def test_a_line_has_the_menu_of_its_card_or_can_be_deleted(figure):
    assert "Rename" in menu_of(figure, line_of(figure, "e = c * d"))
    assert menu_of(figure, line_of(figure, "c.requires_grad = True")) == ["Delete"]
    figure.key(Keys.Key_Delete)
    figure.document.finish()
    assert "c.requires_grad = True" not in figure.lines()
    assert figure.rows("e")["grad_fn"] == "None"


def test_a_function_tells_in_words_what_it_has(figure):
    figure.document.select([figure.id("g")])
    figure.key(Keys.Key_B, Qt.KeyboardModifier.ControlModifier)
    figure.document.finish()
    words = figure.canvas.nodes.words((NODE, figure.node("e")))
    assert words == ("MulBackward0   saved_tensors (d)   saved 1 freed   next_functions (AccumulateGrad, 0), (None, 0)")


def test_from_a_card_to_its_function_and_back_by_keys(figure):
    figure.canvas.keyboard.focus(figure.id("e"))
    figure.key(Keys.Key_D)
    assert figure.document.node == figure.node("e")
    figure.key(Keys.Key_Left)
    assert figure.canvas.keyboard.card == figure.id("e")
    told = []
    figure.document.told.connect(told.append)
    figure.canvas.keyboard.focus(figure.id("a"))
    figure.key(Keys.Key_D)
    assert told == ["No Function belongs to the selected card."]


def test_from_a_gradient_to_the_node_of_its_own_graph_that_made_it(qapp):
    hands = opened(
        "x = torch.tensor(2., requires_grad=True)\ny = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\nz = g * x"
    )
    told = []
    hands.document.told.connect(told.append)
    hands.canvas.keyboard.focus(hands.id("g"))
    hands.key(Keys.Key_D)
    assert hands.document.node == hands.node("g")
    hands.key(Keys.Key_D, Qt.KeyboardModifier.ShiftModifier)
    hands.canvas.keyboard.focus(hands.id("g"))
    hands.key(Keys.Key_D)
    assert told == ["The graph of the gradient is folded: Shift+D opens it."]
    discard(hands.host)


def test_with_the_last_card_the_arrows_go(figure):
    figure.canvas.setFocus()
    arrows = list(figure.picture.function_ways.arrows)
    assert arrows
    figure.document.select_all()
    figure.key(Keys.Key_Delete)
    figure.document.finish()
    figure.canvas.grab()
    assert not figure.picture.functions.keys
    assert not figure.picture.function_ways.arrows
    figure.document.undo_stack.undo()
    figure.document.finish()
    figure.canvas.grab()
    assert figure.picture.function_ways.arrows == arrows


LOOP = """
x = torch.tensor([1., 2.])
w = torch.tensor([0.5], requires_grad=True)
for i in range(3):
    y = x * w
    loss = (y ** 2).sum()
    loss.backward()
z = w * 2
"""


def test_the_line_of_a_loop_is_taken_as_its_frame_is(qapp):
    hands = opened(LOOP)
    canvas, lines = hands.canvas, hands.picture.lines
    (loop,) = hands.document.program.blocks
    rect = lines.rect(("line", loop))
    canvas.ensure_rect_visible(rect)
    at = canvas.viewport.rect_to_view(rect)
    on_text = QPoint(round(at.right() - 30), round(at.center().y()))
    hands.click(on_text)
    assert {hands.document.program[id_].block for id_ in hands.document.selected_statements} == {loop}
    hands.double_click(on_text)
    assert canvas.editor.is_open
    hands.key(Keys.Key_A, Qt.KeyboardModifier.ControlModifier)
    hands.type("5")
    hands.key(Keys.Key_Return)
    hands.document.finish()
    assert "for i in range(5):" in hands.lines()
    discard(hands.host)


def test_the_counter_of_a_loop_stands_before_its_line_and_no_wire_runs_there(qapp):
    hands = opened(LOOP)
    canvas = hands.canvas
    canvas.fit_all()
    (loop,) = hands.document.program.blocks
    (counter,) = canvas.loop_counters.counters()
    lines = hands.picture.lines
    line = canvas.viewport.rect_to_view(lines.rect(("line", loop)))
    plate = counter.back.united(counter.on)
    text = line.right() - lines.text_width(lines.index["line", loop]) * canvas.viewport.scale
    assert plate.right() < text
    assert abs(plate.center().y() - line.center().y()) < 2
    assert plate.right() < canvas.view_rect_of(loop).left()
    assert hands.picture.bounds().contains(canvas.to_scene(plate.center()))
    discard(hands.host)
