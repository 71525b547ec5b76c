"""Everything a person can do, as one table: what it is called, its key, where it is found, what it calls.

The main window makes a QAction of each record; menus, toolbar, context menus and the command palette list them by id.
"""

from __future__ import annotations

from chalkgrad_app.actions.edit import EDIT
from chalkgrad_app.actions.file import FILE
from chalkgrad_app.actions.graph import GRAPH
from chalkgrad_app.actions.help import HELP
from chalkgrad_app.actions.record import Action
from chalkgrad_app.actions.show import SHOW
from chalkgrad_app.actions.steps import STEPS

__all__ = ["ACTIONS", "BY_ID", "Action"]

ACTIONS: tuple[Action, ...] = (*FILE, *EDIT, *SHOW, *GRAPH, *STEPS, *HELP)
BY_ID = {action.id: action for action in ACTIONS}
