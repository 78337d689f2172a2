"""The pages beside the table: the tactics board, the players' cards, and the score."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Entry, Look, PromptForm
from companion.games.api.screen_views import (
    Page,
    PageCard,
    ScoreView,
    SeatScore,
    Section,
)
from companion.games.tmg.play.card_moments import card_moments, moment_told
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.flow.scoring import (
    MOST_POINTS,
)
from companion.games.tmg.play.flow.victory import goal, points_left
from companion.games.tmg.play.names import GameNames, names_of, player_name
from companion.games.tmg.play.prompt_options import refused
from companion.games.tmg.play.state.game_state import (
    PAPER_CARD,
    GameState,
    Player,
    SideState,
)
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.screen.choice_words import ZONE_WORDS, zone_told
from companion.games.tmg.screen.score_lines import card_beside, held, lines, own_cards
from companion.games.tmg.screen.unit_views import counter_choices, ncu_lines
from companion.text.translation import unnumbered
from models.message import say, word

PILES = {"hand": say("Hand"), "deck": say("Deck"), "discard": say("Discard pile")}


def pages(state: GameState, seat: str | None) -> tuple[Page, ...]:
    names = names_of(state)
    return (
        Page(
            "board",
            say("Board"),
            "board",
            (
                zone_section(state, names),
                ncu_section(state, names),
                *objective_sections(state, names),
            ),
        ),
        Page("cards", say("Cards"), "cards", tuple(card_sections(state, seat, names))),
    )


def zone_section(state: GameState, names: GameNames) -> Section:
    """The five zones and who holds them; a tap claims one for the activated NCU."""
    known = state.rules.zone_effects
    cards = []
    for zone, ncu in zip(ZONES, state.board, strict=True):
        title, icon = ZONE_WORDS[zone]
        seat = state.ncu(ncu).side if ncu and state.has_ncu(ncu) else ""
        command = {"do": "claim", "zone": zone}
        choices = (
            (Choice(say("Claim {zone}", zone=title), (command,), "shown"),)
            if not ncu and claiming(state) and refused(state, command) is None
            else ()
        )
        lines = (names.of(ncu) if ncu else say("free"), *((zone_told(zone),) if known else ()))
        cards.append(PageCard(zone, title, lines, seat, icon, choices=choices, spent=bool(ncu)))
    return Section(say("Tactics board"), tuple(cards), "row")


def objective_sections(state: GameState, names: GameNames) -> Iterator[Section]:
    """The objective cards beside the tokens, for the whole game (TMG-MODE-GOT-4)."""
    cards = tuple(
        PageCard(
            one.id,
            names.of(one.id),
            (
                card_beside(one),
                say("held by {unit}", unit=names.of(one.holder)) if one.holder else say("free"),
            ),
            icon="flag",
        )
        for one in state.tokens
        if one.card
    )
    if cards:
        yield Section(say("Objective cards"), cards)


def claiming(state: GameState) -> bool:
    """Whether an NCU is activated and has not claimed yet."""
    acting = state.acting
    return acting is not None and acting.stage == "choose" and state.has_ncu(acting.unit)


def ncu_section(state: GameState, names: GameNames) -> Section:
    """The NCUs of both sides; one that may act is activated by a tap."""
    cards = []
    for ncu in state.ncus:
        command = {"do": "activate", "unit": ncu.id}
        may = ncu.side == state.active and not ncu.activated and refused(state, command) is None
        choices = (Choice(say("Activate"), (command,)),) if may else ()
        line = say("has acted") if ncu.activated else word("ncu", "ready")
        if state.acting is not None and state.acting.unit == ncu.id:
            line = say("acts now")
        cards.append(
            PageCard(
                ncu.id,
                names.of(ncu.id),
                (line, *ncu_lines(state, ncu, names)),
                ncu.side,
                "people",
                spent=ncu.activated,
                choices=(*choices, *counter_choices(state, ncu.id)),
                piece=ncu.id,
            )
        )
    return Section(say("Non-combat units"), tuple(cards))


def card_sections(state: GameState, seat: str | None, names: GameNames) -> Iterator[Section]:
    """Each player's hand, deck and discard pile, those of its own seat first with the cards that
    it holds."""
    for player in sorted(state.players, key=lambda one: one.side != seat):
        own = seat == player.side
        taken = (
            paper_choices(state, player)
            if player.paper
            else {"discard": fetched(state, player, "discard")}
        )
        cards = [
            PageCard(
                f"{player.id}:{pile}",
                title,
                lying_open(player) if pile == "discard" else (),
                player.side,
                "cards",
                count=len(getattr(player, pile)),
                choices=taken.get(pile, ()),
            )
            for pile, title in PILES.items()
        ]
        cards += extra_cards(state, player, own, names)
        if own and not player.paper:
            searched = fetched(state, player, "deck")  # what lies in it only its owner may see
            moments = card_moments(state, player)
            hand = sorted(moments, key=lambda card: HAND_ORDER.index(moments[card]))
            cards = [*(hand_card(state, player, card, moments[card]) for card in hand), *cards]
            cards += [
                PageCard(
                    f"{player.id}:search",
                    say("Search the deck"),
                    (say("if an effect says so"),),
                    player.side,
                    "cards",
                    choices=searched,
                    secret=True,
                )
            ] * bool(searched)
        name = player_name(state, player.id)
        yield Section(say("Cards of {name}", name=name), tuple(cards), "grid", player.side)
    if state.missions:
        missions = tuple(
            PageCard(card, say("Mission {card}", card=card), icon="flag") for card in state.missions
        )
        yield Section(say("Missions"), missions)


def lying_open(player: Player) -> tuple[str, ...]:
    """The cards on a discard pile as far as they have names (TMG-DECK-5)."""
    return player.played_names if player.paper else player.discard


def paper_choices(state: GameState, player: Player) -> dict[str, tuple[Choice, ...]]:
    """What players do with their own cards of paper, by pile: the game counts it, and knows the
    names of those that were played by name (TMG-DECK-5)."""
    card = PAPER_CARD
    back: Plain = {"do": "search", "player": player.id, "card": card, "from": "discard"}
    nameless = len(player.played_names) < len(player.discard)
    wanted: dict[str, list[tuple[str, Plain]]] = {
        "deck": [(say("Drew one"), {"do": "draw", "player": player.id, "count": 1})],
        "hand": [
            (say("Played one"), {"do": "play", "player": player.id, "card": card}),
            (say("Discarded one"), {"do": "discard", "player": player.id, "cards": [card]}),
        ],
        "discard": [(say("Took one back"), back)] * nameless
        + [
            (say("Took {card} back", card=name), {**back, "name": name})
            for name in dict.fromkeys(player.played_names)
        ],
    }
    found = {
        pile: tuple(
            Choice(text, (command,), seat=player.side)
            for text, command in choices
            if refused(state, command) is None
        )
        for pile, choices in wanted.items()
    }
    moments = card_moments(state, player)
    named = sorted(moments, key=lambda name: HAND_ORDER.index(moments[name]))
    played = [one for name in named for one in named_card(state, player, name, moments[name])]
    return {**found, "hand": (*found["hand"], *played)}


def named_card(state: GameState, player: Player, name: str, now: bool | None) -> Iterator[Choice]:
    """A card of paper that the player may hold; one whose moment is not now says when it is."""
    command: Plain = {**PLAYED, "player": player.id, "name": name}
    refusal = refused(state, command)
    if refusal is not None and refusal.why != "TMG-TIM-1":
        return
    text = say("Played {card}", card=name)
    if refusal is not None:  # the table may see another trigger
        command = {**command, "trigger": "by agreement"}
        text = say("Both agree: play {card}", card=name)
    told = "" if now else moment_told(state, player, name)
    look: Look = "plain" if now and refusal is None else "folded"
    yield Choice(text, (command,), look, told, seat=player.side)


def fetched(state: GameState, player: Player, pile: str) -> tuple[Choice, ...]:
    """The cards of a pile that an effect lets a player take (TMG-DECK-1)."""
    command = {"do": "search", "player": player.id, "from": pile}
    return tuple(
        Choice(say("Take {card}", card=card), ({**command, "card": card},), "folded")
        for card in sorted({*getattr(player, pile)})
        if refused(state, {**command, "card": card}) is None
    )


HAND_ORDER = (True, None, False)
"""Cards whose moment is now come first, then those of which nobody knows."""
PLAYED = {"do": "play", "card": PAPER_CARD}


def hand_card(state: GameState, player: Player, card: str, now: bool | None) -> PageCard:
    """A card in hand, with what may be done with it; it says whether its moment is now.

    It may be discarded while the game waits for that (TMG-RND-18), or the hand is too large.
    """
    command: Plain = {"do": "play", "player": player.id, "card": card}
    refusal = refused(state, command)
    may = refusal is None
    copies = player.hand.count(card)
    told = say("Its moment is now") if now and may else ""
    if now is False:
        told = moment_told(state, player, card)
    found = [(say("Play {card}", card=card), command)] if may else []
    if refusal is not None and refusal.why == "TMG-TIM-1":  # the table may see another trigger
        agreed = {**command, "trigger": "by agreement"}
        found.append((say("Both agree: play {card}", card=card), agreed))
    if any("discard" in one.commands for one in pending(state)):
        text = say("Discard {card}", card=card)
        found.append((text, {"do": "discard", "player": player.id, "cards": [card]}))
    return PageCard(
        f"{player.id}:{card}",
        card,
        (told,) if told else (),
        seat=player.side,
        icon="letter",
        choices=tuple(
            Choice(
                text,
                (does,),
                "folded" if now is False and does["do"] == "play" else "shown",
                seat=player.side,
            )
            for text, does in found
        ),
        count=copies if copies > 1 else None,
        secret=True,
    )


def extra_cards(
    state: GameState, player: Player, own: bool, names: GameNames
) -> Iterator[PageCard]:
    """Mission or siege cards in hand, each for its owner alone, and objective cards."""
    siege = play_of(state).siege
    if player.missions:
        title, count = say("Siege cards") if siege else say("Missions"), len(player.missions)
        yield PageCard(f"{player.id}:missions", title, (), player.side, "flag", count=count)
    for card, ways in own_cards(state, names, player) if own else ():
        title = say("Siege card {card}", card=card) if siege else say("Mission {card}", card=card)
        name = f"{player.id}:mission:{card}"
        yield PageCard(name, title, (), player.side, "flag", choices=ways, secret=True)
    for card in player.cards:
        used = card in player.cards_used
        title = say("Objective card {card}", card=card)
        yield PageCard(
            f"{player.id}:objective:{card}", title, (), player.side, "flag", spent=used, turned=used
        )


def surviving(state: GameState, side: str) -> str:
    """The points of a side's units on the battlefield, which break a tie (TMG-VIC-5)."""
    if not all(state.cost_known(unit) for unit in state.standing(side)):
        return say("points of the units not known")
    return say(
        "{n} point in surviving units",
        "{n} points in surviving units",
        n=points_left(state.units, side),
    )


def score_view(state: GameState) -> ScoreView:
    names = names_of(state)
    wanted = goal(state)
    seats = tuple(
        SeatScore(
            side.id,
            side.vp,
            None if side.role == "defender" and state.walls else wanted,
            say("VP"),
            surviving(state, side.id),
            points_form(side, names),
        )
        for side in state.sides
    )
    scoring = state.step == "score" and not state.done
    return ScoreView(
        seats,
        tuple(lines(state, names) if scoring else held(state, names)),
        Choice(say("Confirm the points"), ({"do": "score", "confirm": True},), "primary")
        if scoring
        else None,
        state.winner,
        names.spelled(unnumbered(state.how)) if state.how else "",
        () if state.winner else tuple(concessions(state, names)),
    )


def concessions(state: GameState, names: GameNames) -> Iterator[Choice]:
    """All may stop and count the points, and every side that still plays may give up."""
    if state.round:
        text, how = say("All agree: stop here and count the points"), say("as after the last round")
        yield Choice(text, ({"do": "stop"},), "quiet", how)
    for side in state.playing:
        text = say("{name} gives up", name=names.of(side))
        yield Choice(text, ({"do": "concede", "side": side},), "quiet", seat=side)


def points_form(side: SideState, names: GameNames) -> PromptForm:
    """Sets the points of a side right by the players' word."""
    entry = Entry("set", say("How many?"), "number", most=MOST_POINTS, value=side.vp)
    text = say("Set the points of {name}", name=names.of(side.id))
    return PromptForm(text, {"do": "score", "side": side.id}, (entry,))
