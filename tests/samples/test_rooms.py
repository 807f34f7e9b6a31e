"""The rooms of the sample software that can be tested without a process."""

import pytest
from library import revisions
from library.client.transport import HttpRefusal, Pending
from library.client.user import answer_input
from library.jsonrpc import RpcError, checked, decode, encode, failure
from library.librarian import library_service
from library.modern import ModernServer
from library.seal import STATE_LIFETIME, Seal
from library.shelf import LIST_LIFETIME, ReadingLists
from library.streams import Cancelled, OpenRequests, Stream

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("", ""),
    ],
)
def test_mirrored_header_values(text: str, value: str) -> None:
    """Safe text stands as it is, the rest in the Base64 form, and both can be read back."""
    assert revisions.header_value(text) == value
    assert revisions.header_text(value) == text


def test_the_newest_common_version_is_chosen() -> None:
    """Versions compare as strings; none in common is None."""
    assert revisions.newest_common(revisions.LEGACY, ["2024-11-05", "2025-06-18", "2030-01-01"]) == "2025-06-18"
    assert revisions.newest_common(revisions.MODERN, revisions.LEGACY) is None


def test_reading_lists_expire() -> None:
    """A handle is good for the stated time, and no two are alike."""
    now = [100.0]
    lists = ReadingLists(clock=lambda: now[0])
    first, second = lists.create("a"), lists.create("b")
    assert first != second
    now[0] += LIST_LIFETIME - 1
    assert lists.get(first) is not None
    now[0] += 1
    assert lists.get(first) is None
    assert lists.get("guessed") is None


def test_a_state_fits_its_own_request_only_and_for_a_while() -> None:
    """Another request, another server's key, a changed text or a late retry do not fit."""
    now = [1000.0]
    seal = Seal(b"key", clock=lambda: now[0])
    params = {"name": "remove_book", "arguments": {"isbn": "1", "b": 2}}
    state = seal.make("tools/call", params)
    same = {"requestState": state, "arguments": {"b": 2, "isbn": "1"}, "name": "remove_book"}
    assert seal.fits(state, "tools/call", same)
    assert not seal.fits(state, "tools/call", {**params, "arguments": {"isbn": "2", "b": 2}})
    assert not seal.fits("A" + state[1:-1] + "B", "tools/call", params)
    assert not Seal(b"other", clock=lambda: now[0]).fits(state, "tools/call", params)
    assert not seal.fits(None, "tools/call", params)
    now[0] += STATE_LIFETIME
    assert not seal.fits(state, "tools/call", params)


@pytest.mark.parametrize(
    "text",
    [
        b"[1]",
        b'{"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","method":"x","params":[]}',
        b"{",
        b"\xff",
        b"NaN",
    ],
)
def test_broken_messages_are_refused(text: bytes) -> None:
    """What is no message is a parse error or an invalid request, never an exception of another kind."""
    with pytest.raises(RpcError) as refusal:
        checked(decode(text))
    assert refusal.value.code in (-32700, -32600)
    assert "id" not in failure(None, refusal.value)


def test_cancelling_reaches_the_one_request() -> None:
    """Ids keep their type; an unknown one is no error."""
    open_requests = OpenRequests()
    number, text = Stream(print), Stream(print)
    open_requests.begin(1, number)
    open_requests.begin("1", text)
    open_requests.cancel("1")
    open_requests.cancel(2)
    with pytest.raises(Cancelled):
        text.pause(None)
    number.pause(0)


def test_two_requests_under_one_id_both_end() -> None:
    """A client that reuses an id in flight must not leave the server waiting for ever."""
    open_requests = OpenRequests()
    streams = [Stream(print), Stream(print)]
    for stream in streams:
        open_requests.begin(1, stream)
    open_requests.stop_all()
    for stream in streams:
        with pytest.raises(Cancelled):
            stream.pause(None)


def test_wrong_arguments_and_a_foreign_cursor() -> None:
    """Wrong arguments are the tool's error, which a model can mend; a cursor of another list is the protocol's."""
    server = ModernServer(library_service(page_size=2))

    def ask(method: str, **params: object) -> dict[str, object]:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        answer = server.handle(request, Stream(print))
        assert answer is not None
        assert decode(encode(answer)) == answer
        return answer

    wrong = ask("tools/call", name="export_catalogue", arguments={"pause_ms": True})
    assert wrong["result"]["isError"] is True  # type: ignore[index]
    cursor = ask("tools/list")["result"]["nextCursor"]  # type: ignore[index]
    assert "result" in ask("tools/list", cursor=cursor)
    assert ask("resources/list", cursor=cursor)["error"]["code"] == -32602  # type: ignore[index]


def test_a_request_ends_once() -> None:
    """Silence is a TimeoutError, a refusal says why, and an answer stays whatever happens to the stream later."""
    pending = Pending(1)
    with pytest.raises(TimeoutError):
        pending.result(timeout=0)
    pending.answered({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}})
    pending.failed(HttpRefusal(500))
    assert pending.result(timeout=0) == {"a": 1}


def test_a_client_answers_only_what_it_declared() -> None:
    """Without the capability the question is an unknown method; with it the form is filled in."""
    form = {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {"confirm": {"type": "boolean"}}}}
    with pytest.raises(RpcError) as refusal:
        answer_input("elicitation/create", form, {})
    assert refusal.value.code == -32601
    answer = answer_input("elicitation/create", form, {"elicitation": {}})
    assert answer == {"action": "accept", "content": {"confirm": True}}
