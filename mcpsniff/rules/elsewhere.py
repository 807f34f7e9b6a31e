"""Places in results whose defects have rules of their own, by revision (from it on); shape rules leave them alone."""

from __future__ import annotations

import re

_BLOCK = r"/result/(content/\d+|contents/\d+|messages/\d+/content|content)"
_OWN = (  # places whose defects have rules of their own
    r"/result/nextCursor$",  # next-cursor-invalid
    r"/result/structuredContent$",  # structured-content-not-object
    r"/result/tools/\d+/(inputSchema|outputSchema)(/|$)",  # tool-…-schema-invalid
    r"/result/.*/icons/\d+/(src|theme)$",  # icon-uri-unsafe
    r"/result/(?!tools/).*/annotations(/|$)",  # annotations-invalid
    r"/result/.*/mimeType$",  # content-mime-invalid
    _BLOCK + r"/resource(/|$)",  # embedded-resource-incomplete
)
_OWN_MODERN = (
    r"/result/(ttlMs|cacheScope)$",  # missing-cache-hints, cache-hint-invalid
    r"/result/resultType$",  # missing-result-type, unknown-result-type
    r"/result/_meta(/|$)",  # meta-field-invalid
    r"/result/capabilities/extensions/",  # extension-id-invalid
)
RESULT_PLACES = {
    "2024-11-05": re.compile("|".join(_OWN)),
    "2026-07-28": re.compile("|".join((*_OWN, *_OWN_MODERN))),
}
