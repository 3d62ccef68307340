"""The order in which the tests begin."""


def pytest_collection_modifyitems(items):
    """The build of the site first: it is the longest, and a core would wait for it at the end."""
    items.sort(key=lambda item: item.path.name != "test_site.py")
