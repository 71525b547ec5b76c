"""Nothing is clipped, elided or overlapping: the real window at every text size, in both languages, in two sizes."""

import itertools

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QToolBar,
    QWidget,
)
from support.desk import settle

from chalkgrad_app import i18n, settings
from chalkgrad_app.panels.sections import SectionTitle
from chalkgrad_app.panels.tiles import Tile
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.elided import ElidedButton
from chalkgrad_app.widgets.elided_label import ElidedLabel

SIZES = [(1280, 800), (1920, 1080)]
TIGHT = 300
"""At this text size a small window may elide names of tabs and lines on buttons."""

AS_NEEDED = Qt.ScrollBarPolicy.ScrollBarAsNeeded


@pytest.fixture
def dressed(window, qapp):
    """The course example's window; dresses it in a language, theme, text size and size, and takes that off again."""

    def dress(language="en", name="light", percent=100, size=(1280, 800)):
        theme.apply(qapp, theme.load(name), percent)
        i18n.set_language(language)
        window.resize(*size)
        window.document.select([window.document.program.order[-1]])
        for _ in range(3):
            settle()
        return window

    window.filing.open_course_example()
    window.document.finish()
    yield dress
    theme.apply(qapp, theme.load("light"), 100)
    i18n.set_language("en")


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
@pytest.mark.parametrize("percent", settings.TEXT_SIZES)
def test_everything_is_readable(dressed, percent, language):
    for size in SIZES:
        check_readable(dressed(language, "light", percent, size), percent, size)


def check_readable(window, percent, size):
    assert (window.width(), window.height()) == size, "the window is larger than the screen that it was made for"
    faults = []
    for name in ("autograd", "inspector"):  # one of them may lie behind the other
        window.docks.show_panel(name)
        settle()
        settle()
        widgets = [widget for widget in window.findChildren(QWidget) if widget.isVisible() and not lies_behind(widget)]
        assert len(widgets) > 60
        faults += [fault for widget in widgets for fault in faults_of(widget)]
        faults += overlaps(widgets)
    if percent < TIGHT or size != SIZES[0]:
        bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
        faults += [fault for bar in bars if is_on_screen(window, bar) for fault in elided_tabs(bar)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("language", "name"), [("en", "light"), ("zh_CN", "contrast")])
def test_large_text_leaves_the_canvas_half_of_the_width_and_facts_are_read_without_scrolling(dressed, language, name):
    window = dressed(language, name, 200)
    assert window.canvas.width() >= 0.5 * window.width()
    assert window.docks.by_name["inspector"].width() <= 0.29 * window.width()
    settle(window)
    area = window.docks.inspector.findChild(QScrollArea, "inspector.area")
    assert not area.horizontalScrollBar().isVisible()
    window.docks.show_panel("autograd")
    settle(window)
    root = window.docks.autograd.root
    room = root.width() - root.view().verticalScrollBar().sizeHint().width() - 24
    assert root.fontMetrics().horizontalAdvance(root.currentText()) <= room


@pytest.mark.parametrize("percent", [100, 200])
def test_names_of_tabs_are_whole_however_many_panels_are_open(dressed, percent):
    window = dressed("en", "light", percent)
    for name in ("engine", "memory", "versions", "training", "why"):
        window.docks.show_panel(name)
        settle()
    settle(window)
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and is_on_screen(window, bar)]
    assert max(bar.count() for bar in bars) >= 5
    assert not [fault for bar in bars for fault in elided_tabs(bar)]
    current = next(bar for bar in bars if bar.tabText(bar.currentIndex()) == window.docks.by_name["why"].windowTitle())
    assert current.rect().contains(current.tabRect(current.currentIndex()))


def test_the_menus_end_before_the_corner(dressed):
    for percent, language in itertools.product((100, settings.TEXT_SIZES[-1]), i18n.LANGUAGES):
        bar = dressed(language, "light", percent).menuBar()
        last, corner = bar.actionGeometry(bar.actions()[-1]), bar.cornerWidget().geometry()
        assert not last.isEmpty()
        assert last.right() < corner.left(), (percent, language)


@pytest.mark.parametrize("name", ["dark", "contrast"])
def test_geometry_is_the_same_in_every_theme(dressed, name):
    def geometry(window):
        return {widget.objectName(): widget.geometry() for widget in window.findChildren(QWidget) if widget.isVisible()}

    assert geometry(dressed(name=name)) == geometry(dressed(name="light"))


@pytest.mark.parametrize("name", theme.NAMES)
def test_controls_are_painted_in_the_colours_of_the_theme(dressed, name):
    window = dressed(name=name)
    look = theme.load(name)
    button = window.findChild(QAbstractButton, "autograd.backward")
    picture = button.grab().toImage()
    assert picture.pixelColor(picture.width() // 2, 3).name() == look.color("highlight").name()
    field = window.findChild(QLineEdit, "palette.search")
    picture = field.grab().toImage()
    assert picture.pixelColor(picture.width() - 30, picture.height() // 2).name() == look.color("base").name()


# ------------------------------------------------------------ what can be wrong


def faults_of(widget):
    """What is wrong with how one widget shows its text."""
    name = f"{widget.objectName() or type(widget).__name__} {getattr(widget, 'text', str)()!r}"
    if isinstance(widget, (QAbstractButton, QLabel)) and widget.text() and not is_rich(widget):
        yield from (f"{name}: {fault}" for fault in text_faults(widget))
    if isinstance(widget, (QAbstractButton, QLabel, QLineEdit, QComboBox)) and cut_at_the_side(widget):
        yield f"{name}: cut at the side"


def is_rich(widget):
    return isinstance(widget, QLabel) and (widget.text().startswith("<") or not widget.pixmap().isNull())


def text_faults(widget):
    metrics = widget.fontMetrics()
    text = widget.text().replace("&&", "&")
    icon_only = isinstance(widget, QAbstractButton) and not widget.icon().isNull()
    wraps = isinstance(widget, QLabel) and widget.wordWrap()
    if not icon_only and not wraps and not isinstance(widget, ElidedLabel):
        longest = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
        if longest > widget.width() and not isinstance(widget, (Tile, SectionTitle)):
            yield f"{longest} pixels of text in {widget.width()}"
    if metrics.ascent() + metrics.descent() - 2 > widget.height():
        yield f"{metrics.height()} pixels of text in a height of {widget.height()}"
    is_short = isinstance(widget, ElidedButton) and len(widget.line()) <= 12
    if is_short and "…" in widget.text() and theme.text_size() < TIGHT:
        yield "elided"


def cut_at_the_side(widget):
    """True where a parent or a scroll area shows only a part of the widget's width."""
    area, parent = widget.rect(), widget.parentWidget()
    while parent is not None and not parent.isWindow():
        outer = parent.parentWidget()
        if isinstance(outer, QAbstractScrollArea) and outer.horizontalScrollBarPolicy() == AS_NEEDED:
            return False
        place = QRect(widget.mapTo(parent, QPoint(0, 0)), area.size())
        if place.left() < -1 or place.right() > parent.width():
            return True
        parent = parent.parentWidget()
    return False


FREE = (QAbstractScrollArea, QComboBox, QLineEdit, QMainWindow, QStackedWidget, QTabBar, QToolBar)
"""Whose children may lie over each other."""


def overlaps(widgets):
    """Pairs of neighbours that lie over each other."""
    found = []
    for parent in {widget.parentWidget() for widget in widgets} - {None}:
        if isinstance(parent, FREE) or parent.objectName() == "canvas":
            continue
        children = [child for child in widgets if child.parentWidget() is parent and not child.isWindow()]
        for one, other in itertools.combinations(children, 2):
            shared = one.geometry().intersected(other.geometry())
            if shared.width() > 1 and shared.height() > 1:
                found.append(f"{said(one)} over {said(other)}")
    return found


def said(widget):
    inside = ", ".join(child.objectName() for child in widget.findChildren(QWidget) if child.objectName())
    return f"{widget.objectName() or type(widget).__name__} [{inside}] {widget.geometry().getRect()}"


def is_on_screen(window, bar):
    """Qt keeps tab bars that it does not need at present, beyond the window's edge."""
    return window.rect().intersects(bar.geometry())


def lies_behind(widget):
    """True in a dock that another one covers; Qt lets it have any size until it comes to the front."""
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget is not None and widget.visibleRegion().isEmpty()


def elided_tabs(bar):
    for index in range(bar.count()):
        if bar.fontMetrics().horizontalAdvance(bar.tabText(index)) > bar.tabRect(index).width():
            yield f"tab {bar.tabText(index)!r} is elided"
