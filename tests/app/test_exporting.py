"""A large picture on its way into a file: the window stays at work, and nothing is written that was given up."""

from __future__ import annotations

from functools import partial
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from support.desk import CTRL, answering, calm, choose, key, with_path

from chalkgrad.program import edits
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad.stepwise import beside, finished
from chalkgrad_app import exporting, settings
from chalkgrad_app.export import image
from chalkgrad_app.export.image import export_document
from chalkgrad_app.picture.batch import draw_lines
from chalkgrad_app.widgets import slices

LINES = 400


@pytest.fixture
def large(window, monkeypatch):
    """A window with a program whose picture takes many turns of the event loop, a step each, on any machine."""
    monkeypatch.setattr(exporting, "AT_ONCE", 1)
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = torch.tanh(a{number - 1})" for number in range(1, LINES)]
    window.document.begin(Sheet(read_source("import torch\n" + "\n".join(lines))))
    window.filing._window.lodging.place_missing()
    calm(window)  # its cards have their places, too: that they get them would be another picture
    return window


def begin(window, path):
    """Choose to export a picture, and say where; it is on its way then."""

    def fill(dialog):
        dialog.format.setCurrentText("SVG")
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(fill, with_path(path)):
        choose(window, "file", "exportImage")
    assert window.filing.exporting.slices.is_active
    assert not path.exists()


def is_over(window):
    return not window.filing.exporting.slices.is_active


def test_the_window_is_at_work_meanwhile_and_the_picture_is_the_same(large, qtbot, tmp_path):
    path, whole = tmp_path / "slices.svg", tmp_path / "whole.svg"
    export_document(large.document, whole, theme="light", scale=2.0)
    begin(large, path)
    bar = large.findChild(QToolButton, "exporting.cancel").parent()
    assert bar.isVisible()
    assert bar.words.text() == "Writing slices.svg"
    scale = large.canvas.viewport.scale
    QTest.keyClick(large.canvas, Qt.Key.Key_Plus, CTRL)  # one can look round
    assert not is_over(large)
    assert large.canvas.glide.target.scale != scale
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert not bar.isVisible()
    assert str(path) in large.status_words.text()
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("how", ["Escape", "Cancel", "an edit", "another run"])
def test_given_up_it_leaves_no_file(large, qtbot, tmp_path, how):
    path, said = tmp_path / "given_up.svg", []
    begin(large, path)
    large.document.told.connect(said.append)
    if how == "Escape":
        key(large, Qt.Key.Key_Escape)
    elif how == "Cancel":
        QTest.mouseClick(large.findChild(QToolButton, "exporting.cancel"), Qt.MouseButton.LeftButton)
    elif how == "an edit":
        large.document.select([large.document.program.order[-1]])
        key(large, Qt.Key.Key_Delete)
    else:
        large.document.session.start_over()
        large.document.finish()
    assert is_over(large)
    assert any("given_up.svg was not written" in words for words in said)
    QTest.qWait(50)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def crowded(window, monkeypatch, tmp_path):
    """A window with a file of code whose cards are being laid out by another process."""
    monkeypatch.setattr(exporting, "AT_ONCE", 1)
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = torch.tanh(a{number - 1})" for number in range(1, 200)]
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "many.py").write_text("import torch\n" + "\n".join(lines))
    window.filing.open_path(tmp_path / "code" / "many.py")
    while not window.canvas.tidying.is_working or window.document.is_running:
        QTest.qWait(1)
    return window


def test_where_a_layout_lands_meanwhile_the_picture_is_begun_anew(crowded, qtbot, tmp_path, monkeypatch):
    path, said, end = tmp_path / "laid_out.svg", [], Held(monkeypatch, "_end")
    crowded.document.told.connect(said.append)
    rough = crowded.document.board
    begin(crowded, path)
    qtbot.waitUntil(lambda: end.begun.is_set() and not crowded.canvas.tidying.is_working, timeout=60_000)
    assert crowded.document.board is not rough
    assert not is_over(crowded)
    assert crowded.findChild(QToolButton, "exporting.cancel").isVisible()
    end.may_go.set()
    qtbot.waitUntil(lambda: is_over(crowded), timeout=60_000)
    assert not [words for words in said if "given up" in words]
    export_document(crowded.document, tmp_path / "whole.svg", theme="light", scale=2.0)
    assert path.read_bytes() == (tmp_path / "whole.svg").read_bytes()


def test_what_was_begun_anew_is_given_up_all_the_same(crowded, qtbot, tmp_path, monkeypatch):
    end = Held(monkeypatch, "_end")
    begin(crowded, tmp_path / "laid_out.svg")
    qtbot.waitUntil(lambda: not crowded.canvas.tidying.is_working, timeout=60_000)
    assert not is_over(crowded)
    QTest.mouseClick(crowded.findChild(QToolButton, "exporting.cancel"), Qt.MouseButton.LeftButton)
    assert is_over(crowded)
    assert "laid_out.svg was not written" in crowded.status_words.text()
    end.may_go.set()
    QTest.qWait(100)
    assert not (tmp_path / "laid_out.svg").exists()


def test_it_shows_what_was_looked_at_when_it_was_asked_for(large, qtbot, tmp_path):
    path, whole, document = tmp_path / "then.svg", tmp_path / "whole.svg", large.document
    export_document(document, whole, theme="light", scale=2.0)
    begin(large, path)
    key(large, Qt.Key.Key_PageUp)
    id_ = document.program.order[-1]
    document.do(edits.place(document.board, {id_: (0.0, 0.0)}), "")
    document.undo_stack.undo()
    assert document.is_past
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert path.read_bytes() == whole.read_bytes()


def test_what_cannot_be_written_is_said(large, qtbot, tmp_path):
    said = []

    def fill(dialog):
        dialog.format.setCurrentText("PNG")
        dialog.scale.setValue(8.0)
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    def read(box):
        said.append(box.text())
        QTest.keyClick(box, Qt.Key.Key_Return)

    with answering(fill, with_path(tmp_path / "huge.png"), read):
        choose(large, "file", "exportImage")
        qtbot.waitUntil(lambda: is_over(large) and bool(said), timeout=60_000)
    assert "huge.png" in said[0]
    assert "pixels" in said[0]
    assert list(tmp_path.iterdir()) == []


class Held:
    """Stands where something long is done, in whatever thread, until it is let go."""

    def __init__(self, monkeypatch, name):
        self.begun, self.may_go, self._work = Event(), Event(), getattr(image, name)
        monkeypatch.setattr(image, name, self._wait)

    def _wait(self, *arguments):
        self.begun.set()
        assert self.may_go.wait(30)
        return self._work(*arguments)


def select_some(window):
    """As many cards as there may be in an image: they lie in one row."""
    window.document.select(window.document.program.order[:60])
    return window.document.selected_statements


def begin_png(window, path, qtbot, encoder):
    """Export a PNG up to where it is encoded."""

    def fill(dialog):
        dialog.format.setCurrentText("PNG")
        dialog.scale.setValue(0.5)
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(fill, with_path(path)):
        choose(window, "file", "exportImage")
    qtbot.waitUntil(encoder.begun.is_set, timeout=60_000)


def test_one_looks_round_while_a_large_image_is_encoded(large, qtbot, tmp_path, monkeypatch):
    path, whole = tmp_path / "slices.png", tmp_path / "whole.png"
    some = select_some(large)
    export_document(large.document, whole, theme="light", scale=0.5, selection=some)
    encoder = Held(monkeypatch, "_encoded")
    begin_png(large, path, qtbot, encoder)
    scale = large.canvas.viewport.scale
    QTest.keyClick(large.canvas, Qt.Key.Key_Plus, CTRL)
    assert large.canvas.glide.target.scale != scale
    assert not is_over(large)
    encoder.may_go.set()
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert path.read_bytes() == whole.read_bytes()


def test_given_up_while_it_is_encoded_it_leaves_no_file(large, qtbot, tmp_path, monkeypatch):
    select_some(large)
    encoder = Held(monkeypatch, "_encoded")
    begin_png(large, tmp_path / "given_up.png", qtbot, encoder)
    key(large, Qt.Key.Key_Escape)
    assert is_over(large)
    encoder.may_go.set()
    QTest.qWait(100)
    assert list(tmp_path.iterdir()) == []
    assert "given_up.png was not written" in large.status_words.text()


def begin_pages(window, path, qtbot, end):
    """Export an SVG or a PDF up to where its painter ends."""

    def fill(dialog):
        dialog.format.setCurrentText(path.suffix[1:].upper())
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(fill, with_path(path)):
        choose(window, "file", "exportImage")
    qtbot.waitUntil(end.begun.is_set, timeout=60_000)


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_one_looks_round_while_a_painter_ends(large, qtbot, tmp_path, monkeypatch, suffix):
    path, end = tmp_path / f"slices.{suffix}", Held(monkeypatch, "_end")
    begin_pages(large, path, qtbot, end)
    scale = large.canvas.viewport.scale
    QTest.keyClick(large.canvas, Qt.Key.Key_Plus, CTRL)
    assert large.canvas.glide.target.scale != scale
    assert not is_over(large)
    assert not path.exists()
    end.may_go.set()
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert path.read_bytes().rstrip().endswith({"svg": b"</svg>", "pdf": b"%%EOF"}[suffix])


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_given_up_while_its_painter_ends_it_leaves_no_file(large, qtbot, tmp_path, monkeypatch, suffix):
    end = Held(monkeypatch, "_end")
    begin_pages(large, tmp_path / f"given_up.{suffix}", qtbot, end)
    key(large, Qt.Key.Key_Escape)
    assert is_over(large)
    assert f"given_up.{suffix} was not written" in large.status_words.text()
    end.may_go.set()
    QTest.qWait(300)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_the_interpreter_is_left_to_others_while_a_painter_ends(qapp, suffix):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    if suffix == "pdf":
        device = QPdfWriter(buffer)
    else:
        device = QSvgGenerator()
        device.setOutputDevice(buffer)
    painter = QPainter(device)
    draw_lines(painter, np.random.default_rng(0).random((200_000, 4)) * 1000)
    waits = list(beside(partial(image._end, painter, device, buffer)))
    assert len(waits) > 2  # more than the one that it takes to see a thread's end
    assert buffer.data().data().rstrip().endswith({"svg": b"</svg>", "pdf": b"%%EOF"}[suffix])


def test_another_drawing_is_made_in_slices_too(large, qtbot, tmp_path):
    path, whole, told = tmp_path / "slices.svg", tmp_path / "whole.svg", []
    export_document(large.document, whole, theme="light", scale=2.0, drawing="data")
    large.filing.exporting.slices.progressed.connect(lambda _, percent: told.append(percent))

    def fill(dialog):
        dialog.format.setCurrentText("SVG")
        dialog.drawing.setCurrentIndex(dialog.drawing.findData("data"))
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(fill, with_path(path)):
        choose(large, "file", "exportImage")
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert told == sorted(told)
    assert sum(percent < 20 for percent in told) > LINES  # so many turns before it is painted
    assert path.read_bytes() == whole.read_bytes()
    assert large.document.drawing == "cards"


def test_a_large_picture_goes_to_the_clipboard_in_slices(large, qtbot):
    QApplication.clipboard().setText("before")
    some = select_some(large)
    choose(large, "file", "copyImage")
    bar = large.findChild(QToolButton, "exporting.cancel").parent()
    assert bar.isVisible()
    assert bar.words.text() == "Copying the picture"
    assert QApplication.clipboard().text() == "before"
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    picture = finished(image.rendering_image(large.document, theme=settings.THEME.get(), selection=some))
    assert QApplication.clipboard().image() == picture
    assert large.status_words.text() == "Copied the picture"


def test_given_up_the_clipboard_is_as_it_was(large):
    QApplication.clipboard().setText("before")
    choose(large, "file", "copyImage")
    key(large, Qt.Key.Key_Escape)
    QTest.qWait(50)
    assert QApplication.clipboard().text() == "before"
    assert large.status_words.text() == "The picture was not copied: it was given up."


def test_a_picture_that_takes_the_place_of_another_says_which_was_given_up(large, tmp_path):
    said = []
    begin(large, tmp_path / "first.svg")
    large.document.told.connect(said.append)
    choose(large, "file", "copyImage")
    assert said == ["first.svg was not written: it was given up."]
    key(large, Qt.Key.Key_Escape)


def test_the_end_of_a_latex_file_is_written_in_slices_too(large, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(image, "LINES_AT_ONCE", 10)
    path, turns = tmp_path / "slices.tex", []
    large.filing.exporting.slices.progressed.connect(lambda *_: turns.append(path.exists()))

    def fill(dialog):
        dialog.format.setCurrentText("TikZ")
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    parts = []
    large.filing.exporting.slices.progressed.connect(lambda _, percent: parts.append(percent))
    with answering(fill, with_path(path)):
        choose(large, "file", "exportImage")
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert parts.count(parts[-1]) > path.read_text().count("\n") / 10 - 1
    assert not any(turns)  # it is there when all of it is
