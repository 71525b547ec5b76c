from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgRenderer
from support.sheets import COURSE

from chalkgrad.program.board import DRAWINGS, Board, Note, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad.stepwise import finished
from chalkgrad_app import settings
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document
from chalkgrad_app.export import image as image_module
from chalkgrad_app.export.dialog import ExportDialog
from chalkgrad_app.export.image import export_document, exporting_picture, rendering_image
from chalkgrad_app.picture import paint
from chalkgrad_app.style.theme import load

PLACES = {"w": (0, 0), "x": (0, 160), "a": (300, 100), "b": (300, -20), "y": (560, 40)}


@pytest.fixture
def sheet(qapp) -> Sheet:
    program = read_source(COURSE)
    places = {("cards", s.id): Place(*PLACES[s.name]) for s in program if s.name}
    notes = {90: Note(90, (("en", "The note"), ("zh_CN", "便签文字")), 560, 200, 200, 60)}
    return Sheet(program, Board(places, notes))


@pytest.fixture
def document(sheet: Sheet) -> Document:
    made = Document(sheet)
    made.finish()
    return made


def state(sheet: Sheet):
    session = Session(sheet.program)
    session.finish()
    return session.trace.state()


def texts(path: Path) -> str:
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    return "\n".join("".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text"))


def test_png_has_the_scale_and_the_theme(document: Document, tmp_path: Path) -> None:
    sizes = []
    for scale, name in ((1.0, "light"), (2.0, "dark")):
        path = tmp_path / f"{name}.png"
        export_document(document, path, scale=scale, theme=name)
        image = QImage(str(path))
        sizes.append(image.width())
        assert image.pixelColor(2, 2) == QColor(load(name).canvas)
    assert sizes[1] == pytest.approx(2 * sizes[0], abs=2)


def test_transparent_png_has_no_background(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    export_document(document, path, transparent=True)
    assert QImage(str(path)).pixelColor(2, 2).alpha() == 0


@pytest.mark.parametrize("transparent", [False, True])
def test_the_ground_of_an_image_is_filled_in_steps_and_is_the_same(
    document: Document, monkeypatch: pytest.MonkeyPatch, transparent: bool
) -> None:
    whole = finished(rendering_image(document, scale=1.3, transparent=transparent))
    few = len(list(rendering_image(document, scale=1.3, transparent=transparent)))
    monkeypatch.setattr(image_module, "PIXELS_FILLED", 10 * whole.width())
    steps = len(list(rendering_image(document, scale=1.3, transparent=transparent)))
    assert steps - few == -(-whole.height() // 10) - 1
    assert finished(rendering_image(document, scale=1.3, transparent=transparent)) == whole


def test_svg_holds_text_as_text_and_wires_as_curves(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    export_document(document, path)
    assert QSvgRenderer(str(path)).isValid()
    words = texts(path)
    for word in ("[5.]", "= a * b", "ƒ Mul", "saved 2 freed", "leaf", "The note"):
        assert word in words
    raw = path.read_text(encoding="utf-8")
    assert len(re.findall(r'd="M[^"C]*C[^"C]*(?:C[^"C]*)?"', raw)) >= 5
    lists = set(re.findall(r'<text[^>]* font-family="([^"]*)"', raw))
    assert {names.rsplit(",", 1)[1] for names in lists} == {"monospace", "sans-serif"}
    for names in lists:  # else a browser leaves the whole list out
        assert all(re.fullmatch(r"-?[A-Za-z_][\w-]*( [A-Za-z_][\w-]*)*", name) for name in names.split(","))


def test_pdf_is_one_page_of_the_size_of_the_picture(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    export_document(document, path)
    raw = path.read_bytes()
    assert raw.startswith(b"%PDF-")
    assert raw.rstrip().endswith(b"%%EOF")
    box = re.search(rb"/MediaBox \[([^\]]+)\]", raw)
    assert box is not None
    image = finished(rendering_image(document, scale=1.0))
    width, height = (float(number) for number in box[1].split()[2:])
    assert width == pytest.approx(image.width() * 0.75, abs=2)
    assert height == pytest.approx(image.height() * 0.75, abs=2)


def test_a_selection_is_cut_out_with_the_wires_among_it(document: Document, tmp_path: Path) -> None:
    names = {s.name: s.id for s in document.program if s.name}
    path = tmp_path / "out.svg"
    export_document(document, path, selection=[names["w"], names["b"]])
    words = texts(path)
    assert "= w + 1" in words
    assert "= a * b" not in words
    assert "The note" not in words
    whole = finished(rendering_image(document, scale=1.0))
    assert finished(rendering_image(document, scale=1.0, selection=[names["w"]])).width() < whole.width()


TWICE = """import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h = g * 2
"""


@pytest.fixture
def twice(qapp) -> Document:
    program = read_source(TWICE)
    places = {("cards", id_): Place(240 * row, 0) for row, id_ in enumerate(program.order)}
    made = Document(Sheet(program, Board(places)))
    made.finish()
    return made


def words(document: Document, path: Path, names: str, drawing: str = "") -> str:
    ids = [s.id for s in document.program if s.name in names.split()]
    export_document(document, path, selection=ids, drawing=drawing)
    return "".join(ET.parse(path).getroot().itertext())


def test_the_gradients_graph_goes_with_the_cards_that_it_lies_among(twice: Document, tmp_path: Path) -> None:
    assert "1st derivative" in words(twice, tmp_path / "all.svg", "x y g h")
    assert "1st derivative" in words(twice, tmp_path / "part.svg", "x y g")
    assert "1st derivative" not in words(twice, tmp_path / "other.svg", "y g h")


def test_functions_and_lines_go_with_their_cards(twice: Document, tmp_path: Path) -> None:
    found = words(twice, tmp_path / "autograd.svg", "x y", "autograd")
    assert "AccumulateGrad" in found
    assert "PowBackward0" in found
    assert "y = x ** 3" in found
    assert "h = g * 2" not in found
    assert "MulBackward0" not in found


def test_the_selection_on_the_canvas_leaves_no_ring(document: Document) -> None:
    plain = finished(rendering_image(document, scale=1.0))
    document.select([document.program.order[0]])
    assert finished(rendering_image(document, scale=1.0)) == plain


def test_another_language_has_its_notes(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    finished(exporting_picture(sheet, state(sheet), path, language="zh_CN"))
    assert "便签文字" in texts(path)


def test_the_picture_is_that_of_the_cursor(document: Document, tmp_path: Path) -> None:
    names = {s.name: s.id for s in document.program if s.name}
    document.look_at_line(names["a"])
    path = tmp_path / "out.svg"
    export_document(document, path)
    assert "to come" in texts(path)
    assert "[5.]" not in texts(path)


def test_an_empty_document_gives_an_empty_picture(qapp, tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    export_document(Document(), path)
    assert not QImage(str(path)).isNull()


def test_what_cannot_be_written_leaves_nothing(document: Document, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.bmp"):
        export_document(document, tmp_path / "out.bmp")
    with pytest.raises(OSError, match="nowhere"):
        export_document(document, tmp_path / "nowhere" / "out.png")
    old = tmp_path / "old.png"
    old.write_bytes(b"kept")
    with pytest.raises(OSError, match="at most"):
        export_document(document, old, scale=8000.0)
    assert old.read_bytes() == b"kept"
    assert [path.name for path in tmp_path.iterdir()] == ["old.png"]


@pytest.mark.parametrize("name", settings.THEMES)
def test_the_dialog_begins_with_the_theme_of_the_window_whichever_that_is(qtbot, tmp_path, name):
    settings.THEME.set(name)
    document = Document(Sheet(read_source("import torch\nx = torch.tensor(1.)\n")))
    dialog = ExportDialog(document)
    qtbot.addWidget(dialog)
    assert dialog.theme.currentData() == name
    finished(dialog.writing(tmp_path / "picture.svg")())
    assert (tmp_path / "picture.svg").stat().st_size


SHARED = """import torch
w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
x = torch.tensor([[1.], [2.]])
h = torch.relu(w @ x)
o = w @ h
y = o.sum()
y.backward(retain_graph=True)
d = h.detach()
L = (d * w).mean()
L.backward()
"""
SECOND = """import torch
x = torch.tensor([2., 3.], requires_grad=True)
w = torch.tensor([1., -1.], requires_grad=True)
y = (x ** 3 * w).sum()
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g.sum(), x, create_graph=True)
h.sum().backward()
"""
LOOP = """import torch
x = torch.tensor([1., 2., 3.])
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    loss = ((w * x - 1) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("source", [COURSE, SHARED, SECOND, LOOP], ids=["plain", "shared", "second", "loop"])
def test_nothing_is_cut_at_the_edges_of_a_picture(qapp, tmp_path: Path, source: str, drawing: str) -> None:
    made = Document(Sheet(read_source(source)))
    made.finish()
    made.amend(arrange.place_missing(made.sheet, made.state))
    export_document(made, tmp_path / "whole.png", scale=1.0, drawing=drawing)
    assert not inked_edges(QImage(str(tmp_path / "whole.png")))


def test_nothing_is_cut_at_the_edges_of_a_selection(qapp, tmp_path: Path) -> None:
    made = Document(Sheet(read_source(SHARED)))
    made.finish()
    leaves_out = {made.program.named(name).statement for name in "xL"}
    chosen = made.program.cards - leaves_out
    export_document(made, tmp_path / "some.png", scale=1.0, selection=chosen, drawing="autograd")
    assert not inked_edges(QImage(str(tmp_path / "some.png")))


def inked_edges(image: QImage) -> list[str]:
    """The sides of a picture at which something is painted up to the last pixel."""
    right, bottom = image.width() - 1, image.height() - 1
    down, across = range(bottom + 1), range(right + 1)
    sides = {
        "left": {image.pixel(0, y) for y in down},
        "right": {image.pixel(right, y) for y in down},
        "top": {image.pixel(x, 0) for x in across},
        "bottom": {image.pixel(x, bottom) for x in across},
    }
    plain = QColor(load("light").canvas).rgb()
    return [side for side, colors in sides.items() if colors != {plain}]


def test_what_an_operator_saves_is_written_smaller_before_it_is_cut(qapp, tmp_path: Path) -> None:
    program = read_source("import torch\nw = torch.tensor(0.5, requires_grad=True)\nh1 = w.tanh()\nh2 = w * h1\n")
    made = Document(Sheet(program, Board()))
    made.finish()
    found = words(made, tmp_path / "autograd.svg", "w h1 h2", "autograd")
    assert "ctx.save_for_backward(h1)" in found
    assert "ctx.save_for_backward(w, h1)" in found


def test_no_step_paints_many_cards(tmp_path, qapp, monkeypatch):
    painted = []
    monkeypatch.setattr(paint, "paint_card", lambda *_: painted.append(1))
    program = read_source(
        "import torch\na0 = torch.tensor(1.)\n" + "".join(f"a{n} = a{n - 1} * 2\n" for n in range(1, 40))
    )
    sheet = Sheet(program)
    steps = exporting_picture(sheet, state(sheet), tmp_path / "picture.tex")
    counts = [0, *(len(painted) for _ in steps)]
    assert counts[-1] == 40
    assert max(after - before for before, after in pairwise(counts)) <= 4  # as TikZ each takes some milliseconds


def test_a_picture_that_is_given_up_at_any_step_leaves_a_painter_in_order(document, monkeypatch, qtlog) -> None:
    monkeypatch.setattr(image_module, "PIXELS_FILLED", 1)
    every = len(list(rendering_image(document, scale=0.2)))
    for count in range(0, every, 7):
        steps = rendering_image(document, scale=0.2)
        for _ in range(count):
            next(steps)
        steps.close()
    assert not [record.message for record in qtlog.records if "saved states" in record.message]
