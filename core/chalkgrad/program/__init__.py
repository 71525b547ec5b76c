"""The program that a document holds, its board, and the edits, names, shapes and files that belong to them."""
