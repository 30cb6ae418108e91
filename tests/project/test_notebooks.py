"""Every notebook runs from top to bottom, is stored with the outputs of such a run, and labels its plots."""

from itertools import groupby
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


def kinds(cell):
    """What a cell shows: text, pictures, values."""
    return [output.get("name") or sorted(output.get("data", {})) for output in cell.outputs]


def shown(cell):
    """The same without notices; what is printed may come in pieces."""
    return [kind for kind, _ in groupby(kind for kind in kinds(cell) if kind != "stderr")]


def test_notebooks_are_stored_with_outputs_and_stay_small(request, notebook):
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run make notebooks"
    assert any(shown(cell) for cell in cells)
    assert all(kinds(cell) == shown(cell) for cell in cells), "no notices, no errors"
    path = ROOT / "notebooks" / f"{request.node.callspec.id}.ipynb"
    assert path.stat().st_size < 200_000


def test_numbers_on_colours_can_be_read(notebook):
    """The ends of a scale are dark: what is written there has an ink of its own."""
    for cell in code_cells(notebook):
        if "imshow(" in cell.source and ".text(" in cell.source:
            assert '"white" if' in cell.source and "color=ink" in cell.source, cell.source


def test_notebooks_run(notebook, tmp_path, monkeypatch):
    stored = [shown(cell) for cell in code_cells(notebook)]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(threads, "1")
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert [shown(cell) for cell in code_cells(notebook)] == stored, "run make notebooks"
    for cell in code_cells(notebook):
        plots = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        assert bool(plots) == ("plt.show()" in cell.source), f"plots and plt.show() go together:\n{cell.source}"
        if plots:
            assert cell.source.count("label(") >= 2, f"axes need labels:\n{cell.source}"
        errors = [output.text for output in cell.outputs if output.get("name") == "stderr"]
        assert all("compiling" in text for text in errors), errors
