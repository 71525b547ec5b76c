"""Pictures of a document on their way into files or to the clipboard: in slices, given up by an edit or Esc.

Where only things lie elsewhere meanwhile, as after a layout that was worked out in the background, they begin anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage

from chalkgrad.program.change import Change
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.document import Document
from chalkgrad_app.widgets.slices import Slices

AT_ONCE = 600
"""So many steps are done at once, two for sixteen cards and more for the wires round them."""

Made = TypeVar("Made")


class Exporting(QObject):
    """Writes or copies one picture at a time: of the program as it was when it was asked for, lying as it does now."""

    written = Signal(object)  # the path
    failed = Signal(object, object)  # the path, and the OSError

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._given_up = ""
        self._refuse: Callable[[OSError], object] = str
        self._run: object = None
        self._again: Callable[[int], None] | None = None
        self.slices = Slices("exporting", self, (OSError,))
        self.slices.refused.connect(self._on_refused)
        self.slices.left.connect(self._on_left)
        document.changed.connect(self._on_changed)
        document.traced.connect(self._on_traced)

    def start(self, path: Path, make: Callable[[], Stepwise[None]]) -> None:
        """Take the steps that ``make`` gives, which write a picture into ``path``."""
        self.slices.give_up()
        self._refuse = lambda error: self.failed.emit(path, error)
        self._given_up = self.tr("{name} was not written: it was given up.").format(name=path.name)
        words = self.tr("Writing {name}").format(name=path.name)
        self._begin(words, make, lambda _: self.written.emit(path))

    def copy(self, make: Callable[[], Stepwise[QImage]]) -> None:
        """Take the steps that ``make`` gives, and put the picture that they come to on the clipboard."""
        self.slices.give_up()
        self._refuse = lambda error: self._document.told.emit(str(error))
        self._given_up = self.tr("The picture was not copied: it was given up.")
        self._begin(self.tr("Copying the picture"), make, self._copy)

    def _begin(self, words: str, make: Callable[[], Stepwise[Made]], then: Callable[[Made], object]) -> None:
        self._run = self._document.session.trace.nodes

        def begin(at_once: int) -> None:
            self.slices.start(words, make(), then, at_once)

        self._again = begin
        begin(AT_ONCE)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        """Another program: nobody asked for its picture. Else what lies elsewhere now is painted there."""
        if change.touches_program:
            self.slices.give_up()
        elif self.slices.is_active and self._again is not None:
            self.slices.drop()
            self._again(1)

    def _copy(self, image: QImage) -> None:
        QGuiApplication.clipboard().setImage(image)
        self._document.told.emit(self.tr("Copied the picture"))

    @Slot(object)
    def _on_refused(self, error: OSError) -> None:
        self._refuse(error)

    @Slot()
    def _on_left(self) -> None:
        self._document.told.emit(self._given_up)

    @Slot()
    def _on_traced(self) -> None:
        """Another run: what the picture shows is gone."""
        if self._document.session.trace.nodes is not self._run:
            self.slices.give_up()
