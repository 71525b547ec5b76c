"""``python -m chalkgrad``: the commands that draw nothing."""

from chalkgrad.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
