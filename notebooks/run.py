"""Run the notebooks and keep their outputs in them, so that they can be read on the web: `make notebooks`.

They run in a folder that is thrown away. Notices on stderr (that rules are compiled) are not kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent
SMALL = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}  # plots as small PNGs


def executed(path: Path, folder: str) -> nbformat.NotebookNode:
    """The notebook with fresh outputs; without what differs from one machine to the next."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=1800, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = joined([output for output in cell.outputs if output.get("name") != "stderr"])
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """What is printed comes in pieces, as time would have it: one piece each."""
    found: list[nbformat.NotebookNode] = []
    for output in outputs:
        if found and output.output_type == "stream" == found[-1].output_type:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def main(names: list[str]) -> None:
    os.environ |= SMALL | {"PYTHONPATH": str(HERE.parent), "OMP_NUM_THREADS": "1"}
    for path in [HERE / name for name in names] or sorted(HERE.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(path, folder), path)
        print(f"{path.name}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
