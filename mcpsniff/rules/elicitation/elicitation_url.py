"""The URL that an elicitation sends the user to: in a request, or in the data of error -32042."""

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl

from mcpsniff.protocol.exchange import split_url
from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.rules.rule import HEURISTIC, INFO, SERVER, WARNING, Found, Message, Rule, quote

from ._forms import CREATE

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
FORBIDDEN = re.compile(r'[\x00-\x20\x7f"<>\\^`{|}]')
WEB = ("http", "https")
DEVELOPMENT = re.compile(r"localhost|.+\.(local|test|localhost)|127(\.\d+){1,3}|::1", re.IGNORECASE)
SECRETS = re.compile(
    r"(access|id|refresh|auth)?_?-?token|api_?-?key|pass(word|wd)?|secret|client_secret|sig(nature)?|code|jwt",
    re.IGNORECASE,
)
LONG = 12  # characters of a value that may be a secret
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
JWT = re.compile(r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
Defect = tuple[str, str | None]  # in words, severity where it is not the rule's


class _Url(Rule):
    """What the rules on URLs share: where URLs stand."""

    violator = SERVER
    since = "2025-11-25"
    methods = (CREATE,)
    spec = {"2025-11-25": "client/elicitation#safe-url-handling"}

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        url = request.params.get("url")
        if request.mode == "url" and isinstance(url, str):
            for wrong, severity in self.defects(url, split_url(url)):
                where, known = request.member("url"), request.revisions
                yield self.found(message, wrong, where=where, severity=severity, fault=severity or "", only_in=known)

    def defects(self, url: str, parts: SplitResult) -> Iterator[Defect]:
        """Gives what is wrong with one URL."""
        raise NotImplementedError


class ElicitationUrlInvalid(_Url):
    """The `url` of a URL elicitation is no absolute URL.

    ## Why it matters
    The client cannot open it, and the user never gets there.

    ## How to fix
    Send the whole address, scheme and host included, with all templates filled in.

    ## When it stays silent
    Schemes of applications are fine. A missing url is elicitation-request-incomplete.
    """

    id = "elicitation-url-invalid"
    title = "URL elicitation carries no valid URL"
    tier = 2
    spec = {"2025-11-25": "client/elicitation#url-mode-elicitation-requests"}

    def defects(self, url: str, parts: SplitResult) -> Iterator[Defect]:
        if not _is_absolute(url, parts):
            yield f"{_masked(url)} is no absolute URL", None


class ElicitationUrlInsecure(_Url):
    """The `url` of a URL elicitation is not https.

    ## Why it matters
    What the user types there can be read and changed on the way.

    ## How to fix
    Use https.

    ## When it stays silent
    Loopback addresses and names of development hosts (.local, .test, .localhost). Schemes of applications are a note.
    """

    id = "elicitation-url-insecure"
    title = "URL elicitation does not use HTTPS"
    tier = 2
    severity = {"2025-11-25": WARNING}

    def defects(self, url: str, parts: SplitResult) -> Iterator[Defect]:
        if not _is_absolute(url, parts) or parts.scheme == "https":
            return
        if parts.scheme != "http":
            yield f"the URL has the scheme {quote(parts.scheme)}", INFO
        elif not DEVELOPMENT.fullmatch(parts.hostname or ""):
            yield f"the URL on {quote(parts.hostname)} is not https", None


class ElicitationUrlSensitive(_Url):
    """The `url` of a URL elicitation holds credentials, a signature or an e-mail address.

    ## Why it matters
    URLs end up in histories, logs and referrers; who opens one that is already signed in acts as the user.

    ## How to fix
    Put an opaque one-time id into the URL, and look up the rest on the server after the user has signed in.

    ## When it stays silent
    State, challenges, client ids and ids that only correlate. Values are never shown.
    """

    id = "elicitation-url-sensitive"
    title = "URL elicitation embeds user data or looks pre-authenticated"
    tier = 3
    confidence = HEURISTIC

    def defects(self, url: str, parts: SplitResult) -> Iterator[Defect]:
        told = ["user information"] if parts.username is not None else []
        for name, value in parse_qsl(f"{parts.query}&{parts.fragment}"):
            if SECRETS.fullmatch(name) and len(value) >= LONG:
                told.append(quote(name, 40))
            elif EMAIL.fullmatch(value) or JWT.search(value):
                told.append(f"{quote(name, 40)} ({'an e-mail address' if EMAIL.fullmatch(value) else 'a JWT'})")
        if told:
            yield f"the URL on {quote(parts.hostname)} holds {', '.join(told)}", None


def _is_absolute(url: str, parts: SplitResult) -> bool:
    if not SCHEME.match(url) or FORBIDDEN.search(url):
        return False
    return parts.scheme not in WEB or bool(parts.hostname)


def _masked(url: str) -> str:
    """Gives a URL without query and fragment, for a sentence."""
    return quote(re.split(r"[?#]", url)[0])
