"""The dispatcher: `wrap` and `--version` without typer, everything else through `mcpsniff.cli`.

`wrap` stands between a client and its server, so nothing is imported before it is needed.
"""

import sys

from mcpsniff import __version__


def main() -> None:
    """Runs mcpsniff with the arguments of this process."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"mcpsniff {__version__}")
        return
    if arguments[:1] == ["wrap"]:
        from mcpsniff.wrap.options import parse

        settings = parse(arguments[1:])
        if settings is not None:
            from mcpsniff.wrap.shim import run

            run(settings)  # and never return
    from mcpsniff.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
