"""The options of `mcpsniff wrap`: one table, and the strict little parser over it.

`parse` answers with Settings for an argument list that it understands wholly, and with None for everything else
(help, an unknown option, a missing value, no command): then typer speaks. Imports nothing of weight, as wrap must
start like bare Python.
"""

from mcpsniff.relay import Keeping


class Option:
    """One option: `name` in Settings, its spellings, its value's word in the help (None for a flag).

    One that may stand more than once is `many`: Settings has all its values.
    """

    __slots__ = ("default", "flags", "help", "many", "metavar", "name")

    def __init__(
        self, flags: tuple[str, ...], metavar: str | None, default: str | bool | None, text: str, many: bool = False
    ):
        self.flags = flags
        self.name = flags[-1].removeprefix("--").replace("-", "_")
        self.metavar = metavar
        self.default = default
        self.help = text
        self.many = many


OPTIONS = (
    Option(
        ("-w", "--write"),
        "FILE",
        None,
        "Write the capture to FILE (strftime codes, %p the pid). An existing FILE is never touched.",
    ),
    Option(("-v", "--verbose"), None, False, "Tell the capture's path once on stderr."),
    Option(("-s", "--snaplen"), "SIZE", "64M", "Keep at most SIZE bytes of a message (k, M, G; 0: no limit)."),
    Option(("-C", "--part-size"), "SIZE", None, "Go on in a new file before one grows beyond SIZE (k, M, G)."),
    Option(("-G", "--part-seconds"), "SECONDS", None, "Go on in a new file after SECONDS."),
    Option(("-W", "--parts"), "COUNT", None, "Keep the newest COUNT files; with -C or -G."),
    Option(("--sync",), None, False, "Have each record on the disk before the next is written."),
    Option(("--compress",), "HOW", None, "Pack finished files: gzip or zstd."),
    Option(("--redact",), "POINTER", None, "Hide this in MCP messages too, such as /params/arguments/pin.", many=True),
    Option(("--no-redact",), None, False, "Keep secrets of the command line in the capture."),
    Option(("--strict",), None, False, "Refuse to start when the capture cannot be opened."),
)

_BY_FLAG = {flag: option for option in OPTIONS for flag in option.flags}


class Settings(Keeping):
    """What one run of wrap was asked to do."""

    __slots__ = ("command", "no_redact", "redact", "strict", "verbose", "write")

    def __init__(
        self,
        command: list[str],
        *,
        write: str | None = None,
        verbose: bool = False,
        redact: list[str] | None = None,
        no_redact: bool = False,
        strict: bool = False,
        **keeping: str | bool | None,
    ):
        super().__init__(**keeping)  # type: ignore[arg-type]
        self.command = command
        self.write = write
        self.verbose = verbose
        self.redact = tuple(redact or ())  # JSON Pointers to what is secret inside MCP messages
        self.no_redact = no_redact
        self.strict = strict


def parse(argv: list[str]) -> Settings | None:
    """The settings in `argv` (what follows the word wrap), or None where typer must speak."""
    values: dict[str, str | bool | list[str]] = {}
    several: dict[str, list[str]] = {}
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at] not in ("-", "--"):
        flag, equals, value = argv[at].partition("=")
        option = _BY_FLAG.get(flag)
        at += 1
        if option is None or (equals and (option.metavar is None or not flag.startswith("--"))):
            return None
        if option.metavar is not None and not equals:
            value = argv[at] if at < len(argv) else ""
            at += 1
        if option.metavar is not None and (not value or value.startswith("-")):
            return None
        if option.many and (value[0] != "/" or "~" in value):  # whether that is a JSON Pointer is for others to say
            return None
        if option.many:
            values[option.name] = several.setdefault(option.name, [])
            several[option.name].append(value)
        else:
            values[option.name] = value if option.metavar is not None else True
    command = argv[at + 1 :] if argv[at : at + 1] == ["--"] else argv[at:]
    return _settings(command, values) if command else None


def _settings(command: list[str], values: dict[str, str | bool | list[str]]) -> Settings | None:
    try:
        return Settings(command, **values)  # type: ignore[arg-type]
    except ValueError:
        return None
