"""Which names of a notebook a cell makes, and which it needs."""

from __future__ import annotations

import symtable


def defined(names: symtable.SymbolTable) -> set[str]:
    """What a cell assigns or imports."""
    return {one.get_name() for one in names.get_symbols() if one.is_assigned() or one.is_imported()}


def used(names: symtable.SymbolTable) -> set[str]:
    """What a cell and its functions read of the notebook."""
    of_the_notebook = names.get_type() == "module"
    found = {
        one.get_name()
        for one in names.get_symbols()
        if one.is_referenced() and (of_the_notebook or one.is_global())
    }
    return found.union(*map(used, names.get_children()))
