"""Warming up: what formulas need is there soon after the start."""

from __future__ import annotations

import os
import subprocess
import sys

from chalkgrad_app import warming

ALL = """
import sys
from PySide6.QtCore import QCoreApplication
from chalkgrad_app import warming
warming.FIRST_MS = warming.PAUSE_MS = 0
app = QCoreApplication([])
warm = warming.WarmUp(app)
warm.start()
turns = 0
while warm.isActive() and turns < 1000:
    app.processEvents()
    turns += 1
before = set(sys.modules)
import ziamath.zmath
from chalkgrad_app import catalogue
assert catalogue._entries.cache_info().currsize and catalogue._rare_entries.cache_info().currsize
from chalkgrad_app.widgets import highlight
warm._coloured.join()
assert highlight._lexer.cache_info().currsize
print(turns, *sorted(set(sys.modules) - before))
"""


def test_nothing_is_left_to_import_for_the_first_formula():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", ALL], env=environment, capture_output=True, text=True, check=True)
    turns, *missing = done.stdout.split()
    assert missing == []
    assert int(turns) > len(warming.PARTS), "each part has a turn of its own"
