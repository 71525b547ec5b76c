from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.document import Document
from chalkgrad_app.export import command
from chalkgrad_app.export.image import export_document
from chalkgrad_app.export.tikz import TikzDevice

CODE = """import torch
w_1 = torch.tensor([1., 2.], requires_grad=True)
a = w_1 * w_1
y = a.sum()
y.backward()
"""


def painted(paint) -> str:
    device = TikzDevice(QSizeF(100, 50))
    painter = QPainter(device)
    paint(painter)
    painter.end()
    return "\n".join(device.lines())


@pytest.fixture
def document(qapp) -> Document:
    made = Document(Sheet(read_source(CODE)))
    made.finish()
    return made


def words(text: str) -> list[str]:
    return re.findall(r"\\selectfont\{\}(.*)\}\};", text)


def test_positions_and_widths_are_those_on_the_page(qapp):
    def paint(painter: QPainter) -> None:
        painter.translate(10, 20)
        painter.scale(2, 2)
        painter.setPen(QPen(QColor("#123456"), 3.0, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(0, 0, 5, 5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(255, 0, 0, 51))
        painter.drawRect(QRectF(1, 1, 2, 3))

    text = painted(paint)
    assert r"\useasboundingbox (0,0) rectangle (100,50);" in text
    assert r"\definecolor{c0}{HTML}{123456}" in text
    line = next(row for row in text.splitlines() if "(10,20) -- (20,30)" in row)
    assert "line width=4.5bp" in line
    assert "dash pattern=on 18bp off 9bp" in line
    assert "fill" not in line
    rect = next(row for row in text.splitlines() if "(12,22)" in row)
    assert "fill=c1, fill opacity=0.2" in rect
    assert "(16,28)" in rect
    assert rect.endswith("-- cycle;")


def test_curves_clips_and_images(qapp):
    image = QImage(2, 1, QImage.Format.Format_RGB32)
    image.setPixelColor(0, 0, QColor("black"))
    image.setPixelColor(1, 0, QColor("white"))

    def paint(painter: QPainter) -> None:
        painter.drawEllipse(QPointF(20, 20), 4, 4)
        painter.save()
        painter.setClipRect(QRectF(0, 0, 30, 30))
        painter.drawImage(QRectF(10, 10, 20, 10), image)
        painter.restore()
        painter.fillRect(QRectF(40, 40, 5, 5), QColor("black"))

    text = painted(paint)
    assert ".. controls (24," in text
    inside = text[text.index(r"\begin{scope}\clip (0,0)") : text.index(r"\end{scope}")]
    assert "(10,10) -- (20,10)" in inside
    assert "(20,10) -- (30,10)" in inside
    assert "(40,40)" in text[text.index(r"\end{scope}") :]
    assert "HTML}{000000}" in text
    assert "HTML}{FFFFFF}" in text


def test_text_is_text_and_rare_signs_are_drawn(qapp):
    def paint(painter: QPainter) -> None:
        painter.drawText(QPointF(3, 10), "a_1 & {b}")
        painter.drawText(QPointF(3, 30), "叶子")
        painter.setPen(QColor("#00AA00"))
        painter.drawText(QPointF(3, 45), "∇")

    text = painted(paint)
    assert words(text) == [r"a\_1 \& \{b\}", "叶子"]
    assert r"{\hanzi" not in text.split("叶子")[0].split(r"\begin{document}")[1].split(r"\node")[1]
    assert "∇" not in text
    color = re.search(r"\\definecolor\{(\w+)\}\{HTML\}\{00AA00\}", text)
    assert color
    assert rf"\path[fill={color[1]}" in text


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_each_drawing_is_written_with_all_its_words(document: Document, tmp_path: Path, drawing: str):
    path = tmp_path / "out.tex"
    export_document(document, path, drawing=drawing)
    text = path.read_text(encoding="utf-8")
    told = " ".join(words(text))
    expected = {
        "cards": (r"w\_1", "= a.sum()", "5."),
        "data": (r"w\_1", "sum", "5."),
        "autograd": (r"w\_1", "AccumulateGrad", "MulBackward0", r"next\_functions = ("),
    }
    for word in expected[drawing]:
        assert word in told
    assert text.count(r"\begin{scope}") == text.count(r"\end{scope}")
    bare = text.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")


def test_a_selection_alone(document: Document, tmp_path: Path):
    whole, part = tmp_path / "whole.tex", tmp_path / "part.tex"
    export_document(document, whole, drawing="data")
    export_document(document, part, drawing="data", selection=[document.program.named("w_1").statement])
    assert "sum" in " ".join(words(whole.read_text()))
    assert "sum" not in " ".join(words(part.read_text()))


def test_the_command_writes_nodes_for_cards_and_paints_the_rest(tmp_path: Path, monkeypatch):
    source = tmp_path / "net.py"
    source.write_text(CODE)
    kinds = {"cards": [], "data": ["--view", "data"], "autograd": ["--view", "autograd"], "part": ["--selection", "a"]}
    for name, options in kinds.items():
        assert command.main([str(source), "-o", str(tmp_path / f"{name}.tex"), *options]) == 0
    texts = {name: (tmp_path / f"{name}.tex").read_text() for name in kinds}
    assert len(set(texts.values())) == len(kinds)
    assert r"\node[parameter" in texts["cards"]
    assert all(r"\useasboundingbox" in texts[name] for name in ("data", "autograd", "part"))


@pytest.mark.skipif(shutil.which("xelatex") is None, reason="XeLaTeX is not installed")
def test_latex_sets_it(document: Document, tmp_path: Path):
    export_document(document, tmp_path / "out.tex", drawing="autograd")
    asked = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "out.tex"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in done.stdout
    assert (tmp_path / "out.pdf").exists()
