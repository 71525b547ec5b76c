"""Keys on the canvas: quick-add, focus from card to card, nudging, letters with an input method on."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from support.hands import CTRL, SHIFT

Key = Qt.Key


def test_a_opens_quick_add_and_enter_places(hands):
    hands.canvas.setFocus()
    hands.key(Key.Key_A)
    assert hands.canvas.quick.isVisible()
    hands.type("tensor")
    hands.key(Key.Key_Return)
    hands.key(Key.Key_Escape)
    assert hands.lines() == ["x = torch.tensor([1.])"]


def test_an_expression_builds_its_graph_laid_out(hands):
    hands.double_click(QPoint(300, 200))
    hands.type("y = (x + w) * (w + 1)")
    hands.key(Key.Key_Return)
    assert not hands.canvas.quick.isVisible()
    hands.document.finish()
    names = {s.name for s in hands.document.program}
    assert names == {"x", "w", "a", "b", "y"}
    places = {name: hands.canvas.node_rect(name) for name in names}
    assert places["x"].right() < places["a"].left()
    assert places["a"].right() < places["y"].left()
    rects = list(places.values())
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    assert hands.document.undo_stack.count() == 1
    hands.document.undo_stack.undo()
    assert hands.document.is_empty


def test_an_expression_keeps_the_places_of_what_is_there(course):
    before = dict(course.document.board.places)
    course.canvas.quick_add_at(QPointF(400, 400))
    course.type("z = y * w")
    course.key(Key.Key_Return)
    places = course.document.board.places
    assert {key: places[key] for key in before} == before
    assert ("cards", course.id("z")) in places


def test_a_bad_expression_stays_open_and_says_why(hands):
    hands.canvas.quick_add_at(QPointF(300, 200))
    hands.type("y = (x +")
    hands.key(Key.Key_Return)
    assert hands.canvas.quick.isVisible()
    assert hands.canvas.quick.message.text()
    hands.key(Key.Key_Escape)
    assert not hands.canvas.quick.isVisible()
    assert hands.document.is_empty


def test_symbols_and_both_languages_are_found():
    from chalkgrad_app import catalogue

    assert catalogue.search("**", "en")[0].name == "pow"
    assert catalogue.search("@", "en")[0].name == "matmul"
    assert catalogue.search("ｅｘｐ", "en")[0].name == "exp"
    assert catalogue.search("张量", "en")[0].name == "tensor"
    assert not catalogue.is_expression("exp")
    assert not catalogue.is_expression("+")
    assert catalogue.is_expression("y = a * b")
    assert catalogue.is_expression("ｙ＝ａ＋１")


def test_tab_goes_through_the_cards_and_on(course):
    course.canvas.setFocus()
    seen = []
    for _ in range(5):
        course.key(Key.Key_Tab)
        seen.append(course.document.program[course.canvas.keyboard.card].name)
    assert seen == ["w", "x", "a", "b", "y"]
    assert course.canvas.look().focus == 5
    course.key(Key.Key_Tab, SHIFT)
    assert course.document.selected_statements == (4,)


def test_arrows_follow_wires(course):
    course.click(course.header("w"))
    course.key(Key.Key_Right)
    assert course.document.program[course.canvas.keyboard.card].name == "b"
    course.key(Key.Key_Right)
    assert course.document.program[course.canvas.keyboard.card].name == "y"
    course.key(Key.Key_Left)
    assert course.document.program[course.canvas.keyboard.card].name in {"a", "b"}
    course.click(course.header("w"))
    course.key(Key.Key_Down)
    assert course.document.program[course.canvas.keyboard.card].name == "x"


def test_ctrl_arrows_nudge(course):
    course.click(course.header("w"))
    course.key(Key.Key_Right, CTRL)
    assert course.document.board.place(1).x == 8.0
    course.key(Key.Key_Down, CTRL | SHIFT)
    assert course.document.board.place(1).y == 1.0
    assert course.document.undo_stack.count() == 2


def test_letters_act_on_the_canvas(course):
    course.click(course.header("x"))
    course.key(Key.Key_G)
    assert course.lines()[1] == "x = torch.tensor([2.], requires_grad=True)"
    course.key(Key.Key_G)
    assert course.lines()[1] == "x = torch.tensor([2.])"
    course.click(course.header("a"))
    course.key(Key.Key_R)
    assert course.lines()[-1] == "a.retain_grad()"


def test_delete_takes_the_card_and_opens_ports(course):
    told = []
    course.document.told.connect(told.append)
    course.click(course.header("b"))
    course.key(Key.Key_Delete)
    assert course.document.program.named("b") is None
    assert course.lines()[-1].startswith("#")
    assert told


def test_escape_lets_go_of_everything(course):
    course.click(course.header("w"))
    course.key(Key.Key_Escape)
    assert not course.document.selection
    assert course.canvas.keyboard.card is None


def test_the_input_method_is_off_on_the_canvas_and_on_in_fields(course):
    attribute = Qt.WidgetAttribute.WA_InputMethodEnabled
    assert not course.canvas.testAttribute(attribute)
    assert course.canvas.editor.line.testAttribute(attribute)
    assert course.canvas.editor.lines.testAttribute(attribute)
    assert course.canvas.quick.field.testAttribute(attribute)


def test_the_menu_key_opens_the_menu_of_the_card_with_the_focus(course):
    course.canvas.setFocus()
    course.key(Key.Key_Tab)
    at = course.canvas.view_rect_of(1).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, course.canvas.mapToGlobal(at))
    QApplication.sendEvent(course.canvas, event)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert "w.grad = None" in [action.text() for action in menu.actions()]
    menu.close()


def test_quick_add_speaks_the_language_of_the_window(hands):
    from chalkgrad_app.i18n import set_language

    set_language("zh_CN")
    try:
        hands.canvas.quick_add_at(QPointF(300, 200))
        offers = hands.canvas.quick.rows.model()
        titles = [offers.index(row, 0).data() for row in range(offers.rowCount())]
        assert any(any("\u4e00" <= letter <= "\u9fff" for letter in title) for title in titles)
    finally:
        set_language("en")
        hands.canvas.quick.dismiss()


def test_tab_goes_on_to_notes_and_frames_which_enter_opens(course):
    from chalkgrad.program import edits
    from chalkgrad.program.board import Frame, Note

    document = course.document
    document.do(edits.put_note(document.board, Note(901, (("en", "look"),), 0, 400, 200, 80)), "note")
    document.do(edits.put_frame(document.board, Frame(902, "forward", 400, 400, 200, 100)), "frame")
    course.canvas.setFocus()
    for _ in range(6):
        course.key(Key.Key_Tab)
    assert course.canvas.keyboard.card == 901
    assert document.selection == {901}
    course.key(Key.Key_F10, SHIFT)
    menu = QApplication.activePopupWidget()
    assert "Edit note" in [action.text() for action in menu.actions()]
    menu.close()
    course.key(Key.Key_Return)
    assert course.canvas.editor.is_open
    course.key(Key.Key_Escape)
    course.key(Key.Key_Tab)
    assert document.selection == {902}
    course.key(Key.Key_Delete)
    assert 902 not in document.board.frames
