"""The dispatcher: `wrap` and `--version` without typer, everything else through `mcpsniff.cli`.

`wrap` stands between a client and its server, so nothing is imported before it is needed.
"""

import os
import sys

from mcpsniff import __version__


def main() -> None:
    """Runs mcpsniff with the arguments of this process."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        _print_version()
        return
    if arguments[:1] == ["wrap"]:
        from mcpsniff.wrap.options import parse

        settings = parse(arguments[1:])
        if settings is not None:
            from mcpsniff.wrap.shim import run

            run(settings)  # and never return
    try:
        from mcpsniff.cli import main as command_line

        command_line()
    except KeyboardInterrupt:  # before there was anything to do
        os.write(2, b"mcpsniff: interrupted.\n")
        os._exit(130)


def _print_version() -> None:
    try:
        print(f"mcpsniff {__version__}", flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            os.write(2, f"mcpsniff: Standard output cannot be written: {error.strerror}.\n".encode())
        os._exit(0 if isinstance(error, BrokenPipeError) else 2)


if __name__ == "__main__":
    main()
