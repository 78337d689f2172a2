"""Choices that answer the game's prompt without a form; each was tried on the game first.

Nothing is decided here: candidates come from the command's own fields, and the game judges them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any

from companion.app.engine.offers import probe
from companion.session.game_lookup import Plain
from companion.session.session import Session

OWN_WAYS = ("roll", "panic", "activate", "action", "play", "reroll", "modify", "attack-result")
"""Commands that have screens of their own."""
MOST = 300
"""The limit on candidates that are tried."""

Listed = Mapping[str, Any]


def guide(
    session: Session, view: Mapping[str, Any], commands: Mapping[str, Listed]
) -> dict[str, tuple[Plain, ...]]:
    """For each command of the first prompt: the complete commands that the game would accept."""
    waiting = next(iter(view.get("pending") or ()), None)
    verbs = waiting["commands"] if waiting is not None else ()
    return {
        verb: completions(session, view, commands[verb])
        for verb in verbs
        if verb in commands and verb not in OWN_WAYS
    }


def completions(session: Session, view: Mapping[str, Any], listed: Listed) -> tuple[Plain, ...]:
    """The shortest complete commands the game accepts: with no optional field, one, or two."""
    for tried in islice(candidates(view, listed), 3):
        taken = [one for one in islice(tried, MOST) if probe(session, [one]) is None]
        if taken:
            return (*taken, *without(session, listed))
    return ()


def without(session: Session, listed: Listed) -> Iterator[Plain]:
    """Commands that only set a flag, such as to skip or to decline."""
    bare = probe(session, [{"do": listed["do"]}]) is None
    for field in listed["fields"]:
        if field["kind"] == "flag" and not field["required"] and not bare:
            command = {"do": listed["do"], field["name"]: True}
            if probe(session, [command]) is None:
                yield command


def candidates(view: Mapping[str, Any], listed: Listed) -> Iterator[Iterator[Plain]]:
    """Commands with the required fields only, then with one optional field, then with two."""
    fields = listed["fields"]
    needed = [one for one in fields if one["required"]]
    extra = [one for one in fields if not one["required"] and values(one, view)]
    for count in range(3):
        yield (
            {"do": listed["do"], **dict(zip(names, chosen, strict=True))}
            for more in combinations(extra, count)
            for names in ([one["name"] for one in (*needed, *more)],)
            for chosen in product(*(values(one, view) for one in (*needed, *more)))
        )


def values(field: Listed, view: Mapping[str, Any]) -> Sequence[Any]:
    """Possible values of a field, from the state; empty if players have to type it."""
    kind = field["kind"]
    if field.get("options"):
        return list(field["options"])
    if kind == "unit":
        units = view.get("units", {})
        return [name for name, unit in units.items() if unit.get("models") or not unit["activated"]]
    if kind == "side":
        return list(view.get("vp", ()))
    if kind == "player":
        return list(view.get("players", ()))
    if kind == "token":
        return list(view.get("objectives", ()))
    if kind == "flag" and field["required"]:
        return [True, False]
    return ()


def with_d3(session: Session, view: Mapping[str, Any]) -> bool:
    """Whether the game takes a D3 with the dice of the test that waits first."""
    waiting = next(iter(view.get("pending") or ()), None)
    if waiting is None or "panic" not in waiting["commands"]:
        return False
    test = (waiting.get("data") or {}).get("test")
    return probe(session, [{"do": "panic", "test": test, "faces": [1, 1], "d3": 1}]) is None


def may_play(session: Session) -> tuple[str, ...]:
    """The players with a card in hand that the game would let them play now."""
    here = session.history.now
    if here.play is None:
        return ()
    found = []
    for name, player in session.state().get("players", {}).items():
        own = session.state(player["side"]).get("players", {}).get(name, {})
        for card in own.get("hand_cards", ()):
            if probe(session, [{"do": "play", "player": name, "card": card}]) is None:
                found.append(name)
                break
    return tuple(found)
