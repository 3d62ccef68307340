"""One room for each notebook: its figures, its tables, its numbers. Promises nothing to others."""
