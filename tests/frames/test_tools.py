"""The frame of tools."""

import json

from mcpsniff import frames


def test_a_row_a_tool(before):
    """As it was listed; its size is that of the definition without blanks."""
    (row,) = frames.read(before).tools.to_dict("records")
    tool = {"description": "Adds.", "inputSchema": {"type": "object"}, "name": "add"}
    assert (row["name"], row["seq"], json.loads(row["definition"])) == ("add", 5, tool)
    assert row["bytes"] == len(json.dumps(tool, separators=(",", ":")))


def test_the_last_list_counts(talk, tmp_path):
    """A tool that was listed twice is one row; what is no tool is none."""
    for id_, words in ((1, "old"), (2, "new")):
        talk.client(id=id_, method="tools/list")
        talk.server(id=id_, result={"tools": [{"name": "t", "description": words}, {"name": 7}, "x"]})
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    (row,) = frames.read(str(path)).tools.to_dict("records")
    assert json.loads(row["definition"])["description"] == "new"
