"""The battle report as Markdown: result, armies, score, every turn, and the dice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from companion.games.api.play import ArmySummary, GameMoment, RolledDice, UnitSummary
from companion.session.report.replay import local_time
from companion.session.report.story import Chapter, Story, StoryBeat, Turn, lasted_ms
from companion.text.translation import _, capital, ruler, translate
from models.field import visible
from models.message import Name, say

RULES = re.compile(r" ?\([A-Z]+(?:-[A-Z0-9]+)+(?:, [A-Z]+(?:-[A-Z0-9]+)+)*\)")
"""Rule numbers in brackets, which the battle report leaves out."""


def markdown(story: Story) -> str:
    return "\n".join(visible(line) for line in paragraphs(story)).rstrip() + "\n"


def paragraphs(story: Story) -> Iterator[str]:
    yield f"# {marked(heading(story))}"
    yield ""
    yield f"**{marked(outcome(story.end))}**"
    yield ""
    for fact in facts(story):
        yield f"- {marked(fact)}"
    for army in story.armies:
        yield from ["", f"## {marked(army_title(army, story.names))}", ""]
        yield from (f"- {marked(member_line(one))}" for one in army.members)
    if story.scores():
        yield from ["", f"## {_('Score by round')}", ""]
        yield from score_table(story)
    for chapter in story.chapters:
        told = [turn for turn in chapter.turns if any(telling(beat) for beat in turn.beats)]
        if not told:
            continue
        yield from ["", f"## {marked(chapter_title(chapter))}"]
        for turn in told:
            title = turn_title(turn, chapter)
            yield from ["", f"### {marked(title)}", ""] if title else [""]
            yield from (f"- {marked(line(beat))}" for beat in turn.beats if telling(beat))
    for die in story.dice():
        yield from ["", f"## {dice_title(die)}", ""]
        yield from dice_table(story, die)


# -- sentences --------------------------------------------------------------------------------


def heading(story: Story) -> str:
    """The title of the report: the armies against each other."""
    names = [
        " & ".join(army_name(army, story.names) for army in story.armies if army.side == side)
        or called(side, story.names)
        for side in story.sides
    ]
    return _("Battle report: {sides}").format(sides=" – ".join(names) or "–")


def called(side: str, names: Mapping[str, str]) -> str:
    """What players call a side: by the player's name, or the side's own word as a name."""
    return named(names[side]) if names.get(side) else capital(translate(side))


def named(name: str) -> str:
    """A name of a player, an army or a card, as the game writes it in this language."""
    return translate(Name.of(name))


def army_name(army: ArmySummary, names: Mapping[str, str]) -> str:
    """The name of an army, and its side if that is a different word."""
    if army.side in names:
        return named(army.name)
    side = translate(army.side)
    return capital(side) if army.name == army.side else f"{named(army.name)} ({side})"


def army_title(army: ArmySummary, names: Mapping[str, str]) -> str:
    title = army_name(army, names)
    if counts_points(army):
        points = sum(one.points or 0 for one in army.members)
        title = translate(say("{army}, {n} point", "{army}, {n} points", army=title, n=points))
    return f"{title}: {named(army.leader)}" if army.leader else title


def counts_points(army: ArmySummary) -> bool:
    """Whether an army was bought with points; the cards of a deck were not."""
    return any(one.points is not None for one in army.members)


def member_line(one: UnitSummary) -> str:
    """One member of an army and its fate."""
    cost = f" ({one.points})" if one.points is not None else ""
    fate = f": {translate(one.fate)}" if one.fate else ""
    return f"{named(one.name)}{cost}{fate}"


def outcome(end: GameMoment | None) -> str:
    """The result, or the current score."""
    if end is None:
        return _("The game was not set up.")
    score = scored(end.score, end.sides, end.names)
    if end.winner == "draw":
        return _("A draw, {score}.").format(score=score)
    if end.winner:
        side = called(end.winner, end.names)
        told = capital(_("{side} wins, {score}.").format(side=side, score=score))
        return f"{told} {capital(RULES.sub('', translate(end.how)))}." if end.how else told
    return _("Not finished: round {round}, {score}.").format(round=end.round, score=score)


def facts(story: Story) -> Iterator[str]:
    """Other facts for the top of the report."""
    beats = list(story.beats)
    if not beats:
        return
    yield _("Game: {game}").format(game=translate(story.occasion) or story.game)
    yield _("Begun: {time}").format(time=local_time(beats[0].at_ms))
    minutes = round(lasted_ms(story) / 60_000)
    yield translate(say("Played for {n} minute", "Played for {n} minutes", n=minutes))
    if story.taken_back > 0:
        yield _("Steps taken back: {count}").format(count=story.taken_back)
    yield from (capital(translate(one)) for one in story.agreed())


def chapter_title(chapter: Chapter) -> str:
    if chapter.round == 0:
        return _("Set-up")
    score = scored(chapter.score, chapter.score, chapter.names)
    return _("Round {round} ({score})").format(round=chapter.round, score=score)


def turn_title(turn: Turn, chapter: Chapter) -> str:
    """Whose turn it is; what comes before the first one needs no title where a game is set up."""
    if turn.number == 0:
        return _("Before the first turn") if chapter.round else ""
    if turn.part:
        return translate(turn.part)
    if turn.side is None:
        return _("Turn {number}").format(number=turn.number)
    side = called(turn.side, turn.names)
    return _("Turn {number}: {side}").format(number=turn.number, side=side)


def telling(beat: StoryBeat) -> bool:
    """Whether a step has anything to report."""
    return bool(beat.sentences or beat.rolls)


def line(beat: StoryBeat) -> str:
    """A step with its dice."""
    said = sentences(beat)
    if beat.is_note:
        said = _("“{note}”").format(note=said)
    rolls = capital("; ".join(rolled(roll, names_in(beat)) for roll in shown_rolls(beat)))
    return f"{said}. {rolls}" if said and rolls else said or rolls


def shown_rolls(beat: StoryBeat) -> list[RolledDice]:
    """The dice that the sentences of a step do not say already."""
    return [roll for roll in beat.rolls if not (roll.told and beat.sentences)]


def sentences(beat: StoryBeat) -> str:
    """The sentences of a step, without rule numbers, and who took it where that is known."""
    names = names_in(beat)
    by = ", ".join(called(seat, names) for seat in beat.by)
    if beat.is_note:
        text = "; ".join(beat.sentences)
    else:
        lines = [
            RULES.sub("", translate(sentence)).removesuffix(".") for sentence in beat.sentences
        ]
        text = ". ".join(map(capital, lines))
    return f"{text} ({by})" if text and by else text


def names_in(beat: StoryBeat) -> Mapping[str, str]:
    """What players call the sides at a step."""
    return beat.moment.names if beat.moment is not None else {}


def rolled(roll: RolledDice, names: Mapping[str, str]) -> str:
    """A roll in the words of players."""
    if roll.symbols:
        return f"{what_of(roll, names)}: {', '.join(faces_of(roll))}"
    kind = "" if roll.die == 6 else f" {die_name(roll.die)}"
    return f"{what_of(roll, names)}{kind}: {' '.join(map(str, roll.faces))}"


def what_of(roll: RolledDice, names: Mapping[str, str]) -> str:
    """Why dice were rolled, and by whom where either side may have."""
    what = translate(roll.what)
    return f"{capital(called(roll.side, names))} · {what}" if roll.by and roll.side else what


def faces_of(roll: RolledDice) -> Iterator[str]:
    """The faces of a roll, by name where the dice show symbols."""
    return (translate(roll.symbols[face - 1]) if roll.symbols else str(face) for face in roll.faces)


def scored(score: Mapping[str, int], sides: Iterable[str], names: Mapping[str, str]) -> str:
    return " : ".join(f"{called(side, names)} {score.get(side, 0)}" for side in sides)


# -- tables -----------------------------------------------------------------------------------


def score_table(story: Story) -> Iterator[str]:
    sides = story.sides
    heads = [marked(capital(called(side, story.names))) for side in sides]
    yield f"| {_('Round')} | " + " | ".join(heads) + " |"
    yield "|---:|" + "---:|" * len(sides)
    for number, score in story.scores():
        yield f"| {number} | " + " | ".join(str(score.get(side, 0)) for side in sides) + " |"


def dice_title(die: int) -> str:
    """The heading of a table of dice results; six-sided dice need no name."""
    return _("Dice") if die == 6 else f"{_('Dice')}: {die_name(die)}"


def die_name(die: int) -> str:
    """What players call a die with that many faces."""
    return _("D{die}").format(die=die)


def dice_table(story: Story, die: int) -> Iterator[str]:
    """How often each side rolled each number or symbol of dice with that many faces."""
    columns = story.columns(die)
    numbers = len(columns) == die
    heads = [*(marked(name) for name, _faces in columns), _("dice"), *([_("mean")] * numbers)]
    yield f"| {_('Side')} | " + " | ".join(heads) + " |"
    yield "|---|" + "---:|" * len(heads)
    for side, faces in story.faces(die).items():
        counts = [sum(faces[one] for one in shown) for _name, shown in columns]
        average = [ruler().number(mean(faces), 2)] * numbers
        who = marked(capital(called(side, story.names))) or "–"
        yield f"| {who} | " + " | ".join(map(str, (*counts, faces.total(), *average))) + " |"


def mean(faces: Counter[int]) -> float:
    """The mean of all dice."""
    return sum(face * count for face, count in faces.items()) / faces.total()


def marked(text: str) -> str:
    """Escape the players' text for Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in text)
