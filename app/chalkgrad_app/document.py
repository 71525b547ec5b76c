"""One open document: the only owner of program, board, session, cursor, selection and undo.

Notices of the core become Qt signals here and nowhere else. Views call down (``do``, ``append``, ``look_at``) and
read ``sheet`` and ``state``; they remember nothing of their own.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from chalkgrad.program import building, edits
from chalkgrad.program.board import Board
from chalkgrad.program.change import Change
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad.source import emit
from chalkgrad_app.commands import EditCommand
from chalkgrad_app.naming import counted

SLICE_MS = 8.0
"""How long the GUI thread may run the program at a time, in milliseconds."""

AT_ONCE = 4
"""So many slices are run at once after an edit: most programs are over then, and views look once, at the end."""

Edit = Callable[[Sheet], Change]


@dataclasses.dataclass(frozen=True, slots=True)
class PointedOut:
    """Cards to be seen at once, and between which of them the wires: pairs of a card and one that it is made from."""

    cards: tuple[int, ...] = ()
    links: frozenset[tuple[int, int]] = frozenset()


_gestures = itertools.count(1)


def new_gesture() -> int:
    """A number for one gesture; edits done under it become one undo step."""
    return next(_gestures)


class Document(QObject):
    """A sheet with its undo stack, the session that runs it, and what is looked at and selected."""

    changed = Signal(object)  # a Change: an edit, an undo or a redo
    traced = Signal(int, int)  # events from ... to ... are new; from 0 after a fresh start
    finished = Signal()  # the run came to its end
    moved = Signal(object)  # the cursor: a position, or None for now
    selected = Signal()
    titled = Signal()  # path, name or modified state
    told = Signal(str)  # a sentence for the status line
    covering = Signal()  # which gradients are covered
    returned = Signal(object)  # ids of what an undo or a redo has changed and is there
    pointing = Signal()  # what a panel points out on the canvas

    def __init__(self, sheet: Sheet | None = None, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet if sheet is not None else Sheet()
        self._path = path
        self._name = path.stem if path else ""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self._selection: frozenset[int] = frozenset()
        self._selected: tuple[Program, frozenset[int], tuple[int, ...], tuple[Ref, ...]] | None = None
        self._line: int | None = None
        self._event: int | None = None
        self._covering = False
        self.is_scrubbed = False  # True while a number is dragged: then who only tells of it may take its time
        self._revealed: set[int] = set()
        self.pointed_out = PointedOut()
        self._state: State | None = None
        self._traced = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_timer)
        self.session = Session(self._sheet.program)
        self._run_slice()

    # ------------------------------------------------------------ read

    @property
    def sheet(self) -> Sheet:
        """Program and board."""
        return self._sheet

    @property
    def program(self) -> Program:
        """The program."""
        return self._sheet.program

    @property
    def board(self) -> Board:
        """The board."""
        return self._sheet.board

    @property
    def state(self) -> State:
        """Everything as it is at the cursor: the only state there is."""
        if self._state is None:
            state = self.session.trace.state(self.cursor)
            covered = self._is_covered if self._covering else None
            self._state = dataclasses.replace(state, covered=covered)
        return self._state

    @property
    def cursor(self) -> int | None:
        """The position looked at, in events that have happened; None: now."""
        if self._line is None or self._line not in self.program:
            return None
        if self._event is not None:
            return min(self._event, len(self.session.trace))
        return self.session.trace.end_of(self._line)

    @property
    def cursor_line(self) -> int | None:
        """Id of the statement the cursor stands in; None: now."""
        return self._line if self._line in self.program else None

    @property
    def is_past(self) -> bool:
        """True when the cursor is not at the end."""
        cursor = self.cursor
        return cursor is not None and cursor < len(self.session.trace)

    @property
    def is_running(self) -> bool:
        """True while the program still runs."""
        return not self.session.done

    @property
    def selection(self) -> frozenset[int]:
        """Ids of what is selected: statements, notes, frames."""
        return self._selection

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

    def insert_index(self) -> int:
        """The place where a new line goes: after the line looked at, or the end."""
        line = self.cursor_line
        if line is None or not self.is_past:
            return len(self.program.order)
        return self.program.positions[line] + 1

    # ------------------------------------------------------------ edit

    def do(self, edit: Edit | Change, label: str, gesture: int = 0) -> Change:
        """Make an edit as one undo step; edits of the same gesture are one step.

        Raises ProgramError (CycleError) when the edit can't be made; then nothing has changed.
        """
        change = edit if isinstance(edit, Change) else edit(self._sheet)
        if change:
            self._sheet.apply(change)
            self.undo_stack.push(EditCommand(change, label, self._apply, gesture))
        return change

    def build(self, make: Callable[[Sheet, int], building.Built], label: str, gesture: int = 0) -> tuple[int, ...]:
        """Make new statements where new lines go; returns their ids. In the past the cursor follows to their end."""
        past = self.is_past
        built = make(self._sheet, self.insert_index())
        self.do(built.change, label, gesture)
        if past and built.ids:
            self.look_at_line(built.ids[-1])
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
        removal = edits.remove(self._sheet, [id_ for id_ in chosen if id_ in self.program])
        board = edits.remove_notes(self.board, [id_ for id_ in chosen if id_ in self.board.notes])
        board = board.then(edits.remove_frames(self.board, [id_ for id_ in chosen if id_ in self.board.frames]))
        words = self._removal_words(removal)
        label = label or self.tr("Delete {what}").format(what=counted(self._sheet, chosen))
        self.do(removal.change.then(board), label)
        self.clear_selection()
        if words:
            self.told.emit(words)

    def stopped_at(self) -> int | None:
        """The failed line at which a script stopped, or None."""
        failed = self._failures() if self.program.stops else {}
        return next(iter(failed), None)

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
            if building.has_card(self.program, self.program[id_]):
                return self.program.maker(Ref(id_))
        return building.default_root(self.program)

    def replace_sheet(self, sheet: Sheet, label: str) -> None:
        """Put another sheet in the place of this one, as one undo step."""
        self.do(self._difference(sheet), label)

    # ------------------------------------------------------------ time

    def look_at(self, position: int | None) -> None:
        """Look at a position of the trace; None: now."""
        if position is None or position >= len(self.session.trace):
            self._set_cursor(None, None)
            return
        line = self.session.trace.line_at(position)
        self._set_cursor(line, position)

    def look_at_line(self, id_: int | None) -> None:
        """Look at the moment after a statement; the last one means now."""
        if id_ is not None and self.program.order and id_ == self.program.order[-1]:
            id_ = None
        self._set_cursor(id_, None)

    def back_to_now(self) -> None:
        """Look at the end."""
        self._set_cursor(None, None)

    def step_line(self, by: int) -> None:
        """Look at the next (+1) or previous (-1) line."""
        shown = [id_ for id_ in self.program.order if not self.program.is_inline(id_)]
        if not shown:
            return
        line = self.cursor_line
        here = shown.index(line) if line in shown else len(shown) - 1
        if by > 0 and self._event is not None and self.state.inside:
            here -= 1  # the rest of a line that is looked into comes before the next line
        there = here + by
        if 0 <= there < len(shown):
            self.look_at_line(shown[there])

    def step_event(self, by: int) -> None:
        """Look at the next (+1) or previous (-1) event."""
        cursor = self.cursor
        here = len(self.session.trace) if cursor is None else cursor
        self.look_at(max(1, here + by))

    # ------------------------------------------------------------ selection and covering

    def select(self, ids: Iterable[int], extend: bool = False) -> None:
        """Select statements, notes or frames."""
        chosen = frozenset(ids)
        chosen = self._selection | chosen if extend else chosen
        if chosen != self._selection:
            self._selection = chosen
            self.selected.emit()

    def select_all(self) -> None:
        """Select every card and note."""
        cards = [s.id for s in self.program if building.has_card(self.program, s)]
        self.select([*cards, *self.board.notes, *self.board.frames])

    def clear_selection(self) -> None:
        """Select nothing."""
        self.select(())

    def point_out(self, what: PointedOut) -> None:
        """Point at cards and wires on the canvas, as long as somebody looks at what is said of them."""
        if what != self.pointed_out:
            self.pointed_out = what
            self.pointing.emit()

    @property
    def is_covering(self) -> bool:
        """True while gradients are covered."""
        return self._covering

    def cover(self, on: bool) -> None:
        """Cover all gradients, or show them again."""
        self._covering = on
        self._revealed.clear()
        self._state = None
        self.covering.emit()

    def reveal(self, number: int) -> None:
        """Show the gradient of one tensor, by its number in the trace."""
        self._revealed.add(number)
        self._state = None
        self.covering.emit()

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
        change = self._difference(sheet)
        self._sheet = dataclasses.replace(self._sheet, extra=sheet.extra)
        self.undo_stack.clear()
        self._line = self._event = None
        self._selection = frozenset()
        self._apply(change)
        self.selected.emit()
        if path is not None:
            self.set_path(path)
        self.titled.emit()

    def amend(self, change: Change) -> None:
        """Change places without an undo step: cards that come without a place are given one."""
        if change:
            self._apply(change)

    def failed(self) -> dict[int, str]:
        """The exception types of the lines that the code must catch, by id: none where a script stops by itself."""
        return {} if self.program.stops else self._failures()

    def _failures(self) -> dict[int, str]:
        end = self.session.trace.state(None)
        return {problem.statement: problem.type for problem in end.problems if not problem.warning}

    def finish(self) -> None:
        """Run to the end now, whatever it takes; for tests and for export."""
        while not self.session.done:
            self._run_slice()

    # ------------------------------------------------------------ inside

    def _apply(self, change: Change, again: bool = False) -> None:
        """Make a change; ``again`` where an undo or a redo makes it: then what came back is selected."""
        before = self.program
        self._sheet = self._sheet.apply(change)
        left = frozenset(id_ for id_ in self._selection if self._holds(id_))
        if left != self._selection:
            self._selection = left
            self.selected.emit()
        if change.touches_program:
            self.session.update(self.program)
            self._state = None
            had_to_move = self._keep_cursor(before)
        self.changed.emit(change)
        if change.touches_program:
            self._run_slice(AT_ONCE)
            if had_to_move:
                self.moved.emit(self.cursor)
            self._tell_ran_again()
        if again:
            self._show_again(change)

    def _show_again(self, change: Change) -> None:
        touched = {key: pair for key, pair in change.entries.items() if key[0] in ("statements", "notes", "frames")}
        came_back = [id_ for (_, id_), (old, _) in touched.items() if old is None and isinstance(id_, int)]
        if came_back:
            self.select(came_back)
        moved = [key[1] for key in change.keys("places") if isinstance(key, tuple)]
        ids = frozenset(id_ for id_ in (*moved, *(id_ for _, id_ in touched)) if self._holds(id_))
        self.returned.emit(ids)

    def _chosen(self) -> tuple[tuple[int, ...], tuple[Ref, ...]]:
        """The selected statements and their tensors; worked out once for each program and selection."""
        program, selection = self.program, self._selection
        if self._selected is None or self._selected[0] is not program or self._selected[1] is not selection:
            ids = tuple(sorted((id_ for id_ in selection if id_ in program), key=program.positions.__getitem__))
            cards = (id_ for id_ in ids if building.has_card(program, program[id_]))
            refs = tuple(dict.fromkeys(program.maker(Ref(id_)) for id_ in cards))
            self._selected = (program, selection, ids, refs)
        return self._selected[2:]

    def _holds(self, id_: int) -> bool:
        return id_ in self.program or id_ in self.board.notes or id_ in self.board.frames

    def _keep_cursor(self, before: Program) -> bool:
        """After an edit the cursor stands at the end of its line, or of the nearest line before it that is left.

        True when it stands in another line than before.
        """
        self._event = None
        if self._line is None or self._line in self.program:
            return False
        earlier = before.order[: before.positions[self._line]]
        self._line = next((id_ for id_ in reversed(earlier) if id_ in self.program), None)
        if self._line is not None and self._line == self.program.order[-1]:
            self._line = None
        return True

    def _run_slice(self, slices: int = 1) -> None:
        before = self._traced
        if self.session.started_afresh(before):
            before = 0
            self._revealed.clear()  # objects are numbered anew
        done = self.session.advance(slices * SLICE_MS)
        self._traced = len(self.session.trace)
        self._state = None
        self.traced.emit(before, self._traced)
        if done:
            self._timer.stop()
            self.finished.emit()
        elif not self._timer.isActive():
            self._timer.start()

    def _on_timer(self) -> None:
        self._run_slice(AT_ONCE if self.is_scrubbed else 1)

    def _set_cursor(self, line: int | None, event: int | None) -> None:
        if (line, event) != (self._line, self._event):
            self._line, self._event = line, event
            self._state = None
            self.moved.emit(self.cursor)

    def _is_covered(self, number: int) -> bool:
        return number not in self._revealed

    def _on_clean_changed(self, _clean: bool) -> None:
        self.titled.emit()

    def _difference(self, sheet: Sheet) -> Change:
        """The change from the sheet as it is to ``sheet``."""
        entries: dict[tuple[str, object], tuple[object, object]] = {}
        for table, old, new in (
            ("statements", self.program.statements, sheet.program.statements),
            ("blocks", self.program.blocks, sheet.program.blocks),
            ("places", self.board.places, sheet.board.places),
            ("notes", self.board.notes, sheet.board.notes),
            ("frames", self.board.frames, sheet.board.frames),
            ("folds", self.board.folds, sheet.board.folds),
            ("labels", self.board.labels, sheet.board.labels),
        ):
            for key in {*old, *new}:
                before, after = old.get(key), new.get(key)
                if before != after:
                    entries[(table, key)] = (before, after)
        if self.program.stops != sheet.program.stops:
            entries[("program", "stops")] = (self.program.stops, sheet.program.stops)
        order = (self.program.order, sheet.program.order)
        return Change(entries, order if order[0] != order[1] else None)

    def _removal_words(self, removal: edits.Removal) -> str:
        words = []
        if removal.gone:
            lines = "; ".join(emit.line(self.program, id_) for id_ in removal.gone)
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
