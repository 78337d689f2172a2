"""Cards and battle plans that the players enter: forms, files, and their exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion.games.api.card_form import (
    CardForm,
    FormCard,
    FormProblem,
    ImportedCards,
    missing_values,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import (
    new_id,
    remove_broken,
    remove_own,
    replaced_problem,
    save_own,
)
from companion.games.westeros.cards import battle_form, card_forms, skirmish_form
from companion.games.westeros.cards.battle_form import BATTLE
from companion.games.westeros.cards.battle_plan import BattlePlan, plan_faults, refuse_faults
from companion.games.westeros.cards.card_forms import COMMAND, COMMANDER, UNIT
from companion.games.westeros.cards.catalogue import (
    FORMAT,
    OWN_FOLDER,
    CardCollection,
    broken_cards,
    every_card,
    own_boxes,
    read_cards,
)
from companion.games.westeros.cards.skirmish import SkirmishRules
from companion.games.westeros.cards.skirmish_form import SKIRMISH
from companion.games.westeros.cards.unit_cards import RANK_WORDS
from companion.games.westeros.play.setup import read_skirmish
from models.atomic_write import document
from models.field import Field, parse_toml
from models.message import BadInput, CompanionError, Name, UnknownName, say


def skirmish_of_values(values: Plain) -> SkirmishRules:
    return read_skirmish(Field(skirmish_form.skirmish_of_values(values)))


OF_VALUES: Mapping[str, Callable[[Plain], Any]] = {
    UNIT: card_forms.unit_of_values,
    COMMANDER: card_forms.commander_of_values,
    COMMAND: card_forms.command_of_values,
    BATTLE: battle_form.battle_of_values,
    SKIRMISH: skirmish_of_values,
}
"""How the values of each form become a card."""
VALUES: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    UNIT: card_forms.unit_values,
    COMMANDER: card_forms.commander_values,
    COMMAND: card_forms.command_values,
    BATTLE: battle_form.battle_values,
    SKIRMISH: skirmish_form.skirmish_values,
}


def forms() -> Sequence[CardForm]:
    return (
        card_forms.unit_form(),
        card_forms.commander_form(),
        card_forms.command_form(),
        battle_form.battle_form(),
        skirmish_form.skirmish_form(),
    )


def cards_of(box: CardCollection, kind: str) -> Mapping[str, Any]:
    """The cards of a kind by id; battle plans as they were read."""
    known: dict[str, Mapping[str, Any]] = {
        UNIT: box.units,
        COMMANDER: box.commanders,
        COMMAND: box.commands,
        BATTLE: box.plans,
        SKIRMISH: box.skirmishes,
    }
    return known[kind]


def known_card(kind: str, card: str) -> Any:
    """A card of a kind by its id."""
    box = every_card()
    found = cards_of(box, kind).get(card)
    if found is None:
        raise UnknownName(say("no card {name!r}", name=card))
    if kind == SKIRMISH:
        return read_skirmish(found)
    return BattlePlan.read(found, box) if kind == BATTLE else found


def form_cards(kind: str) -> list[FormCard]:
    """Every card of a kind: files that cannot be read, the players' own, then by house."""
    own = {name for box in own_boxes() for name in cards_of(box, kind)}
    cards = [listed(kind, name, one, name in own) for name, one in cards_of_all(kind)]
    if kind == BATTLE:
        known = {one.id for one in cards}
        cards += [outline for outline in outlined() if outline.id not in known]
    broken = [
        FormCard(stem, f"{stem}.toml", "", str(error), True)
        for stem, error in broken_of(kind).items()
    ]
    return [*broken, *sorted(cards, key=lambda one: (not one.own, one.group, one.name))]


def broken_of(kind: str) -> dict[str, CompanionError]:
    """The files of a kind that cannot be read; those of no kind stand with the units."""
    found = {}
    for stem, error in broken_cards().items():
        start = stem.partition("-")[0]
        if kind == (start if start in OF_VALUES else UNIT):
            found[stem] = error
    return found


def cards_of_all(kind: str) -> Iterator[tuple[str, Any]]:
    return iter(cards_of(every_card(), kind).items())


def plan_fault(plan: Field) -> str:
    """What is wrong with an own battle, or why it cannot be read."""
    try:
        return next((text for _, text in plan_faults(BattlePlan.read(plan, every_card()))), "")
    except CompanionError as error:
        return str(error)


def listed(kind: str, name: str, card: Any, own: bool) -> FormCard:
    """A card in the list, with what nobody has entered yet."""
    if kind in (BATTLE, SKIRMISH):
        detail = plan_fault(card) if own and kind == BATTLE else ""
        return FormCard(name, str(card.raw["name"]), detail=detail, own=own)
    missing: tuple[str, ...] = ()
    title = card.name
    if kind == COMMANDER:
        if card.title:
            title = say("{name} ({title})", name=card.name, title=Name(card.title))
        told = ((card.limit, say("Command limit")), (card.capture, say("Capture value")))
        missing = tuple(text for value, text in told if value is None)
    elif kind == UNIT:
        missing = tuple(RANK_WORDS[rank] for rank in card.missing)
    house = card_forms.HOUSE_WORDS.get(card.house, card.house)
    return FormCard(name, title, house, own=own, missing=missing)


def outlined() -> Iterator[FormCard]:
    """Printed battles of which only some numbers are known."""
    for name, values in battle_form.outlines().items():
        missing = [say("units and terrain")]
        if "rounds" not in values:
            missing.append(say("Rounds"))
        yield FormCard(name, str(values["name"]), say("printed battle"), missing=tuple(missing))


def form_values(kind: str, card: str) -> Plain:
    """The values of a card, or what is known of a printed battle."""
    if card in broken_of(kind):
        return {"id": card.removeprefix(f"{kind}-")}
    if kind == BATTLE and card in battle_form.outlines() and card not in every_card().plans:
        return battle_form.outlines()[card]
    return VALUES[kind](known_card(kind, card))


def identified(kind: str, values: Plain) -> tuple[Plain, bool]:
    """The values with the id of their card, and whether it takes an own card's place."""
    name, title = values.get("name"), values.get("title")
    if values.get("id") or not isinstance(name, str):
        return values, False
    called = f"{name} ({title})" if kind == COMMANDER and title else name
    cards = {card.id: card for card in form_cards(kind)}
    identity = new_id(called, {card.id: card.name for card in cards.values()})
    return {**values, "id": identity}, identity in cards and cards[identity].own


def form_problems(kind: str, values: Plain) -> list[FormProblem]:
    values, replaces = identified(kind, values)
    form = next(one for one in forms() if one.kind == kind)
    if missing := list(missing_values(form, values, battle_form.ASKED if kind == BATTLE else ())):
        return missing
    if kind in (UNIT, COMMANDER):
        found = list(card_forms.form_problems(kind, values))
    elif kind == BATTLE:
        found = list(battle_form.battle_problems(values))
    else:
        found = list(reading_problems(kind, values))
    found += [replaced_problem(values["name"])] if replaces else []
    return sorted(found, key=lambda one: not one.stops)


def reading_problems(kind: str, values: Plain) -> Iterator[FormProblem]:
    """What keeps the values from being a card."""
    try:
        OF_VALUES[kind](values)
    except BadInput as error:
        yield FormProblem(error.problem, error.place)


def save_form(kind: str, values: Plain) -> str:
    """Keep a card; what stops it is refused."""
    stopping = [one for one in form_problems(kind, values) if one.stops]
    if stopping:
        place = f"{stopping[0].field}: " if stopping[0].field else ""
        raise CompanionError(f"{place}{stopping[0].text}")
    plain = OF_VALUES[kind](identified(kind, values)[0]).to_json()
    keep_card(kind, plain)
    return str(plain["id"])


def keep_card(kind: str, plain: Plain) -> None:
    """Write a card into a file of its own."""
    text = document(FORMAT, kind, [plain])
    read_cards(parse_toml(text, str(plain["name"])))
    save_own(OWN_FOLDER, kind, str(plain["id"]), text)


def remove_form(kind: str, card: str) -> bool:
    if card in broken_of(kind):
        remove_broken(OWN_FOLDER, card)
        return True
    return remove_own(OWN_FOLDER, kind, card)


def export_forms(kind: str, cards: Sequence[str]) -> str:
    """Cards as the text of one file."""
    return document(FORMAT, kind, [known_card(kind, card).to_json() for card in cards])


def import_forms(text: str, source: str) -> ImportedCards:
    """Keep the cards of a file; nothing is kept if one of them is wrong."""
    box = read_cards(parse_toml(text, source))
    whole = every_card()
    whole.add(box)
    found = [
        (kind, one) for kind in (UNIT, COMMANDER, COMMAND) for one in cards_of(box, kind).values()
    ]
    for item in box.plans.values():
        plan = BattlePlan.read(item, whole)
        refuse_faults(plan, item)
        found.append((BATTLE, plan))
    for item in box.skirmishes.values():
        read_skirmish(item)
    replaced = replaced_cards(box, every_card())
    for kind, one in found:
        keep_card(kind, one.to_json())
    for item in box.skirmishes.values():
        keep_card(SKIRMISH, item.raw)
    names = [str(one.name) for _, one in found]
    names += [str(item.raw["name"]) for item in box.skirmishes.values()]
    return ImportedCards(tuple(names), tuple(replaced))


def replaced_cards(box: CardCollection, before: CardCollection) -> list[str]:
    """The names of the cards whose places imported ones take."""
    return [
        listed(kind, name, old, own=True).name
        for kind in OF_VALUES
        for name, card in cards_of(box, kind).items()
        if (old := cards_of(before, kind).get(name)) is not None
        if getattr(old, "raw", old) != getattr(card, "raw", card)
    ]
