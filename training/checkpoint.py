"""Checkpoints: everything a run needs to go on as if it had never stopped, in one file.

A line with a hash of everything after it; then arrays and a JSON text, written by torch and read back with
`weights_only`: reading executes nothing. The file is written beside the old one and then takes its place, so there is a
whole one at any time. The one before is kept: if the last is damaged, the run goes on from there.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ka_env.errors import KaError

FORMAT = "ka-training-2"
FILE = "checkpoint.pt"
PREVIOUS = ".previous"  # at the end of a name

Content = tuple[dict[str, Any], dict[str, np.ndarray], dict[str, Any]]


class CheckpointError(KaError):
    """A checkpoint that is damaged, or not one of this run."""


def save(path: Path, facts: dict[str, Any], arrays: dict[str, np.ndarray], optimizer: dict[str, Any]) -> None:
    """`facts` is anything JSON can hold; `optimizer` a torch state dict."""
    tensors = {name: torch.from_numpy(_plain(array)) for name, array in arrays.items()}
    body = io.BytesIO()
    torch.save({"facts": json.dumps(facts), "arrays": tensors, "optimizer": optimizer}, body)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(_head(body.getbuffer()))
        file.write(body.getbuffer())
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        os.replace(path, previous(path))
    os.replace(part, path)
    _keep_names(path.parent)


def previous(path: Path) -> Path:
    return path.with_name(path.name + PREVIOUS)


def _head(body: Any) -> bytes:
    return f"{FORMAT} {hashlib.blake2b(body, digest_size=32).hexdigest()}\n".encode()


def _keep_names(folder: Path) -> None:
    """Have the new names on the disk, where a directory can be asked for that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def load(path: Path) -> Content:
    """The checkpoint, or the one before if the last is damaged or missing."""
    older = previous(path)
    if not path.is_file() and not older.is_file():
        raise CheckpointError(f"{path}: no checkpoint there")
    try:
        return read(path)
    except CheckpointError as error:
        if not older.is_file():
            raise
        try:
            found = read(older)
        except CheckpointError as other:
            raise CheckpointError(f"{error}; and the one before: {other}") from None
        print(f"ka train: {error}; going on from the checkpoint before", file=sys.stderr)
        return found


def read(path: Path) -> Content:
    """One file, whole or not at all."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from None
    head, _, body = content.partition(b"\n")
    if not head.startswith(FORMAT.encode() + b" "):
        found = head[:40].split(b" ")[0].decode("ascii", "replace")
        raise CheckpointError(f"{path} is no checkpoint of this version: it begins with {found!r}, expected {FORMAT!r}")
    if head + b"\n" != _head(body):
        raise CheckpointError(f"{path} is damaged: its content has another hash than it says")
    try:
        found = torch.load(io.BytesIO(body), weights_only=True)
        arrays = {str(name): tensor.numpy() for name, tensor in found["arrays"].items()}
        facts, optimizer = json.loads(found["facts"]), found["optimizer"]
    except Exception as error:  # torch raises many kinds; whoever made this file has made the hash, too
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise CheckpointError(f"{path} is no checkpoint: {reason[:200]}") from None
    if not (isinstance(facts, dict) and isinstance(optimizer, dict)):
        raise CheckpointError(f"{path} is no checkpoint: its facts are of the wrong kind")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise CheckpointError(f"{path}: {name} holds something that is no number")
    return facts, arrays, optimizer


def _plain(array: np.ndarray) -> np.ndarray:
    """Records and unsigned numbers as bytes or signed numbers, which torch knows."""
    array = np.ascontiguousarray(array)
    if array.dtype.names:
        return array.view(np.uint8).reshape(len(array), -1)
    return array.view({"u2": np.int16, "u4": np.int32, "u8": np.int64}.get(array.dtype.str[1:], array.dtype))
