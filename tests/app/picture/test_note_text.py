"""Notes are Markdown with formulas: what is read as what, what can't be read, and that nothing in them is live."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter, QTextTable
from support.contrast import contrast

from chalkgrad.program.board import Board, Note
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.session.state import State
from chalkgrad.stepwise import finished
from chalkgrad_app.export.image import exporting_picture
from chalkgrad_app.picture import note_lists, note_text
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.note_text import Formula, laid_out, links_in, marked_down, text_height
from chalkgrad_app.style.theme import NAMES, load

LIGHT = load("light")


def shown(text: str, width: float = 300.0) -> str:
    """The text as laid out; a formula is one object character."""
    return laid_out(text, width, LIGHT).toPlainText()


class TestReading:
    @pytest.mark.parametrize(
        "text, formulas",
        [
            ("$x^2$", [Formula("x^2", False)]),
            ("a $x$ and $$\\frac{a}{b}$$", [Formula("x", False), Formula("\\frac{a}{b}", True)]),
            ("it costs $5 and $6", []),
            ("escaped \\$x\\$", []),
            ("`$x$` is code", []),
            ("```\n$x$\n```\n$y$", [Formula("y", False)]),
            ("$ x $ has spaces", []),
            ("$$\na\n$$", [Formula("a", True)]),
        ],
    )
    def test_formulas_are_found_outside_code(self, text, formulas):
        assert marked_down(text)[1] == formulas

    @given(st.text("$ab{}\\^_`~*#|-\n \ue000\ue001\ue002中", max_size=40))
    def test_any_text_is_laid_out(self, qapp, text):
        assert text_height(text, 200.0) >= 0
        assert not set(shown(text)) & {note_text.OPEN, note_text.CLOSE, note_text.BREAK}

    def test_lines_stay_lines(self, qapp):
        assert shown("one\ntwo\n\nthree") == "one\ntwo\nthree"
        assert text_height("one\ntwo", 300.0) > text_height("one two", 300.0)

    def test_names_of_code_are_no_emphasis(self, qapp):
        assert shown("w.requires_grad_() and y = a * b * c ** 2") == "w.requires_grad_() and y = a * b * c ** 2"

    def test_headings_lists_tables_and_code(self, qapp):
        document = laid_out("# One\n- a\n- b\n\n|x|y|\n|-|-|\n|1|2|\n\n```\ncode\n```", 300.0, LIGHT)
        assert document.begin().blockFormat().headingLevel() == 1
        assert document.begin().next().textList() is not None
        html = document.toHtml()
        assert "<table" in html
        assert "<pre" in html

    def test_html_is_text(self, qapp):
        assert shown("<b>bold</b> <img src='file:///etc/passwd'>") == "<b>bold</b> <img src='file:///etc/passwd'>"

    def test_links_are_shown_and_told(self, qapp):
        assert links_in("[docs](https://pytorch.org) and [docs](https://pytorch.org)") == ("https://pytorch.org",)
        assert links_in("none") == ()


class TestFormulas:
    def test_one_that_can_be_read_is_an_object(self, qapp):
        assert shown("so $x^2$ it is") == "so \ufffc it is"

    def test_one_that_can_not_shows_its_source(self, qapp):
        assert shown("broken $\\frac{a}{$ here") == "broken $\\frac{a}{$ ✗ here"
        assert shown("unknown $\\foo x$ here") == "unknown $\\foo x$ ✗ here"

    def test_a_formula_makes_its_line_higher(self, qapp):
        assert text_height("a $\\frac{\\frac{a}{b}}{c}$", 300.0) > text_height("a b", 300.0)

    def test_one_too_wide_is_made_smaller(self, qapp):
        wide = "$$" + "+".join(f"x_{{{n}}}" for n in range(40)) + "$$"
        document = laid_out(wide, 200.0, LIGHT)
        assert document.size().width() <= 200.0


def painted(text: str, theme: str, zoom: float = 1.0, vector: bool = False) -> QImage:
    look = Look(theme=load(theme), zoom=zoom, vector=vector)
    image = QImage(int(240 * zoom), int(120 * zoom), QImage.Format.Format_ARGB32)
    image.fill(look.theme.color("note"))
    painter = QPainter(image)
    note_text.paint(painter, text, QRectF(0, 0, 240, 120), look)
    painter.end()
    return image


def darkest_against(image: QImage, ground: str) -> float:
    """The highest contrast of any pixel with the ground."""
    colors = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    return max(contrast(QColor(color).name(), ground) for color in colors)


class TestPainting:
    @pytest.mark.parametrize("theme", NAMES)
    @pytest.mark.parametrize("text", ["plain", "$x^2$", "[link](https://a.b)", "$\\frac{$"])
    def test_everything_can_be_read_in_every_theme(self, qapp, theme, text):
        assert darkest_against(painted(text, theme, 2.0), load(theme).note) >= 4.5

    def test_kept_pixmap_and_vector_look_the_same(self, qapp):
        one, other = painted("Some *text*", "light", 2.0), painted("Some *text*", "light", 2.0, vector=True)
        assert one.size() == other.size()
        assert sum(
            QColor(one.pixel(x, y)).lightness() < 128 for x in range(0, 480, 2) for y in range(0, 240, 2)
        ) == pytest.approx(
            sum(QColor(other.pixel(x, y)).lightness() < 128 for x in range(0, 480, 2) for y in range(0, 240, 2)),
            rel=0.2,
        )

    def test_it_is_rendered_once_for_a_zoom(self, qapp, monkeypatch):
        made = []
        original = note_text._pixmap
        monkeypatch.setattr(note_text, "_pixmap", lambda *given_: made.append(given_) or original(*given_))
        for zoom in (1.0, 1.0, 1.5, 1.0):
            painted("rendered once, of this zoom", "light", zoom)
        assert len(made) == 2

    def test_pixmaps_kept_are_bounded(self, qapp, monkeypatch):
        monkeypatch.setattr(note_text, "BUDGET", 400_000)
        kept = note_text._Pixmaps()
        for number in range(40):
            kept.get(f"note {number}", QSizeF(200, 100), Look(theme=LIGHT))
        assert kept._bytes <= 400_000
        assert len(kept._kept) > 1

    @pytest.mark.parametrize(("width", "lines"), [(300.0, 4000), (1e9, 3)])
    def test_a_note_larger_than_any_pixmap_is_read_all_the_same(self, qapp, width, lines):
        text = "\n".join(f"line {number}" for number in range(lines))
        height = text_height(text, width) + note_text.TOP + note_text.BOTTOM
        assert max(width, height) > note_text.LARGEST_SIDE
        look = Look(theme=LIGHT, origin=(0.0, height - 120.0))
        image = QImage(240, 120, QImage.Format.Format_ARGB32)
        image.fill(LIGHT.color("note"))
        painter = QPainter(image)
        note_text.paint(painter, text, QRectF(0, 0, width, height), look)
        painter.end()
        assert darkest_against(image, LIGHT.note) > 4.5

    @pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
    def test_notes_are_in_files(self, qapp, tmp_path, ending):
        note = Note(1, (("", "# Chain rule\n$\\frac{dL}{dw}$ and `code`"),), 0.0, 0.0)
        sheet = Sheet(Program(next_id=2), Board(notes={1: note}))
        path = tmp_path / f"note{ending}"
        finished(exporting_picture(sheet, State(0, {}), path))
        data = path.read_bytes()
        if ending == ".svg":
            assert b"Chain rule" in data
            assert b"<image" not in data, "text and curves, no pixels"
        assert len(data) > 1000


def bottom(text):
    """The lowest dark row of a text, in canvas units."""
    image = note_text._pixmap(text, QSizeF(200, 80), LIGHT, 8.0).toImage()
    rows = range(image.height() - 1, 0, -1)
    return next(y for y in rows if any(image.pixelColor(x, y).alpha() > 128 for x in range(image.width()))) / 8


@pytest.mark.parametrize(
    ("plain", "formula"), [("x", "$x$"), ("x", "$\\hat x$"), ("x", "$x^{2^2}$"), ("## x", "## $x$")]
)
def test_a_formula_stands_on_the_line_of_the_text(qapp, plain, formula):
    assert bottom(f"{plain} {formula}") == pytest.approx(bottom(plain), abs=0.3)


def ink_before(text: str) -> QRectF:
    """Around what is painted left of the text of a one-line list, in pixels at 400 %."""
    image = QImage(800, 240, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    note_text.paint(painter, text, QRectF(0, 0, 200, 60), Look(zoom=4.0, dpr=1.0))
    painter.end()
    line = laid_out(text, 200.0, LIGHT).begin()
    end = round((note_text.SIDE + line.layout().position().x() + line.layout().lineAt(0).position().x()) * 4) - 4
    dark = [(x, y) for x in range(end) for y in range(240) if image.pixelColor(x, y).lightness() < 140]
    xs, ys = [x for x, _ in dark], [y for _, y in dark]
    return QRectF(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)


def test_bullets_are_small_clear_of_the_text_and_at_the_height_of_its_letters(qapp):
    ink = ink_before("- xxx")
    line = laid_out("- xxx", 200.0, LIGHT).begin().layout()
    baseline = 4 * (note_text.TOP + line.position().y() + line.lineAt(0).ascent())
    left = 4 * (note_text.SIDE + line.position().x() + line.lineAt(0).position().x())
    assert ink.width() == pytest.approx(ink.height(), abs=2)
    assert 12 <= ink.width() <= 22, "4 to 5 canvas units"
    assert baseline - 40 < ink.center().y() < baseline - 4
    assert left - ink.right() >= 20


def test_each_depth_of_a_list_has_a_bullet_of_its_own_and_numbers_stay_numbers(qapp):
    document = laid_out("- one\n  - inner\n    - innermost\n\n3. three\n4. four\n\n- [ ] to do", 200.0, LIGHT)
    block, signs = document.begin(), []
    while block.isValid():
        signs.append(block.blockFormat().property(note_lists.MARKER))
        block = block.next()
    assert signs == ["•", "◦", "▪", "3.", "4.", None]
    assert ink_before("3. xxx").width() > 20


def test_code_in_a_line_has_the_face_and_the_ground_of_code(qapp):
    parts = laid_out("`w.grad` of w", 200.0, LIGHT).begin().begin()
    style = parts.fragment().charFormat()
    assert QFontInfo(style.font()).fixedPitch()
    assert style.background().color() == LIGHT.color("frame")


@pytest.mark.parametrize("before", ["", "text\n\n", "> quote\n\n", "1. one\n   - two\n\n"])
def test_the_first_row_of_a_table_is_its_head_whatever_stands_before(qapp, before):
    document = laid_out(f"{before}| op | grad |\n|---|---|\n| mul | 1 |", 300.0, LIGHT)
    block, rows = document.begin(), {}
    while block.isValid():
        rows[block.text()] = block
        block = block.next()
    layout = document.documentLayout()
    tops = [layout.blockBoundingRect(rows[name]).top() for name in ("op", "grad", "mul")]
    assert tops[0] == tops[1]
    assert tops[2] - tops[1] < 2 * layout.blockBoundingRect(rows["op"]).height()
    heavy = [rows[name].begin().fragment().charFormat().font().bold() for name in ("op", "grad", "mul", "1")]
    assert heavy == [True, True, False, False]


def test_a_bar_runs_down_beside_a_quote(qapp):
    def inked(text):
        """How many rows of pixels have ink left of where the text of a quote begins."""
        image = QImage(300, 160, QImage.Format.Format_RGB32)
        image.fill(LIGHT.color("note"))
        painter = QPainter(image)
        note_text.paint(painter, text, QRectF(0, 0, 300, 160), Look(LIGHT))
        painter.end()
        edge = range(int(note_text.SIDE), int(note_text.SIDE + note_text.INDENT) - 2)
        ground = LIGHT.color("note").name()
        return sum(any(image.pixelColor(x, y).name() != ground for x in edge) for y in range(160))

    lines = text_height("> one\n>\n> two", 300.0)
    assert inked("> one\n>\n> two") >= lines - 8
    assert inked("> one") < lines / 2 + 4
    assert inked("before\n\n> one") > inked("before") + 10


@pytest.mark.parametrize("before", ["", "words\n", "- item\n"])
@pytest.mark.parametrize("after", ["", "\nwords", "\n# Head"])
def test_a_table_stands_apart_from_words_before_and_after_it(qapp, before, after):
    document = laid_out(f"{before}| x | y |\n|---|---|\n| 1 | 2 |{after}", 300.0, LIGHT)
    (table,) = (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))
    assert (table.rows(), table.columns()) == (2, 2)
    assert "words" not in table.cellAt(0, 0).firstCursorPosition().block().text()


def test_what_looks_like_a_table_in_code_stays_as_it_is(qapp):
    text = "```\na\n| x |\n|---|\nb\n```"
    assert marked_down(text)[0] == text


@pytest.mark.parametrize("text", ["see https://a.b", "see https://a.b\nand more", "https://a.b\n\nand"])
def test_an_address_is_a_link_at_the_end_of_a_line_too(qapp, text):
    assert links_in(text) == ("https://a.b",)
