"""What a form says to the user: requests for secrets, and addresses to click."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.echoes import MODES
from mcpsniff.rules.rule import HEURISTIC, INFO, SERVER, WARNING, Found, Message, Rule, quote

from ._forms import CREATE

CREDENTIAL = re.compile(
    r"(?<![a-z])(pass(word|phrase|code|wd)|api[ _-]?keys?|secret[ _-]?(key|token)?|private[ _-]?key"
    r"|(access|auth|bearer|refresh)[ _-]?token|(credit[ _-]?)?card[ _-]?(number|no)|cvv|cvc"
    r"|pin([ _-]?(code|number))?|ssn|social[ _-]?security|otp|credentials?)(?![a-z])",
    re.IGNORECASE,
)
HARMLESS = re.compile(r"secret santa|token (count|limit|budget)|pin (it|this|to|board|a |the )", re.IGNORECASE)
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")  # where camelCase begins the next word
ADDRESS = re.compile(r"https?://[^\s\"'<>)]+", re.IGNORECASE)
PLACEHOLDER = re.compile(r"https?://([^/\s]+\.)?example\.(com|org|net)([/:?#]|$)", re.IGNORECASE)
SHOWN = ("title", "description", "default")  # members of a property that the user reads
Told = tuple[str, str]  # JSON pointer below the params, text


class ElicitationSensitiveForm(Rule):
    """A form asks for a password, a key, a card number or the like.

    ## Why it matters
    What is typed into a form goes through the client, and may reach the model and its logs.

    ## How to fix
    Use URL mode, where the user types it on a page of the server.

    ## When it stays silent
    Names, e-mail addresses and user names are allowed, and so is everything in URL mode. Only words tell.
    """

    id = "elicitation-sensitive-form"
    title = "Form elicitation asks for credentials"
    tier = 3
    violator = SERVER
    confidence = HEURISTIC
    since = "2025-06-18"
    spec = {"2025-06-18": "client/elicitation#user-interaction-model"}
    methods = (CREATE,)
    echoes = MODES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        if request.mode == "url":
            return
        for where, told in (*_names(request), *_shown(request)):
            match = CREDENTIAL.search(HARMLESS.sub("", HUMP.sub(" ", told)))
            if match is not None and not where.endswith("/default"):
                text, place = f"a form asks for {quote(match[0], 40)}", request.where + where
                fault = "/".join(where.split("/")[:4])  # once a property
                yield self.found(message, text, where=place, fault=fault, only_in=request.revisions)


class ElicitationFormUrl(Rule):
    """A form shows a web address in its message, titles, descriptions or defaults.

    ## Why it matters
    Users click it, past every check that clients make before they open a URL.

    ## How to fix
    Use URL mode for what the user shall open.

    ## When it stays silent
    Fields of format uri, `$schema` and patterns. Addresses of example domains beside a field are a note.
    """

    id = "elicitation-form-url"
    title = "Form elicitation contains a URL meant to be clicked"
    tier = 3
    severity = {"2025-11-25": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    since = "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#safe-url-handling"}
    methods = (CREATE,)
    echoes = MODES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        if request.mode == "url":
            return
        for where, told in _shown(request):
            match = ADDRESS.search(told)
            if match is not None:
                aside = where != "/message" and PLACEHOLDER.match(match[0]) is not None
                text, place = f"a form shows {quote(match[0])}", request.where + where
                severity, fault = (INFO, "placeholder") if aside else (None, "")
                yield self.found(message, text, where=place, severity=severity, fault=fault, only_in=request.revisions)


def _properties(request: InputRequest) -> Iterator[tuple[str, str, dict[str, Any]]]:
    schema = request.params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, property_ in properties.items() if isinstance(properties, dict) else ():
        if isinstance(property_, dict):
            yield pointer("requestedSchema", "properties", name), name, property_


def _names(request: InputRequest) -> Iterator[Told]:
    for where, name, _ in _properties(request):
        yield where, name


def _shown(request: InputRequest) -> Iterator[Told]:
    """Gives every text that the user reads, with its place."""
    told = request.params.get("message")
    if isinstance(told, str):
        yield "/message", told
    for where, _, property_ in _properties(request):
        for member in SHOWN:
            if isinstance(property_.get(member), str):
                yield f"{where}/{member}", property_[member]
        for below, title in _titles(property_):
            yield where + below, title


def _titles(property_: dict[str, Any]) -> Iterator[Told]:
    """Gives the titles of choices: of one, of many, and in the form of 2025-06-18."""
    items = property_.get("items")
    many = items.get("anyOf") if isinstance(items, dict) else None
    for below, choices in (("/oneOf", property_.get("oneOf")), ("/items/anyOf", many)):
        for index, choice in enumerate(choices if isinstance(choices, list) else ()):
            if isinstance(choice, dict) and isinstance(choice.get("title"), str):
                yield f"{below}/{index}/title", choice["title"]
    names = property_.get("enumNames")
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if isinstance(name, str):
            yield f"/enumNames/{index}", name
