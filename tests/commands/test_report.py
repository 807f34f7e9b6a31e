"""`mcpsniff report` from its arguments to its exit status."""

import json

import pytest

from mcpsniff.commands.choice import nearest
from mcpsniff.commands.report import Wishes, run
from mcpsniff.errors import McpsniffError
from mcpsniff.render.formats import Format


@pytest.fixture
def capture(talk, tmp_path):
    """A capture with one error: noise on stdout."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    path = tmp_path / "noise.jsonl"
    path.write_bytes(talk.file().getvalue())
    return path


def unfolded(text):
    """The text without the blanks and line ends that a terminal's width brings."""
    return "".join(text.split())


def test_read_and_reported_is_0(capture, capsys):
    """Findings alone do not fail the command."""
    assert run([str(capture)], Wishes()) == 0
    assert capsys.readouterr().out.startswith("✗ 1 error in 1 session")


@pytest.mark.parametrize(("fail_on", "status"), [("error", 1), ("warning", 1), ("info", 1), (None, 0)])
def test_fail_on_counts_what_is_as_bad_or_worse(capture, fail_on, status):
    """An error is at or above every threshold."""
    assert run([str(capture)], Wishes(fail_on=fail_on)) == status


def test_without_rules_nothing_is_judged(capture, capsys):
    """--no-rules measures; a check with it would never fail, whatever comes."""
    assert run([str(capture)], Wishes(rules=False)) == 0
    assert capsys.readouterr().out.startswith("Measured only, nothing judged")
    with pytest.raises(McpsniffError, match="judges nothing that --fail-on could count"):
        run([str(capture)], Wishes(rules=False, fail_on="info"))


def test_what_is_no_capture_is_refused_by_name(capture, tmp_path, capsys):
    """The rest is still reported; 3 wins over 1."""
    other = tmp_path / "notes.txt"
    other.write_text("hello\n")
    missing = str(tmp_path / "missing.jsonl")
    status = run([str(other), missing, str(capture)], Wishes(format=Format.json, fail_on="error"))
    shown = capsys.readouterr()
    assert status == 3
    assert [c["file"] for c in json.loads(shown.out)["captures"]] == [str(capture)]
    assert shown.err.splitlines() == [
        f"mcpsniff: {other} is no mcpsniff capture: its first line is not a capture header.",
        f"mcpsniff: {missing} cannot be read: No such file or directory.",
    ]


def test_nothing_readable_says_nothing_else(tmp_path, capsys):
    """There is no verdict on what was not read."""
    assert run([str(tmp_path / "missing")], Wishes()) == 3
    assert capsys.readouterr().out == ""


def test_globs_name_captures_in_order(capture, tmp_path, capsys):
    """A pattern stands for its files; one that names none is refused as it is."""
    (tmp_path / "a.jsonl").write_bytes(capture.read_bytes())
    assert run([str(tmp_path / "*.jsonl")], Wishes(format=Format.json)) == 0
    files = [c["file"] for c in json.loads(capsys.readouterr().out)["captures"]]
    assert files == [str(tmp_path / "a.jsonl"), str(capture)]
    assert run([str(tmp_path / "*.zst")], Wishes()) == 3
    assert "*.zst cannot be read" in capsys.readouterr().err


def test_a_file_takes_the_report(capture, tmp_path, capsys):
    """-o writes either format and leaves stdout alone; a folder that is not there is said in a sentence."""
    for format_, start in ((Format.json, b'{\n  "format"'), (Format.terminal, "✗ 1 error".encode())):
        out = tmp_path / format_
        assert run([str(capture)], Wishes(format=format_, output=str(out))) == 0
        assert out.read_bytes().startswith(start)
    assert capsys.readouterr().out == ""
    with pytest.raises(McpsniffError, match="cannot be written"):
        run([str(capture)], Wishes(output=str(tmp_path / "no" / "where")))


def test_the_name_of_the_output_asks_for_its_format(capture, tmp_path):
    """Without --format; with it the name says nothing."""
    table, text = tmp_path / "findings.csv", tmp_path / "report.json"
    assert run([str(capture)], Wishes(output=str(table))) == 0
    assert table.read_text().startswith("capture,session,")
    assert run([str(capture)], Wishes(output=str(text), format=Format.markdown)) == 0
    assert text.read_text().startswith("# MCP traffic")


def test_chosen_rules_take_part(capture, capsys):
    """Ignored, nothing is found; made milder, it fails no more."""
    assert run([str(capture)], Wishes(ignore=("framing",), fail_on="info")) == 0
    assert run([str(capture)], Wishes(select=("tools,http",), fail_on="info")) == 0
    assert run([str(capture)], Wishes(severity=("stdout-noise=info",), fail_on="warning")) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("mcpsniff explain stdout-noise")


def test_the_settings_file_is_named_where_it_counts(capture, tmp_path, capsys):
    """In the text and in the JSON; the finding is gone."""
    nearest.cache_clear()
    file = tmp_path / "mcpsniff.toml"
    file.write_text('ignore = ["stdout-noise"]')
    assert run([str(capture)], Wishes(fail_on="error")) == 0
    assert f"Rulesaschosenin{file}" in unfolded(capsys.readouterr().out)
    assert run([str(capture)], Wishes(format=Format.json)) == 0
    assert json.loads(capsys.readouterr().out)["captures"][0]["config"] == str(file)
    nearest.cache_clear()


def test_only_what_is_new_counts(capture, tmp_path, capsys):
    """The run that writes the baseline still fails; the next one, held against it, does not, and says so."""
    known = str(tmp_path / "known.json")
    assert run([str(capture)], Wishes(write_baseline=known, fail_on="error")) == 1
    capsys.readouterr()
    assert run([str(capture)], Wishes(baseline=known, fail_on="error")) == 0
    assert f"1knownfindingleftout,as{known}says" in unfolded(capsys.readouterr().out)


def test_a_new_baseline_keeps_what_the_old_one_knew(capture, tmp_path):
    """Both options together renew the file."""
    old, new = str(tmp_path / "old.json"), str(tmp_path / "new.json")
    run([str(capture)], Wishes(write_baseline=old))
    run([str(capture)], Wishes(baseline=old, write_baseline=new))
    assert (tmp_path / "new.json").read_text() == (tmp_path / "old.json").read_text()


def test_readiness_is_told_when_it_is_asked_for(capture, capsys):
    """Also without any other rule; another revision is no question."""
    assert (
        run([str(capture)], Wishes(fail_on="info", rules=False, next_revision="2026-07-28", format=Format.jsonl)) == 1
    )
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["rule"] for one in said} == {"next-revision"}
    assert {(one["violator"], one["evidence"]["change"]) for one in said} == {
        ("client", "removed"), ("client", "newly required"), ("server", "newly required"),
    }  # fmt: skip
    with pytest.raises(McpsniffError, match="only 2026-07-28 is there to be ready for"):
        run([str(capture)], Wishes(next_revision="2025-06-18"))


def test_a_glob_names_files_not_folders(capture, capsys):
    """`captures/**` goes through folders, which are no captures."""
    (capture.parent / "folder").mkdir()
    assert run([f"{capture.parent}/**"], Wishes()) == 0
    assert capsys.readouterr().err == ""
