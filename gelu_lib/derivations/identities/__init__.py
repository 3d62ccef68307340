"""The derivations of the book, by subject; ``catalogue`` has all of them by ID."""
