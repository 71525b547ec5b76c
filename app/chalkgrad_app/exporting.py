"""Pictures of a document on their way into files: written in slices, with progress, and given up by an edit or Esc."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from chalkgrad.stepwise import Stepwise
from chalkgrad_app.document import Document
from chalkgrad_app.widgets.slices import Slices

AT_ONCE = 600
"""So many steps are done at once, two for sixteen cards and more for the wires round them."""


class Exporting(QObject):
    """Writes one picture at a time; it is that of the document as it was when it was asked for."""

    written = Signal(object)  # the path
    failed = Signal(object, object)  # the path, and the OSError

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._path = Path()
        self._run: object = None
        self.slices = Slices("exporting", self, (OSError,))
        self.slices.refused.connect(self._on_refused)
        self.slices.left.connect(self._on_left)
        document.changed.connect(self.slices.give_up)
        document.traced.connect(self._on_traced)

    def start(self, path: Path, steps: Stepwise[None]) -> None:
        """Take these steps, which write a picture into ``path``."""
        self._path, self._run = path, self._document.session.trace.nodes
        words = self.tr("Writing {name}").format(name=path.name)
        self.slices.start(words, steps, lambda _: self.written.emit(path), AT_ONCE)

    @Slot(object)
    def _on_refused(self, error: OSError) -> None:
        self.failed.emit(self._path, error)

    @Slot()
    def _on_left(self) -> None:
        self._document.told.emit(self.tr("{name} was not written: it was given up.").format(name=self._path.name))

    @Slot()
    def _on_traced(self) -> None:
        """Another run: what the picture shows is gone."""
        if self._document.session.trace.nodes is not self._run:
            self.slices.give_up()
