"""What a game waits for: a question for each step, with its buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Entry, Fact, Prompt, PromptForm
from companion.games.thrones.cards.card import DRAW_TYPES, STAYING, CardFacts
from companion.games.thrones.cards.titles import MeleeTitle, title_words
from companion.games.thrones.play import practice_game
from companion.games.thrones.play.agendas_in_play import (
    RED_DOOR,
    cards_under,
    chosen_from,
    has_agenda,
    naming,
    set_up_base,
)
from companion.games.thrones.play.cards_in_play import copy_in_play, host_problem
from companion.games.thrones.play.dealt_cards import acts_unasked
from companion.games.thrones.play.events.card_events import PILE_WORDS
from companion.games.thrones.play.flow import (
    choosing_plots,
    choosing_title,
    excess,
    loose_attachments,
    mulligan_seat,
    over_reserve,
    placing_seat,
    plots_to_resolve,
    tied_leaders,
    titles_left,
)
from companion.games.thrones.play.numbers import plot_value, set_up_gold
from companion.games.thrones.play.prompts import challenge_prompts, effect_prompts, window_prompts
from companion.games.thrones.play.prompts.reminders import reminder_facts
from companion.games.thrones.play.state import (
    COPY,
    FACTION_CARD,
    INTO_SHADOWS,
    CardInPlay,
    HouseInPlay,
    ThronesState,
)
from models.message import joined, say


def prompts(state: ThronesState, seat: str | None = None) -> Sequence[Prompt]:
    """The question of the current step; secret choices only for their own seat."""
    told = practice_game.hint(state)
    hints = (Fact(told),) if told else ()
    reminded = tuple(reminder_facts(state))
    return tuple(
        replace(one, facts=(*hints, *one.facts, *reminded)) if one.id != "gives" else one
        for one in asked(state, seat)
    )


def asked(state: ThronesState, seat: str | None) -> Iterator[Prompt]:
    """The question of the moment; nothing once the game is over."""
    if state.winner:
        return
    if state.contest:
        yield winner_prompt(state)
        return
    if state.bestowing is not None:
        yield bestow_prompt(state, state.bestowing)
        return
    if state.decision is not None:
        yield effect_prompts.choosing_prompt(state)
        return
    if effect_prompts.conflicting(state):
        yield effect_prompts.conflict_prompt(state)
        return
    if state.triggers:
        yield effect_prompts.trigger_prompt(state)
        return
    if state.window is not None and (new := state.unanswered) is not None:
        yield effect_prompts.gives_prompt(state, new)
        return
    if state.window is not None:
        yield window_prompts.window_prompt(state, seat)
        return
    match state.step:
        case "SETUP-7":
            yield mulligan_prompt(state)
        case "SETUP-8":
            yield placing_prompt(state, seat)
        case "SETUP-9":
            yield attachment_prompt(state)
        case "1.2":
            yield plot_prompt(state, seat)
        case "1.3.I":
            yield toss_prompt(state)
        case "1.3.II":
            yield first_player_prompt(state)
        case "1.3.III":
            yield when_revealed_prompt(state)
        case "1.4":
            yield title_prompt(state, seat)
        case "7.3":
            yield reserve_prompt(state, seat)
        case _:
            yield from challenge_prompts.asked(state, seat)


# -- set-up ----------------------------------------------------------------------------------------


def mulligan_prompt(state: ThronesState) -> Prompt:
    seat = mulligan_seat(state)
    name = state.house(seat).name
    return Prompt(
        "mulligan",
        say("{player}: keep the hand?", player=name),
        say("Draw 7 cards. Once, all 7 may be shuffled back for 7 new ones."),
        (seat,),
        choices=(
            Choice(say("Keep"), ({"do": "mulligan", "seat": seat, "take": False},), "primary"),
            Choice(say("Mulligan"), ({"do": "mulligan", "seat": seat, "take": True},)),
        ),
        rule="AGOT-SET-8",
    )


def placing_prompt(state: ThronesState, viewer: str | None) -> Prompt:
    """Set-up cards, in secret: the options are the own deck, for the own eyes."""
    seat = placing_seat(state)
    house = state.house(seat)
    forms: tuple[PromptForm, ...] = ()
    choices: tuple[Choice, ...] = ()
    if viewer == seat:
        nothing = {"do": "place", "seat": seat, "cards": []}
        choices = (Choice(say("Place nothing"), (nothing,), "quiet", seat=seat),)
        options, shadows = list(card_options(state, house)), tuple(shadow_entry(state, house))
        entry = Entry(
            "cards",
            say("Set-up cards"),
            "several",
            tuple((code, text) for code, text, _ in options),
            least=0 if shadows else 1,
            most=house.hand,
            required=not shadows,  # to place nothing is a button of its own
            worth=tuple(cost for _, _, cost in options),
        )
        command = {"do": "place", "seat": seat}
        entries = (entry, *shadows)
        if set_up_base(house) >= 0:  # AGOT-AGD-6
            text, tallies = say("Place these cards"), tuple(gold_tallies(state, seat, entries))
            most = set_up_gold(state, seat)
            limited = tuple(one.code for one, _ in house.deck.cards if "limited" in one.keywords)
            once = say("only one limited card")  # AGOT-SET-13
            forms = (PromptForm(text, command, entries, "primary", tallies=tallies, most=most,
                                single=limited, single_text=once),)  # fmt: skip
        forms += tuple(agenda_forms(state, house))
    return Prompt(
        "place",
        say("{player}: place set-up cards", player=house.name),
        say(
            "Characters, locations and attachments for at most {gold} gold, at most one of them"
            " limited.",
            gold=set_up_gold(state, seat),
        ),
        (seat,),
        facts=(Fact(say("Further copies of a unique card are free: they become duplicates.")),),
        choices=choices,
        forms=forms,
        secret=True,
        rule="AGOT-SET-12",
    )


def shadow_entry(state: ThronesState, house: HouseInPlay) -> Iterator[Entry]:
    """The cards that may be placed into shadows (AGOT-SHD-12)."""
    dark = window_prompts.deck_cards(state, house.id, house.id, DRAW_TYPES, "shadow")
    options = tuple(copy_options(state, house.id, dark, house.hand))
    if options:
        text = say("Into shadows (2 gold each)")
        price = (INTO_SHADOWS,) * len(options)
        yield Entry("shadows", text, "several", options, least=0, most=house.hand, required=False,
                    worth=price)  # fmt: skip


def gold_tallies(state: ThronesState, seat: str, entries: Sequence[Entry]) -> Iterator[str]:
    """What the chosen cards cost together, and whether it is too much (AGOT-SET-12)."""
    most = set_up_gold(state, seat)
    dearest = sum(sorted((cost for one in entries for cost in one.worth), reverse=True)[:7])
    for cost in range(dearest + 1):
        if cost <= most:
            yield say("{cost} of {most} gold", cost=cost, most=most)
        else:
            yield say("{cost} of {most} gold: not enough", cost=cost, most=most)


def agenda_forms(state: ThronesState, house: HouseInPlay) -> Iterator[PromptForm]:
    """What agendas do before set-up cards (AGOT-AGD-1, AGOT-AGD-2, AGOT-AGD-7, AGOT-AGD-8)."""
    seat = {"seat": house.id}
    if naming(house):
        what = Entry("what", say("What is named"), "text")
        yield PromptForm(say("Name something for the agenda"), {"do": "name-agenda", **seat},
                         (what,), "quiet", opens=True)  # fmt: skip
    if cards := cards_under(house):
        count = Entry("count", say("Cards"), "number", least=1, most=9, value=cards)
        yield PromptForm(say("Cards under the agenda"), {"do": "under-agenda", **seat}, (count,),
                         "quiet", opens=True)  # fmt: skip
    fetched = any(one.protected and one.owner == house.id for one in state.cards)
    if has_agenda(house, RED_DOOR) and not fetched:
        places = [
            (card.code, card.name)
            for card, _ in house.deck.of_type("location")
            if card.unique
            and "limited" not in card.keywords
            and (card.cost or 0) <= 3
            and state.copies_left(house.id, card.code)
        ]
        entry = Entry("card", say("Card"), options=tuple(places))
        command = {"do": "fetch-location", **seat}
        yield PromptForm(say("Fetch a location"), command, (entry,), opens=True)


def card_options(state: ThronesState, house: HouseInPlay) -> Iterator[tuple[str, str, int]]:
    """Every copy of the cards of a deck that stay in play: its value, name and cost. Further copies
    of a unique card are duplicates, which are free (AGOT-SET-15); of a limited one there are none
    (AGOT-SET-13)."""
    for card in window_prompts.deck_cards(state, house.id, house.id, STAYING):
        if card.cost is None and "cost" not in card.variable:
            continue
        there = int(copy_in_play(state, house.id, card) is not None)
        copies = 1 if "limited" in card.keywords else state.copies_left(house.id, card.code)
        for n in range(1, copies + 1):
            value = card.code if n == 1 else f"{n}{COPY}{card.code}"
            under = n - 1 + there if card.unique else 0
            yield value, copy_words(card, n, under), 0 if under else card.cost or 0


def copy_words(card: CardFacts, number: int, under: int) -> str:
    """One of several copies of a card, or which duplicate under its card it would be."""
    if under:
        text = say("{card} (duplicate {n})", card=card.name, n=under)
        return text if under > 1 else say("{card} (duplicate)", card=card.name)
    if number > 1:
        return say("{card}, copy {n}", card=card_words(card), n=number)
    return card_words(card)


def copy_options(
    state: ThronesState, seat: str, cards: Sequence[CardFacts], most: int
) -> Iterator[tuple[str, str]]:
    """Every copy of some cards that a player may hold, at most so many of each."""
    for card in cards:
        yield card.code, card.name
        for n in range(2, min(most, state.copies_left(seat, card.code)) + 1):
            yield f"{n}{COPY}{card.code}", say("{card}, copy {n}", card=card.name, n=n)


def card_words(card: CardFacts) -> str:
    """A card with its cost."""
    if card.cost is None:
        return card.name
    return say("{card} ({cost} gold)", card=card.name, cost=card.cost)


def attachment_prompt(state: ThronesState) -> Prompt:
    card = state.card(loose_attachments(state)[0])
    own = state.readings.set_up_attachments == "own"
    factions = [state.faction_card(one) for one in state.order]
    there = [
        one
        for one in (*state.cards, *factions)
        if one.type != "attachment" and (one.controller == card.owner or not own)
    ]
    legal = [one for one in there if host_problem(state, card.facts, one.id) is None]
    more = {} if legal else {"text": True}  # else only a card's text allows any of them
    return Prompt(
        "attach-set-up",
        say("Where does {card} go?", card=card.name),
        seats=(card.owner,),
        facts=()
        if legal
        else (Fact(say("By the rules nothing takes it: only where its text says so."), "warn"),),
        choices=tuple(
            Choice(
                one.name,
                ({"do": "attach-set-up", "card": card.id, "host": one.id, **more},),
                piece=one.id,
            )
            for one in legal or there
        ),
        rule="AGOT-SET-17",
    )


# -- plot phase ------------------------------------------------------------------------------------


def plot_prompt(state: ThronesState, viewer: str | None) -> Prompt:
    """All choose a plot in secret (AGOT-PLOT-2)."""
    waiting = choosing_plots(state)
    choices: tuple[Choice, ...] = ()
    schemes: tuple[Fact, ...] = ()
    if viewer in waiting:
        house = state.house(viewer)
        schemes = (Fact(words),) if (words := scheme_words(house)) else ()
        choices = tuple(
            Choice(
                card.name,
                ({"do": "choose-plot", "seat": viewer, "plot": card.code},),
                detail=plot_words(card),
                seat=viewer,
            )
            for card in (house.card(code) for code in dict.fromkeys(chosen_from(house)))
        )
    forms: tuple[PromptForm, ...] = ()
    if viewer is None or viewer in waiting:
        forms = tuple(
            open_plot_form(state, one, viewer) for one in waiting if viewer in (None, one)
        )
    return Prompt(
        "choose-plot",
        say("Choose a plot"),
        say("All plots are revealed together."),
        state.order,
        facts=schemes,
        choices=choices,
        forms=forms,
        secret=True,
        answered=tuple(one for one in state.order if one not in waiting),
        page="plots",
        rule="AGOT-PLOT-2",
    )


def open_plot_form(state: ThronesState, seat: str, viewer: str | None) -> PromptForm:
    """A plot that lies on the table already: its player taps it, without a cover."""
    house = state.house(seat)
    known = [house.card(code) for code in dict.fromkeys(chosen_from(house))]
    options = tuple((card.code, open_plot_words(card)) for card in known if viewer == seat)
    form = own_form(
        say("{player} chooses without a cover", player=house.name),
        {"do": "choose-plot", "seat": seat},
        (Entry("plot", say("Plot"), options=options),),
        say("shows the plots of {player}: others look away", player=house.name),
        viewer,
    )
    return replace(form, detail=scheme_words(house)) if viewer == seat else form


def scheme_words(house: HouseInPlay) -> str:
    """That Schemes are not chosen, where there are any beside the plot deck (AGOT-AGD-9)."""
    n = len(house.plots) - len(chosen_from(house))
    return say("{n} Scheme is not chosen here", "{n} Schemes are not chosen here", n=n) if n else ""


def open_plot_words(card: CardFacts) -> str:
    return say("{card} ({values})", card=card.name, values=plot_words(card))


def own_form(
    text: str, command: Plain, entries: tuple[Entry, ...], detail: str, viewer: str | None
) -> PromptForm:
    """A form whose values only its player may see; on a shared screen it says so."""
    seat = str(command["seat"])
    own = viewer == seat
    return PromptForm(text, command, entries if own else (), detail="" if own else detail,
                      opens=True, seat=seat, shared=not own)  # fmt: skip


def plot_words(card: CardFacts) -> str:
    """The four values of a plot (AGOT-CMP-8)."""
    return say(
        "gold {gold}, initiative {initiative}, claim {claim}, reserve {reserve}",
        gold=card.gold,
        initiative=card.initiative,
        claim=card.claim,
        reserve=card.reserve,
    )


def toss_prompt(state: ThronesState) -> Prompt:
    won = tuple(
        Choice(
            say("{player} wins the toss", player=state.house(seat).name),
            ({"do": "toss", "seat": seat},),
            seat=seat,
        )
        for seat in tied_leaders(state)
    )
    draw = Choice(say("Let the companion draw"), ({"do": "toss"},), "primary")
    return Prompt(
        "toss",
        say("Initiative is tied, and so is power"),
        say("Chance decides, for example a coin."),
        choices=(draw, *won),
        rule="AGOT-PLOT-11",
    )


def first_player_prompt(state: ThronesState) -> Prompt:
    seat = next(iter(tied_leaders(state)), state.first)
    return Prompt(
        "first-player",
        say("{player} won initiative: who is first player?", player=state.house(seat).name),
        seats=(seat,),
        facts=tuple(
            Fact(
                say(
                    "{player}: initiative {value}",
                    player=state.house(one).name,
                    value=plot_value(state, one, "initiative"),
                )
            )
            for one in state.order
        ),
        choices=tuple(
            Choice(state.house(one).name, ({"do": "first-player", "seat": one},), seat=one)
            for one in state.order_from(seat)
        ),
        rule="AGOT-PLOT-12",
    )


def when_revealed_prompt(state: ThronesState) -> Prompt:
    """The first player orders "when revealed" abilities; each resolves completely."""
    plots = [
        say("{card} ({player})", card=plot.name, player=state.house(seat).name)
        for seat, plot in plots_to_resolve(state)
    ]
    at_once: tuple[Choice, ...] = ()
    drawn = all(one.draw_deck > window_prompts.MOST_DRAWN for one in state.houses)
    if not state.uses_titles and drawn and not acts_unasked(state):
        passing = {"do": "pass", "all": True}
        text = say("All resolved, nobody acts before marshaling")
        at_once = (Choice(text, ({"do": "continue"}, passing, passing)),)
    return Prompt(
        "when-revealed",
        say('"When revealed" abilities'),
        say(
            "{player} sets the order; each one resolves completely before the next.",
            player=state.house(state.first).name,
        ),
        (state.first,),
        facts=(
            Fact(say("To resolve: {cards}", cards=joined(plots))),
            Fact(say("Reactions to revealing a plot come after them.")),
        ),
        choices=(Choice(say("All resolved"), ({"do": "continue"},), "primary"), *at_once),
        forms=tuple(plot_effect_forms(state)),
        rule="AGOT-PLOT-15",
    )


def plot_effect_forms(state: ThronesState) -> Iterator[PromptForm]:
    """What plots often do, to be entered while they are resolved (AGOT-GEN-2)."""
    seats = tuple((seat, state.house(seat).name) for seat in state.order)
    factions = tuple((FACTION_CARD + seat, name) for seat, name in seats)
    player = Entry("seat", say("Player"), options=seats)
    change = Entry("change", say("How many more or less"), "number", least=-9, most=15, value=1)
    count = Entry("count", say("How many"), "number", least=1, most=20, value=1)
    piles = tuple((one, PILE_WORDS[one]) for one in ("hand", "deck", "discard", "dead"))
    power = (Entry("target", say("Player"), options=factions), change)
    moved = (
        player,
        Entry("from", say("Where from"), options=piles[:2], value="hand"),
        Entry("to", say("Where to"), options=piles, value="discard"),
        count,
    )
    for text, word, entries in (
        (say("Power"), "power", power),
        (say("Gold"), "gold", (player, change)),
        (say("Draw"), "draw", (player, count)),
        (say("Move cards between piles"), "move", moved),
    ):
        yield PromptForm(text, {"do": word}, entries, "quiet", opens=True)


def title_prompt(state: ThronesState, viewer: str | None) -> Prompt:
    """Titles are taken in player order, in secret (AGOT-TTL-5)."""
    seat = choosing_title(state)
    choices: tuple[Choice, ...] = ()
    if viewer == seat:
        choices = tuple(
            Choice(
                state.title(one).name,
                ({"do": "choose-title", "seat": seat, "title": one},),
                detail=title_words(state.title(one)),
                seat=seat,
            )
            for one in titles_left(state)
        )
    taken = tuple(one for one in state.order if state.house(one).taken is not None)
    name = state.house(seat).name
    options = tuple((one, option_words(state.title(one))) for one in titles_left(state))
    entry = Entry("title", say("Title"), options=options if viewer == seat else ())
    form = own_form(
        say("{player} chooses without a cover", player=name),
        {"do": "choose-title", "seat": seat},
        (entry,),
        say("shows the titles that are left: others look away"),
        viewer,
    )
    return Prompt(
        "choose-title",
        say("{player} takes a title", player=name),
        say("The others pass on; all titles are revealed together."),
        (seat,),
        choices=choices,
        forms=(form,) if viewer in (None, seat) else (),
        secret=True,
        answered=taken,
        rule="AGOT-TTL-5",
    )


def option_words(title: MeleeTitle) -> str:
    """A title with what it does."""
    return say("{title}: {does}", title=title.name, does=title_words(title))


def bestow_prompt(state: ThronesState, card: CardInPlay) -> Prompt:
    """How much gold goes onto a card that has just entered play (AGOT-KEY-33)."""
    house = state.house(card.controller)
    most = min(state.bestow[1] if state.bestow else 0, house.gold)
    return Prompt(
        "bestow",
        say("{player}: gold on {card}?", player=house.name, card=card.name),
        say("Bestow: up to {most} gold of the pool may lie on it.", most=most),
        (house.id,),
        choices=tuple(
            Choice(say("{gold} gold", gold=gold), ({"do": "bestow", "gold": gold},))
            for gold in range(most + 1)
        ),
        rule="AGOT-KEY-33",
    )


# -- the end of a round, the end of the game -------------------------------------------------------


def reserve_prompt(state: ThronesState, viewer: str | None) -> Prompt:
    seat = over_reserve(state)
    n = excess(state, seat)
    text = say("Discard {n} card", "Discard {n} cards", n=n)
    discarding = {"do": "reserve", "seat": seat}
    last: tuple[Choice, ...] = ()
    above = [one for one in state.order if excess(state, one) > 0]
    if not acts_unasked(state) and not any(state.house(one).dealt for one in above):
        every = text if len(above) == 1 else say("All discard down to the reserve")
        both = say("{discard}, nobody acts until the next round", discard=every)
        rest = [{"do": "reserve", "seat": one} for one in above]
        last = (Choice(both, (*rest, {"do": "pass", "all": True})),)
    cards = window_prompts.deck_cards(state, seat, viewer, DRAW_TYPES)
    copies = tuple(copy_options(state, seat, cards, n))
    named = Entry("cards", say("Cards"), "several", copies, most=n, required=False)
    naming_form = own_form(
        say("Name the discarded cards"),
        discarding,
        (named,),
        say("shows the deck of {player}: others look away", player=state.house(seat).name),
        viewer,
    )
    return Prompt(
        "reserve",
        say("{player} is above the reserve", player=state.house(seat).name),
        say(
            "{hand} cards in hand, reserve {reserve}",
            hand=state.house(seat).hand,
            reserve=plot_value(state, seat, "reserve"),
        ),
        (seat,),
        choices=(Choice(text, (discarding,), "primary"), *last),
        forms=(naming_form,),
        rule="AGOT-TAX-4",
    )


def winner_prompt(state: ThronesState) -> Prompt:
    why = {"power": say("They reach 15 power at the same moment."),
           "time": say("Time is up, and they have equal power."),
           "deck": say("All draw decks are empty at the same moment.")}  # fmt: skip
    return Prompt(
        "winner",
        say("{player} names the winner", player=state.house(state.first).name),
        why.get(state.how, ""),
        (state.first,),
        choices=tuple(
            Choice(state.house(one).name, ({"do": "winner", "seat": one},), seat=one)
            for one in state.contest
        ),
        rule="AGOT-WIN-3",
    )
