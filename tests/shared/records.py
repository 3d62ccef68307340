"""What two records of a measurement differ in, beyond what another processor may change."""

from collections.abc import Callable
from typing import Any

Place = tuple[str, ...]


def departures(
    new: Any, old: Any, allowed: Callable[[Place, Any, Any], bool], place: Place = ()
) -> list[str]:
    """The places of a record at which a newer one has something else that is not allowed there."""
    if isinstance(old, dict) and isinstance(new, dict):
        inner = ((new.get(key), was, (*place, key)) for key, was in old.items())
        return [found for one, was, at in inner for found in departures(one, was, allowed, at)]
    return [] if new == old or allowed(place, new, old) else ["/".join(place)]
