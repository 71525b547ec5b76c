"""The picture of a document: what cards say, where everything lies, and how it is painted."""
