"""The benchmark of the page starts, and counts what the document holds."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "page.py"


def test_it_measures_the_page(tmp_path):
    """A small run ends well; after the filter there is no more than a screenful of rows."""
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARK), "--messages", "300", "--rounds", "1", "--json", str(figures)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    out = json.loads(figures.read_text())
    assert 20 < out["rows"] <= 60
    assert out["made_cpu_s"].keys() == {"json", "html"}
    assert min(out["open_ms"], out["step_ms"], out["end_ms"], out["filter_ms"]) > 0
