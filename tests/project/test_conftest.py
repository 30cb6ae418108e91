"""The settings of the tests themselves: skips fail the run where they must."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("asked", "code"), [("0", 0), ("1", 1)])
@pytest.mark.parametrize("how", ["in a test", "of a module"])
def test_a_skip_fails_the_run_where_it_must(tmp_path, asked, code, how):
    skip = "import pytest\n"
    skip += 'pytest.importorskip("no_such_module")\n' if how == "of a module" else ""
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (tmp_path / "test_fine.py").write_text("def test_fine(): pass\n")
    (tmp_path / "test_skip.py").write_text(f"{skip}def test_skip(): pytest.skip('no reason')\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "KA_NO_SKIPS": asked, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout
    assert "SKIPPED" in done.stdout
    assert ("so the run has failed" in done.stdout) == bool(code)


def test_a_test_inherits_no_environment(tmp_path):
    """Neither from the terminal nor from the test before."""
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (tmp_path / "test_both.py").write_text(
        "import os\n"
        "def test_comes(): assert not {'NO_COLOR', 'COLUMNS', 'KA_QUIET'} & {*os.environ}\n"
        "def test_leaves(): os.environ['KA_QUIET'] = '1'\n"
        "def test_comes_after(): assert 'KA_QUIET' not in os.environ\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "20", "KA_QUIET": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout
