"""Simplified Chinese: nothing missing, nothing stale, and no English left in the window where it isn't code."""

import importlib.util
import json
import re
import shutil
import string
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QTimer
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox
from support.chinese import CHINESE, MESSAGE_FILES, MESSAGES, QM, ROOT, TS, assert_chinese, english_in, messages, said

from chalkgrad.engine.record import OPS
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import read
from chalkgrad_app import actions, commanding, i18n, menus, settings
from chalkgrad_app.application import application
from chalkgrad_app.canvas.hit import NOTHING, Hit, HitKind
from chalkgrad_app.export.dialog import ExportDialog
from chalkgrad_app.main import create_window
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.picture.look import Words, card_words
from chalkgrad_app.widgets.command_palette import CommandPalette
from chalkgrad_app.widgets.key_list import KeyList

SAME = frozenset({"100%", "autograd.grad"})
"""Texts that are the same in every language."""

PROGRAM = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2., 3., 4.])
z = torch.zeros(2, 3)
m = z @ w
q = m + 1
a = w * x
s = a.sum()
s.backward()
t = a.exp()
w.grad = None
print(w.grad)
with torch.no_grad():
    u = x + 1
"""


def _translate_tool():
    spec = importlib.util.spec_from_file_location("chalkgrad_translate", ROOT / "packaging" / "translate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _translate_tool()
needs_tools = pytest.mark.skipif(
    not all(Path(TOOL.tool(name)).exists() for name in ("lupdate", "lrelease")), reason="PySide6's tools are not here"
)


def test_nothing_is_unfinished() -> None:
    unfinished = [key for key, element in messages().items() if element.get("type") or not element.text]
    assert MESSAGES
    assert unfinished == []


def test_the_compiled_file_is_that_of_the_texts(tmp_path: Path) -> None:
    if not Path(TOOL.tool("lrelease")).exists():
        pytest.skip("PySide6's tools are not here")
    made = tmp_path / QM.name
    subprocess.run([TOOL.tool("lrelease"), str(TS), "-qm", str(made)], check=True, capture_output=True)
    assert made.read_bytes() == QM.read_bytes(), "run packaging/translate.py"


@needs_tools
def test_every_text_of_the_code_was_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(TS, tmp_path)
    monkeypatch.setattr(TOOL, "FOLDER", tmp_path)
    assert TOOL.main() == 0
    assert set(messages(tmp_path / TS.name)) == set(messages()), "run packaging/translate.py"


def _slots(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize(("context", "english"), MESSAGES)
def test_a_text_keeps_its_fields_and_is_set_the_chinese_way(context: str, english: str) -> None:
    chinese = MESSAGES[context, english]
    assert _slots(chinese) == _slots(english)
    assert chinese == chinese.strip()
    assert "..." not in chinese, "the ellipsis is one character"
    assert re.search(r"[\u4e00-\u9fff][,.;:?!]", chinese) is None, "full-width punctuation after Chinese"
    assert english in SAME or chinese != english


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    i18n.set_language("en")


@pytest.fixture
def chinese(window):
    """A window that was switched to Chinese while it was open."""
    i18n.set_language("zh_CN")
    settle()
    return window


@pytest.fixture
def busy(chinese):
    """The same with a program in which lines have run, failed, were not reached and wait."""
    show(chinese, PROGRAM)
    chinese.canvas.place_operator("mul")
    settle(chinese)
    return chinese


def settle(window=None) -> None:
    for _ in range(3):
        QCoreApplication.processEvents()
    if window is not None:
        window.document.finish()
        for panel in window.findChildren(Mirror):
            panel.catch_up()
        QCoreApplication.processEvents()


def show(window, source: str) -> None:
    """Put a program into the window and lay it out."""
    window.document.replace_sheet(Sheet(read.read_source(source)), "程序")
    window.canvas.tidy()
    settle(window)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Run forward again", "Run forward again"),
        ("Tidy (L)", "Tidy"),
        ("Fit &all", "Fit all"),
        ("Problems 2", "Problems"),
        ("line 2 of 7", "line 2 of 7"),
        ("Arithmetic", "Arithmetic"),
        ("w (selection)", "w (selection)"),
        ("b = w.detach()\nDetach", "Detach"),
        ("请 press Enter 继续", "press Enter"),
        ("按 Enter 搭出这个表达式的计算图", ""),
        ("gw, gx = torch.autograd.grad(y, [w, x])", ""),
        ("retain_graph None", ""),
    ],
)
def test_english_is_told_from_code(text: str, english: str) -> None:
    assert english_in(text) == english


def test_the_empty_window(chinese) -> None:
    assert_chinese(chinese)


def test_a_window_that_opens_in_chinese(qapp: QApplication, fresh_home: Path) -> None:
    application()  # settings are kept under the application's name from here on
    settings.LANGUAGE.set("zh_CN")
    window = create_window()
    settle(window)
    try:
        assert i18n.language() == "zh_CN"
        assert_chinese(window)
    finally:
        window.hide()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_every_menu_as_it_opens(chinese) -> None:
    for menu in chinese.findChildren(QMenu):
        menu.aboutToShow.emit()
    assert_chinese(chinese)
    titles = [action.text() for action in chinese.menuBar().actions()]
    assert len(titles) == len(menus.MENUS)
    assert all(CHINESE.search(title) for title in titles)


def test_every_action(chinese) -> None:
    for record in actions.ACTIONS:
        action = chinese.actions_by_id[record.id]
        assert record.text in SAME or CHINESE.search(action.text()), record.id
        assert record.text in SAME or CHINESE.search(action.toolTip()), record.id


def test_every_dock_has_a_chinese_title(chinese) -> None:
    titles = [dock.windowTitle() for dock in chinese.docks.by_name.values()]
    assert all(CHINESE.search(title) for title in titles), titles


def test_what_the_panels_say_of_each_statement(busy) -> None:
    document = busy.document
    for id_ in document.program.order:
        document.select([id_])
        settle(busy)
        assert_chinese(busy)


def test_what_the_panels_say_in_the_past(busy) -> None:
    document = busy.document
    document.look_at_line(document.program.order[2])
    for id_ in (document.program.order[0], document.program.order[-2]):
        document.select([id_])
        settle(busy)
        assert_chinese(busy)
    assert "新语句插在这里" in busy.area.band.words.text()


def test_covered_gradients(busy) -> None:
    busy.document.cover(True)
    busy.document.select([busy.document.program.named("w").statement])
    settle(busy)
    assert_chinese(busy)


def test_the_sentences_of_the_status_line(busy) -> None:
    heard: list[str] = []
    busy.document.told.connect(heard.append)
    busy.document.select([busy.document.program.named("a").statement])
    busy.canvas.delete_selected()
    settle(busy)
    assert heard
    assert all(CHINESE.search(words) for words in heard), heard


def test_undo_says_in_chinese_what_it_takes_back(busy) -> None:
    busy.canvas.add_note()
    settle(busy)
    assert busy.actions_by_id["undo"].text() == "撤销 添加便签"


@pytest.mark.parametrize("name", ["card", "wire", "canvas", "block"])
def test_context_menus_of_the_canvas(busy, name: str) -> None:
    program = busy.document.program
    hits = {
        "card": Hit(HitKind.CARD, program.named("a").statement),
        "wire": Hit(HitKind.WIRE, program.named("a").statement, 0),
        "canvas": NOTHING,
        "block": Hit(HitKind.BLOCK, next(iter(program.blocks))),
    }
    menu = busy.canvas.menus.menu(hits[name], QPointF(0, 0))
    assert menu.actions()
    assert_chinese(busy, menu)


def test_dialogs_and_lists(busy) -> None:
    export = ExportDialog(busy.document, busy)
    assert_chinese(busy, export)
    commands = CommandPalette(commanding.commands(busy.actions_by_id, busy.bars.choices()), busy)
    assert_chinese(busy, commands)
    busy.canvas.quick_add_at(QPointF(40, 40))
    settle()
    assert_chinese(busy, busy.canvas.quick)
    busy.docks.program.list.selectAll()
    busy.docks.program._show_menu(QPoint(4, 4))
    assert_chinese(busy, busy.findChild(QMenu, "program.menu"))


@pytest.mark.parametrize("name", ["keys", "about"])
def test_message_boxes(chinese, name: str) -> None:
    wrong: list[str] = []
    texts: list[str] = []

    def read_and_close() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox | KeyList)
        wrong.extend(words for _, text in said(box) if (words := english_in(text)))
        texts.append(box.text() if isinstance(box, QMessageBox) else box.words.text())
        box.accept()

    QTimer.singleShot(0, chinese, read_and_close)
    chinese.actions_by_id[name].trigger()
    assert not wrong
    assert len(texts) == 1
    assert CHINESE.search(texts[0])


def test_the_words_on_cards(qapp: QApplication) -> None:
    english, chinese = Words(), card_words("zh_CN")
    for name, mine, theirs in zip(Words._fields, chinese, english, strict=True):
        assert CHINESE.search(mine), name
        assert _slots(mine) == _slots(theirs)
    assert chinese.leaf == "叶子"


def test_the_canvas_paints_the_words_of_the_language(chinese) -> None:
    assert chinese.canvas.look().words == card_words("zh_CN")
    i18n.set_language("en")
    settle()
    assert chinese.canvas.look().words == Words()


def test_every_chinese_name_of_an_operator_can_be_typed_as_it_sounds():
    table = json.loads((MESSAGE_FILES / "pinyin.json").read_text(encoding="utf-8"))
    names = json.loads((MESSAGE_FILES / "zh_CN.json").read_text(encoding="utf-8"))
    shown = {names[key] for record in OPS.values() if (key := f"name.{record.name}") in names}
    assert not {name for name in shown if not name.isascii() and len(name) <= 16} - table.keys()
    assert all(re.fullmatch(r"[a-z]+( [a-z]+)*", sounds) for sounds in table.values())
