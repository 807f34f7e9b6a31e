"""The findings one by one."""

from mcpsniff.analysis.placed import placed


def test_every_finding_comes_with_its_session_and_its_file(talk, report):
    """By session in the order of the report; one without findings gives none."""
    clean, noisy = type(talk)(), type(talk)()
    for one in (talk, clean, noisy):
        one.handshake()
    for one in (talk, noisy):
        one.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    made = report(talk.file(id="a"), clean.file(id="b"), noisy.file(id="c"), rules=True)
    said = [(one.capture["id"], one.session["id"], one.finding["rule"]) for one in placed(made)]
    assert said == [("a", "s1", "stdout-noise"), ("c", "s3", "stdout-noise")]


def test_the_file_is_that_of_the_culprits_record(talk, report):
    """Of a capture in parts that whose first record is not beyond it."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    made = report(talk.file(), rules=True)
    (one,) = placed(made)
    parts = [
        {"file": "c-00001.jsonl", "seq": 0},
        {"file": "c-00002.jsonl", "seq": 4},
        {"file": "c-00003.jsonl", "seq": 5},
    ]
    assert one._replace(capture={**one.capture, "parts": parts}).file == "c-00002.jsonl"
