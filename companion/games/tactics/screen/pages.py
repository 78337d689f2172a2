"""The pages: coins and agendas, both squads, and what the signs on the board mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api.screen_views import (
    Page,
    PageCard,
    Section,
)
from companion.games.shared.places import SIDES_TOLD
from companion.games.tactics.play.state import SkirmishState, battle_position
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.space_effects import LOOT_GAINS
from companion.games.tactics.screen.card_effects import (
    agenda_choices,
    coin_choices,
    motivation_choices,
)
from companion.games.tactics.screen.ground_effects import GROUND_WORDS
from companion.games.tactics.screen.other_offers import ASKING
from companion.games.tactics.screen.views import agenda_words, card_lines, token_section
from models.message import say


def pages(state: SkirmishState, seat: str | None = None) -> Sequence[Page]:
    """Coins and agendas, the figures of both squads, and what the signs on the board mean."""
    return (
        Page(
            "coins",
            say("Coins"),
            "coins",
            (*coin_sections(state, seat), *objective_sections(state)),
        ),
        Page(
            "squads",
            say("Squads"),
            "armies",
            tuple(squad_sections(state)),
        ),
        Page(
            "legend",
            say("Legend"),
            "info",
            (
                Section(say("Signs on the board"), LEGEND),
                Section(say("Spaces of this board"), tuple(space_cards(state))),
                token_section(state),
            ),
        ),
    )


LEGEND = tuple(
    PageCard(f"legend-{number}", title, tuple(lines), icon=icon)
    for number, (icon, title, *lines) in enumerate(
        (
            ("star", say("hero"), say("in a ring: equipment")),
            ("swords", say("engaged"), say("in a ring: somebody’s nemesis")),
            ("check", say("has acted")),
            ("bolt", say("shaken"), say("its next roll: -2 on every die")),
            ("clock", say("frozen"), say("1 action point less")),
            ("lock", say("holds a captive")),
            ("drop", say("the number"), say("wounds it can still suffer")),
            ("maneuver", say("a number on a space"), say("what the move costs")),
            SIDES_TOLD,
        )
    )
)


SPACES = {
    "open-x": (say("leaves: bush"), GROUND_WORDS["open-x"]),
    "blocked-x": (say("bricks: obstacle"), GROUND_WORDS["blocked-x"]),
    "blocked-o": (say("waves: water"), GROUND_WORDS["blocked-o"]),
    "high": (say("dashed brown edge: high ground"), say("+2 on attacks against lower enemies")),
    "objective": (say("gold disc: objective"), say("1 VP for the figure on it, each round")),
    "purse": (say("orange disc: purse"), LOOT_GAINS["purse"]),
    "letter": (say("violet disc: secret letter"), LOOT_GAINS["letter"]),
    "loot": (say("pale disc: loot"), LOOT_GAINS["loot"]),
    "zone-gold": (say("gold ring: gold deployment zone"),),
    "zone-silver": (say("grey ring: silver deployment zone"),),
    "fire": (say("flame: fire"), say("1 wound to who enters")),
    "leaf-pile": (say("green disc: leaf pile"), say("turned over by who enters")),
    "stake-pit": (say("brown stakes: stake pit"), say("1 hit to who enters, 2 to large figures")),
    "river": (say("blue disc: river"), say("see its sheet")),
    "!": (say("disc with !"), say("who enters must interact, as its sheet says")),
    "?": (say("disc with ?"), say("who enters may interact, as its sheet says")),
}
"""What each kind of space looks like, and what it does."""


BORDERS = {
    "wall": (say("black or white line: wall"), say("nobody passes, nobody sees through")),
    "door": (say("brown line: wooden door"), say("opened or closed for 1 action point")),
    "locked-door": (say("brown line with a lock: locked door"), say("broken for 2 action points")),
    "window": (say("blue line: window"), say("nobody passes; sight by your reading")),
}
"""What each kind of border looks like, and what it does."""


def space_cards(state: SkirmishState) -> Iterator[PageCard]:
    """The kinds of spaces that this board has."""
    every = (*state.board.ground.values(), *state.board.marks.values())
    here = {one[:1] if one.startswith(ASKING) else one for words in every for one in words}
    owners = {f"zone-{squad.zone}": squad.player for squad in state.squads}
    for word, (title, *lines) in SPACES.items():
        if word in here:
            owner = [say("{player} deploys there", player=owners[word])] if word in owners else []
            kind = "ground" if word in GROUND_WORDS or word == "high" else "mark"
            drawn = f"{kind}-{word}"
            yield PageCard(f"space-{word}", title, (*lines, *owner), drawn=drawn)
    kinds = {one.kind for one in state.board.borders}
    for word, (title, *lines) in BORDERS.items():
        if word in kinds:
            yield PageCard(f"border-{word}", title, tuple(lines), drawn=f"edge-{word}")
    if any(one.open and one.kind == "door" for one in state.board.borders):
        title, line = say("dashes and a leaf: open door"), say("figures pass and see through")
        yield PageCard("border-door-open", title, (line,), drawn="edge-door-open")


COIN_NAMES = {
    "gold": say("gold dragons"),
    "silver": say("silver stags"),
    "copper": say("copper stars"),
}


def coin_sections(state: SkirmishState, seat: str | None) -> Iterator[Section]:
    """Each player's coins, and the agendas for their owner's eyes."""
    for squad in state.squads:
        coins = squad.coins
        cards = [
            PageCard(
                f"{squad.id}-{kind}",
                name,
                count=getattr(coins, kind),
                icon="coins",
                choices=() if state.winner else coin_choices(squad, kind),
            )
            for kind, name in COIN_NAMES.items()
        ]
        for at, card in enumerate(squad.agenda):
            lines = (agenda_words(card),) if seat == squad.id or state.winner else ()
            name = say("Agenda {n}", n=at + 1)
            own = agenda_choices(state, squad.id, card) if seat == squad.id else ()
            cards.append(
                PageCard(
                    f"{squad.id}-agenda-{at}",
                    name,
                    lines,
                    squad.id,
                    "letter",
                    choices=own,
                    secret=not state.winner,
                )
            )
        yield Section(squad.player, tuple(cards), "row", squad.id)


def objective_name(card: str) -> str:
    """An objective card by its number, or in the players' words."""
    number = card.removeprefix("O")
    return say("Objective card {n}", n=number) if number.isdigit() else card


def objective_sections(state: SkirmishState) -> Iterator[Section]:
    """Which objective card lies where, if the companion has laid them (TAC-SET-5)."""
    position = battle_position(state)
    cards = tuple(
        PageCard(
            f"objective-{card}",
            objective_name(card),
            (place(position, cell),),
            icon="flag",
        )
        for cell, card in sorted(state.objective_cards)
    )
    if cards:
        yield Section(say("Objective cards, numbered by the app"), cards, "row")


def squad_sections(state: SkirmishState) -> Iterator[Section]:
    """Every figure of each squad."""
    fates = {
        "waiting": say("waiting"),
        "board": say("alive"),
        "killed": say("killed"),
        "captive": say("captured"),
    }
    for squad in state.squads:
        cards = tuple(
            PageCard(
                one.id,
                one.name,
                (fates[one.fate], *card_lines(one)),
                squad.id,
                "crown" if one.kind == "hero" else "",
                count=one.remains,
                spent=one.activated or one.fate in ("killed", "captive"),
                choices=motivation_choices(state, one),
                piece=one.id,
            )
            for one in state.of(squad.id)
        )
        yield Section(squad.player, cards, "grid", squad.id, squad.faction)
