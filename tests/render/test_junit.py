"""JUnit XML, read by junitparser."""

import junitparser

from mcpsniff.render.junit import render


def read(report):
    """The document as junitparser understands it."""
    return junitparser.JUnitXml.fromstring(render(report))


def test_errors_and_warnings_fail_and_advice_passes(findings):
    """One case each; the counts in the file are those that the reader makes of the cases."""
    noisy, quiet = read(findings)
    assert [type(case.result[0]).__name__ if case.result else None for case in noisy] == ["Failure", "Failure", None]
    stated = (noisy.tests, noisy.failures, noisy.errors, noisy.skipped)
    noisy.update_statistics()
    assert stated == (noisy.tests, noisy.failures, noisy.errors, noisy.skipped) == (3, 2, 0, 0)
    assert (quiet.tests, quiet.failures) == (1, 0)


def test_a_failure_says_what_where_and_why(findings):
    """Rule and record name the case, severity is the type; message, record and clause are the text."""
    case = next(iter(next(iter(read(findings)))))
    (failure,) = case.result
    assert (case.name, case.classname) == ("stdout-noise #4", "-logs/a b,c:1%.jsonl s1")
    assert failure.type == "error"
    assert failure.message.startswith(r'=1+1 \x1b[31m<b>]]>&"')
    lines = failure.text.splitlines()
    assert lines[1:] == [
        "Starting",
        "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
    ]


def test_nothing_captured_is_a_document_without_suites(nothing):
    """Still well formed."""
    assert list(read(nothing)) == []
