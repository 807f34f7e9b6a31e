"""The commands that read captures, as they are called."""


def test_captures_come_on_standard_input(mcpsniff, talk):
    """`-` reads stdin; the report names it."""
    talk.handshake()
    done = mcpsniff("report", "--format", "json", "-", input=talk.file().getvalue().decode())
    assert done.returncode == 0
    assert '"file": "standard input"' in done.stdout


def test_the_settings_files_stand_in_the_help(mcpsniff):
    """Nothing of the sentence is taken for markup."""
    assert "tool.mcpsniff" in mcpsniff("report", "--help").stdout


def test_a_dash_is_stdout(mcpsniff, talk, tmp_path, monkeypatch):
    """As it is stdin among the captures; no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    talk.handshake()
    done = mcpsniff("report", "-o", "-", "-", input=talk.file().getvalue().decode())
    assert done.stdout.startswith("✓")
    assert list(tmp_path.iterdir()) == []
