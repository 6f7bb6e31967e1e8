"""What the checks share: the arguments, the files, and small helpers."""

import json
import os
import sys
from io import BytesIO

URL, TOKEN, FOLDER = sys.argv[1:4]
PDF = "application/pdf"
SCHEMA = json.dumps({"type": "object", "properties": {"invoice_number": {"type": "string"}, "total": {"type": "number"}}})
FAST = {"poll_interval": 0.2, "timeout": 120}


def load(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


def load_io(name):
    return BytesIO(load(name))


def plain(value):
    """What the helpers give back as attributes, as members."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "__dict__"):
        return {name: plain(member) for name, member in vars(value).items()}
    return value


def expect(condition, said=""):
    if not condition:
        raise AssertionError(said)


async def raised(work):
    """The error that a call raises."""
    try:
        await work
    except Exception as error:
        return error
    raise AssertionError("It did not raise")
