"""The installed PySide6 survives being used: some releases lose a reference to None on every call that returns none."""

import subprocess
import sys

CALLS = 50_000

# A process holds some 5,700 references to None; a binding that loses one a call aborts long before the end.
PROGRAM = f"""
from PySide6.QtCore import QObject, Signal


class Bell(QObject):
    rung = Signal(int)


class Ear(QObject):
    heard = 0

    def listen(self, number):
        self.heard += 1


bell, ear = Bell(), Ear()
bell.rung.connect(ear.listen)
for number in range({CALLS}):
    bell.setObjectName("bell")
for number in range({CALLS}):
    bell.rung.emit(number)
print(ear.heard, bell.objectName())
"""


def test_it_lives_through_fifty_thousand_calls_and_emits() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(CALLS), "bell"]
