"""The bar under the program: the scrubber, steps from event to event, and playing."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.panels.event_words import EventWords
from chalkgrad_app.panels.scrubber import Scrubber
from chalkgrad_app.playing import Playing
from chalkgrad_app.style import icons
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.flat_button import FlatButton


class TimeBar(QWidget):
    """What moves the cursor through the events of a trace."""

    def __init__(self, document: Document, playing: Playing, words: EventWords, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("program.time")
        self._document = document
        self._playing = playing
        self.back = FlatButton("program.eventBack", "event-back", self._step_back, self)
        self.play = FlatButton("program.play", "play", playing.toggle, self)
        self.forward = FlatButton("program.eventForward", "event-forward", self._step_forward, self)
        self.scrubber = Scrubber(document, words, self)
        self.scrubber.sought.connect(document.look_at)
        self.speed = QComboBox(self)
        self.speed.setObjectName("program.speed")
        for speed in settings.SPEEDS:
            self.speed.addItem("", speed)
        self.speed.activated.connect(self._on_speed)
        playing.changed.connect(self._follow_playing)
        row = QHBoxLayout(self)
        row.setContentsMargins(scaled(6), 0, scaled(6), scaled(2))
        row.setSpacing(scaled(2))
        for widget in (self.back, self.play, self.forward):
            row.addWidget(widget)
        row.addWidget(self.scrubber, 1)
        row.addWidget(self.speed)
        self._follow_playing()

    def follow(self) -> None:
        """Show trace and cursor as they are."""
        self.scrubber.follow()
        self.scrubber.setAccessibleDescription(self.scrubber.text_at(self._document.position))
        for widget in (self.back, self.play, self.forward):
            widget.setEnabled(self.scrubber.isEnabled())

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.back.say(self.tr("Previous event"))
        self.forward.say(self.tr("Next event"))
        self.scrubber.setAccessibleName(self.tr("Events of the whole run"))
        self.speed.setAccessibleName(self.tr("Events in a second"))
        self.speed.setToolTip(self.tr("Events in a second"))
        for index, speed in enumerate(settings.SPEEDS):
            self.speed.setItemText(index, self.tr("{n}/s").format(n=f"{speed / 100:g}"))
        self._follow_playing()

    def restyle(self) -> None:
        """Sizes of the text size in use."""
        self.scrubber.updateGeometry()

    # ------------------------------------------------------------ inside

    def _follow_playing(self) -> None:
        words = self.tr("Pause") if self._playing.is_playing else self.tr("Play through the events")
        self.play.setIcon(icons.icon("pause" if self._playing.is_playing else "play"))
        self.play.say(words)
        self.speed.setCurrentIndex(self.speed.findData(self._playing.speed))

    def _step_back(self) -> None:
        self._playing.step(-1)

    def _step_forward(self) -> None:
        self._playing.step(1)

    def _on_speed(self, index: int) -> None:
        self._playing.set_speed(settings.SPEEDS[index])
