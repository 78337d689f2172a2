"""Games played before are decided as they were, and everybody sees the same after each step."""

from __future__ import annotations

import pytest

from tests.play.recorded import begun, changes, decided, load, names, shown, words


@pytest.mark.rule(
    "TMG-RND-1",
    "TMG-RND-6",
    "TMG-RND-13",
    "TMG-RND-24",
    "TMG-TIM-6",
    "TMG-UNT-11",
    "TMG-WND-2",
    "TMG-ATK-1",
    "TMG-PAN-2",
    "TMG-NCU-3",
    "TMG-VIC-1",
)
@pytest.mark.parametrize("name", names())
def test_every_command_is_decided_as_it_was(name: str) -> None:
    state = begun(name)
    expected: dict[str, object] = {}
    steps = load(name)
    known = {word for _, _, changed in steps for word in words(changed)}
    for at, (command, outcome, changed) in enumerate(steps):
        was = outcome, {**expected, **changed}
        now, state = decided(state, command)
        expected = {path: value for path, value in was[1].items() if value is not None}
        seen = {path: value for path, value in shown(state).items() if value is not None}
        seen = {path: value for path, value in seen.items() if words({path: value}) <= known}
        assert (now, changes(expected, seen)) == (outcome, {}), f"step {at}: {command}"
