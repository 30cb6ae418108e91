"""Every notebook runs from top to bottom, is stored without outputs, and labels its plots."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 5


def test_notebooks_are_stored_without_outputs(notebook):
    assert not any(cell.outputs or cell.execution_count for cell in code_cells(notebook))


def test_notebooks_run(notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(threads, "1")
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    for cell in code_cells(notebook):
        shown = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        assert bool(shown) == ("plt.show()" in cell.source), f"plots and plt.show() go together:\n{cell.source}"
        if shown:
            assert cell.source.count("label(") >= 2, f"axes need labels:\n{cell.source}"
        errors = [output.text for output in cell.outputs if output.get("name") == "stderr"]
        assert all("compiling" in text for text in errors), errors
