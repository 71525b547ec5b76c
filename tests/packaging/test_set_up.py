"""The set-up from a checkout: what it finds missing, what it says, when it installs again."""

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
DEV = PACKAGING / "dev.py"
MODULES = ("system", "environment", "tasks")
ABSENT = {"libnot-there.so.9": "libnot-there9", "libnor-this.so.1": "libnor-this1"}

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="shared libraries are looked after on Linux only")


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModuleType]]:
    """The modules beside dev.py, by name, freshly imported as it imports them."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    yield {name: importlib.import_module(name) for name in MODULES}
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def system(setup: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``system``, on a machine with apt-get where nobody may use it."""
    monkeypatch.setattr(setup["system"], "apt_prefix", lambda: None)
    monkeypatch.setattr(setup["system"], "venv_package", dict)
    monkeypatch.setattr(setup["system"].shutil, "which", lambda name: f"/usr/bin/{name}")
    return setup["system"]


def dev(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(DEV), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_help_names_the_commands() -> None:
    done = dev("--help")
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("run", "test", "check"))


@pytest.mark.parametrize("arguments", [[], ["start"], ["check", "more"]])
def test_a_wrong_command_line_ends_with_status_2(arguments: list[str]) -> None:
    done = dev(*arguments)
    assert done.returncode == 2
    assert "usage" in done.stderr


def test_what_follows_a_command_is_handed_on(setup: dict[str, ModuleType]) -> None:
    parse = setup["tasks"].parse
    assert parse(["run", "a.chalk", "b.py"]) == ("run", ["a.chalk", "b.py"])
    assert parse(["test", "tests/core", "-x", "-k", "mul and not add", "--lf"]) == (
        "test",
        ["tests/core", "-x", "-k", "mul and not add", "--lf"],
    )
    assert parse(["run", "--help"]) == ("run", ["--help"])


def test_dev_py_can_be_read_by_python_3_6() -> None:
    ast.parse(DEV.read_text("utf-8"), feature_version=(3, 6))
    assert "from __future__" not in DEV.read_text("utf-8")


def test_an_old_python_is_told_what_is_needed(tmp_path: Path) -> None:
    old = f"""
import runpy, sys
sys.version_info = (3, 9, 2, "final", 0)
sys.argv = [{str(DEV)!r}, "test"]
runpy.run_path({str(DEV)!r}, run_name="__main__")
"""
    variables = {**os.environ, "PATH": str(tmp_path)}
    command = [sys.executable, "-c", old]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer; this is Python 3.9.2" in done.stderr
    assert "Traceback" not in done.stderr


def test_packaging_is_no_package() -> None:
    # With an __init__.py it would hide the library `packaging` from everything started in the root.
    assert not (PACKAGING / "__init__.py").exists()


@on_linux
def test_only_what_does_not_load_is_missing(setup: dict[str, ModuleType]) -> None:
    assert setup["system"].missing({"libc.so.6": "libc6"} | ABSENT) == ABSENT


@pytest.mark.parametrize(
    ("variables", "window", "sets"),
    [
        ({}, False, ("OFFSCREEN",)),
        ({}, True, ("OFFSCREEN",)),
        ({"DISPLAY": ":0"}, False, ("OFFSCREEN",)),
        ({"DISPLAY": ":0"}, True, ("OFFSCREEN", "X11")),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, True, ("OFFSCREEN", "X11", "WAYLAND")),
    ],
)
def test_libraries_follow_the_display(
    setup: dict[str, ModuleType], variables: dict[str, str], window: bool, sets: tuple[str, ...]
) -> None:
    system = setup["system"]
    expected = {soname for name in sets for soname in getattr(system, name)}
    assert set(system.libraries_needed(variables, window)) == expected


@on_linux
def test_without_the_right_to_install_the_exact_line_is_printed(system: ModuleType) -> None:
    with pytest.raises(system.SetupError) as caught:
        system.ensure_packages(ABSENT)
    assert "libnot-there.so.9" in str(caught.value)
    line = "sudo apt-get install -y --no-install-recommends libnor-this1 libnot-there9"
    assert str(caught.value).splitlines()[-1].strip() == line


@on_linux
@pytest.mark.parametrize("command", ["run", "test"])
def test_a_missing_library_ends_a_command_with_status_1(
    setup: dict[str, ModuleType],
    system: ModuleType,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(system, "OFFSCREEN", ABSENT)
    assert setup["tasks"].main([command]) == 1
    assert "sudo apt-get install" in capsys.readouterr().err


@on_linux
def test_installing_brings_the_libraries_of_every_display(system: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(system, "loads", lambda _: bool(asked))
    monkeypatch.setattr(system, "apt_install", asked.extend)
    system.ensure_packages(system.OFFSCREEN)
    assert asked == sorted(system.EVERYTHING.values())


@on_linux
def test_nothing_is_installed_when_nothing_is_missing(system: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "apt_install", lambda packages: pytest.fail(f"wanted {packages}"))
    system.ensure_packages({"libc.so.6": "libc6"})


def test_a_missing_font_is_said_and_no_error(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "has_chinese_font", lambda: False)
    system.ensure_chinese_font()
    said = capsys.readouterr().err
    assert system.NO_CHINESE_FONT in said
    assert "fonts-noto-cjk" in said


def test_the_small_font_is_taken_when_the_preferred_one_cannot_be_had(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def install(packages: tuple[str, ...]) -> bool:
        asked.append(packages[0])
        return packages[0] != "fonts-noto-cjk"

    monkeypatch.setattr(system, "has_chinese_font", lambda: False)
    monkeypatch.setattr(system, "apt_prefix", tuple)
    monkeypatch.setattr(system, "apt_install", install)
    system.ensure_chinese_font()
    assert asked == ["fonts-noto-cjk", "fonts-wqy-microhei"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose virtual environment has a Python, and nothing installed yet."""
    (tmp_path / "pyproject.toml").write_text("[project]\n", "utf-8")
    return tmp_path


@pytest.fixture
def environment(setup: dict[str, ModuleType], checkout: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``environment`` with a pip that always succeeds and a Python that is a file."""
    module = setup["environment"]
    python = module.program(checkout, "python")
    python.parent.mkdir(parents=True)
    python.touch()
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(module, "make", lambda root: None)
    monkeypatch.setattr(module.subprocess, "run", lambda *arguments, **options: done)
    return module


def test_each_level_holds_the_ones_before(environment: ModuleType, checkout: Path) -> None:
    assert not environment.is_ready(checkout, "")
    environment.prepare(checkout, "test")
    assert [environment.is_ready(checkout, level) for level in environment.LEVELS] == [True, True, False]


def test_a_changed_pyproject_is_installed_again(environment: ModuleType, checkout: Path) -> None:
    environment.prepare(checkout, "dev")
    (checkout / "pyproject.toml").write_text('[project]\nname = "other"\n', "utf-8")
    assert not environment.is_ready(checkout, "")
    environment.prepare(checkout, "")
    assert environment.is_ready(checkout, "")


def test_a_moved_checkout_or_a_python_upgraded_away_is_noticed(environment: ModuleType, checkout: Path) -> None:
    environment.prepare(checkout, "")
    moved = checkout.parent / "moved"
    checkout.rename(moved)
    assert not environment.is_ready(moved, "")
    environment.prepare(moved, "")
    environment.program(moved, "python").unlink()
    assert not environment.is_ready(moved, "")


def test_a_damaged_stamp_means_nothing_is_installed(environment: ModuleType, checkout: Path) -> None:
    environment.prepare(checkout, "dev")
    stamp = environment.folder(checkout) / environment.STAMP
    for text in ("", "one two three", f"{environment.fingerprint(checkout)} 7"):
        stamp.write_text(text, "utf-8")
        assert environment.installed_level(checkout) == -1


def test_a_failed_installation_is_no_installation(
    environment: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(environment.subprocess, "run", lambda *arguments, **options: failed)
    with pytest.raises(environment.SetupError):
        environment.prepare(checkout, "")
    assert not environment.is_ready(checkout, "")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems always have a display")
def test_qt_is_offscreen_without_a_display_and_in_tests(setup: dict[str, ModuleType]) -> None:
    variables = setup["tasks"].qt_variables
    display = {"DISPLAY": ":0"}
    assert variables({}, True)["QT_QPA_PLATFORM"] == "offscreen"
    assert variables(display, True) == display
    assert variables(display, False)["QT_QPA_PLATFORM"] == "offscreen"
    assert variables({"QT_QPA_PLATFORM": "minimal"}, True)["QT_QPA_PLATFORM"] == "minimal"
