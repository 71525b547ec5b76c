"""The palette: searching, choosing, dragging and walking through it."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from support.panels import LEFT, PLAIN, child, click, press, settle

from chalkgrad.engine.record import OPS
from chalkgrad_app import catalogue, settings
from chalkgrad_app.canvas import drop
from chalkgrad_app.panels.palette import COMMON, PalettePanel
from chalkgrad_app.panels.tiles import TILE_EDGE, Tile, icon_room


@pytest.fixture
def palette(show):
    panel = show(PalettePanel(), 176, 700)
    panel.operators, panel.leaves = [], []
    panel.operator_chosen.connect(panel.operators.append)
    panel.tensor_chosen.connect(panel.leaves.append)
    return panel


def test_a_name_keeps_clear_of_the_edges_of_its_tile(palette, qapp):
    from PySide6.QtGui import QFontMetricsF

    from chalkgrad_app.panels.tiles import fitting
    from chalkgrad_app.style import theme

    try:
        for size in (100, 150, 200):
            theme.apply(qapp, theme.load("light"), size)
            palette.resize(144 * size // 100, 700)
            settle()
            tile = child(palette, "palette.transpose")
            room = tile.width() - 2 * TILE_EDGE * size / 100 - icon_room("transpose")
            assert QFontMetricsF(fitting(tile.font(), tile.text(), room)).horizontalAdvance(tile.text()) <= room
            picture = tile.grab().toImage()
            ground = picture.pixelColor(4, picture.height() // 2)
            columns = [x for x in range(2, picture.width() - 2) if _inked(picture, x, ground)]
            assert columns[0] >= 3
            assert columns[-1] <= picture.width() - 4
    finally:
        theme.apply(qapp, theme.load("light"), 100)


def test_text_is_nearly_as_large_as_elsewhere_at_every_text_size(palette, qapp):
    from PySide6.QtGui import QFontMetricsF

    from chalkgrad_app.style import theme

    try:
        for size in (100, 150, 200, 300):
            theme.apply(qapp, theme.load("light"), size)
            palette.resize(230, 700)  # so much is left of a window when text is large
            settle()
            for tile in palette.common.tiles:
                words = QFontMetricsF(tile.font()).horizontalAdvance(tile.text())
                assert tile.width() - icon_room(tile.name) >= 0.8 * words or tile.width() == palette.common.body.width()
            places = [tile.geometry() for tile in palette.common.tiles]
            assert not any(one.intersects(other) for i, one in enumerate(places) for other in places[:i])
    finally:
        theme.apply(qapp, theme.load("light"), 100)


def test_names_have_the_icons_of_quick_add_in_columns_and_signs_none(palette):
    starts = set()
    for tile in palette.common.tiles:
        picture = tile.grab().toImage()
        ground = picture.pixelColor(4, picture.height() // 2)
        inked = [x for x in range(3, picture.width() - 3) if _inked(picture, x, ground)]
        gaps = [after - before for before, after in itertools.pairwise(inked)]
        if icon_room(tile.name):
            starts.add(tile.x())
            assert 4 <= inked[0] <= 9, tile.name
            assert max(gaps) >= 3, "the icon stands clear of the name"
            name = [x for x in inked if x >= TILE_EDGE + icon_room(tile.name)]
            assert name[0] - TILE_EDGE - icon_room(tile.name) <= 3, "names begin below each other"
        else:
            assert tile.text() in ("+", "-", "*", "/", "**", "@")
    assert len(starts) == 2


def _inked(picture, x, ground):
    rows = range(picture.height() // 4, picture.height() * 3 // 4)
    return any(abs(picture.pixelColor(x, y).lightness() - ground.lightness()) > 60 for y in rows)


def shown(panel):
    return [tile.name for tile in panel.findChildren(Tile) if tile.isVisible()]


def test_every_operator_that_is_not_hidden_has_one_tile(palette):
    for section in palette.sections:
        assert not section.tiles
        click(section.title)
    tiles = [tile.name for section in palette.sections for tile in section.tiles]
    assert sorted(tiles) == sorted(record.name for record in OPS.values() if not record.hidden)
    assert len(tiles) == len(set(tiles))


def test_what_lessons_use_is_there_without_opening_or_scrolling_far(palette):
    assert shown(palette) == ["tensor", "tensor-grad", *sorted(COMMON, key=shown(palette).index)]
    assert set(COMMON) <= set(OPS)
    last = max(tile.mapTo(palette, tile.rect().bottomLeft()).y() for tile in palette.common.tiles)
    assert last < 480


def test_tiles_of_a_section_have_the_widths_of_a_grid(palette):
    for section in palette.sections:
        click(section.title)
    for section in (palette.common, *palette.sections):
        widths = sorted({tile.width() for tile in section.tiles})
        quarter = (section.width() - 3 * 4) / 4
        expected = (quarter, 2 * quarter + 4, 4 * quarter + 12)
        assert all(any(abs(width - other) <= 1 for other in expected) for width in widths), (section.name, widths)


def test_what_was_placed_last_stands_in_a_section_of_its_own_newest_first(palette):
    assert not palette.recent.isVisible()
    for typed in ("atan", "bmm", "exp"):
        palette.search.setText(typed)
        palette.search.setFocus()
        settle()
        click(child(palette, f"palette.{typed}"))
    palette.search.clear()
    settle()
    assert sorted(tile.name for tile in palette.recent.tiles) == ["atan", "bmm"]
    again = PalettePanel()
    assert sorted(again.recent.operators) == ["atan", "bmm"]
    again.deleteLater()


def test_what_quick_add_alone_finds_says_how_it_is_called_once_it_was_placed(palette):
    settings.remember_operator("quantile")
    again = PalettePanel()
    (tile,) = [tile for tile in again.recent.tiles if tile.name == "quantile"]
    assert tile.accessibleName() == "quantile"
    assert tile.accessibleDescription().startswith("torch.quantile(input, q")
    assert "op." not in tile.words
    again.deleteLater()


def test_a_search_that_finds_nothing_says_so(palette):
    palette.search.setText("zzzz")
    settle()
    assert child(palette, "palette.nothing").text()
    palette.search.setText("exp")
    settle()
    assert not palette.nothing.isVisible()


def test_a_click_chooses(palette):
    click(child(palette, "palette.add"))
    click(child(palette, "palette.tensor-grad"))
    click(child(palette, "palette.tensor"))
    assert palette.operators == ["add"]
    assert palette.leaves == [True, False]


def test_a_section_opens_and_folds_with_a_click(palette):
    assert "add_" not in shown(palette)
    assert "unsqueeze" not in shown(palette)
    palette.resize(176, 1400)
    click(child(palette, "palette.section.in-place"))
    assert "add_" in shown(palette)
    click(child(palette, "palette.section.in-place"))
    assert "add_" not in shown(palette)


@pytest.mark.parametrize(
    "typed, name",
    [("exp", "exp"), ("**", "pow"), ("@", "matmul"), ("multiply", "mul"), ("add_", "add_"), ("ｌｏｇ", "log")],
)
def test_enter_in_the_search_chooses_what_is_found_first(palette, typed, name):
    palette.search.setText(typed)
    settle()
    assert name in shown(palette)
    palette.search.setFocus()
    press(palette.search, Qt.Key.Key_Return)
    assert palette.operators == [name]


def test_chinese_finds_operators_by_section_and_sentence(palette):
    palette.search.setText("归约")
    settle()
    assert {"sum", "mean"} <= set(shown(palette))
    assert "exp" not in shown(palette)
    palette.search.setText("张量")
    settle()
    assert "tensor" in shown(palette)


def test_nothing_found_shows_nothing_and_escape_brings_all_back(palette):
    before = shown(palette)
    palette.search.setFocus()
    QTest.keyClicks(palette.search, "zzzz")
    settle()
    assert shown(palette) == []
    press(palette.search, Qt.Key.Key_Return)
    assert palette.operators == []
    press(palette.search, Qt.Key.Key_Escape)
    assert shown(palette) == before


def test_slash_goes_to_the_search_field(palette):
    tile = child(palette, "palette.mul")
    tile.setFocus()
    press(tile, Qt.Key.Key_Slash)
    assert palette.search.hasFocus()


def test_arrows_walk_the_tiles_and_enter_chooses(palette):
    palette.search.setFocus()
    press(palette.search, Qt.Key.Key_Down)
    assert palette.focusWidget().name == "tensor"
    press(palette.focusWidget(), Qt.Key.Key_Down)
    press(palette.focusWidget(), Qt.Key.Key_Down)
    assert palette.focusWidget().name in ("add", "sub", "mul", "div")
    here = palette.focusWidget()
    press(here, Qt.Key.Key_Right)
    assert palette.focusWidget() is not here
    press(palette.focusWidget(), Qt.Key.Key_Left)
    assert palette.focusWidget() is here
    press(here, Qt.Key.Key_Return)
    assert palette.operators == [here.name]


def test_a_drag_carries_what_the_canvas_takes(palette, monkeypatch):
    carried = []

    def exec_(drag, *_):
        carried.append((drop.dragged_name(drag.mimeData()), drag.pixmap().isNull()))
        return Qt.DropAction.IgnoreAction

    monkeypatch.setattr(QDrag, "exec", exec_)
    for name in ("mul", "tensor", "tensor-grad"):
        tile = child(palette, f"palette.{name}")
        QTest.mousePress(tile, LEFT, PLAIN, QPoint(4, 4))
        where = QPointF(4 + 2 * QApplication.startDragDistance(), 6)
        move = QMouseEvent(QEvent.Type.MouseMove, where, tile.mapToGlobal(where), Qt.MouseButton.NoButton, LEFT, PLAIN)
        QApplication.sendEvent(tile, move)
        QTest.mouseRelease(tile, LEFT, PLAIN, where.toPoint())
    assert carried == [("mul", False), ("tensor", False), ("tensor-grad", False)]
    assert palette.operators == []
    assert catalogue.MIME == drop.MIME


def test_tooltips_say_sentence_spelling_and_formula(palette, chinese):
    tile = child(palette, "palette.mul")
    middle = tile.rect().center()
    QApplication.sendEvent(tile, QHelpEvent(QEvent.Type.ToolTip, middle, tile.mapToGlobal(middle)))
    tip = QToolTip.text()
    assert "torch.mul" in tip
    assert tile.formula == r"\mathrm{self} \cdot \mathrm{other}"
    assert "<img" in tip.split("</code>")[1]
    assert "逐元素" in tip or "相乘" in tip
    assert child(palette, "palette.section.arithmetic").text() == "算术"


def test_every_tile_has_an_accessible_name_and_description(palette):
    for section in palette.sections:
        assert section.title.accessibleName()
        click(section.title)
        for tile in section.tiles:
            assert tile.accessibleName() == catalogue.label(tile.name)
            assert tile.accessibleDescription()
