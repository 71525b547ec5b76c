"""Collect the window's texts into the .ts files and compile them: ``python packaging/translate.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "chalkgrad_resources" / "translations"
LANGUAGES = ("zh_CN",)


def main() -> int:
    """Run Qt's two tools for every language; the exit status of the first that fails, else 0."""
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "app" / "chalkgrad_app").rglob("*.py"))
    for language in LANGUAGES:
        ts, qm = FOLDER / f"chalkgrad_{language}.ts", FOLDER / f"chalkgrad_{language}.qm"
        for command in (
            [tool("lupdate"), "-locations", "none", "-no-obsolete", *sources, "-ts", str(ts)],
            [tool("lrelease"), str(ts), "-qm", str(qm)],
        ):
            status = subprocess.run(command, cwd=ROOT, check=False).returncode
            if status:
                return status
    return 0


def tool(name: str) -> str:
    """Path of one of PySide6's tools beside this Python."""
    return str(Path(sys.executable).with_name(f"pyside6-{name}"))


if __name__ == "__main__":
    raise SystemExit(main())
