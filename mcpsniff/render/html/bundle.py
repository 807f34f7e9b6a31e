"""The page's script and style as one text each, from the modules in `script/` and the sheets in `style/`.

A module is an ES module that imports others by name (`import { a, b } from "./x.js";`). Here each becomes a function
that gives its exports, in an order in which every module stands behind those that it imports.
"""

from __future__ import annotations

import re
from pathlib import Path

MAIN = "main"
SHEETS = ("base", "diagram", "detail", "narrow", "print")  # later ones win

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


def script() -> str:
    """Gives the script: strict, in a scope of its own."""
    modules: dict[str, str] = {}
    _add(MAIN, modules)
    return '"use strict";\n(() => {\nconst modules = {};\n' + "\n".join(modules.values()) + "\n})();"


def _add(name: str, modules: dict[str, str]) -> None:
    """Adds a module behind all that it imports."""
    text = (_FOLDER / "script" / f"{name}.js").read_text("utf-8")
    for _, needed in _IMPORT.findall(text):
        if needed not in modules:
            _add(needed, modules)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r'const \1 = modules["\2"];', text))
    modules[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exports} }};\n}})();'


def style() -> str:
    """Gives the style sheet."""
    return "\n".join((_FOLDER / "style" / f"{name}.css").read_text("utf-8") for name in SHEETS)
