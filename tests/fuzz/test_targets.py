"""The targets of the fuzzer keep their promises on their own corpus, and on inputs that once broke one."""

import runpy
from pathlib import Path

import pytest

FUZZ = runpy.run_path(str(Path(__file__).with_name("targets.py")))
TARGETS, corpus = FUZZ["TARGETS"], FUZZ["corpus"]
BROKE = [  # what targets once broke at
    ("reader", b'{"type":{"jsonrpc":"2.0"}}\n'),
    ("rules", b'{"type":"message","seq":1,"t":1,"from":"server","size":9,"message" :{"jsonrpc":"2.0","method":"x"}}\n'),
]


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus(name: str) -> None:
    """Seeds of each target, whole and cut in two: there are some, and none breaks it."""
    seeds = list(corpus(name))
    seeds = seeds[:: max(1, len(seeds) // 80)]
    assert len(seeds) > 3
    for seed in seeds:
        TARGETS[name](seed)
        TARGETS[name](seed[: len(seed) // 2])


@pytest.mark.parametrize(("name", "data"), BROKE)
def test_what_once_broke(name: str, data: bytes) -> None:
    """It holds now."""
    TARGETS[name](data)
