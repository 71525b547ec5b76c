"""Run programs in real torch and write down what each saves for a backward: ``python tests/record/record_memory.py``.

The programs stay as they are in ``tests/data/torch/memory.json``. Of each the saved tensors are replaced: shape, dtype,
bytes and version, which of them lie in one storage, and which are still kept when the program is over. Errors end
nothing: the next line runs.
"""

from __future__ import annotations

import contextlib
import json
import weakref
from pathlib import Path
from typing import Any

import torch

PATH = Path(__file__).parents[1] / "data" / "torch" / "memory.json"


class Handle:
    """What a node keeps in the place of a tensor; it goes when the node lets go."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor.detach()  # a result must not keep its own node alive


def saved(lines: list[str]) -> list[dict[str, Any]]:
    """What the lines save, in order."""
    found: list[dict[str, Any]] = []
    handles: list[weakref.ref[Handle]] = []
    storages: dict[int, int] = {}
    memory: list[torch.UntypedStorage] = []  # so that no address is given twice

    def pack(tensor: torch.Tensor) -> Handle:
        storage = tensor.untyped_storage()
        memory.append(storage)
        handle = Handle(tensor)
        handles.append(weakref.ref(handle))
        found.append(
            {
                "shape": list(tensor.shape),
                "dtype": str(tensor.dtype).removeprefix("torch."),
                "bytes": tensor.nbytes,
                "version": tensor._version,
                "storage": storages.setdefault(storage.data_ptr(), len(storages)),
            }
        )
        return handle

    names: dict[str, Any] = {"torch": torch}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda handle: handle.tensor):
        for line in lines:
            with contextlib.suppress(RuntimeError):
                exec(line, names)
    for entry, handle in zip(found, handles, strict=True):
        entry["kept"] = handle() is not None
    return found


def main() -> None:
    """Record every program again."""
    recorded = json.loads(PATH.read_text(encoding="utf-8"))
    recorded["torch"] = torch.__version__
    for program in recorded["programs"]:
        program["saved"] = saved(program["lines"])
    PATH.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
