"""The benchmark of the report starts, and its made-up traffic is what it says."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.rules.selection import ALL_TIERS, Selection

HERE = Path(__file__).parents[2] / "benchmarks"


def test_it_measures_both_eras(tmp_path):
    """A tiny run ends well and writes the figures of the loop and of both reports."""
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(HERE / "report.py"), "--mb", "0.02", "--rounds", "1", "--json", str(figures)]
    subprocess.run(command, check=True, cwd=HERE.parent, capture_output=True, timeout=120)
    eras = json.loads(figures.read_text())["eras"]
    assert list(eras) == ["legacy", "modern"]
    for row in eras.values():
        assert row["cpu_s"].keys() == {"loop", "no-rules", "all rules"}
        assert row["bytes"] >= 20_000
        assert row["show_to_report"].keys() == {"whole", "short"}
        assert row["several"] > 0


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_its_traffic_is_clean(era, tmp_path):
    """Nothing is found in it, and it is of the era that was asked for."""
    path = tmp_path / "made-up.jsonl"
    runpy.run_path(str(HERE / "traffic.py"))["write"](path, era, 100_000)
    report = build([analyze(str(path), Selection(ALL_TIERS))], ALL_TIERS)
    (session,) = report.sessions
    assert (session["era"], session["findings"]) == (era, [])
    assert report.captures[0]["complete"]
    assert 100_000 <= path.stat().st_size < 110_000
