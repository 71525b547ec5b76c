"""What the panel Why says of one gradient or one step: captions, formulas, paths to point at, Jacobians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from chalkgrad.explain import Account, Counted, Factor, Formula, NodeStep, Outgoing, Path, Share
from chalkgrad.explain.account import FEW, is_one
from chalkgrad.explain.writing import EQUALS, factor, product_pieces, row_pieces, together
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate
from chalkgrad_app.panels.jacobian_view import JacobianView
from chalkgrad_app.panels.object_names import line_number
from chalkgrad_app.panels.pointer import Pointer
from chalkgrad_app.panels.unfolding import Unfolding
from chalkgrad_app.pointing import PointedOut, along
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.formula_row import FormulaRow

WEIGHTS = Formula(r"v", "v")
MANY = 8
"""Of more paths, derivatives or nodes than this so many are shown at first."""
NO_BREAK = "\u00a0"
"""A space at which no line breaks: an expression on a path stays in one piece."""


class WhyPage(QWidget):
    """Captions and formulas under each other. ``rows`` are the formulas still to be set."""

    looked_at = Signal(object)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.rows: list[FormulaRow] = []
        self._folded: list[FormulaRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8))
        self._column.setSpacing(scaled(6))

    def minimumSizeHint(self) -> QSize:
        """As narrow as it may be; how high it is then tells its width, not that of the narrowest one."""
        return QSize(super().minimumSizeHint().width(), 0)

    def end(self) -> None:
        """There is no more to come: what is seen is set first."""
        self.rows += self._folded
        self._folded = []
        self._column.addStretch(1)

    def add(self, widget: QWidget) -> None:
        """Put a widget under what is there."""
        self._column.addWidget(widget)

    def add_words(self, text: str, name: str = "why.words", muted: bool = False) -> QLabel:
        """A sentence."""
        label = QLabel(text, self)
        label.setObjectName(name)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        if muted:
            tint(label, "muted")
        self.add(label)
        return label

    def add_caption(self, text: str) -> None:
        """A heading over a part."""
        label = self.add_words(text, "why.caption")
        font = label.font()
        font.setBold(True)
        label.setFont(font)

    def add_row(self, terms: Sequence[Formula], holder: Pointer | None = None) -> None:
        """A formula, to be set when there is time."""
        made = FormulaRow(terms, self if holder is None else holder)
        self.rows.append(made)
        if holder is None:
            self.add(made)
        else:
            holder.add(made)

    # ------------------------------------------------------------ a gradient

    def add_account(self, account: Account) -> None:
        """Everything about one gradient."""
        total = account.sum()
        if total:
            self.add_caption(translate("Why", "Accumulated"))
            self.add_row(total)
        for share in account.shares:
            self._add_share(share, len(account.shares) > 1)

    def _add_share(self, share: Share, is_one_of_many: bool) -> None:
        program = self._document.program
        if share.earlier:
            words = translate("Why", "{n} earlier backwards, added up:")
            self.add_words(words.format(n=share.earlier), "why.line", muted=True)
        elif share.statement in program and (is_one_of_many or not share.paths):
            line = line_number(self._document, share.statement, share.pass_)
            code = emit.shown_line(program, share.statement)
            self.add_words(translate("Why", "Line {line}: {code}").format(line=line, code=code), "why.line", muted=True)
        if share.failure:
            self.add_words(translate("Why", "It could not be worked out: {error}").format(error=share.failure))
        self._add_sum(share)
        if share.seed is not None and share.seed.size > 1:
            self.add_words(translate("Why", "v are the weights that the backward was given:"), muted=True)
            self.add_row([WEIGHTS, EQUALS, *row_pieces(share.seed)])
        self._add_paths(share)
        factors = share.factors()
        if factors:
            self.add_caption(translate("Why", "Local derivatives"))
        arrivals = share.arrivals()
        of_target = [share.gradient if derivative.by == share.target else None for derivative in factors]
        self._add_many(
            [
                partial(self._add_factor, found, arrivals.get(found.of.plain), gradient, found.of == share.root)
                for found, gradient in zip(factors, of_target, strict=True)
            ]
        )
        if share.has_direct:
            words = translate("Why", "{partial} is the direct step alone, {total} the sum of all paths.")
            direct = next(found for found in factors if found.direct).symbol.plain
            self.add_words(words.format(partial=direct, total=direct.replace("∂", "d")), "why.direct", muted=True)
        self._add_turns(factors)
        self._add_counted(share.counted)

    def _add_sum(self, share: Share) -> None:
        """The chain rule; of a long sum the first terms, and a button that shows all."""
        rows = share.rows()
        if len(share.paths) <= FEW + 1:
            for terms in rows:
                self.add_row(terms)
            return
        brief, whole = QWidget(self), QWidget(self)
        for holder, sums in ((brief, share.rows(FEW)[:2]), (whole, rows[:2])):
            column = _column_in(holder)
            made = [FormulaRow(terms, holder) for terms in sums]
            for row in made:
                column.addWidget(row)
            (self.rows if holder is brief else self._folded).extend(made)
            self.add(holder)
        whole.hide()
        self._add_unfolding(len(share.paths) - FEW, whole, brief)
        for terms in rows[2:]:
            self.add_row(terms)

    def _add_many(self, shown: Sequence[Callable[[], None]]) -> None:
        """What these add, of many the first alone, and a button that opens the others."""
        few = shown if len(shown) <= MANY + 2 else shown[:MANY]
        for add in few:
            add()
        if len(few) == len(shown):
            return
        rest = QWidget(self)
        outer, kept = self._column, self.rows
        self._column, self.rows = _column_in(rest, self._column.spacing()), self._folded
        for add in shown[len(few) :]:
            add()
        self._column, self._folded, self.rows = outer, self.rows, kept
        self.add(rest)
        rest.hide()
        self._add_unfolding(len(shown) - len(few), rest)

    def _add_unfolding(self, more: int, whole: QWidget, brief: QWidget | None = None) -> None:
        button = Unfolding(more, whole, brief, self)
        button.toggled.connect(self._on_unfolded)
        self.add(button)

    def _on_unfolded(self) -> None:
        """What can be seen now is set next."""
        self.rows.sort(key=lambda row: not row.isVisible())

    def _add_turns(self, factors: Sequence[Factor]) -> None:
        """What ``w(1)`` and ``w(2)`` are."""
        names = dict.fromkeys(found.by.plain for found in factors if found.turn)
        if names:
            words = translate(
                "Why", "{names}: the same tensor at several inputs of one operator. Each of them is a path of its own."
            )
            self.add_words(words.format(names=", ".join(names)), "why.turns", muted=True)

    def _add_paths(self, share: Share) -> None:
        if not share.paths:
            return
        if share.by_last:
            self.add_caption(translate("Why", "Paths, added up by their last step"))
            text = translate(
                "Why", "There are more than {n} paths: each row is the sum of those that come by the same last step."
            )
            self.add_words(text.format(n=share.number_of_paths - 1), muted=True)
        else:
            one, more = translate("Why", "{n} path"), translate("Why", "{n} paths, added up")
            self.add_caption((one if len(share.paths) == 1 else more).format(n=len(share.paths)))
        self._add_many([partial(self._add_path, place, path) for place, path in enumerate(share.paths, 1)])

    def _add_path(self, place: int, path: Path) -> None:
        """Where it leads, and what it gives."""
        if path.left_over:
            chain = translate("Why", "all that are left, {n}").format(n=path.left_over)
        else:
            chain = " → ".join(station.plain for station in path.stations)
        numbers, result = path.numbers(), row_pieces(path.gradient)
        terms = numbers if numbers == result else (*numbers, EQUALS, *result)
        words = translate("Why", "path {place}: {chain}, gives {value}").format(
            place=place, chain=chain, value=together(result).plain
        )
        self._add_pointer(along(path.trail), chain, terms, words)

    def _add_counted(self, nodes: Sequence[Counted]) -> None:
        """The nodes beside the cards that have no name but their count there."""
        if nodes:
            self.add_caption(translate("Why", "Nodes of the gradient's graph"))
        self._add_many([partial(self._add_count, node) for node in nodes])

    def _add_count(self, node: Counted) -> None:
        terms = node.sentence()
        self._add_pointer(along(node.trail), "", terms, together(terms).plain)

    def _add_pointer(self, what: PointedOut, title: str, terms: Sequence[Formula], words: str) -> None:
        holder = Pointer(what, words, self)
        holder.looked_at.connect(self.looked_at)
        if title:
            label = QLabel(title.replace(" ", NO_BREAK).replace(f"{NO_BREAK}→{NO_BREAK}", " → "), holder)
            label.setFont(code_font(ratio=SMALL))
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            holder.add(label)
        self.add_row(terms, holder)
        self.add(holder)

    def _add_factor(
        self, derivative: Factor, weights: np.ndarray | None, gradient: np.ndarray | None = None, is_root: bool = False
    ) -> None:
        self.add_row(derivative.sentence())
        if derivative.is_unwritten:
            words = translate("Why", "No formula is written down for this step; its numbers are those of the backward.")
            self.add_words(words, "why.unwritten", muted=True)
        if derivative.takes_mean and "n" not in self._document.program.names():
            words = translate("Why", "n is the number of elements over which the mean is taken.")
            self.add_words(words, "why.count", muted=True)
        if derivative.law is not None and derivative.law.of_gradient:
            arrived = translate("Why", "{g} is the gradient that arrives there, of the root by {name}.")
            g = derivative.law.left.plain.split(" ")[0]
            self.add_words(arrived.format(g=g, name=derivative.of.plain), "why.arrived", muted=True)
        if derivative.jacobian is not None and derivative.jacobian.size > 1:
            weighted = None if weights is None or is_one(weights) else weights
            self.add(JacobianView(derivative, weighted, gradient, is_root, self))

    # ------------------------------------------------------------ a step

    def add_step(self, step: NodeStep) -> None:
        """What one node does."""
        self.add_caption(translate("Why", "{node} has run").format(node=step.node))
        if step.incoming is None:
            self.add_words(translate("Why", "No gradient came in."))
            return
        self.add_words(translate("Why", "The gradient that came in:"), muted=True)
        self.add_row([step.arrives, EQUALS, *row_pieces(step.incoming)])
        for out in step.outgoing:
            self._add_outgoing(step, out)
        self._add_turns([out.factor for out in step.outgoing])
        self._add_counted(step.counted)

    def _add_outgoing(self, step: NodeStep, out: Outgoing) -> None:
        title = translate("Why", "to {name}").format(name=out.factor.by.plain)
        self.add_caption(title)
        self._add_factor(out.factor, step.incoming)
        if out.gradient is None:
            self.add_words(translate("Why", "Nothing goes out."), muted=True)
            return
        value = out.factor.value
        known = value is not None and step.incoming is not None and step.incoming.size == 1
        pieces = [*product_pieces([step.arrives, out.factor.symbol]), EQUALS]
        if known and value is not None and step.incoming is not None:
            pieces += [*product_pieces([factor(step.incoming.ravel()[0]), factor(value)]), EQUALS]
        pieces += row_pieces(out.gradient)
        words = f"{title}: {together(pieces).plain}"
        self._add_pointer(along(out.trail), "", pieces, words)


def _column_in(holder: QWidget, spacing: int | None = None) -> QVBoxLayout:
    """A column without margins in a widget."""
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        column.setSpacing(spacing)
    return column
