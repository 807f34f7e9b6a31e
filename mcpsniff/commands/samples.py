"""Where the samples lie that come with the program."""

from __future__ import annotations

from pathlib import Path

from mcpsniff.errors import McpsniffError


def samples_folder() -> Path:
    """Returns the folder of all samples: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_data" / "samples", package.parent / "samples"):
        if (folder / "library_client.py").is_file():
            return folder
    raise McpsniffError(f"The samples are missing beside {package}; install mcpsniff again.")


def samples_of(rule: str) -> list[Path]:
    """Returns the samples of a rule, bad ones first, by name."""
    return sorted((samples_folder() / "rules" / rule).glob("*.jsonl"), key=lambda path: path.stem)
