"""The battle report as Markdown: who won, how the score went, every turn, and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from companion.session.export import when
from companion.session.play import Moment, Roll
from companion.session.story import Beat, Chapter, Story, Turn, lasted_ms
from companion.words import _, tell
from models.said import say

FACES = range(1, 7)


def markdown(story: Story) -> str:
    """The report as Markdown text."""
    return "\n".join(paragraphs(story)).rstrip() + "\n"


def paragraphs(story: Story) -> Iterator[str]:
    """Its lines."""
    yield f"# {heading(story)}"
    yield ""
    yield f"**{marked(outcome(story.end))}**"
    yield ""
    for fact in facts(story):
        yield f"- {marked(fact)}"
    if story.scores():
        yield from ["", f"## {_('Score by round')}", ""]
        yield from score_table(story)
    for chapter in story.chapters:
        yield from ["", f"## {chapter_title(chapter)}"]
        for turn in chapter.turns:
            yield from ["", f"### {marked(turn_title(turn))}", ""]
            yield from (f"- {marked(line(beat))}" for beat in turn.beats)
    if story.faces():
        yield from ["", f"## {_('Dice')}", ""]
        yield from dice_table(story)


def heading(story: Story) -> str:
    """The title of the report."""
    return _("Battle report: {sides}").format(sides=" – ".join(map(tell, story.sides)) or "–")


def outcome(end: Moment | None) -> str:
    """How the game stands or ended."""
    if end is None:
        return _("The game was not set up.")
    score = scored(end.score, end.sides)
    if end.winner == "draw":
        return _("A draw, {score}.").format(score=score)
    if end.winner:
        return _("{side} wins, {score}.").format(side=tell(end.winner), score=score)
    return _("Not finished: round {round}, {score}.").format(round=end.round, score=score)


def facts(story: Story) -> Iterator[str]:
    """What else there is to know at a glance."""
    beats = list(story.beats)
    if not beats:
        return
    yield _("Game: {game}").format(game=story.game)
    yield _("Begun: {time}").format(time=when(beats[0].at_ms).replace("T", " ")[:16] + " UTC")
    minutes = round(lasted_ms(story) / 60_000)
    yield tell(say("Played for {n} minute", "Played for {n} minutes", n=minutes))
    if story.taken_back > 0:
        yield _("Steps taken back: {count}").format(count=story.taken_back)


def chapter_title(chapter: Chapter) -> str:
    """A round's heading."""
    if chapter.round == 0:
        return _("Set-up")
    score = scored(chapter.score, chapter.score)
    return _("Round {round} ({score})").format(round=chapter.round, score=score)


def turn_title(turn: Turn) -> str:
    """A turn's heading."""
    if turn.number == 0:
        return _("Before the first turn")
    if turn.side is None:
        return _("Turn {number}").format(number=turn.number)
    return _("Turn {number}: {side}").format(number=turn.number, side=tell(turn.side))


def line(beat: Beat) -> str:
    """A step with its dice."""
    rolls = "; ".join(rolled(roll) for roll in beat.rolls)
    return f"{tell(beat.title)} [{rolls}]" if rolls else tell(beat.title)


def rolled(roll: Roll) -> str:
    """A roll as players say it."""
    return f"{tell(roll.what)}: {' '.join(map(str, roll.faces))}"


def scored(score: Mapping[str, int], sides: Iterable[str]) -> str:
    """The score side by side."""
    return " : ".join(f"{tell(side)} {score.get(side, 0)}" for side in sides)


def score_table(story: Story) -> Iterator[str]:
    """The score after each round."""
    sides = story.sides
    yield f"| {_('Round')} | " + " | ".join(marked(tell(side)) for side in sides) + " |"
    yield "|---:|" + "---:|" * len(sides)
    for number, score in story.scores():
        yield f"| {number} | " + " | ".join(str(score.get(side, 0)) for side in sides) + " |"


def dice_table(story: Story) -> Iterator[str]:
    """How often each side rolled each face."""
    yield f"| {_('Side')} | " + " | ".join(map(str, FACES)) + f" | {_('dice')} | {_('mean')} |"
    yield "|---|" + "---:|" * (len(FACES) + 2)
    for side, faces in story.faces().items():
        counts = " | ".join(str(faces[face]) for face in FACES)
        yield f"| {marked(tell(side)) or '–'} | {counts} | {faces.total()} | {mean(faces):.2f} |"


def mean(faces: Counter[int]) -> float:
    """The mean of all dice."""
    return sum(face * count for face, count in faces.items()) / faces.total()


def marked(text: str) -> str:
    """Words of players, so that Markdown takes none of them for its own signs."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in text)
