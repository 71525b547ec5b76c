"""Small widgets that know no document: a line of code on a button, a field with its message, a list of commands."""
