"""One open document: the only owner of program, board, session, cursor, selection and undo.

What runs of it is in :mod:`~chalkgrad_app.running_sheet`: notices of the core become Qt signals in these two modules
and nowhere else. Views call down (``do``, ``append``, ``look_at``) and read ``sheet`` and ``state``; they remember
nothing of their own.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from chalkgrad.program import building, edits
from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change, Key
from chalkgrad.program.program import Program
from chalkgrad.program.removing import Removal, remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref, Statement
from chalkgrad.session.hook_calls import hooks_on
from chalkgrad.source import emit
from chalkgrad_app import commands
from chalkgrad_app.commands import LYING, EditCommand
from chalkgrad_app.naming import counted
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.running_sheet import RunningSheet

Edit = Callable[[Sheet], Change]


_gestures = itertools.count(1)


def new_gesture() -> int:
    """A number for one gesture; edits done under it become one undo step."""
    return next(_gestures)


class Document(RunningSheet):
    """A sheet with its undo stack, the session that runs it, and what is looked at and selected."""

    changed = Signal(object)  # a Change: an edit, an undo or a redo
    selected = Signal()
    titled = Signal()  # path, name or modified state
    told = Signal(str)  # a sentence for the status line
    withdrawn = Signal(str)  # one that was told and no longer holds
    returned = Signal(object)  # ids of what an undo, a redo or a remedy has changed and is there
    pointing = Signal()  # what a panel points out on the canvas
    drawn = Signal(str)  # another drawing is shown: the name of the one before

    def __init__(self, sheet: Sheet | None = None, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(sheet, parent)
        self._path = path
        self._name = path.stem if path else ""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self._selection: frozenset[int] = frozenset()
        self._gone_selected: dict[int, bool] = {}
        """Of what is gone, whether it was selected: it comes back as it went."""
        self._made: Sheet | None = None  # by the edit that goes onto the stack
        self._node: int | None = None
        self._node_is: tuple[str, int] = ("", 0)
        self._selected: tuple[Program, frozenset[int], tuple[int, ...], tuple[Ref, ...]] | None = None
        self.pointed_out = PointedOut()

    # ------------------------------------------------------------ read

    @property
    def selection(self) -> frozenset[int]:
        """Ids of what is selected: statements, notes, frames."""
        return self._selection

    @property
    def node(self) -> int | None:
        """Number of the backward node (of the trace) that is selected, and nothing else then; None: none is.

        It stays selected when the program runs again, if the same line leaves the same node behind.
        """
        nodes, number = self.session.trace.nodes, self._node
        return number if number is not None and number < len(nodes) and nodes[number][:2] == self._node_is else None

    @property
    def selected_statements(self) -> tuple[int, ...]:
        """Ids of the selected statements, in program order."""
        return self._chosen()[0]

    @property
    def selected_tensors(self) -> tuple[Ref, ...]:
        """The tensors that the selected cards show, in program order."""
        return self._chosen()[1]

    @property
    def path(self) -> Path | None:
        """Where the document is kept; None while it was never saved."""
        return self._path

    @property
    def name(self) -> str:
        """What the window calls it."""
        return self._name or self.tr("Untitled")

    @property
    def is_modified(self) -> bool:
        """True when there is something to save."""
        return not self.undo_stack.isClean()

    @property
    def is_empty(self) -> bool:
        """True when nothing is on the canvas and no line in the program."""
        return not self.program.order and not self.board.notes and not self.board.frames

    # ------------------------------------------------------------ edit

    def do(self, edit: Edit | Change, label: str, gesture: int = 0) -> Change:
        """Make an edit as one undo step; edits of the same gesture are one step.

        Raises ProgramError (CycleError) when the edit can't be made; then nothing has changed.
        """
        change = edit if isinstance(edit, Change) else edit(self._sheet)
        if change:
            self._made = self._sheet.apply(change)
            self.undo_stack.push(EditCommand(change, label, self.drawing, self._apply, gesture))
        return change

    def build(self, make: Callable[[Sheet, int], building.Built], label: str, gesture: int = 0) -> tuple[int, ...]:
        """Make new statements where new lines go; returns their ids. In the past the cursor follows to their end."""
        past, pass_ = self.is_past, self._pass_looked_at()
        built = make(self._sheet, self.insert_index())
        self.do(built.change, label, gesture)
        if past and built.ids and not self.covers.asks_outcome(self.program, built.ids[-1]):
            self.look_at_line(built.ids[-1])
            if self.program.loops(self.program[built.ids[-1]].block):
                self.look_at(self.session.trace.events_of_pass(built.ids[-1], pass_).stop)
        return built.ids

    def append(self, statement: Statement, label: str = "") -> int:
        """Add a line where new lines go and run it; returns its id."""
        shown = label or emit.statement_text(self.program, statement)
        return self.build(lambda sheet, at: building.append(sheet, statement, at), shown)[0]

    def append_all(self, statements: Iterable[Statement], label: str) -> tuple[int, ...]:
        """Add several lines where new lines go, as one undo step; returns their ids."""
        lines = list(statements)
        return self.build(lambda sheet, at: building.append_all(sheet, lines, at), label)

    def delete(self, ids: Iterable[int], label: str = "") -> None:
        """Delete statements, notes and frames, and say what else that took along or left open."""
        chosen = set(ids)
        removal = remove(self._sheet, [id_ for id_ in chosen if id_ in self.program])
        board = edits.remove_notes(self.board, [id_ for id_ in chosen if id_ in self.board.notes])
        board = board.then(edits.remove_frames(self.board, [id_ for id_ in chosen if id_ in self.board.frames]))
        words = self._removal_words(removal)
        label = label or self.tr("Delete {what}").format(what=counted(self._sheet, chosen))
        self.do(removal.change.then(board), label)
        self.clear_selection()
        if words:
            self.told.emit(words)

    def go_on(self) -> None:
        """Run on past the line at which a script stopped."""
        self.do(edits.set_stops(self.program, False), self.tr("Go on past the error"))

    def start_over(self) -> None:
        """Take away backwards and what only changes gradients or flags; the graph stays."""
        self.do(building.start_over(self._sheet).change, self.tr("Start over"))
        self.back_to_now()

    def run_forward_again(self) -> None:
        """Execute once more the operators that the chosen root needs."""
        root = self.root()
        if root is not None:
            self.append(building.again(root), self.tr("Run forward again"))

    def root(self) -> Ref | None:
        """What a backward starts from: the selected result, else the last result that nothing uses."""
        for id_ in reversed(self.selected_statements):
            if has_card(self.program, self.program[id_]):
                return self.program.maker(Ref(id_))
        return building.default_root(self.program)

    def remove_hook(self) -> None:
        """Take the last hook of what is selected away again: ``h.remove()``."""
        chosen = self.selected_tensors[-1:]
        found = [hook for ref in chosen for hook in hooks_on(self.program, self.state, ref)]
        if found:
            self.build(lambda sheet, at: building.remove_hook(sheet, found[-1], at), self.tr("Remove hook"))

    def replace_sheet(self, sheet: Sheet, label: str) -> None:
        """Put another sheet in the place of this one, as one undo step; the drawing stays."""
        other = dataclasses.replace(sheet, board=sheet.board.drawn_as(self.drawing))
        self.do(self._sheet.change_to(other), label)

    # ------------------------------------------------------------ selection

    def select(self, ids: Iterable[int], extend: bool = False) -> None:
        """Select statements, notes or frames; a panel may still offer some that are gone."""
        chosen = frozenset(id_ for id_ in ids if self._holds(id_) or id_ in self.program.blocks)
        self._choose(self._selection | chosen if extend else chosen)

    def _choose(self, chosen: frozenset[int]) -> None:
        if chosen != self._selection or self._node is not None:
            self._selection, self._node = chosen, None
            self.selected.emit()

    def select_node(self, number: int | None) -> None:
        """Select one backward node of the trace instead of anything on the board; None: nothing."""
        if number != self._node or self._selection:
            self._selection, self._node = frozenset(), number
            self._node_is = ("", 0) if number is None else self.session.trace.nodes[number][:2]
            self.selected.emit()

    def select_all(self) -> None:
        """Select every card and note."""
        self._choose(self.program.cards.union(self.board.notes, self.board.frames))

    def clear_selection(self) -> None:
        """Select nothing."""
        self.select(())

    def point_out(self, what: PointedOut) -> None:
        """Point at cards and wires on the canvas, as long as somebody looks at what is said of them."""
        if what != self.pointed_out:
            self.pointed_out = what
            self.pointing.emit()

    # ------------------------------------------------------------ drawing

    @property
    def drawing(self) -> str:
        """The drawing that is shown: one of ``board.DRAWINGS``."""
        return self.board.drawing

    def draw_as(self, drawing: str) -> None:
        """Show another drawing; no undo step, and nothing to save."""
        before = self.drawing
        if drawing != before:
            self._sheet = dataclasses.replace(self._sheet, board=self.board.drawn_as(drawing))
            self.drawn.emit(before)

    # ------------------------------------------------------------ file

    def set_path(self, path: Path | None) -> None:
        """Say where the document is kept."""
        self._path = path
        if path is not None:
            self._name = path.stem
        self.titled.emit()

    def set_name(self, name: str) -> None:
        """Name a document that has no file: an example, a copy."""
        self._name = name
        self.titled.emit()

    def mark_saved(self) -> None:
        """There is nothing to save now."""
        self.undo_stack.setClean()
        self.titled.emit()

    def mark_unsaved(self) -> None:
        """The file no longer holds what is here."""
        self.undo_stack.resetClean()
        self.titled.emit()

    def begin(self, sheet: Sheet, path: Path | None = None) -> None:
        """Hold another sheet from now on, as one that was just opened: nothing to undo, nothing to save."""
        board = self.board.drawn_as(sheet.board.drawing)
        change = dataclasses.replace(self._sheet, board=board).change_to(sheet)
        self.undo_stack.clear()
        self._line = self._event = None
        self._selection, self._node = frozenset(), None
        self._become(sheet, change, is_new=True)
        self._gone_selected.clear()
        self.selected.emit()
        if path is not None:
            self.set_path(path)
        self.titled.emit()

    def amend(self, change: Change) -> None:
        """Change places without an undo step: cards that come without a place are given one.

        It is part of the steps that told last where they lie, or brought them, so that undo and redo lead there.
        """
        if change:
            commands.amend(self.undo_stack, change, self.drawing)
            self._apply(change)

    def extend(self, change: Change) -> None:
        """Make a change as part of the newest undo step, whose run called for it."""
        step = self._newest()
        if change and step is not None:
            if self.undo_stack.isClean():
                self.undo_stack.resetClean()
            step.change = step.change.then(change)
            self._apply(change)

    # ------------------------------------------------------------ inside

    def _newest(self) -> EditCommand | None:
        """The undo step that was made last, while nothing after it waits to come back."""
        stack = self.undo_stack
        step = stack.command(stack.index() - 1) if 0 < stack.index() == stack.count() else None
        return step if isinstance(step, EditCommand) else None

    def _apply(self, change: Change, again_in: str = "") -> None:
        """Make a change; ``again_in`` is the drawing in which it was made first, where an undo or a redo makes it.

        What was selected when it went is selected again, and a change of where things lie is seen where it was made.
        """
        if again_in and (not change.tables.isdisjoint(LYING) or change.tables == {"places"}):
            self.draw_as(again_in)
        made, self._made = self._made, None
        self._become(made if made is not None else self._sheet.apply(change), change)
        if again_in:
            self._show_again(change)

    def _become(self, sheet: Sheet, change: Change, is_new: bool = False) -> None:
        """Hold a sheet that a change has made of the one before, or that ``is_new``."""
        before, self._sheet = self.program, sheet
        went = (id_ for (_, id_), (old, new) in _touched(change).items() if old is not None and new is None)
        self._gone_selected.update((id_, id_ in self._selection) for id_ in went if isinstance(id_, int))
        left = frozenset(id_ for id_ in self._selection if self._holds(id_))
        if left != self._selection:
            self._selection = left
            self.selected.emit()
        if change.touches_program:
            had_to_move, asked = self._follow_edit(before)
        self.changed.emit(change)
        if change.touches_program:
            self._run_edited(had_to_move, asked, is_new)
            self._tell_ran_again()

    def show_changed(self, change: Change) -> None:
        """Have what a change touched brought into view."""
        moved = [key[1] for key in change.keys("places") if isinstance(key, tuple)]
        ids = (*moved, *(id_ for _, id_ in _touched(change)))
        self.returned.emit(frozenset(id_ for id_ in ids if self._holds(id_)))

    def _show_again(self, change: Change) -> None:
        came_back = [id_ for (_, id_), (old, _) in _touched(change).items() if old is None and isinstance(id_, int)]
        chosen = [id_ for id_ in came_back if self._gone_selected.get(id_, True)]
        if chosen:
            self.select(chosen)
        self.show_changed(change)

    def _chosen(self) -> tuple[tuple[int, ...], tuple[Ref, ...]]:
        """The selected statements and their tensors; worked out once for each program and selection."""
        program, selection = self.program, self._selection
        if self._selected is None or self._selected[0] is not program or self._selected[1] is not selection:
            ids = tuple(sorted((id_ for id_ in selection if id_ in program), key=program.positions.__getitem__))
            cards = (id_ for id_ in ids if has_card(program, program[id_]))
            refs = tuple(dict.fromkeys(program.maker(Ref(id_)) for id_ in cards))
            self._selected = (program, selection, ids, refs)
        return self._selected[2:]

    def _holds(self, id_: int) -> bool:
        return id_ in self.program or id_ in self.board.notes or id_ in self.board.frames

    def _on_clean_changed(self, _clean: bool) -> None:
        self.titled.emit()

    def _removal_words(self, removal: Removal) -> str:
        words = []
        if removal.gone:
            lines = "; ".join(emit.shown_line(self.program, id_) for id_ in removal.gone)
            words.append(self.tr("Also deleted: {lines}").format(lines=lines))
        if removal.opened:
            names = ", ".join(self.program[id_].name or self.program[id_].call for id_ in removal.opened)
            words.append(self.tr("Left with an open port: {names}").format(names=names))
        return ". ".join(words)

    def _tell_ran_again(self) -> None:
        again = self.session.ran_again
        if again is None or self.is_scrubbed:
            return
        if again.backwards:
            one = self.tr("Ran again from line {line}, {n} backward included")
            more = self.tr("Ran again from line {line}, {n} backwards included")
            self.told.emit((one if again.backwards == 1 else more).format(line=again.line, n=again.backwards))
        else:
            self.told.emit(self.tr("Ran again from line {line}").format(line=again.line))


def _touched(change: Change) -> Mapping[Key, tuple[object, object]]:
    """The entries of a change that are lines, notes or frames: what is drawn."""
    return {key: pair for key, pair in change.entries.items() if key[0] in ("statements", "notes", "frames")}
