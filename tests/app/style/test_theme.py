from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel
from support.contrast import contrast, luminance

from chalkgrad_app.style import sheet, theme
from chalkgrad_app.style.theme import NAMES, load

TEXT_ON = [
    ("ink", "card"),
    ("ink", "canvas"),
    ("muted", "card"),
    ("muted", "canvas"),
    ("leaf_text", "leaf"),
    ("leaf_grad_text", "leaf_grad"),
    ("intermediate_text", "intermediate"),
    ("plain_text", "plain"),
    ("function_text", "function"),
    ("function_ink", "card"),
    ("grad_text", "grad"),
    ("grad_ink", "card"),
    ("error_text", "error"),
    ("error_ink", "card"),
    ("error_ink", "canvas"),
    ("cover_text", "cover"),
    ("note_text", "note"),
    ("frame_text", "frame"),
    ("tag_text", "tag"),
    ("field_text", "field"),
    ("text", "window"),
    ("text", "base"),
    ("text", "button"),
    ("placeholder", "base"),
    ("highlight_text", "highlight"),
    ("tooltip_text", "tooltip"),
    ("link", "base"),
    ("link", "panel"),
    ("text", "panel"),
    ("text", "hover"),
    ("text", "pressed"),
    ("text", "flash"),
    ("text", "alternate"),
    ("muted", "window"),
    ("muted", "hover"),
    ("placeholder", "window"),
    ("placeholder", "hover"),
    ("error_ink", "base"),
    ("error_ink", "window"),
    *[(f"code_{kind}", "base") for kind in ("keyword", "string", "number", "comment", "name", "call")],
    *[(f"code_{kind}", "code_current") for kind in ("keyword", "string", "number", "comment", "name", "call")],
]


@pytest.mark.parametrize("name", NAMES)
def test_text_stands_out_from_what_it_is_written_on(name: str) -> None:
    chosen = load(name)
    weak = {
        (text, ground): round(contrast(getattr(chosen, text), getattr(chosen, ground)), 2)
        for text, ground in TEXT_ON
        if contrast(getattr(chosen, text), getattr(chosen, ground)) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("name", NAMES)
def test_edges_and_wires_stand_out_from_the_canvas(name: str) -> None:
    chosen = load(name)
    for role in (
        "wire",
        "wire_grad",
        "ghost",
        "selection",
        "leaf_edge",
        "leaf_grad_edge",
        "intermediate_edge",
        "focus",
        "function_edge",
        "frame_edge" if name == "contrast" else "wire",
        "field_edge",
        "grad_ink",
        "error_ink",
    ):
        assert contrast(getattr(chosen, role), chosen.canvas) >= 3.0, role


MARKS_ON = [
    ("field_edge", "base"),
    ("field_edge", "window"),
    ("field_edge", "panel"),
    ("focus", "window"),
    ("focus", "base"),
    ("focus", "panel"),
    ("focus", "card"),
    ("selection", "card"),
    ("disabled", "window"),
    ("disabled", "base"),
    ("error_ink", "panel"),
    ("function_edge", "card"),
    ("intermediate_edge", "card"),
    ("grad_empty", "card"),
    ("plain_edge", "card"),
]


@pytest.mark.parametrize("name", NAMES)
def test_edges_rings_and_signs_stand_out_from_what_they_are_on(name: str) -> None:
    chosen = load(name)
    weak = {
        (mark, ground): round(contrast(getattr(chosen, mark), getattr(chosen, ground)), 2)
        for mark, ground in MARKS_ON
        if contrast(getattr(chosen, mark), getattr(chosen, ground)) < 3.0
    }
    assert weak == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_main_button_is_clear_under_the_mouse_and_pressed(name: str) -> None:
    chosen = load(name)
    for darker in (100, sheet.HOVER, sheet.PRESSED):
        ground = chosen.color("highlight").darker(darker).name()
        assert contrast(chosen.highlight_text, ground) >= 4.5


DICHROMACY = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""

AMBIENT = 0.45
"""How much white a lit room adds to a projector's picture."""

SHAPES = {
    "leaf": "square thin",
    "leaf_grad": "square thick",
    "intermediate": "round thick",
    "function": "pointed",
    "grad": "pill",
    "error": "octagon hatched",
}
"""What tells cards and marks apart without any colour (see docs/looks.md)."""


def simulated(text: str, sight: str, ambient: float) -> np.ndarray:
    """Linear red, green and blue of a colour as somebody sees it in a room with that much light."""
    channels = np.array([int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(DICHROMACY[sight]) @ linear, 0, 1)
    return (1 - ambient) * seen + ambient


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """The distance of two colours in CIELAB."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def lab(linear: np.ndarray) -> np.ndarray:
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    ratio = np.array(to_xyz) @ linear / np.array([0.95047, 1.0, 1.08883])
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", DICHROMACY)
@pytest.mark.parametrize("name", NAMES)
def test_what_tells_what_survives_without_colour_and_in_a_lit_room(name: str, sight: str) -> None:
    """Neighbours differ by shape or by 0.1 of luminance, and headers by luminance in any case."""
    chosen = load(name)
    luminances = {role: simulated(getattr(chosen, role), sight, AMBIENT) @ [0.2126, 0.7152, 0.0722] for role in SHAPES}
    for one, other in itertools.combinations(SHAPES, 2):
        assert SHAPES[one] != SHAPES[other] or abs(luminances[one] - luminances[other]) >= 0.1
    headers = sorted(luminances[role] for role in ("leaf", "leaf_grad", "intermediate", "function"))
    assert all(after - before >= 0.03 for before, after in itertools.pairwise(headers)), headers


@pytest.mark.parametrize("sight", DICHROMACY)
def test_the_colour_blind_safe_theme_keeps_every_hue_apart(sight: str) -> None:
    chosen = load("colourblind")
    for one, other in itertools.combinations(SHAPES, 2):
        seen = [simulated(getattr(chosen, role), sight, 0) for role in (one, other)]
        assert difference(*seen) >= 23, (one, other)


def test_the_colour_blind_safe_theme_keeps_the_steps_of_luminance() -> None:
    chosen = load("colourblind")
    levels = [luminance(getattr(chosen, role)) for role in ("leaf", "leaf_grad", "function", "intermediate")]
    assert all(before - after >= 0.1 for before, after in itertools.pairwise(levels)), levels


def test_headers_of_the_light_theme_are_those_of_the_course() -> None:
    light = load("light")
    assert (light.leaf, light.leaf_grad, light.intermediate, light.function) == (
        "#F2C530",
        "#4FA64F",
        "#5D4037",
        "#1976B8",
    )
    levels = [luminance(colour) for colour in (light.leaf, light.leaf_grad, light.function, light.intermediate)]
    assert levels == pytest.approx([0.59, 0.30, 0.17, 0.06], abs=0.01)
    assert all(before - after >= 0.1 for before, after in itertools.pairwise(levels))


def test_every_colour_is_a_colour() -> None:
    for name in NAMES:
        for role, value in load(name)._asdict().items():
            if role not in ("name", "dark"):
                assert QColor(value).isValid(), (name, role, value)
                assert len(value) == 7


def test_an_unknown_theme_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ValueError, match=r"no theme 'pink'.*blackboard"):
        load("pink")


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#FFFFFF", "#767676") == pytest.approx(4.54, abs=0.01)


def test_theme_and_text_size_change_while_running(qtbot, qapp) -> None:
    label = QLabel("w")
    qtbot.addWidget(label)
    label.show()
    try:
        theme.apply(qapp, load("light"), 100)
        qapp.processEvents()
        small = label.fontMetrics().height()
        theme.apply(qapp, load("dark"), 200)
        qapp.processEvents()
        assert label.palette().color(QPalette.ColorRole.Window).name().upper() == load("dark").window
        assert label.fontMetrics().height() == pytest.approx(2 * small, rel=0.1)
        assert theme.current().name == "dark"
        assert theme.text_size() == 200
    finally:
        theme.apply(qapp, load("light"), 100)
