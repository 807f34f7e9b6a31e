"""What a request for a prompt or a completion names and lacks; shared by the rules of this folder."""

from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.lists import Lists, Walk


def prompt_of(call: Call) -> str | None:
    """Gives the prompt that a request names: by name, or as the reference of a completion."""
    params = call.request.params
    if call.method == "completion/complete":
        ref = params.get("ref")
        params = ref if isinstance(ref, dict) and ref.get("type") == "ref/prompt" else {}
    name = params.get("name")
    return name if isinstance(name, str) else None


def missing_arguments(call: Call, lists: Lists) -> tuple[list[str], Walk | None]:
    """Gives the required arguments that a prompts/get lacks, and the list that requires them."""
    walk, arguments = lists.settled("prompts/list", call.seq), call.request.params.get("arguments", {})
    prompt = walk.item(call.target) if walk is not None and call.target is not None else None
    if prompt is None or not isinstance(arguments, dict):
        return [], None
    return [name for name in _required(prompt.get("arguments")) if name not in arguments], walk


def _required(arguments: Any) -> list[str]:
    known = [one for one in arguments if isinstance(one, dict)] if isinstance(arguments, list) else []
    return [one["name"] for one in known if one.get("required") is True and isinstance(one.get("name"), str)]
