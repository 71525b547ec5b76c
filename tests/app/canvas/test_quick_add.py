"""Quick-add: what it finds, in which order, what it says of it, and what becomes of what is chosen."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from support.desk import key
from support.hands import CTRL, process

from chalkgrad.program import edits
from chalkgrad.program.statement import Ref
from chalkgrad_app import catalogue, fuzzy, i18n, settings
from chalkgrad_app.canvas.offer_rows import ENTRY

ENTER, ESC, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down


def open_at(hands, x=400, y=420):
    hands.canvas.quick_add_at(QPointF(x, y))
    return hands.canvas.quick


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("add", "add"),
        ("+", "add"),
        ("**", "pow"),
        ("@", "matmul"),
        ("multiply", "mul"),
        ("absolute", "abs"),
        ("torch.exp", "exp"),
        ("F.relu", "relu"),
        ("lrelu", "leaky_relu"),
        ("lsm", "logsumexp"),
        ("求和", "sum"),
        ("平方", "square"),
        ("Σ", "sum"),
        ("∏", "prod"),
        ("√", "sqrt"),
        ("σ", "sigmoid"),
        ("|x|", "abs"),
        ("·", "mul"),
        ("转置", "transpose"),
        ("平均", "mean"),
        ("均值", "mean"),
        ("swish", "silu"),
        ("matmul", "matmul"),
        ("average", "mean"),
        ("squared error", "mse_loss"),
        ("ｓｉｇｍｏｉｄ", "sigmoid"),
        ("张量", "tensor"),
        ("add up", "sum"),
        ("matrix mult", "matmul"),
        ("matrix multiplication", "matmul"),
        ("hadamard", "mul"),
        ("power", "pow"),
        ("no_grad", "no_grad"),
        ("grad mode", "no_grad"),
    ],
)
def test_names_signs_words_of_both_languages_and_single_letters_find(hands, typed, first):
    quick = open_at(hands)
    hands.type(typed)
    assert hands.offered()[0] == first
    assert quick.rows.currentIndex().row() == 0


@pytest.mark.parametrize(
    ("typed", "first"), [("qiuhe", "sum"), ("qh", "sum"), ("zhuanz", "transpose"), ("juzhen", "matmul"), ("cf", "mul")]
)
def test_chinese_names_are_found_as_they_sound(hands, typed, first):
    i18n.set_language("zh_CN")
    try:
        open_at(hands)
        hands.type(typed)
        assert hands.offered()[0] == first
    finally:
        i18n.set_language("en")


def test_what_is_written_comes_before_what_sounds_like_it():
    for name in ("exp", "he", "sum", "tan"):
        found = [entry.name for entry in catalogue.search(name, "zh_CN")]
        assert found[0].startswith(name)
    assert not catalogue.search("qh", "en")


def test_a_name_comes_before_what_begins_with_it_and_that_before_letters_in_it():
    found = [entry.name for entry in catalogue.search("exp", "en")]
    assert found[0] == "exp"
    assert found.index("exp2") < found.index("logaddexp")
    assert fuzzy.match("exp", "exp") < fuzzy.match("exp", "expm1") < fuzzy.match("exp", "log exp")
    assert fuzzy.match("lr", "leaky_relu") is not None
    assert fuzzy.match("rl", "leaky_relu")[0] == fuzzy.LETTERS
    assert fuzzy.match("ule", "leaky_relu") is None


def test_letters_in_their_order_find_only_where_nothing_else_does():
    assert {entry.name for entry in catalogue.search("mse", "en")} == {"mse_loss"}
    assert [entry.name for entry in catalogue.search("lsm", "en")]


def test_where_there_is_little_room_the_list_shows_whole_rows(hands):
    """Whatever the height of the canvas."""
    for height in range(300, 420, 17):
        hands.canvas.resize(600, height)
        quick = open_at(hands, 10, 10)
        process()
        row = quick.rows.sizeHintForRow(0)
        assert quick.rows.viewport().height() // row >= 3
        assert quick.rows.viewport().height() % row <= 4
        quick.dismiss()


def test_short_words_find_beside_longer_ones():
    assert {"add", "mul"} <= {entry.name for entry in catalogue.search("element by element", "en")}
    assert "add" not in {entry.name for entry in catalogue.search("by", "en")}


def test_no_grad_is_put_around_what_is_selected_and_says_what_it_takes(course):
    told = []
    course.document.told.connect(told.append)
    open_at(course)
    course.type("no_grad")
    course.key(ENTER)
    assert told
    assert not course.document.program.blocks
    course.click(course.header("a"))
    open_at(course)
    course.type("no_grad")
    course.key(ENTER)
    assert [block.mode for block in course.document.program.blocks.values()] == ["no_grad"]
    course.document.undo_stack.undo()
    assert not course.document.program.blocks


def test_nothing_is_called_that(hands):
    quick = open_at(hands)
    hands.type("zzzz")
    hands.key(ENTER)
    assert quick.message.isVisible()
    assert not quick.rows.isVisible()
    assert hands.document.is_empty


def test_every_row_says_what_it_is_below_the_list(hands):
    quick = open_at(hands)
    hands.type("sum")
    assert "torch.sum(input, dim=None" in quick.preview.text()
    hands.key(DOWN)
    below = hands.offered()[1]
    assert catalogue.signature(below).split("(")[0] in quick.preview.text()


def test_the_keyboard_alone_places_and_escape_gives_the_focus_back(hands):
    hands.key(Qt.Key.Key_A)
    assert hands.canvas.quick.field.hasFocus()
    hands.key(ESC)
    assert hands.canvas.hasFocus()
    assert hands.document.is_empty
    hands.key(Qt.Key.Key_A)
    hands.type("rel")
    hands.key(ENTER)
    assert hands.lines() == ["# a = torch.relu(?)"]
    assert hands.canvas.hasFocus()
    assert hands.document.undo_stack.undoText() == "Add relu"


def test_tab_writes_out_the_name_of_the_row_chosen_and_stays_in_the_field(hands):
    quick = open_at(hands)
    hands.type("sof")
    hands.key(Qt.Key.Key_Tab)
    assert quick.field.hasFocus()
    assert quick.field.text() == "softmax"
    assert hands.offered()[quick.rows.currentIndex().row()] == "softmax"
    hands.key(Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert quick.field.hasFocus()
    hands.type("(x, dim=0)")
    assert "torch.softmax(x, dim=0)" in quick.preview.text()
    hands.key(ENTER)
    assert hands.lines()[-1] == "a = torch.softmax(x, dim=0)"


def test_tab_completes_to_the_row_that_was_chosen(hands):
    quick = open_at(hands)
    hands.type("ten")
    hands.key(DOWN)
    assert hands.offered()[quick.rows.currentIndex().row()] == "tensor-grad"
    hands.key(Qt.Key.Key_Tab)
    hands.key(ENTER)
    assert "requires_grad=True" in hands.lines()[0]


def test_ctrl_enter_goes_on_with_what_follows(course):
    course.click(course.header("y"))
    course.key(Qt.Key.Key_A)
    course.type("exp")
    course.key(ENTER, CTRL)
    assert course.canvas.quick.isVisible()
    course.type("log")
    course.key(ENTER, CTRL)
    course.type("neg")
    course.key(ENTER)
    assert course.lines()[-3:] == ["c = torch.exp(y)", "d = torch.log(c)", "e = -d"]
    assert not course.canvas.quick.isVisible()
    assert len({course.rect(name).top() for name in "ycde"}) == 1, "in a row"


def test_what_was_placed_last_comes_first_and_is_remembered(hands):
    for name in ("cumsum", "atan"):
        open_at(hands)
        hands.type(name)
        hands.key(ENTER)
        hands.document.clear_selection()
    assert settings.recent_operators()[:2] == ["atan", "cumsum"]
    open_at(hands)
    names = [name for name in hands.offered() if name in catalogue.OPS]
    assert names[:2] == ["atan", "cumsum"]


class TestFits:
    def test_what_takes_the_wire_comes_first_and_what_would_be_refused_last(self, course):
        course.canvas.adding.follow(Ref(course.id("y")), QPointF(400, 420))
        names = course.offered()
        assert names[0] == "add"
        assert names.index("exp") < names.index("addcmul")
        assert names.index("det") > names.index("addcmul")  # of a vector there is none
        assert "tensor" not in names
        assert "full" not in names

    def test_two_selected_cards_ask_for_two_inputs(self, course):
        course.click(course.header("a"))
        course.click(course.header("b"), Qt.KeyboardModifier.ShiftModifier)
        open_at(course)
        names = course.offered()
        assert names.index("maximum") < names.index("exp")
        course.type("mul")
        course.key(ENTER)
        assert course.lines()[-1] == "c = torch.mul(a, b)"

    def test_a_frame_and_a_note_are_offered(self, course):
        open_at(course)
        assert {"note", "frame"} <= set(course.offered())
        course.canvas.quick.dismiss()
        course.click(course.header("a"))
        open_at(course)
        course.type("frame")
        course.key(ENTER)
        assert len(course.document.board.frames) == 1
        open_at(course)
        course.type("便签")
        course.key(ENTER)
        assert len(course.document.board.notes) == 1


class TestFeed:
    def test_a_wire_pulled_backwards_asks_for_what_makes_it_tensors_first(self, hands):
        hands.drop("exp", QPoint(600, 200))
        hands.drag(hands.port("a", 0), hands.port("a", 0) + QPoint(-300, 120))
        assert hands.canvas.quick.isVisible()
        assert hands.offered()[:2] == ["tensor", "tensor-grad"]
        hands.key(DOWN)
        hands.key(ENTER)
        hands.key(ENTER)  # the name
        assert hands.lines() == ["w = torch.tensor([1.], requires_grad=True)", "a = torch.exp(w)"]
        assert hands.document.undo_stack.count() == 2
        hands.document.undo_stack.undo()
        assert hands.lines() == ["# a = torch.exp(?)"]

    def test_the_new_card_ends_where_the_wire_was_let_go(self, hands):
        hands.drop("exp", QPoint(600, 200))
        end = hands.port("a", 0) + QPoint(-150, 120)
        hands.drag(hands.port("a", 0), end)
        hands.type("log")
        hands.key(ENTER)
        assert hands.document.program[hands.id("a")].operands == (Ref(hands.id("b")),)
        rect = hands.canvas.node_rect("b")
        assert abs(rect.right() - end.x()) <= 8
        assert rect.top() < end.y() < rect.bottom()

    def test_an_expression_can_feed_a_port(self, hands):
        hands.drop("exp", QPoint(600, 200))
        hands.drag(hands.port("a", 0), hands.port("a", 0) + QPoint(-300, 120))
        hands.type("2 * w + 1")
        hands.key(ENTER)
        assert hands.lines()[-1] == "a = torch.exp(c)"
        assert hands.document.undo_stack.count() == 2


class TestMenus:
    def entries(self, hands, hit):
        menu = hands.canvas.menus.menu(hit, QPointF())
        inner = [action.menu() for action in menu.actions() if action.menu()]
        return menu, {action.text(): action for each in (menu, *inner) for action in each.actions()}

    def test_a_card_offers_all_that_is_done_to_its_wires(self, course):
        _, entries = self.entries(course, course.canvas.hit(QPointF(course.header("a"))))
        wanted = ["Change to...", "Insert operator...", "Swap inputs", "Pull out of its wires", "Disconnect"]
        assert [text for text in entries if text in wanted] == wanted
        entries["Delete and reconnect"].trigger()
        assert course.lines()[-1] == "y = torch.mul(w, b)"

    def test_a_wire_offers_an_operator_to_be_put_in(self, course):
        middle = QPointF(course.port("b", "value") + course.port("y", 1)) / 2
        menu, entries = self.entries(course, course.canvas.hit(middle))
        entries["Insert operator..."].trigger()
        menu.close()
        course.type("exp")
        course.key(ENTER)
        assert course.lines()[-2:] == ["c = torch.exp(b)", "y = torch.mul(a, c)"]


def is_wired_to_the_list(hands, start, end):
    """True when the colour of what goes on shows between two points."""
    image = hands.canvas.grab(QRect(start + QPoint(8, 4), end - QPoint(8, 4))).toImage()
    colour = hands.canvas.palette().highlight().color()
    return any(image.pixelColor(x, y) == colour for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("forward", [True, False], ids=["to be read", "to be fed"])
def test_it_closes_when_what_it_was_opened_for_is_gone(course, forward):
    course.drop("exp", course.canvas.node_rect("y").topRight() + QPoint(150, 20))
    course.key(ESC)
    course.drag(course.port("c", "value" if forward else 0), course.free(60, 560))
    assert course.canvas.quick.isVisible()
    course.document.undo_stack.undo()
    assert course.document.program.named("c") is None
    assert not course.canvas.quick.isVisible()
    assert course.canvas.hasFocus()


def test_an_edit_of_something_else_leaves_it_open(course):
    course.drag(course.port("y", "value"), course.free(60, 560))
    course.document.do(edits.rename(course.document.program, course.id("w"), 0, "v"), "Rename")
    assert course.canvas.quick.isVisible()


def test_the_wire_that_was_let_go_hangs_at_the_list_until_it_closes(course):
    start = course.port("y", "value")
    end = start + QPoint(110, 90)
    course.drag(start, end)
    assert course.canvas.quick.isVisible()
    course.canvas.quick.move(0, 0)  # in so small a window it would lie over the wire
    process()
    assert is_wired_to_the_list(course, start, end)
    course.key(ESC)
    assert not is_wired_to_the_list(course, start, end)


def test_the_kind_of_an_operator_finds_it_by_its_noun(hands):
    open_at(hands)
    hands.type("reduction")
    assert {"sum", "mean", "max"} <= set(hands.offered())


def test_in_place_is_found_without_its_hyphen():
    found = catalogue.search("inplace", "en")
    assert found
    assert all(entry.section == "In-place" for entry in found)


def test_what_finds_nothing_says_so_at_once(hands):
    quick = open_at(hands)
    hands.type("jihuo")
    assert not quick.rows.isVisible()
    assert quick.preview.text() == "Nothing is called jihuo."


@pytest.mark.parametrize(("said", "name"), [("plus", "add"), ("minus", "sub"), ("times", "mul"), ("ln", "log")])
def test_what_an_operator_is_called_when_spoken_of_finds_it_first(hands, said, name):
    open_at(hands)
    hands.type(said)
    assert hands.offered()[0] == name


def test_what_is_typed_as_it_is_listed_is_looked_up_and_not_computed(hands):
    """``tensor-grad`` would be a subtraction."""
    open_at(hands)
    assert "tensor-grad" in hands.offered()
    for entry in catalogue.entries("en"):
        assert not catalogue.is_expression(entry.label), entry.label
    hands.type("tensor")
    assert hands.offered()[:2] == ["tensor", "tensor-grad"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("[1 2; 3 4]", "x = torch.tensor([[1., 2.], [3., 4.]])"),
        ("m = [1 2; 3 -4.5]", "m = torch.tensor([[1., 2.], [3., -4.5]], requires_grad=True)"),
        ("[1e3 2]", "x = torch.tensor([1000., 2.])"),
        ("[1, 2]", "x = torch.tensor([1., 2.])"),
    ],
)
def test_numbers_in_brackets_are_written_as_in_the_field_of_a_card(hands, typed, line):
    quick = open_at(hands)
    hands.type(typed)
    assert line in quick.preview.text()
    hands.key(ENTER)
    assert hands.lines() == [line]
    assert not quick.isVisible()


def test_what_python_says_of_an_error_ends_once(hands):
    quick = open_at(hands)
    hands.type("y = 1 2")
    hands.key(ENTER)
    assert quick.isVisible()
    said = quick.message.text()
    assert "forgot a comma" in said or "invalid syntax" in said
    assert "?." not in said
    assert ".." not in said


def field_of(hands):
    """Where the field lies on the canvas."""
    field = hands.canvas.quick.field
    return QRect(hands.canvas.mapFromGlobal(field.mapToGlobal(QPoint(0, 0))), field.size())


def list_of(hands):
    quick = hands.canvas.quick
    return QRect(hands.canvas.mapFromGlobal(quick.mapToGlobal(QPoint(0, 0))), quick.size())


@pytest.mark.parametrize(("x", "y"), [(40, 40), (40, 600), (960, 40), (960, 600), (600, 330)])
def test_the_list_is_next_to_the_pointer_wherever_that_is_and_its_field_stays(hands, x, y):
    for typed in ("", "s", "y = (x + w) * (w + 1)"):
        quick = open_at(hands, x, y)
        near, field = quick.geometry().adjusted(-12, -12, 12, 12), field_of(hands)
        assert near.contains(QPoint(x, y)), f"{typed!r}: {near} is not at {x}, {y}"
        hands.type(typed)
        assert hands.canvas.window().rect().contains(quick.geometry())
        assert field_of(hands) == field
        hands.canvas.quick.dismiss()


def test_it_hides_neither_the_card_that_its_wire_comes_from_nor_the_one_it_goes_to(course):
    course.canvas.fit_all()
    start = course.port("y", "value")
    for way in (QPoint(20, 120), QPoint(20, -120)):
        course.drag(start, start + way)
        assert course.canvas.quick.isVisible()
        assert not list_of(course).intersects(course.canvas.node_rect("y"))
        course.key(ESC)
    end = course.port("b", 1)
    for way in (QPoint(-40, 90), QPoint(-30, -20)):
        course.drag(end, end + way)
        assert course.canvas.quick.isVisible()
        assert not list_of(course).intersects(course.canvas.node_rect("b"))
        course.key(ESC)


def test_what_an_expression_builds_is_shown_line_by_line_and_none_is_cut_in_its_middle(hands):
    quick = open_at(hands)
    hands.type("z = y.relu().sum(dim=0, keepdim=True) + torch.ones(2, 3) @ v")
    shown = quick.preview.text()
    assert "<br>d = " in shown or "<br>a = " in shown
    assert quick.preview.height() >= quick.preview.heightForWidth(quick.preview.width())
    quick.field.setText(" + ".join(f"x.exp() * {number}" for number in range(20)))
    assert "more" in quick.preview.text()
    assert quick.preview.text().count("<br>") == 7, "the words, six lines and how many more"
    assert quick.preview.height() >= quick.preview.heightForWidth(quick.preview.width())


def test_to_change_an_operator_the_first_other_one_is_highlighted(course):
    course.click(course.header("y"))
    course.key(Qt.Key.Key_C)
    assert hands_row(course) != "mul"
    course.key(ENTER)
    assert "a * b" not in course.lines()[-1]
    course.key(Qt.Key.Key_C)
    course.type("mul")
    assert hands_row(course) == "mul"


def hands_row(hands):
    return hands.canvas.quick.rows.currentIndex().data(ENTRY).name


def row_height(quick) -> int:
    return quick.rows.sizeHintForRow(0)


@pytest.mark.parametrize(("typed", "hits"), [("softpl", 2), ("sigm", 7)])
def test_the_list_is_as_high_as_what_it_found(hands, typed, hits):
    quick = open_at(hands)
    full = quick.height()
    corner = quick.mapTo(quick.window(), quick.field.pos())
    hands.type(typed)
    assert len(hands.offered()) == hits
    process()
    assert quick.rows.viewport().height() <= hits * row_height(quick) + 4
    assert quick.height() < full - (8 - hits) * row_height(quick)
    assert quick.mapTo(quick.window(), quick.field.pos()) == corner
    for _ in typed:
        hands.key(Qt.Key.Key_Backspace)
    assert quick.height() == full


@pytest.mark.parametrize(("typed", "near"), [("rellu", "relu"), ("sigmiod", "sigmoid")])
def test_near_names_are_listed_and_none_is_chosen(hands, typed, near):
    quick = open_at(hands)
    before = hands.document.program
    hands.type(typed)
    assert hands.offered()[0] == near
    assert quick.preview.text() == f"Nothing is called {typed}; near names are listed."
    hands.key(ENTER)
    assert hands.document.program == before
    assert quick.message.isVisible()
    hands.key(DOWN)
    assert quick.rows.currentIndex().data(ENTRY).name == near
    hands.key(ENTER)
    assert hands.document.program[hands.document.program.order[-1]].call == near


def test_a_change_that_loses_an_input_says_so(course):
    course.click(course.header("a"))
    course.key(Qt.Key.Key_C)
    course.type("exp")
    quick = course.canvas.quick
    assert quick.rows.currentIndex().data(ENTRY).section == "loses an input"
    assert "loses an input" in quick.preview.text()
    quick.field.clear()
    course.type("div")
    assert quick.rows.currentIndex().data(ENTRY).section == "Arithmetic"
    assert "loses" not in quick.preview.text()


def test_tab_writes_nothing_where_nothing_is_typed(hands):
    quick = open_at(hands)
    hands.key(Qt.Key.Key_Tab)
    assert quick.field.text() == ""
    assert quick.field.hasFocus()


def test_tab_completes_to_the_nearest_name(hands):
    quick = open_at(hands)
    hands.type("sigmiod")
    hands.key(Qt.Key.Key_Tab)
    assert quick.field.text() == "sigmoid"


def test_nothing_like_it_leaves_one_line(hands):
    quick = open_at(hands)
    hands.type("qqqqqq")
    assert hands.offered() == []
    assert quick.preview.text() == "Nothing is called qqqqqq."
    assert quick.preview.height() < 2 * quick.preview.fontMetrics().lineSpacing()


def test_the_start_gives_way_to_the_list_on_an_empty_canvas(window):
    start, canvas = window.area.start, window.canvas
    canvas.setFocus()
    assert start.isVisible()
    key(window, Qt.Key.Key_A)
    assert canvas.quick.isVisible()
    assert not start.isVisible()
    key(window, ESC)
    assert start.isVisible()
    assert window.focusWidget() is canvas


def test_where_there_is_little_room_the_list_has_as_many_rows_as_that_holds(course_window, looks):
    course_window.resize(1024, 700)
    course_window.presenting.set_text_size(200)
    process()
    quick = course_window.canvas.quick
    for typed in ("", "sigm", "relu"):
        course_window.canvas.setFocus()
        key(course_window, Qt.Key.Key_A)
        QTest.keyClicks(quick.field, typed)
        process()
        row, hits = row_height(quick), len(quick.rows.model().entries)
        assert quick.rows.viewport().height() < hits * row, "it is scrolled"
        at = quick.geometry()
        assert at.top() - row < 4 or at.bottom() + row > course_window.height() - 4, "to the edge above, or below"
        key(course_window, ESC)


class TestUpwards:
    """With no room below the pointer the list lies above it, and reads as it does below."""

    @pytest.fixture
    def quick(self, hands):
        at = QPointF(300, hands.canvas.height() - 12)
        hands.canvas.quick_add_at(at)
        process()
        quick = hands.canvas.quick
        assert quick.geometry().bottom() <= hands.canvas.mapTo(hands.canvas.window(), at.toPoint()).y()
        return quick

    def seen(self, quick):
        rect = quick.rows.visualRect(quick.rows.currentIndex())
        assert quick.rows.viewport().rect().contains(rect)
        return rect

    @pytest.mark.parametrize("typed", ["", "s", "sum", "sof"])
    def test_the_best_is_next_to_the_field_which_stays(self, hands, quick, typed):
        before = quick.field.mapTo(quick.window(), QPoint(0, 0))
        for letter in typed:
            hands.type(letter)
        assert quick.field.mapTo(quick.window(), QPoint(0, 0)) == before
        assert quick.field.geometry().bottom() < quick.rows.geometry().top()
        assert self.seen(quick).top() == 0

    def test_down_leads_to_the_next(self, hands, quick):
        hands.type("sum")
        best = self.seen(quick).top()
        hands.key(DOWN)
        assert self.seen(quick).top() > best
