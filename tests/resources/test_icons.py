"""Icons: drawn in one style, coloured by the theme, and one for every operator."""

import re
from importlib import resources
from xml.etree import ElementTree

import pytest

from chalkgrad import ops
from chalkgrad.engine.record import OPS

FOLDER = resources.files("chalkgrad_resources") / "icons"
NAMES = sorted(entry.name.removesuffix(".svg") for entry in FOLDER.iterdir() if entry.name.endswith(".svg"))
STROKED = [name for name in NAMES if name != "app"]
SVG = "{http://www.w3.org/2000/svg}"

WANTED = [
    "undo",
    "redo",
    "tidy",
    "fit",
    "zoom-in",
    "zoom-out",
    "cover",
    "reveal",
    "backward",
    "run-again",
    "zero-grads",
    "tensor",
    "tensor-grad",
    "add",
    "sub",
    "mul",
    "div",
    "pow",
    "matmul",
    "neg",
    "sum",
    "mean",
    "exp",
    "log",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "relu",
    "softmax",
    "loss",
    "reshape",
    "transpose",
    "clone",
    "detach",
    "in-place",
    "frame",
    "note",
    "delete",
    "open",
    "save",
    "new",
    "export",
    "print",
    "lecture",
    "language",
    "text-larger",
    "text-smaller",
    "step-forward",
    "step-back",
    "to-now",
    "problem",
    "warning",
    "ok",
    "pin",
    "settings",
    "search",
    "duplicate",
    "swap",
    "close",
    "copy",
    "paste",
    "cut",
    "app",
    "operator",
]


def text(name):
    return (FOLDER / f"{name}.svg").read_text("utf-8")


def section_icon(record):
    return f"section-{record.section.replace(' ', '-')}"


def test_all_are_there():
    assert set(WANTED) <= set(NAMES)


@pytest.mark.parametrize("name", STROKED)
def test_one_stroke_style(name):
    root = ElementTree.fromstring(text(name))
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 24 24"
    assert (root.get("stroke"), root.get("fill"), root.get("stroke-width")) == ("currentColor", "none", "1.75")
    assert root.get("stroke-linecap") == "round"
    assert len(root)
    for shape in root.iter():
        assert shape.tag.removeprefix(SVG) in {"svg", "path", "circle", "rect"}
        if shape is not root:
            assert not {"stroke", "fill", "style", "class"} & set(shape.keys())
    assert not re.search(r"#[0-9A-Fa-f]{3,6}\b", text(name))


@pytest.mark.parametrize("name", STROKED)
def test_drawn_inside_its_square_and_not_empty(name, qapp):
    from PySide6.QtCore import QByteArray, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(text(name).replace("currentColor", "#000000").encode()))
    assert renderer.isValid()
    image = QImage(96, 96, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    # A quarter of the picture is left free on every side: what is drawn there stands outside the square.
    renderer.render(painter, QRectF(24, 24, 48, 48))
    painter.end()
    inked = [(x, y) for x in range(96) for y in range(96) if image.pixelColor(x, y).alpha() > 40]
    assert len(inked) > 60
    assert all(23 <= x <= 72 and 23 <= y <= 72 for x, y in inked)


def test_the_app_icon_is_a_drawing_of_its_own():
    root = ElementTree.fromstring(text("app"))
    assert root.get("viewBox") == "0 0 256 256"
    assert "currentColor" not in text("app")


def test_every_operator_has_an_icon_or_its_section_has():
    assert ops
    assert OPS
    missing = {
        record.section
        for record in OPS.values()
        if not record.hidden and record.name not in NAMES and section_icon(record) not in NAMES
    }
    assert missing == set()
