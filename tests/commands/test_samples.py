"""Where the samples lie."""

from mcpsniff.commands.samples import samples_folder, samples_of


def test_the_sample_software_is_there():
    """Client, server, and the samples of the rules."""
    assert (samples_folder() / "library_client.py").is_file()
    assert (samples_folder() / "rules").is_dir()


def test_samples_come_bad_ones_first():
    """By name; a rule that is none has none."""
    stems = [path.stem for path in samples_of("stdout-noise")]
    assert stems == sorted(stems)
    assert stems[0].startswith("bad-")
    assert stems[-1].startswith("good-")
    assert samples_of("no-such-rule") == []
