"""Commands of action windows: passing, actions, marshaling, ambush, events."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no, quoted
from companion.games.thrones.cards.card import DRAW_TYPES, STAYING, CardFacts
from companion.games.thrones.play.cards_in_play import (
    copy_in_play,
    duplicate_problem,
    entering_problem,
    host_problem,
    legal_hosts,
)
from companion.games.thrones.play.commands.pile_commands import move
from companion.games.thrones.play.commands.setup_commands import SEAT
from companion.games.thrones.play.context import (
    CommandFields,
    ThronesContext,
    command,
    deck_card,
    named_cards,
    one_version,
)
from companion.games.thrones.play.dealt_cards import can_hold, might_act
from companion.games.thrones.play.events import card_events, count_events, round_events
from companion.games.thrones.play.flow import still_marshaling
from companion.games.thrones.play.numbers import changes, has_keyword, limited_full
from companion.games.thrones.play.state import INTO_SHADOWS, PHASES, CardInPlay
from companion.games.thrones.rules.values import modified
from models.message import say

CARD = ask("card", "word", say("name or code of a card of the own deck"), True)
HOST = ask("host", "word", say("what an attachment goes on: a card, or faction: and the seat"))
LIMIT = ask("limit", "number", say("limit of copies of it on one card, if it prints one"))
TEXT = ask("text", "flag", say("the card's own text allows it"))
REDUCE = ask("reduce", "number", say("how much less it costs"))
KNEEL = ask("kneel", "list", say("cards that kneel to reduce the cost, or faction: and the seat"))
MOST_GOLD = 99


def take_opportunity(ctx: ThronesContext, seat: str) -> Refusal | None:
    """Make it the player's opportunity: those before pass (AGOT-ORD-9, AGOT-ORD-12)."""
    window = ctx.state.window
    if window is None:
        return no("AGOT-RND-6", "no action window is open")
    between = 0
    order = ctx.state.order
    if seat not in order:  # no longer in the game (AGOT-OR-13)
        return no("AGOT-RND-8", "{player} may act or pass now", player=ctx.player(window.holder))
    while window.holder != seat:
        window = window.passed(order)
        between += 1
    if window.is_closed(order):
        holder = ctx.state.window.holder if ctx.state.window else seat
        return no("AGOT-ORD-9", "{player} has passed; now {other} may act",
                  player=ctx.player(seat), other=ctx.player(holder))  # fmt: skip
    for _ in range(between):
        assert ctx.state.window is not None
        holder = ctx.state.window.holder
        ctx.add(round_events.passed, seat=holder, player=ctx.player(holder), how="implied")
    return None


def acted(ctx: ThronesContext, seat: str, what: str = "") -> None:
    """The opportunity is used: everybody gets it again (AGOT-ORD-11)."""
    if not ctx.state.stopped:
        ctx.add(round_events.acted, seat=seat, player=ctx.player(seat), what=what)


@command(
    "pass",
    say("pass in the action window"),
    SEAT,
    ask("all", "flag", say("everybody passes: the window closes")),
)
def pass_window(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The window closes when all have passed one after another (AGOT-ORD-10)."""
    window = ctx.state.window
    if window is None:
        return no("AGOT-RND-6", "no action window is open")
    house = ctx.house(args, default=window.holder)
    if house.id != window.holder:
        return no("AGOT-RND-8", "{player} may act or pass now", player=ctx.player(window.holder))
    everybody = args.flag("all")
    waits = still_marshaling(ctx.state)
    how = "all" if everybody else ""
    but = {"but": ctx.player(ctx.state.active)} if everybody and waits else {}
    while ctx.state.window is not None and not ctx.state.window.is_closed(ctx.state.order):
        holder = ctx.state.window.holder
        ctx.add(round_events.passed, seat=holder, player=ctx.player(holder), how=how, **but)
        how, but = "implied", {}
        window = ctx.state.window
        if not everybody or window is None:
            break
        if waits and window.holder == ctx.state.active:
            break  # nobody passes for the player who may marshal on (AGOT-MAR-4)
        if might_act(ctx.state, window.holder):
            break  # nor for a player of the app who might act (AGOT-ORD-10)
    return None


@command(
    "act",
    say("take an action of a card in the window"),
    SEAT,
    ask("what", "text", say("what was done, for the log")),
    ask("phase", "word", say("the phase that the action names"), options=tuple(PHASES.values())),
)
def act(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Actions only inside a window (AGOT-RND-6); then everybody may act again (AGOT-ORD-11)."""
    window = ctx.state.window
    if window is None:
        return no("AGOT-RND-6", "no action window is open")
    house = ctx.house(args, default=window.holder)
    phase = args.choice("phase", tuple(PHASES.values()), ctx.state.phase)
    if phase != ctx.state.phase:
        return no("AGOT-ABL-5", "this action belongs to another phase")
    if refusal := take_opportunity(ctx, house.id):
        return refusal
    acted(ctx, house.id, args.text("what") or say("takes an action"))
    return None


# -- marshaling ------------------------------------------------------------------------------------


@command(
    "marshal",
    say("marshal a card from hand"),
    SEAT,
    CARD,
    HOST,
    LIMIT,
    REDUCE,
    KNEEL,
    ask("x", "number", say("the X of its cost")),
    TEXT,
    phases=("AW3",),
)
def marshal(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The active player pays and puts a card into the play area (AGOT-MAR-4 to -14)."""
    state = ctx.state
    if state.active not in state.living:  # the window goes on without marshaling (AGOT-OR-13)
        return no("AGOT-MAR-4", "{word} is not possible now", word=quoted("marshal"))
    house = ctx.house(args, default=state.active)
    if house.id != state.active:
        return no("AGOT-MAR-4", "only the active player marshals: {player}",
                  player=ctx.player(state.active))  # fmt: skip
    card = deck_card(state, house.id, args.need("card"))
    if isinstance(card, Refusal):
        return card
    if card.type not in STAYING:
        return no("AGOT-MAR-7", "{card} cannot be marshaled: {kind}", card=card.name,
                  kind=say(card.type))  # fmt: skip
    if refusal := from_hand(ctx, house.id, card):
        return refusal
    if refusal := entering_problem(state, house.id, card, house.id, "hand"):
        return refusal
    if refusal := take_opportunity(ctx, house.id):
        return refusal
    if (copy := copy_in_play(state, house.id, card)) is not None:
        return marshal_duplicate(ctx, house.id, card, copy)
    if "limited" in card.keywords and limited_full(state, house.id):
        return no("AGOT-KEY-21", "{player} has marshaled a limited card this round",
                  player=house.name)  # fmt: skip
    host = ctx.element(args, "host") if args.has("host") else ""
    most = args.whole("limit", 1, MOST_GOLD, MOST_GOLD)
    if refusal := host_problem(state, card, host, args.flag("text"), most):
        return refusal
    paid = price(ctx, args, house.id, card)
    if isinstance(paid, Refusal):
        return paid
    ctx.kneel(ctx.cards(args, "kneel", factions=True))
    limited = "limited" in card.keywords
    enter(ctx, house.id, card, "marshal", "hand", paid, host, limited=limited)
    acted(ctx, house.id)
    return None


def marshal_duplicate(
    ctx: ThronesContext, seat: str, card: CardFacts, copy: CardInPlay
) -> Refusal | None:
    """A further copy of a unique card costs nothing (AGOT-MAR-13, AGOT-UNI-2): it is no card of its
    own, so no limit counts it and nothing is bestowed on it (AGOT-UNI-12, AGOT-KEY-40)."""
    if refusal := duplicate_problem(copy, seat):
        return refusal
    ctx.add(card_events.duplicate, seat=seat, player=ctx.player(seat), card=copy.id, name=copy.name,
            code=card.code, paid=0, from_="hand")  # fmt: skip
    acted(ctx, seat)
    return None


def from_hand(ctx: ThronesContext, seat: str, card: CardFacts) -> Refusal | None:
    """Why a card cannot come from a hand: it is empty, or all copies lie elsewhere."""
    house = ctx.state.house(seat)
    if house.hand < 1:
        return no("AGOT-MAR-7", "{player} has no cards in hand", player=house.name)
    if ctx.state.copies_left(seat, card.code) < 1:
        return no("INPUT", "all copies of {card} are out of the hand and the deck", card=card.name)
    if not can_hold(house, "hand", card.code):
        return no("AGOT-MAR-7", "{player} has no {card} in hand", player=house.name, card=card.name)
    return None


def price(ctx: ThronesContext, args: CommandFields, seat: str, card: CardFacts) -> int | Refusal:
    """The gold to pay to marshal or play a card, after all modifiers and with whatever kneels at
    once; refused if the pool has less (AGOT-INI-3, -4, -10, -12).

    X is chosen first, modifiers change only what is paid (AGOT-GEN-10). Cards that kneel to reduce
    the cost must be standing and own (AGOT-INI-11, AGOT-CARD-4).
    """
    if card.cost is None and "cost" not in card.variable:
        return no("AGOT-MAR-8", "{card} has no gold cost: it is put into play by other means",
                  card=card.name)  # fmt: skip
    base = args.whole("x", 0, MOST_GOLD, 0) if "cost" in card.variable else card.cost or 0
    for one in ctx.cards(args, "kneel", factions=True):
        if one.kneeling:
            return no("AGOT-CARD-4", "{card} kneels already", card=one.name)
        if one.controller != seat:
            return no("AGOT-INI-11", "{card} belongs to another player", card=one.name)
    cost = modified(base, changes(ctx.state, seat, "cost"))
    cost = max(0, cost - args.whole("reduce", 0, MOST_GOLD, 0))
    house = ctx.state.house(seat)
    if cost > house.gold:
        return no("AGOT-INI-3", "{card} costs {cost} gold, {player} has {gold}", card=card.name,
                  cost=cost, player=house.name, gold=house.gold)  # fmt: skip
    return cost


def enter(
    ctx: ThronesContext,
    seat: str,
    card: CardFacts,
    how: str,
    pile: str,
    paid: int = 0,
    host: str = "",
    kneeling: bool = False,
    owner: str = "",
    limited: bool = False,
    kind: str = "",
) -> None:
    """A card enters play (AGOT-MAR-14, AGOT-ZONE-3); in whatever way it does, its controller may
    bestow gold on it (AGOT-KEY-36)."""
    same = sum(one.facts.name == card.name for one in ctx.state.cards)
    name = f"{card.name} {same + 1}" if same else card.name
    ctx.add(
        card_events.entered,
        seat=seat,
        player=ctx.player(seat),
        owner=owner or seat,
        code=card.code,
        name=name,
        how=how,
        paid=paid,
        host=host,
        kneeling=kneeling,
        limited=limited,
        from_=pile,
        as_=kind,
    )
    entered = ctx.state.cards[-1]
    most = card.keyword_number("bestow") or 0
    if most and has_keyword(ctx.state, entered, "bestow") and ctx.state.house(seat).gold:
        ctx.add(card_events.bestow_asked, card=entered.id, most=most)


@command(
    "bestow",
    say("move gold from the pool onto the card that has just entered play"),
    ask("gold", "number", say("how much gold; 0 for none"), True),
)
def bestow(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Up to X gold, and no more than there is (AGOT-KEY-33, AGOT-KEY-35)."""
    card = ctx.state.bestowing
    if card is None or ctx.state.bestow is None:
        return no("AGOT-KEY-33", "no card waits for gold")
    house, gold = ctx.state.house(card.controller), args.field("gold").whole(0, MOST_GOLD)
    if gold > house.gold:
        return no("AGOT-KEY-35", "{player} has only {gold} gold", player=house.name,
                  gold=house.gold)  # fmt: skip
    if gold > ctx.state.bestow[1]:
        return no("AGOT-KEY-33", "at most {most} gold goes on {card}", most=ctx.state.bestow[1],
                  card=card.name)  # fmt: skip
    ctx.add(card_events.bestowed, seat=house.id, player=house.name, card=card.id, name=card.name,
            gold=gold)  # fmt: skip
    return None


# -- shadows ---------------------------------------------------------------------------------------


@command(
    "into-shadows",
    say("pay 2 gold and put a card with shadow from hand face down into shadows"),
    SEAT,
    CARD,
    phases=("AW3",),
)
def into_shadows(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Marshaled into shadows, whatever else it is (AGOT-SHD-5, AGOT-SHD-8): events too
    (AGOT-SHD-7), always for 2 gold (AGOT-SHD-9), though a copy is in play or dead (AGOT-SHD-26)."""
    house = ctx.house(args, default=ctx.state.active)
    if house.id != ctx.state.active:
        return no("AGOT-SHD-5", "only the active player marshals: {player}",
                  player=ctx.player(ctx.state.active))  # fmt: skip
    card = deck_card(ctx.state, house.id, args.need("card"), *DRAW_TYPES)
    if isinstance(card, Refusal):
        return card
    if "shadow" not in card.keywords:
        return no("AGOT-SHD-10", "{card} has no shadow", card=card.name)
    if refusal := from_hand(ctx, house.id, card):
        return refusal
    if house.gold < INTO_SHADOWS:
        return no("AGOT-SHD-5", "{player} has only {gold} gold", player=house.name,
                  gold=house.gold)  # fmt: skip
    if refusal := take_opportunity(ctx, house.id):
        return refusal
    ctx.add(card_events.into_shadows, seat=house.id, player=house.name, code=card.code,
            paid=INTO_SHADOWS)  # fmt: skip
    acted(ctx, house.id)
    return None


@command(
    "out-of-shadows",
    say("pay its shadow cost and bring an own card out of shadows into play"),
    SEAT,
    CARD,
    ask("gold", "number", say("the price, if it is not the printed one")),
    HOST,
    TEXT,
    ask("discard", "flag", say("an attachment has nothing to go on: it is discarded")),
)
def out_of_shadows(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """As an action in any window (AGOT-SHD-15, AGOT-SHD-17), neither marshaled nor played
    (AGOT-SHD-16, -22); a copy of a unique card becomes a duplicate (AGOT-SHD-27), one that may not
    enter play stays (AGOT-SHD-28)."""
    if ctx.state.window is None:
        return no("AGOT-RND-6", "no action window is open")
    house = ctx.house(args, default=ctx.state.window.holder)
    card = shadow_card(ctx, house.id, args.need("card"))
    if isinstance(card, Refusal):
        return card
    if card.type not in STAYING:
        return no("AGOT-SHD-19", "{card} is an event: it is played from shadows", card=card.name)
    paid = shadow_price(ctx, args, house.id, card)
    if isinstance(paid, Refusal):
        return paid
    if card.type == "attachment" and args.flag("discard"):
        able = [] if args.flag("text") else list(legal_hosts(ctx.state, card))
        if able:
            text = say("{card} can go on {host}; does its text say otherwise?", card=card.name,
                       host=able[0].name)  # fmt: skip
            return Refusal("AGOT-SHD-18", text, "text")
        if refusal := take_opportunity(ctx, house.id):
            return refusal
        ctx.add(count_events.gold, changes=[[house.id, house.name, -paid]], why=card.name)
        move(ctx, house.id, [card.code], "shadows", "discard")  # AGOT-SHD-18
        acted(ctx, house.id)
        return None
    if refusal := entering_problem(ctx.state, house.id, card, house.id, "shadows"):
        return refusal
    copy = copy_in_play(ctx.state, house.id, card)
    host = ctx.element(args, "host") if args.has("host") else ""
    refusal = (
        duplicate_problem(copy, house.id)
        if copy
        else host_problem(ctx.state, card, host, args.flag("text"))
    )
    if refusal := refusal or take_opportunity(ctx, house.id):
        return refusal
    if copy is not None:
        ctx.add(card_events.duplicate, seat=house.id, player=house.name, card=copy.id,
                name=copy.name, code=card.code, paid=paid, from_="shadows")  # fmt: skip
    else:
        enter(ctx, house.id, card, "shadows", "shadows", paid, host)
    acted(ctx, house.id)
    return None


def shadow_card(ctx: ThronesContext, seat: str, name: str) -> CardFacts | Refusal:
    """A card in a player's shadows area by its name."""
    house = ctx.state.house(seat)
    dark = [house.card(code) for code in dict.fromkeys(house.shadows) if code]
    if found := named_cards(dark, name):
        return one_version(found)
    return no("AGOT-SHD-24", "{name} is not in shadows", name=quoted(name))


def shadow_price(
    ctx: ThronesContext, args: CommandFields, seat: str, card: CardFacts
) -> int | Refusal:
    """The printed shadow cost, or what the players enter where it is X (AGOT-SHD-14, -24)."""
    usual = card.keyword_number("shadow")
    if usual is None and not args.has("gold"):
        return Refusal("AGOT-SHD-14", say("which price does {card} have?", card=card.name), "gold")
    cost = args.whole("gold", 0, MOST_GOLD, usual or 0)
    gold = ctx.state.house(seat).gold
    if cost > gold:
        return no("AGOT-INI-3", "{card} costs {cost} gold, {player} has {gold}", card=card.name,
                  cost=cost, player=ctx.player(seat), gold=gold)  # fmt: skip
    return cost


# -- ambush and events -----------------------------------------------------------------------------


@command(
    "ambush",
    say("put a card with ambush from hand into play for its X gold"),
    SEAT,
    CARD,
    ask("gold", "number", say("the price, if it is not the printed one")),
    HOST,
    TEXT,
)
def ambush(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """In an action window of the challenges phase; it is not marshaled (AGOT-KEY-18, -19)."""
    state = ctx.state
    if state.phase != "challenges":
        return no("AGOT-KEY-18", "ambush is possible in the challenges phase only")
    if state.window is None:
        return no("AGOT-RND-6", "no action window is open")
    house = ctx.house(args, default=state.window.holder)
    card = deck_card(state, house.id, args.need("card"), *STAYING)
    if isinstance(card, Refusal):
        return card
    if "ambush" not in card.keywords and not args.flag("text"):
        return Refusal("AGOT-KEY-18", say("{card} has no ambush", card=card.name), "text")
    if refusal := from_hand(ctx, house.id, card):
        return refusal
    if refusal := entering_problem(state, house.id, card, house.id, "hand"):
        return refusal
    counted = state.readings.ambush_limited == "counted" and "limited" in card.keywords
    if counted and limited_full(state, house.id):  # AGOT-OR-18
        return no("AGOT-KEY-21", "{player} has marshaled a limited card this round",
                  player=house.name)  # fmt: skip
    printed = card.keyword_number("ambush")
    if printed is None and not args.has("gold"):
        return Refusal("AGOT-KEY-18", say("which price does {card} have?", card=card.name), "gold")
    cost = args.whole("gold", 0, MOST_GOLD, printed or 0)
    if cost > house.gold:
        return no("AGOT-INI-3", "{card} costs {cost} gold, {player} has {gold}", card=card.name,
                  cost=cost, player=house.name, gold=house.gold)  # fmt: skip
    copy = copy_in_play(state, house.id, card)
    host = ctx.element(args, "host") if args.has("host") else ""
    refusal = (
        duplicate_problem(copy, house.id)
        if copy
        else host_problem(state, card, host, args.flag("text"))
    )
    if refusal := refusal or take_opportunity(ctx, house.id):
        return refusal
    if copy is not None:
        ctx.add(card_events.duplicate, seat=house.id, player=house.name, card=copy.id,
                name=copy.name, code=card.code, paid=cost, from_="hand")  # fmt: skip
    else:
        enter(ctx, house.id, card, "ambush", "hand", cost, host, limited=counted)
    acted(ctx, house.id)
    return None


@command(
    "event",
    say("play an event from hand"),
    SEAT,
    CARD,
    ask("timing", "word", say("when: as an action, an interrupt or a reaction"),
        options=("action", "interrupt", "reaction")),
    ask("canceled", "flag", say("it was canceled: its cost stays paid")),
    REDUCE,
    KNEEL,
    ask("x", "number", say("the X of its cost")),
    ask("from", "word", say("hand or shadows"), options=("hand", "shadows")),
    ask("gold", "number", say("the price, if it is not the printed one")),
)  # fmt: skip
def play_event(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Pay, resolve, then the discard pile; also if canceled (AGOT-EVT-2, AGOT-EVT-4)."""
    state = ctx.state
    holder = state.window.holder if state.window else state.first
    house = ctx.house(args, default=holder)
    usual = "action" if state.window and not state.triggers else "reaction"
    timing = args.choice("timing", ("action", "interrupt", "reaction"), usual)
    dark = args.choice("from", ("hand", "shadows"), "hand") == "shadows"
    if dark:
        card = shadow_card(ctx, house.id, args.need("card"))
    else:
        card = deck_card(state, house.id, args.need("card"), "event")
    if isinstance(card, Refusal):
        return card
    if refusal := None if dark else from_hand(ctx, house.id, card):
        return refusal
    if "limited" in card.keywords and limited_full(state, house.id):
        return no("AGOT-KEY-21", "{player} has marshaled a limited card this round",
                  player=house.name)  # fmt: skip
    if timing == "action":
        if state.triggers:
            return no("AGOT-TRG-17", "first: {what}", what=state.triggers[-1].what)
        if refusal := take_opportunity(ctx, house.id):
            return refusal
    paid = (shadow_price if dark else price)(ctx, args, house.id, card)
    if isinstance(paid, Refusal):
        return paid
    ctx.kneel(ctx.cards(args, "kneel", factions=True))
    limited, canceled = "limited" in card.keywords, args.flag("canceled")
    ctx.add(
        card_events.event_played,
        seat=house.id,
        player=house.name,
        code=card.code,
        name=card.name,
        paid=paid,
        limited=limited,
        canceled=canceled,
        from_="shadows" if dark else "hand",
    )
    ctx.pay_prizes([(house.id, card.keyword_number("prized") or 0)])  # AGOT-KEY-54
    if timing == "action":
        acted(ctx, house.id)
    return None
