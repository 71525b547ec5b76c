"""The panels around the canvas: each mirrors one side of the document and calls down to change it."""
