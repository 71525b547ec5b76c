"""The names that automation and screen readers use are those that docs/automation.md lists."""

import importlib.util
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit

from chalkgrad_app.actions import ACTIONS

ROOT = Path(__file__).parents[2]


def test_the_list_is_up_to_date(qapp):
    spec = importlib.util.spec_from_file_location("write_automation", ROOT / "packaging" / "write_automation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.text() == (ROOT / "docs" / "automation.md").read_text(encoding="utf-8"), "run it"


def test_every_action_is_found_by_its_name(window):
    assert all(window.findChild(QAction, f"action.{action.id}") is not None for action in ACTIONS)


def test_every_input_of_a_panel_has_a_name_and_an_accessible_name(window):
    panels = [getattr(window.docks, name) for name in window.docks.by_name]  # those closed are made when asked for
    fields = [field for panel in panels for kind in (QLineEdit, QComboBox) for field in panel.findChildren(kind)]
    inner = {"qt_spinbox_lineedit"}
    assert fields
    for field in fields:
        if field.objectName() not in inner and not isinstance(field.parent(), QComboBox):
            assert field.objectName(), field
            assert field.accessibleName(), field.objectName()
