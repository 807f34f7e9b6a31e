"""Embedded resources without the capability."""

from mcpsniff.protocol.content import Piece
from mcpsniff.protocol.revisions import LEGACY, MODERN, declares
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import SERVER, WARNING, Found, Message, Rule


class EmbeddedResourceNoCapability(Rule):
    """A tool result embeds a resource, and the server does not declare the resources capability.

    ## Why it matters
    Clients that see no such capability need not know what to do with a resource.

    ## How to fix
    Declare `resources: {}`, or give the text as a text block.

    ## When it stays silent
    Links to resources, prompts, and where neither an InitializeResult nor a discover result was seen. Before 2025-06-18
    nobody asked for it.
    """

    title = "Server embeds resources but does not declare the resources capability"
    tier = 2
    severity = {"2025-06-18": WARNING}
    violator = SERVER
    since = "2025-06-18"
    spec = {"2025-06-18": "server/tools#embedded-resources"}
    echoes = SERVER_CAPABILITIES

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        piece = next((one for one in pieces if one.method == "tools/call" and one.type == "resource"), None)
        if piece is None:
            return
        session = self.session
        for declared, said, known in (
            (session.server_capabilities, session.initialize_result, LEGACY),
            (session.discovered_capabilities, session.discover_result, (MODERN,)),
        ):
            if declared is not None and said is not None and not declares(declared, ("resources",)):
                text = f"an embedded resource, but record {said.seq} does not declare resources"
                yield self.found(message, text, related=[said.seq], where=piece.where, only_in=known)
