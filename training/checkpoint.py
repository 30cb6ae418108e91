"""Checkpoints: everything a run needs to go on as if it had never stopped, in one file.

Arrays and a JSON text, written by torch and read back with `weights_only`: reading executes nothing. The file is
written beside the old one and then takes its place, so there is a whole one at any time.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ka_env.errors import KaError

FORMAT = "ka-training-1"
FILE = "checkpoint.pt"


class CheckpointError(KaError):
    """A checkpoint that is damaged, or not one of this run."""


def save(path: Path, facts: dict[str, Any], arrays: dict[str, np.ndarray], optimizer: dict[str, Any]) -> None:
    """`facts` is anything JSON can hold; `optimizer` a torch state dict."""
    tensors = {name: torch.from_numpy(_plain(array)) for name, array in arrays.items()}
    content = {"format": FORMAT, "facts": json.dumps(facts), "arrays": tensors, "optimizer": optimizer}
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        torch.save(content, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def load(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, Any]]:
    if not path.is_file():
        raise CheckpointError(f"{path}: no checkpoint there")
    try:
        content = torch.load(path, weights_only=True)
    except Exception as error:  # torch raises many kinds for a damaged file
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise CheckpointError(f"{path} is damaged or no checkpoint: {reason}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        found = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise CheckpointError(f"{path} is no checkpoint of ka train: its format is {found!r}, expected {FORMAT!r}")
    try:
        arrays = {name: tensor.numpy() for name, tensor in content["arrays"].items()}
        return json.loads(content["facts"]), arrays, content["optimizer"]
    except (KeyError, AttributeError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path} is damaged: {error!r}") from None


def _plain(array: np.ndarray) -> np.ndarray:
    """Records and unsigned numbers as bytes or signed numbers, which torch knows."""
    array = np.ascontiguousarray(array)
    if array.dtype.names:
        return array.view(np.uint8).reshape(len(array), -1)
    return array.view({"u2": np.int16, "u4": np.int32, "u8": np.int64}.get(array.dtype.str[1:], array.dtype))
