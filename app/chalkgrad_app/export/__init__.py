"""Pictures of a graph in files and on the clipboard."""
