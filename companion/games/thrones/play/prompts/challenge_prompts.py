"""Challenges on the screen: declaring, defending, totals, claim and keywords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.prompt import Choice, Entry, Fact, Prompt, PromptForm, SeatTotal
from companion.games.thrones.cards.card import CHALLENGES
from companion.games.thrones.play import challenge_flow
from companion.games.thrones.play.dealt_cards import acts_unasked
from companion.games.thrones.play.events.challenge_events import CHALLENGE_WORDS, running
from companion.games.thrones.play.numbers import (
    challenge_side,
    claim_value,
    eligible,
    has_keyword,
    side_with,
    strength,
)
from companion.games.thrones.play.state import CardInPlay, ThronesState
from companion.games.thrones.rules.values import ChallengeSide, needed_to_win
from models.message import joined, listed_names, say

DECLARE = {
    "military": say("Military challenge"),
    "intrigue": say("Intrigue challenge"),
    "power": say("Power challenge"),
}
MOST_ALSO = 2
"""Of more opponents than these some are chosen in a form."""
MOST_TALLIED = 199
"""Up to which strength a form says what it comes to; effects can multiply it without end."""


def asked(state: ThronesState, viewer: str | None) -> Iterator[Prompt]:
    """The question of a step of the challenges phase."""
    match state.step:
        case "4.2":
            yield declare_prompt(state)
        case "4.2.X" if challenge_flow.redirect_pending(state):
            yield redirect_prompt(state)
        case "4.2.1":
            yield defend_prompt(state)
        case "4.2.2":
            yield result_prompt(state)
        case "4.2.4" if challenge_flow.asks_wide_claim(state):
            yield wide_claim_prompt(state)
        case "4.2.4":
            yield claim_prompt(state)
        case "4.2.5" if challenge_flow.order_asked(state):
            yield order_prompt(state)
        case "4.2.5":
            yield keyword_prompt(state)


def card_words(state: ThronesState, card: CardInPlay) -> str:
    """A character with its strength."""
    return say("{card} ({strength})", card=card.name, strength=strength(state, card))


# -- declaring -------------------------------------------------------------------------------------


def declare_prompt(state: ThronesState) -> Prompt:
    """The active player initiates a challenge or passes (AGOT-CHL-2, AGOT-CHL-4)."""
    name = state.house(state.active).name
    left = [kind for kind in CHALLENGES if challenge_flow.allowance(state, kind)]
    return Prompt(
        "challenge",
        say("{player}: initiate a challenge?", player=name),
        say("Left: {kinds}", kinds=joined([CHALLENGE_WORDS[kind] for kind in left])),
        (state.active,),
        facts=tuple(supported_facts(state)),
        choices=(Choice(say("No further challenge"), ({"do": "no-challenge"},)),),
        forms=tuple(declare_forms(state, left)),
        pieces=tuple(
            dict.fromkeys(one.id for kind in left for one in eligible(state, state.active, kind))
        ),
        rule="AGOT-CHL-2",
    )


def supported_facts(state: ThronesState) -> Iterator[Fact]:
    """Why somebody is no opponent (AGOT-TTL-16)."""
    player = state.house(state.active).name
    for seat in state.opponents(state.active):
        if state.supports(state.active, seat):
            yield Fact(say("{player} supports {opponent} and cannot attack", player=player,
                           opponent=state.house(seat).name))  # fmt: skip


def declare_forms(state: ThronesState, left: list[str]) -> Iterator[PromptForm]:
    """One form for each type that can still be initiated."""
    for kind in left:
        fighters = eligible(state, state.active, kind)
        opponents = challenge_flow.allowed_opponents(state, kind)
        if not fighters or not opponents:
            continue
        command = {"do": "challenge", "type": kind}
        entries = [fighter_entry(state, "attackers", say("Attackers"), fighters)]
        pairs = tuple(stealth_options(state, fighters, opponents, kind))
        halls = challenge_flow.assault_targets(state, fighters, opponents)
        entries += target_entries(pairs, halls)
        if len(opponents) > 1:
            entries.append(opponent_entry(state, opponents))
        else:
            command["against"] = opponents[0]
        most = sum(entries[0].worth)
        yield PromptForm(
            DECLARE[kind],
            command,
            tuple(entries),
            "plain",
            say("{n} character can attack", "{n} characters can attack", n=len(fighters)),
            opens=True,
            tallies=(
                "",
                *(
                    say("Attack {total}", total=side_with(state, state.active, kind, n, 1).total)
                    for n in range(1, min(most, MOST_TALLIED) + 1)
                ),
            ),
        )


def fighter_entry(
    state: ThronesState, field: str, text: str, fighters: tuple[CardInPlay, ...]
) -> Entry:
    """Characters to declare, each with its strength."""
    return Entry(
        field,
        text,
        "several",
        tuple((one.id, card_words(state, one)) for one in fighters),
        1,
        len(fighters),
        worth=tuple(strength(state, one) for one in fighters),
    )


def opponent_entry(state: ThronesState, opponents: tuple[str, ...]) -> Entry:
    """The opponents; choosing one declares the challenge."""
    names = tuple((one, state.house(one).name) for one in opponents)
    return Entry("against", say("Against"), options=names, sends=True)


def stealth_options(
    state: ThronesState,
    fighters: tuple[CardInPlay, ...],
    opponents: tuple[str, ...],
    kind: str = "",
) -> Iterator[tuple[str, str]]:
    """Who could bypass whom (AGOT-KEY-27); those first who could defend a challenge of a type."""
    for attacker in fighters:
        if not has_keyword(state, attacker, "stealth"):
            continue
        for seat in opponents:
            able = eligible(state, seat, kind) if kind else ()
            for target in sorted(state.controlled(seat, "character"), key=lambda o: o not in able):
                if not has_keyword(state, target, "stealth"):
                    text = say("{card} bypasses {target}", card=attacker.name, target=target.name)
                    yield f"{attacker.id}>{target.id}", text


def target_entries(
    pairs: tuple[tuple[str, str], ...], halls: Sequence[CardInPlay]
) -> Iterator[Entry]:
    """Whom stealth bypasses, one character for each attacker that has it (AGOT-KEY-27), and the
    location of assault (AGOT-KEY-42)."""
    if pairs:
        most = len({pair.partition(">")[0] for pair, _ in pairs})
        yield Entry("stealth", say("Stealth"), "several", pairs, most=most, required=False)
    if halls:
        named = tuple((one.id, one.name) for one in halls)
        yield Entry("assault", say("Assault"), options=named, required=False)


def redirect_prompt(state: ThronesState) -> Prompt:
    """The Crown Regent's offer, then the attacker's choice (AGOT-TTL-21, AGOT-TTL-22)."""
    found = running(state)
    if found.redirect == "asked":
        seat = challenge_flow.redirect_holder(state)
        return Prompt(
            "redirect",
            say("{player}: redirect the challenge?", player=state.house(seat).name),
            say("Once a round, before reactions to its initiation."),
            (seat,),
            facts=(Fact(summary(state)),),
            choices=tuple(redirect_choices(state)),
            rule="AGOT-TTL-21",
        )
    opponents = challenge_flow.redirect_opponents(state)
    targets = new_targets(state)
    forms: tuple[PromptForm, ...] = ()
    if targets:
        entries = (*targets, opponent_entry(state, opponents))
        text = say("New targets of assault")
        text = text if targets[0].field == "assault" else say("New stealth targets")
        forms = (PromptForm(text, {"do": "redirect-to"}, entries),)
    return Prompt(
        "redirect-to",
        say("{player}: against whom instead?", player=state.house(found.attacker).name),
        seats=(found.attacker,),
        choices=tuple(
            Choice(
                state.house(one).name,
                ({"do": "redirect-to", "against": one},),
                detail=without_words(targets),
                seat=one,
            )
            for one in opponents
        ),
        forms=forms,
        rule="AGOT-TTL-22",
    )


def redirect_choices(state: ThronesState) -> Iterator[Choice]:
    """Not redirected, with or without actions; or redirected, together with the opponent that the
    attacker chooses (AGOT-TTL-22)."""
    no, redirect = {"do": "redirect", "use": False}, {"do": "redirect", "use": True}
    passing = {"do": "pass", "all": True}
    if not acts_unasked(state):
        yield Choice(say("No redirect, no actions"), (no, passing), "primary")
        if not state.house(running(state).defender).dealt:
            text = say("No redirect, no actions, no defenders: {result}",
                       result=expected_result(state))  # fmt: skip
            yield Choice(text, (no, passing, {"do": "defend"}, passing))
    yield Choice(say("No redirect"), (no,), detail=say("then actions before defenders"))
    if targets := new_targets(state):
        told = say("then a new target of assault")
        told = told if targets[0].field == "assault" else say("then new stealth targets")
        yield Choice(say("Redirect"), (redirect,), detail=told)
        return
    attacker = state.house(running(state).attacker).name
    for seat in challenge_flow.redirect_opponents(state):
        text = say(
            "Redirect: {attacker} chooses {player}",
            attacker=attacker,
            player=state.house(seat).name,
        )
        yield Choice(text, (redirect, {"do": "redirect-to", "against": seat}), seat=seat)


def new_targets(state: ThronesState) -> tuple[Entry, ...]:
    """Whom the attackers could bypass after a redirect (AGOT-TTL-24), and the locations that they
    could assault then (AGOT-KEY-51)."""
    fighters = tuple(state.card(one) for one in running(state).attackers)
    opponents = challenge_flow.redirect_opponents(state)
    halls = challenge_flow.assault_targets(state, fighters, opponents)
    return tuple(target_entries(tuple(stealth_options(state, fighters, opponents)), halls))


def without_words(targets: Sequence[Entry]) -> str:
    """What a choice without new targets leaves out."""
    match [one.field for one in targets]:
        case ["stealth"]:
            return say("without stealth")
        case ["assault"]:
            return say("without assault")
        case []:
            return ""
    return say("without stealth and assault")


# -- resolving -------------------------------------------------------------------------------------


def summary(state: ThronesState) -> str:
    """The challenge in one line."""
    found = running(state)
    return say(
        "{challenge}: {attacker} against {defender}",
        challenge=DECLARE[found.type],
        attacker=state.house(found.attacker).name,
        defender=state.house(found.defender).name,
    )


def challenge_totals(state: ThronesState) -> Iterator[SeatTotal]:
    """Both sides with their totals and what they are made of."""
    found = running(state)
    sides = ((found.attacker, found.attackers), (found.defender, found.defenders))
    for seat, cards in sides:
        parts = [strength(state, state.card(one)) for one in cards]
        total = challenge_side(state, seat).total
        if (rest := total - sum(parts)) or len(parts) > 1:
            shown = joined([str(one) for one in (*parts, *((rest,) if rest else ()))], " + ")
        else:
            shown = ""
        yield SeatTotal(seat, total, shown)


def lack_facts(state: ThronesState) -> Iterator[Fact]:
    """What the losing side lacks."""
    found = running(state)
    attack = challenge_side(state, found.attacker).total
    defence = challenge_side(state, found.defender).total
    for seat, own, other, attacking in (
        (found.attacker, attack, defence, True),
        (found.defender, defence, attack, False),
    ):
        if lack := needed_to_win(own, other, attacking):
            name = state.house(seat).name
            yield Fact(say("{player} needs +{lack} to win", player=name, lack=lack), "bad")


def prize_words(state: ThronesState) -> str:
    """What the attacker wins: claim (AGOT-CLM-1), power for renown (AGOT-KEY-13), unopposed
    (AGOT-CHL-32) and a rival (AGOT-CHL-33)."""
    found = running(state)
    parts = [say("claim {claim}", claim=claim_value(state))]
    renown = sum(has_keyword(state, state.card(one), "renown") for one in found.attackers)
    if renown:
        parts.append(say("{n} power by renown", n=renown))
    if not found.defenders:
        parts.append(say("1 power if unopposed"))
    beaten = state.house(found.attacker).rivals_beaten
    if state.rivals(found.attacker, found.defender) and found.defender not in beaten:
        parts.append(say("1 power for a rival"))
    name = state.house(found.attacker).name
    return say("If {player} wins: {prize}", player=name, prize=joined(parts))


def expected_result(state: ThronesState) -> str:
    """Who wins if strength is compared now (AGOT-CHL-25 to -30); who has won, once it was."""
    found = running(state)
    if found.compared:
        return winner_words(state, found.winner, found.unopposed)
    return result_words(
        state,
        challenge_side(state, found.attacker),
        challenge_side(state, found.defender),
    )


def result_words(state: ThronesState, attack: ChallengeSide, defence: ChallengeSide) -> str:
    """Who wins with these sides."""
    seat, result = challenge_flow.result_of(state, attack, defence)
    return winner_words(state, seat, result.unopposed)


def winner_words(state: ThronesState, seat: str, unopposed: bool) -> str:
    """Who wins, "" for nobody."""
    if not seat:
        return say("nobody wins")
    if unopposed:
        return say("{player} wins unopposed", player=state.house(seat).name)
    return say("{player} wins", player=state.house(seat).name)


def defend_prompt(state: ThronesState) -> Prompt:
    """Any number of eligible defenders (AGOT-CHL-16)."""
    found = running(state)
    able = eligible(state, found.defender, found.type)
    forms: tuple[PromptForm, ...] = ()
    if able:
        entry = fighter_entry(state, "defenders", say("Defenders"), able)
        tallies = tuple(defence_tallies(state, sum(entry.worth)))
        detail = say("Tap the defenders in the row or here.")
        command = {"do": "defend"}
        forms = (PromptForm(say("Defend"), command, (entry,), "primary", detail, tallies=tallies),)
    none = Choice(say("No defenders"), ({"do": "defend", "defenders": []},),
                  "quiet" if able else "primary")  # fmt: skip
    unable = () if able else (Fact(say("No character can defend")),)
    return Prompt(
        "defend",
        say("{player}: declare defenders", player=state.house(found.defender).name),
        summary(state),
        (found.defender,),
        facts=(*unable, *lack_facts(state), Fact(prize_words(state))),
        totals=tuple(challenge_totals(state)),
        choices=(none,),
        forms=forms,
        pieces=tuple(one.id for one in able),
        rule="AGOT-CHL-16",
    )


def defence_tallies(state: ThronesState, most: int) -> Iterator[str]:
    """What defending with so much strength comes to, from 0 on."""
    found = running(state)
    attack = challenge_side(state, found.attacker)
    yield ""
    for base in range(1, min(most, MOST_TALLIED) + 1):
        defence = side_with(state, found.defender, found.type, base, 1)
        yield say(
            "{defence} against {attack}: {result}",
            defence=defence.total,
            attack=attack.total,
            result=result_words(state, attack, defence),
        )


def result_prompt(state: ThronesState) -> Prompt:
    """The comparison, with what follows; reactions come now (AGOT-CHL-31)."""
    found = running(state)
    if not found.winner:
        title = say("Nobody wins the challenge")
    elif found.unopposed:
        title = say("{player} wins unopposed", player=state.house(found.winner).name)
    else:
        title = say("{player} wins the challenge", player=state.house(found.winner).name)
    claims = tuple(unanswered_claims(state))
    return Prompt(
        "result",
        title,
        summary(state),
        totals=tuple(challenge_totals(state)),
        facts=(
            Fact(claim_words(state)),
            *victim_facts(state),
            Fact(say("Reactions to winning or losing come now, before bonuses.")),
        ),
        choices=(
            Choice(next_words(state), ({"do": "continue"},), "primary"),
            *claims,
        ),
        forms=tuple(replacing_forms(state)),
        pieces=tuple(one.piece for one in claims if one.piece),
        rule="AGOT-CHL-31",
    )


def replacing_forms(state: ThronesState) -> Iterator[PromptForm]:
    """What replaces a claim that asks nobody, before it happens by itself (AGOT-EFF-10)."""
    found = running(state)
    won = found.winner == found.attacker and not challenge_flow.bonuses_win(state)
    if won and claim_value(state) and not challenge_flow.asks_claim(state):
        text = say("The claim is replaced by card text")
        yield replace(instead_form(), text=text, command={"do": "continue"}, opens=True)


def claim_words(state: ThronesState) -> str:
    """The claim if the attacker has won; else there is none (AGOT-CHL-36)."""
    if running(state).winner != running(state).attacker:
        return say("No claim: the attacker has not won.")
    return say("Claim {claim}", claim=claim_value(state))


def victim_facts(state: ThronesState) -> Iterator[Fact]:
    """Who chooses the character that dies (AGOT-CLM-3)."""
    if single_victims(state):
        name = state.house(running(state).defender).name
        yield Fact(say("{player} chooses who is killed", player=name))


def next_words(state: ThronesState) -> str:
    """What follows when nobody reacts: whom the claim hits (AGOT-CHL-34)."""
    found = running(state)
    claim = claim_value(state)
    if found.winner != found.attacker or not claim:
        return say("Go on")
    return say("Go on: {player} suffers claim {claim}", player=state.house(found.defender).name,
               claim=claim)  # fmt: skip


def single_victims(state: ThronesState) -> tuple[CardInPlay, ...]:
    """Among whom the loser chooses 1 character to die, if nobody reacts (AGOT-CLM-3)."""
    found = running(state)
    military = found.type == "military" and found.winner == found.attacker
    victims = tuple(state.controlled(found.defender, "character")) if military else ()
    return victims if min(claim_value(state), len(victims)) == 1 else ()


def unanswered_claims(state: ThronesState) -> Iterator[Choice]:
    """Nobody reacts, and the claim follows at once; not where the game is won before it."""
    if challenge_flow.bonuses_win(state):
        return
    kept = bool(state.house(running(state).defender).dealt)  # the app says whom it loses (CLM-3)
    victims = () if kept else single_victims(state)
    claims = [one for card in victims for one in kill_choices(state, card)]
    if (n := random_discards(state)) and not challenge_flow.asks_wide_claim(state):
        name = state.house(running(state).defender).name
        claims.append(Choice(discard_words(name, n), ({"do": "claim"},)))
    for choice in claims:
        text = say("No reactions: {claim}", claim=choice.text)
        yield replace(choice, text=text, commands=({"do": "continue"}, *choice.commands))


def random_discards(state: ThronesState) -> int:
    """How many cards an intrigue claim takes from the loser's hand (AGOT-CLM-9)."""
    found = running(state)
    won = found.type == "intrigue" and found.winner == found.attacker
    return min(claim_value(state), state.house(found.defender).hand) if won else 0


def discard_words(player: str, n: int) -> str:
    return say("{player} discards {n} random card", "{player} discards {n} random cards",
               player=player, n=n)  # fmt: skip


# -- claim and keywords ----------------------------------------------------------------------------


def wide_claim_prompt(state: ThronesState) -> Prompt:
    """The attacker says whom else the claim hits (AGOT-OR-4)."""
    found = running(state)
    others = challenge_flow.wide_opponents(state)
    options = tuple((one, state.house(one).name) for one in others)
    entry = Entry("seats", say("Opponents"), "several", options, least=1, most=len(others))
    command = {"do": "wide-claim"}
    alone = say("Only {player}", player=state.house(found.defender).name)
    also = [([one], say("Also {player}", player=state.house(one).name)) for one in others]
    if len(others) > 1:
        also.append(([*others], say("All of them")))
    return Prompt(
        "wide-claim",
        say("{player}: whom else does the claim hit?", player=state.house(found.attacker).name),
        say("The title lets several opponents suffer an intrigue claim."),
        (found.attacker,),
        choices=(
            Choice(alone, ({"do": "wide-claim", "seats": []},), "primary"),
            *(Choice(text, ({"do": "wide-claim", "seats": seats},)) for seats, text in also),
        ),
        forms=(PromptForm(say("These opponents too"), command, (entry,), opens=True),)
        if len(others) > MOST_ALSO
        else (),
        rule="AGOT-OR-4",
    )


def claim_prompt(state: ThronesState) -> Prompt:
    """The defending player resolves claim (AGOT-CHL-35)."""
    found = running(state)
    claim = claim_value(state)
    name = state.house(state.sufferer).name
    if found.type == "intrigue":
        n = min(claim, state.house(state.sufferer).hand)
        return Prompt(
            "claim",
            say("{player} suffers claim {claim}", player=name, claim=claim),
            say("The cards are drawn at random from the hand."),
            (state.sufferer,),
            facts=(
                Fact(
                    say("A given card of the hand is among them"),
                    chance=n / max(1, state.house(state.sufferer).hand),
                ),
            ),
            choices=(Choice(discard_words(name, n), ({"do": "claim"},), "primary"),),
            forms=(instead_form(),),
            rule="AGOT-CLM-9",
        )
    victims = challenge_flow.claim_victims(state)
    due = min(claim, len(victims))
    choices: list[Choice] = []
    forms: list[PromptForm] = []
    if due == 1:
        choices += [one for card in victims for one in kill_choices(state, card)]
        forms.append(ability_form(victims))
    else:
        options = tuple((one.id, card_words(state, one)) for one in victims)
        every = [one.id for one in victims] if due == len(victims) else None  # AGOT-CLM-8
        entry = Entry("cards", say("Characters"), "several", options, due, due, every)
        saves = tuple(one for card in victims for one in save_options(card))
        saving = Entry("save", say("Saved by"), "several", saves, required=False)
        forms.append(PromptForm(say("Kill these"), {"do": "claim", "save": []}, (entry, saving),
                                "primary"))  # fmt: skip
    return Prompt(
        "claim",
        say("{player} suffers claim {claim}", player=name, claim=claim),
        say("Choose {n} character", "Choose {n} different characters", n=due),
        (state.sufferer,),
        choices=tuple(choices),
        forms=(*forms, instead_form()),
        pieces=tuple(one.id for one in victims),
        rule="AGOT-CLM-3",
    )


def kill_choices(state: ThronesState, card: CardInPlay) -> Iterator[Choice]:
    """A character dies, or its duplicate saves it (AGOT-UNI-7)."""
    command = {"do": "claim", "cards": [card.id], "save": "none"}
    yield Choice(say("{card} is killed", card=card.name), (command,), piece=card.id)
    if card.duplicates:
        saved = {**command, "save": "duplicate"}
        text = say("{card}, saved by its duplicate", card=card.name)
        yield Choice(text, (saved,), piece=card.id)


def ability_form(victims: Sequence[CardInPlay]) -> PromptForm:
    """The character that is chosen and saved by an ability (AGOT-CLM-7)."""
    options = tuple((one.id, one.name) for one in victims)
    entry = Entry("cards", say("Characters"), "several", options, 1, 1)
    command = {"do": "claim", "save": "ability"}
    return PromptForm(say("Saved by an ability"), command, (entry,), "quiet", opens=True)


def save_options(card: CardInPlay) -> Iterator[tuple[str, str]]:
    """How one of several characters may be saved, each on its own (AGOT-UNI-7, AGOT-CLM-7)."""
    if card.duplicates:
        yield f"{card.id}>duplicate", say("{card}, saved by its duplicate", card=card.name)
    yield f"{card.id}>ability", say("{card}, saved by an ability", card=card.name)


def instead_form() -> PromptForm:
    """A card's text replaces the claim."""
    entry = Entry("instead", say("What happens instead"), "text")
    return PromptForm(say("Replaced by card text"), {"do": "claim"}, (entry,), "quiet")


def keyword_prompt(state: ThronesState) -> Prompt:
    """The winner uses a keyword or does not; a first player who has won picks which one is next."""
    found = running(state)
    due = challenge_flow.due_keyword(state)
    choices: list[Choice] = []
    forms: list[PromptForm] = []
    for word in (due,) if due else found.keywords:
        cards = challenge_flow.keyword_cards(state, word)
        names = listed_names(one.name for one in cards)
        command = {"do": "keyword", "keyword": word}
        if word == "intimidate":
            for target in challenge_flow.intimidated(state):
                text = say("Intimidate: {card} kneels", card=target.name)
                using = {**command, "target": target.id}
                choices.append(Choice(text, (using,), detail=names, piece=target.id))
        else:
            choices.append(Choice(KEYWORD_WORDS[word], (command,), "primary", names))
            if len(cards) > 1:
                forms.append(some_form(word, cards))
        text = say("No {keyword}", keyword=say(word))
        choices.append(Choice(text, ({**command, "decline": True},), "quiet"))
    winner = state.house(found.winner).name
    return Prompt(
        "keyword",
        say("{player} has challenge keywords", player=winner),
        say("{player} chooses the order.", player=winner) if not due else "",
        (found.winner,),
        choices=tuple(choices),
        forms=tuple(forms),
        rule=KEYWORD_RULES[due] if due else "AGOT-KEY-7",
    )


def some_form(word: str, cards: Sequence[CardInPlay]) -> PromptForm:
    """Each character may use its keyword or not (AGOT-KEY-11 to -13)."""
    options = tuple((one.id, one.name) for one in cards)
    entry = Entry("cards", say("Characters"), "several", options, 1, len(cards))
    command = {"do": "keyword", "keyword": word}
    return PromptForm(say("Only some of them: {keyword}", keyword=say(word)), command, (entry,),
                      "quiet", opens=True)  # fmt: skip


def order_prompt(state: ThronesState) -> Prompt:
    """The first player picks the next type of keyword; whether it is used, its winner decides
    (AGOT-KEY-7)."""
    found = running(state)
    return Prompt(
        "keyword-order",
        say("{player}: which keyword is next?", player=state.house(state.first).name),
        say("{player} has challenge keywords", player=state.house(found.winner).name),
        (state.first,),
        choices=tuple(
            Choice(
                say(word),
                ({"do": "keyword-order", "keyword": word},),
                detail=listed_names(one.name for one in challenge_flow.keyword_cards(state, word)),
            )
            for word in found.keywords
        ),
        rule="AGOT-KEY-7",
    )


KEYWORD_RULES = {
    "insight": "AGOT-KEY-11",
    "pillage": "AGOT-KEY-12",
    "renown": "AGOT-KEY-13",
    "intimidate": "AGOT-KEY-15",
}
KEYWORD_WORDS = {
    "insight": say("Insight: draw"),
    "pillage": say("Pillage: discard from the deck"),
    "renown": say("Renown: gain power"),
}
