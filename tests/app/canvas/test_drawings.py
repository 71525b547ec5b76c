"""Data and edges as a person meets them: what is seen, selected, edited, run and deleted; going there and back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from support.data_drawing import PLACES, label, sheet
from support.hands import CTRL, Hands, discard, open_host, process

from chalkgrad.program.board import CARDS, DATA, Frame, Note
from chalkgrad.program.files import load, save
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.picture.card import Hue
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import middle_of

KEY = Qt.Key


@pytest.fixture
def desk(qapp, still):
    """Hands at the course's graph, in data and edges."""
    host = open_host(sheet())
    hands = Hands(host.canvas)
    hands.key(KEY.Key_2, CTRL)
    host.canvas.zoom_100()
    yield hands
    discard(host)


def middle_of_wire(picture: Picture, row: int) -> QPointF:
    return QPointF(*middle_of(picture.cubics[picture.pieces_of(np.array([row]))]))


def face(hands, name):
    return hands.canvas.picture.face(hands.id(name))


def node(hands, name, number=0):
    """Where a node lies on the widget."""
    canvas, id_ = hands.canvas, hands.id(name)
    left, top, width, height = canvas.picture.anatomy(id_).nodes[number]
    corner = canvas.to_view(canvas.picture.rect(id_).topLeft() + QPointF(left, top))
    scale = canvas.viewport.scale
    return corner.toPoint(), QSize(round(width * scale), round(height * scale))


class TestWhatIsSeen:
    def test_a_node_says_name_value_and_gradient(self, desk):
        w, a = face(desk, "w"), face(desk, "a")
        assert (w.label, w.nodes[0].name, w.nodes[0].hue) == ("", "w", Hue.LEAF_GRAD)
        assert (a.label, a.nodes[0].name, a.nodes[0].hue) == ("+", "a", Hue.INTERMEDIATE)
        assert w.rows[0].grad.value.lines == ("[5.]",)
        assert face(desk, "x").nodes[0].hue is Hue.LEAF
        assert not face(desk, "x").nodes[0].requires_grad

    def test_edges_join_in_the_label(self, desk):
        picture = desk.canvas.picture
        shape = picture.anatomy(desk.id("a"))
        ends = [picture.ends[row, 2:] for row in picture.wires_of([desk.id("a")]) if picture.wires[row].target == 3]
        corner = picture.rect(desk.id("a")).topLeft()
        assert len(ends) == 2
        for x, y in ends:
            assert shape.label.left <= x - corner.x() <= shape.label.left + shape.label.width / 2
            assert shape.label.top <= y - corner.y() <= shape.label.top + shape.label.height

    def test_a_number_stands_under_its_operator(self, desk):
        shape, picture = desk.canvas.picture.anatomy(desk.id("b")), desk.canvas.picture
        assert [field.text for field in face(desk, "b").fields] == ["1"]
        x, y = shape.inputs[1]
        assert y > shape.label.top + shape.label.height
        assert desk.canvas.hit(desk.canvas.to_view(picture.rect(4).topLeft() + QPointF(x, y + 8))).kind is HitKind.FIELD

    def test_a_write_in_place_is_a_node_of_the_same_name(self, qapp, still):
        host = open_host(sheet("import torch\na = torch.ones(2)\na.add_(1)\n", {}, drawing=DATA))
        made = host.canvas.picture.face(2)
        assert (made.label, made.nodes[0].name, made.rows[0].version) == ("+=", "a", 1)
        discard(host)

    def test_each_output_has_a_node_of_its_own(self, qapp, still):
        source = "import torch\nz = torch.tensor([[1., 2.]], requires_grad=True)\nv, i = z.max(dim=1)\n"
        host = open_host(sheet(source, {}, drawing=DATA))
        made, shape = host.canvas.picture.face(2), host.canvas.picture.anatomy(2)
        assert made.label == "max(dim=1)"
        assert [(one.name, one.hue) for one in made.nodes] == [("v", Hue.INTERMEDIATE), ("i", Hue.LEAF)]
        first, second = shape.nodes
        assert first.top + first.height < second.top
        assert shape.rows[0].value_port[1] < shape.rows[1].value_port[1]
        discard(host)

    def test_every_operator_has_a_label(self, qapp, still):
        lines = ["w = torch.ones(2, requires_grad=True)", "y = (w.T * 2).sum(dim=0)", "g, = torch.autograd.grad(y, w)"]
        lines += ["h = w.grad", "k = torch.cat([w, w])", "z = torch.where(w > 0, w, 0.)", "m = w[0]"]
        host = open_host(sheet("\n".join(["import torch", *lines]), {}, drawing=DATA))
        picture = host.canvas.picture
        named = {picture.program[id_].name: picture.face(id_).label for id_ in picture.ids}
        assert named["y"] == "sum(dim=0)"
        assert (named["g"], named["h"], named["k"], named["m"]) == ("autograd.grad", "=", "cat", "[0]")
        assert all(text for name, text in named.items() if name != "w")
        discard(host)

    def test_what_failed_and_what_is_to_come(self, qapp, still):
        host = open_host(sheet("import torch\na = torch.ones(2)\nb = a @ torch.ones(3)\nc = b + 1\n", {}, drawing=DATA))
        picture = host.canvas.picture
        failed = next(id_ for id_ in picture.ids if picture.program[id_].name == "b")
        assert picture.face(failed).error
        assert not picture.anatomy(failed).rows
        assert picture.face(host.canvas.document.program.named("c").statement).ghost
        assert not host.canvas.grab().isNull()
        discard(host)

    @pytest.mark.parametrize("zoom", [100, 40, 12])
    def test_it_is_painted_at_every_distance(self, desk, zoom):
        desk.canvas.set_zoom_percent(zoom)
        corner, size = node(desk, "w")
        image = desk.canvas.grab().toImage()
        assert image.pixelColor(corner + QPoint(size.width() // 2, 3)) != image.pixelColor(2, 2)


class TestWorking:
    def test_a_click_on_label_or_node_selects_the_statement(self, desk):
        desk.click(label(desk, "y"))
        assert desk.document.selection == {desk.id("y")}
        corner, size = node(desk, "a")
        desk.click(corner + QPoint(size.width() // 2, size.height() - 6))
        assert desk.document.selection == {desk.id("a")}

    def test_rename_edit_and_undo(self, desk):
        corner, size = node(desk, "w")
        desk.click(corner + QPoint(size.width() // 2, 8))
        desk.key(KEY.Key_F2)
        desk.type("v")
        desk.key(KEY.Key_Return)
        assert desk.document.program[1].name == "v"
        corner, size = node(desk, "v")
        desk.double_click(corner + QPoint(size.width() // 2, 38))
        desk.focused().selectAll()
        desk.type("3.")
        desk.key(KEY.Key_Return)
        desk.document.finish()
        assert face(desk, "v").rows[0].value.lines == ("[3.]",)
        assert desk.undo_all() == 2
        assert face(desk, "w").rows[0].value.lines == ("[1.]",)

    def test_the_number_under_an_operator_is_typed_there(self, desk):
        canvas = desk.canvas
        x, y = canvas.picture.anatomy(4).inputs[1]
        desk.click(canvas.to_view(canvas.picture.rect(4).topLeft() + QPointF(x, y + 8)).toPoint())
        desk.focused().selectAll()
        desk.type("2")
        desk.key(KEY.Key_Return)
        assert "b = w + 2" in desk.lines() or "b = torch.add(w, 2)" in desk.lines()

    def test_each_output_is_renamed_on_its_own_node(self, qapp, still):
        source = "import torch\nz = torch.tensor([[1., 2.]], requires_grad=True)\nv, i = z.max(dim=1)\n"
        host = open_host(sheet(source, {}, drawing=DATA))
        hands = Hands(host.canvas)
        corner, size = node(hands, "v", 1)
        hands.double_click(corner + QPoint(size.width() // 2, 8))
        hands.focused().selectAll()
        hands.type("best")
        hands.key(KEY.Key_Return)
        assert host.canvas.document.program[2].targets == ("v", "best")
        discard(host)

    def test_delete_step_and_cover(self, desk):
        desk.document.look_at_line(desk.id("a"))
        process()
        assert face(desk, "y").ghost
        desk.document.back_to_now()
        desk.canvas.setFocus()
        desk.document.cover(True)
        assert face(desk, "w").rows[0].grad.covered
        desk.document.cover(False)
        desk.click(label(desk, "y"))
        desk.key(KEY.Key_Delete)
        assert desk.document.program.named("y") is None

    def test_wires_are_not_drawn_here_and_it_says_why(self, desk):
        told = []
        desk.document.told.connect(told.append)
        before = desk.lines()
        picture = desk.canvas.picture
        row = int(picture.wires_of([desk.id("x")])[0])
        middle = desk.canvas.to_view(middle_of_wire(picture, row)).toPoint()
        desk.drag(middle, middle + QPoint(40, 120))
        assert "Cards" in told[-1]
        desk.click(label(desk, "a"))
        desk.key(KEY.Key_W)
        assert len(told) == 2
        assert desk.canvas.dispatcher.active is None
        assert desk.lines() == before

    def test_a_node_is_moved_by_its_edge(self, desk):
        """There are no ports: nothing is joined to what a node is put beside."""
        corner, size = node(desk, "x")
        desk.drag(corner + QPoint(size.width() - 2, size.height() // 2), corner + QPoint(size.width() - 2, 200))
        assert desk.board.place(2).y > 160.0
        assert len(desk.document.program.order) == 6

    def test_an_operator_dropped_on_an_edge_stands_in_it(self, desk):
        picture = desk.canvas.picture
        row = int(picture.wires_of([desk.id("x")])[0])
        desk.drop(
            "exp",
            desk.canvas.to_view(middle_of_wire(picture, row)).toPoint(),
        )
        assert any("exp(x)" in line for line in desk.lines())
        assert desk.document.program[3].operands[1].statement not in (1, 2)

    def test_quick_add_and_paste(self, desk):
        desk.canvas.add_text("q = w * 4", QPointF(300, 400))
        assert desk.document.program.named("q") is not None
        assert desk.board.place(desk.id("q")) is not None


class TestGoingThereAndBack:
    def test_each_drawing_has_its_own_places(self, desk):
        here = desk.board.place(5)
        desk.click(label(desk, "y"))
        desk.key(KEY.Key_Right, CTRL)
        desk.key(KEY.Key_Down, CTRL)
        assert desk.board.place(5) != here
        desk.key(KEY.Key_1, CTRL)
        assert {id_: (place.x, place.y) for (name, id_), place in desk.board.places.items() if name == CARDS} == PLACES
        assert desk.canvas.picture.rect(5).topLeft() == QPointF(*PLACES[5])

    def test_cards_lie_where_the_eye_left_them(self, desk):
        for id_, (x, y) in PLACES.items():
            rect = desk.canvas.picture.rect(id_)
            assert abs(rect.right() - (x + 176)) <= 8
            assert y - 8 <= rect.center().y() <= y + 120

    def test_selection_and_focus_stay(self, desk):
        desk.click(label(desk, "a"))
        desk.key(KEY.Key_1, CTRL)
        assert desk.document.selection == {desk.id("a")}
        assert desk.canvas.keyboard.card == desk.id("a")
        desk.key(KEY.Key_2, CTRL)
        assert desk.document.selection == {desk.id("a")}

    def test_going_is_no_edit(self, desk):
        assert not desk.document.undo_stack.canUndo()
        assert not desk.document.is_modified

    def test_undo_of_a_move_goes_where_it_was_made(self, desk):
        desk.click(label(desk, "y"))
        was = desk.board.place(5)
        desk.key(KEY.Key_Down, CTRL)
        desk.key(KEY.Key_1, CTRL)
        desk.document.undo_stack.undo()
        assert desk.document.drawing == DATA
        assert desk.board.place(5) == was

    def test_undo_of_a_line_stays_where_one_is(self, desk):
        desk.canvas.add_text("q = w * 4", QPointF(300, 400))
        desk.key(KEY.Key_1, CTRL)
        desk.document.undo_stack.undo()
        assert desk.document.drawing == CARDS
        desk.document.undo_stack.redo()
        assert desk.document.drawing == CARDS
        assert desk.board.place(desk.id("q")) is not None

    def test_what_is_built_here_has_a_place_there(self, desk):
        desk.canvas.add_text("q = w * 4", QPointF(300, 400))
        desk.key(KEY.Key_1, CTRL)
        picture = desk.canvas.picture
        mine = picture.rect(desk.id("q"))
        assert desk.board.place(desk.id("q")) is not None
        assert not any(mine.intersects(picture.rect(other)) for other in picture.ids if other != desk.id("q"))

    def test_long_operators_are_laid_out_so_that_nothing_overlaps(self, qapp, still):
        lines = ["import torch", "x = torch.ones(2, requires_grad=True)"]
        lines += [f"y{n} = torch.nn.functional.leaky_relu({f'y{n - 1}' if n else 'x'}, 0.25)" for n in range(5)]
        places = {id_: (200.0 * id_, 0.0) for id_ in range(1, 7)}
        host = open_host(sheet("\n".join(lines), places))
        Hands(host.canvas).key(KEY.Key_2, CTRL)
        picture = host.canvas.picture
        rects = [picture.rect(id_) for id_ in picture.ids]
        assert not any(one.intersects(other) for one in rects for other in rects if one is not other)
        discard(host)

    def test_notes_and_frames_go_with_it(self, qapp, still):
        frame, note = Frame(20, "both", 232.0, -40.0, 220.0, 340.0), Note(21, (("", "why?"),), 0.0, 320.0)
        host = open_host(sheet(notes=[note], frames=[frame]))
        hands = Hands(host.canvas)
        hands.key(KEY.Key_2, CTRL)
        picture = host.canvas.picture
        shown = next(one.rect for one in picture.frames if one.id == 20)
        assert shown.contains(picture.rect(3))
        assert shown.contains(picture.rect(4))
        host.canvas.document.select([21])
        hands.key(KEY.Key_Down, CTRL)
        hands.key(KEY.Key_1, CTRL)
        assert host.canvas.document.board.notes[21].y == 320.0
        discard(host)

    def test_a_file_opens_as_it_was(self, desk):
        again = load(save(desk.document.sheet))
        assert again.board.drawing == DATA
        host = open_host(again)
        assert host.canvas.picture.drawing.name == DATA
        assert host.canvas.picture.rect(5) == desk.canvas.picture.rect(5)
        discard(host)


def test_a_picture_of_it_cuts_nothing_off(qapp, still):
    host = open_host(sheet("import torch\na = torch.ones(2)\nb = a * 2\n", {}, drawing=DATA))
    picture = host.canvas.picture
    made = picture.face(2)
    extent = picture.drawing.extent(made)
    assert extent.contains(field_rect(made.anatomy, 1, "2"))
    assert field_rect(made.anatomy, 1, "2").bottom() > made.anatomy.height
    discard(host)
