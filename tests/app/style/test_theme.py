from __future__ import annotations

import dataclasses
import itertools

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel

from chalkgrad_app.style import theme
from chalkgrad_app.style.theme import NAMES, contrast, load, luminance

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
    ):
        assert contrast(getattr(chosen, role), chosen.canvas) >= 3.0, role


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
        for field in dataclasses.fields(load(name)):
            value = getattr(load(name), field.name)
            if field.name not in ("name", "dark"):
                assert QColor(value).isValid(), (name, field.name, value)
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
