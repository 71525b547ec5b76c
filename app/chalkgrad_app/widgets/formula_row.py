"""A formula set term by term in a row that breaks between terms where there is no room: as text, then as pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from chalkgrad.explain import Formula
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.formula import formula_html

_IN_TEXT = re.compile(r"\\text\{(?:[^{}\\]|\\.|\{\})*\}")
_OUTSIDE = re.compile(r"\\\^\{\}|\\[%&{}]|[<>~]")
"""Signs within ``\\text{}`` at which the library stumbles: they are set beside it."""
_WIDTH = re.compile(r'<img [^>]*\bwidth="(\d+)"')
_SIGNS = {r"\^{}": r"\wedge", "~": r"\sim"}

LARGER = 1.15
"""Letters of formulas beside words."""


class FormulaRow(QLabel):
    """Shows the terms of a formula; :meth:`set_next` sets one, for setting all may take long."""

    def __init__(self, terms: Sequence[Formula], parent: QWidget) -> None:
        super().__init__(parent)
        self.terms = tuple(terms)
        self._pictures: list[str] = []
        self.setObjectName("formula")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(self.plain())
        self._show()

    def plain(self) -> str:
        """The formula as text."""
        return " ".join(term.plain for term in self.terms)

    def set_next(self) -> bool:
        """Set the next term; True when none is left."""
        if len(self._pictures) < len(self.terms):
            term = self.terms[len(self._pictures)]
            self._pictures.append(("&nbsp; " if term.plain[:1] in ("+", "=") else " ") + _picture(term))
            if len(self._pictures) == len(self.terms):
                self._show()
        return len(self._pictures) == len(self.terms)

    def _show(self) -> None:
        is_set = len(self._pictures) == len(self.terms)
        widths = (int(found[1]) for found in map(_WIDTH.search, self._pictures) if found is not None)
        self.setMinimumWidth(max(widths, default=0) if is_set else 0)  # a term does not break: around it is scrolled
        pictures = f'<p style="line-height: 120%">{"".join(self._pictures)}</p>'
        self.setText(pictures if is_set else escape(self.plain()))


def _picture(term: Formula) -> str:
    """A term as a picture; as text where the library can't set it or its font lacks the signs."""
    latex = _IN_TEXT.sub(_unescaped, term.latex)
    if not latex.isascii():
        return escape(term.plain)
    try:
        pixels = round(scaled(theme.BASE_PIXELS) * LARGER)
        html = formula_html(latex, theme.current().color("text").name(), pixels)
    except Exception:  # a typed name may make the library raise anything
        return escape(term.plain)
    return html.replace("<img ", '<img style="vertical-align: middle" ')


def _unescaped(found: re.Match[str]) -> str:
    r"""The library shows what stands in ``\text{}`` as it is, backslashes too."""
    parts = _OUTSIDE.sub(lambda sign: rf"}}{_SIGNS.get(sign[0], sign[0])}\text{{", found[0])
    return re.sub(r"\\([_#$])", r"\1", parts).replace(r"\text{}", "")
