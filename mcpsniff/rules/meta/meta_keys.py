"""Keys of `_meta` objects."""

from collections.abc import Iterator

from mcpsniff.protocol.extensions import declarations
from mcpsniff.protocol.keys import DEFINED, KEY, RESERVED_LABELS, Labels, prefix_of
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import ERROR, HEURISTIC, WARNING, Call, Found, Rule, Session, quote
from mcpsniff.rules.when import inner_meta, meta_alone, when

from ._holders import meta_objects

REMEMBERED = 1_000  # keys
TOP_LEVEL = frozenset(("com", "org", "net", "io", "dev", "ai", "app", "co", "edu", "gov", "de", "uk"))


def _may_name(shape: Shape, session: Session) -> bool:
    """Whether keys or extensions may be named in it."""
    return inner_meta(shape, session) or "_meta" in shape.members or shape.method in ("initialize", "server/discover")


class _KeyRule(Rule):
    """What the rules on keys share: each key of each `_meta` is asked for a fault."""

    spec = {"2025-06-18": "basic/index#meta"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._labels = Labels()
        self._fine: set[str] = set()  # keys without fault: nearly all messages of a session have the same few

    @when(_may_name, once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._faults(message)

    @when(_may_name, once=meta_alone)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._faults(message)

    @when(_may_name, once=meta_alone)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._faults(message)

    def _faults(self, message: Message) -> Found:
        for where, key in self.keys(message):
            wrong = None if key in self._fine else self.fault_of(key)
            if wrong is None and len(self._fine) < REMEMBERED:
                self._fine.add(key)
            elif wrong is not None:
                text = f'"{quote(key)}" {wrong}'
                yield self.found(message, text, where=where + pointer(key), fault=self._labels.of(key))

    def keys(self, message: Message) -> Iterator[tuple[str, str]]:
        """Gives the keys to be judged, each with the pointer to its holder."""
        for where, holder in meta_objects(message):
            for key in holder:
                yield where, key

    def fault_of(self, key: str) -> str | None:
        """Gives what is wrong with a key, as the rest of a sentence that begins with it."""
        raise NotImplementedError


class MetaKeyInvalid(_KeyRule):
    """A key of a `_meta` object is not of the form that the protocol gives such keys.

    ## Why it matters
    Peers may refuse the message, or keep the key from those it is for.

    ## How to fix
    An optional prefix of labels with dots between and a slash behind it (`com.example/`), then a name. Labels begin
    with a letter; labels and names end with a letter or digit and hold letters, digits and hyphens, names also `_` and
    dots.

    ## When it stays silent
    Names without a prefix, and a prefix without a name, are legal. `_meta` inside arguments, schemas and structured
    content is the application's own. Before 2025-06-18 keys were free.
    """

    id = "meta-key-invalid"
    title = "A _meta key does not follow the key name grammar"
    tier = 2
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"

    def fault_of(self, key: str) -> str | None:
        return None if KEY.fullmatch(key) else "is no key name: [prefix/]name"


class MetaKeyReservedPrefix(_KeyRule):
    """A `_meta` key has a prefix that is reserved for MCP, and MCP does not define the key.

    ## Why it matters
    A later revision may give the key a meaning.

    ## How to fix
    Use a prefix of your own in reverse DNS order, `com.example/`.

    ## When it stays silent
    Keys of the revisions and of the official extensions. Where an extension is newer than this tool, it is right and
    the tool is wrong. `com.example.mcp/` is free; 2025-06-18 reserved other prefixes (`mcp.dev/`) than later revisions.
    """

    id = "meta-key-reserved-prefix"
    title = "A reserved _meta prefix is used for a key the specification does not define"
    tier = 3
    severity = {"2025-06-18": WARNING}
    confidence = HEURISTIC
    since = "2025-11-25"

    def fault_of(self, key: str) -> str | None:
        reserved = key not in DEFINED and self.is_reserved(prefix_of(key))
        return "has a prefix that is reserved for MCP" if reserved else None

    def is_reserved(self, labels: list[str]) -> bool:
        """Whether these labels make a reserved prefix."""
        return len(labels) > 1 and labels[1] in RESERVED_LABELS


class MetaKeyReservedPrefix2025June(MetaKeyReservedPrefix):
    """The same where `mcp` or `modelcontextprotocol` is reserved anywhere but at the end."""

    id = "meta-key-reserved-prefix"
    since, until = "2025-06-18", "2025-06-18"

    def is_reserved(self, labels: list[str]) -> bool:
        return not RESERVED_LABELS.isdisjoint(labels[:-1])


class MetaPrefixNotReverseDns(_KeyRule):
    """A prefix of a `_meta` key or an extension looks like a host name: `example.com/`.

    ## Why it matters
    The order is how the owner of a prefix is told; two owners may meet under one prefix.

    ## How to fix
    Turn it round: `com.example/`.

    ## When it stays silent
    Prefixes of one label, those that are reserved, and those that begin with a top-level domain.
    """

    id = "meta-prefix-not-reverse-dns"
    title = "A _meta or extension prefix is not in reverse DNS order"
    tier = 3
    severity = {"2025-11-25": WARNING}
    confidence = HEURISTIC
    since = "2025-11-25"

    def keys(self, message: Message) -> Iterator[tuple[str, str]]:
        yield from super().keys(message)
        for path, declared in declarations(message):
            for key in declared:
                yield pointer(*path), key

    def fault_of(self, key: str) -> str | None:
        labels = prefix_of(key)
        if len(labels) < 2 or labels[1] in RESERVED_LABELS:
            return None
        turned = labels[-1].lower() in TOP_LEVEL and labels[0].lower() not in TOP_LEVEL
        return "has a prefix in the order of host names" if turned else None
