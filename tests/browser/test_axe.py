"""axe-core looks at every view, in light and in dark: what it calls serious or critical is a fault."""

import pytest
from axe_playwright_python.sync_playwright import Axe

BAD = ("serious", "critical")


def faults(page):
    """What axe finds that is bad, in a few words each."""
    found = Axe().run(page).response["violations"]
    return [(one["id"], one["nodes"][0]["target"], one["help"]) for one in found if one["impact"] in BAD]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("capture", ["faulty/confirm-stdio", "legacy/memory-http"])
def test_every_view_is_accessible(show, capture, scheme):
    """The conversation with a chosen message in each of its views, overview, findings, cost, the help."""
    page = show(capture, color_scheme=scheme).go("#s1/8")
    assert page.locator(".detail h2").count() == 1
    found = faults(page)
    for view in ("Exact", "As a line", "As an exchange"):
        page.get_by_role("button", name=view).click()
        found += faults(page)
    for tab in ("Overview", "Findings", "Cost"):
        page.get_by_role("tab", name=tab).click()
        found += faults(page)
    page.keyboard.press("?")
    found += faults(page)
    assert found == []
