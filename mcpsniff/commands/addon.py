"""`mcpsniff addon`: where the mitmproxy addon lies."""

from __future__ import annotations

from pathlib import Path

from mcpsniff.errors import McpsniffError


def path() -> Path:
    """Gives the path of the addon: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for home in (package / "_data", package.parent):
        addon = home / "addons" / "mcp.py"
        if addon.is_file():
            return addon
    raise McpsniffError(f"The addon is missing beside {package}; install mcpsniff again.")
