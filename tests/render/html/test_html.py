"""The page as a file: one that holds all it needs, and lets nothing else run."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

from mcpsniff.render.html import render
from mcpsniff.render.html.rows import PageRows


class Elements(HTMLParser):
    """The elements of a page: each with its attributes and its text."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), []))

    def handle_endtag(self, tag):
        self.found.append((f"/{tag}", {}, []))

    def handle_data(self, data):
        if self.found:
            self.found[-1][2].append(data)

    def all(self, tag):
        return [(attributes, "".join(text)) for name, attributes, text in self.found if name == tag]


def hash_of(text):
    """A source of a content security policy that allows this text alone."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def data_of(page):
    """What the script reads."""
    (text,) = [text for attributes, text in Elements(page).all("script") if attributes.get("id") == "data"]
    return json.loads(text)


def test_policy_allows_this_script_and_this_style_alone(findings):
    """Their hashes stand in the policy; everything else is refused."""
    elements = Elements(render(findings).decode())
    (policy,) = [a["content"] for a, _ in elements.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    (script,) = [text for attributes, text in elements.all("script") if "type" not in attributes]
    (style,) = [text for _, text in elements.all("style")]
    assert policy.split("; ") == [
        "default-src 'none'", f"script-src '{hash_of(script)}'", f"style-src '{hash_of(style)}'",
        "base-uri 'none'", "form-action 'none'",
    ]  # fmt: skip


def test_nothing_comes_from_elsewhere(findings):
    """No element of the page names a source, and no attribute holds a script or a style."""
    elements = Elements(render(findings).decode())
    names = {name for _, attributes, _ in elements.found for name in attributes}
    assert not names & {"src", "href", "srcset", "style", "background", "action"}
    assert not [name for name in names if name.startswith("on")]


def test_data_looks_like_no_markup(findings, hostile):
    """What was captured is read back letter by letter, and has no character that means something to HTML."""
    page = render(findings).decode()
    inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert not set(inside) & set("<>&\u2028\u2029\x1b\u202e")
    session = data_of(page)["report"]["sessions"][0]
    assert [finding["message"] for finding in session["findings"]] == [hostile] * 3


def test_found_rules_bring_their_pages(findings):
    """The page of a rule is there once, whatever found it; of other rules nothing is."""
    rules = data_of(render(findings).decode())["rules"]
    assert list(rules) == ["stdout-noise"]
    assert "## How to fix" in rules["stdout-noise"]


def test_a_hostile_name_is_the_title(report, talk):
    """The title is text, too."""
    talk.handshake()
    made = report(talk.file())
    made.captures[0]["file"] = "</title><script>alert(1)</script>\u202e.jsonl"
    page = render(made).decode()
    assert "<title>script&gt;\\u202e.jsonl · mcpsniff</title>" in page


def test_rows_stand_with_their_capture(report, talk):
    """Two captures with one id are told apart, as in the report."""
    talk.handshake()
    made = report(talk.file(), talk.file())
    rows = PageRows()
    rows.rows = [[{"seq": 1}], [{"seq": 1}, {"seq": 2}]]
    rows.exchanges = [{}, {}]
    data = data_of(render(made, rows).decode())
    assert [(row["capture"], row["seq"]) for row in data["rows"]] == [("c", 1), ("c-1", 1), ("c-1", 2)]
    assert list(data["exchanges"]) == ["c", "c-1"]
