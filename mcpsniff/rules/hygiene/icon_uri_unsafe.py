"""Icons that clients must not, or cannot, show."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.exchange import split_url
from mcpsniff.protocol.icons import icons_of, listed, program
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import LISTS, META_CLIENT_INFO, META_SERVER_INFO
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import CONTEXTUAL, INFO, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import meta_alone, result, when

SAFE = ("https", "data")
_IMAGE = re.compile(r"data:image/[\w.+-]+(;[\w=.+-]+)*;base64,", re.IGNORECASE)
_SIZE = re.compile(r"\d+x\d+|any")
THEMES = ("light", "dark")


def _names_program(shape: Shape, session: Session) -> bool:
    """Whether it may say what program sent it, or list things that have icons."""
    introduces = META_CLIENT_INFO in shape.meta or META_SERVER_INFO in shape.meta
    return introduces or shape.method == "initialize" or shape.method in LISTS


class IconUriUnsafe(Rule):
    """The address of an icon is missing, relative, or of a scheme other than https, http and data.

    ## Why it matters
    Clients must refuse such an icon; those that do not may run a script or read a local file.

    ## How to fix
    Give an https address, or a data URI with an image in base64.

    ## When it stays silent
    https, and data URIs with an image. A note is given for http, data without an image in base64, and sizes and themes
    that nobody knows.
    """

    title = "Icon uses an unsafe URI scheme"
    tier = 2
    severity = {"2025-11-25": WARNING}
    since = "2025-11-25"
    confidence = CONTEXTUAL
    spec = {"2025-11-25": "basic/index#icons"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._about: dict[str, Any] = {}  # what each side last said of itself

    @when(_names_program, once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._introduces(message, call)

    @when(result, _names_program, once=meta_alone)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT:
            return
        yield from self._introduces(message, call)
        for where, item in listed(message, call):
            yield from self._judge(message, item, where)

    def _introduces(self, message: Message, call: Call) -> Found:
        """Judges what a side says of itself; it says so again and again."""
        where, info = program(message, call)
        if info is not None and info != self._about.get(message.sender):
            self._about[message.sender] = info
            yield from self._judge(message, info, where)

    def _judge(self, message: Message, item: Any, where: str) -> Found:
        for place, icon in icons_of(item, where):
            for severity, text in _faults(icon):
                yield self.found(message, text, severity=severity, fault=severity, where=place)


def _faults(icon: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Gives severity and text of what is wrong with an icon."""
    src = icon.get("src")
    if not isinstance(src, str):
        yield WARNING, "an icon without an address" if src is None else f"the address of an icon is {quote(src)}"
        return
    scheme = split_url(src.strip()).scheme
    if scheme not in (*SAFE, "http"):
        yield WARNING, f"the icon {quote(src)} has {f'the scheme {quote(scheme)}' if scheme else 'no scheme'}"
    elif scheme == "http":
        yield INFO, f"the icon {quote(src)} is fetched in the clear"
    elif scheme == "data" and _IMAGE.match(src) is None:
        yield INFO, f"the icon {quote(src, 40)} holds no image in base64"
    sizes, theme = icon.get("sizes"), icon.get("theme")
    listed = sizes if isinstance(sizes, list) else []
    odd = [size for size in listed if not isinstance(size, str) or not _SIZE.fullmatch(size)]
    if odd:
        yield INFO, f"the size {quote(odd[0])} of an icon is neither WxH nor any"
    if theme is not None and theme not in THEMES:
        yield INFO, f"the theme {quote(theme)} of an icon is neither light nor dark"
