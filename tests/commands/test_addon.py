"""Where the addon lies."""

from mcpsniff.commands.addon import path


def test_the_addon_is_there():
    """The path is that of the file that mitmdump loads."""
    assert path().parts[-2:] == ("addons", "mcp.py")
    assert "addons = " in path().read_text()
