"""Chalkgrad's data: icons, themes, translations, messages, lessons and fonts. No code."""
