"""Films how the course example is built from nothing, by real events in the real window.

``python tests/support/film.py mouse|keys OUT.webp`` needs Pillow. The pointer is drawn as a ring, the keys pressed are
written below the picture.
"""

from __future__ import annotations

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPen
from PySide6.QtTest import QTest
from support.hands import PLAIN, Hands

from chalkgrad_app.application import application

SIZE = (1280, 800)
WIDTH = 960
FOOT = 40
PAUSE = 600
LAST = 3000
"""Milliseconds that a picture stays."""


class Camera(Hands):
    """Hands that are filmed: a picture after each thing they do."""

    def __init__(self, window) -> None:
        super().__init__(window.canvas)
        self.window = window
        self.pictures: list[Image.Image] = []
        self.pointer: QPoint | None = None

    def click(self, at, keys=PLAIN, button=Qt.MouseButton.LeftButton):
        super().click(at, keys, button)
        self._film("click", at)

    def double_click(self, at):
        super().double_click(at)
        self._film("double-click", at)

    def move(self, at, keys=PLAIN, buttons=Qt.MouseButton.LeftButton):
        super().move(at, keys, buttons)
        self._film("drag", at)

    def release(self, at, keys=PLAIN):
        super().release(at, keys)
        self._film("release", at)

    def key(self, key, keys=PLAIN):
        super().key(key, keys)
        pressed = QKeySequence(key | keys).toString(QKeySequence.SequenceFormat.NativeText)
        self._film(pressed)

    def type(self, text):
        super().type(text)
        self._film(text)

    def drop(self, name, at):
        super().drop(name, at)
        self._film(f"drop {name}", at)

    def _film(self, words: str, at: QPoint | None = None) -> None:
        QTest.qWait(120)  # motion comes to rest
        image = self.window.grab().toImage()
        whole = image.copy(QRect(0, 0, image.width(), image.height() + FOOT))
        painter = QPainter(whole)
        painter.fillRect(0, image.height(), whole.width(), FOOT, QColor("#202020"))
        painter.setPen(QColor("white"))
        foot = QRect(16, image.height(), whole.width() - 32, FOOT)
        painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter, words)
        if at is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor("#B00020"), 3))
            painter.drawEllipse(self.canvas.mapTo(self.window, at), 14, 14)
        painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        whole.save(buffer, "PNG")
        picture = Image.open(BytesIO(bytes(buffer.data()))).convert("RGB")
        self.pictures.append(picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.LANCZOS))


def main() -> int:
    """The command."""
    way, path = sys.argv[1], Path(sys.argv[2])
    settings = tempfile.mkdtemp()
    for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, settings)
    application()
    from chalkgrad_app.main import create_window

    if way == "keys":
        from journeys.test_build_by_keys import build
    else:
        from journeys.test_build_by_hand import build
    window = create_window()
    window.resize(*SIZE)
    QTest.qWait(200)
    camera = Camera(window)
    window.canvas.setFocus()
    window.canvas.zoom_100()
    camera._film("")
    build(camera)
    camera.key(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    first, *others = camera.pictures
    stays = [PAUSE] * len(others) + [LAST]
    first.save(path, save_all=True, append_images=others, duration=stays, loop=0, quality=55, method=6)
    print(f"{path}: {len(camera.pictures)} pictures")
    window.document.undo_stack.setClean()
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
