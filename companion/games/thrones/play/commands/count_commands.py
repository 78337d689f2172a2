"""Commands of what is counted: gold, power, modifiers, overrides, limits, titles, the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.catalogue import folded
from companion.games.thrones.play.commands.challenge_commands import WHY
from companion.games.thrones.play.commands.effect_commands import PERIODS
from companion.games.thrones.play.commands.pile_commands import SEAT_NEEDED
from companion.games.thrones.play.context import (
    CommandFields,
    FieldName,
    ThronesContext,
    command,
    find_modifier,
)
from companion.games.thrones.play.events import count_events, effect_events, round_events
from companion.games.thrones.play.events.count_events import COUNTED_PILES
from companion.games.thrones.play.numbers import (
    CARD_STATS,
    GAINED,
    SEAT_STATS,
    dominance_total,
    powers,
)
from companion.games.thrones.play.state import FACTION_CARD, ThronesState, ValueModifier
from companion.games.thrones.rules.values import OPERATIONS
from models.message import say

CHANGE = ask("change", "number", say("how much more or less"), True)
DURATIONS = ("challenge", "phase", "round", "game")
SET_BY_PLAYERS = ("gold", "power", "hand", "deck", *COUNTED_PILES)
"""The numbers of a player that the players set; of a card these:"""
SET_ON_CARDS = ("power", "duplicates")
MOST = 999


def reason(args: CommandFields) -> str:
    return args.text("why") or say("card text")


@command("gold", say("a player gains or spends gold"), SEAT_NEEDED, CHANGE, WHY)
def gold(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Between the treasury and the gold pool (AGOT-TOK-3, AGOT-TOK-4)."""
    house = ctx.house(args)
    change = args.field("change").whole(-MOST, MOST)
    if house.gold + change < 0:
        return no("AGOT-INI-3", "{player} has only {gold} gold", player=house.name, gold=house.gold)
    ctx.add(count_events.gold, changes=[[house.id, house.name, change]], why=reason(args))
    return None


@command(
    "power",
    say("a card or a faction gains or loses power"),
    ask("target", "word", say("a card in play, or faction: and the seat"), True),
    CHANGE,
    WHY,
)
def power(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """From the treasury to a card or a faction card (AGOT-TOK-6, AGOT-TOK-7)."""
    target = ctx.element(args, "target")
    change = args.field("change").whole(-MOST, MOST)
    if power_there(ctx, target) + change < 0:
        return no("AGOT-TOK-6", "there is not so much power")
    ctx.gain_power([(target, change)], reason(args))
    return None


def power_there(ctx: ThronesContext, target: str) -> int:
    """The power on a card or a faction card."""
    if target.startswith(FACTION_CARD):
        return ctx.state.house(target.removeprefix(FACTION_CARD)).power
    return ctx.state.card(target).power


@command(
    "move-power",
    say("power moves from one card to another"),
    ask("source", "word", say("a card in play, or faction: and the seat"), True),
    ask("target", "word", say("a card in play, or faction: and the seat"), True),
    ask("count", "number", say("how many; 1 if left out")),
)
def move_power(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """It counts at once for the new controller, and is not gained (AGOT-TOK-8)."""
    source, target = ctx.element(args, "source"), ctx.element(args, "target")
    count = args.whole("count", 1, MOST, 1)
    if source == target:
        return no("AGOT-GEN-13", "the power is there already")
    if power_there(ctx, source) < count:
        return no("AGOT-TOK-8", "there is not so much power")
    ctx.move_power(source, target, count)
    return None


@command(
    "simultaneous-power",
    say("several cards or factions gain power at one moment"),
    ask("targets", "list", say("cards in play, or faction: and a seat"), True),
    CHANGE,
    WHY,
)
def simultaneous_power(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """If several players reach 15 at once, the first player decides (AGOT-WIN-3)."""
    known = [one.id for one in ctx.state.cards]
    known += [FACTION_CARD + seat for seat in ctx.state.living]
    targets = [item.choice(known) for item in args.field("targets").items(20)]
    change = args.field("change").whole(1, MOST)
    ctx.gain_power([(one, change) for one in targets], reason(args))
    return None


@command("concede", say("a player gives up and leaves the game"), SEAT_NEEDED)
def concede(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The last player left wins (AGOT-END-1, AGOT-WIN-6); the table then stays as it ended."""
    house = ctx.house(args)
    rest = [seat for seat in ctx.state.living if seat != house.id]
    ends = not ctx.state.stopped and len(rest) == 1
    told = {"ends": True} if ends else {"terminal": ctx.terminal()}
    ctx.add(count_events.conceded, seat=house.id, player=house.name, **told)
    if ends:
        (last,) = rest
        ctx.add(count_events.won, seat=last, player=ctx.player(last), how="conceded")
    return None


@command("end-by-time", say("the players agree to end the game: time is up"))
def end_by_time(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Most power wins; the agreed reading breaks ties, else the table names the winner
    (AGOT-END-2)."""
    best = leaders(powers(ctx.state))
    ties = ctx.state.readings.time_ties
    if len(best) > 1 and ties == "dominance":
        best = leaders({seat: dominance_total(ctx.state, seat) for seat in best})
    elif len(best) > 1 and ties == "deck":
        best = leaders({seat: ctx.state.house(seat).draw_deck for seat in best})
    elif len(best) > 1 and ties == "tournament":
        best = [tournament_winner(ctx.state, best)]
    if len(best) == 1:
        ctx.add(count_events.won, seat=best[0], player=ctx.player(best[0]), how="time")
    else:
        ctx.contest(best, "time")
    return None


def tournament_winner(state: ThronesState, tied: Sequence[str]) -> str:
    """Of players with equal power: most cards in the draw deck, then who won the last dominance,
    then fewest dead characters, then the first in player order (AGOT-END-2)."""
    return max(
        (seat for seat in state.order if seat in tied),
        key=lambda seat: (
            state.house(seat).draw_deck,
            seat == state.dominant,
            -len(state.house(seat).dead),
        ),
    )


def leaders(values: Mapping[str, int]) -> list[str]:
    """Who has the highest value."""
    most = max(values.values())
    return [seat for seat, value in values.items() if value == most]


# -- modifiers -------------------------------------------------------------------------------------


@command(
    "modify",
    say("a card's text changes a value"),
    ask("target", "word", say("a card in play, or a seat"), True),
    ask("stat", "word", say("the value: strength, gold, initiative, claim …"), True,
        (*SEAT_STATS, *CARD_STATS)),
    ask("value", "number", say("how much"), True),
    ask("operation", "word", say("add, multiply, divide or set"), options=OPERATIONS),
    ask("until", "word", say("the end of the challenge, phase, round or game"), options=DURATIONS),
    ask("source", "word", say("the card in play that it comes from: it ends with that card")),
    WHY,
)  # fmt: skip
def modify(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Every value can be changed by card text (AGOT-GEN-2, AGOT-MOD-2)."""
    cards = [one.id for one in ctx.state.cards]
    target = args.field("target").choice([*cards, *ctx.state.living])
    stats = CARD_STATS if target in cards else SEAT_STATS
    stat = args.choice("stat", stats)
    source = args.field("source").choice(cards) if args.has("source") else ""
    usual = "game" if source else "phase"
    if ctx.state.challenge and not source:
        usual = "challenge"
    operation = args.choice("operation", OPERATIONS, "add")
    value = args.field("value").whole(-MOST, MOST)
    if operation == "divide" and value < 1:
        return no("INPUT", "a value is divided by 1 or more")
    ctx.add(
        count_events.modified,
        target=target,
        name=ctx.player(target) if target in ctx.state.seats else ctx.state.card(target).name,
        stat=stat,
        operation=operation,
        value=value,
        until=args.choice("until", DURATIONS, usual),
        why=reason(args),
        source=source,
    )
    if operation == "set":
        sets = [one for one in ctx.state.modifiers if one.operation == "set"]
        same = [one for one in sets if (one.target, one.stat) == (target, stat)]
        if len({one.value for one in same}) > 1:
            ctx.add(
                effect_events.effects_conflict, modifiers=[one.id for one in same]
            )  # AGOT-ORD-15
    if stat == "keyword-no-attachments" and value > 0 and list(ctx.state.attached(target)):
        ctx.remind(say("Attachments that are attached illegally now are discarded."))  # AGOT-ATT-6
    return None


@command(
    "unmodify",
    say("a modifier ends"),
    ask("modifier", "number", say("its number"), True),
    of=partial(find_modifier, key="modifier"),
)
def unmodify(ctx: ThronesContext, args: CommandFields, found: ValueModifier) -> Refusal | None:
    seats = ctx.state.seats
    name = ctx.player(found.target) if found.target in seats else ctx.element_name(found.target)
    ctx.add(count_events.unmodified, modifier=found.id, name=name, why=found.why)
    return None


@command(
    "gives",
    say("what an attachment gives the character it is on, as long as it is there"),
    ask("card", "word", say("an attachment in play"), True),
    ask("strength", "number", say("how much strength")),
    ask("gains", "list", say("icons and keywords that it gives"), options=GAINED),
    ask("loses", "list", say("icons and keywords that it takes away"), options=GAINED),
    ask("blank", "flag", say("its host's text box is blank")),
)
def gives(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Asked once for each attachment; every copy of it gives the same (AGOT-GEN-2, AGOT-MOD-2)."""
    card = ctx.card(args)
    if card.type != "attachment":
        return no("AGOT-ATT-1", "{card} is not an attachment", card=card.name)
    changes: list[tuple[str, int]] = []
    if strength := args.whole("strength", -MOST, MOST, 0):
        changes.append(("strength", strength))
    fields: tuple[tuple[FieldName, int], ...] = (("gains", 1), ("loses", -1))
    for field, sign in fields:
        if args.has(field):
            named = [item.choice(GAINED) for item in args.field(field).items(len(GAINED))]
            changes += [(stat, sign) for stat in dict.fromkeys(named)]
    if args.flag("blank"):
        changes.append(("blank", 1))
    ctx.add(count_events.gives, code=card.facts.code, name=card.facts.name, changes=changes)
    return None


@command(
    "set",
    say("the players set a number, whatever the rules say"),
    ask("target", "word", say("a seat, or a card in play"), True),
    ask("what", "word", say("which number"), True, (*SET_BY_PLAYERS, "duplicates")),
    ask("value", "number", say("the new number"), True),
    ask("why", "text", say("the reason"), True),
)
def set_number(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Card text beats the rules: every number can be overridden, with a reason (AGOT-GEN-2)."""
    cards = [one.id for one in ctx.state.cards]
    target = args.field("target").choice([*cards, *ctx.state.living])
    what = args.choice("what", SET_ON_CARDS if target in cards else SET_BY_PLAYERS)
    value, why = args.field("value").whole(0, MOST), args.need("why")
    if target in cards:
        card = ctx.state.card(target)
        was, name = len(card.duplicates) if what == "duplicates" else card.power, card.name
    else:
        house = ctx.state.house(target)
        now: Any = house.draw_deck if what == "deck" else getattr(house, what)
        was, name = len(now) if what in COUNTED_PILES else now, house.name
    ctx.add(
        count_events.overridden, target=target, name=name, what=what, value=value, was=was, why=why
    )
    return None


@command(
    "set-first-player",
    say("a card's text names another first player"),
    ask("seat", "side", say("the first player"), True),
)
def set_first_player(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The first player stays until a card or game effect names another (AGOT-ORD-2)."""
    house = ctx.house(args)
    ctx.add(round_events.first_player, seat=house.id, player=house.name)
    return None


@command(
    "use",
    say("count the use of an ability with a limit or a maximum"),
    SEAT_NEEDED,
    ask("card", "word", say("a card in play (limit), or a title (maximum)"), True),
    ask("times", "number", say("how often it may be used; 1 if left out")),
    ask("kind", "word", say("limit: per copy; max: over all copies"), options=("limit", "max")),
    ask("period", "word", say("per challenge, phase or round"), options=PERIODS),
)
def use(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Counted per player, canceled uses too (AGOT-ABL-13 to -16)."""
    house = ctx.house(args)
    limit = args.choice("kind", ("limit", "max"), "limit")
    period = args.choice("period", PERIODS, "round")
    most = args.whole("times", 1, MOST, 1)
    if limit == "limit":
        found = ctx.card(args)
        card, name = found.id, found.name
    else:
        card = name = args.need("card")
    key = (house.id, folded(card), limit, period)  # a title, however it is written
    counted = ((one.seat, folded(one.card), one.kind, one.period) for one in ctx.state.uses)
    before = sum(one == key for one in counted)
    if before >= most:
        rule = "AGOT-ABL-13" if limit == "limit" else "AGOT-ABL-14"
        return no(rule, "{card} was used {count} times, at most {most}", card=name, count=before,
                  most=most)  # fmt: skip
    ctx.add(count_events.used, seat=house.id, player=house.name, card=card, name=name, limit=limit,
            period=period)  # fmt: skip
    return None


# -- titles and the end ----------------------------------------------------------------------------


@command(
    "give-title",
    say("correct who holds a title"),
    SEAT_NEEDED,
    ask("title", "word", say("the title's id; none if left out")),
)
def give_title(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """A title that leaves play goes back to the pool (AGOT-TTL-10)."""
    house = ctx.house(args)
    if not ctx.state.melee:
        return no("AGOT-FMT-1", "titles are for melee only")
    title = args.choice("title", tuple(one.id for one in ctx.state.titles), "")
    if title and title not in ctx.state.pool and title != house.title:
        return no("AGOT-TTL-2", "another player holds this title")
    name = ctx.state.title(title).name if title else say("nothing")
    ctx.add(
        count_events.title_given, seat=house.id, player=house.name, title=title, title_name=name
    )
    return None


@command("titles-off", say("go on without titles"))
def titles_off(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The players may switch titles off when few are left (AGOT-OR-14)."""
    if not ctx.state.uses_titles:
        return no("AGOT-OR-14", "the game has no titles")
    ctx.add(count_events.titles_off)
    return None


@command(
    "winner",
    say("the first player names the winner among several"),
    ask("seat", "side", say("the winner"), True),
)
def winner(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """15 power or empty decks at the same moment (AGOT-WIN-3, AGOT-WIN-7)."""
    if not ctx.state.contest:
        return no("AGOT-WIN-3", "there is no tie to decide")
    seat = args.choice("seat", ctx.state.contest)
    ctx.add(count_events.won, seat=seat, player=ctx.player(seat), how=ctx.state.how)
    return None
