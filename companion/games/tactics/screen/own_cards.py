"""Figure cards and scenarios that the players enter: forms, files, and their exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.card_form import (
    CardForm,
    FormCard,
    FormProblem,
    ImportedCards,
    imported_cards,
    missing_values,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import (
    remove_broken,
    remove_own,
    replaced_problem,
    save_own,
)
from companion.games.tactics.cards import board_plans, card_forms
from companion.games.tactics.cards import figure_card as catalogue
from companion.games.tactics.cards.card_faults import card_faults
from companion.games.tactics.cards.map_tile import OWN_FOLDER as OWN_BOARDS
from companion.games.tactics.cards.map_tile import TILE_FORMAT
from companion.games.tactics.cards.scenario import (
    SCENARIO_FORMAT,
    broken_boards,
    every_scenario,
    shipped_scenarios,
)
from companion.games.tactics.cards.squad import VALUE_WORDS
from models.atomic_write import document
from models.field import parse_toml
from models.message import CompanionError, UnknownName, say

FIGURE, SCENARIO = "figure", "scenario"
KIND_WORDS = {"hero": say("hero"), "veteran": say("veteran"), "soldier": say("soldier")}


def forms() -> Sequence[CardForm]:
    return card_forms.figure_form(), card_forms.scenario_form()


def form_cards(kind: str) -> list[FormCard]:
    """Every figure card or scenario: the players' own first, then by faction."""
    if kind == SCENARIO:
        shipped = shipped_scenarios()
        known = [
            FormCard(one.id, one.name, own=shipped.get(one.id) != one)
            for one in every_scenario().values()
        ]
        return [*broken_files(kind), *known]
    own, every = catalogue.own_cards(), catalogue.every_card()
    cards = [
        FormCard(
            card.id,
            card.name,
            card.faction,
            detail(card, every),
            card.id in own,
            tuple(VALUE_WORDS[value] for value in card.unknown),
        )
        for card in every.values()
    ]
    return [*broken_files(kind), *sorted(cards, key=lambda one: (not one.own, one.group, one.name))]


def detail(card: catalogue.FigureCard, cards: Mapping[str, catalogue.FigureCard]) -> str:
    """What is wrong with a card, else its price."""
    faults = [fault.text for fault in card_faults(card, cards)]
    return faults[0] if faults else card.cost.say() if card.cost else ""


def broken_of(kind: str) -> Mapping[str, CompanionError]:
    """The files of a kind that cannot be read."""
    return broken_boards() if kind == SCENARIO else catalogue.broken_cards()


def broken_files(kind: str) -> list[FormCard]:
    """What is wrong with files that cannot be read; they can be entered anew or deleted."""
    return [
        FormCard(stem, f"{stem}.toml", "", str(error), True)
        for stem, error in broken_of(kind).items()
    ]


def form_values(kind: str, card: str) -> Plain:
    """The values of a card or scenario."""
    if card in broken_of(kind):
        return {"id": card.removeprefix(f"{kind}-")}
    if kind == SCENARIO:
        return card_forms.scenario_values(board_plans.known_scenario(card))
    found = catalogue.every_card().get(card)
    if found is None:
        raise UnknownName(say("no figure {name!r}", name=card))
    return card_forms.card_values(found)


def form_problems(kind: str, values: Plain) -> list[FormProblem]:
    form = next(one for one in forms() if one.kind == kind)
    if missing := list(missing_values(form, values)):
        return missing
    ask = card_forms.scenario_problems if kind == SCENARIO else card_forms.form_problems
    found = sorted(ask(values), key=lambda one: not one.stops)
    name = values.get("name")
    if not values.get("id") and isinstance(name, str):
        new = card_forms.new_scenario_id if kind == SCENARIO else card_forms.new_figure_id
        identity = new(name)
        taken = any(card.own and card.id == identity for card in form_cards(kind))
        found += [replaced_problem(name)] if taken else []
    return found


def save_form(kind: str, values: Plain) -> str:
    """Keep a card or scenario; what stops it is refused."""
    stopping = [one for one in form_problems(kind, values) if one.stops]
    if stopping:
        place = f"{stopping[0].field}: " if stopping[0].field else ""
        raise CompanionError(f"{place}{stopping[0].text}")
    if kind == SCENARIO:
        scenario = card_forms.scenario_of_values(values)
        board_plans.keep_scenario(scenario)
        return scenario.id
    card = card_forms.card_of_values(values)
    keep_card(card.to_json())
    return card.id


def keep_card(plain: Plain) -> None:
    """Write a card into a file of its own."""
    text = document(catalogue.FORMAT, "figure", [plain])
    catalogue.read_cards(parse_toml(text, str(plain["name"])))
    save_own(catalogue.OWN_FOLDER, FIGURE, str(plain["id"]), text)


def remove_form(kind: str, card: str) -> bool:
    if card in broken_of(kind):
        folder = OWN_BOARDS if kind == SCENARIO else catalogue.OWN_FOLDER
        remove_broken(folder, card)
        return True
    if kind == SCENARIO:
        return board_plans.remove_plan(f"{board_plans.SCENARIO}{card}")
    return remove_own(catalogue.OWN_FOLDER, FIGURE, card)


def export_forms(kind: str, cards: Sequence[str]) -> str:
    """Cards or scenarios as the text of one file."""
    if kind == SCENARIO:
        wanted = [board_plans.known_scenario(card).to_json() for card in cards]
        return document(SCENARIO_FORMAT, "scenario", wanted)
    known = catalogue.every_card()
    for card in cards:
        if card not in known:
            raise UnknownName(say("no figure {name!r}", name=card))
    return document(catalogue.FORMAT, "figure", [known[card].to_json() for card in cards])


def import_forms(text: str, source: str) -> ImportedCards:
    """Keep the cards, tiles or scenarios of a file; nothing is kept if one of them is wrong."""
    root = parse_toml(text, source)
    if root.raw.get("format") in (TILE_FORMAT, SCENARIO_FORMAT):
        return board_plans.import_plan(text, source)
    cards = catalogue.read_cards(root)
    before = catalogue.every_card()
    for card in cards.values():
        keep_card(card.to_json())
    return imported_cards(cards, before)
