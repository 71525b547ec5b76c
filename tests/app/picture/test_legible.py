"""What is written on cards seen from some distance can be read, or is not there."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QBuffer, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.contrast import contrast
from support.desk import CTRL, calm, key
from support.drawn import Drawn

from chalkgrad.program.board import Board
from chalkgrad.stepwise import finished
from chalkgrad_app.canvas.hit import HitKind, hit
from chalkgrad_app.picture import data_paint, gradient_paint
from chalkgrad_app.picture.board_paint import label_rect, paint_note
from chalkgrad_app.picture.brush import ink_of, rounded, width_of
from chalkgrad_app.picture.card_parts import edge_width, field_text
from chalkgrad_app.picture.drawings import DRAWINGS
from chalkgrad_app.picture.function_paint import painting_functions
from chalkgrad_app.picture.gradient_paint import paint_layer
from chalkgrad_app.picture.look import CLOSE, LEAST, MIDDLE, NEAR, Level, Look, card_words
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import NAMES, load

ALL_SORTS = """x = torch.tensor([1., 2.])
weights = torch.ones(8, 8, requires_grad=True)
w = torch.tensor([-0.26123, 14.5], requires_grad=True)
m = torch.tensor([[1., 2.], [3., 4.]])
a = w * x
a.retain_grad()
b = torch.sigmoid(a)
c = torch.log_softmax(b, 0)
y = (weights.sum() * c).sum()
g, = torch.autograd.grad(y, w, create_graph=True)
y.backward()
z = torch.exp(a) / 3
x.add_(1)
"""
TEN = """import torch
x = torch.tensor([1.])
w = torch.tensor([2.], requires_grad=True)
a = x * 2
b = w ** 2
c = a + b
e = c * 3
f = (e + w) / 2
g = f ** 2 + 1
h = (g - 1) * (a + 2)
y = h.sum() * 0.5
"""
ZOOMS = [MIDDLE, 0.31, 0.37, 0.45, NEAR - 0.01]


def drawing_of(paint_on: Callable[[QPainter], None]) -> ElementTree.Element:
    """What is painted, as SVG."""
    buffer, painter = QBuffer(), QPainter()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter.begin(generator)
    paint_on(painter)
    painter.end()
    return ElementTree.fromstring(bytes(buffer.data()))


def written(paint_on: Callable[[QPainter], None]) -> list[tuple[str, float]]:
    """The texts that are painted, each with its size in the painter's units."""
    texts = (element for element in drawing_of(paint_on).iter() if element.tag.endswith("text"))
    return [(element.text or "", float(element.get("font-size", 0))) for element in texts]


def on_cards(drawn: Drawn, look: Look) -> dict[str, list[tuple[str, float]]]:
    """What stands on each card that has a name."""
    picture = drawn.picture
    names = {name: statement.id for statement in drawn.program for name in statement.targets if name}
    return {
        name: written(lambda painter, id_=id_: picture.drawing.paint(painter, picture.face(id_), look))
        for name, id_ in names.items()
        if id_ in picture.index
    }


def is_on_plate(text: str, size: float) -> bool:
    """Whether it is the name of an operator, a little smaller so that all of it has room."""
    return text.removesuffix("…") in "log_softmax sigmoid exp sum autograd.grad" and size >= CLOSE * LEAST


@pytest.mark.parametrize("text_scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_no_text_is_too_small_to_be_read_and_names_come_first(qapp, drawing, zoom, text_scale):
    drawn = Drawn(ALL_SORTS, Board(drawing=drawing))
    look = Look(zoom=zoom * text_scale, text_scale=text_scale)
    assert look.level is Level.MIDDLE
    least = LEAST * (CLOSE if look.reads_rows and drawing == "autograd" else 1.0) - 0.5
    for name, said in on_cards(drawn, look).items():
        others = [(text, size) for text, size in said if not is_on_plate(text, size * zoom)]
        assert [(text, size) for text, size in others if text and size * zoom < least] == [], name
        assert any(text[:2] == name[:2] for text, _ in said), name
    beside = written(lambda painter: finished(painting_functions(painter, drawn.picture, look, drawn.picture.bounds())))
    room = look.rect(drawn.picture.bounds())
    layer = written(lambda painter: paint_layer(painter, drawn.picture, look, room.translated(room.topLeft())))
    titles = [(text, size / look.zoom) for text, size in layer if "derivative" in text]  # in pixels
    beside += titles + [(text, size) for text, size in layer if "derivative" not in text]
    assert [(text, size) for text, size in beside if text and size * zoom < least] == []


@pytest.mark.parametrize("drawing", ["cards", "data"])
def test_values_are_there_as_long_as_there_is_room(qapp, drawing):
    drawn = Drawn(
        "w = torch.tensor([-0.26123, 14.5], requires_grad=True)\ny = w * 2\ny.sum().backward()", Board(drawing=drawing)
    )
    said = [[text for text, _ in on_cards(drawn, Look(zoom=zoom))["w"]] for zoom in (0.55, 0.35, MIDDLE)]
    assert said[0][-1] == "[2., 2.]" or "[2., 2.]" in said[0]
    assert any(text.removeprefix("≈").startswith("[-0.26") for text in said[0])
    assert any(text.removeprefix("≈").startswith(("[-0.", "(2,)")) for text in said[1])
    assert all(texts.count("w") == 1 for texts in said)


def test_who_reads_larger_text_sees_less_but_never_small(qapp):
    drawn = Drawn(ALL_SORTS, Board(drawing="cards"))
    assert Look(zoom=0.5).level is Level.MIDDLE
    assert Look(zoom=0.5, text_scale=2.5).level is Level.FAR
    assert Look(zoom=1.0, text_scale=2.0).level is Level.MIDDLE
    sizes = [size for said in on_cards(drawn, Look(zoom=1.0, text_scale=2.0)).values() for _, size in said]
    assert min(sizes) >= 2 * LEAST - 0.5


def test_what_is_not_painted_is_not_hit(qapp):
    drawn = Drawn("w = torch.tensor([2.])\ny = w * 3", Board(drawing="cards"))
    id_ = drawn.id("y")
    shape, corner = drawn.picture.anatomy(id_), drawn.picture.rect(id_).topLeft()
    on_value = corner + QPointF(shape.row(0).value.left + 20, shape.row(0).value.top + 12)
    assert hit(drawn.picture, on_value, 1.0, 2.0).kind is HitKind.CARD
    assert hit(drawn.picture, on_value, 1.0).kind is not HitKind.CARD


def test_a_number_too_long_for_its_field_is_rounded_and_says_so(qapp):
    assert field_text("3.25", 50) == "3.25"
    assert field_text("123456.789", 52) == "≈123457"
    assert field_text("0.000123456", 52) in ("≈0.0001", "≈1.2e-4", "≈1e-4")
    assert field_text("-123456789.5", 52).startswith("≈-1.")
    assert field_text("(1, 2, 3, 4)", 52).endswith("…")


def test_the_field_of_a_card_shows_the_size_of_a_long_number(qapp):
    drawn = Drawn("w = torch.tensor([2.])\ny = w * 123456.789", Board(drawing="cards"))
    assert any(text.startswith("≈12345") for text, _ in on_cards(drawn, Look())["y"])


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("zoom", [NEAR, 0.7, 0.8, 1.0, 1.12])
def test_no_letter_at_the_foot_of_a_freed_node_touches_its_dashes(qapp, zoom, language):
    source = "x = torch.tensor([1.], requires_grad=True)\ny = torch.sigmoid(x)\ny.backward()"
    drawn = Drawn(source, Board(drawing="cards"))
    face, look = drawn.picture.face(drawn.id("y")), Look(zoom=zoom, words=card_words(language))
    root = drawing_of(lambda painter: drawn.picture.drawing.paint(painter, face, look))
    dashed = next(group for group in root.iter() if group.get("stroke-dasharray"))
    half = float(dashed.get("stroke-width", 0)) / 2
    points = re.findall(r"[ML][\d.]+,([\d.]+)", next(path.get("d", "") for path in dashed if path.tag.endswith("path")))
    top, bottom = min(map(float, points)) + half, face.anatomy.height - edge_width(face)
    said = [text for text in root.iter() if text.tag.endswith("text") and float(text.get("y", 0)) > top]
    assert len(said) == 2
    assert said[-1].text == "ƒ Sigmoid"
    for text in said:
        font = ui_font(float(text.get("font-size", 0)), text.get("font-weight") != "400")
        above, below = ink_of(text.text, font)
        assert top <= float(text.get("y", 0)) + above
        assert float(text.get("y", 0)) + below <= bottom + 1.2, "less than a pixel at 60%"
    after = list(root.iter())[list(root.iter()).index(dashed) :]
    assert [part for part in after if part.tag.endswith("rect")] == [], "nothing is painted over the dashes"


@pytest.mark.parametrize(("zoom", "said"), [(NEAR, ["1 freed", "1"]), (1.0, ["saved 1 freed"] * 2)])
def test_that_something_was_saved_is_said_on_each_card_as_long_as_there_is_room(qapp, zoom, said):
    source = "x = torch.tensor([1.], requires_grad=True)\ny = torch.exp(x)\nz = torch.log_softmax(y, 0)\n"
    drawn = Drawn(source + "z.sum().backward()", Board(drawing="cards"))
    texts = on_cards(drawn, Look(zoom=zoom))
    assert [text for name in "yz" for text, _ in texts[name] if text.startswith(("saved", "1"))] == said


@pytest.mark.parametrize("zoom", ZOOMS[1:])
@pytest.mark.parametrize("drawing", ["data", "autograd"])
def test_an_operator_is_named_on_its_plate(qapp, drawing, zoom):
    drawn = Drawn(
        "x = torch.tensor([1., 2.])\na = x.mean()\nb = torch.neg(a)\nc = torch.exp(b)", Board(drawing=drawing)
    )
    said = on_cards(drawn, Look(zoom=zoom))
    for name, operator in zip("abc", ("mean", "neg", "exp"), strict=True):
        shown = operator if zoom > MIDDLE or len(operator) == 3 or drawing == "autograd" else operator[:2]
        assert any(text.startswith(shown) for text, _ in said[name])


@pytest.mark.parametrize(
    "label, zoom, said",
    [
        ("sum", MIDDLE, "sum"),
        ("exp", 0.3, "exp"),
        ("mean", 0.3, "mean"),
        ("mean", MIDDLE, "me…"),
        ("softmax(dim=-1)", MIDDLE, "softmax"),
        ("softmax(dim=-1)", 0.45, "softmax"),
        ("softmax(dim=-1)", NEAR - 0.01, "softmax(dim=-1)"),
        ("softmax", 0.45, "softmax"),
        ("sum(dim=1)", 0.3, "sum"),
        ("log_softmax(dim=…", 0.37, "log_softmax"),
        ("autograd.grad", 0.3, "grad"),
        ("autograd.grad", NEAR - 0.01, "autograd.grad"),
    ],
)
def test_an_operator_is_named_in_full_before_it_is_cut(qapp, label, zoom, said):
    width = max(32.0, 8.0 * -(-(len(label) * 8.0 + 16.0) // 8.0))
    text, _, plate = data_paint.lettered(label, QRectF(0, 0, width, 28), Look(zoom=zoom))
    assert text == said
    assert plate.width() <= width + data_paint.GROWN + data_paint.ONWARD


@pytest.mark.parametrize("zoom", ZOOMS)
def test_the_plate_of_an_operator_is_as_large_as_what_stands_on_it(qapp, zoom):
    drawn = Drawn("x = torch.tensor([1., 2.])\na = x.mean()\nb = torch.neg(a)\nx -= 1", Board(drawing="data"))
    for id_ in drawn.picture.ids[1:]:
        face = drawn.picture.face(id_)
        text, font, plate = data_paint.lettered(face.label, QRectF(*face.anatomy.label), Look(zoom=zoom))
        assert plate.width() - width_of(text, font) >= 2 * data_paint.INSIDE
        assert plate.height() >= font.pixelSize()


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_number_is_never_cut_within_its_digits(qapp, drawing, zoom):
    source = "k = torch.tensor(1e-9)\nn = torch.tensor([1.5e-9, 2.5e-9])\nt = torch.tensor(0.2)\ny = k * t"
    said = on_cards(Drawn(source, Board(drawing=drawing)), Look(zoom=zoom))
    for name, values in (("k", ("1.0000e-09", "≈1e-9")), ("y", ("2.0000e-10", "≈2e-10"))):
        numbers = [text for text, _ in said[name] if "." in text or "≈" in text]
        assert numbers or zoom < 0.4
        assert set(numbers) <= set(values)
    cut = [text for text, _ in said["n"] if text.startswith("[") and text.endswith("…")]
    assert all("," in text for text in cut)


@pytest.mark.parametrize("size", [(1280, 800), (1600, 1000)])
def test_a_program_of_ten_lines_is_read_as_a_whole(window, size):
    window.resize(*size)
    QApplication.clipboard().setText(TEN)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_V, CTRL)
    calm(window)
    key(window, Qt.Key.Key_Home)
    calm(window)
    canvas = window.canvas
    assert canvas.viewport.zoom > 0.5
    assert all(canvas.rect().contains(canvas.node_rect(name)) for name in "xwabcefghy")
    assert 2 * canvas.picture.bounds().height() > canvas.scene_rect().height(), "half of the height is used"


def test_a_label_is_there_as_long_as_cards_say_their_names(course_window):
    canvas, document = course_window.canvas, course_window.document
    document.select([document.program.named("y").statement])
    canvas.setFocus()
    key(course_window, Qt.Key.Key_T)
    field = QApplication.focusWidget()
    QTest.keyClicks(field, "the result")
    QTest.keyClick(field, Qt.Key.Key_Return)
    calm(course_window)
    id_ = document.program.named("y").statement
    for percent in (100, 40, 28):
        canvas.set_zoom_percent(percent)
        canvas.viewport.center_on(canvas.picture.rect(id_).center(), canvas.size().toSizeF())
        canvas.repaint_still()
        room = canvas.viewport.rect_to_view(label_rect(canvas.picture, id_)).toRect()
        image, ground = canvas.grab(room).toImage(), canvas.look().theme.color("canvas")
        assert is_written(image, ground), percent


def is_written(image, ground: QColor) -> bool:
    """True where much of an image has another lightness than its ground."""
    other = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 60
    ]
    return len(other) > 12


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_note_says_its_first_words_as_large_as_they_can_be_read(qapp, zoom):
    text = "# Head\nThe **loss** is $\\frac{1}{n}$ of all that there is.\n\n- one\n- two\n"
    said = written(lambda painter: paint_note(painter, text, QRectF(0, 0, 320, 160), Look(zoom=zoom)))
    assert said[0][0].startswith("Head")
    assert all(size >= CLOSE * LEAST for _, size in said)
    assert said[-1][0].endswith("…") or said[-1][0] == "two", "that there is more is seen"
    near = written(lambda painter: paint_note(painter, text, QRectF(0, 0, 320, 160), Look(vector=True)))
    assert any("two" in part for part, _ in near)


@pytest.mark.parametrize("characters", range(4, 27))
def test_a_vector_is_never_cut_within_a_number(qapp, characters):
    font = mono_font(13)
    room = characters * width_of("0", font) + 0.1
    said = {
        text: rounded(text, font, room)
        for text in ("[0.0147, 0.0589, 0.1326]", "[14.5000, 31.5000]", "[1, 2, 3000000]")
    }
    for text, short in said.items():
        assert width_of(short, font) <= room
        if "," not in short:  # not even the first has room: the shape is said then
            continue
        numbers, about = text.strip("[]").split(", "), short.startswith("≈")
        for number, shown in zip(numbers, short.strip("≈[]").split(", "), strict=False):
            if shown == "…":
                break
            assert float(shown) == (pytest.approx(float(number), rel=0.05) if about else float(number))


def test_one_number_in_brackets_keeps_them(qapp):
    font = mono_font(13)
    assert rounded("[1112.3657]", font, width_of("0" * 10, font)) == "≈[1112.37]"


def test_from_some_distance_a_vector_loses_digits_before_numbers(qapp):
    drawn = Drawn("w = torch.tensor([14.5, 31.25], requires_grad=True)\ny = w * 2", Board(drawing="cards"))
    assert "[14.5, 31.25]" in [text for text, _ in on_cards(drawn, Look(zoom=0.5))["w"]]
    narrow = [text for text, _ in on_cards(drawn, Look(zoom=0.4))["w"]]
    assert any(text in ("≈[14., 31.]", "≈[15., 31.]", "[14.5, …]") for text in narrow), narrow


def shrinks(text: str) -> bool:
    """True for what is painted as large as it fits: numbers of a matrix, and in a field."""
    return re.fullmatch(r"-?[\d.]+", text) is not None


@pytest.mark.parametrize("zoom", [NEAR, 0.65, 0.7, 0.8, 0.9])
@pytest.mark.parametrize("text_scale", [1.0, 2.0])
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_no_text_of_a_card_seen_near_is_too_small_to_be_read(qapp, drawing, text_scale, zoom):
    drawn = Drawn(ALL_SORTS, Board(drawing=drawing))
    look = Look(zoom=zoom * text_scale, text_scale=text_scale)
    assert look.level is Level.NEAR
    least = LEAST * (CLOSE if drawing == "autograd" else 1.0) - 0.5
    for name, said in on_cards(drawn, look).items():
        assert [(text, size) for text, size in said if text and size * zoom < least and not shrinks(text)] == [], name
        assert any(text[:2] == name[:2] for text, _ in said), name
    numbers = [
        place for id_ in drawn.picture.index for place in drawn.picture.drawing.numbers(drawn.picture.face(id_), look)
    ]
    assert all(place.size * zoom >= least for place in numbers)


def test_what_has_no_room_at_60_percent_is_left_out_and_all_of_it_is_there_at_100(qapp):
    source = "w = torch.tensor([0.5, 1.], requires_grad=True)\ny = torch.log_softmax(w, 0)"
    drawn = Drawn(source, Board(drawing="cards"))
    near, small = ({text for text, _ in on_cards(drawn, Look(zoom=zoom))["y"]} for zoom in (1.0, NEAR))
    assert {"(2,)", "grad", "saved 1"} <= near
    assert not {"(2,)", "saved 1"} & small
    assert {"grad", "None", "1"} <= small
    drawn = Drawn(source + "\ny.sum().backward()", Board(drawing="cards"))
    near, small = ({text for text, _ in on_cards(drawn, Look(zoom=zoom))["w"]} for zoom in (1.0, NEAR))
    assert "grad" in near
    assert "grad" not in small, "the gradient has the room"


@pytest.mark.parametrize("zoom", [0.35, 0.45, NEAR - 0.01])
def test_from_some_distance_a_name_is_followed_by_what_it_is(qapp, zoom):
    drawn = Drawn("x = torch.tensor(3.)\ny = x ** 3\nz = torch.log_softmax(x, 0)\n", Board(drawing="cards"))
    said = {name: [text for text, _ in texts] for name, texts in on_cards(drawn, Look(zoom=zoom)).items()}
    assert {"y", "=", "x ** 3"} <= set(said["y"])
    assert "=" not in said["x"]
    assert zoom < 0.4 or any(text.startswith("log_") for text in said["z"])
    assert [text for text in said["z"] if "…" in text and len(text) < 5] == [], "a letter or two say nothing"


@pytest.mark.parametrize(("drawing", "zoom"), [("cards", 0.26), ("cards", 0.3), ("data", 0.33)])
def test_a_value_stands_beside_a_name_that_takes_all_of_a_low_card(qapp, drawing, zoom):
    drawn = Drawn("x = torch.tensor(1.)\nlong_name_of_it = torch.tensor([2.])\n", Board(drawing=drawing))
    said = {name: [text for text, _ in texts] for name, texts in on_cards(drawn, Look(zoom=zoom)).items()}
    assert sorted(said["x"]) == ["1.", "x"]
    assert len(said["long_name_of_it"]) == 1, "the name has the room"


@pytest.mark.parametrize("text_scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("zoom", [0.6, 0.7, 0.85, 1.0])
@pytest.mark.parametrize("drawing", ["cards", "data"])
def test_a_gradient_that_has_room_beside_it_is_called_so(qapp, drawing, zoom, text_scale):
    source = "w = torch.tensor(2., requires_grad=True)\ny = w * 3\ny.backward()\n"
    drawn = Drawn(source, Board(drawing=drawing))
    said = [text for text, _ in on_cards(drawn, Look(zoom=zoom * text_scale, text_scale=text_scale))["w"]]
    assert said[-2:] == ["grad", "3."]


def test_a_long_gradient_seen_near_is_said_rather_than_its_name(qapp):
    source = "w = torch.ones(6, requires_grad=True)\ny = (w * 3.125).sum()\ny.backward()\n"
    drawn = Drawn(source, Board(drawing="cards"))
    said = [text for text, _ in on_cards(drawn, Look(zoom=0.6))["w"]]
    assert "3.1250]" in said[-1]
    assert "grad" not in said


def test_a_version_leaves_room_for_the_value(qapp):
    source = "w = torch.tensor([2.], requires_grad=True)\nbig = (w * 25).sum()\nbig.add_(1)\n"
    drawn = Drawn(source, Board(drawing="data"))
    far, near = ([text for text, _ in on_cards(drawn, Look(zoom=zoom))["big"]] for zoom in (0.3, 0.5))
    assert "51." in far
    assert {"51.", "v1"} <= set(near)


@pytest.mark.parametrize("zoom", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_what_has_no_name_is_called_by_what_it_is(qapp, drawing, zoom):
    drawn = Drawn("g = torch.randn(7, 3) * 0.05\nz = g * g + 1\n", Board(drawing=drawing))
    picture, look, said = drawn.picture, Look(zoom=zoom), []
    for id_ in picture.ids:
        said += [text for text, _ in written(lambda p, id_=id_: picture.drawing.paint(p, picture.face(id_), look))]
    assert any(text.removeprefix("= ").startswith("ran") for text in said)
    assert {"g * g", "= g * g"} & set(said)
    drawn = Drawn(f"g = torch.tensor([{'1., ' * 60}]) * 2\n", Board(drawing=drawing))
    first = drawn.picture.face(drawn.picture.ids[0])
    assert first.title.startswith("tensor([1., 1.")
    assert len(first.title) <= 60, "of many numbers the first"


@pytest.mark.parametrize("zoom", [0.3, 0.43])
def test_a_value_of_the_autograd_drawing_stands_in_the_middle_of_its_card(qapp, zoom):
    source = "w = torch.tensor([1., 2.], requires_grad=True)\nz = (w * 2).sum()\nz.backward()"
    drawn = Drawn(source, Board(drawing="autograd"))
    look = Look(zoom=zoom)
    for name, said in (("w", "[1., 2.]"), ("z", "6.")):
        face = drawn.picture.face(drawn.id(name))
        root = drawing_of(lambda painter, face=face: drawn.picture.drawing.paint(painter, face, look))
        text = next(part for part in root.iter() if part.tag.endswith("text") and part.text == said)
        width = width_of(said, ui_font(float(text.get("font-size", 0))))
        body = face.anatomy.body
        assert abs(float(text.get("x", 0)) + width / 2 - body.left - body.width / 2) < 1


@pytest.mark.parametrize("theme", NAMES)
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_the_hatched_edge_of_an_error_is_seen_in_every_theme(qapp, theme, drawing):
    drawn = Drawn("w = torch.tensor([1., 2.])\nz = w @ torch.ones(3)", Board(drawing=drawing))
    face, look = drawn.picture.face(drawn.id("z")), Look(theme=load(theme), zoom=0.4)
    root = drawing_of(lambda painter: drawn.picture.drawing.paint(painter, face, look))
    width = 0.3 * 8.0
    hatched = [part.get("stroke") for part in root.iter() if abs(float(part.get("stroke-width") or 0) - width) < 0.01]
    assert hatched
    assert all(contrast(color, look.theme.canvas) >= 4.5 for color in hatched)


@pytest.mark.parametrize("zoom", [0.34, 0.4, NEAR])
def test_the_title_of_a_band_leaves_its_edge_whole_and_stands_above_its_nodes(qapp, zoom):
    source = "x = torch.tensor(3., requires_grad=True)\ny = x ** 3\ng, = torch.autograd.grad(y, x, create_graph=True)"
    drawn = Drawn(source)
    (band,) = drawn.picture.gradients.bands
    images = []
    for named in (True, False):
        image = QImage(round(band.rect.width() * zoom) + 40, 80, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        origin = (band.rect.left() - 20 / zoom, band.rect.top() - 20 / zoom)
        look = Look(zoom=zoom, origin=origin, theme=load("light"))
        with pytest.MonkeyPatch.context() as patch:
            if not named:
                patch.setattr(gradient_paint, "_paint_title", lambda *_: None)
            paint_layer(painter, drawn.picture, look, QRectF(image.rect()))
        painter.end()
        images.append(image)
    with_title, without = images
    width = range(with_title.width())
    assert all(with_title.pixel(x, y) == without.pixel(x, y) for x in width for y in range(20))
    top = round(20 + (drawn.picture.gradients.y.min() - band.rect.top()) * zoom)
    assert all(with_title.pixel(x, y) == without.pixel(x, y) for x in width for y in range(top + 1, 80))
    assert any(with_title.pixel(x, y) != without.pixel(x, y) for x in width for y in range(21, top))


def test_a_gradient_that_has_just_room_touches_no_letter_of_its_value(qapp):
    source = "b = torch.tensor([0.2884, 1.5], requires_grad=True)\nloss = (b * b).sum()\nloss.backward()"
    drawn, look = Drawn(source, Board(drawing="data")), Look(zoom=0.45)
    face = drawn.picture.face(drawn.id("b"))
    root = drawing_of(lambda painter: data_paint.paint(painter, face, look))
    value, gradient = [text for text in root.iter() if text.tag.endswith("text") and text.text.startswith("[")]
    (_, below), (above, _) = (
        ink_of(text.text, mono_font(float(text.get("font-size", 0)))) for text in (value, gradient)
    )
    pixel = 1 / look.zoom
    assert float(value.get("y", 0)) + below + pixel <= float(gradient.get("y", 0)) + above


SHAPED = """import torch
x = torch.tensor([0.0447, 1.9112, -0.2310])
m = torch.eye(3)
s = torch.tensor([1.])
"""


@pytest.mark.parametrize("zoom", [1.0, 0.86, 0.73])
def test_near_the_shape_stands_beside_numbers_that_leave_it_room(qapp, zoom):
    drawn = Drawn(SHAPED, Board(drawing="cards"))
    said = {name: [text for text, _ in texts] for name, texts in on_cards(drawn, Look(zoom=zoom)).items()}
    assert "(3,)" in said["x"]
    assert "(3, 3)" in said["m"]
    assert "(1,)" in said["s"]
    assert any("0.0447" in text and "-0.231" in text for text in said["x"])


def test_no_number_is_cut_for_a_shape(qapp):
    drawn = Drawn("x = torch.tensor([0.0447, 1.9112, -0.2310, 0.1234])", Board(drawing="cards"))
    for zoom in (0.9, 0.8, 0.73, 0.66, 0.6):
        said = [text for text, _ in on_cards(drawn, Look(zoom=zoom))["x"]]
        assert not any("…" in text for text in said) or "(4,)" not in said


@pytest.mark.parametrize("zoom", [0.55, 0.45])
def test_from_some_distance_the_shape_stands_where_the_value_leaves_room(qapp, zoom):
    drawn = Drawn(SHAPED, Board(drawing="cards"))
    said = {name: [text for text, _ in texts] for name, texts in on_cards(drawn, Look(zoom=zoom)).items()}
    assert "(1,)" in said["s"]
    assert "[1.]" in said["s"]
    assert said["m"].count("(3, 3)") == 1


@pytest.mark.parametrize("zoom", [1.0, 0.9, 0.8, 0.7, 0.63])
def test_the_mean_is_on_all_large_cards_of_a_size_or_on_none(qapp, zoom):
    source = "a = torch.arange(40.)\nb = torch.randn(16, 16)\nc = torch.ones(28, 28)\nd = torch.linspace(-3., 3., 50)"
    drawn = Drawn(source, Board(drawing="cards"))
    said = on_cards(drawn, Look(zoom=zoom))
    assert len({any("mean" in text for text, _ in texts) for texts in said.values()}) == 1
    assert all(any(text.startswith("min") and "max" in text for text, _ in texts) for texts in said.values())
