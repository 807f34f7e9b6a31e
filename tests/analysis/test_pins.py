"""Findings at their records: as they come, as settings have them, and replaced by more specific ones."""

from mcpsniff.analysis.engine import feed_each
from mcpsniff.analysis.timeline import Watch, read_whole
from mcpsniff.capture.reader import read
from mcpsniff.rules.selection import Selection


def noisy(talk):
    """Noise before and after a handshake."""
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=5, raw="done")
    return talk.file()


def test_changes_are_told_once_and_with_what_settles_an_era(talk):
    """Each record is named when something is found of it, and once more when its era is learnt."""
    reader = read(noisy(talk))
    watch = Watch(reader.header)
    told = {record.seq: list(watch.timeline.pins.changed()) for record in feed_each(reader, watch.engine)}
    assert told[1] == [1]
    assert 1 in told[3]  # the answer to initialize tells the revision
    assert told[5] == [5]


def test_severity_and_choice_are_the_users(talk):
    """A rule that is called info here has pins of that severity; one that is ignored has none."""
    quiet = Selection(severity=(("stdout-noise", "info"),))
    rows = read_whole(noisy(talk), quiet)[2]
    assert [pin.severity for row in rows for pin in row.findings] == ["info", "info"]
    rows = read_whole(noisy(type(talk)()), Selection(ignore=("stdout-noise",)))[2]
    assert [pin for row in rows for pin in row.findings] == []


def test_pin_is_told_as_data(talk):
    """With the keys that the report's findings have, as far as they are one record's."""
    rows = read_whole(noisy(talk), Selection())[2]
    (pin,) = next(row for row in rows if row.seq == 5).findings
    assert pin.values() == {
        "rule": "stdout-noise",
        "severity": "error",
        "violator": "server",
        "message": "text in a message's place: done",
    }
    assert (pin.seq, pin.session.key, pin.revision) == (5, "s1", "2025-11-25")
