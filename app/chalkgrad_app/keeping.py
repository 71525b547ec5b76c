"""Keeping a document: reading and writing its file, autosave, recovery, and noticing that the file changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, QStandardPaths, QTimer, Signal

from chalkgrad.program import files
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import read
from chalkgrad_app.document import Document

AUTOSAVE_MS = 2000
"""How long after an edit the copy for recovery is written, in milliseconds."""

SUFFIX = ".chalk"


def read_sheet(path: Path) -> Sheet:
    """The sheet in a document file, or the program in a PyTorch ``.py`` or ``.ipynb``.

    Raises FileError for a bad document, SourceError for code outside what can be read, OSError.
    """
    if path.suffix == SUFFIX:
        return files.read_file(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = notebook_code(text, path.name)
    return Sheet(read.read_source(text, path.name))


def notebook_code(text: str, filename: str) -> str:
    """The code cells of a Jupyter notebook, one after the other. FileError when it isn't one."""
    try:
        cells = json.loads(text)["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise files.FileError("this is not a Jupyter notebook", filename) from error
    return "\n".join(code) + "\n"


@dataclass(frozen=True, slots=True)
class Leftover:
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
        self._written = b""
        self._copy: Path | None = None
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE_MS)
        self._timer.timeout.connect(self.autosave)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        document.changed.connect(self._on_changed)
        self._watch()

    def save(self, path: Path) -> None:
        """Write the document to ``path`` atomically; OSError when that can't be done, and nothing is changed then."""
        text = files.save(self._document.sheet)
        self._unwatch()
        try:
            files.write_file(path, self._document.sheet)
        finally:
            self._watch()
        self._written = text.encode()
        self._document.set_path(path)
        self._document.mark_saved()
        self.discard_copy()
        self._watch()

    def autosave(self) -> None:
        """Write the copy for recovery."""
        if not self._document.is_modified:
            self.discard_copy()
            return
        try:
            copy = self._copy or self._new_copy()
            files.write_file(copy, self._document.sheet)
            about = {"original": str(self._document.path or ""), "name": self._document.name}
            copy.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")
        except OSError as error:
            self.failed.emit(str(error))

    def discard_copy(self) -> None:
        """There is nothing to recover any more."""
        self._timer.stop()
        if self._copy is not None:
            _delete_copy(self._copy)
            self._copy = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _new_copy(self) -> Path:
        folder = autosave_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._copy = folder / f"{uuid4().hex}{SUFFIX}"
        self._lock = QLockFile(str(self._copy.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        return self._copy

    def _on_changed(self, _change: object) -> None:
        self._timer.start()

    def _watch(self) -> None:
        path = self._document.path
        if path is not None and path.exists():
            self._written = path.read_bytes()
            self._watcher.addPath(str(path))

    def _unwatch(self) -> None:
        if self._watcher.files():
            self._watcher.removePaths(self._watcher.files())

    def _on_file_changed(self, name: str) -> None:
        path = Path(name)
        if not path.exists():
            QTimer.singleShot(200, self, self._look_again)
            return
        self._watcher.addPath(name)
        content = path.read_bytes()
        if content != self._written:
            self._written = content
            self.changed_on_disk.emit(True)

    def _look_again(self) -> None:
        """Editors replace a file by deleting and renaming: gone for a moment is not gone."""
        path = self._document.path
        if path is None:
            return
        if path.exists():
            self._on_file_changed(str(path))
        else:
            self.changed_on_disk.emit(False)


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


def _leftover(copy: Path) -> Leftover:
    try:
        about = json.loads(copy.with_suffix(".json").read_text(encoding="utf-8"))
        return Leftover(copy, str(about["original"]), str(about["name"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Leftover(copy, "", copy.stem)


def _delete_copy(copy: Path) -> None:
    for path in (copy, copy.with_suffix(".json"), copy.with_suffix(".lock")):
        path.unlink(missing_ok=True)
