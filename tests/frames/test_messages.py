"""The frame of messages."""

from mcpsniff import frames


def test_a_row_a_message(before):
    """In order; an answer has the method of its request and names its record."""
    rows = frames.read(before).messages.set_index("seq")
    assert rows.index.tolist() == list(range(1, 12))
    assert rows.kind.tolist()[5:9] == ["request", "request", "result", "result"]
    answer = rows.loc[8]
    assert answer[["sender", "id", "method", "name", "answers"]].tolist() == ["server", '"b"', "tools/call", "add", 7]
    assert answer.latency == 0.1
    assert answer["size"] == len('{"jsonrpc":"2.0","id":"b","result":{"content":[],"isError":true}}\n')
    assert rows.loc[11, "method"] == "notifications/cancelled"


def test_elements_of_a_batch_are_rows(talk, tmp_path):
    """Where the revision has batches: each with its place."""
    talk.say("client", '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]')
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    rows = frames.read(str(path)).messages
    assert [int(part) for part in rows[rows.kind == "request"].part] == [1, 2]
