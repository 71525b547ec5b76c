"""The canvas: one widget that shows a document and on which one builds it."""
