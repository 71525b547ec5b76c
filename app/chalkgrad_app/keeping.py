"""Keeping a document: reading and writing its file, autosave, recovery, and noticing that the file changed."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, QStandardPaths, QTimer, QUuid, Signal

from chalkgrad.errors import ChalkgradError
from chalkgrad.program import files
from chalkgrad.program.json_values import FileError, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import read
from chalkgrad.source.problem import SourceError
from chalkgrad.stepwise import Stepwise, finished, is_waiting
from chalkgrad.text import Text, render
from chalkgrad_app.document import Document

AUTOSAVE_MS = 2000
"""How long after an edit the copy for recovery is written, in milliseconds."""

SLICE_MS = 8
"""For how long its text is made in one turn of the event loop, in milliseconds."""

PORTION = 32
"""So many pieces of text are made in one step."""

PIECES = 4
"""A file has about so many of them for each line of the program."""

SETTLED_MS = 200
"""How long a file must have been left alone before it is looked at: other programs write in several steps."""

MAGIC = re.compile(r"^[%!?].*$", re.MULTILINE)
FOREIGN = re.compile(r"%%(?!(time|timeit|capture|prun)\b)")
"""How cells begin that are no Python."""

SUFFIX = ".chalk"
REFUSALS = (ChalkgradError, OSError)
"""What reading a file raises when that can't be done."""


def read_sheet(path: Path) -> Sheet:
    """The sheet in a document file, or the program in a PyTorch ``.py`` or ``.ipynb``.

    Raises FileError for a bad document, SourceError for code outside what can be read, OSError.
    """
    return finished(reading_sheet(path))


def reading_sheet(path: Path) -> Stepwise[Sheet]:
    """The same in steps."""
    kind = path.suffix.lower()
    if kind == SUFFIX:
        return (yield from files.reading(path))
    if kind not in (".py", ".ipynb"):
        raise FileError(Text("file.other_format"), Place())
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(Text("file.no_utf8"), Place()) from None
    if kind == ".ipynb":
        text = notebook_code(text)
    program = yield from read.reading_source(text, path.name)
    return Sheet(replace(program, stops=True))


def notebook_code(text: str) -> str:
    """The code cells of a Jupyter notebook, one after the other. FileError when it isn't one."""
    try:
        cells = json.loads(text)["cells"]
        code = [_without_magics("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FileError(Text("file.other_format"), Place("cells")) from None
    return "\n".join(code) + "\n"


def _without_magics(cell: str) -> str:
    """A cell without what it says to the notebook alone, where it says such: ``%matplotlib inline``, ``!pip ...``."""
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "" if FOREIGN.match(cell) else MAGIC.sub("", cell)
    return cell


def refusal(path: Path | str, error: Exception, language: str) -> str:
    """One line that says which file can't be used, where in it, and why: ``net.py:3:5: ...``."""
    if isinstance(error, SourceError):
        return f"{path}:{error.line}:{error.column}: {render(error.text, language)}"
    if isinstance(error, FileError):
        place = f" {error.place}:" if error.place else ""
        return f"{path}:{place} {render(error.text, language)}"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{path}: {reason}"


class Leftover(NamedTuple):
    """A copy that a killed process left behind, and the path of the document it was a copy of ("" for none)."""

    copy: Path
    original: str
    name: str


class Keeper(QObject):
    """Keeps one document safe. The copy for recovery lies in the application's own folder, never beside the file."""

    changed_on_disk = Signal(bool)  # the file has another content now; False: it is gone
    failed = Signal(str)  # the copy for recovery could not be written, and why

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._watched: Path | None = None
        self._written: bytes | None = None
        self._copy: Path | None = None
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE_MS)
        self._timer.timeout.connect(self._on_due)
        self._copying: Stepwise[None] | None = None
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._go_on)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_touched)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLED_MS)
        self._settled.timeout.connect(self._look_at_file)
        document.changed.connect(self._on_changed)
        document.titled.connect(self._follow_path)
        self._follow_path()

    def save(self, path: Path) -> None:
        """Write the document to ``path`` atomically; OSError when that can't be done, and nothing is changed then."""
        finished(self.saving(path))

    def saving(self, path: Path) -> Stepwise[None]:
        """The same in steps: what is written is the document as it is at the first, whatever comes meanwhile."""
        sheet, text = self._document.sheet, list[str]()
        for piece in files.pieces(sheet):
            text.append(piece)
            if len(text) % PORTION == 0:
                yield min(len(text) / PIECES / max(len(sheet.program), 1), 1.0)
        self._watch(None)
        try:
            yield from files.writing_text(path, "".join(text))
            self._document.set_path(path)
            self._mark_written(sheet)
        finally:
            self._watch(self._document.path)

    def _mark_written(self, sheet: Sheet) -> None:
        """The file holds ``sheet``: there is nothing to save unless the document is another by now."""
        now = self._document.sheet
        if now.program is sheet.program and now.board is sheet.board:
            self._document.mark_saved()
            self.discard_copy()
        else:
            self._document.mark_unsaved()

    def autosave(self) -> None:
        """Write the copy for recovery."""
        self._begin_copy()
        while self._copying is not None:
            self._go_on()

    def _begin_copy(self) -> None:
        """Begin to write the copy for recovery: its text is made in slices, a large one takes a while."""
        if not self._document.is_modified:
            self.discard_copy()
            return
        self._leave_copy()
        self._copying = self._copy_made()
        self._slices.start()

    def _leave_copy(self) -> None:
        """Leave the copy as it was that is being written."""
        copying, self._copying = self._copying, None
        self._slices.stop()
        if copying is not None:
            copying.close()

    def _go_on(self) -> None:
        """Make a further slice of the text; write all of it when it is complete."""
        deadline = perf_counter() + SLICE_MS / 1000
        try:
            while self._copying is not None:
                if is_waiting(next(self._copying)) or perf_counter() > deadline:
                    return
        except StopIteration:
            pass
        except OSError as error:
            self.failed.emit(str(error))
        self._copying = None
        self._slices.stop()

    def _copy_made(self) -> Stepwise[None]:
        """Write the copy for recovery, in steps."""
        text = []
        for piece in files.pieces(self._document.sheet):
            text.append(piece)
            yield 0.0
        copy = self._copy or self._new_copy()
        yield from files.writing_text(copy, "".join(text))
        about = {"original": str(self._document.path or ""), "name": self._document.name}
        copy.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")

    def discard_copy(self) -> None:
        """There is nothing to recover any more."""
        self._timer.stop()
        self._leave_copy()
        if self._copy is not None:
            _delete_copy(self._copy)
            self._copy = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _new_copy(self) -> Path:
        folder = autosave_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._copy = folder / f"{QUuid.createUuid().toString(QUuid.StringFormat.Id128)}{SUFFIX}"
        self._lock = QLockFile(str(self._copy.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        return self._copy

    def _on_changed(self, _change: object) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_due(self) -> None:
        if self._document.is_scrubbed:  # a number that is dragged is kept where it comes to rest
            self._timer.start()
        else:
            self._begin_copy()

    def _follow_path(self) -> None:
        if self._document.path != self._watched:
            self._watch(self._document.path)

    def _watch(self, path: Path | None) -> None:
        """Notice from now on when another program changes ``path``, and nothing else."""
        if self._watcher.files():
            self._watcher.removePaths(self._watcher.files())
        self._watched = path
        self._settled.stop()
        self._written = None if path is None else _content(path)
        if self._written is not None:
            self._watcher.addPath(str(path))

    def _on_touched(self, _name: str) -> None:
        """Editors replace a file by deleting and renaming: gone for a moment is not gone."""
        self._settled.start()

    def _look_at_file(self) -> None:
        path = self._watched
        if path is None:
            return
        content = _content(path)
        if content is None:
            self.changed_on_disk.emit(False)
            return
        self._watcher.addPath(str(path))
        if content != self._written:
            self._written = content
            self.changed_on_disk.emit(True)


def _content(path: Path) -> bytes | None:
    """What is in a file; None where it is gone, or can't be read any more."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def autosave_folder() -> Path:
    """Where the copies for recovery lie."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(place) / "autosave"


def leftovers() -> list[Leftover]:
    """The copies that no living process holds: what a killed one left behind."""
    found = []
    for copy in sorted(autosave_folder().glob(f"*{SUFFIX}")):
        lock = QLockFile(str(copy.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            lock.unlock()
            found.append(_leftover(copy))
    return found


def forget_leftover(leftover: Leftover) -> None:
    """Delete a copy: it was recovered, or isn't wanted."""
    _delete_copy(leftover.copy)


def set_aside(leftover: Leftover) -> Path:
    """Keep a copy that can't be read where it isn't offered again; returns where."""
    aside = leftover.copy.with_suffix(".damaged")
    leftover.copy.replace(aside)
    _delete_copy(leftover.copy)
    return aside


def _leftover(copy: Path) -> Leftover:
    try:
        about = json.loads(copy.with_suffix(".json").read_text(encoding="utf-8"))
        return Leftover(copy, str(about["original"]), str(about["name"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Leftover(copy, "", copy.stem)


def _delete_copy(copy: Path) -> None:
    for path in (copy, copy.with_suffix(".json"), copy.with_suffix(".lock")):
        path.unlink(missing_ok=True)
