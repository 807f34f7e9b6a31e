"""What records mean, where that is not plain."""

from io import BytesIO

from mcpsniff.analysis.engine import SessionResult, analyze
from mcpsniff.protocol.ids import JsonId
from mcpsniff.rules.selection import EVERYTHING

DEEP = "[" * 20_000 + "]" * 20_000  # more than any parser goes
HEADER = '{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"transport":"stdio"}'


def result_of(*said: tuple[str, str]) -> SessionResult:
    """Analyzes messages, each with its sender."""
    lines = [HEADER]
    for seq, (sender, text) in enumerate(said, 1):
        fields = f'"seq":{seq},"t":{seq},"from":"{sender}","size":{len(text) + 1},"message":{text}'
        lines.append(f'{{"type":"message",{fields}}}')
    (session,) = analyze(BytesIO("\n".join([*lines, ""]).encode()), EVERYTHING)[1].sessions
    return session


def test_a_message_that_nests_too_deep():
    """Is one by its head: the call has its answer, and nothing is said of what cannot be read."""
    call = f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"fold","arguments":{{"x":{DEEP}}}}}}}'
    answer = f'{{"jsonrpc":"2.0","id":7,"result":{{"content":[],"structuredContent":{DEEP}}}}}'
    result = result_of(("client", call), ("server", answer))
    told = result.session.calls.answered("client", JsonId("7"))
    assert told is not None
    assert (told.method, told.answer_seq) == ("tools/call", 2)
    assert not result.findings


def test_an_array_that_nests_too_deep():
    """Nobody calls it an object, nor what is in it messages."""
    result = result_of(("server", DEEP))
    assert not result.findings
