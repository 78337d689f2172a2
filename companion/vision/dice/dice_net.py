"""The net that finds dice and reads their upper faces, run by NumPy: convolutions are products of
matrices, so no further library is needed. Trained on rendered dice alone (`training/`).

>>> net = DiceNet.load(6)
>>> net.cells(np.zeros((64, 96, 3), np.uint8)).shape
(8, 16, 24)
>>> net.each_cells(np.zeros((5, 64, 64, 3), np.uint8)).shape
(8, 5, 16, 16)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]

STRIDE = 4
"""Pixels of a picture to a cell of the answer."""

DILATIONS = (1, 2, 1, 3, 1, 2)
STEPS = ".steps"
"""Behind the name of weights: what one step of their eight bits is worth."""


def _positive(x: Floats) -> Floats:
    return np.asarray(np.maximum(x, 0), np.float32)


def read_weights(stored: Mapping[str, NDArray[Any]]) -> dict[str, Floats]:
    """Weights by name: kept in eight bits, in steps of their own for each output."""
    found = {name: np.asarray(stored[name], np.float32) for name in stored}
    steps = {name: found.pop(name) for name in list(found) if name.endswith(STEPS)}
    for name, step in steps.items():
        whole = name.removesuffix(STEPS)
        found[whole] = found[whole] * step.reshape(-1, *[1] * (found[whole].ndim - 1))
    return found


@dataclass(frozen=True)
class DiceNet:
    """Weights by name; see `training/dice_training.py` for their making."""

    weights: dict[str, Floats]

    @staticmethod
    @cache
    def load(sides: int) -> DiceNet:
        """The net for dice of so many sides."""
        path = files("companion.vision.dice") / "data" / f"dice-d{sides}.npz"
        with path.open("rb") as file, np.load(file) as stored:
            return DiceNet(read_weights(stored))

    def cells(self, picture: NDArray[np.uint8]) -> Floats:
        """Per cell: how likely a die's upper face has its middle here, then logits of its faces;
        the last means that no face is clearly up."""
        return np.asarray(self.each_cells(picture[None])[:, 0], np.float32)

    def each_cells(self, pictures: NDArray[np.uint8]) -> Floats:
        """The cells of pictures of one size: channel, picture, row, column."""
        channels = np.ascontiguousarray(pictures[..., ::-1].transpose(3, 0, 1, 2), np.float32)
        x: Floats = np.asarray(channels / 255 - 0.5, np.float32)
        x = _positive(self._convolved(x, "stem1", step=2))
        x = _positive(self._convolved(x, "stem2"))
        x = _positive(self._convolved(x, "stem3", step=2))
        for index, dilation in enumerate(DILATIONS):
            inner = _positive(self._convolved(x, f"block{index}a", dilation=dilation))
            x = _positive(np.add(x, self._convolved(inner, f"block{index}b")))
        weight, bias = self.weights["head.weight"][:, :, 0, 0], self.weights["head.bias"]
        out = np.asarray(np.tensordot(weight, x, 1) + bias[:, None, None, None], np.float32)
        out[0] = 1 / (1 + np.exp(-out[0]))
        return out

    def _convolved(self, x: Floats, name: str, *, step: int = 1, dilation: int = 1) -> Floats:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        around = (dilation, dilation)
        padded = np.pad(x, ((0, 0), (0, 0), around, around))
        wide = 2 * dilation + 1
        seen = sliding_window_view(padded, (wide, wide), (2, 3))
        seen = seen[:, :, ::step, ::step, ::dilation, ::dilation].transpose(0, 4, 5, 1, 2, 3)
        # One product for a layer: each call lets the app's other threads in, and waits for them.
        flat = weight.reshape(len(weight), -1) @ seen.reshape(-1, seen[0, 0, 0].size)
        return np.add(flat, bias[:, None]).reshape(-1, *seen.shape[3:])
