"""mitmproxy addon that captures MCP over HTTP: `mitmdump --mode reverse:http://localhost:8000 -s addons/mcp.py`.

Only finds the package, for mitmproxy's environment need not have mcpsniff installed: the checkout or the installation
that this file lies in will do, with the standard library alone. The work is done in mcpsniff/proxy/addon.py.
"""

import logging
import os
import sys

_HERE = os.path.dirname(os.path.realpath(__file__))
_HOMES = (os.path.dirname(_HERE), os.path.abspath(os.path.join(_HERE, *[os.pardir] * 3)))  # checkout, installation


def _find() -> list[object]:
    try:
        from mcpsniff.proxy.script import ADDONS
    except ModuleNotFoundError as error:
        if error.name not in ("mcpsniff", "mcpsniff.proxy"):
            raise
        sys.modules.pop("mcpsniff", None)  # a folder of that name without the package
    else:
        return ADDONS
    for home in _HOMES:
        if os.path.isfile(os.path.join(home, "mcpsniff", "proxy", "script.py")):
            return _import_from(home)
    logging.error(f"{__file__} cannot find mcpsniff: keep it in its checkout, or install mcpsniff beside mitmproxy.")
    return []


def _import_from(home: str) -> list[object]:
    sys.path.append(home)
    try:
        from mcpsniff.proxy.script import ADDONS
    finally:
        sys.path.remove(home)  # what else is installed there is not meant for mitmproxy
    return ADDONS


addons = _find()
