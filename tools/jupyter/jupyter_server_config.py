"""Jupyter Lab exports notebooks as nbconvert does."""

load_subconfig("jupyter_nbconvert_config.py")  # noqa: F821  (Jupyter gives it to this file)
