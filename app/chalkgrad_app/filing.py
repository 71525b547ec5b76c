"""What the File menu does: new, open, save, duplicate, export, examples, recovery, and asking before work is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication, QFileDialog

from chalkgrad import lessons
from chalkgrad.program import files
from chalkgrad.source import emit
from chalkgrad.stepwise import finished
from chalkgrad_app import keeping, settings
from chalkgrad_app.dialogs import Button, Icon, ask, ask_where
from chalkgrad_app.document import Document
from chalkgrad_app.exporting import Exporting
from chalkgrad_app.i18n import language
from chalkgrad_app.opening import Opened, drawn, opening
from chalkgrad_app.widgets.slices import Slices

if TYPE_CHECKING:
    from chalkgrad_app.main_window import MainWindow

AT_ONCE = 600
"""So many steps are done at once, about four for each line: most documents are there then."""


class Filing(QObject):
    """The files of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._asking = False
        self._waiting: list[Path] = []
        self._opened_path = Path()
        self.opening = Slices("opening", self, keeping.REFUSALS)
        self.opening.refused.connect(self._on_refused)
        self.opening.left.connect(self._on_given_up)
        window.canvas.slices.append(self.opening)
        self._saved_path, self._is_refused = Path(), False
        self.saving = Slices("saving", self, (OSError,))
        self.saving.refused.connect(self._on_not_saved)
        self.saving.left.connect(self._on_saving_left)
        window.canvas.slices.append(self.saving)
        self.exporting = Exporting(window.document, self)
        self.exporting.written.connect(self._on_written)
        self.exporting.failed.connect(self._on_not_written)
        window.canvas.slices.append(self.exporting.slices)
        self.keeper = keeping.Keeper(window.document, self)
        self.keeper.changed_on_disk.connect(self._on_changed_on_disk)
        self.keeper.failed.connect(self._on_autosave_failed)

    # ------------------------------------------------------------ open

    def new_document(self) -> None:
        """A second window with an empty document."""
        self._show_window(Document())

    def open_document(self) -> None:
        """Ask for a file and open it."""
        kinds = self.tr("Documents and PyTorch code (*.chalk *.py *.ipynb)")
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), settings.FOLDER.get(), kinds)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open ``path``: here when this window is empty and untouched, else in one of its own. Say why if it can't."""
        for window in open_windows():
            if window.document.path is not None and window.document.path == path.resolve():
                window.raise_()
                window.activateWindow()
                return
        self._waiting.append(path)
        if not self.opening.is_active:
            self._open_next()

    def load(self, path: Path) -> None:
        """Put the document in ``path`` into this window; FileError, SourceError or OSError when it can't be read."""
        self._fill(finished(opening(path)), path.resolve())

    def refuse(self, path: Path, error: Exception) -> None:
        """Say why ``path`` can't be opened."""
        settings.forget_file(str(path.resolve()))
        self._complain(self.tr("Can't open {name}").format(name=path.name), path.name, error)

    def open_course_example(self) -> None:
        """Open the first example: the graph of the course notes."""
        self.open_example(lessons.examples()[0].id)

    def open_example(self, id_: str) -> None:
        """Open the example ``id_``."""
        example = lessons.example(id_)
        window = self._window_to_fill()
        window.filing._fill(finished(drawn(example.sheet)), None)
        window.document.set_name(example.title_in(language()))

    def duplicate_document(self) -> None:
        """A second window with a copy, for comparing."""
        window = self._show_window(Document(self._document.sheet))
        window.document.set_name(self.tr("{name} (copy)").format(name=self._document.name))

    # ------------------------------------------------------------ save

    def save(self) -> bool:
        """Save where the document is kept, or ask where; False when that was cancelled or failed.

        A large document is on its way then, in slices.
        """
        path = self._document.path
        if path is None or path.suffix.lower() != keeping.SUFFIX:
            return self.save_as()
        return self._write(path)

    def save_as(self) -> bool:
        """Ask where to save; False when that was cancelled or failed."""
        folder = Path(settings.FOLDER.get()) / f"{self._document.name}{keeping.SUFFIX}"
        kinds = self.tr("Chalkgrad document (*.chalk)")
        path = ask_where(self._window, self.tr("Save as"), str(folder), kinds, (keeping.SUFFIX,))
        return path is not None and self._write(path.resolve())

    def may_close(self) -> bool:
        """True when nothing would be lost: all saved, or the person said so."""
        self.saving.finish()
        if not self._document.is_modified:
            return True
        words = self.tr("{name} has changes that are not saved.").format(name=self._document.name)
        buttons = Button.Save | Button.Discard | Button.Cancel
        answer = ask(self._window, "unsavedChanges", Icon.Warning, self.tr("Unsaved changes"), words, buttons)
        if answer != Button.Save:
            return answer == Button.Discard
        is_begun = self.save()
        self.saving.finish()
        return is_begun and not self._document.is_modified

    def close(self) -> None:
        """The window closes: what was kept for recovery isn't needed any more, nor is what waits to be opened."""
        self._waiting.clear()
        self.keeper.discard_copy()

    def quit(self) -> None:
        """Close every window; stop when one is not to be closed."""
        for window in open_windows():
            if not window.close():
                return

    # ------------------------------------------------------------ export

    def export_image(self) -> None:
        """Ask how, and write the graph as a picture."""
        from chalkgrad_app.export.dialog import ExportDialog  # imported when used: the first window needn't wait for it

        dialog = ExportDialog(self._document, self._window)
        if dialog.exec():
            title, suffixes = self.tr("Export picture"), dialog.suffixes()
            path = ask_where(self._window, title, dialog.suggested_path(), dialog.name_filter(), suffixes)
            if path is not None:
                self.exporting.start(path, dialog.writing(path))
        dialog.deleteLater()

    def export_code(self) -> None:
        """Ask where, and write the program as PyTorch code."""
        folder = Path(settings.FOLDER.get()) / f"{self._document.name}.py"
        kinds = self.tr("PyTorch code (*.py)")
        path = ask_where(self._window, self.tr("Export PyTorch code"), str(folder), kinds, (".py",))
        if path is not None:
            self._try_writing(self._write_code, path)

    def copy_image(self) -> None:
        """Put the picture of the graph, or of the selection, on the clipboard, in the theme of the window."""
        from chalkgrad_app.export import image

        document = self._document
        make = partial(
            image.rendering_image,
            document,
            theme=settings.THEME.get(),
            selection=document.selected_statements,
            drawing=document.drawing,
            state=document.state,
        )
        self.exporting.copy(make)

    # ------------------------------------------------------------ recovery

    def offer_recovery(self) -> None:
        """Offer to open what a killed process left behind."""
        left = keeping.leftovers()
        if not left:
            return
        names = "\n".join(leftover.name for leftover in left)
        question = self.tr("Chalkgrad ended unexpectedly. Open what was not saved?")
        words, buttons = f"{question}\n\n{names}", Button.Open | Button.Discard
        open_them = ask(self._window, "recovery", Icon.Question, self.tr("Recovery"), words, buttons) == Button.Open
        for leftover in left:
            if open_them:
                self._recover(leftover)
            else:
                keeping.forget_leftover(leftover)

    def _recover(self, leftover: keeping.Leftover) -> None:
        """Show what was not saved; its copy goes only when there is another."""
        try:
            sheet = keeping.read_sheet(leftover.copy)
        except keeping.REFUSALS as error:
            aside = keeping.set_aside(leftover)
            self._complain(self.tr("Can't recover {name}").format(name=leftover.name), str(aside), error)
            return
        window = self._window if self._is_untouched else self._show_window(Document())
        document = window.document
        document.set_path(Path(leftover.original) if leftover.original else None)
        document.set_name(leftover.name)
        document.draw_as(sheet.board.drawing)
        document.replace_sheet(sheet, self.tr("Recovered"))
        window.canvas.fit_all()
        window.filing.keeper.autosave()
        keeping.forget_leftover(leftover)

    @property
    def _is_untouched(self) -> bool:
        """True for a window in which nothing was done yet."""
        document = self._document
        return document.is_empty and not document.undo_stack.count() and document.path is None

    # ------------------------------------------------------------ inside

    def _open_next(self) -> None:
        """Begin to open the file that has waited longest."""
        path = self._opened_path = self._waiting.pop(0)
        words = self.tr("Opening {name}").format(name=path.name)
        self.opening.start(words, opening(path), self._show_opened, AT_ONCE)

    def _show_opened(self, opened: Opened) -> None:
        self._window_to_fill().filing._fill(opened, self._opened_path.resolve())
        if self._waiting:
            self._open_next()

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        self.refuse(self._opened_path, error)
        if self._waiting:
            self._open_next()

    @Slot()
    def _on_given_up(self) -> None:
        self._waiting.clear()
        self._document.told.emit(self.tr("Opening was cancelled."))

    def _window_to_fill(self) -> MainWindow:
        return self._window if self._is_untouched else self._show_window(Document())

    def _fill(self, opened: Opened, path: Path | None) -> None:
        """Put a sheet into the window's document; the undo stack begins here."""
        document = self._document
        self._window.canvas.following.expect(opened.picture)
        document.begin(opened.sheet, path)
        if opened.is_rough:
            self._window.lodging.settle_roughly()
        else:
            self._window.lodging.place_missing()
        if path is not None:
            settings.FOLDER.set(str(path.parent))
            settings.remember_file(str(path.resolve()))
        self._window.canvas.views.forget()
        self._window.canvas.fit_beginning()

    def _show_window(self, document: Document) -> MainWindow:
        window = type(self._window)(document)
        window.move(self._window.pos().x() + 32, self._window.pos().y() + 32)
        window.show()
        return window

    def _write(self, path: Path) -> bool:
        """Save into ``path``; False when it was refused at once."""
        self.saving.finish()  # what was asked for before
        self._saved_path, self._is_refused = path, False
        words = self.tr("Saving {name}").format(name=path.name)
        self.saving.start(words, self.keeper.saving(path), self._on_saved, AT_ONCE)
        return not self._is_refused

    def _on_saved(self, _: None) -> None:
        path = self._saved_path
        settings.remember_file(str(path.resolve()))
        settings.FOLDER.set(str(path.parent))
        self._on_written(path)

    @Slot(object)
    def _on_not_saved(self, error: OSError) -> None:
        self._is_refused = True
        self._on_not_written(self._saved_path, error)

    @Slot()
    def _on_saving_left(self) -> None:
        words = self.tr("{name} was not saved: it was given up.").format(name=self._saved_path.name)
        self._document.told.emit(words)

    def _write_code(self, path: Path) -> None:
        files.write_text(path, emit.program_text(self._document.program, self._document.failed()))

    def _try_writing(self, write: Callable[[Path], None], path: Path) -> bool:
        try:
            write(path)
        except OSError as error:
            self._on_not_written(path, error)
            return False
        self._on_written(path)
        return True

    def _on_written(self, path: Path) -> None:
        self._document.told.emit(self.tr("Wrote {path}").format(path=path))

    def _on_not_written(self, path: Path, error: OSError) -> None:
        self._complain(self.tr("Can't write {name}").format(name=path.name), str(path), error)

    def _complain(self, title: str, name: str, error: Exception) -> None:
        words = keeping.refusal(name, error, language())
        ask(self._window, "complaint", Icon.Warning, title, f"{title}\n\n{words}")

    def _on_changed_on_disk(self, exists: bool) -> None:
        path = self._document.path
        if path is None or self._asking:
            return
        if not exists:
            self._document.told.emit(self.tr("{name} is gone from the disk").format(name=path.name))
            self._document.mark_unsaved()
            return
        question = self.tr("{name} was changed by another program. Read it again?").format(name=path.name)
        title, buttons = self.tr("Changed on disk"), Button.Yes | Button.No
        self._asking = True
        answer = ask(self._window, "changedOnDisk", Icon.Question, title, question, buttons)
        self._asking = False
        if answer == Button.Yes:
            self.open_again(path)
        else:
            self._document.mark_unsaved()

    def open_again(self, path: Path) -> None:
        """Read the document's file again, as one undo step."""
        try:
            sheet = keeping.read_sheet(path)
        except keeping.REFUSALS as error:
            self._complain(self.tr("Can't open {name}").format(name=path.name), path.name, error)
            self._document.mark_unsaved()
            return
        self._document.replace_sheet(sheet, self.tr("Read again"))
        self._window.lodging.place_missing()
        self._document.mark_saved()

    def _on_autosave_failed(self, why: str) -> None:
        self._document.told.emit(self.tr("Can't keep a copy for recovery: {why}").format(why=why))


def open_windows() -> list[MainWindow]:
    """The windows of the application, in no order."""
    found = []
    for widget in QApplication.topLevelWidgets():
        filing = getattr(widget, "filing", None)
        if isinstance(filing, Filing) and widget.isVisible():
            found.append(filing._window)
    return found
