"""What Qt takes from a Linux system, shared libraries and fonts: found by loading them, installed with apt."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

# Shared library -> the Debian package that holds it. Newer releases resolve the old names (libglib2.0-0t64) themselves.
OFFSCREEN = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
}
X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
WAYLAND = {
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
EVERYTHING = OFFSCREEN | X11 | WAYLAND

# With the font comes `fontconfig`: it writes the system's font cache, without which each new account scans 56 MB.
CHINESE_FONTS = (("fonts-noto-cjk", "fontconfig"), ("fonts-wqy-microhei", "fontconfig"))
NO_CHINESE_FONT = "No font with Chinese characters was found: Chinese text will be drawn as boxes."


class SetupError(Exception):
    """The system lacks something that could not be installed; the message says what to type."""


def say(message: str) -> None:
    """Print one line about the set-up on stderr, where it doesn't mix with what a command prints."""
    print(message, file=sys.stderr, flush=True)


def loads(soname: str) -> bool:
    """Whether the dynamic linker finds the shared library ``soname`` and all that it needs."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def missing(libraries: Mapping[str, str]) -> dict[str, str]:
    """The part of ``libraries`` (shared library -> package) that can't be loaded."""
    return {soname: package for soname, package in libraries.items() if not loads(soname)}


def libraries_needed(environment: Mapping[str, str], window: bool) -> dict[str, str]:
    """What Qt loads here: the offscreen set, and for a window those of the display that ``environment`` names."""
    needed = dict(OFFSCREEN)
    if window and environment.get("DISPLAY"):
        needed |= X11
    if window and environment.get("WAYLAND_DISPLAY"):
        needed |= WAYLAND
    return needed


def venv_package() -> dict[str, str]:
    """The package that lets this Python make a virtual environment, under the module it brings; empty if it can."""
    importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is not None:
        return {}
    return {"the Python module ensurepip": f"python3.{sys.version_info.minor}-venv"}


def apt_line(packages: Sequence[str]) -> str:
    """The line that a person types to install ``packages``."""
    return "sudo apt-get install -y --no-install-recommends " + " ".join(packages)


@functools.cache
def apt_prefix() -> tuple[str, ...] | None:
    """What goes before ``apt-get`` so that it may install without asking; None when that can't be had here."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ("env", "DEBIAN_FRONTEND=noninteractive")
    if shutil.which("sudo") and not subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode:
        return ("sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive")
    return None


@functools.cache
def apt_update(prefix: tuple[str, ...]) -> None:
    """Fetch the package lists, once; offline the lists that are there have to do."""
    subprocess.run([*prefix, "apt-get", "-qq", "update"], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)


def apt_install(packages: Sequence[str]) -> bool:
    """Install Debian packages; whether it worked. False, too, when there is no apt or no right to use it."""
    prefix = apt_prefix()
    if prefix is None:
        return False
    say(f"Installing with apt, which may take a minute: {' '.join(packages)}")
    apt_update(prefix)
    command = [*prefix, "apt-get", "-qq", "install", "-y", "--no-install-recommends", *packages]
    # dpkg says a page about each package; it matters when one fails. It must not ask the terminal anything.
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        say("\n".join(done.stdout.splitlines()[-12:]))
    return done.returncode == 0


def advice(lacking: Mapping[str, str]) -> str:
    """What to tell somebody whose system lacks these things (what -> package) and may not install them from here."""
    what = ", ".join(lacking)
    if shutil.which("apt-get"):
        line = apt_line(sorted(set(lacking.values())))
        return f"This system lacks {what}. Install what is missing with this line, then start again:\n\n    {line}"
    return f"This system lacks {what}, and has no apt-get. Install them with its own package manager, then start again."


def ensure_packages(needed: Mapping[str, str]) -> None:
    """Install what ``needed`` and making a virtual environment lack.

    When anything has to be installed, the libraries of every display come along: they are small, and the next
    command may want them. Raises SetupError with the line to type when it can't be done here.
    """
    lacking = missing(needed) | venv_package()
    if not lacking:
        return
    apt_install(sorted({*lacking.values(), *missing(EVERYTHING).values()}))
    lacking = missing(needed) | venv_package()
    if lacking:
        raise SetupError(advice(lacking))


class FontSet(ctypes.Structure):
    """fontconfig's FcFontSet; only the number of fonts is looked at."""

    _fields_ = (("nfont", ctypes.c_int), ("sfont", ctypes.c_int), ("fonts", ctypes.c_void_p))


def has_chinese_font() -> bool:
    """Whether fontconfig knows a font for Simplified Chinese (``fc-list`` itself is often not installed)."""
    library = ctypes.CDLL("libfontconfig.so.1")
    library.FcNameParse.restype = ctypes.c_void_p
    library.FcObjectSetCreate.restype = ctypes.c_void_p
    library.FcFontList.restype = ctypes.POINTER(FontSet)
    library.FcFontList.argtypes = [ctypes.c_void_p] * 3
    pattern, properties = library.FcNameParse(b":lang=zh-cn"), library.FcObjectSetCreate()
    fonts = library.FcFontList(None, pattern, properties)
    return bool(fonts) and fonts.contents.nfont > 0


def ensure_chinese_font() -> None:
    """Install a font for Chinese where there is none; a system without one still works, so it is only said."""
    if has_chinese_font():
        return
    if apt_prefix() is not None and any(apt_install(packages) for packages in CHINESE_FONTS):
        return
    say(NO_CHINESE_FONT)
    if shutil.which("apt-get"):
        say("To install one:  " + apt_line(CHINESE_FONTS[0]))
