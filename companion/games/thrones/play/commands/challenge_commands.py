"""Commands of challenges: declare, redirect, defend, claim, keywords."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.cards_in_play import leave_play, read_saves
from companion.games.thrones.play.commands.pile_commands import discard_cards, move, named_codes
from companion.games.thrones.play.context import CommandFields, ThronesContext, command
from companion.games.thrones.play.events import card_events, challenge_events, round_events
from companion.games.thrones.play.events.challenge_events import CHALLENGE_WORDS, running
from companion.games.thrones.play.numbers import claim_value, has_icon, has_keyword
from companion.games.thrones.play.state import CardInPlay
from models.field import Field
from models.message import say

STEALTH = ask("stealth", "object", say("whom each attacker with stealth bypasses: card to card"))
ASSAULT = ask("assault", "word", say("the location that an attacker with assault chooses"))
WHY = ask("why", "text", say("the reason"))


@command(
    "challenge",
    say("initiate a challenge: type, opponent, attackers, stealth"),
    ask("type", "word", say("military, intrigue or power"), True, CHALLENGES),
    ask("against", "side", say("the opponent; may be left out in a joust")),
    ask("attackers", "list", say("the attacking characters"), True),
    STEALTH,
    ASSAULT,
    phases=("4.2",),
)
def declare(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """One indivisible act of the active player (AGOT-CHL-5, AGOT-ORD-17)."""
    state = ctx.state
    kind = args.choice("type", CHALLENGES)
    player = ctx.player(state.active)
    if not challenge_flow.allowance(state, kind):
        return no("AGOT-CHL-6", "{player} has initiated a {challenge} already", player=player,
                  challenge=CHALLENGE_WORDS[kind])  # fmt: skip
    opponents = state.opponents(state.active)
    usual = opponents[0] if len(opponents) == 1 else None
    against = args.choice("against", opponents, usual)
    if state.supports(state.active, against):
        return no("AGOT-TTL-16", "{player} supports {opponent} and cannot attack",
                  player=player, opponent=ctx.player(against))  # fmt: skip
    if against not in challenge_flow.allowed_opponents(state, kind):
        return no("AGOT-OR-4", "the additional challenge goes against another opponent")
    attackers = ctx.cards(args, "attackers")
    if not attackers:
        return no("AGOT-CHL-9", "at least 1 attacker must be declared")
    for card in attackers:
        if refusal := fighter_problem(ctx, card, state.active, kind, "AGOT-CHL-8"):
            return refusal
    stealth = read_stealth(ctx, args, attackers, against)
    if isinstance(stealth, Refusal):
        return stealth
    assault = read_assault(ctx, args, attackers, against)
    if isinstance(assault, Refusal):
        return assault
    ctx.add(
        challenge_events.challenge,
        kind=kind,
        player=player,
        against=against,
        opponent=ctx.player(against),
        attackers=[one.id for one in attackers],
        names=[one.name for one in attackers],
        stealth=stealth,
        extra=challenge_flow.allowance(state, kind, against) == "extra",
        assault=assault,
        **({"bypassed": [state.card(one).name for _, one in stealth]} if stealth else {}),
    )
    kneel_quietly(ctx, attackers)
    return None


def kneel_quietly(ctx: ThronesContext, cards: list[CardInPlay]) -> None:
    """Attackers and defenders kneel at once (AGOT-CHL-10, AGOT-CHL-16)."""
    if cards:
        ctx.add(card_events.knelt, cards=[one.id for one in cards], names=[])


def fighter_problem(
    ctx: ThronesContext, card: CardInPlay, seat: str, kind: str, rule: str
) -> Refusal | None:
    """Why a card cannot attack or defend: not an own standing character with the icon."""
    if card.type != "character":
        return no(rule, "{card} is not a character", card=card.name)
    if card.controller != seat:
        return no(rule, "{player} does not control {card}", player=ctx.player(seat), card=card.name)
    if card.kneeling:
        return no(rule, "{card} is kneeling", card=card.name)
    if not has_icon(ctx.state, card, kind):
        return no(rule, "{card} has no {icon} icon", card=card.name, icon=say(kind))
    return None


def read_stealth(
    ctx: ThronesContext, args: CommandFields, attackers: list[CardInPlay], against: str
) -> list[list[str]] | Refusal:
    """Each attacker with stealth may bypass one character without it (AGOT-KEY-27, AGOT-CHL-11)."""
    found: list[list[str]] = []
    known = {one.id: one for one in ctx.state.cards}
    for attacker, field in stealth_pairs(args, list(known)):
        if known[attacker] not in attackers:
            return no("AGOT-KEY-27", "{card} must attack to use stealth", card=known[attacker].name)
        if not has_keyword(ctx.state, known[attacker], "stealth"):
            return no("AGOT-KEY-27", "{card} has no stealth", card=known[attacker].name)
        if attacker in (one for one, _ in found):
            return no("AGOT-KEY-27", "{card} bypasses one character only",
                      card=known[attacker].name)  # fmt: skip
        target = known[field.choice(known)]
        if target.controller != against or target.type != "character":
            return no("AGOT-KEY-27", "{card} is no character of {player}", card=target.name,
                      player=ctx.player(against))  # fmt: skip
        if has_keyword(ctx.state, target, "stealth"):
            return no("AGOT-KEY-27", "{card} has stealth itself", card=target.name)
        twice = target.id in (other for _, other in found)
        if twice and ctx.state.readings.stealth_twice == "forbidden":  # AGOT-OR-19
            return no("AGOT-KEY-27", "{card} is bypassed already", card=target.name)
        found.append([attacker, target.id])
    return found


def read_assault(
    ctx: ThronesContext, args: CommandFields, attackers: list[CardInPlay], against: str
) -> str | Refusal:
    """One location of the opponent that is cheaper than an attacker with assault (AGOT-KEY-41),
    chosen with the attackers (AGOT-KEY-42) and only one of them (AGOT-KEY-43)."""
    if not args.has("assault"):
        return ""
    target = ctx.card(args, "assault")
    able = challenge_flow.assault_targets(ctx.state, attackers, (against,))
    if target.id not in (one.id for one in able):
        return no("AGOT-KEY-41", "{card} is no location of {player} that costs less than an"
                  " attacker with assault", card=target.name,
                  player=ctx.player(against))  # fmt: skip
    return target.id


def stealth_pairs(args: CommandFields, cards: list[str]) -> Iterator[tuple[str, Field]]:
    """Who bypasses whom: an object of cards, or a list of texts "attacker>target"."""
    if not args.has("stealth"):
        return
    field = args.field("stealth")
    if isinstance(field.raw, list):
        for item in field.items(30):
            attacker, _, target = item.text(60).partition(">")
            Field(attacker, item.source, item.place).choice(cards)
            yield attacker, Field(target, item.source, item.place)
        return
    for attacker in field.keys(cards):
        yield attacker, field.member(attacker)


@command("no-challenge", say("initiate no further challenge"), phases=("4.2",))
def no_challenge(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The active player passes (AGOT-CHL-4)."""
    active = ctx.player(ctx.state.active)
    ctx.add(round_events.confirmed, step=ctx.state.step, player=active)
    return None


# -- redirecting -----------------------------------------------------------------------------------


@command(
    "redirect",
    say("the Crown Regent redirects the challenge, or not"),
    ask("use", "flag", say("redirect it"), True),
    phases=("4.2.X",),
)
def redirect(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Before reactions to its initiation (AGOT-TTL-21)."""
    if running(ctx.state).redirect != "asked":
        return no("AGOT-TTL-22", "the attacking player chooses a new opponent now")
    seat = challenge_flow.redirect_holder(ctx.state)
    if not seat:  # the offer has lapsed
        return no("AGOT-TTL-20", "the challenge is not redirected")
    ctx.add(
        challenge_events.redirect, seat=seat, player=ctx.player(seat), use=args.field("use").flag()
    )
    return None


@command(
    "redirect-to",
    say("the new opponent of a redirected challenge"),
    ask("against", "side", say("the new opponent"), True),
    STEALTH,
    ASSAULT,
    phases=("4.2.X",),
)
def redirect_to(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Not the original opponent; supported players too (AGOT-TTL-22 to -27)."""
    state = ctx.state
    found = running(state)
    if found.redirect != "choosing":
        return no("AGOT-TTL-21", "the challenge is not redirected")
    against = args.choice("against", state.opponents(found.attacker))
    if against not in challenge_flow.redirect_opponents(state):
        return no("AGOT-TTL-23", "not the original opponent")
    attackers = [state.card(one) for one in found.attackers]
    stealth = read_stealth(ctx, args, attackers, against)
    if isinstance(stealth, Refusal):
        return stealth
    assault = read_assault(ctx, args, attackers, against)
    if isinstance(assault, Refusal):
        return assault
    ctx.add(
        challenge_events.redirected,
        against=against,
        opponent=ctx.player(against),
        stealth=stealth,
        assault=assault,
    )
    return None


# -- defending -------------------------------------------------------------------------------------


@command(
    "defend",
    say("declare defenders, or none"),
    ask("defenders", "list", say("the defending characters; none if left out")),
    phases=("4.2.1",),
)
def defend(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Any number of eligible defenders, also none (AGOT-CHL-16, AGOT-CHL-17)."""
    found = running(ctx.state)
    cards = ctx.cards(args, "defenders")
    for card in cards:
        if refusal := fighter_problem(ctx, card, found.defender, found.type, "AGOT-CHL-17"):
            return refusal
        if card.id in found.bypassed:
            return no("AGOT-KEY-28", "{card} is bypassed by stealth", card=card.name)
    names = [one.name for one in cards]
    ctx.add(challenge_events.defenders, cards=[one.id for one in cards], names=names,
            player=ctx.player(found.defender))  # fmt: skip
    kneel_quietly(ctx, cards)
    return None


@command(
    "remove-from-challenge",
    say("a card's text removes a character from the challenge"),
    ask("card", "word", say("the character"), True),
)
def remove(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """It no longer participates (AGOT-CHL-19, AGOT-CHL-20)."""
    card = ctx.card(args)
    if ctx.state.challenge is None or card.id not in ctx.state.challenge.participants:
        return no("AGOT-CHL-19", "{card} does not participate", card=card.name)
    ctx.add(challenge_events.removed_from_challenge, card=card.id, name=card.name)
    return None


@command(
    "extra-challenge",
    say("a card's text allows the active player one more challenge of a type"),
    ask("type", "word", say("military, intrigue or power"), True, CHALLENGES),
    WHY,
)
def extra_challenge(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Card text may allow additional challenges (AGOT-CHL-3)."""
    kind = args.choice("type", CHALLENGES)
    if ctx.state.phase != "challenges" or not ctx.state.active:
        return no("AGOT-CHL-3", "additional challenges are for the challenges phase")
    why = args.text("why") or say("card text")
    player, challenge = ctx.player(ctx.state.active), CHALLENGE_WORDS[kind]
    ctx.add(
        challenge_events.extra_challenge, kind=kind, challenge=challenge, player=player, why=why
    )
    return None


# -- claim and keywords ----------------------------------------------------------------------------


@command(
    "claim",
    say("resolve the claim: characters that die, or cards discarded from hand"),
    ask("cards", "list", say("military: the characters; intrigue: names of the discarded cards")),
    ask("save", "object", say("how a chosen character is saved: duplicate, ability or none")),
    ask("instead", "text", say("a card's text replaces the claim: the reason")),
    phases=("4.2.4",),
)
def claim(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The defending player suffers the claim (AGOT-CLM-2)."""
    value = claim_value(ctx.state)
    found = running(ctx.state)
    if challenge_flow.asks_wide_claim(ctx.state):
        return no("AGOT-OR-4", "first {player} says whom else the claim hits",
                  player=ctx.player(found.attacker))  # fmt: skip
    if args.has("instead"):
        why = args.need("instead")
        ctx.add(challenge_events.claimed, claim=value, why=why, seat=ctx.state.sufferer)
        challenge_flow.begin_claim(ctx)
        return None
    if found.type == "military":
        refusal = military_claim(ctx, args, value)
    else:
        refusal = intrigue_claim(ctx, args, value)
    if refusal:
        return refusal
    if ctx.state.challenge is not None:
        ctx.add(challenge_events.claimed, claim=value, seat=ctx.state.sufferer)
        challenge_flow.begin_claim(ctx)
    return None


@command(
    "wide-claim",
    say("the attacker's title: which further opponents suffer the claim"),
    ask("seats", "list", say("the opponents besides the defending player; none if left out")),
    phases=("4.2.4",),
)
def wide_claim(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The Master of Whisperers may apply an intrigue claim to several opponents (AGOT-OR-4)."""
    if not challenge_flow.asks_wide_claim(ctx.state):
        return no("AGOT-OR-4", "the claim hits the defending player only")
    able = challenge_flow.wide_opponents(ctx.state)
    chosen = (
        [item.choice(able) for item in args.field("seats").items(6)] if args.has("seats") else []
    )
    seats = [seat for seat in able if seat in chosen]
    names = ", ".join(map(ctx.player, seats))
    player = ctx.player(running(ctx.state).attacker)
    ctx.add(challenge_events.wide_claim, seats=seats, player=player, names=names or "–")
    challenge_flow.begin_claim(ctx)
    return None


def military_claim(ctx: ThronesContext, args: CommandFields, value: int) -> Refusal | None:
    """Different characters of the loser die at once; saved ones count too (AGOT-CLM-3 to -8)."""
    victims = {one.id for one in challenge_flow.claim_victims(ctx.state)}
    due = min(value, len(victims))
    chosen = ctx.cards(args)
    for card in chosen:
        if card.id not in victims:
            return no("AGOT-CLM-3", "{card} is no character of {player}", card=card.name,
                      player=ctx.player(running(ctx.state).defender))  # fmt: skip
    if len(chosen) != due:
        return no(
            "AGOT-CLM-3",
            "{player} chooses {n} character to be killed",
            "{player} chooses {n} different characters to be killed",
            player=ctx.player(running(ctx.state).defender),
            n=due,
        )
    saves = read_saves(ctx, args, chosen)
    if isinstance(saves, Refusal):
        return saves
    leave_play(ctx, [(card, "dead") for card in chosen], "killed", saves)
    return None


def intrigue_claim(ctx: ThronesContext, args: CommandFields, value: int) -> Refusal | None:
    """The loser discards that many random cards from hand (AGOT-CLM-9, AGOT-CLM-10)."""
    seat = ctx.state.sufferer
    due = min(value, ctx.state.house(seat).hand)
    return discard_cards(ctx, args, seat, due, "hand", "AGOT-CLM-9")


@command(
    "keyword-order",
    say("the first player picks the challenge keyword that is resolved next"),
    ask("keyword", "word", say("insight, intimidate, pillage or renown"), True),
    phases=("4.2.5",),
)
def keyword_order(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """The first player orders the types; the winner uses them or not (AGOT-KEY-7)."""
    word = args.choice("keyword", challenge_flow.KEYWORDS)
    if word not in running(ctx.state).keywords:
        return no("AGOT-KEY-7", "nothing to resolve with {keyword}", keyword=say(word))
    ctx.add(challenge_events.keyword_order, player=ctx.player(ctx.state.first), keyword=word)
    return None


@command(
    "keyword",
    say("resolve a challenge keyword of the winner; the first player chooses the order"),
    ask("keyword", "word", say("insight, intimidate, pillage or renown"), True),
    ask("cards", "list", say("the characters that use it; all if left out")),
    ask("target", "word", say("intimidate: the character that kneels")),
    ask("decline", "flag", say("nobody uses it")),
    ask("discarded", "list", say("pillage: names of the discarded cards")),
    phases=("4.2.5",),
)
def keyword(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """All instances of a keyword resolve at once (AGOT-KEY-7)."""
    found = running(ctx.state)
    word = args.choice("keyword", challenge_flow.KEYWORDS)
    if word not in found.keywords:
        return no("AGOT-KEY-7", "nothing to resolve with {keyword}", keyword=say(word))
    if word != (due := challenge_flow.due_keyword(ctx.state) or word):
        return no("AGOT-KEY-7", "first: {what}", what=say(due))
    able = challenge_flow.keyword_cards(ctx.state, word)
    using = list(able)
    if args.flag("decline"):
        using = []
    elif args.has("cards"):
        using = ctx.cards(args)
        for card in using:
            if card.id not in (one.id for one in able):
                return no("AGOT-KEY-9", "{card} contributes no {keyword}", card=card.name,
                          keyword=say(word))  # fmt: skip
    target = None
    if word == "intimidate" and using:
        using = using[:1]  # AGOT-KEY-17
        target = ctx.card(args, "target")
        if target.id not in (one.id for one in challenge_flow.intimidated(ctx.state)):
            return no("AGOT-KEY-16", "{card} cannot be chosen: it needs a standing character of the"
                      " loser with strength {most} or less", card=target.name,
                      most=found.difference)  # fmt: skip
    most = min(len(using), ctx.state.house(found.loser).draw_deck) if word == "pillage" else 0
    codes = named_codes(ctx, args, found.loser, most, "AGOT-KEY-12", "deck", "discarded")
    if isinstance(codes, Refusal):
        return codes
    names = [one.name for one in using]
    ctx.add(challenge_events.keyword, keyword=word, cards=[one.id for one in using], names=names)
    resolve_keyword(ctx, word, using, target, found.winner, found.loser, codes)
    return None


def resolve_keyword(
    ctx: ThronesContext,
    word: str,
    using: list[CardInPlay],
    target: CardInPlay | None,
    winner: str,
    loser: str,
    pillaged: list[str],
) -> None:
    """What a keyword does: draw (AGOT-KEY-11), discard (AGOT-KEY-12), power (AGOT-KEY-13), kneel
    (AGOT-KEY-15)."""
    if word == "insight":
        ctx.draw([(winner, len(using))])
    elif word == "pillage":
        move(ctx, loser, pillaged, "deck", "discard")
    elif word == "renown":
        ctx.gain_power([(one.id, 1) for one in using], say("renown"))
    elif target is not None:
        ctx.kneel([target])
