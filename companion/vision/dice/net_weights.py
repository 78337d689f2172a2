"""The weights of the dice net: read from eight bits, and put together as a net that OpenCV runs.

>>> sorted(read_weights({"a": np.array([[2, -4]], np.int8), "a.steps": np.array([0.5])})["a"][0])
[np.float32(-2.0), np.float32(1.0)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

DILATIONS = (1, 2, 1, 3, 1, 2)
STEPS = ".steps"
"""Behind the name of weights: what one step of their eight bits is worth."""
LEVEL_PX = {6: 64, 8: 80, 10: 80}
"""Pixels of the square in which the second net sees a die from right above, by its sides,"""
LEVEL_EDGES, LEVEL_SHIFT = 2.5, 0.3
"""how many edges it is wide, and by how many its middle is nearer to the camera than the upper
face: there the sides of the die are seen."""
STEEPEST = 2.0
"""How far aside a camera may look for each step down; the second net knows no more."""
FLOAT, INTEGERS = 1, 7
"""Kinds of numbers, as ONNX counts them."""
IR_VERSION, OPERATORS = 8, 13
"""The versions of ONNX and of its operators in which the net is written."""


def read_weights(stored: Mapping[str, NDArray[Any]]) -> dict[str, Floats]:
    """Weights by name: kept in eight bits, in steps of their own for each output."""
    found = {name: np.asarray(stored[name], np.float32) for name in stored}
    steps = {name: found.pop(name) for name in list(found) if name.endswith(STEPS)}
    for name, step in steps.items():
        whole = name.removesuffix(STEPS)
        found[whole] = found[whole] * step.reshape(-1, *[1] * (found[whole].ndim - 1))
    return found


def onnx_net(weights: Mapping[str, Floats]) -> bytes:
    """The net as a file that `cv2.dnn` reads: any number of pictures of any size in, the values of
    their cells out."""
    graph = _Graph(weights)
    x = graph.convolved("pictures", "stem1", step=2)
    x = graph.convolved(graph.convolved(x, "stem2"), "stem3", step=2)
    for index, dilation in enumerate(DILATIONS):
        inner = graph.convolved(x, f"block{index}a", dilation=dilation)
        further = graph.convolved(inner, f"block{index}b", positive=False)
        x = graph.positive(graph.made("Add", (x, further), f"sum{index}"))
    graph.convolved(x, "head", positive=False)
    return graph.written(3)


def onnx_level_net(weights: Mapping[str, Floats]) -> bytes:
    """The second net: any number of dice seen from right above in, the values of their faces out,
    the last for a die that leans."""
    graph = _Graph(weights)
    x = graph.convolved(graph.convolved("pictures", "c1", step=2), "c2")
    x = graph.convolved(x, "c3", step=2)
    further = graph.convolved(graph.convolved(x, "ba"), "bb", positive=False)
    x = graph.positive(graph.made("Add", (x, further), "sum"))
    x = graph.convolved(graph.convolved(x, "c4", step=2), "c5")
    graph.convolved(graph.convolved(x, "c6"), "head", positive=False, whole=True)
    return graph.written(4)


class _Graph:
    """Nodes one after the other, each named after what it gives."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self.weights, self.nodes = weights, list[bytes]()
        self.tensors = [_field(5, _tensor(name, values)) for name, values in weights.items()]

    def convolved(
        self,
        x: str,
        name: str,
        *,
        step: int = 1,
        dilation: int = 1,
        positive: bool = True,
        whole: bool = False,
    ) -> str:
        """A convolution that keeps the size, but for its step; one over the `whole` leaves a
        single cell."""
        wide = self.weights[f"{name}.weight"].shape[-1]
        around = 0 if whole else dilation * (wide // 2)
        sizes = {"kernel_shape": [wide] * 2, "strides": [step] * 2, "dilations": [dilation] * 2}
        made = self.made(
            "Conv", (x, f"{name}.weight", f"{name}.bias"), name, sizes | {"pads": [around] * 4}
        )
        return self.positive(made) if positive else made

    def positive(self, x: str) -> str:
        """What is above zero."""
        return self.made("Relu", (x,), f"{x}.positive")

    def made(
        self,
        kind: str,
        inputs: Sequence[str],
        name: str,
        numbers: Mapping[str, Sequence[int]] | None = None,
    ) -> str:
        """One more node."""
        node = b"".join(_field(1, one) for one in inputs) + _field(2, name) + _field(4, kind)
        for what, values in (numbers or {}).items():
            told = b"".join(_field(8, value) for value in values)
            node += _field(5, _field(1, what) + told + _field(20, INTEGERS))
        self.nodes.append(_field(1, node))
        return name

    def written(self, channels: int) -> bytes:
        """The file: pictures of so many channels in, the head out."""
        outs = len(self.weights["head.bias"])
        ends = _ends(11, "pictures", ("n", channels, "h", "w"))
        ends += _ends(12, "head", ("n", outs, "a", "b"))
        whole = b"".join(self.nodes) + _field(2, "dice") + b"".join(self.tensors) + ends
        version = _field(1, "") + _field(2, OPERATORS)
        return _field(1, IR_VERSION) + _field(7, whole) + _field(8, version)


def _tensor(name: str, values: Floats) -> bytes:
    sides = b"".join(_field(1, side) for side in values.shape)
    raw = np.ascontiguousarray(values, np.float32).tobytes()
    return sides + _field(2, FLOAT) + _field(8, name) + _field(9, raw)


def _ends(place: int, name: str, sides: Sequence[int | str]) -> bytes:
    """What goes in or out: a side with a name has any length."""
    shape = b"".join(_field(1, _field(1 if isinstance(side, int) else 2, side)) for side in sides)
    kind = _field(1, _field(1, FLOAT) + _field(2, shape))
    return _field(place, _field(1, name) + _field(2, kind))


def _field(place: int, value: int | str | bytes) -> bytes:
    """One field of a protocol buffer."""
    if isinstance(value, int):
        return _number(place << 3) + _number(value)
    raw = value.encode() if isinstance(value, str) else value
    return _number(place << 3 | 2) + _number(len(raw)) + raw


def _number(value: int) -> bytes:
    """A whole number, seven bits to the byte."""
    low = bytearray()
    while value > 127:
        low.append(value & 127 | 128)
        value >>= 7
    return bytes([*low, value])
