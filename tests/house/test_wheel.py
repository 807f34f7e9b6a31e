"""The wheel is whole: what pipx or pip installs can play the demo and knows where its addon lies."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout with the build backend that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the wheel's files, and the dependencies of this environment."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    (packages,) = home.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(packages)
    dependencies = [p for p in sys.path if p.endswith("site-packages")]
    (packages / "dependencies.pth").write_text("\n".join(dependencies) + "\n")
    return home / "bin" / "python"


def run(python: Path, *words: str, cwd: Path) -> str:
    done = subprocess.run([python, "-m", "mcpsniff", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_demo_runs_from_the_wheel(python: Path, tmp_path: Path) -> None:
    """The demo finds its samples inside the installed package and reports both eras and the faulty pair."""
    out = run(python, "demo", cwd=tmp_path)
    assert "legacy 2025-11-25 over stdio" in out
    assert "modern 2026-07-28 over stdio" in out
    assert "retry-id-reused" in out
    assert str(python.parents[1]) in out  # the installed samples, not the checkout's


def test_addon_lies_in_the_wheel(python: Path, tmp_path: Path) -> None:
    """`mcpsniff addon` prints a path inside the installed package."""
    path = Path(run(python, "addon", cwd=tmp_path).strip())
    assert path.is_file()
    assert path.is_relative_to(python.parents[1].resolve())


def test_page_is_made_from_the_wheel(python: Path, tmp_path: Path) -> None:
    """The template, the script and the style lie in the package."""
    (capture,) = python.parents[1].glob(
        "lib/python*/site-packages/mcpsniff/_data/samples/captures/modern/confirm-stdio.jsonl"
    )
    run(python, "report", "-o", "page.html", str(capture), cwd=tmp_path)
    assert "</html>" in (tmp_path / "page.html").read_text()


def test_wheel_holds_no_byte_code(wheel: Path) -> None:
    """Nothing that a run left behind is shipped."""
    assert not [n for n in zipfile.ZipFile(wheel).namelist() if "__pycache__" in n or ".venv" in n]
