"""Effects on the screen: interrupts, reactions, and questions that every player answers."""

from __future__ import annotations

from companion.games.api.play import Plain
from companion.games.api.prompt import Choice, Entry, Fact, Prompt, PromptForm
from companion.games.thrones.play.effects import FORCED
from companion.games.thrones.play.events.count_events import stat_words
from companion.games.thrones.play.numbers import GAINED
from companion.games.thrones.play.prompts.reminders import trigger_choices
from companion.games.thrones.play.state import CardInPlay, ThronesState, ValueModifier
from models.message import say

STAGE_WORDS = {
    "would": say('Interrupts with "would", cancels and saves'),
    "forced-interrupt": say("Forced interrupts"),
    "interrupt": say("Interrupts"),
    "occurs": say("It happens now"),
    "forced-reaction": say("Forced reactions"),
    "reaction": say("Reactions"),
}

USUAL_GIFTS = (1, 2, 3)
"""The strength that attachments often give: one tap each."""


def trigger_prompt(state: ThronesState) -> Prompt:
    """The stage of the innermost sequence (AGOT-TRG-2)."""
    top = state.triggers[-1]
    alone = top.stage in FORCED or top.stage == "occurs"
    seat = state.first if alone else top.window.holder
    name = state.house(seat).name
    done = {"do": "pass-trigger", "all": True}
    choices = [Choice(say("Done") if alone else say("All pass"), (done,), "primary")]
    if not alone:
        command = {"do": "pass-trigger", "seat": seat}
        choices.append(Choice(say("{player} passes", player=name), (command,)))
    if top.stage == "would":
        choices.append(Choice(say("Canceled"), ({"do": "cancel-trigger"},)))
    choices += trigger_choices(state)
    forms = []
    if top.stage != "occurs":
        entry = Entry("ability", say("Card or ability"), "text")
        command = {"do": "respond", "seat": seat}
        forms.append(PromptForm(say("Use an ability"), command, (entry,)))
    if top.stage == "would":
        entry = Entry("what", say("What happens instead"), "text")
        forms.append(PromptForm(say("Changed"), {"do": "change-trigger"}, (entry,)))
    facts = []
    if top.stage in FORCED:
        facts.append(Fact(say("{player} sets the order; all must resolve.", player=name)))
    if len(state.triggers) > 1:
        facts.append(Fact(say("Afterwards: {what}", what=state.triggers[-2].what)))
    return Prompt(
        "trigger",
        say("{stage}: {what}", stage=STAGE_WORDS[top.stage], what=top.what),
        say("Each one resolves completely before the next."),
        (seat,),
        facts=tuple(facts),
        choices=tuple(choices),
        forms=tuple(forms),
        rule="AGOT-TRG-2",
    )


def choosing_prompt(state: ThronesState) -> Prompt:
    """The player whose turn it is to decide (AGOT-ORD-13)."""
    assert state.decision is not None
    seat = state.chooser
    house = state.house(seat)
    own = tuple((one.id, one.name) for one in state.controlled(seat))
    command = {"do": "choose-cards", "seat": seat}
    forms = []
    if own:
        entry = Entry("cards", say("Cards"), "several", own, least=0, most=len(own), required=False)
        forms.append(PromptForm(say("Choose these cards"), command, (entry,), "primary"))
    entry = Entry("text", say("Decision"), "text")
    forms.append(PromptForm(say("Decide in words"), command, (entry,)))
    after = [one for one in state.order if one != seat]
    done = {one.seat for one in state.decision.choices}
    names = ", ".join(state.house(one).name for one in after if one not in done)
    return Prompt(
        "each-chooses",
        say("{player} decides: {what}", player=house.name, what=state.decision.what),
        say("It happens to all at once when everybody has decided."),
        (seat,),
        facts=(Fact(say("Afterwards: {what}", what=names)),) if names else (),
        choices=(Choice(say("Choose nothing"), ({**command, "cards": []},), "quiet", seat=seat),),
        forms=tuple(forms),
        rule="AGOT-ORD-13",
    )


def gives_prompt(state: ThronesState, card: CardInPlay) -> Prompt:
    """What a new attachment changes: the rules know numbers, not card texts (AGOT-MOD-2)."""
    host = state.card(card.host)
    command: Plain = {"do": "gives", "card": card.id}
    choices = [Choice(say("Nothing that always counts"), (command,))]
    choices += [
        Choice(say("{value:+d} strength", value=value), ({**command, "strength": value},))
        for value in USUAL_GIFTS
    ]
    return Prompt(
        "gives",
        say("What does {card} give {host}?", card=card.name, host=host.name),
        say("Read the card. It counts while the card is there, and for every copy of it."),
        (card.controller,),
        choices=tuple(choices),
        forms=(gives_form(state, card),),
        rule="AGOT-MOD-2",
    )


def gives_form(state: ThronesState, card: CardInPlay) -> PromptForm:
    """Everything that an attachment can give, with what was said before."""
    now = dict(dict(state.gives).get(card.facts.code, ()))
    options = tuple((stat, stat_words(stat)) for stat in GAINED)
    gained = [stat for stat in GAINED if now.get(stat, 0) > 0]
    lost = [stat for stat in GAINED if now.get(stat, 0) < 0]
    entries = (
        Entry("strength", say("Strength"), "number", least=-9, most=9,
              value=now.get("strength", 0)),
        Entry("gains", say("It gains"), "several", options, value=gained, required=False),
        Entry("loses", say("It loses"), "several", options, value=lost, required=False),
        Entry("blank", say("Text box"), options=((False, say("stays")), (True, say("is blank"))),
              value=bool(now.get("blank"))),
    )  # fmt: skip
    command = {"do": "gives", "card": card.id}
    return PromptForm(say("What {card} gives", card=card.facts.name), command, entries, "quiet",
                      opens=True)  # fmt: skip


def conflicting(state: ThronesState) -> tuple[ValueModifier, ...]:
    """The effects that set one value to different numbers, until the first player orders them."""
    found = tuple(one for one in state.modifiers if one.id in state.conflict)
    return found if len(found) > 1 else ()


def conflict_prompt(state: ThronesState) -> Prompt:
    """Which of the effects is applied last (AGOT-ORD-15); the newest, if nobody says otherwise
    (AGOT-MOD-6)."""
    effects = conflicting(state)
    newest = effects[-1].id
    return Prompt(
        "order-effects",
        say("Which effect is applied last?"),
        say("{player}, the first player, sets the order.", player=state.house(state.first).name),
        (state.first,),
        choices=tuple(
            Choice(
                say("{why}: {value}", why=one.why, value=one.value),
                ({"do": "order-effects", "last": one.id},),
                "primary" if one.id == newest else "plain",
            )
            for one in reversed(effects)
        ),
        rule="AGOT-ORD-15",
    )
