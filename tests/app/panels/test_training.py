"""The training panel: the form, rounds by buttons and keys, the curves, and what it says of gradients that add up."""

from __future__ import annotations

import csv
import io

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.panels import child, click, lines, press, settle, tensor

from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind
from chalkgrad.source.read import read_source
from chalkgrad_app import i18n, running_sheet
from chalkgrad_app.panels import training_form

FITTING = """x = torch.tensor([1., 2., 3.])
y = torch.tensor([2., 4., 6.])
w = torch.tensor([0.], requires_grad=True)
b = torch.zeros(1, requires_grad=True)
"""
LOSS = FITTING + "loss = ((x * w + b - y) ** 2).mean()\n"
LOOP = (
    FITTING
    + """optimizer = torch.optim.SGD([w, b], lr=0.05)
for step in range(8):
    loss = ((x * w + b - y) ** 2).mean()
    loss.backward()
    optimizer.step()
"""
)


@pytest.fixture
def opened(from_text, show):
    def make(text):
        from chalkgrad_app.panels.training import TrainingPanel
        from chalkgrad_app.training import Training

        document = from_text(text)
        panel = show(TrainingPanel(document, Training(document, document)), 320, 640)
        settle()
        return panel

    return make


def held(panel):
    """Let a run that goes on come to where it waits."""
    for _ in range(50):
        if not panel.document.is_running:
            break
        QTest.qWait(5)
    panel.catch_up()


def test_a_run_that_would_fill_the_memory_waits_and_says_how_it_goes_on(opened, monkeypatch):
    monkeypatch.setattr(running_sheet, "RESTS_AFTER", 100)
    body = "w = torch.ones(1)\nfor i in range(6):\n    for j in range(20):\n        a = w + j\n"
    panel = opened("")
    document, said = panel.document, []
    document.told.connect(said.append)
    document.replace_sheet(Sheet(read_source(f"import torch\n{body}")), "Open")
    held(panel)
    assert document.session.is_held
    assert 100 <= len(document.session.trace) < 110
    assert said[-1] == "The loop waits after round 2 of 6: Train > Run all rounds goes on"
    click(panel.all)
    held(panel)
    assert 200 <= len(document.session.trace) < 220
    document.finish()
    assert document.session.done


def test_the_form_makes_a_loop_in_one_step(opened):
    panel = opened(LOSS)
    document = panel.document
    before = lines(document)
    form = panel.form
    assert form.loss.currentText() == "loss"
    QTest.keyClick(form.update_rule, Qt.Key.Key_Home)
    settle()
    form.update_rule.activated.emit(form.update_rule.currentIndex())
    settle()
    assert "w -= 0.1 * w.grad" in form.preview.text()
    form.rounds.setFocus()
    form.rounds.selectAll()
    QTest.keyClicks(form.rounds, "5")
    settle()
    assert "for step in range(5):" in form.preview.text()
    click(child(panel, "training.make"))
    document.finish()
    panel.catch_up()
    assert [block.rounds for block in document.program.blocks.values() if block.is_loop] == [5]
    assert panel.where.text() == "round 5 of 5"
    assert not panel.form.isVisible()
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert lines(document) == before


@pytest.mark.parametrize("name", ["loss", "update", "lr", "rounds", "zeroes", "make"])
def test_enter_in_any_field_of_the_form_makes_the_loop(opened, name):
    panel = opened(LOSS)
    field = child(panel, f"training.{name}")
    field.setFocus()
    if name == "rounds":
        field.selectAll()
        QTest.keyClicks(field, "5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    panel.document.finish()
    assert [block.rounds for block in panel.document.program.blocks.values()] == [5 if name == "rounds" else 20]
    assert panel.document.undo_stack.count() == 1


def test_nothing_to_train_is_said(opened):
    panel = opened("x = torch.ones(2)\n")
    assert not panel.form.make.isEnabled()
    assert "requires grad" in panel.form.words.text()


def test_a_loss_that_was_just_deleted_trains_nothing(opened):
    panel = opened(LOSS)
    form, document = panel.form, panel.document
    form.rounds.setFocus()
    assert form.make.isEnabled()
    document.delete([document.program.named("loss").statement])
    QTest.keyClick(form.rounds, Qt.Key.Key_Up)  # the panel has not had its turn to follow
    assert not form.make.isEnabled()


def test_rounds_by_buttons(opened):
    panel = opened(LOOP)
    document = panel.document
    assert panel.where.text() == "round 8 of 8"
    assert not panel.on.isEnabled()
    last = tensor(document, "w").short
    click(panel.back)
    panel.catch_up()
    assert panel.where.text() == "round 7 of 8"
    assert document.is_past
    assert tensor(document, "w").version == 7
    for _ in range(7):
        click(panel.back)
    assert panel.training.number == 0
    assert tensor(document, "w").short == "[0.]"
    click(panel.back)
    assert panel.training.number == 0
    click(panel.on)
    assert panel.training.number == 1
    click(panel.all)
    assert not document.is_past
    assert tensor(document, "w").short == last


def test_a_run_is_started_over_and_goes_on_round_by_round(opened):
    panel = opened(LOOP)
    document = panel.document
    click(panel.first)
    held(panel)
    assert panel.training.begun == 0
    assert document.session.is_held
    assert panel.where.text() == "waits before round 1 of 8"
    assert tensor(document, "w").short == "[0.]"
    for number in (1, 2):
        click(panel.on)
        held(panel)
        assert panel.training.begun == number == tensor(document, "w").version
    click(panel.all)
    held(panel)
    assert document.session.done
    assert panel.training.number == 8


def test_playing_goes_from_round_to_round_and_stops_at_the_end(opened):
    panel = opened(LOOP)
    panel.training.set_speed(25)
    seen = []
    panel.document.moved.connect(lambda _: seen.append(panel.training.number))
    click(panel.play)
    assert panel.training.is_playing
    for _ in range(500):
        if not panel.training.is_playing:
            break
        QTest.qWait(10)
    assert seen == list(range(9)), "from before the first round"
    assert panel.training.number == 8
    assert not panel.training.is_playing


def test_a_click_on_the_curve_looks_at_its_round(opened):
    panel = opened(LOOP)
    plot = panel.losses
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(round(plot.x_of(3)), plot.height() // 2))
    settle()
    assert panel.training.number == 3
    plot.setFocus()
    press(plot, Qt.Key.Key_Right)
    assert panel.training.number == 4
    press(plot, Qt.Key.Key_End)
    assert panel.training.number == 8
    press(plot, Qt.Key.Key_Home)
    assert panel.training.number == 1
    panel.catch_up()
    assert [name for name, _ in plot.values_at(1)] == ["loss"]
    assert [name for name, _ in panel.paths.values_at(1)] == ["w", "b"]
    assert tensor(panel.document, "w").value.item() == pytest.approx(dict(panel.paths.values_at(1))["w"])


def test_the_way_of_the_parameters_begins_before_the_first_round(opened):
    panel = opened(LOOP)
    plot = panel.paths
    panel.training.look_at_round(2)
    panel.catch_up()
    plot.setFocus()
    press(plot, Qt.Key.Key_Home)
    panel.catch_up()
    assert panel.training.number == 0
    before = {name: tensor(panel.document, name).value.item() for name in ("w", "b")}
    assert dict(plot.values_at(0)) == pytest.approx(before)
    assert plot.accessibleDescription().count("in round 0") >= 2
    assert panel.losses.values_at(0) == []
    assert panel.losses.round_at(0) == 1
    shares = [(p.x_of(4) - p.x_of(0)) / p.ground().area.width() for p in (plot, panel.losses)]
    assert shares[0] == pytest.approx(shares[1]), "rounds lie one below the other"
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(round(plot.x_of(8)), plot.height() // 2))
    assert panel.training.number == 8


def test_the_numbers_are_copied_as_a_table(opened):
    panel = opened(LOOP)
    panel.paths.copy_numbers()
    rows = list(csv.reader(io.StringIO(QApplication.clipboard().text())))
    assert rows[0] == ["round", "w", "b"]
    assert [row[0] for row in rows[1:]] == [str(number) for number in range(9)]
    assert [float(cell) for cell in rows[1][1:]] == [0.0, 0.0], "before the first round"
    assert float(rows[-1][1]) == tensor(panel.document, "w").value.item()
    assert not panel.losses.picture().isNull()


def test_the_curves_are_told_in_words(opened):
    panel = opened(LOOP)
    assert "18.67 in round 1" in panel.losses.accessibleDescription()
    assert panel.losses.accessibleName()


def test_forgotten_zeroing_is_said_and_mended(opened):
    panel = opened(LOOP)
    document = panel.document
    assert panel.hint.isVisible()
    assert "by now 8 of them are added up in w.grad, b.grad" in panel.hint_words.text()
    panel.training.look_at_round(3)
    panel.catch_up()
    assert "by now 3 of them" in panel.hint_words.text()
    panel.training.look_at_round(1)
    panel.catch_up()
    assert not panel.hint.isVisible()
    panel.training.look_at_round(8)
    panel.catch_up()
    assert panel.mend.text() == "optimizer.zero_grad()"
    click(panel.mend)
    document.finish()
    panel.catch_up()
    assert not panel.hint.isVisible()
    calls = [s.call for s in document.program if s.kind in (Kind.UPDATE, Kind.BACKWARD)]
    assert calls == ["zero_grad", "backward", "step"]
    document.undo_stack.undo()
    document.finish()
    panel.catch_up()
    assert panel.hint.isVisible()


def test_zeroing_by_hand_where_there_is_no_optimizer(opened):
    panel = opened("w = torch.tensor([2.], requires_grad=True)\nfor step in range(3):\n    (w * w).sum().backward()\n")
    click(panel.mend)
    assert "w.grad = None" in lines(panel.document)


def test_where_the_loop_is_just_gone_nothing_is_mended(opened):
    panel = opened(LOOP)
    document = panel.document
    assert panel.hint.isVisible()
    places = document.program.bodies[panel.training.loop]
    document.delete(document.program.order[places.start : places.stop])
    left = document.program
    QTest.mouseClick(panel.mend, Qt.MouseButton.LeftButton)  # the panel has not followed yet
    assert document.program is left
    assert not panel.hint.isVisible()


def test_an_edit_of_the_rounds_runs_them(opened):
    from chalkgrad.program import edits

    panel = opened(LOOP)
    document = panel.document
    loop = panel.training.loop
    document.do(lambda sheet: edits.set_rounds(sheet.program, loop, 3), "rounds")
    document.finish()
    panel.catch_up()
    assert panel.where.text() == "round 3 of 3"
    assert len(panel.losses.curves[0].values) == 3


def test_in_chinese(opened, chinese):
    panel = opened(LOOP)
    panel.retranslate()
    panel.schedule()
    panel.catch_up()
    assert panel.where.text() == "第 8 轮，共 8 轮"


def test_a_line_that_fails_in_every_round_is_one_problem(from_text, show):
    from chalkgrad_app.panels.problems import ProblemsPanel

    text = "w = torch.tensor([1.], requires_grad=True)\nz = (w * w).sum()\nfor step in range(6):\n    z.backward()\n"
    document = from_text(text)
    panel = show(ProblemsPanel(document))
    panel.catch_up()
    assert panel.list.count() == 1
    assert panel.text().startswith("line 3, 5 times  RuntimeError: Trying to backward")


def test_the_corner_of_the_plot_has_room_for_its_words_in_each_language(opened):
    panel = opened(LOOP)
    try:
        for code in ("zh_CN", "en"):
            i18n.set_language(code)
            panel.retranslate()
            settle()
            assert panel.log.width() >= panel.log.sizeHint().width()
            assert panel.losses.rect().contains(panel.log.geometry())
    finally:
        i18n.set_language("en")


def test_the_curves_share_the_height_that_is_there(opened):
    panel = opened(LOOP)
    panel.resize(288, 560)
    settle()
    heights = panel.losses.height(), panel.paths.height()
    assert abs(heights[0] - heights[1]) <= 1
    assert panel.map.plot.isHidden()
    free = panel.run.height() - panel.losses.y() - sum(heights) - panel.map.switch.height()
    assert free < 30, "nothing stays blank below them"
    click(panel.map.switch, QPoint(8, panel.map.switch.height() // 2))
    settle()
    assert panel.map.plot.isVisible()
    assert panel.map.plot.height() >= 100


def test_six_parameters_take_two_rows_of_legend_as_wide_as_the_dock_is_at_first(opened):
    loop = "for step in range(8):\n    loss = (w * w).sum()\n    loss.backward()\n"
    panel = opened(f"w = torch.ones(2, 3, requires_grad=True)\n{loop}")
    panel.resize(304, 560)
    settle()
    assert [curve.name for curve in panel.paths.curves][-1] == "w[1, 2]"
    area = panel.paths.ground().area
    line = panel.paths.fontMetrics().height()
    assert area.top() < 3 * line
    assert area.height() > 100


def test_the_lines_that_a_loop_would_make_come_when_the_fields_are_there(opened):
    panel = opened(LOSS)
    form = panel.form
    before = form.preview.text()
    form.rounds.setValue(7)
    form.lr.setValue(0.5)  # the lines of the rounds alone are given up
    assert form.preview.text() == before
    settle()
    assert "for step in range(7):" in form.preview.text()
    assert "lr=0.5" in form.preview.text()


def test_a_long_loop_is_previewed_by_its_first_and_last_lines_and_a_very_long_one_not_at_all(opened, monkeypatch):
    more = "".join(f"a{number} = a{number - 1} * 2\n" for number in range(1, 60))
    panel = opened(f"w = torch.tensor(1., requires_grad=True)\na0 = w * 2\n{more}loss = a59.exp()\n")
    shown = panel.form.preview.text().split("\n")
    assert len(shown) == training_form.MOST + 3  # the optimiser, the loop, and the dots
    assert shown[:3] == ["optimizer = torch.optim.SGD([w], lr=0.1)", "for step in range(20):", "    a0 = w * 2"]
    assert shown[22] == "    ..."
    assert shown[-1] == "    optimizer.step()"
    monkeypatch.setattr(training_form, "MANY", 50)
    panel.document.select([panel.document.program.named("a59").statement])
    settle()
    assert not panel.form.preview.isVisible()
    assert panel.form.make.isEnabled()
    click(panel.form.make)
    panel.document.finish()
    assert [block.rounds for block in panel.document.program.blocks.values()] == [20]


def test_the_form_is_filled_in_a_time_that_grows_with_the_program(opened, monkeypatch):
    """Whether a result may be a loss is not asked of each, which would look at all lines above it."""
    asked, needs = [], Program.needs
    monkeypatch.setattr(Program, "needs", lambda self, id_: asked.append(id_) or needs(self, id_))
    more = "".join(f"a{number} = a{number - 1} * 2\n" for number in range(1, 60))
    panel = opened(f"w = torch.tensor(1., requires_grad=True)\nx = torch.ones(2)\nc = x + 1\na0 = w * 2\n{more}")
    names = [panel.form.loss.itemText(row) for row in range(panel.form.loss.count())]
    assert names == [f"a{number}" for number in range(59, -1, -1)]
    assert panel.form.loss.currentText() == "a59"
    assert len(asked) < 20
