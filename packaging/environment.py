"""The virtual environment of a checkout, ``.venv``: made when missing, installed again when pyproject.toml changed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from system import SetupError, say

ROOT = Path(__file__).resolve().parent.parent
STAMP = "chalkgrad-setup"

# Each level holds the ones before it: the program; what the tests need; what the checks need.
LEVELS = ("", "test", "dev")


def folder(root: Path) -> Path:
    """Where the virtual environment of the checkout at ``root`` is."""
    return root / ".venv"


def program(root: Path, name: str) -> Path:
    """The path of a program in the virtual environment, as this system names it."""
    if os.name == "nt":
        return folder(root) / "Scripts" / f"{name}.exe"
    return folder(root) / "bin" / name


def fingerprint(root: Path) -> str:
    """What an installation depends on: pyproject.toml, where the checkout is and which Python made it."""
    digest = hashlib.sha256((root / "pyproject.toml").read_bytes())
    digest.update(f"{root}\n{sys.version_info[:2]}".encode())
    return digest.hexdigest()


def installed_level(root: Path) -> int:
    """The level that was installed from the pyproject.toml of now; -1 when nothing was, or from another one."""
    try:
        seal, level = (folder(root) / STAMP).read_text("utf-8").split()
    except (OSError, ValueError):
        return -1
    if seal != fingerprint(root) or level not in map(str, range(len(LEVELS))):
        return -1
    # A link to a Python that was upgraded away leads nowhere.
    return int(level) if program(root, "python").exists() else -1


def is_ready(root: Path, extra: str) -> bool:
    """Whether everything of the level ``extra`` is installed and up to date."""
    return installed_level(root) >= LEVELS.index(extra)


def has_pip(root: Path) -> bool:
    """Whether the virtual environment is there, whole, and of the Python that runs this."""
    python = program(root, "python")
    probe = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return python.exists() and subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode == 0


def make(root: Path) -> None:
    """Make the virtual environment, or put a broken one right; raises SetupError."""
    if has_pip(root):
        return
    say(f"Making {folder(root)}")
    # An environment of ours may be emptied; one that somebody made is only completed.
    ours = (folder(root) / STAMP).exists()
    options = ["--clear"] if ours else []
    done = subprocess.run([sys.executable, "-m", "venv", *options, str(folder(root))], stdout=sys.stderr, check=False)
    if done.returncode or not has_pip(root):
        raise SetupError(f"Making {folder(root)} failed. Remove that folder and start again.")


def install(root: Path, extra: str) -> None:
    """Install the checkout at ``root``, editable, with the dependencies of the level ``extra``; raises SetupError."""
    stamp = folder(root) / STAMP
    say(f"Installing Chalkgrad's dependencies into {folder(root)}; the first time some 200 MB are fetched")
    target = f"{root}[{extra}]" if extra else str(root)
    command = [
        str(program(root, "python")),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--quiet",
        "-e",
        target,
    ]
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
        raise SetupError("Installing failed; what pip says about it is above.")
    stamp.write_text(f"{fingerprint(root)} {LEVELS.index(extra)}\n", "utf-8")


def prepare(root: Path, extra: str) -> None:
    """See to it that the virtual environment has everything of the level ``extra``; raises SetupError."""
    if not is_ready(root, extra):
        make(root)
        install(root, extra)
