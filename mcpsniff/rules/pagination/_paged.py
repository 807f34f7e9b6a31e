"""Which lists come in pages; shared by the rules of this folder."""

from mcpsniff.protocol.revisions import LISTS

PAGED = tuple(method for method in LISTS if method != "roots/list")
