"""The offers of a selected unit: the session says what is allowed, the report how likely it is.

Nothing is decided here: the report lists the candidates, and the game in play judges them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.app.engine.app_words import _, ruler
from companion.games.api.rules import GameRules
from companion.games.api.rules import TableReport as Answers
from companion.session.game_lookup import Plain, Refusal
from companion.session.session import Session
from companion.text import verdicts as summary
from companion.text.translation import tell
from models import CompanionError


@dataclass(frozen=True, slots=True)
class Offer:
    """An action a unit could take: its label, whether it is allowed, why not, and its commands.

    `dice` is how many dice the action itself rolls; `sure` is False where the measurement cannot
    tell.
    """

    kind: str
    title: str
    detail: str = ""
    expected: str = ""
    legal: bool = True
    sure: bool = True
    why: str = ""
    say: str = ""
    commands: tuple[Plain, ...] = ()
    dice: int = 0
    target: str = ""
    unit: str = ""


def probe(session: Session, commands: Sequence[Plain]) -> Refusal | None:
    """The refusal the game would give to these commands in order, or None; nothing is logged."""
    here = session.history.now
    if here.play is None:
        return Refusal("SET-UP", _("no game is set up yet"))
    state = here.state
    for command in commands:
        try:
            decision = here.play.decide(state, command)
        except CompanionError as error:
            return Refusal("INPUT", str(error))
        if isinstance(decision, Refusal):
            return decision
        for event in decision.events:
            state = here.play.apply(state, event)
    return None


def offers(
    session: Session,
    game: GameRules,
    report: Answers,
    answers: Mapping[str, Any],
    view: Mapping[str, Any],
    unit: str,
) -> tuple[Offer, ...]:
    """All offers of a unit, the allowed ones first, grouped by kind."""
    if unit not in answers or unit not in view.get("units", {}):
        return ()
    acting = (view.get("acting") or {}).get("unit") == unit
    start: tuple[Plain, ...] = () if acting else ({"do": "activate", "unit": unit},)
    own = answers[unit]
    found = [
        *attacks(session, game, report, own, unit, start),
        *fights(session, game, own, unit, start),
        *breaks(session, game, own, unit, start),
        *moves(session, game, own, unit, start),
    ]
    return tuple(sorted(found, key=lambda offer: not offer.legal))


def attacks(
    session: Session,
    game: GameRules,
    report: Answers,
    own: Mapping[str, Any],
    unit: str,
    start: tuple[Plain, ...],
) -> Iterator[Offer]:
    """Offers to charge and to shoot."""
    charge, shot = "charges", "shots"
    for target, answer in own["charges"].items():
        commands = (*start, {"do": "action", "action": "charge", "target": target})
        detail = ""
        if answer["needs"] is not None:
            detail = _("needs {roll}+ · {chance}").format(
                roll=answer["needs"], chance=summary.percent(answer["chance"])
            )
            detail += f" · {_(answer['zone'])}" if answer.get("zone") else ""
        yield from answered(
            session,
            game,
            Offer(
                "charge",
                _("Charge {unit}", unit=target),
                detail,
                expected(game, report, charge, unit, target, answer),
                commands=commands,
                target=target,
                unit=unit,
            ),
            answer,
            dice=True,
        )
    for target, answer in own["shots"].items():
        if not answer.get("attack") and answer["answer"] == "no":
            continue
        command: Plain = {"do": "action", "action": "attack", "target": target, "ranged": True}
        detail = " · ".join(part for part in (answer.get("attack"), _(answer["zone"])) if part)
        yield from answered(
            session,
            game,
            Offer(
                "shot",
                _("Shoot at {unit}", unit=target),
                detail,
                expected(game, report, shot, unit, target, answer),
                commands=(*start, command),
                target=target,
                unit=unit,
            ),
            answer,
        )


def expected(
    game: GameRules,
    report: Answers,
    action: str,
    unit: str,
    target: str,
    answer: Mapping[str, Any],
) -> str:
    """The expected result of an allowed attack, as text."""
    if answer["answer"] == "no":
        return ""
    attack_odds = getattr(game, "attack_odds", None)
    return summary.wounds(attack_odds(report, action, unit, target)) if attack_odds else ""


def fights(
    session: Session,
    game: GameRules,
    own: Mapping[str, Any],
    unit: str,
    start: tuple[Plain, ...],
) -> Iterator[Offer]:
    """Offers to attack enemies in contact."""
    for target in own["engaged"]:
        command: Plain = {"do": "action", "action": "attack", "target": target, "ranged": False}
        offer = Offer(
            "melee",
            _("Attack {unit}", unit=target),
            _("in contact"),
            commands=(*start, command),
            target=target,
            unit=unit,
        )
        yield from answered(session, game, offer, {"answer": "yes", "why": []})


def breaks(
    session: Session,
    game: GameRules,
    own: Mapping[str, Any],
    unit: str,
    start: tuple[Plain, ...],
) -> Iterator[Offer]:
    """Offers to attack terrain that can be destroyed."""
    for piece, answer in own.get("ground", {}).get("breaks", {}).items():
        command: Plain = {"do": "action", "action": "attack", "piece": piece}
        offer = Offer(
            "break",
            _("Destroy {piece}", piece=piece),
            _("no dice are rolled"),
            commands=(*start, command),
            unit=unit,
        )
        yield from answered(session, game, offer, answer)


def moves(
    session: Session, game: GameRules, own: Mapping[str, Any], unit: str, start: tuple[Plain, ...]
) -> Iterator[Offer]:
    """Offers to move, and to forgo the action."""
    for name, answer in own["moves"].items():
        command: Plain = {"do": "action", "action": name}
        offer = Offer("move", _(name.capitalize()), commands=(*start, command), unit=unit)
        yield from answered(session, game, offer, answer, dice=name == "retreat")
    forgo: Plain = {"do": "action", "action": "forgo"}
    nothing = Offer("forgo", _("Forgo the action"), commands=(*start, forgo), unit=unit)
    yield from answered(session, game, nothing, {"answer": "yes", "why": []})


def answered(
    session: Session, game: GameRules, offer: Offer, answer: Mapping[str, Any], dice: bool = False
) -> Iterator[Offer]:
    """The offer; if the game asks for something the table cannot show, one offer per answer."""
    found = judged(session, game, offer, answer, dice)
    refusal = None if found.legal or answer["answer"] == "no" else probe(session, offer.commands)
    options = [] if refusal is None else answers_to(session, offer, refusal.asks)
    choices = [judged(session, game, one, answer, dice) for one in options]
    legal = [one for one in choices if one.legal]
    yield from legal or [found]


def answers_to(session: Session, offer: Offer, field: str) -> list[Offer]:
    """Copies of the offer, one for each value of the field the game asks for."""
    from dataclasses import replace

    here = session.history.now
    *before, last = offer.commands
    if not field or here.play is None:
        return []
    listed = {one.name: one for one in here.play.help(here.game)}.get(str(last["do"]))
    asked = next((one for one in listed.fields if one.name == field), None) if listed else None
    if asked is None:
        return []
    label = _(field.replace("_", " ").capitalize())
    words: dict[Any, str] = {True: _("yes"), False: _("no")}
    values: Sequence[Any] = asked.options or (True, False)
    return [
        replace(
            offer,
            detail=" · ".join(
                part for part in (offer.detail, f"{label}: {words.get(value) or _(value)}") if part
            ),
            commands=(*before, {**last, field: value}),
        )
        for value in values
    ]


def judged(
    session: Session, game: GameRules, offer: Offer, answer: Mapping[str, Any], dice: bool = False
) -> Offer:
    """The offer with the verdicts of the measurement and of the game in play."""
    from dataclasses import replace

    if answer["answer"] == "no":
        rules = "; ".join(summary.reasoned(rule, game.reason) for rule in answer["why"])
        return replace(offer, legal=False, why=rules, say=because(answer, game.reason))
    refusal = probe(session, offer.commands)
    if refusal is not None:
        return replace(offer, legal=False, why=refusal.why, say=tell(refusal.say))
    doubt = summary.doubt(answer)
    told = " · ".join(part for part in (offer.detail, doubt) if part)
    rolled = dice_wanted(session, offer) if dice else 0
    return replace(offer, sure=not doubt, detail=told, dice=rolled)


def because(answer: Mapping[str, Any], reason: summary.Reason) -> str:
    """A short reason for the refusal: by how much a limit is missed, else what the rule says.

    If several rules forbid the action, more reach alone would not help, so the first rule is named.
    """
    margin = answer.get("margin")
    if margin is not None and margin < 0 and len(answer["why"]) == 1:
        return _("{length} too far", length=ruler().length(-margin))
    words = next((said for said in map(reason, answer["why"]) if said), "")
    return _(words) if words else _("the rules do not allow it here")


def dice_wanted(session: Session, offer: Offer) -> int:
    """How many dice the action rolls: the first number that the game does not refuse."""
    *before, last = offer.commands
    for count in (1, 2, 3):
        if probe(session, [*before, {**last, "faces": [3] * count}]) is None:
            return count
    return 0
