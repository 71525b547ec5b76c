"""The Chinese texts of the window, and English that is found where a person reads Chinese."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from chalkgrad.source import emit

ROOT = Path(__file__).resolve().parents[2]
TRANSLATIONS = ROOT / "resources" / "chalkgrad_resources" / "translations"
MESSAGE_FILES = TRANSLATIONS.parent / "messages"
TS, QM = TRANSLATIONS / "chalkgrad_zh_CN.ts", TRANSLATIONS / "chalkgrad_zh_CN.qm"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(r"(?<![\w.])[A-Za-z][a-z']+(?: +[A-Za-z]+)*(?: +[A-Za-z][a-z']+)(?![\w.(=])")
"""Two English words in a row; not an identifier, nor what is called or assigned to."""

CODE = frozenset({"no_grad", "Ctrl+Enter", "Esc", "for step in", "lambda g"})
"""What stands beside other Latin words without being English."""

NAMES = frozenset({"tensor", "log", "gradient"})
"""Words with a Chinese form that are names of PyTorch's where they stand alone."""

QTS_OWN = ("qt_", "ScrollLeftButton", "ScrollRightButton")
"""Parts of Qt's widgets whose names for screen readers Qt's own Chinese lacks."""


def messages(path: Path = TS) -> dict[tuple[str, str], ElementTree.Element]:
    """Every message of a .ts file by context and English text."""
    return {
        (context.findtext("name"), message.findtext("source")): message.find("translation")
        for context in ElementTree.parse(path).getroot().iter("context")
        for message in context.iter("message")
    }


MESSAGES = {key: element.text or "" for key, element in messages().items()}


def said(root: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of a widget and all in it, with the name of what says it."""
    for thing in (root, *root.findChildren(QWidget), *root.findChildren(QAction), *root.actions()):
        if thing.objectName().startswith(QTS_OWN):
            continue
        for text in _texts(thing):
            if text:
                yield f"{type(thing).__name__} {thing.objectName()}", text


def _texts(thing: object) -> Iterator[str]:
    yield thing.toolTip()
    yield thing.statusTip()
    if isinstance(thing, QAction | QAbstractButton | QLabel):
        yield thing.text()
    if isinstance(thing, QLineEdit | QPlainTextEdit):
        yield thing.placeholderText()
    if isinstance(thing, QMenu | QGroupBox):
        yield thing.title()
    if isinstance(thing, QComboBox):
        yield from (thing.itemText(row) for row in range(thing.count()))
    if isinstance(thing, QTabBar):
        for tab in range(thing.count()):
            yield thing.tabText(tab)
            yield thing.tabToolTip(tab)
    if isinstance(thing, QWidget):
        yield thing.windowTitle()
        yield thing.accessibleName()
        yield thing.accessibleDescription()


def english_in(text: str, quoted: tuple[str, ...] = ()) -> str:
    """What a text says in English that is no code and none of the ``quoted`` texts; empty where nothing."""
    plain = _without_formulas(text) if text.startswith("<") else text.replace("&", "")
    for part in quoted:
        plain = plain.replace(part, "·")
    for word in CODE:
        plain = plain.replace(word, "·")
    for line in (plain, *plain.splitlines()):
        for whole in (line.strip(), AFTER.sub("", line.strip())):
            if whole in UNTRANSLATED or any(pattern.fullmatch(whole) for pattern in UNTRANSLATED_WITH_FIELDS):
                return whole
    found = ENGLISH.search(plain)
    return found.group(0) if found is not None else ""


def _without_formulas(html: str) -> str:
    """The words of a rich text; a formula stands in italics."""
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<i>.*?</i>", " ", html)))


def _english() -> frozenset[str]:
    """Every English text that has a Chinese one: of the window, and of the core's messages."""
    catalogues = [json.loads((MESSAGE_FILES / f"{code}.json").read_text("utf-8")) for code in ("en", "zh_CN")]
    pairs = [(text, catalogues[1][key]) for key, text in catalogues[0].items()]
    pairs += [(text, chinese) for (_, text), chinese in MESSAGES.items()]
    return frozenset(text for text, chinese in pairs if text != chinese) - NAMES


UNTRANSLATED = _english()
UNTRANSLATED_WITH_FIELDS = [
    re.compile(re.sub(r"\\{\w*\\}", ".+", re.escape(text)), re.DOTALL)
    for text in UNTRANSLATED
    if "{" in text and re.search("[A-Za-z]{2}", re.sub(r"\{\w*\}", "", text))  # there is more than fields and signs
]


AFTER = re.compile(r"\s*(\([\w+]+\)|F?\d+|\[\*\] - Chalkgrad)$")
"""What follows a text of the table: its key, a number, the name of the application."""


def quotations(window) -> tuple[str, ...]:
    """What a window quotes: the program's lines and what PyTorch says of them."""
    document = window.document
    program, state = document.program, document.state
    lines = [emit.line(program, id_) for id_ in program.order]
    raised = [state.statement(id_).problem for id_ in program.order]
    problems = [text for problem in raised if problem for text in (problem.message, problem.type)]
    return tuple(sorted((*problems, *lines), key=len, reverse=True))


def assert_chinese(window, root: QWidget | None = None) -> None:
    quoted = quotations(window)
    texts = list(said(root or window))
    wrong = {(name, text): words for name, text in texts if (words := english_in(text, quoted))}
    assert not wrong, wrong
    assert sum(bool(CHINESE.search(text)) for _, text in texts) > (0 if root is not None else 100)
