"""docs/coverage.tsv and the rules agree both ways: what a sentence names exists, and every rule rests on a sentence."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.rules.catalogue import by_id

DOCS = Path(__file__).parents[2] / "docs"
COLUMNS = ["revisions", "page", "section", "sentence", "keywords", "rules", "reason", "note"]
KEY_WORDS = {"MUST", "SHOULD", "MAY", "REQUIRED", "RECOMMENDED", "OPTIONAL", "SHALL", "mixed"}
RESTING_ON_NO_SENTENCE = {"operation", "hygiene", "readiness"}  # families
# Normative sentences by revision, as counted on the pages (2026-07-28: with the SEPs and the Tasks extension).
SENTENCES = {"2024-11-05": 111, "2025-03-26": 185, "2025-06-18": 220, "2025-11-25": 399, "2026-07-28": 1004}

with (DOCS / "coverage.tsv").open() as file:
    ROWS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
LEGEND = set(re.findall(r"^\| ([A-Z]+) \|", (DOCS / "coverage.md").read_text(), re.MULTILINE))


def place(row: dict[str, str]) -> str:
    """Where a row's sentence stands, for messages."""
    return "{revisions} {page}#{section} {sentence}".format(**row)


def test_every_row_names_rules_or_a_reason() -> None:
    """A row has all columns, known revisions in order, and either rules or one reason of the legend with a note."""
    assert list(ROWS[0]) == COLUMNS
    for row in ROWS:
        revisions = row["revisions"].split()
        assert revisions, place(row)
        assert revisions == [one for one in REVISIONS if one in revisions], place(row)
        assert bool(row["rules"]) is not bool(row["reason"]), place(row)
        assert not row["reason"] or (row["reason"] in LEGEND and row["note"]), place(row)


def test_every_reason_of_the_legend_is_used() -> None:
    """The legend holds what the rows need and no more."""
    assert {row["reason"] for row in ROWS} - {""} == LEGEND


def test_sentences_have_an_address_and_key_words() -> None:
    """A sentence with a key word is counted under its heading; what rests on plain text has neither."""
    for row in ROWS:
        assert bool(row["sentence"]) is bool(row["keywords"]), place(row)
        words = {word.removesuffix(" NOT") for word in row["keywords"].split("/")} - {"", "NOT RECOMMENDED"}
        assert words <= KEY_WORDS, place(row)
        assert re.fullmatch(r"(\d+(-\d+)?)?", row["sentence"]), place(row)


def test_rules_that_are_named_exist_in_a_revision_of_the_sentence() -> None:
    """A row names each rule once, and only rules that are for one of the row's revisions."""
    for row in ROWS:
        named = row["rules"].split()
        assert len(named) == len(set(named)), place(row)
        for rule in named:
            assert rule in by_id(), f"{place(row)} names {rule}, which is no rule"
            applicable = [r for r in row["revisions"].split() if any(one.applies(r) for one in by_id()[rule])]
            assert applicable, f"{place(row)} names {rule}, which is for other revisions"


@pytest.mark.parametrize("era", [LEGACY, (MODERN,)], ids=["legacy", "modern"])
def test_every_rule_rests_on_a_sentence(era: tuple[str, ...]) -> None:
    """A rule that is for an era stands in a row of that era."""
    named = {rule for row in ROWS if set(row["revisions"].split()) & set(era) for rule in row["rules"].split()}
    mine = {
        rule.id
        for rules in by_id().values()
        for rule in rules
        if rule.family not in RESTING_ON_NO_SENTENCE and any(map(rule.applies, era))
    }
    assert sorted(mine - named) == [], "add them to the sentences of docs/coverage.tsv that they look after"


def test_no_sentence_is_lost() -> None:
    """In each revision as many sentences are accounted for as its pages hold."""
    counted: Counter[str] = Counter()
    for row in ROWS:
        first, _, last = row["sentence"].partition("-")
        for revision in row["revisions"].split():
            counted[revision] += int(last or first) - int(first) + 1 if first else 0
    assert counted == SENTENCES
