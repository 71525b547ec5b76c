"""What has to be true whatever a monkey did: the picture is the model's, undo and files lose nothing."""

from __future__ import annotations

import collections
import gc
import sys
import traceback
import weakref
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, replace
from types import TracebackType

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QImage, QUndoStack
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.hands import process

from chalkgrad.program import files
from chalkgrad.program.board import CARDS, Board, Place, Spot
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import emit
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_source
from chalkgrad_app.commands import EditCommand
from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.picture.note_text import laid_out
from chalkgrad_app.picture.picture import Picture

MOTION_MS = 900
"""Longer than any motion lasts."""
SHADE = 16
"""By so much of 255 a pixel may differ at the edge of a line."""


class Complaints:
    """What Qt and Python complained about while it lasts."""

    IGNORED = ("propagateSizeHints", "This plugin does not support", "QFileSystemWatcher")

    def __init__(self) -> None:
        self.found: list[str] = []

    def __enter__(self) -> Complaints:
        self._qt = qInstallMessageHandler(self._on_message)
        self._hook, sys.excepthook = sys.excepthook, self._on_exception
        return self

    def __exit__(self, *_: object) -> None:
        qInstallMessageHandler(self._qt)
        sys.excepthook = self._hook

    def _on_message(self, kind: QtMsgType, _context: object, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(part in text for part in self.IGNORED):
            self.found.append(f"Qt: {text}")

    def _on_exception(self, kind: type[BaseException], value: BaseException, where: TracebackType | None) -> None:
        self.found.append("".join(traceback.format_exception(kind, value, where)))


def check_picture(window: MainWindow) -> None:
    """The canvas shows what one that was opened just now would show.

    Back in time a card keeps the size that it had, so there is nothing to compare with.
    """
    canvas, document = window.canvas, window.document
    document.finish()
    process()
    if document.is_past or canvas.dispatcher.active is not None or canvas.tidying.is_working:
        return
    while canvas.is_behind:
        process()
    canvas.tidying.cancel()  # what has caught up may move cards out of each other's way
    while not canvas.picture.is_settled:  # a large one is laid out in slices
        process()
    fresh = Picture(canvas.picture.language)
    fresh.update(document.program, document.board, document.state)
    fresh.lines.shorten(fresh, canvas.picture.lines.longest)  # as the view was fitted
    for name, shown, due in zip(SEEN, seen(canvas.picture), seen(fresh), strict=True):
        assert shown == due, f"other {name}: {difference(shown, due)}"


SEEN = (
    "cards",
    "places of cards",
    "ports",
    "faces",
    "facts",
    "wires",
    "ends",
    "thick",
    "dotted",
    "faulty",
    "tags",
    "hidden wires",
)
SEEN += ("hidden cards", "frames", "folds", "notes", "functions", "functions to come", "arrows", "lines")


def seen(picture: Picture) -> tuple[object, ...]:
    """All that a picture shows, in a form that can be compared; how wires run between their ends may take its time."""
    return (
        picture.ids,
        {id_: picture.rect(id_).getRect() for id_ in picture.ids},
        {id_: picture.ports(id_) for id_ in picture.ids},
        {id_: picture.face(id_) for id_ in picture.ids},
        dict(zip(picture.ids, picture.facts.tolist(), strict=True)),
        picture.wires,
        np.round(picture.ends, 6).tolist(),
        picture.thick.tolist(),
        picture.dotted.tolist(),
        picture.faulty.tolist(),
        picture.tagged.tolist(),
        picture.wire_hidden.tolist(),
        picture.hidden.tolist(),
        [(frame.id, frame.title, frame.rect.getRect()) for frame in picture.frames],
        [(f.id, f.title, f.rect.getRect(), f.cards, f.inputs, f.outputs, f.facts) for f in picture.folds],
        [(note.id, note.x, note.y, note.width, note.height, note.texts) for note in picture.notes],
        {key: picture.functions.rect(key).getRect() for key in picture.functions.keys},
        picture.functions.to_come.tolist(),
        (picture.function_ways.arrows, np.round(picture.function_ways.plain, 6).tolist()),
        {
            key: (picture.lines.rect(key).getRect(), picture.lines.text(row))
            for row, key in enumerate(picture.lines.keys)
        },
    )


def difference(shown: object, due: object) -> object:
    """What two of the things that :func:`seen` tells don't have in common."""
    if isinstance(shown, Mapping) and isinstance(due, Mapping):
        return {
            key: (shown.get(key), due.get(key)) for key in {*shown, *due} if not is_same(shown.get(key), due.get(key))
        }
    if isinstance(shown, list) and isinstance(due, list) and len(shown) == len(due):
        return [(number, *pair) for number, pair in enumerate(zip(shown, due, strict=True)) if pair[0] != pair[1]]
    return shown, due


def check_pixels(window: MainWindow) -> None:
    """What is on the screen is what painting everything anew would show; what moves is given its time."""
    before, after = _painted_twice(window)
    if not _are_alike(before, after):
        QTest.qWait(MOTION_MS)
        before, after = _painted_twice(window)
    if not _are_alike(before, after):
        assert before.shape == after.shape, f"sizes {before.shape} and {after.shape}"
        ys, xs = np.nonzero((before != after).any(axis=2))
        box = (xs.min(), ys.min(), xs.max(), ys.max())
        raise AssertionError(f"{len(xs)} pixels are stale, in {tuple(map(int, box))}")


def _are_alike(before: np.ndarray, after: np.ndarray) -> bool:
    """True for the same colours, but for the shade at the edge of a line that Qt cut where the painted part ends."""
    return before.shape == after.shape and int(np.abs(before.astype(int) - after).max(initial=0)) <= SHADE


def _painted_twice(window: MainWindow) -> tuple[np.ndarray, np.ndarray]:
    canvas = window.canvas
    before = canvas.grab().toImage()
    canvas.repaint_still()
    return _array(before), _array(canvas.grab().toImage())


def _array(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def check_undo(window: MainWindow) -> None:
    """All undone and done again, the program is the same at each step on the way; the second time the board is, too.

    The first time, drawings in which something was done give places to cards that had none in them: that is no edit.
    """
    drawing = window.document.drawing
    for text, found, due in _undone_and_done_again(window):
        differ = _differing(found.program, due.program)
        assert not differ, f"{text!r} made another program: {differ}"
    for text, found, due in _undone_and_done_again(window):
        differ = unlike(found, due, _said(window.document.undo_stack))
        assert not differ, f"{text!r}, done again, made another sheet: {differ}"
    window.document.draw_as(drawing)


def _undone_and_done_again(window: MainWindow) -> Iterator[tuple[str, Sheet, Sheet]]:
    """Undo everything and do it again: at each step what was done last, the sheet as it is, and as it was before."""
    document, stack = window.document, window.document.undo_stack
    sheets = [document.sheet]
    here = stack.index()
    while stack.canUndo():
        stack.undo()
        sheets.append(document.sheet)
    while sheets:
        yield stack.undoText(), document.sheet, sheets.pop()
        if stack.index() < here:
            stack.redo()


def _said(stack: QUndoStack) -> frozenset[tuple[str, int]]:
    """Which cards lie where a step has put them, in which drawing: those that a drawing gave places to are none."""
    said: dict[tuple[str, int], object] = {}
    for number in range(stack.index()):
        step = stack.command(number)
        assert isinstance(step, EditCommand)
        for (table, key), (_, after) in step.change.entries.items():
            if table == "places" and isinstance(key, tuple):
                said[key] = after
    return frozenset(key for key, place in said.items() if place is not None)


def is_same(found: object, due: object) -> bool:
    """True for what is equal, nan to nan, too: a step that was put aside as text comes back with others."""
    if isinstance(found, Mapping) and isinstance(due, Mapping):
        return found.keys() == due.keys() and all(is_same(found[key], due[key]) for key in found)
    return found == due or repr(found) == repr(due)


def _differing(found: Program | Board, due: Program | Board) -> list[object]:
    """The fields in which two of them differ, with what each has there."""
    pairs = [(item.name, getattr(found, item.name), getattr(due, item.name)) for item in fields(found) if item.compare]
    return [(name, difference(one, other)) for name, one, other in pairs if not is_same(one, other)]


def unlike(found: Sheet, due: Sheet, said: Collection[tuple[str, int]] = ()) -> list[object]:
    """What of two sheets differs: of what lies on them, what is in the drawing that is shown, and what was ``said``.

    Where something lies in a drawing that has shown it in only one of them yet is no difference; what a drawing that
    is not shown gave places to by itself may get others when it is.
    """
    one, other = (_lying(sheet) for sheet in (found, due))
    here = {key for key in one.keys() & other.keys() if key[0] == found.board.drawing}
    told = here | (other.keys() & said)
    differ = _differing(found.program, due.program) + _differing(_anywhere(found.board), _anywhere(due.board))
    return differ + [(key, one.get(key), other[key]) for key in told if one.get(key) != other[key]]


def _lying(sheet: Sheet) -> dict[tuple[str, int], Place | Spot]:
    """Where each card, note and frame lies, in each drawing in which that is said."""
    board = sheet.board
    things = {**board.notes, **board.frames}
    places = {key: place for key, place in board.places.items() if key[1] in sheet.program}
    spots = {key: spot for key, spot in board.spots.items() if key[1] in things}
    here = {(board.drawing, id_): Spot(it.x, it.y, it.width, it.height) for id_, it in things.items()}
    return {**places, **spots, **here}


def _anywhere(board: Board) -> Board:
    """The board without what :func:`_lying` tells."""
    nowhere = {"x": 0.0, "y": 0.0, "width": 0.0, "height": 0.0}
    notes = {id_: replace(note, **nowhere) for id_, note in board.notes.items()}
    frames = {id_: replace(frame, **nowhere) for id_, frame in board.frames.items()}
    return replace(board, places={}, notes=notes, frames=frames, spots={}, drawing=CARDS)


def check_text(window: MainWindow) -> None:
    """The program, written and read, is the same program; one with open ports can't be read, and says so."""
    text = emit.program_text(window.document.program)
    try:
        once = emit.program_text(read_source(text))
    except SourceError:
        return
    assert emit.program_text(read_source(once)) == once, f"{text}\n---- became\n{once}"


def check_file(window: MainWindow) -> None:
    """The sheet, saved and loaded, is the same: it is saved as the same text."""
    text = files.save(window.document.sheet)
    assert files.save(files.load(text)) == text, "the file does not hold what was saved"


def owned(window: MainWindow) -> collections.Counter[str]:
    """How many objects of each class a window owns."""
    return collections.Counter(child.metaObject().className() for child in window.findChildren(QObject))


def bury() -> None:
    """Delete what was to be deleted later."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    process()


def discard(window: MainWindow) -> weakref.ref[MainWindow]:
    """Close a window, in which nothing is to be saved, with all it owns; returns what is left of it."""
    left = weakref.ref(window)
    window.document.mark_saved()
    window.close()
    bury()
    return left


def check_gone(left: weakref.ref[MainWindow], others: int | None = None) -> None:
    """Of a discarded window nothing is left, neither for Qt nor for Python: just so many ``others`` widgets."""
    bury()
    gc.collect()
    assert left() is None, f"a window is held by {[type(held) for held in gc.get_referrers(left())]}"
    widgets = QApplication.allWidgets()
    assert others is None or len(widgets) <= others, (
        f"widgets are left: {collections.Counter(type(widget).__name__ for widget in widgets)}"
    )


def alive() -> collections.Counter[str]:
    """How many Qt objects of each class Python holds, but icons and texts of notes: some are kept for the next use."""
    laid_out.cache_clear()
    gc.collect()
    held = (thing for thing in gc.get_objects() if isinstance(thing, QObject) and not isinstance(thing, QSvgRenderer))
    return collections.Counter(type(thing).__name__ for thing in held)
