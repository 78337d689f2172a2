"""The net that finds dice and reads their upper faces, run by OpenCV: one call for a look, in which
the app's other threads go on. Trained on rendered dice alone (`training/`).

>>> net = DiceNet.load(6)
>>> net.cells(np.zeros((64, 96, 3), np.uint8)).shape
(8, 16, 24)
>>> net.each_cells(np.zeros((5, 64, 64, 3), np.uint8)).shape
(8, 5, 16, 16)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.net_weights import Floats, onnx_net, read_weights

STRIDE = 4
"""Pixels of a picture to a cell of the answer."""


@dataclass(frozen=True)
class StoredNet:
    """A net with its weights from the package; any thread may ask it."""

    _net: Any
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def read(cls, name: str, onnx: Callable[[Mapping[str, Floats]], bytes]) -> Self:
        """The net with the weights of this name."""
        path = files("companion.vision.dice") / "data" / f"{name}.npz"
        with path.open("rb") as file, np.load(file) as stored:
            raw = onnx(read_weights(stored))
        return cls(cv2.dnn.readNetFromONNX(np.frombuffer(raw, np.uint8)))

    def answer(self, blob: Any) -> NDArray[Any]:
        """What it says of pictures: picture, channel, row, column."""
        with self._lock:
            self._net.setInput(blob)
            return np.asarray(self._net.forward())


class DiceNet(StoredNet):
    """See `training/dice_training.py` for its making."""

    @staticmethod
    @cache
    def load(sides: int) -> DiceNet:
        """The net for dice of so many sides."""
        return DiceNet.read(f"dice-d{sides}", onnx_net)

    def cells(self, picture: NDArray[np.uint8]) -> Floats:
        """Per cell: how likely a die's upper face has its middle here, then logits of its faces;
        the last means that no face is clearly up."""
        return self.each_cells(picture[None])[:, 0]

    def each_cells(self, pictures: NDArray[np.uint8]) -> Floats:
        """The cells of pictures of one size: channel, picture, row, column."""
        several = [np.ascontiguousarray(one) for one in pictures]
        blob = cv2.dnn.blobFromImages(several, 1 / 255, mean=(127.5,) * 3, swapRB=True)
        cells = np.array(self.answer(blob).transpose(1, 0, 2, 3), np.float32)
        cells[0] = 1 / (1 + np.exp(-cells[0]))
        return cells
