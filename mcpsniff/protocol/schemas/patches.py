"""What the generated shapes get wrong, and what is right instead; each with its reason.

A patch replaces the schema of one member, or adds to it, in every revision that has the member.
"""

from typing import Any

TEXTS = {"type": "array", "items": {"type": "string"}}

PATCHES: dict[str, Any] = {  # "Definition.member" → the member's schema
    # The text says number; the published schema says integer. mcp-types lets null pass besides, MCP does not.
    "ElicitResult.content": {
        "type": "object",
        "additionalProperties": {"anyOf": [{"type": ["string", "number", "boolean"]}, TEXTS]},
    },
}
