"""How servers say that a resource does not exist; shared by the rules of this folder."""

import json
import re

from mcpsniff.rules.rule import Call, Message

MISSING = re.compile(
    r"not[ _-]?found|no such|unknown|unrecognized|does(?: not|n't) exist|nonexist|non-exist|not exist|ENOENT",
    re.IGNORECASE,
)
RESOURCE = re.compile(r"resource", re.IGNORECASE)


def says_missing(error: Message, call: Call) -> bool:
    """Whether an error to a request for a resource says that this resource is not there."""
    told = f"{error.error.get('message')} {json.dumps(error.error.get('data'), default=str)}"
    about_it = RESOURCE.search(told) is not None or (isinstance(uri := uri_of(call), str) and uri in told)
    return about_it and MISSING.search(told) is not None


def uri_of(call: Call) -> object:
    """Gives the URI that a request names, whatever it is."""
    return call.request.params.get("uri")
