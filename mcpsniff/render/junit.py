"""The findings as JUnit XML: a suite for each session, a failed case for each finding, advice passed with its words."""

from __future__ import annotations

from xml.etree import ElementTree as xml

from mcpsniff.analysis.report import Data, Report
from mcpsniff.wire.visible import visible

NOTHING_FOUND = "nothing wrong found"  # the case of a session without findings, as some readers take none for a failure


def render(report: Report) -> bytes:
    """Gives the XML document."""
    files = {capture["id"]: capture["file"] for capture in report.captures}
    root = xml.Element("testsuites", name="mcpsniff")
    for session in report.sessions:
        root.append(_suite(session, files[session["capture"]]))
    xml.indent(root)
    return bytes(xml.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(session: Data, file: str) -> xml.Element:
    findings = session["findings"]
    failures = sum(finding["severity"] != "info" for finding in findings)
    name = visible(f"{file} {session['id']}")
    counts = {"tests": str(len(findings) or 1), "failures": str(failures), "errors": "0", "skipped": "0"}
    suite = xml.Element("testsuite", {"name": name, **counts})
    if not findings:
        suite.append(xml.Element("testcase", name=NOTHING_FOUND, classname=name, time="0"))
    for finding in findings:
        suite.append(_case(finding, name))
    return suite


def _case(finding: Data, suite: str) -> xml.Element:
    case = xml.Element("testcase", name=f"{finding['rule']} #{finding['seq'][0]}", classname=suite, time="0")
    text = "\n".join((visible(finding["message"]), finding["excerpt"], *finding["spec"]))
    if finding["severity"] == "info":
        xml.SubElement(case, "system-out").text = text
    else:
        about = {"type": finding["severity"], "message": visible(finding["message"])}
        xml.SubElement(case, "failure", about).text = text
    return case
