"""Names, numbers and formulas as LaTeX and as plain text, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

DIGITS = 4
WHOLE = 10**7
"""Up to that numbers of more digits are written in full, without what follows the point."""
MOST = 6
"""So many elements of a row are written out, and so many rows of a matrix."""
MOST_SLICES = 3
"""So many matrices of a tensor of more dimensions are written out, and so many of what has these as slices."""
MOST_ACROSS = 4
"""So many columns of a matrix are written out: a line does not break within one."""
LONGEST = 24
"""Letters of the expression that stands for what has no name; a longer one loses its middle."""

_LONG_NUMBER = re.compile(r"(?<![\w.])\d+\.\d{5,}(?:e[+-]?\d+)?(?![\w.])")
_NUMBERED = re.compile(r"([A-Za-z])_?(\d+)")
_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_FRACTION = re.compile(r"\\frac" + _GROUP + _GROUP)
_ROOT = re.compile(r"\\sqrt" + _GROUP)
_POWER = re.compile(r"(\^|_)" + _GROUP)
_MEAN = re.compile(r"\\bar" + _GROUP)
_WORD = re.compile(r"\\(?:operatorname|text|mathit|mathrm|mathbf)" + _GROUP)
_LESS_ONE = re.compile(r"\^\{\(?(\{-\})?([\d.]+)\)? - 1\}")
_COMMAND = re.compile(r"\\([a-zA-Z]+|.)")
_SIGNS = {
    r"\cdot": "*",
    r"\star": "(*)",
    r"\notin": "not in",
    r"\in": "in",
    r"\,": " ",
    r"\;": " ",
    r"\left": "",
    r"\right": "",
    r"\lVert": "||",
    r"\rVert": "||",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\lfloor": "floor(",
    r"\rfloor": ")",
    r"\leq": "<=",
    r"\geq": ">=",
    r"\neq": "!=",
    r"\le": "<=",
    r"\ge": ">=",
    r"\to": "->",
    r"\top": "T",
    r"\infty": "inf",
    r"\partial": "d",
}


class Formula(NamedTuple):
    """The same as LaTeX and as text; ``cells`` are the entries of what stands in brackets, row by row."""

    latex: str
    plain: str
    cells: tuple[tuple[Formula, ...], ...] = ()

    def __bool__(self) -> bool:
        """False for one that says nothing."""
        return bool(self.latex)


Pieces = tuple[Formula, ...]
"""A formula cut where a line may break."""

NOTHING = Formula("", "")
EQUALS = Formula("=", "=")
PLUS = Formula("+", "+")
DOTS = Formula(r"\cdots", "...")
"""What is left out."""
_DOTS_DOWN, _DOTS_ASLANT = Formula(r"\vdots", "..."), Formula(r"\ddots", "...")


def joined(sign: Formula, parts: Iterable[Formula]) -> Formula:
    """``parts`` with ``sign`` between them."""
    parts = list(parts)
    latex = f" {sign.latex} ".join(part.latex for part in parts)
    return Formula(latex, f" {sign.plain} ".join(part.plain for part in parts))


def product(parts: Iterable[Formula]) -> Formula:
    """``parts`` multiplied."""
    return together(product_pieces(parts))


def product_pieces(parts: Iterable[Formula]) -> Pieces:
    """``parts`` multiplied, in pieces between which a line may break."""
    found = list(parts)
    return (*found[:1], *(Formula(rf"\cdot \, {part.latex}", f"* {part.plain}") for part in found[1:]))


def together(pieces: Iterable[Formula]) -> Formula:
    """Pieces of a line as one formula."""
    pieces = list(pieces)
    if len(pieces) == 1:
        return pieces[0]
    return Formula(" ".join(piece.latex for piece in pieces), " ".join(piece.plain for piece in pieces))


def quotient(of: Formula, by: Formula) -> Formula:
    """The derivative of ``of`` by ``by``."""
    latex = rf"\frac{{\partial {atom(of).latex}}}{{\partial {atom(by).latex}}}"
    return Formula(latex, f"d{atom(of).plain}/d{atom(by).plain}")


def total(of: Formula, by: Formula) -> Formula:
    """The derivative along all paths, beside that of one direct step, which has the curved sign."""
    latex = rf"\frac{{\mathrm{{d}} {atom(of).latex}}}{{\mathrm{{d}} {atom(by).latex}}}"
    return Formula(latex, f"d{atom(of).plain}/d{atom(by).plain}")


def differential(of: Formula, by: Formula) -> Formula:
    """The same on one line, as the name of a gradient."""
    latex = rf"\partial {atom(of).latex} / \partial {atom(by).latex}"
    return Formula(latex, f"d{atom(of).plain}/d{atom(by).plain}")


def counted(text: str) -> Formula:
    """What is called by its count: ``#5``."""
    return Formula(_escaped(text), text)


def name(text: str) -> Formula:
    """A name of the program: ``w`` as it is, ``w1`` with an index, a word in italics; or an expression, as text."""
    if not text:
        return NOTHING
    text = _LONG_NUMBER.sub(lambda found: _rounded(float(found[0])), text)
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[: half - 1]}...{text[2 - half :]}"
    if len(text) == 1 and text.isascii():
        return Formula(text, text)
    found = _NUMBERED.fullmatch(text)
    if found:
        return Formula(f"{found[1]}_{{{found[2]}}}", text)
    if text.isidentifier() and text.isascii():
        return Formula(rf"\mathit{{{_escaped(text)}}}", text)
    return Formula(rf"\text{{{_escaped(text)}}}", text)


def number(value: object) -> Formula:
    """A number, rounded as people write it."""
    found = np.asarray(value).item()
    if isinstance(found, complex):
        text = f"{found:.{DIGITS}g}".strip("()")
        return Formula(text, text)
    if found != found or found in (float("inf"), float("-inf")):
        text = str(found)
        return Formula(text.replace("inf", r"\infty").replace("nan", r"\mathrm{nan}"), text)
    text = _rounded(found + 0.0) if isinstance(found, float) else str(found)  # + 0.0: there is no -0
    latex = re.sub(r"e([+-])0*(\d+)", _exponent, text)
    return Formula(re.sub("^-", "{-}", latex), text)  # else it would be set as the sign between two terms


def _rounded(found: float) -> str:
    return f"{found:.0f}" if 10**DIGITS <= abs(found) < WHOLE else f"{found:.{DIGITS}g}"


def factor(value: object) -> Formula:
    """A number within a product: a negative one in parentheses."""
    return grouped(number(value))


def grouped(formula: Formula) -> Formula:
    """A term after a plus: a negative one in parentheses."""
    return Formula(f"({formula.latex})", f"({formula.plain})") if formula.plain.startswith("-") else formula


def row(values: np.ndarray) -> Formula:
    """The elements of a tensor, ``[[1, 2], [3, 4]]`` for a matrix; the middle of what is long is left out.

    A single one stands alone.
    """
    return together(row_pieces(values))


def row_pieces(values: np.ndarray) -> Pieces:
    """The same in pieces between which a line may break; what has several dimensions is one."""
    flat = values.ravel()
    if flat.size == 0:
        return (Formula("[]", "[]"),)
    if flat.size == 1:
        return (number(flat[0]),)
    if values.ndim > 1:
        return (matrix(values),)
    parts = [DOTS if place is None else number(flat[place]) for place in _shown(flat.size, MOST, 2)]
    last = len(parts) - 1
    return tuple(
        Formula(
            ("[" if place == 0 else "") + rf"\, {part.latex}" + (r" \," + "]" if place == last else ","),
            ("[" if place == 0 else "") + part.plain + ("]" if place == last else ","),
        )
        for place, part in enumerate(parts)
    )


def matrix(values: np.ndarray) -> Formula:
    """A matrix in rows and columns, slices of more dimensions under each other, as PyTorch prints them."""
    if values.ndim > 2:
        shown = _shown(len(values), MOST_SLICES, 1)
        return _bracketed([[_DOTS_DOWN if place is None else matrix(values[place])] for place in shown])
    down, across = _shown(len(values), MOST, 2), _shown(values.shape[1], MOST_ACROSS, 1)
    return _bracketed([_matrix_row(values, line, across) for line in down])


def _matrix_row(values: np.ndarray, line: int | None, across: list[int | None]) -> list[Formula]:
    if line is None:
        return [_DOTS_ASLANT if place is None else _DOTS_DOWN for place in across]
    return [DOTS if place is None else number(values[line, place]) for place in across]


def _bracketed(rows: list[list[Formula]]) -> Formula:
    """Cells in brackets; as text in brackets within brackets."""
    latex = r" \\ ".join(" & ".join(cell.latex for cell in cells) for cells in rows)
    plain = ", ".join(_listed(cells) for cells in rows)
    return Formula(rf"\begin{{bmatrix}} {latex} \end{{bmatrix}}", f"[{plain}]", tuple(map(tuple, rows)))


def _listed(cells: list[Formula]) -> str:
    """A row of cells as text: numbers in brackets, a slice, which has its own, or the dots for rows left out."""
    if cells[0] is _DOTS_DOWN or cells[0].cells:
        return cells[0].plain
    return "[" + ", ".join(cell.plain for cell in cells) + "]"


def _shown(count: int, most: int, last: int) -> list[int | None]:
    """The places that are written out of so many; None stands for those left out in the middle."""
    if count <= most:
        return list(range(count))
    return [*range(most - last - 1), None, *range(count - last, count)]


def in_words(latex: str) -> str:
    r"""A formula as plain text: ``\frac{1}{2 \sqrt{x}}`` is ``1/(2 sqrt(x))``."""
    before = ""
    latex = latex.replace(r" / \partial ", "/d").replace(r"\partial ", "d")
    while before != latex:
        before = latex
        latex = _WORD.sub(r"\1", latex)
        latex = _ROOT.sub(r"sqrt(\1)", latex)
        latex = _MEAN.sub(r"mean(\1)", latex)
        latex = _FRACTION.sub(lambda found: f"{_grouped(found[1])}/{_grouped(found[2])}", latex)
        latex = _POWER.sub(lambda found: found[1] + _grouped(found[2]), latex)
    latex = _COMMAND.sub(lambda found: _SIGNS.get(found[0], found[1]), latex)
    latex = re.sub(r"[\\{}]", "", latex).replace("_@", "@")
    return re.sub(r" +", " ", latex).strip()


def _grouped(text: str) -> str:
    """In parentheses, unless it is one word or has them already."""
    is_whole = re.fullmatch(r"\\?[\w.@]*|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", text)
    return text if is_whole else f"({text})"


def atom(formula: Formula) -> Formula:
    """A formula in parentheses, unless it is one name, a number or a call."""
    if re.fullmatch(r"[\w.@#]+|\w+\([^()]*\)|\([^()]*\)", formula.plain):
        return formula
    return Formula(rf"({formula.latex})", f"({formula.plain})")


def tidied(latex: str) -> str:
    """A formula that names were put into, without parentheses that say nothing, and with exponents worked out."""
    ends = _pairs(latex)
    idle = {place for place, end in ends.items() if ends.get(place + 1) == end - 1}
    idle |= {0} if ends.get(0) == len(latex) - 1 else set()
    gone = idle | {ends[place] for place in idle}
    found = "".join(sign for place, sign in enumerate(latex) if place not in gone)
    found = _LESS_ONE.sub(lambda power: _power((-1 if power[1] else 1) * float(power[2]) - 1), found)
    return re.sub("^-", "{-}", found)  # as in number()


def _pairs(latex: str) -> dict[int, int]:
    """Where parentheses begin and end."""
    ends, begun = {}, []
    for place, sign in enumerate(latex):
        if sign == "(":
            begun.append(place)
        elif sign == ")" and begun:
            ends[begun.pop()] = place
    return ends


def _power(exponent: float) -> str:
    return "" if exponent == 1 else f"^{{{number(int(exponent) if exponent.is_integer() else exponent).latex}}}"


def _escaped(text: str) -> str:
    return re.sub(r"[_#%&${}]", r"\\\g<0>", text).replace("^", r"\^{}")


def _exponent(found: re.Match[str]) -> str:
    sign = "-" if found[1] == "-" else ""
    return rf" \times 10^{{{sign}{found[2]}}}"
