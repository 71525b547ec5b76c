"""What takes long goes on in slices: it is watched, given up without a trace, and comes out as if done in one go."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QToolButton, QWidget
from support.desk import CTRL, answering, settle, with_button

from chalkgrad.program import building, edits, files
from chalkgrad.program.board import AUTOGRAD, CARDS, DATA, Note
from chalkgrad.program.program import STRUCTURE
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app import clipboard, filing, opening, settings
from chalkgrad_app.canvas import following, redrawing, tidying
from chalkgrad_app.filing import open_windows
from chalkgrad_app.picture import brushes
from chalkgrad_app.picture.drawings.cards import CardDrawing
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets import highlight, slices, turns
from chalkgrad_app.widgets.working import Slicing

CODE = "import torch\nw = torch.ones(2, requires_grad=True)\na0 = w * 2\n" + "".join(
    f"a{number} = a{number - 1} + {number}\n" for number in range(1, 40)
)
"""Forty-one lines."""


@pytest.fixture
def slowly(monkeypatch):
    """A step in each turn of the event loop, so that even small documents take many."""
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    monkeypatch.setattr(filing, "AT_ONCE", 1)
    monkeypatch.setattr(redrawing, "AT_ONCE", 1)


@pytest.fixture
def path(tmp_path):
    """A document with a place for each card."""
    program = read_source(CODE)
    sheet = Sheet(program)
    at = {id_: (240.0 * (place % 8), 160.0 * (place // 8)) for place, id_ in enumerate(program.order)}
    files.write_file(tmp_path / "long.chalk", sheet.apply(edits.place(sheet.board, at)))
    return tmp_path / "long.chalk"


@pytest.fixture
def opened(window, path, slowly):
    """A window with the document, in which the drawing changes slowly."""
    window.filing.load(path)
    settle(window)
    window.canvas.setFocus()
    return window


def wait(window, working):
    while working.is_active:
        QApplication.processEvents()
    settle(window)


def progress(window, name) -> QWidget:
    found = window.findChild(QWidget, name)
    assert found is not None
    return found


def give_up(window, name, how):
    if how == "button":
        QTest.mouseClick(progress(window, name).findChild(QToolButton, f"{name}.cancel"), Qt.MouseButton.LeftButton)
    else:
        window.canvas.setFocus()
        QTest.keyClick(window.canvas, Qt.Key.Key_Escape)


def shown(picture) -> tuple[object, ...]:
    """Where everything of a picture is."""
    return picture.ids, *(
        np.round(each, 6).tolist() for each in (picture.x, picture.y, picture.w, picture.h, picture.ends)
    )


def whole(window) -> tuple[object, ...]:
    """The same of a picture that was made in one go."""
    document, made = window.document, Picture()
    made.update(document.program, document.board, document.state)
    return shown(made)


class TestOpening:
    def test_the_window_is_as_it_was_until_all_is_there(self, window, path, slowly):
        window.filing.open_path(path)
        for _ in range(5):
            QApplication.processEvents()
        assert window.document.is_empty
        assert progress(window, "opening").isVisible()
        assert progress(window, "opening").words.text() == "Opening long.chalk"
        wait(window, window.filing.opening)
        assert progress(window, "opening").isHidden()
        assert window.document.sheet == files.read_file(path)
        assert shown(window.canvas.picture) == whole(window)
        assert window.document.undo_stack.count() == 0

    def test_what_all_ask_of_the_program_is_known_before_it_is_there(self, window, path, slowly, monkeypatch):
        opened, known = opening.opening, []

        def watched(path):
            made = yield from opened(path)
            known.append(made.sheet.program.__dict__.keys() & set(STRUCTURE))
            return made

        monkeypatch.setattr(filing, "opening", watched)
        window.filing.open_path(path)
        wait(window, window.filing.opening)
        assert known == [set(STRUCTURE)]

    def test_what_colours_many_lines_is_there_before_they_are_painted(self, window, path, slowly, monkeypatch):
        monkeypatch.setattr(tidying, "AT_ONCE", 10)
        for known in (highlight._lexer, highlight._spans):
            known.cache_clear()
        window.filing.open_path(path)
        while window.document.is_empty:
            is_ready = highlight._lexer.cache_info().currsize
            QApplication.processEvents()
        assert is_ready

    @pytest.mark.parametrize("how", ["button", "escape"])
    def test_given_up_it_was_never_asked_for(self, window, path, slowly, how):
        window.filing.open_path(path)
        QApplication.processEvents()
        give_up(window, "opening", how)
        for _ in range(50):
            QApplication.processEvents()
        assert window.document.is_empty
        assert window.document.path is None
        assert settings.recent_files() == []
        assert len(open_windows()) == 1
        assert window.status_words.text() == "Opening was cancelled."
        window.filing.open_path(path)
        wait(window, window.filing.opening)
        assert window.document.path == path

    def test_code_is_laid_out_and_runs(self, window, tmp_path, slowly, qtbot):
        (tmp_path / "net.py").write_text(CODE + "a39.sum().backward()\n")
        window.filing.open_path(tmp_path / "net.py")
        wait(window, window.filing.opening)
        ref = window.document.program.named("w")
        assert window.document.state.tensor(ref.statement).grad.short == "[2., 2.]"
        qtbot.waitUntil(lambda: not window.canvas.tidying.is_working, timeout=20_000)
        assert shown(window.canvas.picture) == whole(window)

    def test_what_is_wrong_far_down_is_told_with_its_place(self, window, tmp_path, slowly):
        (tmp_path / "bad.py").write_text(CODE + "while True:\n    pass\n")
        with answering(with_button(QMessageBox.StandardButton.Ok)) as asked:
            window.filing.open_path(tmp_path / "bad.py")
            while window.filing.opening.is_active:
                QApplication.processEvents()
        assert "bad.py:43:1: " in asked.words
        assert window.document.is_empty

    def test_of_two_the_second_waits_for_the_first(self, window, path, tmp_path, slowly):
        (tmp_path / "other.chalk").write_bytes(path.read_bytes())
        window.filing.open_path(path)
        window.filing.open_path(tmp_path / "other.chalk")
        wait(window, window.filing.opening)
        names = sorted(each.document.name for each in open_windows())
        for other in open_windows():
            if other is not window:
                other.close()
        assert names == ["long", "other"]

    def test_another_document_after_it_is_drawn_anew(self, window, path, tmp_path, slowly):
        """The sprites of the first document's cards are not those of the second's, which have the same ids."""
        window.filing.load(path)
        settle(window)
        window.canvas.grab()
        (tmp_path / "short.py").write_text("import torch\nq = torch.full((2, 2), 7.)\nr = q.exp()\n")
        window.filing.load(tmp_path / "short.py")
        settle(window)
        image = window.canvas.grab().toImage()
        window.canvas._brushes.sprites.clear()
        window.canvas.repaint_still()
        assert window.canvas.grab().toImage() == image


class TestDrawing:
    @pytest.mark.parametrize(("key", "drawing"), [(Qt.Key.Key_2, DATA), (Qt.Key.Key_3, AUTOGRAD)])
    def test_the_one_before_is_seen_until_the_other_is_there(self, opened, key, drawing):
        QTest.keyClick(opened.canvas, key, CTRL)
        for _ in range(5):
            QApplication.processEvents()
        assert opened.document.drawing == CARDS
        assert progress(opened, "redrawing").isVisible()
        wait(opened, opened.canvas.redrawing.slices)
        assert opened.document.drawing == drawing
        assert progress(opened, "redrawing").isHidden()
        assert shown(opened.canvas.picture) == whole(opened)

    @pytest.mark.parametrize("asked", ["all", "selection"])
    def test_what_is_asked_to_be_seen_meanwhile_is_seen_of_the_other(self, opened, asked):
        canvas, document = opened.canvas, opened.document
        QTest.keyClick(canvas, Qt.Key.Key_3, CTRL)
        wait(opened, canvas.redrawing.slices)
        settle(opened)
        canvas.zoom_100()
        QTest.keyClick(canvas, Qt.Key.Key_1, CTRL)
        wait(opened, canvas.redrawing.slices)
        settle(opened)
        last = document.program.order[-1]
        document.select([last] if asked == "selection" else [])
        QTest.keyClick(canvas, Qt.Key.Key_3, CTRL)
        QApplication.processEvents()
        assert canvas.redrawing.slices.is_active
        QTest.keyClick(canvas, Qt.Key.Key_Home if asked == "all" else Qt.Key.Key_F)
        wait(opened, canvas.redrawing.slices)
        settle(opened)
        assert document.drawing == AUTOGRAD
        canvas.redrawing.finish()
        canvas.glide.finish()
        if asked == "all":
            assert canvas.shows_all
            assert canvas.scene_rect().contains(canvas.picture.bounds(lines=False))
        else:
            away = canvas.scene_rect().center() - canvas.picture.rect(last).center()
            assert away.manhattanLength() < 3

    def test_no_place_is_looked_for_again_when_it_is_shown(self, opened, monkeypatch):
        drawn, place = [], CardDrawing.place

        def noting(self, picture, homeless):
            drawn.append(opened.document.drawing)
            place(self, picture, homeless)

        monkeypatch.setattr(CardDrawing, "place", noting)
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        wait(opened, opened.canvas.redrawing.slices)
        assert opened.document.drawing == DATA
        assert set(drawn) == {CARDS}, "only while it was made"

    @pytest.mark.parametrize("how", ["button", "escape"])
    def test_given_up_all_is_as_it_was(self, opened, how):
        before, places = shown(opened.canvas.picture), opened.document.board.places
        QTest.mouseClick(opened.area.draw_as.button(DATA), Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        give_up(opened, "redrawing", how)
        settle(opened)
        assert opened.document.drawing == CARDS
        assert opened.area.draw_as.button(CARDS).isChecked()
        assert opened.actions_by_id["drawAsCards"].isChecked()
        assert opened.document.board.places == places
        assert shown(opened.canvas.picture) == before

    def test_an_edit_meanwhile_is_in_it(self, opened):
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        for _ in range(10):
            QApplication.processEvents()
        document = opened.document
        document.delete([document.program.named("a39").statement])
        wait(opened, opened.canvas.redrawing.slices)
        assert document.drawing == DATA
        assert len(opened.canvas.picture.ids) == 40
        assert shown(opened.canvas.picture) == whole(opened)
        document.undo_stack.undo()
        settle(opened)
        assert shown(opened.canvas.picture) == whole(opened)

    def test_what_is_covered_meanwhile_is_covered_in_it(self, opened, monkeypatch):
        monkeypatch.setattr(following, "BESIDE", 1)
        document = opened.document
        document.append(building.backward(document.root()))
        settle(opened)
        w = document.program.named("w").statement
        face = opened.canvas.picture.face(w)
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        turns = 0
        while opened.canvas.redrawing.slices.is_active:
            QApplication.processEvents()
            turns += 1
            if turns == 40:
                document.cover(True)
        settle(opened)
        assert turns > 40
        assert document.drawing == DATA
        while opened.canvas.is_behind:
            QApplication.processEvents()
        assert opened.canvas.picture.face(w).rows[0].grad != face.rows[0].grad
        made = Picture()
        made.update(document.program, document.board, document.state)
        assert opened.canvas.picture.facts.tolist() == made.facts.tolist()
        assert opened.canvas.picture.face(w) == made.face(w)

    def test_the_language_chosen_meanwhile_is_that_of_its_notes(self, opened):
        document = opened.document
        note = Note(document.program.next_id, (("en", "short"), ("zh_CN", "一\n\n二\n\n三\n\n四")), 0, -300, 200, 40)
        document.do(edits.put_note(document.board, note), "Note")
        settle(opened)
        before = opened.canvas.picture.notes[0].height
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        for _ in range(10):
            QApplication.processEvents()
        opened.presenting.toggle_language()
        wait(opened, opened.canvas.redrawing.slices)
        assert document.drawing == DATA
        assert opened.canvas.picture.notes[0].height > before

    def test_an_edit_meanwhile_does_not_say_that_it_was_given_up(self, opened):
        said = []
        opened.document.told.connect(said.append)
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        for _ in range(10):
            QApplication.processEvents()
        opened.document.delete([opened.document.program.named("a39").statement])
        wait(opened, opened.canvas.redrawing.slices)
        assert not [words for words in said if "given up" in words]

    def test_an_undo_that_leads_there_ends_it(self, opened):
        document, a5 = opened.document, opened.document.program.named("a5").statement
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        wait(opened, opened.canvas.redrawing.slices)
        document.do(edits.place(document.board, {a5: (-500.0, 0.0)}), "Move")
        QTest.keyClick(opened.canvas, Qt.Key.Key_1, CTRL)
        wait(opened, opened.canvas.redrawing.slices)
        said = []
        document.told.connect(said.append)
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        document.undo_stack.undo()
        assert document.drawing == DATA
        assert not opened.canvas.redrawing.slices.is_active
        assert not [words for words in said if "given up" in words]
        assert shown(opened.canvas.picture) == whole(opened)

    def test_a_window_that_closes_leaves_nothing_under_way(self, opened):
        opened.actions_by_id["duplicateDocument"].trigger()
        other = next(each for each in open_windows() if each is not opened)
        settle(other)
        QTest.keyClick(other.canvas, Qt.Key.Key_2, CTRL)
        under_way = other.canvas.redrawing.slices
        assert under_way.is_active
        other.close()
        assert not under_way.is_active

    def test_who_asks_for_the_drawing_that_is_there_gives_the_other_up(self, opened):
        QTest.keyClick(opened.canvas, Qt.Key.Key_2, CTRL)
        QTest.keyClick(opened.canvas, Qt.Key.Key_1, CTRL)
        assert not opened.canvas.redrawing.slices.is_active
        assert opened.document.drawing == CARDS


class TestPasting:
    @pytest.fixture
    def copied(self, opened, monkeypatch):
        """The window with all of its cards copied, about to be pasted slowly."""
        monkeypatch.setattr(clipboard, "AT_ONCE", 1)
        monkeypatch.setattr(clipboard, "MANY", 10)
        QTest.keyClick(opened.canvas, Qt.Key.Key_A, CTRL)
        settle(opened)
        QTest.keyClick(opened.canvas, Qt.Key.Key_C, CTRL)
        return opened

    def paste(self, window):
        QTest.keyClick(window.canvas, Qt.Key.Key_V, CTRL)
        for _ in range(100):  # past the reading
            QApplication.processEvents()
        return next(slices for slices in window.canvas.slices if slices.objectName() == "pasting")

    def test_they_are_there_all_at_once(self, copied):
        document = copied.document
        pasting = self.paste(copied)
        assert len(document.program) == 41
        assert progress(copied, "pasting").isVisible()
        assert progress(copied, "pasting").words.text() == "Paste 41 cards"
        wait(copied, pasting)
        assert len(document.program) == 82
        assert len(document.selection) == 41
        assert document.undo_stack.count() == 1
        assert shown(copied.canvas.picture) == whole(copied)
        original = document.program.named("a39").statement
        values = [document.state.tensor(id_).short for id_ in (original, max(document.selection))]
        assert values[0] == values[1]
        document.undo_stack.undo()
        settle(copied)
        assert len(document.program) == 41
        assert shown(copied.canvas.picture) == whole(copied)

    @pytest.mark.parametrize("how", ["button", "escape", "edit", "drawing"])
    def test_given_up_nothing_was_pasted(self, copied, how):
        document = copied.document
        for drawing in (DATA, CARDS) if how == "drawing" else ():  # all have places in both
            document.draw_as(drawing)
            settle(copied)
        pasting = self.paste(copied)
        if how == "edit":
            document.delete([document.program.named("a39").statement])
        elif how == "drawing":
            document.draw_as(DATA)
        else:
            give_up(copied, "pasting", how)
        assert not pasting.is_active
        settle(copied)
        assert len(document.program) == (40 if how == "edit" else 41)
        assert document.undo_stack.count() == (how == "edit")
        assert shown(copied.canvas.picture) == whole(copied)

    def drag(self, window, name):
        """Drag a card; what is selected goes along where it is among it."""
        canvas = window.canvas
        at = canvas.node_rect(name).center()
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        for by in (10, 20, 30):
            QTest.mouseMove(canvas, at + QPoint(by, by))
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QPoint(30, 30))

    def test_what_is_moved_meanwhile_gives_nothing_up(self, copied):
        document, said = copied.document, []
        document.told.connect(said.append)
        document.clear_selection()
        settle(copied)
        pasting, place = self.paste(copied), document.board.place(document.program.named("a39").statement)
        self.drag(copied, "a39")
        assert document.board.place(document.program.named("a39").statement) != place
        assert pasting.is_active
        assert progress(copied, "pasting").isVisible()
        wait(copied, pasting)
        assert not said
        assert len(document.program) == 82
        assert [document.undo_stack.text(step) for step in range(2)][1] == "Paste 41 cards"
        assert shown(copied.canvas.picture) == whole(copied)

    def test_what_is_moved_while_it_is_duplicated_lies_beside_its_copies(self, copied):
        document = copied.document
        QTest.keyClick(copied.canvas, Qt.Key.Key_D, CTRL)
        pasting = next(slices for slices in copied.canvas.slices if slices.objectName() == "pasting")
        originals = document.program.order
        before = [document.board.place(id_) for id_ in originals]
        self.drag(copied, "a39")
        assert pasting.is_active
        wait(copied, pasting)
        places = document.board.place
        assert all(places(id_).x > place.x for id_, place in zip(originals, before, strict=True))
        copies = document.program.order[len(originals) :]
        away = {
            (places(copy).x - places(id_).x, places(copy).y - places(id_).y)
            for id_, copy in zip(originals, copies, strict=True)
        }
        assert len(away) == 1
        assert shown(copied.canvas.picture) == whole(copied)


def test_cards_that_there_is_no_time_for_are_painted_a_turn_later(opened, monkeypatch):
    opened.canvas.zoom_100()
    settle(opened)
    canvas, painted = opened.canvas, opened.canvas.grab().toImage()
    monkeypatch.setattr(brushes, "PAINT_MS", 0.0)
    monkeypatch.setattr(brushes, "LEAST_MS", 0.0)
    canvas._brushes.sprites.clear()
    canvas.repaint_still()
    assert canvas.grab().toImage() != painted
    assert canvas._brushes.blanks
    while canvas._brushes.blanks or not canvas._backing.is_valid:
        QApplication.processEvents()
    assert canvas.grab().toImage() == painted


@pytest.mark.parametrize(("spent", "is_whole"), [(0.0, True), (60_000.0, False)])
def test_cards_share_the_time_of_a_turn_with_those_who_worked_in_it_before(opened, monkeypatch, spent, is_whole):
    opened.canvas.zoom_100()
    settle(opened)
    canvas, painted = opened.canvas, opened.canvas.grab().toImage()
    monkeypatch.setattr(brushes, "PAINT_MS", 60_000.0)
    monkeypatch.setattr(brushes, "LEAST_MS", 0.0)
    monkeypatch.setattr(turns.Turn, "spent_ms", spent)
    canvas._brushes.sprites.clear()
    canvas.repaint_still()
    assert (canvas.grab().toImage() == painted) is is_whole
    assert (canvas._brushes.blanks == 0) is is_whole


def test_what_shows_progress_is_made_when_there_is_some(window, path, slowly):
    """Most is never shown, and a theme would style all of it."""
    bar = progress(window, "opening")
    assert bar.children() == []
    window.filing.open_path(path)
    for _ in range(3):
        QApplication.processEvents()
    assert bar.isVisible()
    assert [button.text() for button in bar.findChildren(QToolButton)] == ["Cancel"]
    give_up(window, "opening", "button")
    assert not bar.isVisible()


def test_progress_is_painted_with_all_else_and_not_at_once(opened):
    """Qt's own bar paints in the middle of the work that it tells of, and with it the whole window."""
    canvas, bar = opened.canvas, opened.findChild(Slicing, "saving")
    bar.say("Saving", 10)
    settle(opened)
    painted = []
    paint = canvas._brushes.in_time

    def noted(*arguments):
        painted.append(arguments)
        return paint(*arguments)

    canvas._brushes.in_time = noted
    canvas.repaint_still()
    bar.say("Saving", 60)
    assert not painted
    assert bar.bar.value() == 60
    settle(opened)
    assert painted


@pytest.mark.parametrize("percent", [100, 200])
def test_progress_moves_nothing_in_the_window(opened, percent):
    opened.presenting.set_text_size(percent)
    settle(opened)
    working = opened.findChild(Slicing, "saving")
    before = opened.statusBar().height(), opened.canvas.size()
    working.say("Saving", 10)
    settle(opened)
    assert working.isVisible()
    assert (opened.statusBar().height(), opened.canvas.size()) == before
    assert working.cancel.height() >= working.cancel.fontMetrics().height(), "its text has room"
    working.hide()
    settle(opened)
    assert opened.canvas.size() == before[1]
