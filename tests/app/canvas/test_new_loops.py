"""A new loop around cards that lie in several rows: they come together, and the same keys that made it fold it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSizeF, Qt
from support.desk import calm, key, settle
from support.hands import CTRL, SHIFT, Hands

from chalkgrad_app import settings
from chalkgrad_app.picture.folding import with_values
from chalkgrad_app.picture.frames import title_rect
from chalkgrad_app.picture.wires import FINE, flatten
from chalkgrad_app.style.theme import current

KEY = Qt.Key
MLP = """import torch
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
W1 = torch.randn(2, 4, generator=torch.Generator().manual_seed(1), requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
W2 = torch.randn(4, 1, generator=torch.Generator().manual_seed(2), requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
h = X @ W1 + b1
z = torch.tanh(h)
o = z @ W2 + b2
d = o - Y
s = d ** 2
loss = s.mean()
"""


@pytest.fixture
def hands(window, open_text):
    """``h`` and ``z``, one at the end of a row and one at the beginning of the next, put into a loop by the key."""
    window.resize(1500, 950)
    calm(window)
    open_text(MLP)
    calm(window)
    key(window, KEY.Key_0, CTRL)
    calm(window)
    hands = Hands(window.canvas)
    assert rect(hands, "z").left() < rect(hands, "h").left(), "they lie in two rows"
    hands.click(hands.header("h"))
    hands.click(hands.header("z"), SHIFT)
    hands.canvas.setFocus()
    hands.key(KEY.Key_R, SHIFT)
    settle(window)
    calm(window)
    return hands


def is_written(image, x, room, ground):
    """Whether something else than the ground is seen in a column of a room."""
    ratio = image.devicePixelRatio()
    return any(image.pixelColor(QPoint(x, y) * ratio) != ground for y in range(room.top(), room.bottom()))


def rect(hands, name):
    return hands.canvas.picture.rect(hands.id(name))


def test_its_cards_lie_in_one_row_and_its_frame_holds_little_else(hands):
    picture = hands.canvas.picture
    (frame,) = picture.frames
    h, z = rect(hands, "h"), rect(hands, "z")
    assert h.right() < z.left()
    assert h.top() < z.bottom()
    assert z.top() < h.bottom()
    cards = sum(picture.rect(id_).width() * picture.rect(id_).height() for id_ in frame.cards)
    assert cards > 0.4 * frame.rect.width() * frame.rect.height()
    strangers = [id_ for id_ in picture.ids if id_ not in frame.cards]
    assert not [id_ for id_ in strangers if picture.rect(id_).intersects(frame.rect)]


def test_no_wire_crosses_its_title_or_leaves_it_to_come_back(hands):
    picture = hands.canvas.picture
    (frame,) = picture.frames
    title = title_rect(frame).adjusted(2, 2, -2, -2)
    for row, wire in enumerate(picture.wires):
        pieces = picture.cubics[picture.pieces_of(np.array([row]))]
        points = [QPointF(x, y) for x, y in flatten(pieces, FINE).reshape(-1, 2).tolist()]
        assert not any(title.contains(point) for point in points)
        if {wire.source, wire.target} <= frame.cards:
            assert all(frame.rect.contains(point) for point in points)


def test_it_is_one_step_to_undo(hands):
    h, z = rect(hands, "h"), rect(hands, "z")
    hands.key(KEY.Key_Z, CTRL)
    assert not hands.canvas.picture.frames
    assert rect(hands, "z").left() < rect(hands, "h").left()
    hands.key(KEY.Key_Y, CTRL)
    assert (rect(hands, "h"), rect(hands, "z")) == (h, z)


def test_the_key_to_fold_folds_it_though_what_is_written_inside_its_lines_is_not_selected(hands):
    (frame,) = hands.canvas.picture.frames
    hands.key(KEY.Key_C, SHIFT)
    (fold,) = hands.canvas.picture.folds
    assert (fold.id, fold.title) == (frame.id, "for step in range(10)")
    assert not hands.document.board.frames
    assert hands.document.undo_stack.undoText() == "Fold for step in range(10)"
    hands.key(KEY.Key_Delete)
    assert hands.document.undo_stack.undoText() == "Delete for step in range(10)"


def test_its_node_shows_what_comes_out_of_it_and_the_colours_of_what_goes_in(hands):
    settings.MOTION.set(False)
    hands.key(KEY.Key_C, SHIFT)
    hands.document.clear_selection()
    canvas, colors = hands.canvas, current()
    canvas.set_zoom_percent(100)
    (fold,) = canvas.picture.folds
    canvas.viewport.center_on(fold.rect.center(), QSizeF(canvas.size()))
    canvas.repaint_still()
    settle(canvas.window())
    image = canvas.grab().toImage()
    for port, role in zip(fold.inputs, ("leaf_edge", "leaf_grad_edge", "leaf_grad_edge"), strict=True):
        at = canvas.to_view(fold.rect.topLeft() + QPointF(*port.at)).toPoint()
        assert image.pixelColor(at * image.devicePixelRatio()) == colors.color(role)
    (z,) = with_values(canvas.picture, fold).outputs
    assert (z.name, z.value.shape) == ("z", "(4, 4)")
    line = canvas.to_view(fold.rect.topLeft() + QPointF(fold.rect.width() / 2, z.down)).toPoint()
    room = QRect(line.x(), line.y() - 8, round(fold.rect.width() / 2) - 10, 16)
    ground = image.pixelColor(room.topLeft() * image.devicePixelRatio())
    columns = [x for x in range(room.left(), room.right()) if is_written(image, x, room, ground)]
    assert columns[-1] - columns[0] > 40, "more than the one letter of its name is written there"


def test_a_port_of_what_has_no_name_is_called_as_its_card_is(hands):
    hands.click(hands.header("o"))
    hands.key(KEY.Key_C, SHIFT)
    hands.key(KEY.Key_Return)
    (fold,) = hands.canvas.picture.folds
    assert {port.name for port in fold.inputs} == {"b2", "z @ W2"}


def test_wires_to_its_node_come_from_the_left_and_do_not_turn_back(hands):
    before = rect(hands, "b1")
    steps = hands.document.undo_stack.count()
    hands.key(KEY.Key_C, SHIFT)
    calm(hands.canvas.window())
    picture = hands.canvas.picture
    (fold,) = picture.folds
    assert before.right() > fold.rect.left(), "it stood below"
    for name in ("X", "W1", "b1"):
        assert rect(hands, name).right() < fold.rect.left()
    rows = [row for row, wire in enumerate(picture.wires) if wire.target in fold.cards and not picture.wire_hidden[row]]
    for row in rows:
        across = flatten(picture.cubics[picture.pieces_of(np.array([row]))], FINE).reshape(-1, 2)[:, 0]
        assert (np.diff(across) >= -0.5).all()
    others = [rect(hands, name) for name in ("X", "W1", "W2", "o")]
    assert not any(rect(hands, "b1").intersects(other) for other in others)
    assert hands.document.undo_stack.count() == steps + 1
    hands.key(KEY.Key_Z, CTRL)
    assert rect(hands, "b1") == before


@pytest.mark.parametrize("kept", [True, False])
def test_a_leaf_that_is_kept_in_place_or_read_elsewhere_too_stays(hands, kept):
    hands.document.select([hands.id("b1")])
    if kept:
        hands.canvas.tidying.keep_in_place()
    else:
        hands.canvas.placing.place_operator("neg")
    settle(hands.canvas.window())
    before = rect(hands, "b1")
    hands.document.select([hands.id("h"), hands.id("z")])
    hands.key(KEY.Key_C, SHIFT)
    assert hands.canvas.picture.folds
    assert rect(hands, "b1") == before
