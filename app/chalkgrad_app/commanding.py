"""What the command palette lists: every action and all that menus offer to choose, those used last first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtGui import QAction

from chalkgrad import lessons
from chalkgrad_app import settings
from chalkgrad_app.actions import ACTIONS, Action
from chalkgrad_app.i18n import LANGUAGES, in_every_language, translate
from chalkgrad_app.menus import INNER_TITLES, PANEL_TITLES, THEMES
from chalkgrad_app.widgets.command_palette import Command

ALIASES: dict[str, tuple[str, ...]] = {
    "action.language.en": ("英文", "英语"),
    "action.language.zh_CN": ("Chinese", "Simplified Chinese", "Mandarin", "中文", "汉语"),
    "action.theme.light": ("Light mode", "Bright", "Day", "亮色", "白天", "明亮"),
    "action.theme.dark": ("Dark mode", "Night", "暗色", "夜间", "黑暗"),
    "action.theme.colourblind": ("Color-blind safe", "Colorblind"),
    **{f"action.textSize.{percent}": ("Font size", "字号", "字体大小") for percent in settings.TEXT_SIZES},
}
"""What else choices are called, by the names of their actions: in any language, whichever is in use."""


def commands(actions: Mapping[str, QAction], choices: Mapping[str, Sequence[QAction]]) -> list[Command]:
    """Every action of a window, made from ``actions`` by their ids, then ``choices`` by the names of their menus."""
    found = [_command(record, actions[record.id]) for record in ACTIONS]
    found += [_choice(menu, action) for menu, chosen in choices.items() for action in chosen]
    order = {id_: at for at, id_ in enumerate(settings.recent_commands())}
    return sorted(found, key=lambda command: order.get(command.id, len(order)))


def _command(record: Action, action: QAction) -> Command:
    names = [action.text(), record.id, *in_every_language("Actions", record.text)]
    hints = in_every_language("Actions", record.hint) if record.hint else ()
    why = "" if action.isEnabled() else record.why_not()
    return Command(record.id, action, _folded(names), _folded(hints), why)


def _choice(menu: str, action: QAction) -> Command:
    texts = _in_every_language(action)
    menus = in_every_language("Bars", INNER_TITLES[menu])
    pairs = zip(in_every_language("CommandPalette", "{menu}: {choice}"), menus, texts, strict=True)
    names = [form.format(menu=title, choice=text) for both, title, text in pairs for form in ("{menu}: {choice}", both)]
    aliases = ALIASES.get(action.objectName(), ())
    title = translate("Bars", INNER_TITLES[menu])
    return Command(action.objectName(), action, _folded([*names, *texts, *menus, *aliases]), menu=title)


def _in_every_language(action: QAction) -> tuple[str, ...]:
    """What a choice is called in each language there is."""
    kind, _, key = action.objectName().removeprefix("action.").partition(".")
    if kind == "theme":
        return in_every_language("Bars", THEMES[key])
    if kind == "panel":
        return in_every_language("Docks", PANEL_TITLES[key])
    if kind == "example":
        example = next(example for example in lessons.examples() if example.id == key)
        return tuple(example.title_in(language) for language in LANGUAGES)
    return (action.text().replace("&&", "&"),) * len(LANGUAGES)


def _folded(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text.casefold() for text in texts)
