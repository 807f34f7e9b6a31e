"""Each benchmark starts, and gives the figures that its table and its bars speak of."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "benchmarks"
YARDSTICKS = ("cc", "socat")  # programs that only the benchmarks need
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, YARDSTICKS)), reason=f"the yardsticks need {' and '.join(YARDSTICKS)}"
)


def run(*arguments):
    """What a run of the benchmarks says."""
    command = [sys.executable, str(HERE / "run.py"), *arguments]
    return subprocess.run(command, check=True, cwd=HERE.parent, capture_output=True, text=True, timeout=300).stdout


@pytest.mark.parametrize("name", ["startup", "latency", "throughput", "memory", "order", "ends", "http", "starts"])
def test_it_starts(name, tmp_path):
    """A tiny run gives every figure of every row, and a verdict on every bar."""
    figures = tmp_path / "figures.json"
    said = run(name, "--quick", "--json", str(figures))
    result = json.loads(figures.read_text())["benchmarks"][name]
    wanted = {figure["name"] for figure in result["figures"]}
    assert all(wanted <= row.keys() for row in result["median"].values())
    for row in result["median"]:
        assert f"| {row} |" in said
    assert result["bars"]
    assert all(bar["bar"] in said for bar in result["bars"])


def test_the_tables_go_into_the_readme(tmp_path):
    """What is between the marks is replaced, and nothing else."""
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- last run -->\nold\n<!-- end -->\nafter\n")
    figures = tmp_path / "figures.json"
    run("order", "--quick", "--json", str(figures))
    script = (
        "import json, sys; from pathlib import Path; from benchmarks import tables; "
        "tables.write(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()))"
    )
    subprocess.run([sys.executable, "-c", script, str(readme), str(figures)], check=True, cwd=HERE.parent)
    text = readme.read_text()
    assert text.startswith("before\n<!-- last run -->\n\nmcpsniff ")
    assert "## Order and loss (`order`)" in text
    assert "\nold\n" not in text
    assert text.endswith("\n<!-- end -->\nafter\n")
