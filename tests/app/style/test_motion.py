"""Motion follows the system until somebody chooses, by the menu Show."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QProxyStyle, QStyle
from support.desk import choose

from chalkgrad_app import settings


@pytest.fixture
def calm(qapp, monkeypatch):
    """A system whose windows don't move."""

    class Calm(QProxyStyle):
        def styleHint(self, hint, *others):
            return 0 if hint == QStyle.StyleHint.SH_Widget_Animation_Duration else super().styleHint(hint, *others)

    style = Calm()
    monkeypatch.setattr(qapp, "style", lambda: style)
    yield
    style.deleteLater()


def test_it_follows_the_system(qapp, monkeypatch, calm):
    assert settings.MOTION.get() is False


def test_what_somebody_chose_stays(qapp, calm):
    settings.MOTION.set(True)
    assert settings.MOTION.get() is True


def test_the_menu_switches_it_off_and_on(window):
    assert settings.MOTION.get() is True
    assert window.findChild(QAction, "action.motion").isChecked()
    choose(window, "show", "motion")
    assert settings.MOTION.get() is False
    choose(window, "show", "motion")
    assert settings.MOTION.get() is True
