"""Which public methods of the client are called."""

import functools
import inspect

from docudevs.docudevs_client import DocuDevsClient

called = set()


def _recorded(name, method):
    @functools.wraps(method)
    def record(*given, **named):
        called.add(name)
        return method(*given, **named)

    return record


def record_calls():
    """From here on, each call of a public method is noted. Returns the names of all of them."""
    members = inspect.getmembers(DocuDevsClient, inspect.isfunction)
    static = [name for name, _ in members if isinstance(inspect.getattr_static(DocuDevsClient, name), staticmethod)]
    names = [name for name, _ in members if not name.startswith("_") and name not in static]
    for name in names:
        setattr(DocuDevsClient, name, _recorded(name, getattr(DocuDevsClient, name)))
    return names
