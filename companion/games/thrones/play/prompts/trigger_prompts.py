"""Interrupts and reactions on the screen: what comes now, and who may use it."""

from __future__ import annotations

from companion.games.api.prompt import Choice, Entry, Fact, Prompt, PromptForm
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.play.trigger import FORCED
from models.lazy_message import say

STAGE_WORDS = {
    "would": say('Interrupts with "would", cancels and saves'),
    "forced-interrupt": say("Forced interrupts"),
    "interrupt": say("Interrupts"),
    "occurs": say("It happens now"),
    "forced-reaction": say("Forced reactions"),
    "reaction": say("Reactions"),
}


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
